// A shoot-out as text: its terms, its table, and a chart of load against price.
import { chart } from "../../terminal/chart.ts"
import { type Paint, plainPaint } from "../../terminal/paint.ts"
import { short, table } from "../../terminal/table.ts"
import { LINK_GB, type Winner } from "./criteria.ts"
import type { Rank } from "./ranking.ts"
import { collectives } from "./trials.ts"

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
    readonly tolerance: number
    /** ranks of each collective */
    readonly ranks: number
    /** share of links that are down in one of the runs */
    readonly down: number
  }
  readonly book: { readonly name: string; readonly about: string; readonly currency: string }
  readonly standings: readonly Rank[]
  readonly winners: readonly Winner[]
  /** families that take no part, and what would let them */
  readonly missed: readonly { readonly family: string; readonly says: string; readonly fix: string }[]
  /** topologies and routings of the library that never take part, and why */
  readonly out: readonly { readonly name: string; readonly says: string }[]
}

export const money = (x: number) => Math.round(x).toLocaleString("en")
export const percent = (x: number) => `${x >= 0 ? "+" : "−"}${(100 * Math.abs(x)).toFixed(1)} %`

type Column = readonly [head: string, cell: (s: Rank) => string, align?: "left"]

/** Returns the columns of the table, with their units. */
export function columnsOf({ book, terms, standings }: Shootout): Column[] {
  const gb = (load: number) => short(load * LINK_GB, 3)
  const micro = (ns: number | undefined) => (ns === undefined || Number.isNaN(ns) ? "–" : short(ns / 1000, 4))
  const took = collectives.filter((name) => standings.some((s) => s.collectives[name] !== undefined))
  const isDown = standings.some((s) => s.down !== undefined)
  return [
    ["", (s) => (s.pareto ? "◆" : ""), "left"],
    ["network", (s) => s.network, "left"],
    ["endpoints", (s) => s.endpoints.toLocaleString("en")],
    ["deviation", (s) => percent(s.miss)],
    ["routers", (s) => s.routers.toLocaleString("en")],
    ["radix", (s) => String(s.radix)],
    [`${book.currency}/endpoint`, (s) => money(s.pricePerEndpoint)],
    ["W/endpoint", (s) => (s.wattsPerEndpoint === undefined ? "–" : short(s.wattsPerEndpoint, 3))],
    ["copper cables", (s) => count(s, "electrical")],
    ["optical cables", (s) => count(s, "optical")],
    ["bisection", (s) => short(s.bisection, 3)],
    ["routing", (s) => s.routing, "left"],
    ["idle ns", (s) => s.latency.toFixed(0)],
    ["uniform GB/s", (s) => gb(s.uniform)],
    ["worst GB/s", (s) => gb(s.worst)],
    ["worst pattern", (s) => s.pattern, "left"],
    ...took.map((name): Column => [`${name} µs`, (s) => micro(s.collectives[name])]),
    ...(isDown
      ? [
          [
            `GB/s at load 1, ${100 * terms.down} % down`,
            (s: Rank) => (s.down && "accepted" in s.down ? gb(s.down.accepted) : "–"),
          ] as const,
        ]
      : []),
    ["pJ/bit", (s) => (s.energy === undefined ? "–" : short(s.energy, 3))],
  ]
}

/** Returns one line for each criterion: the best network, and those that are equally good. */
export function winnerRows({ winners }: Shootout): string[][] {
  return winners.map(({ criterion, networks, value, unit }) => [
    criterion,
    networks[0],
    `${unit.startsWith("ns") || value >= 1000 ? money(value) : short(value, 3)} ${unit}`,
    networks.slice(1).join(", "),
  ])
}
export const winnerHeads = ["criterion", "best network", "value", "within the precision"] as const

function count(s: Rank, medium: string): string {
  return s.cables.reduce((n, c) => n + (c.medium === medium ? c.count : 0), 0).toLocaleString("en")
}

/** Returns what was equal, how it was measured, and the price list, for the head of every table. */
export function termsOf({ terms, book }: Shootout): string[] {
  const budget =
    terms.budget === undefined ? "" : ` of ${money(terms.budget)} ${terms.equal === "power" ? "W" : book.currency}`
  return [
    `${terms.endpoints.toLocaleString("en")} endpoints, routers of at most ` +
      `${terms.radix} ports, equal ${terms.equal}${budget}`,
    "GB/s are per endpoint at the saturation load; links have 12.5 GB/s in each direction",
    `collectives of ${terms.ranks} ranks on random endpoints: all-to-all of 4 KiB, all-reduce of 1 MiB`,
    `${terms.engine} engine, saturation load within ${100 * terms.precision} %, seed ${terms.seed}; ` +
      `pJ/bit at load ${terms.load} or at the saturation load if that is lower`,
    `price list ${book.name}: ${book.about} (${book.currency})`,
  ]
}

/**
 * Returns what did not take part, and why: routings that a network refuses, routings that were ruled out, and plug-ins
 * that are never tried.
 */
export function outOf({ standings, out }: Shootout): string[] {
  const refused = standings.flatMap((s) => s.dropped.map((d) => `${d.routing} on ${s.network}: ${d.says}`))
  const ruled = standings.flatMap((s) =>
    s.tried
      .filter((t) => t.uniform === undefined)
      .map(
        (t) =>
          `${t.routing} on ${s.network}: accepts ${t.worst.toFixed(3)} under ${t.pattern}, ` +
          "skipped because its worst case is below that of another routing",
      ),
  )
  const broken = standings.flatMap((s) =>
    s.down !== undefined && "says" in s.down ? [`${s.network} with links down: ${s.down.says}`] : [],
  )
  const reasons = [...new Set(out.map((o) => o.says))]
  const never = reasons.map((says) => {
    const names = out.filter((o) => o.says === says).map((o) => o.name)
    return `${names.join(", ")}: ${says}`
  })
  return [...refused, ...ruled, ...broken, ...never]
}

export function shootoutText(o: Shootout, paint: Paint = plainPaint, width = Infinity): string {
  const rows = [...o.standings].sort((a, b) => b.worst - a.worst || b.uniform - a.uniform)
  const columns = columnsOf(o)
  const shown = table(
    columns.map(([head, , align]) => ({ head, align: align ?? "right" })),
    rows.map((s) => columns.map(([, cell]) => cell(s))),
    paint,
    width,
  )
  const best = table(
    winnerHeads.map((head) => ({ head })),
    winnerRows(o),
    paint,
    width,
  )
  const front = rows.filter((s) => s.pareto)
  const picture = chart(
    [
      {
        name: "Pareto-optimal (◆)",
        points: [...front].sort((a, b) => a.pricePerEndpoint - b.pricePerEndpoint).map(spot),
      },
      ...rows.filter((s) => !s.pareto).map((s) => ({ name: s.family, points: [spot(s)] })),
    ].filter((s) => s.points.length > 0),
    {
      x: `price per endpoint (${o.book.currency})`,
      y: "GB/s per endpoint under the worst pattern",
      width: 90,
      whole: true,
      paint,
    },
  )
  const missed = o.missed.map((m) => paint.yellow(`${m.family}: ${m.says}; ${m.fix}`))
  const left = ["Excluded:", ...outOf(o).map((line) => `  ${line}`)].map((l) => paint.dim(l))
  const set = `Pareto-optimal (◆): ${front.map((s) => s.network).join("; ")}`
  const head = termsOf(o).map((l) => paint.dim(l))
  return [...head, "", shown, "", best, "", set, "", picture, "", ...missed, ...left].join("\n")
}

function spot(s: Rank): { x: number; y: number; saturated: boolean } {
  return { x: s.pricePerEndpoint, y: s.worst * LINK_GB, saturated: false }
}
