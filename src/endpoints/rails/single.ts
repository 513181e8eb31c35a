// Endpoints with one rail in the packet engine. The whole interface is a recurrence, which is evaluated when the
// endpoint's previous chunk reaches the router. This takes one event per chunk instead of seven per message (creation,
// interface, hand-over, queue, send, idle, credit), and no memory for source queues.
//   Accepted:   a(k) = max(created, a(k-1)) + nic.
//   Hand-over:  i(k) = max(a(k), i(k-1) + time of a packet, start of the chunk `depth` positions earlier).
//   Start:      s(k) = the time when the link becomes free, or i(k) if it is idle.
// If the credits known at that point do not permit the start, one event at s(k) checks again. The engine calls the
// functions of `Terminals` (model/events.ts).
import { draw, streamOf } from "../../core/rng.ts"
import { ARRIVE, INJECT, ISSUE, NEVER, SENT, STREAM, type Terminals, UID } from "../../model/events.ts"
import { ENTRY, HANDOVER, linkNoise, localLatency } from "../../model/jitter.ts"
import { TELL, WHAT } from "../../model/workload.ts"
import {
  ACCEPTED,
  CUT,
  END_WORDS,
  HANDED,
  HELD,
  INDEX,
  LEFT,
  LINK_FREE,
  NEXT_ISSUE,
  type RailColumns,
  STARTS,
  TO,
  WHO,
} from "./columns.ts"
import { FAR, IDLES, makeMessages, NOTHING } from "./messages.ts"
import { behind, entryTime, makeCut, stamp, type TerminalSite } from "./site.ts"

export function makeSingle(site: TerminalSite, at: RailColumns): Terminals {
  const { kernel, credits, graph, links, vcBits, cold, jitter, packet, chunk, depth, pace, deliver, rankAdapter } = site
  const { mem, push, alloc, release, undo, note, noteRange, epoch } = kernel
  const { hasCredits, hasCreditsBy, creditsSince, take, wait, rest } = credits
  const entrySlots = graph.chans << vcBits
  const depthMask = (1 << at.depthBits) - 1
  const fromHandover = site.since === "handed"
  const paceFull = links.entryFull / pace
  const handover = streamOf(site.seed, HANDOVER)
  const entryNoise = streamOf(site.seed, ENTRY)
  const railsAt = at.ends + at.rails
  const messages = makeMessages(site, at)
  const cut = makeCut(site, at)

  /** Delivers a message of an endpoint to itself, without the network. */
  function own(end: number, o: number, now: number): void {
    const t = mem[o + ACCEPTED] + Math.round(mem[o + LEFT] * site.selfPerByte)
    while (mem[o + LEFT] > 0) {
      handOver(o, mem[o + ACCEPTED])
      while (mem[o + CUT] > 0) {
        const c = cut(end, end)
        stamp(mem, c + cold, mem[o + ACCEPTED], epoch())
        deliver(c, t)
        ownArrives(c, mem[o + ACCEPTED], t, now)
      }
    }
  }

  /** Ends a chunk that was delivered without the network. */
  function ownArrives(c: number, left: number, t: number, now: number): void {
    if (rankAdapter === undefined || mem[c + cold + STREAM] !== rankAdapter.stream) {
      release(c)
      return
    }
    if ((mem[c + rankAdapter.own + WHAT] & TELL) !== 0) rankAdapter.leaves(c, Math.max(left, now + 1))
    rankAdapter.arrives(c, Math.max(t, now + 1))
  }

  /** Passes the next packet of the message to the send queue at time t. */
  function handOver(o: number, t: number): void {
    const left = mem[o + LEFT]
    const bytes = left < packet ? left : packet
    mem[o + LEFT] = left - bytes
    mem[o + CUT] = bytes
    mem[o + HANDED] = t
  }

  /** Returns the time from the hand-over of a packet of this many bytes to that of the next. */
  function paceOf(bytes: number): number {
    return Math.round(bytes % chunk === 0 ? (bytes / chunk) * paceFull : bytes * links.entryPerByte)
  }
  const paceChunk = paceOf(chunk)

  /** Computes the hand-over time of the next packet of the current message. */
  function nextPacket(end: number, o: number): void {
    let t = mem[o + ACCEPTED]
    if (mem[o + NEXT_ISSUE] > t) t = mem[o + NEXT_ISSUE]
    const r = railsAt + end * at.step
    if (t < mem[r + LINK_FREE]) {
      // Chunks wait for the link: the chunk `depth` positions earlier must have started.
      const started = mem[at.starts + (end << at.depthBits) + ((mem[r + STARTS] - depth) & depthMask)]
      if (started > t) t = started
    }
    handOver(o, t)
    const bits = jitter ? draw(mem[o + WHO] ^ handover, mem[o + INDEX]) : 0
    const bytes = mem[o + CUT]
    const time = bytes === chunk ? paceChunk : paceOf(bytes)
    mem[o + NEXT_ISSUE] = t + time + (jitter ? localLatency(bits) + linkNoise(bits) : 0)
  }

  /** Finds the endpoint's next chunk and sends it. */
  function launch(end: number, now: number): void {
    const o = at.ends + end * at.step
    if (undo) noteRange(o, END_WORDS)
    while (mem[o + LEFT] === 0 && mem[o + CUT] === 0) {
      const s = messages.take(end, now)
      if (s === NOTHING || s === IDLES) return
      if (s < 0) {
        push(alloc(), now + FAR, ISSUE | end)
        return
      }
      if (mem[o + TO] === end) own(end, o, now)
    }
    if (mem[o + CUT] === 0) nextPacket(end, o)
    const c = cut(end, end)
    const handed = mem[o + HANDED]
    const ready = jitter ? handed + localLatency(draw(mem[c + UID] ^ handover, -1)) : handed
    const free = mem[railsAt + end * at.step + LINK_FREE]
    const start = ready <= free ? free : jitter ? ready + localLatency(draw(mem[c + UID] ^ entryNoise, 0)) : ready
    if (fromHandover) stamp(mem, c + cold, handed, epoch())
    const slot = entrySlots + end
    if (start > now ? hasCreditsBy(slot, start, now) : hasCredits(slot, start)) go(c, start, end, now)
    else if (start > now) push(c, start, INJECT | end)
    else hold(c, start, now, end)
  }

  /**
   * Handles chunk `c`, which had no credit when the link became free. That time is in the past if the link has a
   * latency. The chunk starts with the credit that arrived since then, or waits.
   */
  function hold(c: number, start: number, now: number, end: number): void {
    const t = start < now ? creditsSince(entrySlots + end, start, now) : NEVER
    if (t <= now) startLate(c, t, end, now)
    else keep(c, now, end)
  }

  /** Stores the chunk until a credit arrives. */
  function keep(c: number, t: number, end: number): void {
    const r = railsAt + end * at.step
    if (undo) note(r + HELD)
    mem[r + HELD] = c
    wait(entrySlots + end, t)
  }

  /** Logs the words of a chunk that an earlier event created, before its start time is written. */
  function noteStart(c: number): void {
    if (undo && !fromHandover) noteRange(c + cold + SENT, 2)
  }

  /** Starts a chunk with a credit of time t. */
  function startLate(c: number, t: number, end: number, now: number): void {
    go(c, jitter ? t + localLatency(draw(mem[c + UID] ^ entryNoise, 2)) : t, end, now)
  }

  /** Returns the time at which the part that must have arrived is there: the whole chunk, or its head flit. */
  function headAt(start: number, sent: number): number {
    return links.head !== undefined && start + links.head < sent ? start + links.head : sent
  }

  /** Starts chunk `c` on the link: takes a credit, records the start and schedules the arrival. */
  function go(c: number, start: number, end: number, now: number): void {
    const r = railsAt + end * at.step
    const n = mem[r + STARTS]
    const slot = at.starts + (end << at.depthBits) + (n & depthMask)
    if (undo) {
      note(r + STARTS)
      note(r + LINK_FREE)
      note(slot)
    }
    take(entrySlots + end)
    if (!fromHandover) stamp(mem, c + cold, start, epoch())
    const bits = jitter ? draw(mem[c + UID] ^ entryNoise, 1) : 0
    const sent = start + entryTime(mem, c, links, cold) + (jitter ? linkNoise(bits) : 0)
    mem[r + STARTS] = n + 1
    mem[slot] = start
    mem[r + LINK_FREE] = jitter ? sent + (Math.imul(bits & 0xffff, 1001) >>> 16) : sent
    if (
      rankAdapter !== undefined &&
      mem[c + cold + STREAM] === rankAdapter.stream &&
      (mem[c + rankAdapter.own + WHAT] & TELL) !== 0
    )
      rankAdapter.leaves(c, Math.max(sent, now + 1))
    push(c, headAt(start, sent) + links.entryAfter[end], ARRIVE | graph.entry[end])
  }

  return {
    merged: true,
    behind: (end, e, t) => behind(mem, at, end, site.streams.length, e, t),
    created: messages.created,
    start(end) {
      // The first chunk is not sent at once, so that V8 compiles the code for the typical case and not for the
      // start-up.
      const t = messages.start(end)
      if (t !== NOTHING) push(alloc(), t, ISSUE | end)
    },
    transmitted: launch,
    inject(c, t, end) {
      if (hasCredits(entrySlots + end, t)) {
        noteStart(c)
        go(c, t, end, t)
      } else keep(c, t, end)
    },
    wake(end, t) {
      const r = railsAt + end * at.step
      if (!hasCredits(entrySlots + end, t)) {
        wait(entrySlots + end, t)
        return
      }
      rest(entrySlots + end)
      const c = mem[r + HELD]
      if (undo) note(r + HELD)
      mem[r + HELD] = 0
      noteStart(c)
      startLate(c, t, end, t)
    },
    issue(e, t, end) {
      release(e)
      launch(end, t)
    },
    handed(m, t, end) {
      if (messages.enqueue(m, end)) launch(end, t)
    },
    look(e, t, end) {
      release(e)
      if (messages.looks(end)) launch(end, t)
    },
  }
}
