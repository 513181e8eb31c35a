// What the collectors of a packet run have counted, in bytes. A stream is synthetic traffic, a background job, or the
// messages of ranks, which come last.
import type { PacketNetwork } from "../../compile/packet/machine.ts"
import type { Sample } from "../port.ts"
import type { CollectMemory } from "./collect.ts"

export interface PacketSums {
  readonly network: PacketNetwork
  readonly memories: readonly CollectMemory[]
  readonly streams: number
  /** the first `traffic` streams have an offered load */
  readonly traffic: number
  /** intervals of the time series */
  readonly intervals: number
}

/** Returns the arrivals in interval `i`. */
export function arrivalsIn({ network, memories, streams, traffic, intervals }: PacketSums, i: number) {
  const sum = { packets: 0, latency: 0, all: 0, traffic: 0 }
  for (const { series } of memories)
    for (let s = 0; s < streams; s++) {
      const at = (s * intervals + i) * 3
      sum.packets += series[at]
      sum.all += series[at + 1]
      if (s < traffic) sum.traffic += series[at + 1]
      sum.latency += series[at + 2]
    }
  const latency = sum.packets === 0 ? Number.NaN : sum.latency / sum.packets / network.cycle
  return { ...sum, latency } satisfies Omit<Sample, "waiting">
}

/** Returns the bytes of the streams [first, end) that arrived in the window. */
export function acceptedOf({ memories, streams }: PacketSums, first: number, end: number): number {
  let sum = 0
  for (const { accepted } of memories)
    for (let i = 0; i < accepted.length; i++) {
      const s = i % streams
      if (s >= first && s < end) sum += accepted[i]
    }
  return sum
}
