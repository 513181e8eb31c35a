// Created packets that wait at an endpoint for its channel, in FIFO order for each VC class: acknowledgements, control
// packets of the protocol, replies and retransmissions. The file also implements `EndpointSite`, the services that a
// protocol may use (model/protocol.ts).
import { i32 } from "../../../fabric/columns.ts"
import { CONTROL, STAT } from "../../../fabric/flit.ts"
import {
  COPY,
  CREATED,
  DIRECT,
  DST,
  END,
  ENTER,
  FLAG,
  FLITS,
  HOPS,
  MESSAGE,
  NEXT,
  PLACE,
  SRC,
  STATE,
} from "../../../fabric/packets.ts"
import { classOfPacked, DIRECT_CLASS, type EndpointSite, OWN_CLASS } from "../../../model/protocol.ts"
import type { Counting } from "../counting.ts"
import type { Tracing } from "../trace.ts"
import type { Entry } from "./entry.ts"
import type { Made } from "./made.ts"
import type { Records } from "./records.ts"
import type { TransferLoopSpec } from "./spec.ts"
import { makeView } from "./view.ts"
import type { Wakes } from "./wakes.ts"

/**
 * ENTER of a waiting packet that may leave in any cycle without permission of the protocol. Otherwise ENTER is the
 * earliest cycle.
 */
export const ANY_TIME = -1

export interface Control {
  /** Appends packet p to the queue of VC class c at endpoint e. */
  push(e: number, c: number, p: number): void
  /** Returns true if endpoint e has no space for another waiting packet. The run then ends. */
  crowded(e: number): boolean
  /** Counts a packet of a stream that was abandoned. */
  abandoned(p: number): void
  readonly site: EndpointSite
}

/**
 * `requested`: the message (index of its record, 0: none) whose next packet the protocol decides on, and its endpoint
 * by the network's number.
 */
export function makeControl(
  spec: TransferLoopSpec,
  { discard }: Records,
  made: Made,
  wakes: Wakes,
  { lane }: Counting,
  { ON: TRACES, traceEvent }: Tracing,
  asked: Int32Array,
  { vcFor }: Pick<Entry, "vcFor">,
): Control {
  const { layout, columns, constants, plan, streamClass } = spec
  const { outerEnd, entryLatency } = layout
  const { packets, ends, messages, waitHead, waitTail, waits, control, stat } = columns
  const { length } = spec.sources
  const { classes: CLASSES, kind: KIND_AT, value: VALUE_AT, waitSlots: CAPACITY } = constants
  const bytes = new Uint8Array(packets.buffer)
  const { wake, timer } = wakes

  function push(e: number, c: number, p: number): void {
    const q = e * CLASSES + c
    packets[p + NEXT] = 0
    if (waitHead[q] === 0) waitHead[q] = p
    else packets[waitTail[q] + NEXT] = p
    waitTail[q] = p
    waits[e]++
    wake(e)
  }

  function crowded(e: number): boolean {
    if (waits[e] < CAPACITY) return false
    control[CONTROL.full] = 1
    return true
  }

  function send(e: number, to: number, kind: number, value: number, flits: number, vcClass: number): void {
    if (crowded(e)) return
    const p = made.control(outerEnd[e], to, ends[e * END.size + END.sent], kind, value, flits)
    if (p === 0) return
    ends[e * END.size + END.sent]++
    push(e, vcClass, p)
  }

  // Retransmission: the negative response returns to the source with the length in ENTER, and becomes data again.
  function again(e: number, p: number, how: number): void {
    const to = packets[p + SRC]
    packets[p + SRC] = packets[p + DST]
    packets[p + DST] = to
    packets[p + FLITS] = packets[p + ENTER]
    packets[p + ENTER] = ANY_TIME
    packets[p + HOPS] = 0
    packets[p + STATE] &= 255 << 24
    packets[p + COPY] = 0
    packets[p + KIND_AT] = how & 255
    const c = classOfPacked(how) === OWN_CLASS ? streamClass[bytes[((p + STATE) << 2) + 3]] : classOfPacked(how)
    packets[p + PLACE] =
      plan.classes[c].direct || (how & DIRECT_CLASS) !== 0 ? entryLatency[e] | DIRECT : entryLatency[e]
    push(e, c, p)
  }

  // Sends the notice that the source abandons a packet, in the record of its response.
  function recall(e: number, p: number, kind: number, vcClass: number): void {
    const to = packets[p + SRC]
    packets[p + SRC] = packets[p + DST]
    packets[p + DST] = to
    packets[p + HOPS] = 0
    packets[p + STATE] = (packets[p + STATE] & (255 << 24)) | (FLAG.ack << 16)
    packets[p + PLACE] = DIRECT
    packets[p + KIND_AT] = kind
    packets[p + VALUE_AT] = 0
    ends[e * END.size + END.sent]++
    push(e, vcClass, p)
  }

  // Confirms a delivery; COPY names the copy in the stash that can be freed.
  function confirm(e: number, arrived: number, kind: number, vcClass: number): void {
    if (crowded(e)) return
    const p = made.control(outerEnd[e], packets[arrived + SRC], ends[e * END.size + END.sent], kind, 0, 1)
    if (p === 0) return
    packets[p + COPY] = packets[arrived + COPY]
    ends[e * END.size + END.sent]++
    push(e, vcClass, p)
  }

  function abandon(_: number, p: number): void {
    abandoned(p)
    discard(p)
  }

  // An abandoned packet is no longer part of the measurement, otherwise a run would wait for it.
  function abandoned(p: number): void {
    const row = lane(bytes[((p + STATE) << 2) + 3]) * STAT.width
    const createdAt = packets[p + CREATED]
    stat[row + STAT.abandoned]++
    if (createdAt >= control[CONTROL.from] && createdAt < control[CONTROL.to]) stat[row + STAT.measuredOpen]--
  }

  // Messages to the switch have their own queue per endpoint and precede all packets.
  function tell(e: number, kind: number, value: number, flits: number): void {
    const p = made.note(kind, value, flits)
    if (p === 0) return
    const own = e * END.size
    if (ends[own + END.noteHead] === 0) ends[own + END.noteHead] = p
    else packets[ends[own + END.noteTail] + NEXT] = p
    ends[own + END.noteTail] = p
    wake(e)
  }

  // Returns the flits that are left of the message in question.
  function message(): number {
    const i = asked[0]
    if (i === 0) return 0
    const stream = messages[i + MESSAGE.stream]
    const count = messages[i + MESSAGE.count]
    let flits = 0
    for (let n = 0; n < messages[i + MESSAGE.left]; n++) flits += length(stream, asked[1], count + n)
    return flits
  }

  const site: EndpointSite = {
    rows: layout.ends,
    ends: layout.graph.ends,
    maxPacket: constants.maxLength,
    trims: spec.trims,
    lossTimer: spec.lossTimer,
    firstClass: plan.data,
    column: i32,
    packets: makeView(spec),
    offered: spec.offeredTo,
    outer: (e) => outerEnd[e],
    send,
    message,
    retransmit: again,
    recall,
    confirm,
    abandon,
    tell,
    hasCredits: (e, to, flits) => vcFor(e, 0, to, flits, false, 0) >= 0,
    wakeAt: timer,
    wake,
    ...(TRACES ? { traceEvent } : {}),
  }
  return { push, crowded, abandoned, site }
}
