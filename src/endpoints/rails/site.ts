// The input of the endpoint implementations (single.ts, multi.ts), and the creation of a chunk, which both share.
import { draw, streamOf } from "../../core/rng.ts"
import {
  ARRIVE,
  BYTES,
  CHUNKS,
  CREATED,
  type Credits,
  DST,
  EPOCHS,
  KEY,
  type Kernel,
  type LinkTimes,
  MESSAGE,
  SENT,
  SHORT,
  SRC,
  STATE,
  STREAM,
  timeOf,
  UID,
  UP,
  WIRES,
} from "../../model/events.ts"
import type { Graph } from "../../model/graph.ts"
import { OWN_WORDS, TELL, WHAT } from "../../model/workload.ts"
import {
  AT_HAND,
  CREATED_AT,
  CREATED_EPOCH,
  CUT,
  FLOW,
  INDEX,
  LEFT,
  MESSAGES,
  NEXT_EPOCH,
  NEXT_TIME,
  QUEUE_WORDS,
  type RailColumns,
  STREAM_WORDS,
  TO,
  TOTAL,
  WHO,
} from "./columns.ts"
import type { MessageSite } from "./messages.ts"

export interface TerminalSite extends MessageSite {
  readonly kernel: Kernel
  readonly credits: Credits
  readonly graph: Graph
  readonly links: LinkTimes
  readonly vcBits: number
  /** words from a record to its cold half; scratch words of the routing, which start at zero */
  readonly cold: number
  readonly scratch: number
  /** chunks in the send queue of one rail above which hand-over stops */
  readonly depth: number
  /** start of network latency: hand-over of the packet, or start of the chunk on its link */
  readonly since: "handed" | "started"
  /** ps per byte of a message to the same endpoint, which never enters the network */
  readonly selfPerByte: number
  /** hand-over rate as a multiple of the rate of one rail */
  readonly pace: number
  deliver(c: number, t: number): void
}

/** Returns true if an endpoint has a message left that was created before time t of an epoch. */
export function behind(
  mem: Int32Array,
  at: RailColumns,
  end: number,
  streams: number,
  epoch: number,
  t: number,
): boolean {
  const o = at.ends + end * at.step
  const before = (e: number, time: number) => e < epoch || (e === epoch && time < t)
  if (mem[o + LEFT] + mem[o + CUT] > 0 && before(mem[o + CREATED_EPOCH], mem[o + CREATED_AT])) return true
  for (let s = 0, i = o + at.streams; s < streams; s++, i += STREAM_WORDS)
    if (before(mem[i + NEXT_EPOCH], mem[i + NEXT_TIME])) return true
  return false
}

/** Creates the record of the next chunk of the current packet and reduces the packet by its bytes. */
export type Cut = (end: number, entry: number) => number

export function makeCut(site: TerminalSite, at: RailColumns): Cut {
  const { kernel, graph, vcBits, cold, scratch, chunk, rankAdapter } = site
  const { mem, alloc, release, undo, note } = kernel
  const { entryWires } = site.links
  const entrySlots = graph.chans << vcBits
  const names = streamOf(site.seed, 0x4d340005)

  /** Copies the words of a rank's message to a chunk. Only the last chunk reports its departure. */
  function label(c: number, end: number, o: number): void {
    const from = at.queues + end * QUEUE_WORDS + AT_HAND
    const m = mem[from] + rankAdapter!.own
    const to = c + rankAdapter!.own
    for (let i = 0; i < OWN_WORDS; i++) mem[to + i] = mem[m + i]
    if (mem[o + LEFT] + mem[o + CUT] > 0) mem[to + WHAT] = mem[to + WHAT] & ~TELL
    else {
      release(mem[from])
      if (undo) note(from)
      mem[from] = 0
    }
  }

  return function cut(end: number, entry: number): number {
    const o = at.ends + end * at.step
    const c = alloc()
    const left = mem[o + CUT]
    const bytes = left < chunk ? left : chunk
    const index = mem[o + INDEX]
    mem[o + CUT] = left - bytes
    mem[o + INDEX] = index + 1
    // The record counts as a chunk from here on, even before it is scheduled.
    mem[c + KEY] = ARRIVE
    mem[c + STATE] = (bytes < chunk ? SHORT : 0) | (entryWires[entry] << WIRES)
    mem[c + DST] = mem[o + TO]
    mem[c + UID] = index === 0 ? mem[o + WHO] : draw(mem[o + WHO] ^ names, index)
    mem[c + UP] = entrySlots + entry
    for (let i = 0; i < scratch; i++) mem[c + UP + 1 + i] = 0
    const k = c + cold
    mem[k + SRC] = end
    mem[k + BYTES] = bytes
    mem[k + CREATED] = mem[o + CREATED_AT]
    mem[k + EPOCHS] = mem[o + CREATED_EPOCH] << 16
    mem[k + MESSAGE] = mem[o + MESSAGES]
    mem[k + CHUNKS] = mem[o + TOTAL]
    mem[k + STREAM] = mem[o + FLOW]
    if (rankAdapter !== undefined && mem[o + FLOW] === rankAdapter.stream) label(c, end, o)
    return c
  }
}

/** Stores when the chunk entered the network: a time since the epoch, which may be negative. */
export function stamp(mem: Int32Array, k: number, t: number, epoch: number): void {
  const e = t < 0 ? epoch - 1 : epoch
  mem[k + SENT] = t < 0 ? t + 2 ** 30 : t
  mem[k + EPOCHS] = (mem[k + EPOCHS] & ~0xffff) | (e & 0xffff)
}

/** Returns the time of a chunk on the endpoint's link. */
export function entryTime(mem: Int32Array, c: number, links: LinkTimes, cold: number): number {
  return (mem[c + STATE] & SHORT) === 0 ? links.entryFull : timeOf(mem[c + cold + BYTES], links.entryPerByte)
}
