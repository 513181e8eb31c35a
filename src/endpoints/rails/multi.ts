// Endpoints with several rails in the packet engine. The packets of a message are passed to send queues one after the
// other, each to a rail that is selected at that moment. Each rail is a link with a separate send queue and credits.
// The hand-over is an event, because the selection depends on the present state of the rails. A chunk whose start time
// is certain is then sent at once. Only chunks that credits may delay wait in a queue. The engine calls the functions
// of `Terminals` (model/events.ts).
import { draw, streamOf } from "../../core/rng.ts"
import { ARRIVE, INJECT, ISSUE, NEXT, SENT, STREAM, type Terminals, TIME, UID } from "../../model/events.ts"
import type { Router } from "../../model/ids.ts"
import { ENTRY, HANDOVER, linkNoise, localLatency } from "../../model/jitter.ts"
import { TELL, WHAT } from "../../model/workload.ts"
import {
  ACCEPTED,
  CUT,
  END_WORDS,
  FIRST,
  GATED,
  HANDED,
  HELD,
  INDEX,
  LAST,
  LEFT,
  LINK_FREE,
  MADE,
  NEXT_ISSUE,
  RAIL_WORDS,
  type RailColumns,
  STARTS,
  TO,
  WHO,
} from "./columns.ts"
import { FAR, IDLES, makeMessages, NOTHING } from "./messages.ts"
import { type Metric, makeSelect, type Select } from "./select.ts"
import { behind, entryTime, makeCut, stamp, type TerminalSite } from "./site.ts"

export interface MultiSite extends TerminalSite {
  readonly select: Select
  readonly metric: Metric
  hops(a: Router, b: Router): number
}

export function makeMulti(site: MultiSite, at: RailColumns): Terminals {
  const { kernel, credits, graph, links, vcBits, cold, jitter, packet, chunk, depth, pace, deliver, rankAdapter } = site
  const { mem, push, alloc, release, undo, note, noteRange, epoch } = kernel
  const { hasCredits, hasCreditsBy, take, wait, rest } = credits
  const { rails, entry } = graph
  const entrySlots = graph.chans << vcBits
  const depthMask = (1 << at.depthBits) - 1
  const fromHandover = site.since === "handed"
  const paceFull = links.entryFull / pace
  const handover = streamOf(site.seed, HANDOVER)
  const entryNoise = streamOf(site.seed, ENTRY)
  const messages = makeMessages(site, at)
  const cut = makeCut(site, at)
  const selectRail = makeSelect({ ...site, queued, sent })

  /** Returns the offset of the words of rail x (endpoint * rails + rail). */
  function railAt(x: number): number {
    const end = Math.floor(x / rails)
    return at.ends + end * at.step + at.rails + (x - end * rails) * RAIL_WORDS
  }

  /** Returns the start time of the k-th chunk of a rail; only the last ones are stored. */
  function startOf(e: number, k: number): number {
    return mem[at.starts + (e << at.depthBits) + (k & depthMask)]
  }

  /** Returns the chunks of a rail whose start is known and lies after t. */
  function toStart(e: number, t: number): number {
    const started = mem[railAt(e) + STARTS]
    let n = 0
    while (n <= depthMask && n < started && startOf(e, started - 1 - n) > t) n++
    return n
  }

  /** Returns the chunks of a rail that have not started by time t. */
  function queued(e: number, t: number): number {
    const r = railAt(e)
    return mem[r + MADE] - mem[r + STARTS] + toStart(e, t)
  }

  /** Returns the chunks of a rail that have started by time t and are not credited. */
  function sent(e: number, t: number): number {
    return credits.used(entrySlots + e, t) - toStart(e, t)
  }

  function noteEnd(o: number): void {
    if (undo) noteRange(o, END_WORDS)
  }

  /** Delivers a message of an endpoint to itself, without the network. */
  function own(end: number, o: number, now: number): void {
    const t = mem[o + ACCEPTED] + Math.round(mem[o + LEFT] * site.selfPerByte)
    mem[o + CUT] = mem[o + LEFT]
    mem[o + LEFT] = 0
    while (mem[o + CUT] > 0) {
      const c = cut(end, end * rails)
      stamp(mem, c + cold, mem[o + ACCEPTED], epoch())
      deliver(c, t)
      if (rankAdapter === undefined || mem[c + cold + STREAM] !== rankAdapter.stream) release(c)
      else {
        if ((mem[c + rankAdapter.own + WHAT] & TELL) !== 0) rankAdapter.leaves(c, Math.max(mem[o + ACCEPTED], now + 1))
        rankAdapter.arrives(c, Math.max(t, now + 1))
      }
    }
  }

  /** Schedules the next hand-over with record `e`. */
  function plan(e: number, end: number, now: number): void {
    const o = at.ends + end * at.step
    noteEnd(o)
    while (mem[o + LEFT] === 0) {
      const s = messages.take(end, now)
      if (s === NOTHING || s === IDLES) {
        release(e)
        return
      }
      if (s < 0) {
        push(e, now + FAR, ISSUE | end)
        return
      }
      if (mem[o + TO] === end) own(end, o, now)
    }
    let t = mem[o + ACCEPTED] > now ? mem[o + ACCEPTED] : now
    if (mem[o + NEXT_ISSUE] > t) t = mem[o + NEXT_ISSUE]
    push(e, t, ISSUE | end)
  }

  /** ISSUE: passes on the packet that is due, unless the send queue that received the last one is full. */
  function issue(e: number, t: number, end: number): void {
    const o = at.ends + end * at.step
    if (mem[o + LEFT] === 0) {
      plan(e, end, t)
      return
    }
    noteEnd(o)
    const last = mem[o + GATED] - 1
    if (last >= 0) {
      const r = railAt(last)
      const k = mem[r + MADE] - depth
      if (k >= mem[r + STARTS]) {
        // That chunk has no start time yet. `proceed` schedules the hand-over when it gets one.
        mem[o + GATED] = -last - 1
        release(e)
        return
      }
      if (k >= 0 && startOf(last, k) > t) {
        push(e, startOf(last, k), ISSUE | end)
        return
      }
    }
    handOver(end, o, t)
    plan(e, end, t)
  }

  function handOver(end: number, o: number, t: number): void {
    const left = mem[o + LEFT]
    const bytes = left < packet ? left : packet
    mem[o + LEFT] = left - bytes
    mem[o + CUT] = bytes
    mem[o + HANDED] = t
    const who = mem[o + WHO]
    const bits = jitter ? draw(who ^ handover, mem[o + INDEX]) : 0
    const x = end * rails + selectRail(end, mem[o + TO], who, mem[o + INDEX], t)
    const time = bytes % chunk === 0 ? (bytes / chunk) * paceFull : bytes * links.entryPerByte
    mem[o + NEXT_ISSUE] = t + Math.round(time) + (jitter ? localLatency(bits) + linkNoise(bits) : 0)
    mem[o + GATED] = x + 1
    while (mem[o + CUT] > 0) {
      const c = cut(end, x)
      if (fromHandover) stamp(mem, c + cold, t, epoch())
      mem[c + TIME] = jitter ? t + localLatency(draw(mem[c + UID] ^ handover, -1)) : t
      enqueue(c, x, t)
    }
  }

  function enqueue(c: number, x: number, t: number): void {
    const r = railAt(x)
    if (undo) noteRange(r, RAIL_WORDS)
    mem[r + MADE]++
    if (mem[r + HELD] === 0) {
      due(c, x, t)
      return
    }
    if (undo) note(c + NEXT)
    mem[c + NEXT] = 0
    if (mem[r + FIRST] === 0) mem[r + FIRST] = c
    else {
      if (undo) note(mem[r + LAST] + NEXT)
      mem[mem[r + LAST] + NEXT] = c
    }
    mem[r + LAST] = c
  }

  /**
   * Handles chunk `c`, the next of its rail. It starts when the link is free, if credits certainly permit it; otherwise
   * it is held.
   */
  function due(c: number, x: number, t: number): void {
    const r = railAt(x)
    const ready = mem[c + TIME]
    const free = mem[r + LINK_FREE]
    let start = ready <= free ? free : jitter ? ready + localLatency(draw(mem[c + UID] ^ entryNoise, 0)) : ready
    if (start < t) start = t
    const slot = entrySlots + x
    if (start > t ? hasCreditsBy(slot, start, t) : hasCredits(slot, t)) {
      go(c, start, x)
      return
    }
    mem[r + HELD] = c
    if (start > t) push(c, start, INJECT | x)
    else wait(slot, t)
  }

  /** Returns the time at which the part that must have arrived is there: the whole chunk, or its head flit. */
  function headAt(start: number, sent: number): number {
    return links.head !== undefined && start + links.head < sent ? start + links.head : sent
  }

  /** Logs the words of a chunk that an earlier event created, before its start time is written. */
  function noteStart(c: number): void {
    if (undo && !fromHandover) noteRange(c + cold + SENT, 2)
  }

  /** Starts chunk `c` on rail x: takes a credit, records the start and schedules the arrival. */
  function go(c: number, start: number, x: number): void {
    const r = railAt(x)
    const k = mem[r + STARTS]
    const slot = at.starts + (x << at.depthBits) + (k & depthMask)
    if (undo) note(slot)
    take(entrySlots + x)
    if (!fromHandover) stamp(mem, c + cold, start, epoch())
    const bits = jitter ? draw(mem[c + UID] ^ entryNoise, 1) : 0
    const sent = start + entryTime(mem, c, links, cold) + (jitter ? linkNoise(bits) : 0)
    mem[r + STARTS] = k + 1
    mem[slot] = start
    mem[r + LINK_FREE] = jitter ? sent + (Math.imul(bits & 0xffff, 1001) >>> 16) : sent
    if (
      rankAdapter !== undefined &&
      mem[c + cold + STREAM] === rankAdapter.stream &&
      (mem[c + rankAdapter.own + WHAT] & TELL) !== 0
    )
      rankAdapter.leaves(c, Math.max(sent, start + 1))
    push(c, headAt(start, sent) + links.entryAfter[x], ARRIVE | entry[x])
  }

  /** Starts the held chunk and those after it. A hand-over that waited for a start time is scheduled. */
  function proceed(c: number, start: number, x: number, t: number): void {
    const r = railAt(x)
    if (undo) noteRange(r, RAIL_WORDS)
    mem[r + HELD] = 0
    noteStart(c)
    go(c, start, x)
    while (mem[r + HELD] === 0 && mem[r + FIRST] !== 0) {
      const next = mem[r + FIRST]
      mem[r + FIRST] = mem[next + NEXT]
      noteStart(next)
      due(next, x, t)
    }
    const end = Math.floor(x / rails)
    const o = at.ends + end * at.step
    if (mem[o + GATED] !== -x - 1 || mem[r + MADE] - depth >= mem[r + STARTS]) return
    noteEnd(o)
    mem[o + GATED] = x + 1
    const after = startOf(x, mem[r + MADE] - depth)
    push(alloc(), after > t ? after : t, ISSUE | end)
  }

  return {
    merged: false,
    behind: (end, e, t) => behind(mem, at, end, site.streams.length, e, t),
    created: messages.created,
    start(end) {
      messages.start(end)
      plan(alloc(), end, 0)
    },
    transmitted() {},
    handed(m, t, end) {
      if (messages.enqueue(m, end)) plan(alloc(), end, t)
    },
    look(e, t, end) {
      if (messages.looks(end)) plan(e, end, t)
      else release(e)
    },
    issue,
    inject(c, t, x) {
      if (hasCredits(entrySlots + x, t)) proceed(c, t, x, t)
      else wait(entrySlots + x, t)
    },
    wake(x, t) {
      if (!hasCredits(entrySlots + x, t)) {
        wait(entrySlots + x, t)
        return
      }
      rest(entrySlots + x)
      const c = mem[railAt(x) + HELD]
      proceed(c, jitter ? t + localLatency(draw(mem[c + UID] ^ entryNoise, 2)) : t, x, t)
    },
  }
}
