// An aligned table for the terminal: texts to the left, numbers to the right, a rule under the head.
import { type Paint, plainPaint } from "./paint.ts"

export interface Column {
  readonly head: string
  readonly align?: "left" | "right"
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours have no width
const colours = /\u001b\[\d+m/g

export function widthOf(text: string): number {
  return [...text.replace(colours, "")].length
}

export function table(columns: readonly Column[], rows: readonly (readonly string[])[], paint: Paint = plainPaint): string {
  const widths = columns.map((c, i) => Math.max(widthOf(c.head), ...rows.map((r) => widthOf(r[i] ?? ""))))
  const line = (cells: readonly string[]): string =>
    columns
      .map((c, i) => {
        const cell = cells[i] ?? ""
        const gap = " ".repeat(widths[i]! - widthOf(cell))
        return c.align === "right" ? gap + cell : cell + gap
      })
      .join("  ")
      .trimEnd()
  const rule = paint.dim(widths.map((w) => "─".repeat(w)).join("  "))
  return [paint.bold(line(columns.map((c) => c.head))), rule, ...rows.map(line)].join("\n")
}

/** Few digits, but never fewer than say something: 0.0123, 1.23, 12.3, 12300. */
export function short(value: number | undefined, digits = 4): string {
  if (value === undefined || Number.isNaN(value)) return "–"
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "-∞"
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value)
  const whole = Math.max(0, Math.floor(Math.log10(Math.abs(value))) + 1)
  return Math.abs(value) >= 1e9 || Math.abs(value) < 1e-4 ? value.toExponential(digits - 1) : value.toFixed(Math.max(0, digits - whole))
}

/** A duration for people: 0.4 s, 12 s, 3 min 20 s, 2 h 5 min. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "?"
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  const s = Math.round(seconds)
  if (s < 60) return `${s} s`
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`
  return `${Math.floor(s / 3600)} h ${Math.round((s % 3600) / 60)} min`
}
