// The experiments of one family in a shoot-out. First each of its routings runs once at a load that no network accepts,
// to find the best one. Then a search finds the saturation load of that one. Both are normal experiments, so finished
// runs are stored and never repeated.
import type { PriceBook } from "../../compile/floor/pricebook.ts"
import { library } from "../../library.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Pattern } from "./families.ts"
import type { Chosen } from "./solve.ts"

export type Engine = "packet" | "flit"

export interface Terms {
  readonly engine: Engine
  /** relative width of the interval around the saturation load */
  readonly precision: number
  readonly seed: number
  readonly book: PriceBook
}

/** 100 Gb/s and packets of 4 KiB; 256 KiB of buffer per port, divided among its VCs. */
export const LINK_GBPS = 100
const PACKET = 4096
const BUFFER = 2 ** 18
const DELAY = "100ns"

export type Raw = Record<string, unknown>

/** Returns the VCs of a network: the minimum of its routing, and at least four, as current routers have. */
function vcsOf(routing: Readonly<Record<string, string>>, { topology }: Chosen): number {
  const plugin = library.find(
    (p): p is typeof p & RoutingPlugin<unknown> => p.kind === "routing" && p.name === routing["name"],
  )
  const parsed = plugin?.params.parse(
    Object.fromEntries(Object.entries(routing).filter(([key]) => key !== "name")),
    "routing",
  )
  if (plugin === undefined || parsed === undefined || "bad" in parsed) return 4
  return Math.max(4, (plugin as RoutingPlugin<unknown>).vcs(parsed.ok, topology))
}

/**
 * Returns the network of an experiment. Both engines get the same bandwidth, buffers and about the same router delay.
 */
export function networkOf(chosen: Chosen, routing: Readonly<Record<string, string>>, terms: Terms): Raw {
  const vcs = vcsOf(routing, chosen)
  const buffer = Math.max(PACKET, Math.floor(BUFFER / vcs / PACKET) * PACKET)
  const { routers, width, depth, inside, overhead } = terms.book.layout
  const metres = {
    routers,
    width: `${width}m`,
    depth: `${depth}m`,
    inside: `${inside}m`,
    overhead: `${overhead}m`,
    delay: "5ns",
  }
  const common = { topology: { name: chosen.family.name, ...chosen.member.params }, routing, layout: metres }
  if (terms.engine === "packet")
    return {
      ...common,
      switch: {
        name: "chunk",
        vcs,
        chunk: `${PACKET}B`,
        buffer: `${buffer}B`,
        bandwidth: `${LINK_GBPS}Gbps`,
        delay: DELAY,
        credit: "0ns",
        switching: "cut-through",
      },
      endpoint: { name: "rails" },
      cycle: "1ns",
      flit: "64B",
    }
  // 64 bytes at 100 Gb/s take 5.12 ns, so 20 cycles of pipeline are about the delay of the packet engine.
  return {
    ...common,
    switch: { name: "input-queued", vcs, buffer: `${buffer / 64}flits`, route: 17 },
    endpoint: { name: "simple" },
    cycle: "5120ps",
    flit: "64B",
  }
}

/** Fixed windows, so that all networks are measured alike, even beyond saturation. */
const measure = { warmup: "8us", window: "16us", limit: "30us", drain: "none", saturation: "never" }
export const traffic = (pattern: Pattern) => [{ pattern, arrivals: "poisson", packet: `${PACKET}B`, load: 1 }]

/** Returns the name of a routing with its parameters, as tables show it. */
export function routingName(routing: Readonly<Record<string, string>>): string {
  return Object.values(routing).join(" ")
}

/** Returns uniform traffic, then the patterns that are hard for the family. */
export function patternsOf({ family, member }: Chosen): Pattern[] {
  return [{ name: "uniform" }, ...family.worst(member.params, member.ends)]
}

export function patternName(pattern: Pattern): string {
  const { name, ...rest } = pattern
  return [name, ...Object.entries(rest).map(([k, v]) => `${k}=${v}`)].join(" ")
}

/** Returns an experiment with one variant for each case. */
export function experimentOf(
  name: string,
  chosen: Chosen,
  terms: Terms,
  cases: readonly (readonly [string, Raw])[],
  more: Raw = {},
): Raw {
  return {
    lacewing: 1,
    name,
    title: `Shoot-out: ${chosen.command}`,
    engine: { name: terms.engine },
    network: networkOf(chosen, chosen.family.routings[0], terms),
    traffic: traffic({ name: "uniform" }),
    measure,
    seeds: [terms.seed],
    variants: Object.fromEntries(cases),
    ...more,
  }
}

const SEPARATOR = " | "

export function caseName(routing: string, pattern: string): string {
  return `${routing}${SEPARATOR}${pattern}`
}

/**
 * Returns the experiment with all routings and patterns, one run each at a load that no network accepts; `name` is its
 * folder.
 */
export function screen(
  name: string,
  chosen: Chosen,
  terms: Terms,
  routings: readonly Readonly<Record<string, string>>[],
  patterns: readonly Pattern[],
): Raw {
  const cases = routings.flatMap((routing) =>
    patterns.map((pattern): [string, Raw] => [
      caseName(routingName(routing), patternName(pattern)),
      { network: networkOf(chosen, routing, terms), traffic: traffic(pattern) },
    ]),
  )
  return experimentOf(name, chosen, terms, cases)
}

/**
 * Returns the search for the saturation load of the best routing under one pattern. Saturation lies near the throughput
 * at overload, so the search starts a little below that.
 */
export function search(chosen: Chosen, terms: Terms, best: Best, pattern: string, accepted: number): Raw {
  const routing = chosen.family.routings.find((r) => routingName(r) === best.routing)!
  const under = patternsOf(chosen).find((p) => patternName(p) === pattern)!
  const cases: [string, Raw][] = [
    [caseName(best.routing, pattern), { network: networkOf(chosen, routing, terms), traffic: traffic(under) }],
  ]
  const to = chosen.topology.graph.rails
  const near = Math.min(to, Math.max(2 * FIRST_LOAD, Number((BELOW * accepted).toFixed(3))))
  return experimentOf("search", chosen, terms, cases, {
    search: { name: "saturation", from: FIRST_LOAD, to, precision: terms.precision, near },
  })
}

/** Start of a search relative to the accepted load at load 1: saturation loads lie at 0.8 to 1.1 of that. */
const BELOW = 0.9

/** The lowest load of a search: there is almost no contention, so its latency is that of the idle network. */
export const FIRST_LOAD = 0.01

export interface Best {
  readonly routing: string
  /** its hardest pattern */
  readonly pattern: string
}

/** Results of a routing: its throughput under the hardest pattern, and under uniform traffic if that was run. */
export interface Tried {
  readonly routing: string
  readonly pattern: string
  readonly worst: number
  readonly uniform?: number
}

/** `accepted`: [routing | pattern] -> accepted load at load 1. */
export function triedOf(chosen: Chosen, accepted: ReadonlyMap<string, number>): Tried[] {
  const [uniform, ...hard] = patternsOf(chosen).map(patternName)
  return chosen.family.routings.map(routingName).flatMap((routing) => {
    const of = (pattern: string) => accepted.get(caseName(routing, pattern))
    const pattern = hard.reduce((a, b) => ((of(b) ?? Infinity) < (of(a) ?? Infinity) ? b : a))
    const [easy, worst] = [of(uniform!), of(pattern)]
    return worst === undefined ? [] : [{ routing, pattern, worst, ...(easy === undefined ? {} : { uniform: easy }) }]
  })
}

/**
 * Returns the best routing: the one with the largest product of its throughput under uniform and under the hardest
 * traffic.
 */
export function bestOf(tried: readonly Tried[]): (Best & { readonly merit: number }) | undefined {
  return tried
    .flatMap(({ routing, pattern, worst, uniform }) =>
      uniform === undefined ? [] : [{ routing, pattern, merit: uniform * worst }],
    )
    .reduce<(Best & { readonly merit: number }) | undefined>(
      (a, b) => (a !== undefined && a.merit >= b.merit ? a : b),
      undefined,
    )
}

/**
 * Returns the routing whose uniform run is needed next: the one with the highest throughput under its hardest pattern,
 * among those that could still win. Uniform traffic gives at most `most`.
 */
export function owed(tried: readonly Tried[], most: number): Tried | undefined {
  const merit = bestOf(tried)?.merit ?? 0
  return tried
    .filter((t) => t.uniform === undefined && t.worst * most > merit)
    .reduce<Tried | undefined>((a, b) => (a !== undefined && a.worst >= b.worst ? a : b), undefined)
}
