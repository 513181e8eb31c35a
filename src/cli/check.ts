// lacewing check FILE: checks an experiment without running it. It builds every network, proves reachability and
// deadlock freedom, and predicts time and memory.
import type { Command } from "commander"
import { duration } from "../core/duration.ts"
import { counted } from "../core/wording.ts"
import { complaintsOf, shapes } from "../experiment/cross-checks.ts"
import { hostAt } from "../experiment/disk/host.ts"
import { loadPlan } from "../experiment/load.ts"
import { oldNameLine, warningOf } from "../experiment/old-names.ts"
import { checkPlan } from "../inspect/check-plan.ts"
import { creditNotes } from "../inspect/credit-limit.ts"
import { estimatePlan, foreseen, lengthOf } from "../predict/estimate.ts"
import { loadSimulator } from "../sweep/simulator.ts"
import { frames } from "../terminal/format-complaint.ts"
import { short } from "../terminal/table.ts"
import { Exit, exit, type Io } from "./command.ts"
import { describe } from "./help.ts"
import { liveLine } from "./live-line.ts"
import { experimentArgument, noCode, refuse, setOption } from "./options.ts"

export default function (command: Command, io: Io): void {
  describe(command, {
    notes:
      "Builds every network of the experiment, checks reachability and deadlock freedom, and predicts time and memory.",
    examples: ["lacewing check first-curve", "lacewing check my.yaml --set network.switch.vcs=2 --quick"],
  })
  command
    .argument("<experiment>", experimentArgument)
    .option(...setOption)
    .option("--quick", "Skip the search for the minimum number of VCs and the channel loads")
    .option("--json", "Print one JSON object")
    .option(...noCode)
    .action(async (file: string, o: { set?: readonly string[]; json?: boolean; quick?: boolean; code: boolean }) => {
      const loaded = await loadPlan(file, { ...(o.set ? { set: o.set } : {}), code: o.code })
      if ("bad" in loaded) refuse(loaded.bad, io, o.json === true)
      const plan = loaded.ok
      for (const note of plan.renamed) io.err(oldNameLine(note))
      const bad = complaintsOf(plan.runs, hostAt(plan.folder), await loadSimulator())
      const hostFor = ({ plugins }: (typeof plan.runs)[number]["spec"]) => hostAt(plan.folder, plugins)
      const live = liveLine(io)
      live.show("building the networks")
      const checks = checkPlan(
        plan,
        hostFor,
        { brief: o.quick === true },
        (says) => io.err(io.paint.dim(says)),
        live.show,
      )
      live.clear()
      if (bad.length === 0)
        for (const note of creditNotes(
          plan.runs.map((r) => r.spec),
          (spec) => hostAt(plan.folder, spec.plugins),
        ))
          io.err(io.paint.yellow(note))
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
        io.out(
          JSON.stringify({
            ok,
            complaints,
            warnings: plan.renamed.map(warningOf),
            deadlock: proved?.deadlock,
            vcs: proved?.vcs,
            estimate,
            networks: checks,
          }),
        )
      } else {
        for (const c of checks) io.out([c.network, ...c.check.words.map((line) => `    ${line}`)].join("\n"))
        io.out(
          `${ok ? io.paint.green("ok") : io.paint.red("rejected")}  ${plan.title}: ${counted(estimate.runs, "run")} on ${counted(estimate.networks, "network")} of up to ${counted(estimate.endpoints, "endpoint")}`,
        )
        io.out(
          `    ${short(megabytes, 3)} MB per run; ${lengthOf(predicted, `about ${duration(predicted.seconds)} on one core`)}`,
        )
      }
      if (!ok) throw new Exit(exit.wrongInput, ...(bad.length > 0 ? [frames(bad, io.paint)] : []))
    })
}
