// lacewing check FILE: everything that can be known without running.
import type { Command } from "commander"
import { estimateRun } from "../lab/estimate.ts"
import { loadPlan } from "../lab/load.ts"
import { complaintsOf, shapes } from "../lab/sense.ts"
import { loadSimulator } from "../lab/simulator.ts"
import { duration, short } from "../lab/table.ts"
import type { Io } from "./command.ts"
import { collect, refuse } from "./options.ts"

export default function (command: Command, io: Io): void {
  command
    .argument("<file>", "experiment (.yaml, .json, .mjs), or a folder with an experiment.yaml")
    .option("--set <key=value>", "set a key (may be repeated)", collect)
    .option("--json", "print one JSON object")
    .action(async (file: string, o: { set?: readonly string[]; json?: boolean }) => {
      const loaded = await loadPlan(file, o.set ? { set: o.set } : {})
      if ("bad" in loaded) refuse(loaded.bad, io, o.json === true)
      const plan = loaded.ok
      const bad = complaintsOf(plan.runs, plan.folder, await loadSimulator())
      if (bad.length > 0) refuse(bad, io, o.json === true)
      const each = shapes(plan.runs).map((r) => estimateRun(r.spec))
      const seconds = plan.runs.reduce((sum, r) => sum + estimateRun(r.spec).seconds, 0)
      const estimate = {
        runs: plan.runs.length,
        networks: each.length,
        endpoints: Math.max(...each.map((e) => e.ends)),
        seconds,
        megabytes: Math.max(...each.map((e) => e.megabytes)),
      }
      if (o.json === true) io.out(JSON.stringify({ ok: true, complaints: [], estimate }))
      else {
        io.out(
          `${io.paint.green("ok")}  ${plan.title}: ${estimate.runs} runs, ${estimate.networks} kinds of network of up to ${estimate.endpoints} endpoints`,
        )
        io.out(
          `    about ${duration(seconds)} of one core, ${short(estimate.megabytes, 3)} MB for each run; guesses within a factor of a few`,
        )
      }
    })
}
