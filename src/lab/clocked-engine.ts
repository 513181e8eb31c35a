// The clocked engine for a compiled run, by what its switch moves, and the partitions it runs in.
import type { ClockedEngine } from "../engines/flit/clocked.ts"
import type { Topology } from "../model/topology.ts"
import type { Compiled } from "./compile.ts"
import { flitEngine } from "./flit-engine.ts"
import { partition } from "./flit-team.ts"
import { transferEngine } from "./transfer-engine.ts"

export interface ClockedOptions {
  readonly parts: number
  readonly assign?: Uint8Array
  readonly horizon: number
  readonly seriesShift: number
  readonly adopt?: readonly ArrayBufferLike[]
}

export function clockedEngine(c: Compiled, o: ClockedOptions): ClockedEngine {
  return c.network.switch.moves === "packets" ? transferEngine(c, o) : flitEngine(c, o)
}

/** Flits: a partition for each worker. Whole packets: one for each group, also on one worker; its state then stays in the cache for a window. */
export function partsFor(c: Compiled, workers: number): { parts: number; assign?: Uint8Array } {
  const { topology } = c.network
  const groups = c.network.switch.moves === "packets" ? groupsOf(topology) : 0
  const parts = groups >= workers && groups > 1 ? groups : workers
  return parts > 1 ? { parts, assign: partition(topology, parts) } : { parts: 1 }
}

function groupsOf(topology: Topology): number {
  const groups = topology.group?.reduce((most, g) => Math.max(most, g + 1), 0) ?? 0
  return Math.min(groups, 255)
}
