// Endpoints with one rail: the whole interface is a recurrence, evaluated when the endpoint's last chunk reaches the router. One event for a
// chunk instead of seven for a message (creation, interface, hand-over, queue, send, idle, credit), and no memory for source queues.
//   accepted a(k) = max(created, a(k-1)) + nic        hand-over i(k) = max(a(k), i(k-1) + time of a packet, start of the chunk `depth` ago)
//   start s(k) = the link's free time, or at once if it is idle; if credits known by now do not allow that, one event at s(k) looks again.
import { draw, streamOf } from "../../core/rng.ts"
import { ARRIVE, INJECT, ISSUE, NEVER, SENT, STREAM, type Terminals, UID } from "../../model/events.ts"
import { ENTRY, HANDOVER, linkNoise, localLatency } from "../../model/jitter.ts"
import { TELL, WHAT } from "../../model/workload.ts"
import { ACCEPTED, CUT, END_WORDS, HANDED, HELD, INDEX, LEFT, LINK_FREE, NEXT_ISSUE, type RailColumns, STARTS, TO, WHO } from "./columns.ts"
import { FAR, IDLES, makeMessages, NOTHING } from "./messages.ts"
import { behind, entryTime, makeCut, stamp, type TerminalSite } from "./site.ts"

export function makeSingle(site: TerminalSite, at: RailColumns): Terminals {
  const { kernel, credits, graph, links, vcBits, cold, jitter, packet, chunk, depth, pace, deliver, seat } = site
  const { mem, push, alloc, release, undo, note, noteRange, epoch } = kernel
  const { room, roomBy, roomSince, take, wait, rest } = credits
  const entrySlots = graph.chans << vcBits
  const depthMask = (1 << at.depthBits) - 1
  const fromHandover = site.since === "handed"
  const paceFull = links.entryFull / pace
  const handover = streamOf(site.seed, HANDOVER)
  const entryNoise = streamOf(site.seed, ENTRY)
  const railsAt = at.ends + at.rails
  const messages = makeMessages(site, at)
  const cut = makeCut(site, at)

  /** A message to oneself: delivered without the network. */
  function own(end: number, o: number, now: number): void {
    const t = mem[o + ACCEPTED]! + Math.round(mem[o + LEFT]! * site.selfPerByte)
    while (mem[o + LEFT]! > 0) {
      handOver(o, mem[o + ACCEPTED]!)
      while (mem[o + CUT]! > 0) {
        const c = cut(end, end)
        stamp(mem, c + cold, mem[o + ACCEPTED]!, epoch())
        deliver(c, t)
        ownArrives(c, mem[o + ACCEPTED]!, t, now)
      }
    }
  }

  /** A chunk that is there without the network. */
  function ownArrives(c: number, left: number, t: number, now: number): void {
    if (seat === undefined || mem[c + cold + STREAM] !== seat.stream) {
      release(c)
      return
    }
    if ((mem[c + seat.own + WHAT]! & TELL) !== 0) seat.leaves(c, Math.max(left, now + 1))
    seat.arrives(c, Math.max(t, now + 1))
  }

  function handOver(o: number, t: number): void {
    const left = mem[o + LEFT]!
    const bytes = left < packet ? left : packet
    mem[o + LEFT] = left - bytes
    mem[o + CUT] = bytes
    mem[o + HANDED] = t
  }

  /** Time until the packet after one of so many bytes. */
  function paceOf(bytes: number): number {
    return Math.round(bytes % chunk === 0 ? (bytes / chunk) * paceFull : bytes * links.entryPerByte)
  }
  const paceChunk = paceOf(chunk)

  /** The next packet of the message at hand: when it is handed over. */
  function nextPacket(end: number, o: number): void {
    let t = mem[o + ACCEPTED]!
    if (mem[o + NEXT_ISSUE]! > t) t = mem[o + NEXT_ISSUE]!
    const r = railsAt + end * at.step
    if (t < mem[r + LINK_FREE]!) {
      // chunks wait for the link: the one `depth` before this must have started
      const started = mem[at.starts + (end << at.depthBits) + ((mem[r + STARTS]! - depth) & depthMask)]!
      if (started > t) t = started
    }
    handOver(o, t)
    const bits = jitter ? draw(mem[o + WHO]! ^ handover, mem[o + INDEX]!) : 0
    const bytes = mem[o + CUT]!
    const time = bytes === chunk ? paceChunk : paceOf(bytes)
    mem[o + NEXT_ISSUE] = t + time + (jitter ? localLatency(bits) + linkNoise(bits) : 0)
  }

  /** Finds the endpoint's next chunk and sends it on its way. */
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
    const handed = mem[o + HANDED]!
    const ready = jitter ? handed + localLatency(draw(mem[c + UID]! ^ handover, -1)) : handed
    const free = mem[railsAt + end * at.step + LINK_FREE]!
    const start = ready <= free ? free : jitter ? ready + localLatency(draw(mem[c + UID]! ^ entryNoise, 0)) : ready
    if (fromHandover) stamp(mem, c + cold, handed, epoch())
    const slot = entrySlots + end
    if (start > now ? roomBy(slot, start, now) : room(slot, start)) go(c, start, end, now)
    else if (start > now) push(c, start, INJECT | end)
    else hold(c, start, now, end)
  }

  /** Chunk `c` found no room when the link was free for it, which is past where the link has a latency: it starts with the credit that came since, or waits. */
  function hold(c: number, start: number, now: number, end: number): void {
    const t = start < now ? roomSince(entrySlots + end, start, now) : NEVER
    if (t <= now) startLate(c, t, end, now)
    else keep(c, now, end)
  }

  function keep(c: number, t: number, end: number): void {
    const r = railsAt + end * at.step
    if (undo) note(r + HELD)
    mem[r + HELD] = c
    wait(entrySlots + end, t)
  }

  /** A chunk that was made by an earlier event gets its start. */
  function noteStart(c: number): void {
    if (undo && !fromHandover) noteRange(c + cold + SENT, 2)
  }

  /** A credit of time t lets it go. */
  function startLate(c: number, t: number, end: number, now: number): void {
    go(c, jitter ? t + localLatency(draw(mem[c + UID]! ^ entryNoise, 2)) : t, end, now)
  }

  /** When what must have arrived has: all of a chunk, or its first flit. */
  function headAt(start: number, sent: number): number {
    return links.head !== undefined && start + links.head < sent ? start + links.head : sent
  }

  /** Chunk `c` starts on the link. */
  function go(c: number, start: number, end: number, now: number): void {
    const r = railsAt + end * at.step
    const n = mem[r + STARTS]!
    const slot = at.starts + (end << at.depthBits) + (n & depthMask)
    if (undo) {
      note(r + STARTS)
      note(r + LINK_FREE)
      note(slot)
    }
    take(entrySlots + end)
    if (!fromHandover) stamp(mem, c + cold, start, epoch())
    const bits = jitter ? draw(mem[c + UID]! ^ entryNoise, 1) : 0
    const sent = start + entryTime(mem, c, links, cold) + (jitter ? linkNoise(bits) : 0)
    mem[r + STARTS] = n + 1
    mem[slot] = start
    mem[r + LINK_FREE] = jitter ? sent + (Math.imul(bits & 0xffff, 1001) >>> 16) : sent
    if (seat !== undefined && mem[c + cold + STREAM] === seat.stream && (mem[c + seat.own + WHAT]! & TELL) !== 0)
      seat.leaves(c, Math.max(sent, now + 1))
    push(c, headAt(start, sent) + links.entryAfter[end]!, ARRIVE | graph.entry[end]!)
  }

  return {
    merged: true,
    behind: (end, e, t) => behind(mem, at, end, site.streams.length, e, t),
    created: messages.created,
    start(end) {
      // not launched at once: what V8 compiles should be what the run does, not what its first moment does
      const t = messages.start(end)
      if (t !== NOTHING) push(alloc(), t, ISSUE | end)
    },
    launched: launch,
    inject(c, t, end) {
      if (room(entrySlots + end, t)) {
        noteStart(c)
        go(c, t, end, t)
      } else keep(c, t, end)
    },
    wake(end, t) {
      const r = railsAt + end * at.step
      if (!room(entrySlots + end, t)) {
        wait(entrySlots + end, t)
        return
      }
      rest(entrySlots + end)
      const c = mem[r + HELD]!
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
