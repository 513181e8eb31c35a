// State of congestion isolation: the CAM lines at inputs and outputs, and what a port knows of each destination.
// Ids: q an input port, x an output port; line i of a port p is p * L + i; lists of destinations are sets of bits, W words each.
import { i32, u8, u16 } from "../../../fabric/columns.ts"
import type { TransferSite } from "../../../fabric/transfer.ts"
import type { Ports } from "../../parts/ports.ts"
import { wheelMask, wheelWords } from "../../parts/sweep.ts"

/** Bits of a line's word of state. */
export const SENT_STOP = 1
export const MAPPED = 2
/** an Allocate waits for its answer */
export const PENDING = 4

export type Lines = ReturnType<typeof lineColumns>

export function lineColumns({ layout: l, constants }: TransferSite, ports: Ports, L: number, timer: number) {
  const n = ports.count
  const N = l.graph.ends
  const words = (N + 31) >> 5
  const mask = wheelMask(timer + 1)
  const columns = {
    // input lines: active, hops to the congested point, its output port (version 1), output (its number in the router), line of that output that it is linked to + 1, state, length of the
    // list, the cycle of its birth, packets and flits of its queue, the cycle in which its timer is due (0 = it does not run)
    lineOn: u8(n * L),
    lineHops: u8(n * L),
    linePoint: u8(n * L),
    lineOut: u8(n * L),
    lineNext: u8(n * L),
    lineState: u8(n * L),
    lineLength: u16(n * L),
    lineBirth: i32(n * L),
    linePackets: i32(n * L),
    lineFlits: i32(n * L),
    lineDue: i32(n * L),
    lineList: i32(n * L * words),
    // output lines, copies of those of the input behind the link: active, hops, congested output port, 1 = Stop, length, list
    outOn: u8(n * L),
    outHops: u8(n * L),
    outPoint: u8(n * L),
    outStop: u8(n * L),
    outLength: u16(n * L),
    outList: i32(n * L * words),
    // [port * endpoints + destination] -> line + 1 that owns it at the input, at the output; line + 1 that its packets were moved on to, and how many of them are there
    owner: u8(n * N),
    outOwner: u8(n * N),
    movedTo: u8(n * N),
    moved: u16(n * N),
    // [input] -> lines in use, flits in their queues, packets of the normal queue, output + 1 that its front asks for, the cycle of the last move + 1,
    // cycles with a line in use (up to the last change), the cycle of that change
    lines: u8(n),
    setAside: i32(n),
    normal: i32(n),
    normalAsks: u8(n),
    lastMove: i32(n),
    camCycles: i32(n),
    camSince: i32(n),
    // [input] -> queues of lines that ask, and those of which this must be found out again
    lineAsks: i32(n),
    lineStale: i32(n),
    // inputs that must look at their normal queue again; timers
    postDirty: i32((n + 31) >> 5),
    postMarks: i32((n + 1023) >> 10),
    timerDue: wheelWords(l.parts, mask, constants.portWords),
    timerMarks: wheelWords(l.parts, mask, constants.portMarks),
    // [output] -> lines in use
    outLines: u8(n),
    // [partition, interval] -> lines born less lines that died
    lineSeries: i32(l.parts * constants.seriesLength),
    // [port] -> lines born, destinations that had an owner already, packets set aside, moved on, heads that found no line or room
    born: i32(n),
    skipped: i32(n),
    aside: i32(n),
    cascaded: i32(n),
    refused: i32(n),
    most: u8(n),
  }
  return { ...columns, columns, L, W: words, N, mask }
}

/** Messages that wait for a link: [2x] first, [2x + 1] last; links that have some; how many each port sent, and their flits. */
export type NoteColumns = ReturnType<typeof noteColumns>

export function noteColumns({ layout, constants }: TransferSite, ports: number) {
  return {
    notes: i32(2 * ports),
    noteDirty: i32((ports + 31) >> 5),
    noteMarks: i32((ports + 1023) >> 10),
    noteCount: i32(ports),
    noteFlits: i32(ports),
    // [partition, interval] -> flits of those that set out
    noteSeries: i32(layout.parts * constants.seriesLength),
  }
}
