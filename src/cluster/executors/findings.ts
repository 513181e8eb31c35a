// The findings of `lacewing doctor` about Slurm: version and partitions.
import { duration } from "../../core/duration.ts"
import type { Finding } from "../../run/doctor.ts"
import { type Ask, ask } from "./command.ts"
import { configOf, partitions } from "./limits.ts"

export async function slurmFindings(run: Ask = ask): Promise<Finding[]> {
  const version = await run("sbatch", ["--version"], { patience: 10 })
  if (version.missing)
    return [{ name: "slurm", state: "optional", says: "not found; only `lacewing run --on slurm` needs it" }]
  const program = version.out.trim() || "sbatch"
  const config = configOf(await run("scontrol", ["show", "config"], { patience: 10 }))
  if ("bad" in config) return [{ name: "slurm", state: "optional", says: `${program}, but ${config.bad[0].says}` }]
  const { maxArray, accounting } = config.ok
  const found = await partitions(run)
  const first: Finding = {
    name: "slurm",
    state: "ok",
    says: `${program}, arrays of up to ${maxArray - 1} tasks, ${accounting ? "with" : "without"} accounting`,
  }
  if ("bad" in found) return [first, { name: "slurm partitions", state: "optional", says: found.bad[0].says }]
  return [
    first,
    ...found.ok.map((p): Finding => {
      const time = Number.isFinite(p.time) ? `tasks of up to ${duration(p.time)}` : "no time limit"
      const most = (of: (s: (typeof p.sizes)[number]) => number) => Math.max(0, ...p.sizes.map(of))
      const sizes =
        p.sizes.length === 0 ? "" : `, nodes of up to ${most((s) => s.cpus)} cores and ${most((s) => s.megabytes)} MB`
      return {
        name: "slurm partition",
        state: p.up ? "ok" : "optional",
        says: `${p.name}${p.isDefault ? " (default)" : ""}: ${time}${sizes}${p.up ? "" : "; is not up"}`,
      }
    }),
  ]
}
