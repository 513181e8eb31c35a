// The curves of a figure file. The y of a line is an expression with several points; its x is an expression over the
// same points or, without one, the swept key that the points differ in.
import type { Complaint } from "../../../core/complaint.ts"
import type { Axis, Figure, Line, LinesFigure, Mark } from "../../../draw/figure/figure.ts"
import { isMap } from "../../../experiment/fields.ts"
import { evaluate, type Scope } from "../../../experiment/rows/evaluate.ts"
import { type Expression, parseExpression } from "../../../experiment/rows/syntax.ts"
import { marked } from "../drawn.ts"
import { combinations, filled } from "./each.ts"
import { Keys } from "./keys.ts"

export interface CurveSpec {
  readonly frame: Omit<LinesFigure, "lines">
  readonly lines: readonly { readonly name: string; readonly y: Expression; readonly x?: Expression }[]
  /** points above it are drawn at the edge */
  readonly above?: number
  readonly marks: readonly Mark[]
}

const frameKeys = ["id", "title", "caption", "x", "y", "lines", "marks", "diagonal", "lineOnly", "above"]

export function curveSpecs(figure: Keys, bad: Complaint[]): readonly CurveSpec[] {
  return figure.list("figures").map((raw, i) => {
    const k = new Keys(raw, `figures.${i}`, bad, frameKeys)
    const above = k.number("above")
    const frame = {
      kind: "lines" as const,
      id: k.needed("id"),
      title: k.needed("title"),
      caption: k.text("caption") ?? "Mean of the seeds.",
      x: axisOf(k, "x", bad),
      y: axisOf(k, "y", bad),
      ...(k.flag("diagonal") ? { diagonal: true } : {}),
      markers: !k.flag("lineOnly"),
    }
    const lines = k.list("lines").flatMap((line, j) => linesOf(line, `figures.${i}.lines.${j}`, bad))
    const marks = k.list("marks").flatMap((mark, j) => markOf(mark, `figures.${i}.marks.${j}`, bad))
    return { frame, lines, ...(above === undefined ? {} : { above }), marks }
  })
}

function axisOf(k: Keys, key: string, bad: Complaint[]): Axis {
  const raw = k.get(key)
  if (!isMap(raw)) return { label: k.needed(key) }
  const a = new Keys(raw, k.at(key), bad, ["label", "percent"])
  return { label: a.needed("label"), ...(a.flag("percent") ? { format: "percent" as const } : {}) }
}

function linesOf(raw: unknown, path: string, bad: Complaint[]): CurveSpec["lines"] {
  const keys = ["name", "x", "y", "each"]
  const made = combinations(new Keys(raw, path, bad, keys).get("each"), `${path}.each`)
  if ("bad" in made) bad.push(...made.bad)
  return ("ok" in made ? made.ok : []).flatMap((by) => {
    const k = new Keys(filled(raw, by), path, bad, keys)
    const [y, x] = [parseExpression(k.get("y"), k.at("y")), parseExpression(k.get("x") ?? "0", k.at("x"))]
    if ("bad" in y || "bad" in x) {
      bad.push(...("bad" in y ? y.bad : []), ...("bad" in x ? x.bad : []))
      return []
    }
    return [{ name: k.needed("name"), y: y.ok, ...(k.get("x") === undefined ? {} : { x: x.ok }) }]
  })
}

function markOf(raw: unknown, path: string, bad: Complaint[]): Mark[] {
  const k = new Keys(raw, path, bad, ["x", "y", "name", "source"])
  const [x, y] = [k.number("x"), k.number("y")]
  const place = { ...(x === undefined ? {} : { x }), ...(y === undefined ? {} : { y }) }
  return [{ ...place, name: k.needed("name"), source: k.needed("source") }]
}

/** Draws the curves from runs. */
export function curvesOf(specs: readonly CurveSpec[], scope: Scope): readonly Figure[] {
  return specs.map(({ frame, lines, above }) => ({
    ...frame,
    lines: lines.map(({ name, y, x }) => ({ name, spots: spotsOf(y, x, above, scope) })),
  }))
}

function spotsOf(y: Expression, x: Expression | undefined, above = Infinity, scope: Scope): Line["spots"] {
  const series = evaluate(y, scope)
  const points = typeof series === "number" ? [{}] : series.points
  const values = typeof series === "number" ? [series] : series.values
  const along = x === undefined ? undefined : evaluate(x, scope)
  const place = (i: number): number => {
    if (typeof along === "number") return along
    if (along !== undefined) return along.values[i] ?? Number.NaN
    return Object.values<string | number>(points[i]).map(Number).find(Number.isFinite) ?? Number.NaN
  }
  return values.flatMap((v, i) =>
    Number.isFinite(v) && Number.isFinite(place(i)) ? [{ x: place(i), y: v, ...(v > above ? { off: true } : {}) }] : [],
  )
}

/** Adds the numbers of the text of the paper to recorded curves. */
export function withMarks(specs: readonly CurveSpec[], figures: readonly Figure[]): readonly Figure[] {
  return specs
    .filter((s) => s.marks.length > 0)
    .reduce<readonly Figure[]>((all, s) => marked(all, s.frame.id, s.marks), figures)
}
