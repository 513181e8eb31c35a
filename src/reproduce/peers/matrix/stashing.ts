// Random small dragonflies of tiled switches, with everything that the stashing paper's have: tiles, VCs, pools,
// copies, absorbed packets, marks, detours, errors.
import { plainMeasure, plainStream } from "../../../compile/plain-run.ts"
import type { Named, RunSpec, TrafficSpec } from "../../../model/experiment.ts"
import { RandomConfig } from "./random-config.ts"

const nets = [
  { p: 1, a: 2, h: 1, rows: [1, 2, 3], columns: [1, 3] },
  { p: 2, a: 3, h: 1, rows: [1, 5], columns: [1, 5] },
  { p: 2, a: 3, h: 2, rows: [1, 2, 3], columns: [1, 2, 3, 6] },
  { p: 2, a: 5, h: 2, rows: [2, 4], columns: [1, 2, 4] },
] as const

function switchOf(d: RandomConfig, rows: number, columns: number, direct: boolean, free: boolean): Named {
  const use = d.pick(["none", "copies", "absorb", "both"])
  const errors = (use === "copies" || use === "both") && d.chance(0.4)
  return {
    name: "tiled",
    rows,
    columns,
    carries: { local: direct ? [0, 1, 2, 3, 4] : [0, 1, 2, 3, 4, 5], global: [2, 4] },
    buffer: `${d.pick([300, 600, 1000])}flits`,
    rowBuffer: `${d.pick([24, 48, 96])}flits`,
    columnBuffer: `${d.pick([24, 48, 96])}flits`,
    reserve: `${d.pick([24, 36])}flits`,
    ...d.maybe(0.5, () => ({ speed: d.pick([1, 1.25, 1.3, 2]) })),
    ...d.maybe(0.3, () => ({ rowSharing: "vc" })),
    ...(free ? { eject: "free" } : {}),
    ...d.maybe(0.3, () => ({ eject: "last" })),
    ...d.maybe(0.3, () => ({ fair: false })),
    ...d.maybe(0.5, () => ({ blockedCap: d.pick<object>([{}, { global: 0.3 }, { local: 0.6, global: 0.6 }]) })),
    ...d.maybe(0.2, () => ({ release: "tail" })),
    ...d.maybe(0.2, () => ({ retention: false })),
    ...d.maybe(0.2, () => ({ removeRoundTrip: false })),
    ...d.maybe(0.2, () => ({ iterations: d.int(2, 3) })),
    ...d.maybe(0.3, () => ({ pipeline: `${d.int(0, 4)}cycles` })),
    ...(use === "none"
      ? {}
      : {
          stash: d.pick<object>([{ end: 0.5 }, { end: 0.6, local: 0.4 }]),
          capacity: d.pick([0.25, 0.5, 1]),
          reliability: use !== "absorb",
          absorb: use !== "copies",
          reserveAt: d.pick(["bus", "pool"]),
          sideband: d.pick([1, 5, 50]),
          ...d.maybe(0.3, () => ({ sidebandSpread: d.int(1, 20) })),
        }),
    ...(errors ? { errors: { end: 0.01, local: 0.01 }, lost: d.pick([0, 0.5, 1]), timeout: "3000cycles" } : {}),
    ...d.maybe(0.2, () => ({ linkErrors: { [d.pick(["local", "global"])]: 0.02 } })),
  }
}

function trafficOf(d: RandomConfig, ends: number): TrafficSpec[] {
  const hot = d.int(0, ends - 1)
  const sources = Array.from({ length: ends }, (_, e) => e).filter((e) => e !== hot && e % 3 === 0)
  const background = plainStream({
    name: "all",
    pattern: d.pick<Named>([{ name: "uniform" }, { name: "group-adversarial" }, { name: "random-permutation" }]),
    packet: { name: "fixed", size: d.pick(["1flits", "7flits", "24flits"]) },
    message: { name: "fixed", size: d.pick(["1packets", "4packets"]) },
    load: d.pick([0.1, 0.4, 0.8]),
  })
  if (sources.length === 0 || d.chance(0.5)) return [background]
  const pattern = { name: "sinks", sinks: [hot], sources }
  return [
    background,
    plainStream({ name: "hot", pattern, packet: { name: "fixed", size: "24flits" }, load: 1, from: sources }),
  ]
}

/** Number `i` of those that a seed gives. */
export function stashingSpec(seed: number, i: number): RunSpec {
  const d = new RandomConfig(seed ^ 0x57a5, i)
  const { rows, columns, ...net } = d.pick(nets)
  const direct = d.chance(0.5)
  const ecn = d.chance(0.6)
  return {
    network: {
      topology: { name: "dragonfly", ...net, roles: d.pick(["fixed", "random"]) },
      routing: {
        name: direct ? "dragonfly.par62-direct" : "dragonfly.par62",
        bias: `${d.pick([0, 48, 192])}flits`,
        candidate: d.pick(["own", "drawn"]),
        idle: `${d.pick([24, 96, 400])}flits`,
        draws: d.int(1, 3),
        ...d.maybe(0.5, () => ({ maxRemoteQueue: `${d.pick([0, 24, 100])}flits` })),
        ...(direct ? {} : { local: `${d.pick([0, 48, 192])}flits` }),
      },
      switch: switchOf(d, d.pick(rows), d.pick(columns), direct, i % 2 === 0),
      endpoint: {
        name: "queue-pairs",
        ...d.maybe(0.5, () => ({ active: d.int(1, 8) })),
        ...d.maybe(0.1, () => ({ reorder: d.int(1, 8) })),
      },
      congestion: ecn
        ? { name: "ecn-window", window: `${d.pick([100, 400])}flits`, direct: d.pick([0, 0.9]) }
        : { name: "none" },
      links: {
        end: `${d.int(1, 9)}cycles`,
        local: `${d.pick([1, 10, 40])}cycles`,
        global: `${d.pick([5, 50, 120])}cycles`,
      },
      cycle: "1ns",
      flit: "10B",
    },
    engine: { name: "flit" },
    traffic: trafficOf(d, net.p * net.a * (net.a * net.h + 1)),
    measure: plainMeasure({}),
    probes: [],
    seed: d.int(1, 1_000_000),
  }
}
