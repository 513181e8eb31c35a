// lacewing arena [FILE]: congestion protocols side by side, under the same traffic and seeds: a league table, and the report of its runs.
import type { Command } from "commander"
import { run } from "../../api.ts"
import { writeReport } from "../../draw/report/files.ts"
import { type LeagueRow, league } from "../../results/league.ts"
import { readResults } from "../../results/read.ts"
import { short, table } from "../../terminal/table.ts"
import type { Io } from "../command.ts"
import { allCores, anyway, noCode, workerCount } from "../options.ts"
import { refusePlain } from "../plain.ts"

type Options = {
  readonly out?: string
  readonly seeds: number
  readonly workers: number
  readonly anyway?: boolean
  readonly json?: boolean
  readonly code: boolean
}

export default function (command: Command, io: Io): void {
  command
    .argument("[file]", "an experiment with the streams victims and hot, and a variant for each protocol", "arena")
    .option("--seeds <n>", "seeds of each protocol", workerCount, 3)
    .option("--workers <n>", "runs at the same time", workerCount, allCores)
    .option("--out <folder>", "results folder, with a report.html: latency and hot throughput over time, how full routers were")
    .option(...anyway)
    .option("--json", "print one JSON object for each protocol")
    .option(...noCode)
    .action((file: string, o: Options) => arenaCommand(file, o, io))
}

const heads: Readonly<Record<keyof LeagueRow, string>> = {
  protocol: "protocol",
  latency: "victims (cycles)",
  slowdown: "slowdown",
  peak: "peak",
  settling: "settled after",
  hot: "hot",
  fairness: "fairness",
  control: "control",
  dropped: "dropped",
  wrong: "wrongly throttled",
  memory: "MiB",
}

async function arenaCommand(file: string, o: Options, io: Io): Promise<void> {
  const json = o.json === true
  const seeds = Array.from({ length: o.seeds }, (_, i) => i + 1)
  const done = await run(file, {
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
