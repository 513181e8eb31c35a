// The time of a byte on the links of a packet network. It is apart from the machine, because the studio needs it
// before it has loaded the packet engine.
import type { Topology } from "../../model/topology.ts"
import type { ChunkParams } from "../../switches/chunk/plugin.ts"

interface Rated {
  readonly chunk: Pick<ChunkParams, "rates" | "bandwidth">
  /** ps of a cycle, bytes of a flit */
  readonly cycle: number
  readonly flit: number
}

/** Returns the ps per byte on the links of endpoints, of which loads are fractions. */
export function byteTime(n: Rated): number {
  return classTime(n, "end")
}

/** Returns the ps per byte on links of a class. */
export function classTime({ chunk, cycle, flit }: Rated, name: string): number {
  const rate = chunk.rates[name] ?? chunk.bandwidth
  return rate === undefined ? cycle / flit : 8e12 / rate
}

/** Returns the ps per byte on the slowest links. */
export function slowestByte(n: Rated & { readonly topology: Topology }): number {
  return Math.max(...n.topology.graph.classes.map((name) => classTime(n, name)))
}
