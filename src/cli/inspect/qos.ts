// lacewing qos FILE: computes an arbitration table from goals, or the guarantees of an options file of OpenSM. With
// --mix, it simulates traffic with the configuration of a fabric. src/inspect/qos has the computation.
import { join } from "node:path"
import type { Command } from "commander"
import { type ExperimentInput, run } from "../../api.ts"
import { complain } from "../../core/complaint.ts"
import { bytes } from "../../core/schema.ts"
import { plainScale } from "../../core/units.ts"
import { unwritable } from "../../experiment/disk/user-file.ts"
import { answerOf, answerText, type Measured, type QosAnswer } from "../../inspect/qos/answer.ts"
import { answerFigures } from "../../inspect/qos/answer-figures.ts"
import { arbitrationReports } from "../../inspect/qos/arbitration-report.ts"
import type { QosFabric } from "../../inspect/qos/fabric.ts"
import { fabricFile, policyFile, qosFile, yamlFile } from "../../inspect/qos/file.ts"
import { experimentOf, type Mix, readMix } from "../../inspect/qos/mix.ts"
import { writeOpafm } from "../../inspect/qos/opafm.ts"
import { qosReport } from "../../inspect/qos/report.ts"
import { arbitrationText, qosText } from "../../inspect/qos/text.ts"
import { writeAtomic } from "../../results/disk.ts"
import { Exit, exit, type Io } from "../command.ts"
import { describe } from "../help.ts"
import { plainText, refusePlain } from "../plain.ts"

interface Options {
  readonly json?: boolean
  readonly opensm?: boolean
  readonly opafm?: boolean
  readonly packet?: string
  readonly mix?: string
  readonly policy?: string
  readonly diff?: string
  readonly figures?: string
}

export default function define(command: Command, io: Io): void {
  describe(command, {
    notes:
      "Also reads an options file of OpenSM, and shows which bandwidth and latency its tables guarantee. With --mix, " +
      "it answers for each stream of a traffic mix what the configuration guarantees, and what a simulation measures.",
    examples: [
      "lacewing qos goals.yaml",
      "lacewing qos goals.yaml --opensm",
      "lacewing qos goals.yaml --opafm",
      "lacewing qos goals.yaml --mix mix.yaml",
      "lacewing qos opensm.conf --packet 2KiB",
      "lacewing qos opensm.conf --mix mix.yaml",
      "lacewing qos opensm.conf --mix mix.yaml --diff opensm-new.conf",
      "lacewing qos classes.yaml --mix mix.yaml --figures figures",
    ],
  })
  command
    .argument(
      "<file>",
      "Goals (YAML: share, MTU, and distance or wait of each service level), or an options file of OpenSM; with --mix " +
        "also opafm.xml, traffic classes (YAML), or the output of dcb ets show or mlnx_qos",
    )
    .option("--mix <file>", "Simulate this traffic (YAML: message size and load of each service level)")
    .option("--policy <file>", "With --mix: names of service levels from a qos-policy.conf of OpenSM")
    .option("--diff <file>", "With --mix: compare with this other configuration")
    .option("--figures <folder>", "With --mix: draw bandwidth.svg and latency.svg into this folder")
    .option("--packet <bytes>", "For an options file of OpenSM: length of the packets of all VLs (default: 4KiB)")
    .option("--opensm", "Print only the OpenSM settings, e.g. qos_vlarb_high and qos_sl2vl")
    .option("--opafm", "Print only the QOSGroups of opafm.xml for the shares of goals")
    .option("--json", "Print one JSON object")
    .action(async (path: string, o: Options) => {
      const json = o.json === true
      const packet = bytes({ about: "", min: 1, default: "4KiB" }).parse(o.packet ?? "4KiB", "--packet", plainScale)
      if ("bad" in packet) refusePlain(packet.bad, io, json)
      if (o.packet !== undefined && o.mix !== undefined)
        refusePlain([complain("--packet", "is the length in the mix", "leave it out")], io, json)
      if (o.mix !== undefined) {
        await mixed(path, o.mix, o, io)
        return
      }
      for (const needs of ["policy", "diff"] as const)
        if (o[needs] !== undefined)
          refusePlain([complain(`--${needs}`, "needs a traffic mix", "add --mix FILE, or leave it out")], io, json)
      const read = qosFile(path)
      if ("bad" in read) refusePlain(read.bad, io, json)
      if ("fabric" in read.ok)
        refusePlain([complain(path, "is answered with a traffic mix", "add --mix FILE")], io, json)
      if (o.opafm === true && "opensm" in read.ok)
        refusePlain([complain("--opafm", "needs goals with shares", "name a YAML file with goals")], io, json)
      if ("opensm" in read.ok) {
        const all = arbitrationReports(read.ok.opensm, packet.ok)
        if (json) io.out(JSON.stringify({ ok: true, ports: all }))
        else io.out(o.opensm === true ? all.map((r) => r.opensm).join("\n") : arbitrationText(all, io.paint, io.fits))
        return
      }
      if (o.packet !== undefined)
        refusePlain([complain("--packet", "needs an options file of OpenSM", "write mtu into the goals")], io, json)
      if (o.opafm === true) {
        io.out(writeOpafm(read.ok.goals.levels))
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

/** Answers for a traffic mix, with one configuration or two. */
async function mixed(path: string, mixPath: string, o: Options, io: Io): Promise<void> {
  const json = o.json === true
  const value = yamlFile(mixPath)
  if ("bad" in value) refusePlain(value.bad, io, json)
  const named = o.policy === undefined ? { ok: {} } : policyFile(o.policy)
  if ("bad" in named) refusePlain(named.bad, io, json)
  const answers: QosAnswer[] = []
  for (const file of [path, ...(o.diff === undefined ? [] : [o.diff])]) {
    const fabric = fabricFile(file)
    if ("bad" in fabric) refusePlain(fabric.bad, io, json)
    const mix = readMix(value.ok, { ...fabric.ok.names, ...named.ok })
    if ("bad" in mix)
      refusePlain(
        mix.bad.map((c) => ({ ...c, path: `${mixPath}: ${c.path}` })),
        io,
        json,
      )
    answers.push(await answer(fabric.ok, mix.ok, io, json))
  }
  const [first, other] = answers
  if (o.figures !== undefined) await draw(o.figures, first!, other, io)
  if (json) io.out(JSON.stringify({ ok: true, ...first, ...(other === undefined ? {} : { other }) }))
  else io.out(answerText(first!, other, io.paint, io.fits))
}

async function draw(folder: string, first: QosAnswer, other: QosAnswer | undefined, io: Io): Promise<void> {
  // Loaded here, because drawing needs a large package.
  const { picture } = await import("../../draw/figure/picture.ts")
  for (const figure of answerFigures(first, other)) {
    const path = join(folder, `${figure.id}.svg`)
    try {
      writeAtomic(path, picture(figure))
    } catch (e) {
      throw new Exit(exit.wrongInput, `${path} ${unwritable(e)}\n  fix: choose a folder that you may write to`)
    }
    io.err(`Wrote ${path}.`)
  }
}

/** Simulates the mix with one configuration. Values are means of the seeds. */
async function answer(fabric: QosFabric, mix: Mix, io: Io, json: boolean): Promise<QosAnswer> {
  const experiment = experimentOf(fabric, mix)
  if (experiment === undefined) return answerOf(fabric, mix, {})
  const done = await run(experiment as ExperimentInput)
  if ("bad" in done) refusePlain(done.bad, io, json)
  const [failure] = done.ok.failures
  if (failure !== undefined)
    throw new Exit(exit.failed, `The simulation of the mix failed: ${failure.result.explains ?? failure.result.why}`)
  const measured: Record<string, number | null> = {}
  for (const { name } of mix.streams)
    for (const value of ["accepted", "latency.mean", "latency.p99"]) {
      // The values of a run with one stream have no name in front.
      const key = experiment.traffic.length === 1 ? value : `${name}.${value}`
      const all = done.ok.records.map((r) => r.result.values[key])
      const finite = all.every((x) => typeof x === "number" && Number.isFinite(x))
      measured[`${name}.${value}`] = finite ? all.reduce((a: number, x) => a + Number(x), 0) / all.length : null
    }
  const early = done.ok.records.filter((r) => ["deadlock", "starved", "waiting", "memory"].includes(r.result.why))
  const notes = [...new Set(early.map((r) => `the simulation ended early: ${r.result.explains}`))]
  return answerOf({ ...fabric, notes: [...fabric.notes, ...notes] }, mix, measured satisfies Measured)
}
