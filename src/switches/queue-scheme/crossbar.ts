// Crossbars as fast as the links: a transfer holds its input, its output and the link behind that from head to tail. In a cycle every crossbar that must look
// collects what its free inputs could send to its free outputs, matches it (iSLIP), and begins a transfer for each pair.
import { lowest } from "../../core/bitset.ts"
import { APART, scratch, scratchOf } from "../../fabric/columns.ts"
import { CREDIT_SHIFT, DST, FLITS, HOPS, STATE } from "../../fabric/packets.ts"
import type { TransferWires } from "../../fabric/transfer.ts"
import { mark } from "../parts/sweep.ts"
import type { Aside } from "./aside.ts"
import type { Frame } from "./frame.ts"
import type { Inputs } from "./inputs.ts"
import type { Notes } from "./isolation/notes.ts"
import { intervalOf } from "./isolation/series.ts"

export interface Crossbar {
  enter(part: number): void
  /** the crossbar of router r, in cycle t */
  arbitrate(r: number, s: number, t: number): void
  /** the transfer that holds output `port` has ended */
  ended(port: number): void
  laneCredit(port: number, lane: number, flits: number): void
  /** messages that wait for the link of output `port`, if it is free */
  tellOne(port: number, s: number, t: number): void
}

export function makeCrossbar(
  frame: Frame,
  inputs: Inputs,
  { launch, giveBackLane, tell }: TransferWires,
  aside: Aside | undefined,
  notes: Notes | undefined,
): Crossbar {
  const low = lowest
  const { site, use, ports, chains, matching, scheme, table, hold, mask: MASK, words: QW } = frame
  const { LV, PS, firstRouter, radix: R, down, latency, outerRouter } = site.layout
  const { packets, packetHops, flitHops, portFlits } = site.columns
  const { portWords: WORDS, portMarks: MARKS, own: OWN } = site.constants
  const { load } = site
  const { held: roomsHeld } = site.rooms
  const bytes = new Uint8Array(packets.buffer)
  const { router, local } = ports
  const { heads } = chains
  const { lane: laneOf, lanes: LANES, laneFlits: ROOM, queues: Q } = scheme
  const { leave, lack, renew } = inputs
  const { ask, match, pairs } = matching
  const { waiting, wants, askers, dirty, busyIn, busyOut, turn, lacking, from, until, ends, endMarks, laneHeld, full, lackBits } =
    frame.columns
  const ALIKE = scheme.alike === true
  const FEW = QW === 1
  // [output] -> the router behind it, by the network's number; -1 = an endpoint, or nobody
  const behind = scratchOf(Array.from(down.subarray(0, ports.count), (d) => (d < 0 ? -1 : outerRouter[router[d >> LV]!]!)))
  const READ = use.adaptive
  const TELLS = notes !== undefined
  const talk = frame.talk
  const { constants } = site
  const ASIDE = aside !== undefined
  const RANKS = aside?.classOf !== undefined
  const NFQ_CREDITS = frame.p.credits === "nfq"
  // [input << 5 | output] -> queue that would go, and the lane behind the output << 16
  const found = scratch(1024)
  let me = 0
  let wheel = 0
  let portBase = 0

  function enter(part: number): void {
    me = part
    wheel = part * (MASK + 1)
    portBase = firstRouter[part]! * PS
  }

  function arbitrate(r: number, _s: number, t: number): void {
    const free = ~busyOut[r]!
    const first = r * PS
    let asking = 0
    for (let m = askers[r]! & ~busyIn[r]!; m !== 0; m &= m - 1) {
      const i = low(m)
      const wanted = wants[first + i]! & free
      if (wanted === 0) continue
      const can = RANKS ? urgentOutputs(first, i, wanted, t) : openOutputs(first, i, wanted, t)
      if (can === 0) continue
      ask(0, i, can, 0)
      asking++
    }
    if (asking === 0) return
    const n = match(r)
    for (let k = 0; k < n; k++) move(r, (pairs[k]! >> 8) & 255, pairs[k]! & 255, t)
    // who lost may win in the next cycle, unless all that it wants is taken now: then it looks when that is free again
    if (n < asking && someCould(r, first)) dirty[r >> 5]! |= 1 << r
  }

  /** Of the outputs that input i of a router (its first port) wants, those with room for one of its fronts. */
  function openOutputs(first: number, i: number, wanted: number, t: number): number {
    const q = first + i
    let can = 0
    for (let w = wanted; w !== 0; w &= w - 1) {
      const o = low(w)
      const got = FEW ? pickOfFew(q, o, first + o, t) : pick(q, o, first + o, t)
      if (got < 0) {
        lack(q, o)
        continue
      }
      found[(i << 5) | o] = got
      can |= w & -w
    }
    return can
  }

  /** The same for queues of its most urgent class alone. */
  function urgentOutputs(first: number, i: number, wanted: number, t: number): number {
    const q = first + i
    let can = 0
    let urgent = 3
    for (let w = wanted; w !== 0; w &= w - 1) {
      const o = low(w)
      const got = urgentOf(q, o, first + o, t)
      if (got < 0) {
        lack(q, o)
        continue
      }
      found[(i << 5) | o] = got
      const c = aside!.classOf!(q, got)
      if (c > urgent) continue
      if (c < urgent) can = 0
      urgent = c
      can |= w & -w
    }
    return can
  }

  /** A free input of router r wants a free output. */
  function someCould(r: number, first: number): boolean {
    const free = ~busyOut[r]!
    for (let m = askers[r]! & ~busyIn[r]!; m !== 0; m &= m - 1) if ((wants[first + low(m)]! & free) !== 0) return true
    return false
  }

  /** The same where queues are bits of one word. */
  function pickOfFew(q: number, o: number, port: number, t: number): number {
    const m = waiting[q * R + o]!
    const late = m & (-1 << turn[q]!)
    const k = firstWithRoom(q, port, late, t)
    return k >= 0 || late === m ? k : firstWithRoom(q, port, m & ~late, t)
  }

  function firstWithRoom(q: number, port: number, queuesOf: number, t: number): number {
    let m = queuesOf
    if (ALIKE) {
      const shut = m & full[port]!
      if (shut !== 0) {
        m &= ~shut
        // those that would have been looked at before the first with room
        const before = shut & ~lackBits[q]! & ((m & -m) - 1)
        if (before !== 0) lackAll(q, 0, before, t)
      }
    }
    for (; m !== 0; m &= m - 1) {
      const k = low(m)
      const lane = room(port, k, heads[q * Q + k]!)
      if (lane >= 0) return (lane << 16) | k
      if (lacking[q * Q + k] === 0) {
        lacksFrom(q * Q + k, t)
        if (ALIKE) lackBits[q]! |= 1 << k
      }
    }
    return -1
  }

  /** The first queue of input q, from its turn on, whose front packet has room behind output o, with its lane there << 16; -1 if there is none. */
  function pick(q: number, o: number, port: number, t: number): number {
    const first = (q * R + o) * QW
    const begin = turn[q]!
    const word = begin >> 5
    for (let n = 0; n <= QW; n++) {
      const w = word + n < QW ? word + n : word + n - QW
      let m = waiting[first + w]!
      if (n === 0) m &= -1 << begin
      else if (n === QW) m &= ~(-1 << begin)
      if (ALIKE && m !== 0) {
        const shut = m & full[port * QW + w]!
        if (shut !== 0) {
          m &= ~shut
          // those that would have been looked at before the first with room
          const before = shut & ~lackBits[q * QW + w]! & ((m & -m) - 1)
          if (before !== 0) lackAll(q, w, before, t)
        }
      }
      for (; m !== 0; m &= m - 1) {
        const k = (w << 5) + low(m)
        const lane = room(port, k, heads[q * Q + k]!)
        if (lane >= 0) return (lane << 16) | k
        if (lacking[q * Q + k] === 0) {
          lacksFrom(q * Q + k, t)
          if (ALIKE) lackBits[q * QW + w]! |= 1 << k
        }
      }
    }
    return -1
  }

  /** Of the queues of input q that ask for output o: one of the most urgent class, whose front has been here longest; -1 if there is no room behind it. */
  function urgentOf(q: number, o: number, port: number, t: number): number {
    let best = -1
    let least = 3
    let age = 0
    for (let m = waiting[q * R + o]!; m !== 0; m &= m - 1) {
      const k = low(m)
      const p = heads[q * Q + k]!
      if (room(port, k, p) < 0) {
        if (lacking[q * Q + k] === 0) lacksFrom(q * Q + k, t)
        continue
      }
      const c = aside!.classOf!(q, k)
      const came = packets[p + OWN]! >>> 1
      if (c > least || (c === least && came >= age)) continue
      best = k
      least = c
      age = came
    }
    return best
  }

  /** The lane of packet p, the front of queue k, behind an output, -1 if it has no room for it. */
  function room(port: number, k: number, p: number): number {
    const next = behind[port]!
    if (next < 0) return 0
    const lane = LANES === 1 ? 0 : ALIKE ? k : laneOf(next, packets[p + DST]!, table)
    return laneHeld[port * LANES + lane]! + packets[p + FLITS]! <= ROOM ? lane : -1
  }

  function lackAll(q: number, w: number, queuesOf: number, t: number): void {
    for (let m = queuesOf; m !== 0; m &= m - 1) lacksFrom(q * Q + (w << 5) + low(m), t)
    lackBits[q * QW + w]! |= queuesOf
  }

  /** Rare, so a function of its own: from this cycle on the front packet of a queue waits for room behind the link. */
  function lacksFrom(queue: number, t: number): void {
    lacking[queue] = 1
    packets[heads[queue]! + HOPS]! -= t << CREDIT_SHIFT
  }

  function move(r: number, i: number, o: number, t: number): void {
    const got = found[(i << 5) | o]!
    const k = got & 0xffff
    const q = r * PS + i
    const port = r * PS + o
    busyIn[r]! |= 1 << i
    busyOut[r]! |= 1 << o
    if (lacking[q * Q + k] !== 0) {
      lacking[q * Q + k] = 0
      if (ALIKE) lackBits[q * QW + (k >> 5)]! &= ~(1 << k)
      packets[heads[q * Q + k]! + HOPS]! += t << CREDIT_SHIFT
    }
    const p = ASIDE ? aside.leave(q, o, k, t) : leave(q, o, k)
    const f = packets[p + FLITS]!
    if (!RANKS) turn[q] = k + 1 === Q ? 0 : k + 1
    from[port] = q
    until[port] = t + f
    endsAt(port, t + f)
    packetHops[me * APART]!++
    flitHops[me * APART]! += f
    portFlits[port]! += f
    bytes[((p + STATE) << 2) + 1] = 0
    if (down[port]! >= 0) {
      const lane = got >> 16
      const held = laneHeld[port * LANES + lane]! + f
      laneHeld[port * LANES + lane] = held
      if (ALIKE && held >= ROOM) full[port * QW + (lane >> 5)]! |= 1 << lane
      if (READ) {
        load[port]! += f
        roomsHeld[port << LV]! += f
      }
    }
    launch(port << LV, p, t + latency[port]! + (down[port]! < 0 ? f : hold[f]!))
    if (!NFQ_CREDITS || k === 0) giveBackLane(q, LANES === 1 ? 0 : k, f, t)
  }

  /** Messages go before data, each as long as its flits. */
  function tellOne(port: number, _s: number, t: number): void {
    const r = router[port]!
    const o = local[port]!
    while (((busyOut[r]! >>> o) & 1) === 0) {
      const p = notes!.take(port)
      if (p === 0) return
      const f = packets[p + FLITS]!
      portFlits[port]! += f
      talk!.noteSeries[me * constants.seriesLength + intervalOf(t, constants)]! += f
      if (f > 0) {
        busyOut[r]! |= 1 << o
        from[port] = -1
        until[port] = t + f
        endsAt(port, t + f)
      }
      tell(port, p, t + latency[port]! + f)
    }
  }

  function endsAt(port: number, t: number): void {
    const slot = wheel + (t & MASK)
    const rel = port - portBase
    ends[slot * WORDS + (rel >> 5)]! |= 1 << rel
    endMarks[slot * MARKS + (rel >> 10)]! |= 1 << (rel >> 5)
  }

  function ended(port: number): void {
    const r = router[port]!
    if (from[port]! >= 0) busyIn[r]! &= ~(1 << local[from[port]!]!)
    busyOut[r]! &= ~(1 << local[port]!)
    if (TELLS && talk!.notes[2 * port] !== 0) mark(talk!.noteDirty, talk!.noteMarks, port)
    // inputs that are busy look again when they are not
    if ((askers[r]! & ~busyIn[r]!) !== 0) dirty[r >> 5]! |= 1 << r
  }

  function laneCredit(port: number, lane: number, flits: number): void {
    laneHeld[port * LANES + lane]! -= flits
    if (ALIKE) full[port * QW + (lane >> 5)]! &= ~(1 << lane)
    if (READ) {
      load[port]! -= flits
      roomsHeld[port << LV]! -= flits
    }
    renew(port, lane)
  }

  return { enter, arbitrate, ended, laneCredit, tellOne }
}
