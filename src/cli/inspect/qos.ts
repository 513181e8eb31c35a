// lacewing qos FILE: computes an arbitration table from goals, or the guarantees of an options file of OpenSM.
// src/inspect/qos has the computation.
import type { Command } from "commander"
import { arbitrationReport } from "../../inspect/qos/arbitration-report.ts"
import { qosFile } from "../../inspect/qos/file.ts"
import { qosReport } from "../../inspect/qos/report.ts"
import { arbitrationText, qosText } from "../../inspect/qos/text.ts"
import { Exit, exit, type Io } from "../command.ts"
import { describe } from "../help.ts"
import { plainText, refusePlain } from "../plain.ts"

interface Options {
  readonly json?: boolean
  readonly opensm?: boolean
}

export default function define(command: Command, io: Io): void {
  describe(command, {
    notes: "Also reads an options file of OpenSM, and shows which bandwidth and latency its tables guarantee.",
    examples: ["lacewing qos goals.yaml", "lacewing qos goals.yaml --opensm"],
  })
  command
    .argument("<file>", "Goals (YAML: share, distance and MTU of each service level), or an options file of OpenSM")
    .option("--opensm", "Print only the OpenSM settings, e.g. qos_vlarb_high and qos_sl2vl")
    .option("--json", "Print one JSON object")
    .action((path: string, o: Options) => {
      const json = o.json === true
      const read = qosFile(path)
      if ("bad" in read) refusePlain(read.bad, io, json)
      if ("opensm" in read.ok) {
        const all = read.ok.opensm.map(arbitrationReport)
        if (json) io.out(JSON.stringify({ ok: true, ports: all }))
        else io.out(o.opensm === true ? all.map((r) => r.opensm).join("\n") : arbitrationText(all, io.paint, io.fits))
        return
      }
      const report = qosReport(read.ok.goals)
      if ("bad" in report) refusePlain(report.bad, io, json)
      if (json) io.out(JSON.stringify(report))
      else if (o.opensm !== true) io.out(qosText(report, io.paint, io.fits))
      if (!report.ok) throw new Exit(exit.wrongInput, report.complaints.map((c) => plainText(c, io)).join("\n"))
      if (!json && o.opensm === true) io.out(report.opensm)
    })
}
