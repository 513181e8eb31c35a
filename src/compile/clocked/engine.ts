// Creates the clocked engine for a compiled run, flit or packet-moving according to its switch, and selects its
// partitions. run/clocked calls it.
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { slotsOf } from "../../fabric/layout.ts"
import type { Topology } from "../../model/topology.ts"
import type { Compiled } from "../compile.ts"
import { flitEngine } from "./flits.ts"
import { groupsOf, partition, unitsOf } from "./partition.ts"
import { transferEngine } from "./transfers.ts"

export interface ClockedOptions {
  readonly parts: number
  readonly assign?: Uint8Array
  readonly workers: number
  readonly horizon: number
  readonly series: number
  readonly adopt?: readonly ArrayBufferLike[]
}

export function clockedEngine(c: Compiled, o: ClockedOptions): ClockedEngine {
  return c.network.switch.moves === "packets" ? transferEngine(c, o) : flitEngine(c, o)
}

/** VC slots of one partition, so that its state fills about half of the second-level cache of a core */
const PART_SLOTS = 16384
const MOST_PARTS = 255
/** minimum number of routers of one partition, because memory is laid out in multiples of 32 (fabric/layout.ts) */
const PART_ROUTERS = 16

/**
 * Returns the maximum number of workers. A routing that reads queues of other routers needs all of them in one
 * partition.
 */
export function mostWorkers(c: Compiled): number {
  return c.network.boundRouting.oracle ? 1 : unitsOf(c.network.topology.graph).count
}

/**
 * Selects partitions: more than workers, so that the state of one stays in the cache for a window. Packet-moving
 * engine: one for each group; flit engine: according to the size of the network. A worker executes consecutive
 * partitions, so that few channels lead to other workers.
 */
export function partsFor(c: Compiled, workers: number): { parts: number; assign?: Uint8Array; workers: number } {
  const { topology } = c.network
  const packets = c.network.switch.moves === "packets"
  // A routing that reads queues of other routers must see all of them in the same cycle.
  const parts = c.network.boundRouting.oracle ? 1 : packets ? groupParts(topology, workers) : flitParts(c, workers)
  if (parts === 1) return { parts, workers }
  return { parts, assign: partition(topology, parts), workers }
}

/** Returns one partition per group if there are at least as many groups as workers, otherwise one per worker. */
function groupParts(topology: Topology, workers: number): number {
  const groups = Math.min(groupsOf(topology)?.count ?? 0, 255)
  return groups >= workers && groups > 1 ? groups : workers
}

/** Returns a multiple of the number of workers, limited by the cache size and the number of routers. */
function flitParts(c: Compiled, workers: number): number {
  const { graph } = c.network.topology
  const each = Math.floor((graph.routers * slotsOf(graph, c.network.switch.vcs)) / PART_SLOTS / workers)
  return (
    workers *
    Math.max(1, Math.min(each, Math.floor(MOST_PARTS / workers), Math.floor(graph.routers / PART_ROUTERS / workers)))
  )
}
