// A shoot-out in the terminal: its terms, its table, a chart of load against price.
import { chart } from "../../terminal/chart.ts"
import { type Paint, plainPaint } from "../../terminal/paint.ts"
import { short, table } from "../../terminal/table.ts"
import type { Standing } from "./standing.ts"

export interface Shootout {
  readonly terms: {
    readonly endpoints: number
    readonly radix: number
    readonly equal: string
    readonly budget: number | undefined
    readonly engine: string
    /** of the saturation: the interval that was left is this narrow, relative */
    readonly precision: number
    readonly load: number
    readonly seed: number
  }
  readonly book: { readonly name: string; readonly about: string; readonly currency: string }
  readonly standings: readonly Standing[]
  /** families that take no part, and what would let them */
  readonly missed: readonly { readonly family: string; readonly says: string; readonly fix: string }[]
  /** topologies and routings of the library that never take part, and why */
  readonly out: readonly { readonly name: string; readonly says: string }[]
}

export const money = (x: number) => Math.round(x).toLocaleString("en")
export const percent = (x: number) => `${x >= 0 ? "+" : "−"}${(100 * Math.abs(x)).toFixed(1)} %`

export const heads: readonly (readonly [string, (s: Standing, o: Shootout) => string])[] = [
  ["", (s) => (s.pareto ? "◆" : "")],
  ["network", (s) => s.network],
  ["endpoints", (s) => s.endpoints.toLocaleString("en")],
  ["off", (s) => percent(s.miss)],
  ["routers", (s) => s.routers.toLocaleString("en")],
  ["radix", (s) => String(s.radix)],
  ["price each", (s) => money(s.pricePerEndpoint)],
  ["W each", (s) => (s.wattsPerEndpoint === undefined ? "–" : short(s.wattsPerEndpoint, 3))],
  ["copper", (s) => count(s, "electrical")],
  ["optical", (s) => count(s, "optical")],
  ["bisection", (s) => short(s.bisection, 3)],
  ["routing", (s) => s.routing],
  ["idle ns", (s) => s.latency.toFixed(0)],
  ["uniform", (s) => s.uniform.toFixed(3)],
  ["worst", (s) => s.worst.toFixed(3)],
  ["under", (s) => s.pattern],
  ["pJ/bit", (s) => (s.energy === undefined ? "–" : short(s.energy, 3))],
]

function count(s: Standing, medium: string): string {
  return s.cables.reduce((n, c) => n + (c.medium === medium ? c.count : 0), 0).toLocaleString("en")
}

/** What was held equal, how it was measured, whose prices: stands above every table. */
export function termsOf({ terms, book }: Shootout): string[] {
  const budget = terms.budget === undefined ? "" : ` of ${money(terms.budget)} ${terms.equal === "power" ? "W" : book.currency}`
  return [
    `${terms.endpoints.toLocaleString("en")} endpoints, routers of at most ${terms.radix} ports, equal ${terms.equal}${budget}`,
    `${terms.engine} engine, saturation to ${100 * terms.precision} %, seed ${terms.seed}; pJ/bit at load ${terms.load} or at saturation where that is less`,
    `price book ${book.name}: ${book.about} (${book.currency})`,
  ]
}

/** Who did not take part, and why: routings that a network refuses, routings that were ruled out, and what is never tried. */
export function outOf({ standings, out }: Shootout): string[] {
  const refused = standings.flatMap((s) => s.dropped.map((d) => `${d.routing} on ${s.network}: ${d.says}`))
  const ruled = standings.flatMap((s) =>
    s.tried
      .filter((t) => t.uniform === undefined)
      .map(
        (t) => `${t.routing} on ${s.network}: accepts ${t.worst.toFixed(3)} under ${t.pattern}, cannot win whatever uniform traffic gives`,
      ),
  )
  const reasons = [...new Set(out.map((o) => o.says))]
  const never = reasons.map((says) => {
    const names = out.filter((o) => o.says === says).map((o) => o.name)
    return `${names.join(", ")}: ${says}`
  })
  return [...refused, ...ruled, ...never]
}

export function shootoutText(o: Shootout, paint: Paint = plainPaint, width = Infinity): string {
  const rows = [...o.standings].sort((a, b) => b.worst - a.worst || b.uniform - a.uniform)
  const right = new Set([
    "endpoints",
    "off",
    "routers",
    "radix",
    "price each",
    "W each",
    "copper",
    "optical",
    "bisection",
    "idle ns",
    "uniform",
    "worst",
    "pJ/bit",
  ])
  const shown = table(
    heads.map(([head]) => ({ head, ...(right.has(head) ? { align: "right" as const } : {}) })),
    rows.map((s) => heads.map(([, cell]) => cell(s, o))),
    paint,
    width,
  )
  const front = rows.filter((s) => s.pareto)
  const picture = chart(
    [
      { name: "nobody beats it (◆)", points: [...front].sort((a, b) => a.pricePerEndpoint - b.pricePerEndpoint).map(spot) },
      ...rows.filter((s) => !s.pareto).map((s) => ({ name: s.family, points: [spot(s)] })),
    ].filter((s) => s.points.length > 0),
    { x: `price for each endpoint, ${o.book.currency}`, y: "saturation under the hardest pattern", width: 90, whole: true, paint },
  )
  const missed = o.missed.map((m) => paint.yellow(`${m.family}: ${m.says}; ${m.fix}`))
  const left = ["left out:", ...outOf(o).map((line) => `  ${line}`)].map((l) => paint.dim(l))
  return [...termsOf(o).map((l) => paint.dim(l)), "", shown, "", picture, "", ...missed, ...left].join("\n")
}

function spot(s: Standing): { x: number; y: number; saturated: boolean } {
  return { x: s.pricePerEndpoint, y: s.worst, saturated: false }
}
