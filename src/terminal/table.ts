// Formats an aligned table for the terminal: texts to the left, numbers to the right, a rule under the head.
import { type Paint, plainPaint } from "./paint.ts"
import { leastWidth, widthOf, wrap } from "./wrap.ts"

export interface Column {
  readonly head: string
  readonly align?: "left" | "right"
}

/**
 * `width`: columns that there are. In a table that needs more, heads are broken between words. Then rows with the same
 * first cells get these as a heading. Then cells are broken, and rows are shown one below the other if even that is too
 * wide.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  paint: Paint = plainPaint,
  width = Infinity,
): string {
  const folded = foldedAt(columns, rows, width)
  if (folded > 0) return grouped(columns, rows, folded, paint, width)
  const widths = fitted(columns, rows, width)
  if (widths === undefined) return stacked(columns, rows, paint, width)
  const lines = (cells: readonly string[]): string[] => {
    const broken = columns.map((_, i) => wrap(cells[i] ?? "", widths[i]))
    return Array.from({ length: Math.max(...broken.map((b) => b.length)) }, (_, n) =>
      columns
        .map((c, i) => {
          const text = broken[i][n] ?? ""
          const gap = " ".repeat(Math.max(0, widths[i] - widthOf(text)))
          return c.align === "right" ? gap + text : text + gap
        })
        .join("  ")
        .trimEnd(),
    )
  }
  const rule = paint.dim(widths.map((w) => "─".repeat(w)).join("  "))
  return [...lines(columns.map((c) => c.head)).map((l) => paint.bold(l)), rule, ...rows.flatMap(lines)].join("\n")
}

/** Returns the widths of columns whose heads are broken between words and whose cells are whole. */
function wholeCells(columns: readonly Column[], rows: readonly (readonly string[])[]): number[] {
  return columns.map((c, i) => Math.max(leastWidth(c.head, false), ...rows.map((r) => widthOf(r[i] ?? ""))))
}

/** Returns the width of a table whose heads are broken between words and whose cells are whole. */
function wholeWidth(columns: readonly Column[], rows: readonly (readonly string[])[]): number {
  const widths = wholeCells(columns, rows)
  return widths.reduce((sum, w) => sum + w, 2 * (widths.length - 1))
}

/**
 * Returns the number of first columns that become headings: the fewest with which whole cells fit. They must be texts
 * that at least two rows on average share. Returns 0 if the table fits, or if no number is sufficient.
 */
function foldedAt(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): number {
  if (wholeWidth(columns, rows) <= width) return 0
  const texts = columns.findIndex((c) => c.align === "right")
  const most = texts < 0 ? columns.length - 1 : texts
  for (let count = 1; count <= most; count++)
    if (2 * groupsOf(rows, count).length > rows.length) return 0
    else if (
      wholeWidth(
        columns.slice(count),
        rows.map((r) => r.slice(count)),
      ) <= width
    )
      return count
  return 0
}

/** Returns neighbouring rows with the same first cells together. */
function groupsOf(rows: readonly (readonly string[])[], count: number): (readonly string[])[][] {
  const groups: (readonly string[])[][] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last !== undefined && row.slice(0, count).every((cell, i) => cell === last[0]?.[i])) last.push(row)
    else groups.push([row])
  }
  return groups
}

/** A table with a heading above each group of rows. */
function grouped(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  count: number,
  paint: Paint,
  width: number,
): string {
  const groups = groupsOf(rows, count)
  const text = table(
    columns.slice(count),
    rows.map((r) => r.slice(count)),
    paint,
    width,
  )
  const lines = text.split("\n")
  // Cells are whole, so each row is a line below the heads and their rule.
  let next = lines.length - rows.length
  const out = lines.slice(0, next)
  for (const group of groups) {
    out.push(...wrap(paint.bold((group[0] ?? []).slice(0, count).join(", ")), width))
    out.push(...lines.slice(next, next + group.length))
    next += group.length
  }
  return out.join("\n")
}

/**
 * Returns the widths of the columns, as wide as their cells. If the sum is too wide, heads shrink first, then texts,
 * numbers and names. Returns undefined if no width is sufficient.
 */
function fitted(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): number[] | undefined {
  const most = (i: number, of: (text: string) => number) =>
    Math.max(of(columns[i].head), ...rows.map((r) => of(r[i] ?? "")))
  const widths = columns.map((_, i) => most(i, widthOf))
  const total = () => widths.reduce((sum, w) => sum + w, 2 * (widths.length - 1))
  const shrink = (least: readonly number[]): void => {
    while (total() > width) {
      const widest = widths.reduce((best, w, i) => (w > least[i] && (best < 0 || w > widths[best]) ? i : best), -1)
      if (widest < 0) break
      widths[widest]--
    }
  }
  shrink(wholeCells(columns, rows))
  for (const names of [false, true])
    for (const numbers of [false, true])
      shrink(
        columns.map((c, i) =>
          c.align === "right" && !numbers ? widths[i] : most(i, (text) => leastWidth(text, names)),
        ),
      )
  return total() <= width ? widths : undefined
}

/** Each row as lines of its own: head, value. */
function stacked(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  paint: Paint,
  width: number,
): string {
  const heads = Math.max(...columns.map((c) => widthOf(c.head)))
  return rows
    .map((row) =>
      columns
        .flatMap((c, i) =>
          wrap(row[i] ?? "", Math.max(10, width - heads - 2)).map((line, n) =>
            `${paint.bold((n === 0 ? c.head : "").padEnd(heads))}  ${line}`.trimEnd(),
          ),
        )
        .join("\n"),
    )
    .join("\n\n")
}

/** Few digits, but never fewer than say something: 0.0123, 1.23, 12.3, 12300. */
export function short(value: number | null | undefined, digits = 4): string {
  if (value === undefined || value === null || Number.isNaN(value)) return "–"
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "-∞"
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value)
  const whole = Math.max(0, Math.floor(Math.log10(Math.abs(value))) + 1)
  return Math.abs(value) >= 1e9 || Math.abs(value) < 1e-4
    ? value.toExponential(digits - 1)
    : value.toFixed(Math.max(0, digits - whole))
}
