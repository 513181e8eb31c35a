// lacewing reproduce HASH: runs a finished run again and compares fingerprint and values to the last bit.
import { dirname } from "node:path"
import { type Command, Option } from "commander"
import { complain } from "../core/complaint.ts"
import { Catalog } from "../experiment/catalog.ts"
import { moduleFrom } from "../experiment/gate.ts"
import { revisionsOf } from "../experiment/identity/revisions.ts"
import { buildVersion } from "../experiment/identity/version.ts"
import { runOne } from "../papers/run.ts"
import { entries } from "../results/disk.ts"
import type { Results } from "../results/folder/read.ts"
import { readResults } from "../results/read.ts"
import { findRun, type Reproduced, reproduce } from "../results/reproduce.ts"
import { table } from "../terminal/table.ts"
import { Exit, exit, type Io } from "./command.ts"
import { allCores, workerCount } from "./options.ts"
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
    .argument("<hash>", "hash of the run, or its beginning")
    .option("--in <folder>", "results folder that has it (default: every folder in results/)")
    .option("--workers <n>", "workers for the run; the result is the same for any number", workerCount, allCores)
    .option("--json", "print the comparison as JSON")
    .option("--code", "execute the plug-ins that the run names: they lie in the folder of its experiment")
    .addOption(new Option("--simulator <url>", "another simulator module, for tests").hideHelp())
    .action((hash: string, options: Options) => reproduceCommand(hash, options, io))
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
  if (all.length === 0) refusePlain([complain("results", "no results folder here", "name one with --in FOLDER")], io, o.json === true)
  const byHash = new Map(all.flatMap((r) => r.records).map((r) => [r.hash, r]))
  const found = findRun([...byHash.values()], hash)
  if ("bad" in found) refusePlain(found.bad, io, o.json === true)
  const brought = found.ok.spec.plugins ?? []
  // the run goes to a thread of this process, which asks nothing
  const refused = brought.flatMap(({ file }) => {
    const got = moduleFrom("results folder", file, o)
    return "ok" in got ? [] : [complain(hash, `was run with the plug-in ${file}, which ${got.says}`, got.fix)]
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
  if (r.version.recorded !== r.version.again) io.err(`recorded by lacewing ${r.version.recorded}, run again by ${r.version.again}`)
  for (const line of r.revised) io.err(line)
  if (r.same) {
    io.out(`${io.paint.green("the same")}: fingerprint ${r.fingerprint.again} and all values, to the last bit`)
    return
  }
  const { recorded, again } = r.fingerprint
  const state =
    recorded === again
      ? `the same state (fingerprint ${again}), but not every value is what it was; "–": one of the two does not have it`
      : `fingerprint ${recorded} was recorded, ${again} now`
  io.out(`${io.paint.red("not the same")}: ${state}`)
  if (r.why.recorded !== r.why.again) io.out(`it ended "${r.why.recorded}", now "${r.why.again}"`)
  const rows = r.differing.map((d) => [d.name, String(d.recorded ?? "–"), String(d.again ?? "–")])
  if (rows.length > 0)
    io.out(table([{ head: "value" }, { head: "recorded", align: "right" }, { head: "now", align: "right" }], rows, io.paint, io.fits))
}
