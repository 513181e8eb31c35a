// One measurement of `lacewing bench workloads` in a process of its own: `dumpi MEGABYTES`, `run NAME [SECONDS]` or
// `simai FILE`.
import { hostAt } from "../../../experiment/disk/host.ts"
import { readTrace } from "../../../library.ts"
import type { RunSpec } from "../../../model/experiment.ts"
import { prepare, simulate } from "../../../run/simulate.ts"
import { dumpiRing } from "./dumpi-ring.ts"
import { type Cost, files, simaiSpec, specs } from "./workloads.ts"

const [what, given = "", seconds = "0"] = process.argv.slice(2)
const RANKS = 16
/** bytes of a turn of the ring */
const TURN = 171
const PIECE = 2 ** 18

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

async function dumpi(megabytes: number): Promise<{ work: number; simulated: number }> {
  const files = Array.from({ length: RANKS }, (_, r) =>
    dumpiRing(r, RANKS, Math.ceil((megabytes * 1e6) / RANKS / TURN)),
  )
  async function* sources() {
    for (const [r, bytes] of files.entries())
      yield { name: `ring-${String(r).padStart(4, "0")}.bin`, chunks: pieces(bytes) }
  }
  begun = process.cpuUsage()
  const { trace } = await readTrace("ring", sources)
  if (trace === undefined || trace.bad.length > 0 || trace.missing.length > 0) throw new Error("the ring was not read")
  return { work: files.reduce((n, b) => n + b.length, 0), simulated: 0 }
}

async function run(spec: RunSpec, value: string): Promise<{ work: number; simulated: number }> {
  const disk = hostAt(".")
  const ready = prepare(spec, { ...disk, read: (path) => files[path]?.() ?? disk.read(path) })
  if ("bad" in ready) throw new Error(ready.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  begun = process.cpuUsage()
  const { why, explains, values, tables } = await simulate(ready.ok, { threads: false })
  if (spec.jobs !== undefined && why !== "drained") throw new Error(explains)
  const cycle = spec.network.cycle === "1us" ? 1e-6 : 1e-9
  const ranks = (tables["jobs"]?.["ranks"] as readonly number[] | undefined)?.reduce((a, b) => a + b, 0) ?? 0
  return { work: value === "ranks" ? ranks : values[value], simulated: (values["jobs.time"] ?? 0) * cycle }
}

let begun = process.cpuUsage()
const { work, simulated } =
  what === "dumpi"
    ? await dumpi(Number(given))
    : what === "simai"
      ? await run(simaiSpec(given), "ranks")
      : await run(specs[given](Number(seconds)), "chunk-hops")
const { user, system } = process.cpuUsage(begun)
const cost: Cost = {
  cpu: (user + system) / 1e6,
  memory: Math.round(process.resourceUsage().maxRSS / 1024),
  work,
  simulated,
}
console.log(JSON.stringify(cost))
