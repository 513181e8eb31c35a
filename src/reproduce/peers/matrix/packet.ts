// Random configurations of the packet engine.
import type { Named, RunSpec } from "../../../model/experiment.ts"
import { hasGroups, networkOf } from "./networks.ts"
import type { RandomConfig } from "./random-config.ts"
import { measureOf, probesOf, trafficOf } from "./traffic.ts"

function time(d: RandomConfig, of: readonly number[]): string {
  return `${d.pick(of)}ps`
}

const NS = 1000

function switchOf(d: RandomConfig, vcs: number, kib: number): Named {
  return {
    name: "chunk",
    vcs,
    chunk: `${kib}KiB`,
    buffer: `${kib * d.pick([1, 2, 2, 4, 8, 16])}KiB`,
    bandwidth: d.pick(["12.5GiB/s", "25GiB/s", "10GB/s"]),
    delay: time(d, [0, 5 * NS, 90 * NS, 333]),
    // the look-ahead of null messages may be no more than this: 1 ps of it would take minutes
    credit: time(d, [50, 700, 2 * NS, 5 * NS, 90 * NS]),
    ...d.maybe(0.3, () => ({ endBuffer: `${kib * d.int(1, 3)}KiB` })),
    ...d.maybe(0.3, () => ({ creditSize: d.pick(["0B", "64B"]) })),
    ...d.pick<object>([
      {},
      {},
      { order: d.pick(["strict-high", "strict-low", "round-robin"]) },
      { order: d.pick(["strict-high", "strict-low"]), commit: "early" },
    ]),
    ...d.maybe(0.25, () => ({ switching: "cut-through" })),
    ...d.maybe(0.25, () => ({ jitter: "codes" })),
    ...d.maybe(0.2, () => ({ creditWire: "none" })),
    ...d.maybe(0.15, () => ({ propagation: "chunk" })),
    ...d.maybe(0.15, () => ({ endRate: "times-rails" })),
  }
}

function endpointOf(d: RandomConfig, kib: number): Named {
  return {
    name: "rails",
    ...d.maybe(0.7, () => ({
      select: d.pick(["path", "congestion", "random", "dedicated"]),
      metric: d.pick(["port", "queue"]),
    })),
    ...d.maybe(0.5, () => ({ packet: `${d.pick([1, 2, 3, 8])}KiB` })),
    ...d.maybe(0.5, () => ({ nic: time(d, [0, 10 * NS, 100 * NS]) })),
    ...d.maybe(0.5, () => ({ queue: `${kib * d.int(1, 8)}KiB` })),
    ...d.maybe(0.3, () => ({ pace: "link" })),
    ...d.maybe(0.5, () => ({ since: "handed" })),
  }
}

export function packetSpec(d: RandomConfig): RunSpec {
  const net = networkOf(d, "rails")
  const kib = d.pick([1, 2, 4])
  const streams = d.pick([1, 1, 2, 3])
  const classes = d.chance(0.2) ? Math.min(2, streams) : 1
  const vcs = Math.min(31, net.vcs * classes + d.int(0, 2))
  const cycle = d.pick([1, 1, 0.5, 2])
  // short packets are many events
  const short = d.chance(0.3)
  const end = Math.floor((short ? d.int(1000, 2000) : d.int(2000, 6000)) / cycle)
  return {
    network: {
      topology: net.topology,
      routing: net.routing,
      switch: switchOf(d, vcs, kib),
      endpoint: endpointOf(d, kib),
      links: Object.fromEntries(net.links.map((name) => [name, `${d.pick([0, 1, 3, 20, 40, 300])}ns`])),
      cycle: `${cycle}ns`,
      flit: d.pick(["64B", "64B", "32B"]),
    },
    engine: {
      name: "packet",
      optimism: `${d.pick([1, 20, 100, 250, 1000, 3000])}ns`,
      interval: d.pick([1, 20, 200, 1000, 4096]),
    },
    traffic: trafficOf(d, {
      packets: short
        ? d.pick([
            ["64B", "1KiB"],
            ["64B", "3KiB", "8KiB"],
          ])
        : ["1KiB", "2KiB", "4KiB"],
      groups: hasGroups(net),
      drawn: d.chance(0.5),
      messages: d.chance(0.3),
      load: d.pick([0.05, 0.2, 0.5, 0.8, 1]),
      streams,
      classes,
      end,
    }),
    measure: measureOf(d, end),
    probes: probesOf(d, []),
    seed: d.int(1, 1_000_000),
  }
}
