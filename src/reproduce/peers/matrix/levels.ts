// Random configurations of InfiniBand and Omni-Path switches.
import type { Named, NetworkSpec, RunSpec } from "../../../model/experiment.ts"
import { finish, links, shortAndLong } from "./clocked-run.ts"
import { networkOf } from "./networks.ts"
import type { RandomConfig } from "./random-config.ts"

function scheduler(d: RandomConfig, classes: number): Named {
  const each = Array.from({ length: classes }, (_, c) => c)
  return d.pick<Named>([
    { name: "dtable", table: [...each, ...each].map((c) => `${c}:${d.int(24, 60)}`).join(",") },
    {
      name: "vl-arbitration",
      high: `0:${d.int(1, 9)}`,
      low: each.map((c) => `${c}:${d.int(1, 40)}`).join(","),
      limit: d.pick([0, 1]),
    },
    { name: d.pick(["wfq", "scfq"]), weights: each.map(() => d.int(1, 9)) },
    { name: "drr", quanta: each.map(() => d.int(24, 60)) },
    { name: "ets", quanta: each.map(() => d.int(24, 60)), priority: each.map(() => d.int(0, 2)) },
    { name: d.pick(["round-robin", "strict", "age"]) },
  ])
}

/** Draws what crosses the crossbars. `message`: the keys that only crossbars of whole messages have. */
function byGrain(
  d: RandomConfig,
  message: () => Record<string, unknown>,
  packet: () => Record<string, unknown> = () => ({}),
): Record<string, unknown> {
  if (d.chance(0.5)) return { grain: "message", ...message() }
  return { ...d.maybe(0.5, () => ({ iterations: d.int(1, 4) })), ...packet() }
}

function infiniband(d: RandomConfig, vcs: number): Named {
  const speed = d.pick([1, 1.25, 1.5, 2])
  const least = d.pick([0, 24, 48])
  const buffer = () => `${vcs * least + d.pick([48, 96])}flits`
  return {
    name: "infiniband",
    vcs,
    reservedPerVl: `${least}flits`,
    input: buffer(),
    output: buffer(),
    speed,
    ...byGrain(d, () => ({
      ...(speed > 1 && d.chance(0.4) ? { start: "dry" } : {}),
      ...d.maybe(0.3, () => ({ release: "tail" })),
      ...d.maybe(0.3, () => ({ credits: "crossbar" })),
    })),
    ...d.maybe(0.3, () => ({ maxPerVl: `${least + 24}flits` })),
    ...d.maybe(0.4, () => ({ route: `${d.int(0, 3)}cycles`, traverse: `${d.int(0, 3)}cycles` })),
  }
}

function omniPath(d: RandomConfig, vcs: number): Named {
  const least = d.pick([0, 24, 48])
  const buffer = () => `${vcs * least + d.pick([48, 96])}flits`
  return {
    name: "omni-path",
    vcs,
    reservedPerVl: `${least}flits`,
    input: buffer(),
    output: buffer(),
    central: buffer(),
    // any number of ports is a multiple of one
    mport: d.pick([1, 1, 2]),
    ...byGrain(
      d,
      () => ({
        ...d.maybe(0.3, () => ({ uplink: "one" })),
        ...d.maybe(0.3, () => ({ reads: "one" })),
        ...d.maybe(0.3, () => ({ queues: "uplink" })),
      }),
      () => d.maybe(0.3, () => ({ room: "input" })),
    ),
    ...d.maybe(0.3, () => ({ rate: d.int(2, 3), centralRate: d.int(1, 3) })),
    ...d.maybe(0.3, () => ({ maxPerVl: `${least + 24}flits` })),
    ...d.maybe(0.4, () => ({
      route: `${d.int(0, 3)}cycles`,
      middle: `${d.int(1, 4)}cycles`,
      traverse: `${d.int(0, 3)}cycles`,
    })),
  }
}

export function infinibandSpec(d: RandomConfig): RunSpec {
  return levelsSpec(d, infiniband)
}

export function omniPathSpec(d: RandomConfig): RunSpec {
  return levelsSpec(d, omniPath)
}

function levelsSpec(d: RandomConfig, switchOf: (d: RandomConfig, vcs: number) => Named): RunSpec {
  const net = networkOf(d, "any")
  const end = d.int(800, 2500)
  const streams = d.pick([1, 2, 3])
  const reply = streams === 1 && d.chance(0.3)
  const classes = reply ? 2 : d.chance(0.8) ? streams : 1
  const network: NetworkSpec = {
    topology: net.topology,
    routing: net.routing,
    switch: switchOf(d, Math.min(15, net.vcs * classes)),
    endpoint: d.pick<Named>([
      { name: "simple" },
      { name: "simple", vc: "random" },
      { name: "queue-pairs", ack: d.pick(["0flits", "1flit"]) },
      reply ? { name: "simple" } : { name: "service-levels", queue: d.int(1, 20) },
      reply ? { name: "simple" } : { name: "service-levels" },
    ]),
    ...d.maybe(0.8, () => ({ qos: scheduler(d, classes) })),
    links: { ...links(d, net, [1, 5, 40, 100]), end: `${d.int(1, 5)}cycles` },
    cycle: "1ns",
    flit: "64B",
  }
  const traffic = shortAndLong(d, net, end)
  return finish(d, network, end, { ...traffic, streams, classes: reply ? 1 : classes }, reply)
}
