// lacewing reproduce HASH: repeats a stored run and compares its fingerprint and values bit by bit.
import { dirname } from "node:path"
import { type Command, Option } from "commander"
import { complain } from "../core/complaint.ts"
import { stopText } from "../core/wording.ts"
import { Catalog } from "../experiment/catalog.ts"
import { moduleFrom } from "../experiment/gate.ts"
import { revisionsOf } from "../experiment/identity/revisions.ts"
import { buildVersion } from "../experiment/identity/version.ts"
import { entries } from "../results/disk.ts"
import type { Results } from "../results/folder/read.ts"
import { readResults } from "../results/read.ts"
import { findRun, type Reproduced, reproduce } from "../results/reproduce.ts"
import { runOne } from "../sweep/run-one.ts"
import { table } from "../terminal/table.ts"
import { Exit, exit, type Io } from "./command.ts"
import { describe } from "./help.ts"
import { allCores, simulatorOption, workerCount } from "./options.ts"
import { refusePlain, sayPlain } from "./plain.ts"

type Options = {
  readonly in?: string
  readonly workers: number
  readonly json?: boolean
  readonly simulator?: string
  readonly code?: boolean
}

export default function (command: Command, io: Io): void {
  command
    .argument("<hash>", "Hash of the run, or its first characters")
    .option("--in <folder>", "Results folder that contains the run (default: every folder in results/)")
    .addOption(
      new Option("--workers <n>", "Worker threads of the run. The result does not depend on them")
        .argParser(workerCount)
        .default(allCores, "all cores"),
    )
    .option("--code", "Execute the plug-ins of the run, which are in the folder of its experiment")
    .option("--json", "Print the comparison as JSON")
    .addOption(simulatorOption())
    .action((hash: string, options: Options) => reproduceCommand(hash, options, io))
  describe(command, {
    notes: "The hashes of runs are in report.html, in runs.csv and in the output of `lacewing run --json`.",
    examples: ["lacewing reproduce 3f2a91", "lacewing reproduce 3f2a91 --in results/first-curve --workers 1"],
    exits: { 1: "the result differs" },
  })
}

async function reproduceCommand(hash: string, o: Options, io: Io): Promise<void> {
  const folders = o.in === undefined ? entries("results").map((name) => `results/${name}`) : [o.in]
  const all: Results[] = []
  for (const folder of folders) {
    const read = await readResults(folder, { tables: false, everything: true })
    if ("bad" in read && o.in !== undefined) refusePlain(read.bad, io, o.json === true)
    for (const c of "ok" in read ? read.ok.said : read.bad) sayPlain(c, io)
    if ("ok" in read) all.push(read.ok)
  }
  if (all.length === 0)
    refusePlain(
      [complain("results", "There is no results folder here.", "name one with --in FOLDER")],
      io,
      o.json === true,
    )
  const byHash = new Map(all.flatMap((r) => r.records).map((r) => [r.hash, r]))
  const found = findRun([...byHash.values()], hash)
  if ("bad" in found) refusePlain(found.bad, io, o.json === true)
  const brought = found.ok.spec.plugins ?? []
  // The run executes in a thread of this process, which cannot request consent for code, so it is checked here.
  const refused = brought.flatMap(({ file }) => {
    const got = moduleFrom("results folder", file, o)
    return "ok" in got ? [] : [complain(hash, `The run uses the plug-in ${file}, which ${got.says}.`, got.fix)]
  })
  if (refused.length > 0) refusePlain(refused, io, o.json === true)
  const home = all.find((r) => r.records.includes(found.ok))?.about.file
  const options = { workers: o.workers, ...(o.simulator === undefined ? {} : { simulator: o.simulator }) }
  const now = { version: buildVersion, revisions: revisionsOf(found.ok.spec, new Catalog()) }
  const got = await reproduce(found.ok, (spec) => runOne(spec, home === undefined ? "." : dirname(home), options), now)
  if ("bad" in got) refusePlain(got.bad, io, o.json === true)
  if (o.json === true) io.out(JSON.stringify(got.ok))
  else show(got.ok, io)
  if (!got.ok.same) throw new Exit(exit.failed)
}

function show(r: Reproduced, io: Io): void {
  if (r.version.recorded !== r.version.again)
    io.err(`Recorded by lacewing ${r.version.recorded}, repeated by ${r.version.again}.`)
  for (const line of r.revised) io.err(line)
  if (r.same) {
    io.out(`${io.paint.green("the same")}: fingerprint ${r.fingerprint.again} and all values, to the last bit`)
    return
  }
  const { recorded, again } = r.fingerprint
  const state =
    recorded === again
      ? `the final state is the same (fingerprint ${again}), but some values differ ("–": missing)`
      : `the recorded fingerprint is ${recorded}, the new one is ${again}`
  io.out(`${io.paint.red("not the same")}: ${state}`)
  if (r.why.recorded !== r.why.again)
    io.out(`The recorded run ended with "${stopText(r.why.recorded)}", the new one with "${stopText(r.why.again)}".`)
  const rows = r.differing.map((d) => [d.name, String(d.recorded ?? "–"), String(d.again ?? "–")])
  if (rows.length > 0)
    io.out(
      table(
        [{ head: "value" }, { head: "recorded", align: "right" }, { head: "now", align: "right" }],
        rows,
        io.paint,
        io.fits,
      ),
    )
}
