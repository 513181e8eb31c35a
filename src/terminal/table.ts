// Formats an aligned table for the terminal: texts to the left, numbers to the right, a rule under the head.
import { type Paint, plainPaint } from "./paint.ts"
import { leastWidth, widthOf, wrap } from "./wrap.ts"

export interface Column {
  readonly head: string
  readonly align?: "left" | "right"
}

/** `width`: columns that there are; a table that needs more breaks its cells between words, and shows row after row
 *  where even that is too wide. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  paint: Paint = plainPaint,
  width = Infinity,
): string {
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

/**
 * Returns the widths of the columns, as wide as their cells. If the sum is too wide, texts shrink first, then numbers,
 * then names. Returns undefined if no width is sufficient.
 */
function fitted(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): number[] | undefined {
  const most = (i: number, of: (text: string) => number) =>
    Math.max(of(columns[i].head), ...rows.map((r) => of(r[i] ?? "")))
  const widths = columns.map((_, i) => most(i, widthOf))
  const total = () => widths.reduce((sum, w) => sum + w, 2 * (widths.length - 1))
  for (const names of [false, true])
    for (const numbers of [false, true]) {
      const least = columns.map((c, i) =>
        c.align === "right" && !numbers ? widths[i] : most(i, (text) => leastWidth(text, names)),
      )
      while (total() > width) {
        const widest = widths.reduce((best, w, i) => (w > least[i] && (best < 0 || w > widths[best]) ? i : best), -1)
        if (widest < 0) break
        widths[widest]--
      }
    }
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
