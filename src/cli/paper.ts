// lacewing paper [ID]: lists the figures and tables that are reproduced, or runs one and holds each row against the paper.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { type Command, Option } from "commander"
import { complain, nearest } from "../core/complaint.ts"
import { duration } from "../core/duration.ts"
import type { Figure } from "../draw/figure/figure.ts"
import { writeFigures } from "../draw/figure/file.ts"
import { buildVersion } from "../experiment/identity/version.ts"
import { papersFolder } from "../experiment/places.ts"
import { writeGallery } from "../papers/gallery.ts"
import { papers } from "../papers/index.ts"
import { standing } from "../papers/judge.ts"
import {
  type Mode,
  numberOf,
  type PaperFigure,
  type PaperResult,
  paperJson,
  type Row,
  runPaper,
  summaryOf,
  wordOf,
} from "../papers/paper.ts"
import { papersNamed, readRecorded, record, recordedPath, rewrite } from "../papers/record.ts"
import { experimentRunner } from "../papers/run.ts"
import { attempt } from "../results/disk.ts"
import { Progress } from "../run/progress.ts"
import { chart } from "../terminal/chart.ts"
import { short, table } from "../terminal/table.ts"
import { Exit, exit, type Io } from "./command.ts"
import { allCores, wallTime, workerCount } from "./options.ts"
import { refusePlain } from "./plain.ts"
import { onStop } from "./stops.ts"

type Options = {
  readonly full?: boolean
  readonly workers: number
  readonly out: string
  readonly checkpoint?: string
  /** those of this folder, else those of the package; written are those of this folder */
  readonly papers?: string
  readonly record?: boolean
  readonly gallery?: boolean
  readonly rewrite?: boolean
  readonly json?: boolean
  readonly simulator?: string
}

export default function (command: Command, io: Io): void {
  command
    .argument("[id]", 'a figure or table ("fitfly/table4"), all of one paper ("fitfly"), or "all"; none: the list')
    .option("--quick", "scaled down, minutes (the default)")
    .option("--full", "at the paper's own size; resumable")
    .option("--workers <n>", "runs at the same time", workerCount, allCores)
    .option("--out <folder>", "results of the runs", "results/papers")
    .option(
      "--checkpoint <time>",
      "write the state of each run down this often (10min), and when interrupted, to go on from there",
      wallTime,
    )
    .option("--papers <folder>", "recorded results and gallery (default: papers, or those of the package where there are none)")
    .option("--record", "record the result in the papers folder and redraw the gallery")
    .option("--gallery", "redraw the gallery from what is recorded")
    .option("--rewrite", "write what is recorded again in the form of today, values as they are, and redraw the gallery")
    .option("--json", "print one JSON object for each figure or table")
    .addOption(new Option("--simulator <url>", "another simulator module, for tests").hideHelp())
    .action((id: string | undefined, options: Options) => paperCommand(id, options, io, papers))
}

/** `all` is a parameter so that tests can bring papers of their own. */
export async function paperCommand(id: string | undefined, o: Options, io: Io, all: readonly PaperFigure[]): Promise<void> {
  if (id === undefined) {
    if (o.rewrite === true) await rewritten(o, io, all)
    if (o.gallery === true || o.rewrite === true) await gallery(o, io, all)
    else if (o.json === true)
      io.out(
        JSON.stringify(
          all.map(({ id: name, title, cites, claim }, i) => ({
            id: name,
            title,
            cites,
            claim,
            recorded: standing(all[i]!, readRecorded(recordedAt(o, name), name))?.says ?? null,
          })),
        ),
      )
    else io.out(listed(all, o, io))
    return
  }
  const chosen = papersNamed(all, id)
  if (chosen === undefined) {
    const near = nearest(
      id,
      all.map((p) => p.id),
    )
    refusePlain(
      [complain(id, "no figure or table has this id", near === undefined ? "`lacewing paper` lists them" : `did you mean "${near}"?`)],
      io,
      o.json === true,
    )
  }
  const without = chosen.filter((f) => f[modeOf(f, o)] === undefined && (f.quick ?? f.full) !== undefined)
  if (without.length === chosen.length) {
    const [asked, other] = o.full === true ? ["full", "quick"] : ["quick", "full"]
    refusePlain(
      [complain(id, `there is no ${asked} form, the ${other} one is the only one`, `run it with --${other}`)],
      io,
      o.json === true,
    )
  }
  for (const { id: name } of without) io.err(`${name}: left out, there is no ${o.full === true ? "full" : "quick"} form`)
  let failed = false
  for (const figure of chosen.filter((f) => !without.includes(f))) failed = (await one(figure, o, io)).pass === false || failed
  if (o.record === true) await gallery(o, io, all)
  if (failed) throw new Exit(exit.failed)
}

function modeOf(figure: PaperFigure, o: Options): Mode {
  // a table that needs no simulation has one form: the paper's own
  return o.full === true || (figure.quick ?? figure.full) === undefined ? "full" : "quick"
}

async function one(figure: PaperFigure, o: Options, io: Io): Promise<PaperResult> {
  const mode = modeOf(figure, o)
  const out = join(o.out, figure.shares ?? figure.id, mode)
  const progress = new Progress({ live: io.live, width: io.width, write: (text) => io.raw(text) })
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  const off = onStop(interrupt)
  const options = {
    workers: o.workers,
    signal: stop.signal,
    onProgress: progress.show.bind(progress),
    ...(o.checkpoint === undefined ? {} : { checkpoint: o.checkpoint }),
    ...(o.simulator === undefined ? {} : { simulator: o.simulator }),
  }
  const result = await runPaper(figure, mode, experimentRunner(options), out)
  off()
  progress.clear()
  if (stop.signal.aborted) throw new Exit(exit.interrupted, "interrupted; finished runs are kept, the same command goes on from here")
  if ("bad" in result) refusePlain(result.bad, io, o.json === true)
  if (o.json === true) io.out(JSON.stringify(paperJson(result.ok)))
  else {
    show(figure, result.ok, io)
    if (result.ok.figures.length > 0)
      await drawn(figure.plots?.(result.ok.figures) ?? result.ok.figures, join(o.out, figure.id, mode, "figures"), io)
  }
  if (o.record === true) {
    const folder = written(o)
    const done = await attempt(folder, () => record(folder, result.ok, buildVersion))
    if ("bad" in done) refusePlain(done.bad, io, o.json === true)
    io.err(`recorded in ${done.ok}`)
  }
  return result.ok
}

async function drawn(figures: readonly Figure[], folder: string, io: Io): Promise<void> {
  const written = await attempt(folder, () => writeFigures(figures, folder, "svg"))
  if ("ok" in written && "ok" in written.ok) for (const path of written.ok.ok) io.out(path)
}

async function rewritten(o: Options, io: Io, all: readonly PaperFigure[]): Promise<void> {
  for (const { id } of all) {
    const folder = written(o)
    const done = await attempt(folder, () => rewrite(folder, id))
    if ("bad" in done) refusePlain(done.bad, io, o.json === true)
    if (done.ok !== undefined) io.err(`written again: ${done.ok}`)
  }
}

async function gallery(o: Options, io: Io, all: readonly PaperFigure[]): Promise<void> {
  const folder = written(o)
  const done = await attempt(folder, () => writeGallery(folder, all, (id) => recordedAt(o, id)))
  if ("bad" in done) refusePlain(done.bad, io, o.json === true)
  io.err(`gallery: ${done.ok}`)
}

function recordedAt(o: Options, id: string): string {
  return o.papers ?? papersFolder(recordedPath("", id))
}

function written(o: Options): string {
  return o.papers ?? "papers"
}

function listed(all: readonly PaperFigure[], o: Options, io: Io): string {
  const rows = all.map((p) => {
    const found = standing(p, readRecorded(recordedAt(o, p.id), p.id))
    return [p.id, p.title, found === undefined ? "–" : `${found.mode}: ${found.says}`]
  })
  const hint =
    o.papers === undefined || existsSync(o.papers) ? "" : `\n${io.paint.dim(`no folder ${o.papers} here: nothing recorded to show`)}`
  return `${table([{ head: "id" }, { head: "what" }, { head: "recorded" }], rows, io.paint, io.fits)}${hint}`
}

function show(figure: PaperFigure, result: PaperResult, io: Io): void {
  const { paint } = io
  io.out(`${paint.bold(`${figure.id}: ${numberOf(figure)}. ${figure.title}`)}\n${paint.dim(figure.cites)}\n${figure.claim}`)
  if (result.mode === "quick" && figure.quick?.scaled !== undefined) io.out(paint.yellow(`scaled down: ${figure.quick.scaled}`))
  const mark = (r: Row): string => {
    const word = wordOf(r)
    return word === "agrees" ? paint.green(word) : word === "fails" ? paint.red("FAILS") : paint.yellow(word)
  }
  const rows = result.rows.map((r) => [
    r.claim,
    typeof r.paper === "number" ? short(r.paper) : r.paper,
    short(r.value),
    Number.isNaN(r.low) ? "" : r.low === r.high ? short(r.low) : `${short(r.low)} … ${short(r.high)}`,
    mark(r),
    r.note ?? "",
  ])
  const right = (head: string) => ({ head, align: "right" as const })
  io.out(
    `\n${table([{ head: "claim" }, right("paper"), right("lacewing"), right("bounds"), { head: "" }, { head: "" }], rows, paint, io.fits)}`,
  )
  const curve = result.figures.find((f) => f.kind === "lines")
  if (curve !== undefined) {
    const series = curve.lines.map((l) => ({
      name: l.name,
      points: l.spots.map((s) => ({ x: s.x, y: s.y, saturated: s.off === true, stands: s.stands })),
    }))
    const text = chart(series, { x: curve.x.label, y: curve.y.label, width: io.width, paint })
    if (text !== "") io.out(`\n${text}`)
  }
  const word = summaryOf(result.rows)
  const says =
    word === "agrees"
      ? paint.green("agrees with the paper")
      : word === "fails"
        ? paint.red("does not agree with the paper")
        : paint.yellow(word)
  const runs = Object.values(result.runs).flat().length
  io.out(`\n${says} (${result.mode}, ${runs === 0 ? "" : `${runs} runs, `}${duration(result.seconds)}${runs === 0 ? "" : " together"})\n`)
}
