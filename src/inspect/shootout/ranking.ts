// The ranking of a shoot-out: properties, cost and throughput of each network, and the Pareto front.

import { measure } from "../../proof/measures.ts"
import type { Saturation } from "../../results/findings/saturation.ts"
import type { RunRecord } from "../../results/record.ts"
import { type Best, caseName, FIRST_LOAD, LINK_GBPS, type Tried } from "./contest.ts"
import type { Chosen } from "./solve.ts"
import { type Collective, nanosecondsOf } from "./trials.ts"

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

export type Down = { readonly accepted: number; readonly routing: string } | { readonly says: string }

export interface Rank {
  readonly family: string
  readonly network: string
  readonly endpoints: number
  /** relative distance from the goal */
  readonly miss: number
  readonly routers: number
  readonly radix: number
  readonly diameter: number
  /** bisection links per endpoint of one half */
  readonly bisection: number
  readonly cables: readonly Cables[]
  readonly price: number
  readonly pricePerEndpoint: number
  readonly watts: number | undefined
  readonly wattsPerEndpoint: number | undefined
  readonly routing: string
  /**
   * routings that were tried, with the accepted load of each at load 1; without `uniform`: it could not win any more
   */
  readonly tried: readonly Tried[]
  /** routings of the family that were not run, and why */
  readonly dropped: readonly Dropped[]
  /** mean latency of the idle network in ns */
  readonly latency: number
  /** saturation load under uniform traffic */
  readonly uniform: number
  /** saturation load under the hardest pattern, and that pattern */
  readonly worst: number
  readonly pattern: string
  /** pJ per bit at the requested load, or at the saturation load if that is smaller */
  readonly energy: number | undefined
  readonly energyAt: number
  /** [collective] -> its time in ns; NaN: it did not end */
  readonly collectives: Readonly<Partial<Record<Collective, number>>>
  /** uniform traffic at load 1 with a share of the links down: accepted load and routing, or why there is none */
  readonly down: Down | undefined
  /** no other network is at least as good in price per endpoint, loads and latency, and better in one */
  readonly pareto: boolean
}

/** Returns the properties that need no run. */
export function factsOf({
  family,
  command,
  topology,
  cost,
  miss,
}: Chosen): Omit<
  Rank,
  | "routing"
  | "tried"
  | "dropped"
  | "latency"
  | "uniform"
  | "worst"
  | "pattern"
  | "energy"
  | "energyAt"
  | "collectives"
  | "down"
  | "pareto"
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

/** Returns [routing | pattern] -> accepted load, from the runs of a screening. */
export function acceptedOf(records: readonly RunRecord[]): Map<string, number> {
  return new Map(records.map((r) => [String(r.point["variant"]), r.result.values["accepted"] ?? 0]))
}

export interface Found {
  readonly best: Best
  readonly tried: readonly Tried[]
  readonly dropped: readonly Dropped[]
  readonly records: readonly RunRecord[]
  readonly knees: readonly Saturation[]
  readonly collectives: Rank["collectives"]
  readonly down: Down | undefined
}

/** `load`: the load at which the energy per bit is computed. */
export function rankingOf(chosen: Chosen, found: Found, load: number): Rank {
  const facts = factsOf(chosen)
  const { best, knees, records, tried, dropped } = found
  const kneeAt = (pattern: string) =>
    knees.find((k) => k.point["variant"] === caseName(best.routing, pattern))?.low ?? Number.NaN
  const idle = records.find(
    (r) => r.point["variant"] === caseName(best.routing, "uniform") && r.point["load"] === FIRST_LOAD,
  )
  const [uniform, worst] = [kneeAt("uniform"), kneeAt(best.pattern)]
  const energyAt = Math.min(load, uniform)
  const gbps = facts.endpoints * energyAt * LINK_GBPS
  return {
    ...facts,
    routing: best.routing,
    tried,
    dropped,
    latency: idle === undefined ? Number.NaN : nanosecondsOf(idle, "latency.mean"),
    uniform,
    worst,
    pattern: best.pattern,
    // W / (Gb/s) = nJ per bit
    energy: facts.watts === undefined ? undefined : (1000 * facts.watts) / gbps,
    energyAt,
    collectives: found.collectives,
    down: found.down,
    pareto: false,
  }
}

/**
 * Marks the Pareto front: no other network is cheaper per endpoint, accepts more under the hardest pattern and under
 * uniform traffic, and has lower latency.
 */
export function withFront(all: readonly Rank[]): Rank[] {
  const better = (a: Rank, b: Rank): boolean => {
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
