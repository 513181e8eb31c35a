// The clocked engine for a compiled run, by what its switch moves, and the partitions it runs in.
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

/** VCs of one partition: its state is then about half of the second-level cache of a core */
const PART_SLOTS = 16384
const MOST_PARTS = 255
/** routers of one partition: memory is laid out for whole multiples of 32 (fabric/layout.ts) */
const PART_ROUTERS = 16

/** Workers that can share the run. A routing that reads queues of other routers needs all of them in one place. */
export function mostWorkers(c: Compiled): number {
  return c.network.routingPlugin.oracle === true ? 1 : unitsOf(c.network.topology.graph).count
}

/** More partitions than workers, so that the state of one stays in the cache for a window. Whole packets: one for each group; flits: as many as the size of
 *  the network asks for. A worker runs partitions that lie beside each other: the fewer channels lead to another worker the better. */
export function partsFor(c: Compiled, workers: number): { parts: number; assign?: Uint8Array; workers: number } {
  const { topology } = c.network
  const packets = c.network.switch.moves === "packets"
  // a routing that reads queues of other routers must see all of them in the same cycle
  const parts = c.network.routingPlugin.oracle === true ? 1 : packets ? groupParts(topology, workers) : flitParts(c, workers)
  if (parts === 1) return { parts, workers }
  return { parts, assign: partition(topology, parts), workers }
}

function groupParts(topology: Topology, workers: number): number {
  const groups = Math.min(groupsOf(topology)?.count ?? 0, 255)
  return groups >= workers && groups > 1 ? groups : workers
}

function flitParts(c: Compiled, workers: number): number {
  const { graph } = c.network.topology
  const each = Math.floor((graph.routers * slotsOf(graph, c.network.switch.vcs)) / PART_SLOTS / workers)
  return workers * Math.max(1, Math.min(each, Math.floor(MOST_PARTS / workers), Math.floor(graph.routers / PART_ROUTERS / workers)))
}
