// Random configurations of tiled switches.
import type { Named, NetworkSpec, RunSpec } from "../../../model/experiment.ts"
import { finish, links, shortAndLong } from "./clocked-run.ts"
import { oneVc, protocol } from "./combined.ts"
import { hasGroups, type Network, networkOf } from "./networks.ts"
import type { RandomConfig } from "./random-config.ts"

function tiled(d: RandomConfig, net: Network, classes: number): Named {
  const stash = d.chance(0.5)
  const ends = d.pick([0.5, 0.875])
  const errs = stash && d.chance(0.4)
  return {
    name: "tiled",
    // acknowledgements have a separate VC in each class
    vcs: Math.min(14, Math.max(2, net.vcs) * classes + d.int(classes > 1 ? 0 : 1, 2)),
    // ports must be rows and columns of equal size
    ...d.pick([
      { rows: 1, columns: 1 },
      { rows: 1, columns: 1 },
      { rows: 1, columns: 1 },
      { rows: 2, columns: 1 },
    ]),
    ...d.maybe(0.5, () => ({ speed: d.pick([1, 1.3, 2]) })),
    ...d.maybe(0.3, () => ({ rowSharing: "vc" })),
    ...d.maybe(0.3, () => ({ eject: "last" })),
    ...d.maybe(0.3, () => ({ fair: false })),
    ...d.maybe(0.3, () => ({ release: "tail" })),
    ...d.maybe(0.3, () => ({ retention: false })),
    ...d.maybe(0.3, () => ({ iterations: 2 })),
    ...d.maybe(0.3, () => ({ pipeline: `${d.int(0, 3)}cycles` })),
    ...(stash
      ? {
          stash: { end: ends },
          capacity: d.pick([0.2, 1]),
          ...d.pick<object>([{ reliability: true }, { absorb: true }]),
          reserveAt: d.pick(["bus", "pool"]),
          ...d.maybe(0.3, () => ({ sidebandSpread: d.int(1, 8) })),
        }
      : {}),
    ...(errs
      ? { reliability: true, absorb: false, errors: { end: 0.01 }, lost: d.pick([0, 0.5]), timeout: "2000cycles" }
      : {}),
    ...d.maybe(0.2, () => ({ linkErrors: { [net.links.at(-1)!]: 0.02 } })),
  }
}

/** Protocols of endpoints that tiled switches know; some keep copies of speculative packets in the first switch. */
function tiledProtocol(d: RandomConfig, vcs: number): Named {
  const known = ["ideal", "srp", "smsrp", "lhrp", "srp", "smsrp", "lhrp", "ecn-delay", "rccc"]
  const name = d.pick(known)
  let made = protocol(d, vcs)
  while (made.name !== name) made = protocol(d, vcs)
  return "vcs" in made ? { ...made, retransmitFrom: d.pick(["stash", "stash", "endpoint"]) } : made
}

function managedTiled(d: RandomConfig): RunSpec {
  let net = networkOf(d, "regular")
  for (let tries = 0; !oneVc(net) && tries < 40; tries++) net = networkOf(d, "regular")
  const end = d.int(1000, 4000)
  const streams = d.pick([1, 1, 2])
  const reply = streams === 1 && d.chance(0.3)
  const classes = reply ? 2 : d.chance(0.5) ? streams : 1
  const congestion = tiledProtocol(d, net.vcs)
  const { reliability: _, absorb: __, errors: ___, lost: ____, timeout: _____, ...switched } = tiled(d, net, classes)
  const network: NetworkSpec = {
    topology: net.topology,
    routing: net.routing,
    switch: {
      ...switched,
      name: "tiled",
      vcs: Math.min(14, Math.max(2, net.vcs) * classes + 2 + net.vcs),
      stash: { end: 0.5 },
    },
    endpoint: { name: "queue-pairs", ack: "0flits", active: 16 },
    congestion,
    links: { ...links(d, net, [1, 5, 40, 100]), end: `${d.int(1, 5)}cycles` },
    cycle: "1ns",
    flit: "8B",
  }
  const traffic = shortAndLong(d, net, end)
  return finish(d, network, end, { ...traffic, streams, classes: reply ? 1 : classes }, reply, d.pick([0, 1]))
}

export function tiledSpec(d: RandomConfig): RunSpec {
  const plain = plainTiled(d)
  return d.chance(0.3) ? managedTiled(d) : plain
}

function plainTiled(d: RandomConfig): RunSpec {
  const net = networkOf(d, "regular")
  const end = d.int(1000, 4000)
  const streams = d.pick([1, 1, 2])
  // a routing of many VCs leaves none for a second class
  const fits = 2 * Math.max(2, net.vcs) <= 14
  const reply = fits && streams === 1 && d.chance(0.3)
  const classes = reply ? 2 : fits && d.chance(0.5) ? streams : 1
  const switched = tiled(d, net, classes)
  const answered = switched["reliability"] === true || switched["absorb"] === true
  const ecn = d.chance(0.25)
  const network: NetworkSpec = {
    topology: net.topology,
    routing: net.routing,
    switch: switched,
    endpoint: {
      name: "queue-pairs",
      ack: answered || ecn || d.chance(0.5) ? "1flit" : "0flits",
      ...d.maybe(0.3, () => ({ active: d.int(1, 4) })),
      ...d.maybe(0.2, () => ({ backlog: d.int(1, 64) })),
      ...(reply ? d.maybe(0.5, () => ({ turnaround: `${d.int(1, 200)}cycles` })) : {}),
    },
    congestion: ecn ? { name: "ecn-window", window: `${d.pick([100, 200, 400])}flits` } : { name: "none" },
    links: { ...links(d, net, [1, 5, 40, 200]), end: d.pick(["5cycles", "40cycles"]) },
    cycle: "1ns",
    flit: "10B",
  }
  const load = d.pick([0.1, 0.3, 0.6, 0.9])
  const traffic = {
    packets: ["4flits", "12flits", "24flits"],
    drawn: d.chance(0.4),
    messages: d.chance(0.3),
    groups: hasGroups(net),
    load,
    end,
  }
  return finish(d, network, end, { ...traffic, streams, classes: reply ? 1 : classes }, reply, d.pick([0, 1]))
}
