// State of back-pressure by flow: which queue a flow has at an input, and which flows are paused at both ends of a link.
// Ids: flow f of port p is p * flows + f.
import { i32, u8, u16 } from "../../../fabric/columns.ts"

/** Flows that a port tells apart, unless given. */
export const FLOWS = 256
/** Queues of an input port, unless given: as many as a word has bits. */
export const FLOW_QUEUES = 32

export type FlowColumns = ReturnType<typeof flowColumns>

export function flowColumns(ports: number, queues: number, flows: number) {
  const columns = {
    // [input, flow] -> its queue + 1 while it has packets here or is paused, its packets, 1 if its sender was paused, next paused flow of the queue + 1
    flowQueue: u8(ports * flows),
    flowPackets: u16(ports * flows),
    flowPaused: u8(ports * flows),
    pausedNext: u16(ports * flows),
    // [output, flow] -> 1 while it must not be sent
    outPaused: u8(ports * flows),
    // [input, queue] -> first paused flow + 1, packets, flows, output + 1 that its front asks for
    pausedHead: u16(ports * queues),
    queuePackets: i32(ports * queues),
    queueFlows: u16(ports * queues),
    asked: u8(ports * queues),
    // [input] -> queues that flows have
    taken: i32(ports),
  }
  return { ...columns, columns, flows }
}

/** A flow is a pair of endpoints; so many numbers are told apart. */
export function flowOf(src: number, dst: number, flows: number): number {
  let h = Math.imul(src + 0x9e37, 0x85ebca6b) ^ Math.imul(dst + 0x79b9, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  return ((h ^ (h >>> 13)) >>> 0) % flows
}
