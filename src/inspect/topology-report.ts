// The report of `lacewing topology`: an object for programs, and a text for people.

import { bookNamed, type PriceBook } from "../compile/floor/pricebook.ts"
import type { Checked } from "../core/complaint.ts"
import { bytesFor } from "../experiment/topology-size.ts"
import { type Measures, measure } from "../proof/measures.ts"
import { type Paint, plainPaint } from "../terminal/paint.ts"
import { short } from "../terminal/table.ts"
import { type Cost, cost } from "./cost.ts"
import type { Built } from "./topology-build.ts"

export interface TopologyReport extends Measures {
  readonly topology: string
  readonly params: unknown
  /** uniform traffic at load `load` on shortest paths: mean load of a channel between routers */
  readonly load: number
  readonly linkLoad: number
  readonly cost: Cost["total"] & { readonly book: string; readonly currency: string }
  /** estimated bytes to build and measure it */
  readonly memory: number
}

/** Uses the price list of the paper if its routers have enough ports, and otherwise the one without a limit. */
export function costByDefault(topology: Built["topology"], book: PriceBook | undefined): Checked<Cost> {
  if (book !== undefined) return cost(topology, book)
  const [first, second] = [bookNamed("fitfly-edr"), bookNamed("by-length")]
  if ("bad" in first) return first
  const got = cost(topology, first.ok)
  return "ok" in got || "bad" in second ? got : cost(topology, second.ok)
}

/** Returns measures, cost and the mean channel load of a topology. */
export function report(
  built: Built,
  options: { book?: PriceBook; bisection?: boolean; load?: number } = {},
): Checked<TopologyReport> {
  const priced = costByDefault(built.topology, options.book)
  if ("bad" in priced) return priced
  const { total, book, currency } = priced.ok
  const measures = measure(built.topology, { bisection: options.bisection !== false })
  const { ends, routers, chans, far } = built.topology.graph
  const load = options.load ?? 1
  let channels = 0
  for (let c = 0; c < chans; c++) if (far[c] >= 0) channels++
  return {
    ok: {
      topology: built.plugin.name,
      params: built.params,
      ...measures,
      load,
      linkLoad: (load * ends * measures.meanLinks) / channels,
      cost: { book, currency, ...total },
      memory: bytesFor({ ends, routers, chans }),
    },
  }
}

/** Returns `slimfly q=13 p=9`, as a user would type it. */
export function commandOf(name: string, raw: Readonly<Record<string, unknown>>): string {
  return [name, ...Object.entries(raw).map(([k, v]) => `${k}=${Array.isArray(v) ? v.join("x") : String(v)}`)].join(" ")
}

export function reportText(r: TopologyReport, title: string, about: string, paint: Paint = plainPaint): string {
  const n = (value: number) => value.toLocaleString("en")
  const lines: (readonly [string, string])[] = [
    ["endpoints", n(r.endpoints) + (r.rails > 1 ? `, ${r.rails} rails each` : "")],
    ["routers", n(r.routers) + (r.groups === undefined ? "" : ` in ${n(r.groups)} groups`)],
    ["links", `${n(r.links)} between routers (${classes(r)})`],
    ["radix", `${r.radix} ports in use at most`],
    ["degree", degrees(r)],
    ["diameter", `${r.diameter} links`],
    ["distances", distances(r)],
    [
      "mean hops",
      `${r.meanHops.toFixed(5)} routers visited, ${r.meanLinks.toFixed(5)} ` +
        `links${r.error > 0 ? `, ± ${short(1.96 * r.error, 2)} (95 %)` : ""}`,
    ],
    ...(r.shortest === undefined
      ? []
      : [["", `shortest paths of the graph: ${r.shortest.meanHops.toFixed(5)} routers`] as const]),
    ["", paint.dim(`distances from ${r.from}`)],
    ...(Number.isFinite(r.linkLoad)
      ? [
          [
            "load",
            `uniform traffic at ${r.load} puts ${r.linkLoad.toFixed(3)} on a ` +
              "channel between routers (mean, shortest paths)",
          ] as const,
        ]
      : []),
    ...(r.connected ? [] : [["", paint.red("some endpoints have no path to each other")] as const]),
    ...r.hops.flatMap((share, visited) =>
      share === 0 ? [] : [[`  ${visited} router${visited === 1 ? "" : "s"}`, bar(share, paint)] as const],
    ),
    ...(r.bisection === undefined
      ? []
      : ([
          ["bisection", `${n(r.bisection.links)} links, ${short(r.bisection.perEndpoint, 3)} per endpoint of one half`],
          ["", paint.dim(r.bisection.how)],
        ] as const)),
    ["cost", costLine(r)],
  ]
  const width = Math.max(...lines.map(([key]) => key.length))
  return [
    `${paint.bold(title)}  ${paint.dim(about)}`,
    "",
    ...lines.map(([key, value]) => `${key.padEnd(width)}  ${value}`),
  ].join("\n")
}

function classes(r: TopologyReport): string {
  const all = Object.entries(r.linksByClass).map(([name, count]) => `${name} ${count.toLocaleString("en")}`)
  return all.join(", ")
}

function degrees(r: TopologyReport): string {
  const all = Object.entries(r.degrees)
  if (all.length === 1) return `${all[0][0]} on every router`
  const shown = all.slice(0, 6).map(([degree, count]) => `${degree} on ${count.toLocaleString("en")}`)
  return shown.join(", ") + (all.length > 6 ? ", …" : "")
}

/** Returns the share of ordered pairs of routers by the number of links between them. */
function distances(r: TopologyReport): string {
  const shown = r.distances.slice(0, 8).map((share) => (100 * share).toFixed(2))
  return `${shown.join(" / ")}${r.distances.length > 8 ? " / …" : ""} % of router pairs at 0, 1, … links`
}

function bar(share: number, paint: Paint): string {
  const text = `${(100 * share).toFixed(3).padStart(7)} %`
  return `${text}  ${paint.cyan("█".repeat(Math.round(share * 40)))}`
}

function costLine({ cost }: TopologyReport): string {
  const money = (value: number) => `${Math.round(value).toLocaleString("en")} ${cost.currency}`
  const power = cost.watts === undefined ? "power unknown" : `${short(cost.watts / 1000, 3)} kW`
  return `${money(cost.price)}, ${money(cost.pricePerEndpoint)} per endpoint, ${power} (${cost.book})`
}
