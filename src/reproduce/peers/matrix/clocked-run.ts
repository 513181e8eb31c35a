// What all random configurations of clocked engines share: links, traffic and measurement around a switch.
import type { NetworkSpec, RunSpec } from "../../../model/experiment.ts"
import { hasGroups, type Network } from "./networks.ts"
import type { RandomConfig } from "./random-config.ts"
import { measureOf, probesOf, trafficOf } from "./traffic.ts"

export function links(d: RandomConfig, net: Network, of: readonly number[]): Record<string, string> {
  return Object.fromEntries(net.links.map((name) => [name, `${d.pick(of)}cycles`]))
}

/** `urgent`: priority of class 1. */
export function finish(
  d: RandomConfig,
  network: NetworkSpec,
  end: number,
  traffic: Parameters<typeof trafficOf>[1],
  reply: boolean,
  urgent = 0,
): RunSpec {
  return {
    network,
    engine: { name: "flit" },
    traffic: trafficOf(d, traffic).map((t) => ({
      ...t,
      ...(reply ? { reply: `${d.int(1, 4)}flits` } : {}),
      ...(t.class === 1 ? { priority: urgent } : {}),
    })),
    measure: measureOf(d, end),
    // a probe of groups belongs to networks that have some
    probes: probesOf(d, [{ name: "occupancy" }, { name: "events", rows: 500 }]).filter(
      (p) => p.name !== "groups" || traffic.groups,
    ),
    seed: d.int(1, 1_000_000),
  }
}

/** Packets of three lengths, at loads from calm to full. */
export function shortAndLong(d: RandomConfig, net: Network, end: number) {
  return {
    packets: ["1flits", "12flits", "24flits"],
    drawn: d.chance(0.4),
    messages: d.chance(0.3),
    groups: hasGroups(net),
    load: d.pick([0.1, 0.3, 0.6, 0.9]),
    end,
  }
}
