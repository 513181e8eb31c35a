// Messages between neighbours about the lines of a congestion tree, in band: they wait for the link and go before data.
// A message names a line (of the input that it is about), and carries up to 16 destinations in the words of its record that the wires do not use; longer
// lists follow in further pieces. A header has 8 flits and a destination 2 unless told otherwise.
import { BIRTH, DST, ENTER, FLITS, HOPS, KEY, NEXT, PLACE, SEQUENCE, SRC } from "../../../fabric/packets.ts"
import type { TransferWires } from "../../../fabric/transfer.ts"
import { KIND } from "../../../model/protocol.ts"
import { mark } from "../../parts/sweep.ts"
import type { Frame } from "../frame.ts"
import type { NoteColumns } from "./columns.ts"
import { PIECE } from "./pieces.ts"

export const NOTE = {
  /** the whole line (version 1), to be answered or not; the same line stops */
  line: KIND.own,
  allocate: KIND.own + 1,
  /** more destinations of the line before */
  more: KIND.own + 2,
  accept: KIND.own + 3,
  update: KIND.own + 4,
  stop: KIND.own + 5,
  go: KIND.own + 6,
  deallocate: KIND.own + 7,
  /** what an Allocate made is given back (RECN) */
  token: KIND.own + 8,
  /** of a flow (BFC) */
  pause: KIND.own + 9,
  resume: KIND.own + 10,
} as const

/** words of a record that hold destinations, two each */
const ROOM = [DST, KEY, SRC, BIRTH, ENTER, HOPS, PLACE, SEQUENCE] as const

/** value of a message: line, hops, destinations in this piece, congested output port (version 1) */
export function noteValue(line: number, hops: number, count: number, point: number): number {
  return line | (hops << 8) | (count << 16) | (point << 24)
}
export const lineOf = (value: number): number => value & 255
export const hopsOf = (value: number): number => (value >> 8) & 255
export const countOf = (value: number): number => (value >> 16) & 31
export const pointOf = (value: number): number => value >>> 24

export function destinationAt(packets: Int32Array, p: number, n: number): number {
  return (packets[p + ROOM[n >> 1]!]! >>> ((n & 1) << 4)) & 0xffff
}

function putDestination(packets: Int32Array, p: number, n: number, d: number): void {
  const at = p + ROOM[n >> 1]!
  packets[at] = (n & 1) === 0 ? d : packets[at]! | (d << 16)
}

export interface Notes {
  /** a message about line i of input q, to whoever feeds that input; `list`: first word of the destinations that it carries, -1 = none */
  up(q: number, kind: number, i: number, hops: number, point: number, list: number): void
  /** the same with one destination */
  upOne(q: number, kind: number, i: number, d: number): void
  /** an answer to whoever is behind output x */
  down(x: number, kind: number, i: number): void
  /** about line i, with the n turns of its way */
  upTurns(q: number, kind: number, i: number, turns: Uint8Array, at: number, n: number): void
  /** any other one, to whoever is behind port x */
  say(x: number, kind: number, value: number, flits: number): void
  /** the first message that waits for output x; 0 = none */
  take(x: number): number
}

/** Those of FBICM. */
export type LineNotes = Pick<Notes, "up" | "upOne" | "down">

/** `lists`: destinations of lines, W words each. */
export function makeNotes(
  { site, p: params }: Pick<Frame, "site" | "p">,
  columns: NoteColumns,
  lists: Int32Array | undefined,
  wires: TransferWires,
): Notes {
  const { packets } = site.columns
  const { notes, noteDirty, noteMarks, noteCount, noteFlits } = columns
  const lineList = lists ?? new Int32Array(0)
  const W = (site.layout.graph.ends + 31) >> 5
  const HEADER = params.header ?? 8
  const EACH = params.each ?? 2
  // places of the field of a list that travel empty
  const PLACES = params.stopList === "field" ? site.layout.graph.ends : 0
  const { note } = wires

  function push(x: number, kind: number, value: number, flits: number): number {
    const p = note(kind, value, flits)
    if (p === 0) throw new Error("no record is left for a message between neighbours: this is a bug in lacewing")
    packets[p + NEXT] = 0
    if (notes[2 * x] === 0) notes[2 * x] = p
    else packets[notes[2 * x + 1]! + NEXT] = p
    notes[2 * x + 1] = p
    mark(noteDirty, noteMarks, x)
    noteFlits[x]! += flits
    return p
  }

  function up(q: number, kind: number, i: number, hops: number, point: number, list: number): void {
    noteCount[q]!++
    let p = push(q, kind, noteValue(i, hops, 0, point), HEADER)
    if (list < 0) return
    let n = 0
    let listed = 0
    for (let w = 0; w < W; w++)
      for (let m = lineList[list + w]!; m !== 0; m &= m - 1) {
        if (n === PIECE) {
          p = push(q, NOTE.more, noteValue(i, hops, 0, point), 0)
          n = 0
        }
        add(q, p, n++, (w << 5) + 31 - Math.clz32(m & -m), i, hops, point)
        listed++
      }
    for (let empty = PLACES - listed; empty > 0; empty -= PIECE)
      push(q, NOTE.more, noteValue(i, hops, 0, point), Math.min(empty, PIECE) * EACH)
  }

  /** Destination number n of a piece. */
  function add(q: number, p: number, n: number, d: number, i: number, hops: number, point: number): void {
    putDestination(packets, p, n, d)
    packets[p + site.constants.value] = noteValue(i, hops, n + 1, point)
    packets[p + FLITS]! += EACH
    noteFlits[q]! += EACH
  }

  function upOne(q: number, kind: number, i: number, d: number): void {
    noteCount[q]!++
    add(q, push(q, kind, noteValue(i, 0, 0, 0), HEADER), 0, d, i, 0, 0)
  }

  function down(x: number, kind: number, i: number): void {
    noteCount[x]!++
    push(x, kind, noteValue(i, 0, 0, 0), HEADER)
  }

  function upTurns(q: number, kind: number, i: number, turns: Uint8Array, at: number, n: number): void {
    noteCount[q]!++
    const p = push(q, kind, noteValue(i, n, 0, 0), HEADER)
    for (let k = 0; k < n; k++) add(q, p, k, turns[at + k]!, i, n, 0)
  }

  function say(x: number, kind: number, value: number, flits: number): void {
    noteCount[x]!++
    push(x, kind, value, flits)
  }

  function take(x: number): number {
    const p = notes[2 * x]!
    if (p !== 0) notes[2 * x] = packets[p + NEXT]!
    return p
  }

  return { up, upOne, down, upTurns, say, take }
}
