// lacewing route FILE --from A --to B: every legal way between two endpoints, its VCs, and why it would be taken.
import type { Command } from "commander"
import { classesOf, compileNetwork } from "../compile/compile.ts"
import { hostAt } from "../experiment/disk/host.ts"
import { loadPlan } from "../experiment/load.ts"
import { routeReport, tellRoute } from "../inspect/route.ts"
import type { Io } from "./command.ts"
import { collect, noCode, refuse, wholeNumber } from "./options.ts"
import { refusePlain } from "./plain.ts"

interface Options {
  readonly from: number
  readonly to: number
  readonly most: number
  readonly set?: readonly string[]
  readonly json?: boolean
  readonly code: boolean
}

export default function define(command: Command, io: Io): void {
  command
    .argument(
      "<file>",
      "experiment (.yaml, .json, .mjs), a folder with an experiment.yaml, or a name that `lacewing list experiments` shows; the first network of a sweep is taken",
    )
    .requiredOption("--from <endpoint>", "number of the endpoint that sends", wholeNumber)
    .requiredOption("--to <endpoint>", "number of the endpoint that receives", wholeNumber)
    .option("--most <ways>", "follow at most so many ways", wholeNumber, 50)
    .option("--set <key=value>", "set a key (may be repeated)", collect)
    .option("--json", "print one JSON object")
    .option(...noCode)
    .action(async (file: string, o: Options) => {
      const json = o.json === true
      const loaded = await loadPlan(file, { ...(o.set === undefined ? {} : { set: o.set }), code: o.code })
      if ("bad" in loaded) refuse(loaded.bad, io, json)
      const run = loaded.ok.runs[0]!
      const network = compileNetwork(run.spec.network, classesOf(run.spec), run.spec.seed, hostAt(loaded.ok.folder, run.spec.plugins))
      if ("bad" in network)
        refuse(
          network.bad.map((c) => run.place(c)),
          io,
          json,
        )
      const report = routeReport(network.ok, o.from, o.to, o.most)
      if ("bad" in report) refusePlain(report.bad, io, json)
      io.out(json ? JSON.stringify(report.ok) : tellRoute(report.ok).join("\n"))
    })
}
