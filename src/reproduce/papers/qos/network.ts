// The networks, switches and traffic of "QoS Provision in Hierarchical and non-Hierarchical Switch Architectures",
// section 5: seven service levels on four topologies, the same table in every link and endpoint. A cycle is a flit of
// 64 bytes at 12.5 GB/s.
import { type Goals, readGoals } from "../../../inspect/qos/goals.ts"
import { type Configuration, configure } from "../../../inspect/qos/search.ts"
import { place } from "../../../inspect/qos/table-layout.ts"
import { tableText } from "../../../model/arbitration.ts"
import type { PaperPlan } from "../paper.ts"

export const cites =
  "QoS Provision in Hierarchical and non-Hierarchical Switch Architectures, J. " +
  "Cano-Cano, F. J. Andújar, F. J. Alfaro and J. L. Sánchez"

export const NS = 5.12
/** Calibrated once, on the InfiniBand switch and the 4-ary 3-tree, where NC has 780.41 ns at 0.7, and frozen: ten cycles
 *  give 791 ns (one seed, 8,000 cycles). Routing units look at header flits, so the flits behind a head wait for the
 *  input buffer alone. */
const LINK = "10cycles"
const BODY = "1cycle"

/** Name, share, distance and MTU (Table 4, Table 2); flits of a packet. */
export const levels = [
  ["NC", 0.094, 2, 192],
  ["VO", 0.164, 4, 128],
  ["VI", 0.3, 8, 2048],
  ["CL", 0.35, 16, 2048],
  ["EE", 0.04, 32, 1024],
  ["BE", 0.036, 64, 1024],
  ["BK", 0.016, 64, 1024],
] as const
export const names: readonly string[] = levels.map(([name]) => name)

export function goals(): Goals {
  const wishes = Object.fromEntries(
    levels.map(([name, share, distance, mtu]) => [name, { share, distance, mtu: `${mtu}B` }]),
  )
  const got = readGoals({ entries: 64, gmtu: "2048B", levels: wishes })
  if ("bad" in got) throw new Error(got.bad.map((c) => c.says).join("; "))
  return got.ok
}

export function configuration(): Configuration {
  const found = configure(goals())
  if (found === undefined) throw new Error("the shares of Table 4 fit into no table")
  return found
}

/** Fixed loads of the first four; the other three share the rest of the total. */
const fixed = [0.01, 0.016, 0.23, 0.28]

export function bestEffort(total: number): number {
  return Math.round((1e6 * (total - 0.536)) / 3) / 1e6
}

function traffic(): Record<string, unknown>[] {
  const arrivals = ["poisson", "periodic", "periodic", "periodic", "poisson", "poisson", "poisson"]
  return levels.map(([name, , , mtu], c) => ({
    name,
    class: c,
    packet: `${mtu}B`,
    load: fixed[c] ?? 0.0125,
    arrivals: arrivals[c],
    // each connection has a constant rate and one partner
    ...(arrivals[c] === "periodic" ? { pattern: { name: "connections", count: 4 } } : {}),
    ...(c > 3 ? { message: "4packets" } : {}),
  }))
}

export interface Size {
  readonly topology: Readonly<Record<string, unknown>>
  readonly routing: string
  /** cycles of warm-up and window */
  readonly times: readonly [number, number]
  readonly seeds: number
}

export type Switch = "infiniband" | "omni-path"
export const switches: readonly Switch[] = ["infiniband", "omni-path"]

/** Keys of the experiment, or parts of them, that stand instead of the paper's. */
export interface Instead {
  readonly network?: Readonly<Record<string, unknown>>
  readonly switch?: Readonly<Record<string, unknown>>
  readonly traffic?: (streams: Record<string, unknown>[]) => Record<string, unknown>[]
}

/** Seven levels on one network and switch, at each of these total loads. */
export function experimentOf(
  sw: Switch,
  size: Size,
  totals: readonly number[],
  instead: Instead = {},
): Record<string, unknown> {
  const [warmup, window] = size.times
  const best = totals.map(bestEffort)
  return {
    lacewing: 1,
    title: `seven service levels, ${sw}`,
    network: {
      topology: size.topology,
      routing: size.routing,
      switch: { name: sw, body: BODY, ...instead.switch },
      endpoint: "service-levels",
      qos: { name: "dtable", table: tableText(place(configuration().levels, 64, (c) => c.level.sl)) },
      links: { end: LINK, link: LINK },
      cycle: `${NS}ns`,
      flit: "64B",
      ...instead.network,
    },
    traffic: instead.traffic?.(traffic()) ?? traffic(),
    measure: {
      warmup: `${warmup}cycles`,
      window: `${window}cycles`,
      limit: `${warmup + window}cycles`,
      drain: "none",
      saturation: "never",
    },
    zip: { "traffic.4.load": best, "traffic.5.load": best, "traffic.6.load": best },
    seeds: size.seeds,
  }
}

export function planOf(which: readonly Switch[], size: Size, totals: readonly number[], scaled?: string): PaperPlan {
  const experiments = Object.fromEntries(which.map((sw) => [sw, experimentOf(sw, size, totals)]))
  return { experiments, ...(scaled === undefined ? {} : { scaled }) }
}
