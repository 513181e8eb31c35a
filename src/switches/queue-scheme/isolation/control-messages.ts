// In-band messages between neighbours about the lines of a congestion tree. They wait for the link and precede data. A
// message names a line of an input. It carries up to 16 destinations in words of its record that are unused on a link;
// longer lists follow in further pieces. By default, a header has 8 flits and a destination 2.
import { CREATED, DST, ENTER, FLITS, HOPS, KEY, NEXT, PLACE, SEQUENCE, SRC } from "../../../fabric/packets.ts"
import type { SwitchPorts } from "../../../fabric/transfer.ts"
import { KIND } from "../../../model/protocol.ts"
import { mark } from "../../parts/ready-sets.ts"
import type { SharedState } from "../shared-state.ts"
import type { ControlColumns } from "./columns.ts"
import { PIECE } from "./pieces.ts"

export const CONTROL = {
  /** The whole line (version 1) without and with acknowledgement. Both also stop the line. */
  line: KIND.own,
  allocate: KIND.own + 1,
  /** Further destinations of the preceding line. */
  more: KIND.own + 2,
  accept: KIND.own + 3,
  update: KIND.own + 4,
  stop: KIND.own + 5,
  go: KIND.own + 6,
  deallocate: KIND.own + 7,
  /** Releases the copy that an Allocate has created (RECN). */
  token: KIND.own + 8,
  /** Pause and resume of a flow (BFC). */
  pause: KIND.own + 9,
  resume: KIND.own + 10,
} as const

/** Words of a record that hold two destinations each. */
const UNUSED_WORDS = [DST, KEY, SRC, CREATED, ENTER, HOPS, PLACE, SEQUENCE] as const

/** Packs the value of a message: line, hops, destinations in this piece, congested output port (version 1). */
export function controlValue(line: number, hops: number, count: number, point: number): number {
  return line | (hops << 8) | (count << 16) | (point << 24)
}
export const lineOf = (value: number): number => value & 255
export const hopsOf = (value: number): number => (value >> 8) & 255
export const countOf = (value: number): number => (value >> 16) & 31
export const pointOf = (value: number): number => value >>> 24

/** Returns destination n of a message. */
export function destinationAt(packets: Int32Array, p: number, n: number): number {
  return (packets[p + UNUSED_WORDS[n >> 1]] >>> ((n & 1) << 4)) & 0xffff
}

function putDestination(packets: Int32Array, p: number, n: number, d: number): void {
  const at = p + UNUSED_WORDS[n >> 1]
  packets[at] = (n & 1) === 0 ? d : packets[at] | (d << 16)
}

export interface ControlMessages {
  /**
   * Sends a message about line i of input q to the upstream neighbour. `list` is the first word of the destinations
   * that it carries; -1 = none.
   */
  up(q: number, kind: number, i: number, hops: number, point: number, list: number): void
  /** The same with one destination. */
  upOne(q: number, kind: number, i: number, d: number): void
  /** Sends a reply to the downstream neighbour of output x. */
  down(x: number, kind: number, i: number): void
  /** Sends a message about line i with the n turns of its path. */
  upTurns(q: number, kind: number, i: number, turns: Uint8Array, at: number, n: number): void
  /** Sends any other message to the neighbour of port x. */
  say(x: number, kind: number, value: number, flits: number): void
  /** Removes and returns the first message that waits for output x; 0 = none. */
  take(x: number): number
}

/** The messages of FBICM. */
export type LineMessages = Pick<ControlMessages, "up" | "upOne" | "down">

/** `lists` are the destinations of lines, W words each. */
export function makeControlMessages(
  { site, p: params }: Pick<SharedState, "site" | "p">,
  columns: ControlColumns,
  lists: Int32Array | undefined,
  links: SwitchPorts,
): ControlMessages {
  const { packets } = site.columns
  const { notes, messagePending, noteMarks, controlCount, controlFlits } = columns
  const lineList = lists ?? new Int32Array(0)
  const W = (site.layout.graph.ends + 31) >> 5
  const HEADER = params.header ?? 8
  const EACH = params.each ?? 2
  // Places of a list that are sent although they are empty (stopList: field).
  const PLACES = params.stopList === "field" ? site.layout.graph.ends : 0
  const { note } = links

  /** Appends a message to the queue of port x. */
  function push(x: number, kind: number, value: number, flits: number): number {
    const p = note(kind, value, flits)
    if (p === 0) throw new Error("no record is left for a message between neighbours: this is a bug in lacewing")
    packets[p + NEXT] = 0
    if (notes[2 * x] === 0) notes[2 * x] = p
    else packets[notes[2 * x + 1] + NEXT] = p
    notes[2 * x + 1] = p
    mark(messagePending, noteMarks, x)
    controlFlits[x] += flits
    return p
  }

  function up(q: number, kind: number, i: number, hops: number, point: number, list: number): void {
    controlCount[q]++
    let p = push(q, kind, controlValue(i, hops, 0, point), HEADER)
    if (list < 0) return
    let n = 0
    let listed = 0
    for (let w = 0; w < W; w++)
      for (let m = lineList[list + w]; m !== 0; m &= m - 1) {
        if (n === PIECE) {
          p = push(q, CONTROL.more, controlValue(i, hops, 0, point), 0)
          n = 0
        }
        add(q, p, n++, (w << 5) + 31 - Math.clz32(m & -m), i, hops, point)
        listed++
      }
    for (let empty = PLACES - listed; empty > 0; empty -= PIECE)
      push(q, CONTROL.more, controlValue(i, hops, 0, point), Math.min(empty, PIECE) * EACH)
  }

  /** Adds destination number n to a piece. */
  function add(q: number, p: number, n: number, d: number, i: number, hops: number, point: number): void {
    putDestination(packets, p, n, d)
    packets[p + site.constants.value] = controlValue(i, hops, n + 1, point)
    packets[p + FLITS] += EACH
    controlFlits[q] += EACH
  }

  function upOne(q: number, kind: number, i: number, d: number): void {
    controlCount[q]++
    add(q, push(q, kind, controlValue(i, 0, 0, 0), HEADER), 0, d, i, 0, 0)
  }

  function down(x: number, kind: number, i: number): void {
    controlCount[x]++
    push(x, kind, controlValue(i, 0, 0, 0), HEADER)
  }

  function upTurns(q: number, kind: number, i: number, turns: Uint8Array, at: number, n: number): void {
    controlCount[q]++
    const p = push(q, kind, controlValue(i, n, 0, 0), HEADER)
    for (let k = 0; k < n; k++) add(q, p, k, turns[at + k], i, n, 0)
  }

  function say(x: number, kind: number, value: number, flits: number): void {
    controlCount[x]++
    push(x, kind, value, flits)
  }

  function take(x: number): number {
    const p = notes[2 * x]
    if (p !== 0) notes[2 * x] = packets[p + NEXT]
    return p
  }

  return { up, upOne, down, upTurns, say, take }
}
