// Columns of BFC (bfc.ts): the queue of each flow at an input, and the flows that are paused at both ends of a link.
// Flow f of port p has index p * flows + f.
import { i32, u8, u16 } from "../../../fabric/columns.ts"

/** Number of flows that a port distinguishes (default). */
export const FLOWS = 256
/** Number of queues of an input port (default), which are the bits of a word. */
export const FLOW_QUEUES = 32

export type FlowColumns = ReturnType<typeof flowColumns>

export function flowColumns(ports: number, queues: number, flows: number) {
  const columns = {
    // [input, flow] -> its queue + 1 while it has packets here or is paused; its packets; 1 if its sender is paused;
    // next paused flow of the queue + 1
    flowQueue: u8(ports * flows),
    flowPackets: u16(ports * flows),
    flowPaused: u8(ports * flows),
    pausedNext: u16(ports * flows),
    // [output, flow] -> 1 while it must not be sent
    outPaused: u8(ports * flows),
    // [input, queue] -> first paused flow + 1, packets, flows, output + 1 that its head packet requests
    pausedHead: u16(ports * queues),
    queuePackets: i32(ports * queues),
    queueFlows: u16(ports * queues),
    requested: u8(ports * queues),
    // [input] -> mask of queues that belong to flows
    taken: i32(ports),
  }
  return { ...columns, columns, flows }
}

/** Returns the flow number of a pair of endpoints: a hash modulo `flows`. Pairs with the same number share a flow. */
export function flowOf(src: number, dst: number, flows: number): number {
  let h = Math.imul(src + 0x9e37, 0x85ebca6b) ^ Math.imul(dst + 0x79b9, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  return ((h ^ (h >>> 13)) >>> 0) % flows
}
