// lacewing route FILE --from A --to B: every legal way between two endpoints, its VCs, and why it would be taken.
import { writeFileSync } from "node:fs"
import type { Command } from "commander"
import { classesOf, compileNetwork } from "../compile/compile.ts"
import { draw } from "../draw/topology/svg.ts"
import { hostAt } from "../experiment/disk/host.ts"
import { unwritable } from "../experiment/disk/user-file.ts"
import { loadPlan } from "../experiment/load.ts"
import { routeReport, tellRoute, waysOf } from "../inspect/route.ts"
import { Exit, exit, type Io } from "./command.ts"
import { collect, noCode, refuse, wholeNumber } from "./options.ts"
import { refusePlain } from "./plain.ts"

interface Options {
  readonly from: number
  readonly to: number
  readonly most: number
  readonly set?: readonly string[]
  readonly json?: boolean
  readonly svg?: string
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
    .option("--svg <file>", "draw the network and the ways into this file, too")
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
      if (o.svg !== undefined) {
        const { routing, topology } = run.spec.network
        const picture = draw(network.ok.topology, `${routing.name} on ${topology.name}, endpoint ${o.from} to ${o.to}`, waysOf(report.ok))
        if ("bad" in picture) refusePlain(picture.bad, io, json)
        try {
          writeFileSync(o.svg, picture.ok)
        } catch (e) {
          throw new Exit(exit.wrongInput, `${o.svg} ${unwritable(e)}\n  fix: name a file in a folder that you may write to`)
        }
        io.err(`drawn in ${o.svg}`)
      }
      io.out(json ? JSON.stringify(report.ok) : tellRoute(report.ok).join("\n"))
    })
}
