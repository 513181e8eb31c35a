// lacewing qos FILE: from goals to an arbitration table, or what an options file of OpenSM promises.
import type { Command } from "commander"
import { arbitrationReport } from "../../inspect/qos/arbitration-report.ts"
import { qosFile } from "../../inspect/qos/file.ts"
import { qosReport } from "../../inspect/qos/report.ts"
import { arbitrationText, qosText } from "../../inspect/qos/text.ts"
import { Exit, exit, type Io } from "../command.ts"
import { plainText, refusePlain } from "../plain.ts"

interface Options {
  readonly json?: boolean
  readonly opensm?: boolean
}

export default function define(command: Command, io: Io): void {
  command
    .argument("<file>", "goals (YAML: share, distance and MTU of each service level), or an options file of OpenSM")
    .option("--json", "print one JSON object")
    .option("--opensm", "print the lines for OpenSM alone: qos_vlarb_high, qos_vlarb_low, qos_high_limit, qos_sl2vl")
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
