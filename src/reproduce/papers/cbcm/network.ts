// The networks of "Contention-based Congestion Management in Large-Scale Networks" (G. Kim, C. Kim, J. Jeong, M. Parker
// and J. Kim, 2016): 16 endpoints on four routers that are all linked with each other, 512 on a square of such, 256 on
// a line. One set of assumptions serves all figures (docs/guide/congestion-control.md).
import { Draws } from "../../../core/rng.ts"
import type { MeasureSpec, Named, NetworkSpec, TrafficSpec } from "../../../model/experiment.ts"
import type { PaperRuns } from "../paper.ts"

export const cites =
  "Contention-based Congestion Management in Large-Scale Networks, G. Kim, C. Kim, J. Jeong, M. Parker and J. Kim, 2016"

/** VCs with those of the protocol, 4 of data. */
const vcs: Readonly<Record<string, number>> = { none: 4, ideal: 5, "ecn-delay": 5, cbcm: 6, srp: 8 }

/** "VOQ with four VCs for each output port at each input buffer"; the VCs that a protocol adds for data are FIFOs. */
const added: Readonly<Record<string, string>> = { ideal: "hot", cbcm: "hot", srp: "speculative" }

/**
 * The router of all figures: BookSim's, with VC allocation, four packets in an output buffer for each VC, a crossbar
 * that a packet loses while its queue is empty, and adaptive routing that counts all flits. `count`: VCs, if not those of the protocol with all its classes.
 */
export function routerOf(congestion: Named, count = vcs[congestion.name] ?? 8): Named {
  const shared = congestion.name === "cbcm" && congestion["hot"] === "shared"
  const own = shared ? undefined : added[congestion.name]
  return {
    name: "combined",
    vcs: count,
    ...(own === undefined ? {} : { queues: { data: "voq", [own]: "fifo" } }),
    start: "interleaved",
    vcAllocation: "turns",
    outputPackets: 4,
    loads: "all",
  }
}

/** The paper's networks, and smaller ones of the same kind. */
export const nets = {
  cases: { sides: "4", p: 4, ends: 16 },
  square: { sides: "8x8", p: 8, ends: 512 },
  smallSquare: { sides: "4x4", p: 4, ends: 64 },
  line: { sides: "16", p: 16, ends: 256 },
  smallLine: { sides: "8", p: 8, ends: 64 },
} as const
export type Net = keyof typeof nets

export const routings = { MIN: "hyperx.minimal", UGAL: "hyperx.ugal-l" } as const
export type Way = keyof typeof routings

export function network(
  congestion: Named = { name: "none" },
  routing: string = routings.UGAL,
  net: Net = "cases",
): NetworkSpec {
  return {
    topology: { name: "hyperx", sides: nets[net].sides, p: nets[net].p },
    routing: { name: routing },
    switch: routerOf(congestion),
    endpoint: { name: "queue-pairs", ack: "0flits", active: 1024 },
    congestion,
    links: { end: "1cycle", link: "100cycles" },
    cycle: "1ns",
    flit: "8B",
  }
}

/** A variant for each protocol and routing, "CBCM(UGAL)". */
export function variantsOf(
  protocols: Readonly<Record<string, Named>>,
  ways: readonly Way[] = ["MIN", "UGAL"],
  net: Net = "cases",
): Readonly<Record<string, { readonly network: NetworkSpec }>> {
  return Object.fromEntries(
    Object.entries(protocols).flatMap(([name, c]) =>
      ways.map((way) => [`${name}(${way})`, { network: network(c, routings[way], net) }]),
    ),
  )
}

export function stream(
  name: string,
  load: number,
  pattern: Named,
  from: TrafficSpec["from"] = "all",
  more: Partial<TrafficSpec> = {},
): TrafficSpec {
  return {
    name,
    pattern,
    arrivals: { name: "bernoulli" },
    packet: { name: "fixed", size: "32flits" },
    message: { name: "fixed", size: "4packets" },
    load,
    from,
    start: "0cycles",
    stop: "never",
    priority: 0,
    class: 0,
    reply: "0flits",
    ...more,
  }
}

export const range = (n: number): number[] => Array.from({ length: n }, (_, e) => e)
export const without = (n: number, these: readonly number[]): number[] => range(n).filter((e) => !these.includes(e))
export const to = (set: readonly number[]): Named => ({ name: "to-set", set })

/** Endpoints drawn once, for all schemes and seeds. */
export function drawnEnds(net: Net, count: number): number[] {
  const draws = new Draws(2016).at(nets[net].ends, 0)
  const all = range(nets[net].ends)
  for (let i = 0; i < count; i++) {
    const j = i + draws.below(all.length - i)
    const kept = all[i]
    all[i] = all[j]
    all[j] = kept
  }
  return all.slice(0, count)
}

/** Endpoint i to endpoint i + 4: all of a router to the next one. */
export const shifted: Named = { name: "fixed", to: Array.from({ length: 16 }, (_, e) => (e + 4) % 16) }

/** Thousands of cycles for which a hot spot is alone before the others begin: what its senders put into the network
 *  before they are throttled leaves it at one flit in a cycle. The paper's own for applications ("warmed up for 500,000
 *  cycles with synthetic hotspot or UR traffic only"); quick networks are smaller. */
export const alone = { quick: 100, full: 500 } as const

/** Windows of time for which a run waits for the packets of its window; lacewing calls what is late then saturated. */
const PATIENCE = 4

/**
 * Thousands of cycles. The run waits for the packets of its window, because a mean without the slowest is too low.
 * `follow`: streams that it waits for, because the packets of a hot spot never drain; absent: all.
 */
export function measured(warm: number, window: number, follow?: readonly string[]): MeasureSpec {
  const limit = `${warm + (1 + PATIENCE) * window}kcycles`
  return { ...counted(warm, window), limit, drain: "measured", ...(follow === undefined ? {} : { follow }) }
}

/** The same for rows that read no mean latency: what is accepted in the window, and what comes in each interval. */
export function counted(warm: number, window: number, series = "1kcycles"): MeasureSpec {
  return {
    warmup: `${warm}kcycles`,
    window: `${window}kcycles`,
    precision: 0.05,
    limit: `${warm + window}kcycles`,
    drain: "none",
    saturation: "never",
    series,
  }
}

export type Where = Readonly<Record<string, string | number>>

/** The runs at a point. */
export function runsAt(runs: PaperRuns, name: string, point: Where): PaperRuns[string] {
  return (runs[name] ?? []).filter((r) => Object.entries(point).every(([key, v]) => r.point[key] === v))
}

/** Mean over the seeds of a value, at a point. */
export function at(runs: PaperRuns, name: string, point: Where, value: string): number {
  const found = runsAt(runs, name, point)
  return found.reduce((sum, r) => sum + (r.result.values[value] ?? Number.NaN), 0) / found.length
}
