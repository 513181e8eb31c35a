// The crossbar of the queue-scheme switch, which is as fast as the links. A transfer holds its input, its output and
// the link from head to tail. In each cycle, a crossbar that needs arbitration collects the requests of its free inputs
// for its free outputs, computes an iSLIP matching (../parts/matching.ts), and starts a transfer for each matched pair.
//
// Queues of an input are served round-robin. With an isolation scheme that ranks queues (`classOf`), the highest class
// goes first, and within it the packet that arrived first. Control messages between neighbours precede data on a link.
import { lowest } from "../../core/bitset.ts"
import { APART, scratch, scratchOf } from "../../fabric/columns.ts"
import { CREDIT_SHIFT, DST, FLITS, HOPS, STATE } from "../../fabric/packets.ts"
import type { SwitchPorts } from "../../fabric/transfer.ts"
import { mark } from "../parts/ready-sets.ts"
import type { Inputs } from "./inputs.ts"
import type { ControlMessages } from "./isolation/control-messages.ts"
import { intervalOf } from "./isolation/series.ts"
import type { IsolationScheme } from "./isolation-scheme.ts"
import type { SharedState } from "./shared-state.ts"

export interface Crossbar {
  enter(part: number): void
  /** Arbitrates the crossbar of router r in cycle t. */
  arbitrate(r: number, s: number, t: number): void
  /** Frees the ports of the transfer that holds output `port`. */
  ended(port: number): void
  laneCredit(port: number, lane: number, flits: number): void
  /** Sends the control messages that wait for output `port`, while its link is free. */
  sendOne(port: number, s: number, t: number): void
}

export function makeCrossbar(
  sharedState: SharedState,
  inputs: Inputs,
  { transmit, returnVlCredit, sendToNeighbour }: SwitchPorts,
  aside: IsolationScheme | undefined,
  notes: ControlMessages | undefined,
): Crossbar {
  const low = lowest
  const { site, use, ports, packetQueues, matching, scheme, table, hold, mask: MASK, words: QW } = sharedState
  const { LV, PS, firstRouter, radix: R, down, latency, outerRouter } = site.layout
  const { packets, packetHops, flitHops, portFlits } = site.columns
  const { portWords: WORDS, portMarks: MARKS, own: OWN } = site.constants
  const { load } = site
  const { held: sharedHeld } = site.sharedBuffers
  const bytes = new Uint8Array(packets.buffer)
  const { router, local } = ports
  const { heads } = packetQueues
  const { lane: laneOf, lanes: LANES, laneFlits: LANE_FLITS, queues: Q } = scheme
  const { leave, stall, renew } = inputs
  const { request, match, pairs } = matching
  const {
    waiting,
    wants,
    requesters,
    needsArbitration,
    busyIn,
    busyOut,
    turn,
    stalledSince,
    from,
    until,
    ends,
    endMarks,
    laneHeld,
    full,
    stallBits,
  } = sharedState.columns
  const ALIKE = scheme.alike === true
  const FEW = QW === 1
  // [output] -> number in the network of the downstream router; -1 = an endpoint, or none
  const routerBehind = (d: number) => (d < 0 ? -1 : outerRouter[router[d >> LV]])
  const behind = scratchOf(Array.from(down.subarray(0, ports.count), routerBehind))
  const READ = use.adaptive
  const TELLS = notes !== undefined
  const talk = sharedState.talk
  const { constants } = site
  const ASIDE = aside !== undefined
  // RANKS: queues are ranked by class. NFQ_CREDITS: credits are those of the normal queue only.
  const RANKS = aside?.classOf !== undefined
  const NFQ_CREDITS = sharedState.p.credits === "nfq"
  // [input << 5 | output] -> queue that would send | downstream lane << 16
  const found = scratch(1024)
  let me = 0
  let wheel = 0
  let portBase = 0

  function enter(part: number): void {
    me = part
    wheel = part * (MASK + 1)
    portBase = firstRouter[part] * PS
  }

  function arbitrate(r: number, _s: number, t: number): void {
    const free = ~busyOut[r]
    const first = r * PS
    let requesting = 0
    for (let m = requesters[r] & ~busyIn[r]; m !== 0; m &= m - 1) {
      const i = low(m)
      const wanted = wants[first + i] & free
      if (wanted === 0) continue
      const can = RANKS ? urgentOutputs(first, i, wanted, t) : openOutputs(first, i, wanted, t)
      if (can === 0) continue
      request(0, i, can, 0)
      requesting++
    }
    if (requesting === 0) return
    const n = match(r)
    for (let k = 0; k < n; k++) move(r, (pairs[k] >> 8) & 255, pairs[k] & 255, t)
    // An input that lost may win in the next cycle. If all its outputs are taken now, the end of their transfers
    // triggers the next arbitration.
    if (n < requesting && someCould(r, first)) needsArbitration[r >> 5] |= 1 << r
  }

  /** Returns those of the outputs that input i requests which have credits for one of its head packets. */
  function openOutputs(first: number, i: number, wanted: number, t: number): number {
    const q = first + i
    let can = 0
    for (let w = wanted; w !== 0; w &= w - 1) {
      const o = low(w)
      const got = FEW ? pickOfFew(q, o, first + o, t) : pick(q, o, first + o, t)
      if (got < 0) {
        stall(q, o)
        continue
      }
      found[(i << 5) | o] = got
      can |= w & -w
    }
    return can
  }

  /** The same, but only for queues of the highest class of the input. */
  function urgentOutputs(first: number, i: number, wanted: number, t: number): number {
    const q = first + i
    let can = 0
    let urgent = 3
    for (let w = wanted; w !== 0; w &= w - 1) {
      const o = low(w)
      const got = urgentOf(q, o, first + o, t)
      if (got < 0) {
        stall(q, o)
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

  /** Returns whether a free input of router r requests a free output. */
  function someCould(r: number, first: number): boolean {
    const free = ~busyOut[r]
    for (let m = requesters[r] & ~busyIn[r]; m !== 0; m &= m - 1) if ((wants[first + low(m)] & free) !== 0) return true
    return false
  }

  /** The same as `pick` if all queues are bits of one word. */
  function pickOfFew(q: number, o: number, port: number, t: number): number {
    const m = waiting[q * R + o]
    const late = m & (-1 << turn[q])
    const k = firstWithCredits(q, port, late, t)
    return k >= 0 || late === m ? k : firstWithCredits(q, port, m & ~late, t)
  }

  /**
   * Returns the first of these queues whose head packet has credits | its lane << 16, or -1. If lanes have the numbers
   * of queues (ALIKE), the mask of full lanes skips queues without reading their packets.
   */
  function firstWithCredits(q: number, port: number, queuesOf: number, t: number): number {
    let m = queuesOf
    if (ALIKE) {
      const shut = m & full[port]
      if (shut !== 0) {
        m &= ~shut
        // Queues before the first one with credits are stalled from now on, exactly as if each had been checked.
        const before = shut & ~stallBits[q] & ((m & -m) - 1)
        if (before !== 0) stallAll(q, 0, before, t)
      }
    }
    for (; m !== 0; m &= m - 1) {
      const k = low(m)
      const lane = laneWithCredits(port, k, heads[q * Q + k])
      if (lane >= 0) return (lane << 16) | k
      if (stalledSince[q * Q + k] === 0) {
        stalledFrom(q * Q + k, t)
        if (ALIKE) stallBits[q] |= 1 << k
      }
    }
    return -1
  }

  /**
   * Returns the first queue of input q, round-robin, whose head packet has credits for output o | its downstream lane
   * << 16; -1 if there is none. It starts and ends in the word of the pointer, hence QW + 1 steps.
   */
  function pick(q: number, o: number, port: number, t: number): number {
    const first = (q * R + o) * QW
    const begin = turn[q]
    const word = begin >> 5
    for (let n = 0; n <= QW; n++) {
      const w = word + n < QW ? word + n : word + n - QW
      let m = waiting[first + w]
      if (n === 0) m &= -1 << begin
      else if (n === QW) m &= ~(-1 << begin)
      if (ALIKE && m !== 0) {
        const shut = m & full[port * QW + w]
        if (shut !== 0) {
          m &= ~shut
          // Queues before the first one with credits are stalled from now on, exactly as if each had been checked.
          const before = shut & ~stallBits[q * QW + w] & ((m & -m) - 1)
          if (before !== 0) stallAll(q, w, before, t)
        }
      }
      for (; m !== 0; m &= m - 1) {
        const k = (w << 5) + low(m)
        const lane = laneWithCredits(port, k, heads[q * Q + k])
        if (lane >= 0) return (lane << 16) | k
        if (stalledSince[q * Q + k] === 0) {
          stalledFrom(q * Q + k, t)
          if (ALIKE) stallBits[q * QW + w] |= 1 << k
        }
      }
    }
    return -1
  }

  /**
   * Returns, of the queues of input q that request output o, the one of the highest class whose head packet arrived
   * first; -1 if none has credits.
   */
  function urgentOf(q: number, o: number, port: number, t: number): number {
    let best = -1
    let least = 3
    let age = 0
    for (let m = waiting[q * R + o]; m !== 0; m &= m - 1) {
      const k = low(m)
      const p = heads[q * Q + k]
      if (laneWithCredits(port, k, p) < 0) {
        if (stalledSince[q * Q + k] === 0) stalledFrom(q * Q + k, t)
        continue
      }
      const c = aside!.classOf!(q, k)
      const came = packets[p + OWN] >>> 1
      if (c > least || (c === least && came >= age)) continue
      best = k
      least = c
      age = came
    }
    return best
  }

  /** Returns the downstream lane of packet p, the head of queue k, or -1 if the lane has no space for it. */
  function laneWithCredits(port: number, k: number, p: number): number {
    const next = behind[port]
    if (next < 0) return 0
    const lane = LANES === 1 ? 0 : ALIKE ? k : laneOf(next, packets[p + DST], table)
    return laneHeld[port * LANES + lane] + packets[p + FLITS] <= LANE_FLITS ? lane : -1
  }

  function stallAll(q: number, w: number, queuesOf: number, t: number): void {
    for (let m = queuesOf; m !== 0; m &= m - 1) stalledFrom(q * Q + (w << 5) + low(m), t)
    stallBits[q * QW + w] |= queuesOf
  }

  /** The head packet of a queue has a credit stall from cycle t on. Rare, so it is a separate function. */
  function stalledFrom(queue: number, t: number): void {
    stalledSince[queue] = 1
    packets[heads[queue] + HOPS] -= t << CREDIT_SHIFT
  }

  /**
   * Starts the transfer from input i to output o that the request phase has found, and sends the packet on the link.
   */
  function move(r: number, i: number, o: number, t: number): void {
    const got = found[(i << 5) | o]
    const k = got & 0xffff
    const q = r * PS + i
    const port = r * PS + o
    busyIn[r] |= 1 << i
    busyOut[r] |= 1 << o
    // A credit stall, if there was one, ends now.
    if (stalledSince[q * Q + k] !== 0) {
      stalledSince[q * Q + k] = 0
      if (ALIKE) stallBits[q * QW + (k >> 5)] &= ~(1 << k)
      packets[heads[q * Q + k] + HOPS] += t << CREDIT_SHIFT
    }
    const p = ASIDE ? aside.leave(q, o, k, t) : leave(q, o, k)
    const f = packets[p + FLITS]
    if (!RANKS) turn[q] = k + 1 === Q ? 0 : k + 1
    from[port] = q
    until[port] = t + f
    endsAt(port, t + f)
    packetHops[me * APART]++
    flitHops[me * APART] += f
    portFlits[port] += f
    bytes[((p + STATE) << 2) + 1] = 0
    if (down[port] >= 0) {
      const lane = got >> 16
      const held = laneHeld[port * LANES + lane] + f
      laneHeld[port * LANES + lane] = held
      // `full` is only a filter: a lane below the limit may still have no space for a long packet.
      if (ALIKE && held >= LANE_FLITS) full[port * QW + (lane >> 5)] |= 1 << lane
      if (READ) {
        load[port] += f
        sharedHeld[port << LV] += f
      }
    }
    transmit(port << LV, p, t + latency[port] + (down[port] < 0 ? f : hold[f]))
    // The input space of the packet is free again. With credits of the normal queue, packets that were set aside
    // returned theirs when they left that queue.
    if (!NFQ_CREDITS || k === 0) returnVlCredit(q, LANES === 1 ? 0 : k, f, t)
  }

  /** Sends the waiting messages of a link. They precede data, and each occupies the link for its flits. */
  function sendOne(port: number, _s: number, t: number): void {
    const r = router[port]
    const o = local[port]
    while (((busyOut[r] >>> o) & 1) === 0) {
      const p = notes!.take(port)
      if (p === 0) return
      const f = packets[p + FLITS]
      portFlits[port] += f
      talk!.noteSeries[me * constants.seriesLength + intervalOf(t, constants)] += f
      if (f > 0) {
        busyOut[r] |= 1 << o
        from[port] = -1
        until[port] = t + f
        endsAt(port, t + f)
      }
      sendToNeighbour(port, p, t + latency[port] + f)
    }
  }

  /** Schedules the end of a transfer in the timing wheel and its marks. */
  function endsAt(port: number, t: number): void {
    const slot = wheel + (t & MASK)
    const rel = port - portBase
    ends[slot * WORDS + (rel >> 5)] |= 1 << rel
    endMarks[slot * MARKS + (rel >> 10)] |= 1 << (rel >> 5)
  }

  function ended(port: number): void {
    const r = router[port]
    if (from[port] >= 0) busyIn[r] &= ~(1 << local[from[port]])
    busyOut[r] &= ~(1 << local[port])
    if (TELLS && talk!.notes[2 * port] !== 0) mark(talk!.messagePending, talk!.noteMarks, port)
    // Busy inputs request again when they become free.
    if ((requesters[r] & ~busyIn[r]) !== 0) needsArbitration[r >> 5] |= 1 << r
  }

  /** Credits of a lane return: updates the counts that routing reads, and wakes stalled inputs. */
  function laneCredit(port: number, lane: number, flits: number): void {
    laneHeld[port * LANES + lane] -= flits
    if (ALIKE) full[port * QW + (lane >> 5)] &= ~(1 << lane)
    if (READ) {
      load[port] -= flits
      sharedHeld[port << LV] -= flits
    }
    renew(port, lane)
  }

  return { enter, arbitrate, ended, laneCredit, sendOne }
}
