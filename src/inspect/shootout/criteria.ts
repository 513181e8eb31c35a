// The criteria of a shoot-out: what each network is judged by, in which unit, and which network is best. Networks whose
// simulated values differ by less than the precision are equally good.
import { LINK_GBPS } from "./contest.ts"
import type { Rank } from "./ranking.ts"
import { type Collective, collectives } from "./trials.ts"

/** GB/s of a link in one direction. */
export const LINK_GB = LINK_GBPS / 8

export interface Criterion {
  readonly name: string
  readonly unit: string
  readonly better: "low" | "high"
  /** A simulation gave the value, so it has the precision of the shoot-out. */
  readonly simulated: boolean
  /** NaN or undefined: the network has no value */
  of(s: Rank): number | undefined
}

export function criteriaOf(currency: string, down: number): Criterion[] {
  const each = "per endpoint"
  const taken = (name: Collective): Criterion => ({
    name,
    unit: "ns",
    better: "low",
    simulated: true,
    of: (s) => s.collectives[name],
  })
  return [
    { name: "price", unit: `${currency} ${each}`, better: "low", simulated: false, of: (s) => s.pricePerEndpoint },
    { name: "power", unit: `W ${each}`, better: "low", simulated: false, of: (s) => s.wattsPerEndpoint },
    { name: "latency of the idle network", unit: "ns", better: "low", simulated: true, of: (s) => s.latency },
    {
      name: "uniform traffic",
      unit: `GB/s ${each}`,
      better: "high",
      simulated: true,
      of: (s) => s.uniform * LINK_GB,
    },
    {
      name: "worst pattern",
      unit: `GB/s ${each}`,
      better: "high",
      simulated: true,
      of: (s) => s.worst * LINK_GB,
    },
    ...collectives.map(taken),
    {
      name: `uniform traffic at load 1, ${Number((100 * down).toFixed(2))} % of links down`,
      unit: `GB/s ${each}`,
      better: "high",
      simulated: true,
      of: (s) => (s.down !== undefined && "accepted" in s.down ? s.down.accepted * LINK_GB : undefined),
    },
  ]
}

export interface Winner {
  readonly criterion: string
  readonly unit: string
  /** networks that are best, the best one first; several if they differ by less than the precision */
  readonly networks: readonly string[]
  readonly value: number
}

/** Returns the best networks by each criterion that any network has a value for. */
export function winnersOf(all: readonly Rank[], criteria: readonly Criterion[], precision: number): Winner[] {
  return criteria.flatMap(({ name, unit, better, simulated, of }) => {
    const sign = better === "low" ? 1 : -1
    const valued = all.flatMap((s) => {
      const value = of(s)
      return value === undefined || Number.isNaN(value) ? [] : [{ network: s.network, value }]
    })
    valued.sort((a, b) => sign * (a.value - b.value))
    const [best] = valued
    if (best === undefined) return []
    const slack = simulated ? precision * best.value : 0
    const near = valued.filter((v) => Math.abs(v.value - best.value) <= slack)
    return [{ criterion: name, unit, networks: near.map((v) => v.network), value: best.value }]
  })
}
