// Columns of congestion isolation: the CAM lines of inputs and outputs, and the state of each destination at a port.
// Ids: q is an input port and x an output port; line i of port p has index p * L + i. A list of destinations is a bit
// set of W words.
import { i32, u8, u16 } from "../../../fabric/columns.ts"
import type { TransferSite } from "../../../fabric/transfer.ts"
import type { Ports } from "../../parts/ports.ts"
import { wheelMask, wheelWords } from "../../parts/ready-sets.ts"

/** Bits of the state of a line. */
export const SENT_STOP = 1
export const MAPPED = 2
/** An Allocate message waits for its acknowledgement. */
export const PENDING = 4

export type Lines = ReturnType<typeof lineColumns>

export function lineColumns({ layout: l, constants }: TransferSite, ports: Ports, L: number, timer: number) {
  const n = ports.count
  const N = l.graph.ends
  const words = (N + 31) >> 5
  const mask = wheelMask(timer + 1)
  const columns = {
    // Input lines. In the order of declaration: in use; hops to the congested point; its output port (version 1). Then
    // the output of the line (its number in the router), the linked line of that output + 1, the state bits, and the
    // length of the list. Then the cycle of its allocation, packets and flits in its queue, the cycle of its timer (0 =
    // not running), and the list.
    lineOn: u8(n * L),
    lineHops: u8(n * L),
    linePoint: u8(n * L),
    lineOut: u8(n * L),
    lineNext: u8(n * L),
    lineState: u8(n * L),
    lineLength: u16(n * L),
    lineAllocatedAt: i32(n * L),
    linePackets: i32(n * L),
    lineFlits: i32(n * L),
    lineDue: i32(n * L),
    lineList: i32(n * L * words),
    // Output lines, which are copies of those of the downstream input: in use, hops, congested output port, 1 = Stop,
    // length and list.
    outOn: u8(n * L),
    outHops: u8(n * L),
    outPoint: u8(n * L),
    outStop: u8(n * L),
    outLength: u16(n * L),
    outList: i32(n * L * words),
    // [port * endpoints + destination] -> line + 1 that owns it at the input, and at the output; line + 1 to which its
    // packets were moved, and the number of these packets.
    owner: u8(n * N),
    outOwner: u8(n * N),
    movedTo: u8(n * N),
    moved: u16(n * N),
    // [input] -> lines in use; flits in their queues; packets of the normal queue; output + 1 that its head packet
    // requests. Then the cycle of the last move + 1, the cycles with a line in use (up to the last change), and the
    // cycle of that change.
    lines: u8(n),
    setAside: i32(n),
    normal: i32(n),
    normalRequests: u8(n),
    lastMove: i32(n),
    camCycles: i32(n),
    camSince: i32(n),
    // [input] -> line queues that request their output, and those for which this must be determined again.
    lineRequests: i32(n),
    lineStale: i32(n),
    // Inputs that must check their normal queue again; timing wheel of timers.
    postPending: i32((n + 31) >> 5),
    postMarks: i32((n + 1023) >> 10),
    timerDue: wheelWords(l.parts, mask, constants.portWords),
    timerMarks: wheelWords(l.parts, mask, constants.portMarks),
    // [output] -> lines in use
    outLines: u8(n),
    // [partition, interval] -> lines allocated minus lines freed
    lineSeries: i32(l.parts * constants.seriesLength),
    // [port] -> lines allocated; destinations that already had an owner; packets set aside; packets moved between
    // lines; head packets that found no line or no space.
    allocated: i32(n),
    skipped: i32(n),
    aside: i32(n),
    cascaded: i32(n),
    refused: i32(n),
    most: u8(n),
  }
  return { ...columns, columns, L, W: words, N, mask }
}

/**
 * Messages that wait for a link: [2x] first, [2x + 1] last message of output x. Then the outputs with messages, and the
 * number of messages and flits that each port has sent.
 */
export type ControlColumns = ReturnType<typeof controlColumns>

export function controlColumns({ layout, constants }: TransferSite, ports: number) {
  return {
    notes: i32(2 * ports),
    messagePending: i32((ports + 31) >> 5),
    noteMarks: i32((ports + 1023) >> 10),
    controlCount: i32(ports),
    controlFlits: i32(ports),
    // [partition, interval] -> flits of messages sent
    noteSeries: i32(layout.parts * constants.seriesLength),
  }
}
