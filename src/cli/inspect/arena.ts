// lacewing arena [FILE] [--plugins MODULE]: compares congestion-control protocols under the same traffic and seeds. It
// prints a ranking and writes the report of the runs. Each custom protocol is a variant with the VCs that it declares.
import { resolve } from "node:path"
import type { Command } from "commander"
import { type ExperimentInput, run } from "../../api.ts"
import { complain } from "../../core/complaint.ts"
import { plainScale } from "../../core/units.ts"
import { writeReport } from "../../draw/report/files.ts"
import { Catalog } from "../../experiment/catalog.ts"
import { moduleFrom } from "../../experiment/gate.ts"
import { listOf, merged } from "../../experiment/gather.ts"
import { isCongestion } from "../../experiment/outside/kinds.ts"
import { loadModules } from "../../experiment/outside/load.ts"
import { findFile, read } from "../../experiment/read.ts"
import type { Placed } from "../../experiment/source.ts"
import { arenaVariants } from "../../inspect/arena.ts"
import { type LeagueRow, league } from "../../results/findings/league.ts"
import { readResults } from "../../results/read.ts"
import { short, table } from "../../terminal/table.ts"
import type { Io } from "../command.ts"
import { describe } from "../help.ts"
import { anyway, collect, noCode, refuse, workerCount, workersOption } from "../options.ts"
import { refusePlain } from "../plain.ts"

type Options = {
  readonly plugins?: readonly string[]
  readonly only?: readonly string[]
  readonly out?: string
  readonly seeds: number
  readonly workers: number
  readonly anyway?: boolean
  readonly json?: boolean
  readonly code: boolean
}

export default function (command: Command, io: Io): void {
  describe(command, {
    notes: "All protocols run under the same traffic and the same seeds.",
    examples: [
      "lacewing arena",
      "lacewing arena --plugins my-protocol.mjs --only none,nscc,my.protocol",
      "lacewing arena --seeds 5 --out results/arena",
      "lacewing arena my-arena.yaml --json",
    ],
  })
  command
    .argument("[experiment]", "Experiment with the streams victims and hot, and one variant per protocol", "arena")
    .option(
      "--plugins <module>",
      "Add the congestion controls of this module, with the VCs that they declare. Executes it. Repeatable",
      collect,
    )
    .option("--only <list>", "Only these variants, separated by commas (default: all)", (text) =>
      text.split(",").map((s) => s.trim()),
    )
    .option("--seeds <n>", "Number of seeds per protocol", workerCount, 3)
    .addOption(workersOption())
    .option("--out <folder>", "Results folder, with a report of latency and throughput over time (default: none)")
    .option(...anyway)
    .option("--json", "Print one JSON object per protocol")
    .option(...noCode)
    .action((file: string, o: Options) => arenaCommand(file, o, io))
}

const heads: Readonly<Record<keyof LeagueRow, string>> = {
  protocol: "protocol",
  latency: "victim latency (cycles)",
  slowdown: "slowdown",
  peak: "peak",
  settling: "settling time",
  hot: "hot throughput",
  fairness: "fairness",
  control: "control",
  dropped: "dropped",
  wrong: "wrongly throttled",
  memory: "MiB",
}

/** Returns the experiment with a variant for each protocol of the library and of the modules. */
async function contestOf(path: string, o: Options, io: Io): Promise<string | ExperimentInput> {
  if (path !== "arena" && o.plugins === undefined && o.only === undefined) return path
  const json = o.json === true
  const given = (o.plugins ?? []).map((p) => moduleFrom("command line", resolve(p)).ok)
  const modules = await loadModules(given, ".", (i) => `--plugins ${given[i]}`)
  if ("bad" in modules) refusePlain(modules.bad, io, json)
  const found = findFile(path)
  if ("bad" in found) refuse(found.bad, io, json)
  const file = await read(path, { code: false })
  if ("bad" in file) refuse(file.bad, io, json)
  const bad: Placed[] = []
  const tree = merged(file.ok.source, file.ok.host, [], bad, [])
  if (bad.length > 0) refuse(bad, io, json)
  const brought = modules.ok.flatMap((m) => m.plugins.filter(isCongestion))
  const all = path === "arena" ? new Catalog().plugins.filter(isCongestion) : []
  const variants = arenaVariants(tree, [...all, ...brought], plainScale)
  if ("bad" in variants) refusePlain(variants.bad, io, json)
  const names = Object.keys(variants.ok)
  const unknown = o.only?.find((name) => !names.includes(name))
  if (unknown !== undefined)
    refusePlain([complain("--only", `There is no variant "${unknown}".`, `choose from ${names.join(", ")}`)], io, json)
  const chosen = Object.entries(variants.ok).filter(([name]) => o.only === undefined || o.only.includes(name))
  const own = listOf(tree["plugins"]).filter((p) => typeof p === "string")
  return { lacewing: 1, include: found.ok, plugins: [...own, ...given], variants: Object.fromEntries(chosen) }
}

async function arenaCommand(file: string, o: Options, io: Io): Promise<void> {
  const json = o.json === true
  const seeds = Array.from({ length: o.seeds }, (_, i) => i + 1)
  const experiment = await contestOf(file, o, io)
  const done = await run(experiment, {
    seeds,
    workers: o.workers,
    code: o.code,
    anyway: o.anyway === true,
    ...(o.out === undefined ? {} : { out: o.out }),
  })
  if ("bad" in done) refusePlain(done.bad, io, json)
  const read = o.out === undefined ? { ok: { records: done.ok.records } } : await readResults(o.out)
  if ("bad" in read) refusePlain(read.bad, io, json)
  const rows = league(read.ok.records)
  if ("bad" in rows) refusePlain(rows.bad, io, json)
  const names = Object.keys(heads) as (keyof LeagueRow)[]
  if (json) for (const row of rows.ok) io.out(JSON.stringify(row))
  else
    io.out(
      table(
        names.map((n) => ({ head: heads[n], ...(n === "protocol" ? {} : { align: "right" as const }) })),
        rows.ok.map((row) => names.map((n) => cell(row[n]))),
      ),
    )
  if (o.out === undefined) return
  const full = await readResults(o.out)
  if ("bad" in full) refusePlain(full.bad, io, json)
  const files = await writeReport(full.ok, o.out, [], { theme: "light", width: 640 })
  if ("bad" in files) refusePlain(files.bad, io, json)
  if (!json) for (const path of files.ok) io.out(path)
}

function cell(value: string | number): string {
  if (typeof value === "string") return value
  return value === Number.POSITIVE_INFINITY ? "never" : short(value)
}
