// lacewing check FILE: everything that can be known without running.
import type { Command } from "commander"
import { duration } from "../core/duration.ts"
import { hostAt } from "../experiment/disk/host.ts"
import { loadPlan } from "../experiment/load.ts"
import { complaintsOf, shapes } from "../experiment/sense.ts"
import { checkPlan } from "../inspect/check-plan.ts"
import { estimatePlan, foreseen, lengthOf } from "../run/estimate.ts"
import { loadSimulator } from "../run/simulator.ts"
import { frames } from "../terminal/frame.ts"
import { short } from "../terminal/table.ts"
import { Exit, exit, type Io } from "./command.ts"
import { collect, noCode, refuse } from "./options.ts"

export default function (command: Command, io: Io): void {
  command
    .argument(
      "<file>",
      "experiment (.yaml, .json, .mjs), a folder with an experiment.yaml, or a name that `lacewing list experiments` shows",
    )
    .option("--set <key=value>", "set a key (may be repeated)", collect)
    .option("--quick", "leave out the fewest VCs and the channel loads")
    .option("--json", "print one JSON object")
    .option(...noCode)
    .action(async (file: string, o: { set?: readonly string[]; json?: boolean; quick?: boolean; code: boolean }) => {
      const loaded = await loadPlan(file, { ...(o.set ? { set: o.set } : {}), code: o.code })
      if ("bad" in loaded) refuse(loaded.bad, io, o.json === true)
      const plan = loaded.ok
      const bad = complaintsOf(plan.runs, hostAt(plan.folder), await loadSimulator())
      const hostFor = ({ plugins }: (typeof plan.runs)[number]["spec"]) => hostAt(plan.folder, plugins)
      const checks = checkPlan(plan, hostFor, { brief: o.quick === true }, (says) => io.err(io.paint.dim(says)))
      if (bad.length > 0 && checks.length === 0) refuse(bad, io, o.json === true)
      const wrong = checks.find((c) => !c.check.deadlock.free || !c.check.reachable.all)
      const ok = bad.length === 0 && wrong === undefined
      const proved = (wrong ?? checks[0])?.check
      const predicted = estimatePlan(plan, plan.runs)
      const { runs, endpoints, megabytes, unforeseen } = predicted
      const [seconds, flitHops] = [foreseen(predicted, predicted.seconds), foreseen(predicted, predicted.flitHops)]
      const estimate = { runs, networks: shapes(plan.runs).length, endpoints, seconds, megabytes, flitHops, unforeseen }
      if (o.json === true) {
        const complaints = bad.map(({ text: _, spot, ...c }) => ({ ...c, ...spot }))
        io.out(JSON.stringify({ ok, complaints, deadlock: proved?.deadlock, vcs: proved?.vcs, estimate, networks: checks }))
      } else {
        for (const c of checks) io.out([c.network, ...c.check.words.map((line) => `    ${line}`)].join("\n"))
        io.out(
          `${ok ? io.paint.green("ok") : io.paint.red("refused")}  ${plan.title}: ${estimate.runs === 1 ? "1 run" : `${estimate.runs} runs`}, ${estimate.networks === 1 ? "one kind" : `${estimate.networks} kinds`} of network of up to ${estimate.endpoints} endpoints`,
        )
        io.out(`    ${short(megabytes, 3)} MB for each run; ${lengthOf(predicted, `about ${duration(predicted.seconds)} of one core`)}`)
      }
      if (!ok) throw new Exit(exit.wrongInput, ...(bad.length > 0 ? [frames(bad, io.paint)] : []))
    })
}
