// The networks of the stashing paper (M. A. Blumrich, N. Jiang and L. R. Dennison, "Exploiting Idle Resources in a
// High-Radix Switch for Supplemental Storage", 2018): the 3,080-endpoint dragonfly, and two smaller ones of the same
// kind. One set of assumptions serves all figures (papers/stashing/README.md).
import { Draws } from "../../../core/rng.ts"
import type { MeasureSpec, Named, NetworkSpec, RunSpec, TrafficSpec } from "../../../model/experiment.ts"
import { measuredFor, streamOf } from "../specs.ts"

export const nets = {
  small: { p: 2, a: 5, h: 2, rows: 2, columns: 2 },
  mid: { p: 3, a: 7, h: 3, rows: 3, columns: 3 },
  full: { p: 5, a: 11, h: 5, rows: 4, columns: 4 },
} as const
export type Net = keyof typeof nets

export const endsOf = (net: Net): number => nets[net].p * nets[net].a * (nets[net].a * nets[net].h + 1)

/** The share of a port's memory that is the stash's. */
export const partition = { end: 0.875, local: 0.75 }

export interface NetworkOptions {
  readonly net: Net
  /** part of the stash that may be used; absent = a switch without stash */
  readonly stash?: number
  readonly congestion?: Named
  readonly switch?: Readonly<Record<string, unknown>>
  readonly routing?: Readonly<Record<string, unknown>>
  readonly endpoint?: Readonly<Record<string, unknown>>
}

export function stashingNetwork(o: NetworkOptions): NetworkSpec {
  const { p, a, h, rows, columns } = nets[o.net]
  const routing = { name: "dragonfly.par62-direct", ...o.routing }
  // only local misrouting takes a second local hop in the last group
  const local = routing.name === "dragonfly.par62" ? [0, 1, 2, 3, 4, 5] : [0, 1, 2, 3, 4]
  const stash = o.stash === undefined ? {} : { stash: partition, capacity: o.stash }
  return {
    topology: { name: "dragonfly", p, a, h, roles: "random" },
    routing,
    switch: { name: "tiled", rows, columns, carries: { local, global: [2, 4] }, ...stash, ...o.switch },
    endpoint: { name: "queue-pairs", ...o.endpoint },
    congestion: o.congestion ?? { name: "none" },
    links: { end: "5ns", local: "40ns", global: "500ns" },
    cycle: "1ns",
    flit: "10B",
  }
}

/** What all figures have beyond the defaults of the plug-ins (papers/stashing/README.md, "Assumptions"): detours only
 *  where they lead around something, no limit for one VC on local ports, any free VC towards an endpoint. */
export const chosen = {
  routing: { draws: 3, idle: "96flits", maxRemoteQueue: "24flits" },
  switch: { blockedCap: { global: 0.4 }, eject: "free" },
}
/** Windows of ECN as the paper's text has them: they count flits, and every packet may take a non-minimal route. */
export const windows: Named = { name: "ecn-window" }

export function figureNetwork(o: NetworkOptions): NetworkSpec {
  return stashingNetwork({
    ...o,
    routing: { ...chosen.routing, ...o.routing },
    switch: { ...chosen.switch, ...o.switch },
  })
}

export function stream(name: string, load: number, more: Partial<TrafficSpec> = {}): TrafficSpec {
  return streamOf("24flits", name, load, more)
}

export function measured(warm: number, window: number): MeasureSpec {
  return measuredFor(warm, window, "1us")
}

/** Uniform traffic of single packets with end-to-end reliability, as in Fig. 5. */
export function stashingRun(
  o: NetworkOptions & { load: number; seed: number; warm?: number; window?: number },
): RunSpec {
  return {
    network: stashingNetwork({
      ...o,
      switch: { ...(o.stash === undefined ? {} : { reliability: true }), ...o.switch },
    }),
    engine: { name: "flit" },
    traffic: [stream("uniform", o.load)],
    measure: measured(o.warm ?? 20, o.window ?? 40),
    probes: [],
    seed: o.seed,
  }
}

/**
 * Endpoints of the congestion experiments: sinks and four times as many sources, drawn once among all endpoints; all
 * others are victims.
 */
export function placement(
  net: Net,
  sinks: number,
  seed = 7,
): { sinks: number[]; sources: number[]; victims: number[] } {
  const draws = new Draws(seed).at(0x7069, 0)
  const left = Array.from({ length: endsOf(net) }, (_, e) => e)
  const take = (): number => left.splice(draws.below(left.length), 1)[0]
  const hot: number[] = []
  const sources: number[] = []
  for (let s = 0; s < sinks; s++) {
    hot.push(take())
    for (let i = 0; i < 4; i++) sources.push(take())
  }
  return { sinks: hot, sources, victims: left }
}

/** A rising list of numbers as ranges: [1, 2, 3, 7] is ["1-3", 7]. */
export function ranges(rising: readonly number[]): (number | string)[] {
  const made: (number | string)[] = []
  for (let i = 0; i < rising.length; ) {
    let j = i
    while (rising[j + 1] === rising[j] + 1) j++
    made.push(i === j ? rising[i] : `${rising[i]}-${rising[j]}`)
    i = j + 1
  }
  return made
}
