// Which figures and curves are exported, and how: chosen curves with other names, and logarithmic axes.
import { type Checked, type Complaint, complain, nearest } from "../../core/complaint.ts"
import type { Figure, LinesFigure } from "../figure/figure.ts"

export type Choice = {
  /** ids of figures; absent: all */
  readonly figures?: readonly string[]
  /** `NAME` or `NAME=LABEL`, in the order of the legend; absent: all */
  readonly curves?: readonly string[]
  readonly log?: readonly ("x" | "y")[]
}

/** Returns the chosen figures. Complaints name the figures and curves that exist. */
export function chosenOf(all: readonly Figure[], { figures, curves, log }: Choice): Checked<readonly Figure[]> {
  const bad: Complaint[] = []
  const ids = all.map((f) => f.id)
  for (const id of figures ?? []) if (!ids.includes(id)) bad.push(missing("--figures", id, ids))
  let chosen = figures === undefined ? all : all.filter((f) => figures.includes(f.id))
  if (curves !== undefined) {
    const names = [...new Set(chosen.flatMap(namesOf))]
    const wanted = curves.map((text) => curveOf(text, names))
    for (const { name } of wanted) if (!names.includes(name)) bad.push(missing("--curves", name, names))
    chosen = chosen.map((f) => withCurves(f, wanted)).filter((f) => f !== undefined)
  }
  for (const axis of log ?? []) {
    const wrong = chosen.flatMap((f) => unfit(f, axis))
    if (wrong.length > 0 || !chosen.some((f) => f.kind === "lines"))
      bad.push(
        wrong[0] ??
          complain(
            `--log ${axis}`,
            "None of the chosen figures has curves.",
            `choose figures with curves: ${curved(all)}`,
          ),
      )
    else chosen = chosen.map((f) => (f.kind === "lines" ? { ...f, [axis]: { ...f[axis], log: true } } : f))
  }
  return bad.length > 0 ? { bad } : { ok: chosen }
}

function missing(option: string, name: string, known: readonly string[]): Complaint {
  const near = nearest(name, known)
  const list =
    known.length === 0
      ? "there are none"
      : `there are: ${known.map((k) => (k.includes(" ") ? `"${k}"` : k)).join(", ")}`
  const what = option === "--curves" ? "curve" : "figure"
  return complain(
    option,
    `There is no ${what} "${name}".`,
    near === undefined ? list : `did you mean "${near}"? ${list}`,
  )
}

/** The name may contain "=": the longest known name wins. */
function curveOf(text: string, known: readonly string[]): { readonly name: string; readonly label: string } {
  if (known.includes(text)) return { name: text, label: text }
  const cuts = [...text.matchAll(/=/g)].map((m) => m.index).reverse()
  const cut = cuts.find((at) => known.includes(text.slice(0, at))) ?? cuts.at(-1)
  return cut === undefined ? { name: text, label: text } : { name: text.slice(0, cut), label: text.slice(cut + 1) }
}

/** Names that --curves can choose: those of the lines, bars, rows or layers. */
function namesOf(f: Figure): string[] {
  switch (f.kind) {
    case "lines":
      return f.lines.map((l) => l.name)
    case "bars":
      return f.bars.map((b) => b.name)
    case "stack":
      return f.rows.map((r) => r.name)
    case "areas":
      return f.layers.map((l) => l.name)
    default:
      return []
  }
}

/**
 * Returns the figure with these curves only; undefined if it has none of them. Cells, time lines and graphs have no
 * curves.
 */
function withCurves(f: Figure, wanted: readonly { name: string; label: string }[]): Figure | undefined {
  const pick = <T extends { readonly name: string }>(of: readonly T[]): T[] =>
    wanted.flatMap(({ name, label }) =>
      of.filter((each) => each.name === name).map((each) => ({ ...each, name: label })),
    )
  if (f.kind === "cells" || f.kind === "spans" || f.kind === "graph") return f
  if (!wanted.some(({ name }) => namesOf(f).includes(name))) return undefined
  if (f.kind === "lines") return { ...f, lines: pick(f.lines) }
  if (f.kind === "bars") return { ...f, bars: pick(f.bars) }
  return f.kind === "stack" ? { ...f, rows: pick(f.rows) } : { ...f, layers: pick(f.layers) }
}

/** A logarithmic axis has no place for zero and negative values. */
function unfit(f: Figure, axis: "x" | "y"): Complaint[] {
  if (f.kind !== "lines") return []
  const spots = f.lines.flatMap((l) => l.spots.filter((s) => axis === "x" || s.off !== true).map((s) => s[axis]))
  const low = spots.find((v) => !(v > 0))
  if (low === undefined) return []
  const says = `The figure "${f.id}" has the value ${low}, which a logarithmic axis cannot show.`
  return [complain(`--log ${axis}`, says, "choose other figures with --figures, or other curves with --curves")]
}

const curved = (all: readonly Figure[]): string =>
  all
    .filter((f): f is LinesFigure => f.kind === "lines")
    .map((f) => f.id)
    .join(", ")
