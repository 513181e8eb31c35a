// lacewing route FILE --from A --to B: prints every legal path between two endpoints, its VCs, and the reason for which
// the routing would choose it. src/inspect/route.ts computes the paths.
import { writeFileSync } from "node:fs"
import type { Command } from "commander"
import { classesOf, compileNetwork } from "../compile/build-network.ts"
import { draw } from "../draw/topology/svg.ts"
import { hostAt } from "../experiment/disk/host.ts"
import { unwritable } from "../experiment/disk/user-file.ts"
import { loadPlan } from "../experiment/load.ts"
import { pathsOf, routeReport, tellRoute } from "../inspect/route.ts"
import { Exit, exit, type Io } from "./command.ts"
import { describe, renamedOption } from "./help.ts"
import { experimentArgument, noCode, refuse, setOption, wholeNumber } from "./options.ts"
import { refusePlain } from "./plain.ts"

interface Options {
  readonly from: number
  readonly to: number
  readonly maxPaths: number
  readonly set?: readonly string[]
  readonly json?: boolean
  readonly svg?: string
  readonly code: boolean
}

export default function define(command: Command, io: Io): void {
  describe(command, {
    notes: "If the experiment is a sweep, the first network is used.",
    examples: [
      "lacewing route first-curve --from 0 --to 71",
      "lacewing route my.yaml --from 0 --to 71 --max-paths 10 --svg paths.svg",
    ],
  })
  command
    .argument("<experiment>", experimentArgument)
    .requiredOption("--from <endpoint>", "Source endpoint", wholeNumber)
    .requiredOption("--to <endpoint>", "Destination endpoint", wholeNumber)
    .option("--max-paths <n>", "Maximum number of paths to follow", wholeNumber, 50)
    .option(...setOption)
    .option("--svg <file>", "Also draw the network and the paths into this file")
    .option("--json", "Print one JSON object")
    .option(...noCode)
    .action(async (file: string, o: Options) => {
      const json = o.json === true
      const loaded = await loadPlan(file, { ...(o.set === undefined ? {} : { set: o.set }), code: o.code })
      if ("bad" in loaded) refuse(loaded.bad, io, json)
      const run = loaded.ok.runs[0]
      const network = compileNetwork(
        run.spec.network,
        classesOf(run.spec),
        run.spec.seed,
        hostAt(loaded.ok.folder, run.spec.plugins),
      )
      if ("bad" in network)
        refuse(
          network.bad.map((c) => run.place(c)),
          io,
          json,
        )
      const report = routeReport(network.ok, o.from, o.to, o.maxPaths)
      if ("bad" in report) refusePlain(report.bad, io, json)
      if (o.svg !== undefined) {
        const { routing, topology } = run.spec.network
        const picture = draw(
          network.ok.topology,
          `${routing.name} on ${topology.name}, endpoint ${o.from} to ${o.to}`,
          pathsOf(report.ok),
        )
        if ("bad" in picture) refusePlain(picture.bad, io, json)
        try {
          writeFileSync(o.svg, picture.ok)
        } catch (e) {
          throw new Exit(
            exit.wrongInput,
            `${o.svg} ${unwritable(e)}\n  fix: choose a file in a folder that you may write to`,
          )
        }
        io.err(`Wrote ${o.svg}.`)
      }
      io.out(json ? JSON.stringify(report.ok) : tellRoute(report.ok).join("\n"))
    })
  renamedOption(command, "most", "max-paths", io)
}
