// Formats complaints for people: file:line:column, the path, the finding, the lines around it with a caret, and the
// fix.

import { isMap } from "../experiment/fields.ts"
import type { Placed } from "../experiment/source.ts"
import { type Paint, plainPaint } from "./paint.ts"

const around = 1
const widest = 110

export function placeOf(c: Placed): string {
  return c.spot === undefined ? c.file : `${c.file}:${c.spot.line}:${c.spot.column}`
}

export function frame(c: Placed, paint: Paint = plainPaint): string {
  const head = `${paint.bold(placeOf(c))}${c.path === "" ? "" : ` ${paint.cyan(c.path)}`}`
  const lines = [
    head,
    `  ${paint.red(printable(c.says))}`,
    ...excerpt(c, paint),
    `  ${paint.green("fix:")} ${printable(c.fix)}`,
  ]
  return lines.join("\n")
}

/** All complaints, each file once in order of line, ending with the count. */
export function frames(given: readonly Placed[], paint: Paint = plainPaint): string {
  // callers in JavaScript may pass anything
  const all = Array.isArray(given) ? given.filter(isComplaint) : []
  const sorted = [...all].sort(
    (a, b) =>
      compare(a.file, b.file) ||
      (a.spot?.line ?? 0) - (b.spot?.line ?? 0) ||
      (a.spot?.column ?? 0) - (b.spot?.column ?? 0),
  )
  const count = `${all.length} ${all.length === 1 ? "error" : "errors"}. Nothing was run.`
  return `${sorted.map((c) => frame(c, paint)).join("\n\n")}\n\n${count}`
}

function isComplaint(c: unknown): c is Placed {
  return isMap(c) && ["file", "path", "says", "fix"].every((key) => typeof c[key] === "string")
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function excerpt(c: Placed, paint: Paint): string[] {
  if (c.spot === undefined || c.text === undefined) return []
  const lines = linesOf(c.text)
  const { line, column, width } = c.spot
  const from = Math.max(1, line - around)
  const to = Math.min(lines.length, line + around)
  const gutter = String(to).length
  const shift = Math.max(0, column - widest + 20)
  const out: string[] = []
  for (let n = from; n <= to; n++) {
    const shown = printable(lines[n - 1]).slice(shift, shift + widest)
    out.push(paint.dim(`  ${n === line ? ">" : " "} ${String(n).padStart(gutter)} | `) + shown)
    if (n !== line) continue
    const marks = Math.max(1, Math.min(width, shown.length - (column - 1 - shift)))
    out.push(
      `${paint.dim(`    ${" ".repeat(gutter)} | `)}${" ".repeat(column - 1 - shift)}${paint.red("^".repeat(marks))}`,
    )
  }
  return out
}

let split: { readonly text: string; readonly lines: readonly string[] } = { text: "", lines: [] }

/** Many complaints are about one text. */
function linesOf(text: string): readonly string[] {
  if (split.text !== text) split = { text, lines: text.split(/\r?\n/) }
  return split.lines
}

/** One column for each character: tabs become a space, control characters a dot. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  return text.replaceAll("\t", " ").replace(/[\u0000-\u001f\u007f-\u009f]/g, "·")
}
