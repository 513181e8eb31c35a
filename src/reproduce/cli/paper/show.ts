// Prints the rows of a figure, its first curve and its verdict: as recorded, or as just run.

import type { Io } from "../../../cli/command.ts"
import { duration } from "../../../core/duration.ts"
import { counted } from "../../../core/wording.ts"
import type { Figure } from "../../../draw/figure/figure.ts"
import { chart } from "../../../terminal/chart.ts"
import { short, table } from "../../../terminal/table.ts"
import type { Standing } from "../../papers/judge.ts"
import {
  type Mode,
  numberOf,
  type PaperFigure,
  type PaperResult,
  type Row,
  summaryOf,
  wordOf,
} from "../../papers/paper.ts"
import { secondsOf } from "../../papers/record.ts"

type Shown = { readonly mode: Mode; readonly rows: readonly Row[]; readonly figures: readonly Figure[] }

/** Prints a result of this run. */
export function showResult(figure: PaperFigure, result: PaperResult, io: Io): void {
  show(figure, result, io)
  const runs = Object.values(result.runs).flat().length
  io.out(`\n${verdictText(result.rows, io)} (${sizeText(result.mode, runs, result.seconds)})\n`)
}

/** Prints a recorded result, judged by the bounds of today. */
export function showRows(figure: PaperFigure, found: Standing, io: Io): void {
  const { recorded, mode } = found
  show(figure, { mode, rows: found.rows, figures: recorded.figures }, io)
  const { version, finished, machine } = recorded.provenance
  const older = found.changed.length === 0 ? "" : `; older revisions: ${found.changed.join(", ")}`
  io.out(
    `\n${verdictText(found.rows, io)} (${sizeText(mode, recorded.runs.length, secondsOf(recorded))})\n` +
      `${io.paint.dim(`recorded ${finished.slice(0, 10)} with lacewing ${version}, ${machine}${older}`)}\n` +
      `${io.paint.dim(`Run it again with: lacewing paper ${figure.id} --run --${mode}`)}\n`,
  )
}

/** As `lacewing paper ID --json` prints it: NaN becomes null. */
export function standingJson(id: string, { mode, rows, word, says, recorded }: Standing): object {
  return {
    id,
    mode,
    rows: rows.map((r) => ({ ...r, verdict: wordOf(r) })),
    verdict: word,
    says,
    recorded: recorded.provenance,
    runs: recorded.runs.length,
  }
}

function sizeText(mode: Mode, runs: number, seconds: number | undefined): string {
  const took = seconds === undefined ? [] : [`${duration(seconds)}${runs === 0 ? "" : " in total"}`]
  return [mode, ...(runs === 0 ? [] : [counted(runs, "run")]), ...took].join(", ")
}

function verdictText(rows: readonly Row[], { paint }: Io): string {
  const word = summaryOf(rows)
  if (word === "agrees") return paint.green("agrees with the paper")
  return word === "fails" ? paint.red("does not agree with the paper") : paint.yellow(word)
}

function show(figure: PaperFigure, result: Shown, io: Io): void {
  const { paint } = io
  io.out(
    `${paint.bold(`${figure.id}: ${numberOf(figure)}. ${figure.title}`)}\n${paint.dim(figure.cites)}\n${figure.claim}`,
  )
  if (result.mode === "quick" && figure.quick?.scaled !== undefined)
    io.out(paint.yellow(`scaled down: ${figure.quick.scaled}`))
  const mark = (r: Row): string => {
    const word = wordOf(r)
    return word === "agrees" ? paint.green(word) : word === "fails" ? paint.red("FAILS") : paint.yellow(word)
  }
  const rows = result.rows.map((r) => [
    r.claim,
    typeof r.paper === "number" ? short(r.paper) : r.paper,
    `${short(r.value)}${r.half === undefined ? "" : ` ± ${short(r.half)}`}`,
    Number.isNaN(r.low) ? "" : r.low === r.high ? short(r.low) : `${short(r.low)} … ${short(r.high)}`,
    mark(r),
    [r.note, r.evidence].filter((text) => text !== undefined).join("; "),
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
}
