// lacewing paper [ID]: lists the reproduced figures and tables, or prints the recorded rows of one; --run computes
// them. An id may be a folder with figure files, so that users can reproduce other papers.
import { existsSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { Command } from "commander"
import { Exit, exit, type Io, interruptedText } from "../../../cli/command.ts"
import { describe } from "../../../cli/help.ts"
import { junitOption, noCode, simulatorOption, wallTime, workersOption } from "../../../cli/options.ts"
import { refusePlain } from "../../../cli/plain.ts"
import { onStop } from "../../../cli/stops.ts"
import { complain, nearest } from "../../../core/complaint.ts"
import type { Figure } from "../../../draw/figure/figure.ts"
import { writeFigures } from "../../../draw/figure/file.ts"
import { papersFolder } from "../../../experiment/disk/unpacked.ts"
import { buildVersion } from "../../../experiment/identity/version.ts"
import { attempt } from "../../../results/disk.ts"
import { type Case, writeJunit } from "../../../results/junit.ts"
import { Progress } from "../../../sweep/progress.ts"
import { table } from "../../../terminal/table.ts"
import { figuresAt } from "../../papers/data/folder.ts"
import { writeGallery } from "../../papers/gallery.ts"
import { papers } from "../../papers/index.ts"
import { standing } from "../../papers/judge.ts"
import {
  type Mode,
  type PaperFigure,
  type PaperResult,
  paperJson,
  type Row,
  runPaper,
  wordOf,
} from "../../papers/paper.ts"
import { papersNamed, readRecorded, record, recordedPath, rewrite } from "../../papers/record.ts"
import { experimentRunner } from "../../papers/run.ts"
import { showResult, showRows, standingJson } from "./show.ts"

type Options = {
  readonly full?: boolean
  readonly quick?: boolean
  readonly run?: boolean
  /** false: modules that an experiment of a figure names are not executed */
  readonly code?: boolean
  readonly workers: number
  readonly out: string
  readonly checkpoint?: string
  /**
   * Folder of the recorded results and the gallery (default for reading: `papers` here, else that of the package; for
   * writing: `papers` here).
   */
  readonly papers?: string
  readonly record?: boolean
  readonly gallery?: boolean
  readonly rewrite?: boolean
  readonly json?: boolean
  readonly junit?: string
  readonly simulator?: string
}

export default function (command: Command, io: Io): void {
  command
    .argument("[id]", 'A figure ("fitfly/table4"), a paper ("fitfly"), "all" or a folder (default: list all)')
    .optionsGroup("What to run")
    .option("--run", "Run the experiments. Without it, the recorded rows are printed")
    .option("--quick", "Run the scaled-down version, which takes minutes (this is the default of --run)")
    .option("--full", "Run at the size of the paper. Can be interrupted and started again")
    .optionsGroup("How to run it")
    .addOption(workersOption())
    .option("--checkpoint <time>", "Save the state of each run at this interval, e.g. 10min, and on Ctrl-C", wallTime)
    .optionsGroup("Output")
    .option("--out <folder>", "Results folder of the runs", "results/papers")
    .option("--papers <folder>", "Folder of recorded results and gallery (default: papers, else those of the package)")
    .option("--record", "Run, record the result in the papers folder and write the gallery")
    .option("--gallery", "Write the gallery from the recorded results, without running anything")
    .option("--rewrite", "Convert recorded results to the current file format and write the gallery")
    .option("--json", "Print one JSON object per figure or table")
    .option(...junitOption)
    .option(...noCode)
    .addOption(simulatorOption())
    .action((id: string | undefined, options: Options) => paperCommand(id, options, io, papers))
  describe(command, {
    examples: [
      "lacewing paper",
      "lacewing paper fitfly/table4",
      "lacewing paper stashing/fig5b --run --full --checkpoint 10min",
    ],
    exits: { 1: "a row does not agree with the paper", 130: "interrupted" },
  })
}

/** Executes the command. `all` is a parameter so that tests can pass other papers. */
export async function paperCommand(
  id: string | undefined,
  o: Options,
  io: Io,
  all: readonly PaperFigure[],
): Promise<void> {
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
            recorded: standing(all[i], readRecorded(recordedAt(o, name), name))?.says ?? null,
          })),
        ),
      )
    else io.out(listed(all, o, io))
    return
  }
  const outside = papersNamed(all, id) === undefined ? figuresAt(id) : undefined
  if (outside !== undefined && "bad" in outside) refusePlain(outside.bad, io, o.json === true)
  if (outside === undefined) return shownOrRun(known(all, id, o, io), id, o, io, () => gallery(o, io, all))
  const own = { ...o, papers: o.papers ?? aboveOf(id) }
  const into = join(own.papers, dirname(outside.ok[0]?.id ?? ""))
  await shownOrRun(outside.ok, id, own, io, () => gallery(own, io, outside.ok, into))
}

/** The folder that holds a paper: its figures have the folder's name in their ids. */
function aboveOf(path: string): string {
  return dirname(resolve(path.endsWith(".yaml") ? dirname(path) : path))
}

function known(all: readonly PaperFigure[], id: string, o: Options, io: Io): readonly PaperFigure[] {
  const chosen = papersNamed(all, id)
  if (chosen !== undefined) return chosen
  const near = nearest(
    id,
    all.map((p) => p.id),
  )
  const fix = near === undefined ? "run `lacewing paper` to list them" : `did you mean "${near}"?`
  return refusePlain(
    [complain(id, "No figure, paper or folder with figure files has this name.", fix)],
    io,
    o.json === true,
  )
}

/** Prints recorded rows, or runs figures. Options that concern runs alone imply --run, as they did before it existed. */
async function shownOrRun(
  chosen: readonly PaperFigure[],
  id: string,
  o: Options,
  io: Io,
  draw: () => Promise<void>,
): Promise<void> {
  const implied = o.full === true || o.quick === true || o.record === true || o.checkpoint !== undefined
  if (o.run !== true && implied && o.record !== true)
    io.err("note: --quick, --full and --checkpoint run the experiments; scripts should add --run")
  if (o.run === true || implied) await runAll(chosen, id, o, io, draw)
  else showAll(chosen, id, o, io)
}

async function runAll(
  chosen: readonly PaperFigure[],
  id: string,
  o: Options,
  io: Io,
  draw: () => Promise<void>,
): Promise<void> {
  const wrong = chosen.flatMap((f) => f.check?.() ?? [])
  if (wrong.length > 0) refusePlain(wrong, io, o.json === true)
  const without = chosen.filter((f) => f[modeOf(f, o)] === undefined && (f.quick ?? f.full) !== undefined)
  if (without.length === chosen.length) {
    const [asked, other] = o.full === true ? ["full", "quick"] : ["quick", "full"]
    refusePlain(
      [complain(id, `This figure has no ${asked} version, only a ${other} one.`, `run it with --${other}`)],
      io,
      o.json === true,
    )
  }
  for (const { id: name } of without)
    io.err(`${name}: skipped, because it has no ${o.full === true ? "full" : "quick"} version`)
  let failed = false
  const cases: Case[] = []
  for (const figure of chosen.filter((f) => !without.includes(f))) {
    const result = await one(figure, o, io)
    cases.push(...result.rows.map((row) => caseOf(figure.id, row)))
    failed = result.pass === false || failed
  }
  toJunit(o, id, cases)
  if (o.record === true) await draw()
  if (failed) throw new Exit(exit.failed)
}

/** A row that neither agrees nor fails is shown as skipped, with its verdict. */
function caseOf(group: string, row: Row): Case {
  const word = wordOf(row)
  const head = { group, name: row.claim }
  if (word === "agrees") return head
  const bounds = Number.isNaN(row.low) ? "" : `, bounds ${row.low} to ${row.high}`
  const said = `${word}: lacewing ${row.value}, paper ${row.paper}${bounds}`
  return word === "fails" ? { ...head, failed: said } : { ...head, skipped: said }
}

function toJunit(o: Options, id: string, cases: readonly Case[]): void {
  if (o.junit !== undefined) writeJunit(o.junit, `paper ${id}`, cases)
}

/** Prints the recorded rows of each figure, judged by the bounds of today. */
function showAll(chosen: readonly PaperFigure[], id: string, o: Options, io: Io): void {
  let failed = false
  const cases: Case[] = []
  for (const figure of chosen) {
    const found = standing(figure, readRecorded(recordedAt(o, figure.id), figure.id))
    if (found === undefined) {
      if (o.json === true) io.out(JSON.stringify({ id: figure.id, recorded: null }))
      else io.out(`${figure.id} is not recorded. Run it with: lacewing paper ${figure.id} --run`)
      continue
    }
    cases.push(...found.rows.map((row) => caseOf(figure.id, row)))
    failed = failed || found.word === "fails"
    if (o.json === true) io.out(JSON.stringify(standingJson(figure.id, found)))
    else showRows(figure, found, io)
  }
  toJunit(o, id, cases)
  if (failed) throw new Exit(exit.failed)
}

function modeOf(figure: PaperFigure, o: Options): Mode {
  // A table without simulation has one mode only: that of the paper.
  return o.full === true || (figure.quick ?? figure.full) === undefined ? "full" : "quick"
}

/** Runs one figure, compares it with the paper and writes its files. */
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
    ...(o.code === undefined ? {} : { consent: { code: o.code } }),
  }
  const result = await runPaper(figure, mode, experimentRunner(options), out)
  off()
  progress.clear()
  if (stop.signal.aborted) throw new Exit(exit.interrupted, interruptedText)
  if ("bad" in result) refusePlain(result.bad, io, o.json === true)
  if (o.json === true) io.out(JSON.stringify(paperJson(result.ok)))
  else {
    showResult(figure, result.ok, io)
    if (result.ok.figures.length > 0)
      await drawn(figure.plots?.(result.ok.figures) ?? result.ok.figures, join(o.out, figure.id, mode, "figures"), io)
  }
  if (o.record === true) {
    const folder = written(o)
    const done = await attempt(folder, () => record(folder, result.ok, buildVersion))
    if ("bad" in done) refusePlain(done.bad, io, o.json === true)
    io.err(`Recorded in ${done.ok}.`)
  }
  return result.ok
}

/** Writes the charts as SVG and prints their paths. */
async function drawn(figures: readonly Figure[], folder: string, io: Io): Promise<void> {
  const written = await attempt(folder, () => writeFigures(figures, folder, "svg"))
  if ("ok" in written && "ok" in written.ok) for (const path of written.ok.ok) io.out(path)
}

/** Writes the pages of all papers again from their recorded results, without running anything. */
async function rewritten(o: Options, io: Io, all: readonly PaperFigure[]): Promise<void> {
  for (const { id } of all) {
    const folder = written(o)
    const done = await attempt(folder, () => rewrite(folder, id))
    if ("bad" in done) refusePlain(done.bad, io, o.json === true)
    if (done.ok !== undefined) io.err(`Converted ${done.ok}.`)
  }
}

/** Writes the page that shows all figures. */
async function gallery(o: Options, io: Io, all: readonly PaperFigure[], folder = written(o)): Promise<void> {
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
    o.papers === undefined || existsSync(o.papers)
      ? ""
      : `\n${io.paint.dim(`The folder ${o.papers} does not exist, so there are no recorded results.`)}`
  return `${table([{ head: "id" }, { head: "title" }, { head: "recorded" }], rows, io.paint, io.fits)}${hint}`
}
