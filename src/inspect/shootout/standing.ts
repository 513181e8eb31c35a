// What a shoot-out says of each network: what it is, what it costs, what it carries; and which of them no other beats in every respect.

import { measure } from "../../proof/measures.ts"
import type { Knee } from "../../results/knees.ts"
import type { RunRecord } from "../../results/record.ts"
import { type Best, caseName, FIRST_LOAD, LINK_GBPS, type Tried } from "./contest.ts"
import type { Chosen } from "./solve.ts"

export interface Cables {
  readonly item: string
  readonly medium: string
  readonly count: number
  readonly metres: number
}

export interface Dropped {
  readonly routing: string
  readonly says: string
}

export interface Standing {
  readonly family: string
  readonly network: string
  readonly endpoints: number
  /** relative distance from the goal */
  readonly miss: number
  readonly routers: number
  readonly radix: number
  readonly diameter: number
  /** links that halve the network, for each endpoint of one half */
  readonly bisection: number
  readonly cables: readonly Cables[]
  readonly price: number
  readonly pricePerEndpoint: number
  readonly watts: number | undefined
  readonly wattsPerEndpoint: number | undefined
  readonly routing: string
  /** routings that were tried, with what each accepted under a load of 1; without `uniform`: it could not win any more, whatever that had been */
  readonly tried: readonly Tried[]
  /** routings of the family that did not come to a run, and why */
  readonly dropped: readonly Dropped[]
  /** mean latency of the idle network, ns */
  readonly latency: number
  /** highest load that was carried under uniform traffic */
  readonly uniform: number
  /** the same under the hardest pattern, and which that is */
  readonly worst: number
  readonly pattern: string
  /** pJ for each bit at the load that was asked for, or at the saturation where that is less */
  readonly energy: number | undefined
  readonly energyAt: number
  /** nobody is better in price for each endpoint, in load and in latency */
  readonly pareto: boolean
}

/** What is known without a run. */
export function factsOf({
  family,
  command,
  topology,
  cost,
  miss,
}: Chosen): Omit<
  Standing,
  "routing" | "tried" | "dropped" | "latency" | "uniform" | "worst" | "pattern" | "energy" | "energyAt" | "pareto"
> {
  const m = measure(topology)
  return {
    family: family.name,
    network: command,
    endpoints: m.endpoints,
    miss,
    routers: m.routers,
    radix: m.radix,
    diameter: m.diameter,
    bisection: m.bisection?.perEndpoint ?? Number.NaN,
    cables: cost.rows.flatMap(({ item, medium, count, metres }) =>
      medium === undefined ? [] : [{ item, medium, count, metres: metres ?? 0 }],
    ),
    price: cost.total.price,
    pricePerEndpoint: cost.total.pricePerEndpoint,
    watts: cost.total.watts,
    wattsPerEndpoint: cost.total.wattsPerEndpoint,
  }
}

/** [routing | pattern] -> accepted, from the runs of a screen. */
export function acceptedOf(records: readonly RunRecord[]): Map<string, number> {
  return new Map(records.map((r) => [String(r.point["variant"]), r.result.values["accepted"] ?? 0]))
}

export interface Found {
  readonly best: Best
  readonly tried: readonly Tried[]
  readonly dropped: readonly Dropped[]
  readonly records: readonly RunRecord[]
  readonly knees: readonly Knee[]
}

/** `load`: where the energy of a bit is asked for. */
export function standingOf(chosen: Chosen, found: Found, load: number): Standing {
  const facts = factsOf(chosen)
  const { best, knees, records, tried, dropped } = found
  const kneeAt = (pattern: string) => knees.find((k) => k.point["variant"] === caseName(best.routing, pattern))?.low ?? Number.NaN
  const idle = records.find((r) => r.point["variant"] === caseName(best.routing, "uniform") && r.point["load"] === FIRST_LOAD)
  const [uniform, worst] = [kneeAt("uniform"), kneeAt(best.pattern)]
  const energyAt = Math.min(load, uniform)
  const gbps = facts.endpoints * energyAt * LINK_GBPS
  return {
    ...facts,
    routing: best.routing,
    tried,
    dropped,
    latency: idle === undefined ? Number.NaN : nanoseconds(idle),
    uniform,
    worst,
    pattern: best.pattern,
    // W / (Gb/s) = nJ for each bit
    energy: facts.watts === undefined ? undefined : (1000 * facts.watts) / gbps,
    energyAt,
    pareto: false,
  }
}

/** Latencies are in cycles of the network. */
function nanoseconds({ spec, result }: RunRecord): number {
  const cycle = /^([\d.]+)(ns|ps)$/.exec(spec.network.cycle)
  return (result.values["latency.mean"] ?? Number.NaN) * (cycle === null ? 1 : Number(cycle[1]) * (cycle[2] === "ps" ? 0.001 : 1))
}

/** Marks those that nobody beats: cheaper for each endpoint, carrying more under the hardest pattern and under uniform traffic, and quicker. */
export function withFront(all: readonly Standing[]): Standing[] {
  const better = (a: Standing, b: Standing): boolean => {
    const pairs = [
      [b.pricePerEndpoint, a.pricePerEndpoint],
      [a.worst, b.worst],
      [a.uniform, b.uniform],
      [b.latency, a.latency],
    ] as const
    return pairs.every(([x, y]) => x >= y) && pairs.some(([x, y]) => x > y)
  }
  return all.map((s) => ({ ...s, pareto: !all.some((other) => better(other, s)) }))
}
