// Output buffers and links of tiled switches. The VCs share the link round-robin, one whole packet at a time, if the
// downstream input has space. Higher priorities go first. Among equal ones, VCs below their fair share of the
// downstream input go first.
//
// A sent packet stays in the output buffer for one round trip, until its link-level acknowledgement returns. A damaged
// transmission is repeated by the link (go-back-N): the link is useless until the sender learns of the error, one round
// trip later.
import { lowest } from "../../core/bitset.ts"
import { draw, streamOf, unit } from "../../core/rng.ts"
import { CREDIT_SHIFT, FLAG, HOP_MASK, recordViews } from "../../fabric/packets.ts"
import { TRACE } from "../../model/trace-events.ts"
import { STALL_SINCE, WORK } from "./columns.ts"
import type { Drops } from "./drops.ts"
import type { SharedState } from "./shared-state.ts"
import type { StashPath } from "./stash.ts"

export interface LinkStage {
  credit(ov: number, flits: number): void
  /** The oldest retained packet of output o is acknowledged by the link. */
  confirmed(o: number): void
  arbitrate(o: number, t: number): void
}

export function makeLink(sharedState: SharedState, stash: StashPath, drops: Drops | undefined): LinkStage {
  const low = lowest
  // Local copies: reading constants of other modules costs a load each time.
  const FLAGS = FLAG
  const COUNT = WORK
  const STALLED = STALL_SINCE
  const SHIFT = CREDIT_SHIFT
  const HOPS_ONLY = HOP_MASK
  const { site, use, k, columns, options, links, running } = sharedState
  const { layout, columns: shared, sharedBuffers, rules, queued } = site
  const { LV, down, latency } = layout
  const { portFlits } = shared
  const { pSrc, pDst, pKey, pFlits, pHops, sVc, sFlags } = recordViews(shared.packets)
  const { pop } = sharedState.packetQueues
  const { output: OUTPUT } = sharedState.queues
  const { heads, outMask, linkUntil, linkNext, linkPending, linkDue, muxPending, colRows } = columns
  const { retained, retainFirst, retainHead, retainTail, retainDue, recent, stalledSince } = columns
  const { linkMask: LM, coreMask: CM, stash: STASH, errors: ERRORS, linkErrors: LINK_ERRORS } = k
  const DUE = LINK_ERRORS ? LM : CM
  const { again, sent, work } = columns
  const { errorRate, linkErrorRate, outerPort } = sharedState.errors
  const ERRORS_OF = streamOf(site.constants.seed, 0x3e99)
  const LINK_SEED = site.constants.seed ^ 0x71e5
  const { fits, take, give, modest } = rules
  const { transmit, traceEvent } = links
  const TRACES = traceEvent !== undefined
  const { dropped: DROPPED } = TRACE
  const OUT = sharedBuffers.OUT
  const {
    releaseAtTail: TAIL,
    retention: RETAIN,
    removeRoundTrip: REMOVE,
    reliability: COPIES,
    speculation: SPECULATION,
  } = options
  const DROPS = drops !== undefined
  const CONFIRMS = sharedState.dropping?.copies?.confirms ?? -1
  const pKind = shared.packets.subarray(site.constants.kind)
  const { core: CORE, link: LINK } = options.clock
  const WORDS = k.portWords
  const VMASK = (1 << LV) - 1
  const { levels } = use.plan
  const LEVELS = levels.length
  const { hold } = sharedState
  const { held } = sharedBuffers
  const { still } = sharedState.tables

  function credit(ov: number, flits: number): void {
    give(ov, flits)
    queued[ov] += flits
    const o = ov >> LV
    if (outMask[o] !== 0) linkPending[o >> 5] |= 1 << o
  }

  /**
   * Serves link o in cycle t. A damaged packet precedes all others, because the receiver expects it next (go-back-N).
   */
  function arbitrate(o: number, t: number): void {
    if (linkUntil[o] > t) return
    if (LINK_ERRORS && again[o] !== 0) {
      sendAgain(o, t)
      return
    }
    // Priority levels from the highest to the lowest; within a level round-robin.
    const waiting = outMask[o] & ~STALLED
    if (LEVELS === 1) inTurn(o, waiting, t)
    else for (let level = 0; level < LEVELS; level++) if (inTurn(o, waiting & levels[level], t)) return
  }

  /** Sends the head packet of the first VC in round-robin order that can send. Returns whether there is one. */
  function inTurn(o: number, waiting: number, t: number): boolean {
    const ejects = down[o] < 0
    // VCs below their fair share of the downstream buffer come first.
    const m = ejects || (waiting & (waiting - 1)) === 0 ? waiting : modest(o, waiting)
    let first = (m >> linkNext[o]) << linkNext[o]
    let second = m ^ first
    for (;;) {
      if (first === 0) {
        if (second === 0) return false
        first = second
        second = 0
      }
      const v = low(first)
      first &= first - 1
      const ov = (o << LV) + v
      const p = heads[OUTPUT + ov]
      const f = pFlits[p]
      if (!ejects && full(o, ov, f)) {
        if (((stalledSince[o] >> v) & 1) === 0) stalledFrom(o, v, p, t)
        continue
      }
      pop(OUTPUT + ov)
      if (heads[OUTPUT + ov] === 0) outMask[o] &= ~(1 << v)
      linkNext[o] = (v + 1) >> LV === 0 ? v + 1 : 0
      start(o, ov, p, f, ejects, t)
      return true
    }
  }

  /**
   * Returns whether VC ov has no downstream space for f flits. The first condition limits the flits that do not move,
   * that is all except those sent within the last round trip.
   */
  function full(o: number, ov: number, f: number): boolean {
    return held[ov] - recent[ov] >= still[o] || !fits(ov, f)
  }

  /** Packet p, the first of VC v, has a credit stall from cycle t on. Rare, so it is a separate function. */
  function stalledFrom(o: number, v: number, p: number, t: number): void {
    outMask[o] |= STALLED
    stalledSince[o] |= 1 << v
    pHops[p] -= t << SHIFT
  }

  /** Ends the credit stall of packet p, if it has one, in cycle t. */
  function finds(o: number, v: number, p: number, t: number): void {
    if (((stalledSince[o] >> v) & 1) === 0) return
    pHops[p] += t << SHIFT
    stalledSince[o] &= ~(1 << v)
    if (stalledSince[o] === 0) outMask[o] &= ~STALLED
  }

  /** Starts to send packet p; with link errors this transmission may be damaged and must be repeated. */
  function start(o: number, ov: number, p: number, f: number, ejects: boolean, t: number): void {
    if (!ejects) take(ov, f)
    if (DROPS) drops!.leaves(o, p, t)
    if ((outMask[o] & STALLED) !== 0) finds(o, ov & VMASK, p, t)
    if (LINK_ERRORS && damaged(o)) {
      again[o] = p
      busy(o, t + f + 2 * latency[o], f)
      return
    }
    transmitNext(o, ov, p, f, ejects, t)
  }

  /**
   * Repeats a damaged transmission. The receiver discards everything until the sender knows of the error, so the link
   * then continues with the damaged packet.
   */
  function sendAgain(o: number, t: number): void {
    const p = again[o]
    const f = pFlits[p]
    work[running[0] + COUNT.relaunched]++
    if (damaged(o)) {
      busy(o, t + f + 2 * latency[o], f)
      return
    }
    again[o] = 0
    transmitNext(o, (o << LV) + sVc[p << 2], p, f, down[o] < 0, t)
  }

  /** Draws whether the next transmission of link o is damaged. The number depends on port and transmission only. */
  function damaged(o: number): boolean {
    const n = sent[o]
    sent[o] = n + 1
    return linkErrorRate[o] > 0 && unit(draw(streamOf(LINK_SEED, outerPort[o]), n)) <= linkErrorRate[o]
  }

  function busy(o: number, until: number, f: number): void {
    linkUntil[o] = until
    linkDue[(running[LINK_ERRORS ? 5 : 3] + (until & DUE)) * WORDS + ((o - running[2]) >> 5)] |= 1 << o
    portFlits[o] += f
  }

  /**
   * Sends packet p: occupies the link, records the packet for the round trip (retention), and passes it to the engine.
   * An acknowledgement that leaves for its endpoint also reaches the end port's copy table (stash.ts: answered).
   */
  function transmitNext(o: number, ov: number, p: number, f: number, ejects: boolean, t: number): void {
    const L = latency[o]
    busy(o, t + f, f)
    if (!RETAIN) giveOutput(o, ov, f)
    if (RETAIN || (REMOVE && !ejects)) {
      const n = retainTail[o]
      retained[retainFirst[o] + (n & (retainFirst[o + 1] - retainFirst[o] - 1))] = ((ov & VMASK) << 11) | f
      retainTail[o] = n + 1
      // The multiplexer may have waited for packets of this VC to move.
      if (RETAIN && held[OUT + ov] - recent[ov] >= still[o] && colRows[o] !== 0) muxPending[o >> 5] |= 1 << o
      recent[ov] += f
      retainDue[(running[5] + ((t + 2 * L + (TAIL ? f : 0)) & LM)) * WORDS + ((o - running[2]) >> 5)] |= 1 << o
    }
    if (ERRORS) spoil(o, p)
    if (ejects) {
      queued[ov] += f
      transmit(ov, p, t + L + f)
      if (STASH && COPIES && (sFlags[p << 2] & (FLAGS.ack | FLAGS.spoilt | FLAGS.lost)) === FLAGS.ack)
        stash.answered(p, Math.ceil((t * LINK) / CORE))
      if (SPECULATION && pKind[p] === CONFIRMS) stash.answered(p, Math.ceil((t * LINK) / CORE))
      return
    }
    if (REMOVE) queued[ov] += f
    transmit(ov, p, t + L + hold[f])
  }

  /** Draws errors that the link does not detect: the packet arrives damaged, or is lost. */
  function spoil(o: number, p: number): void {
    const b = p << 2
    const salt = (pHops[p] & HOPS_ONLY) * 2 + (sFlags[b] & FLAGS.ack)
    if (errorRate[o] === 0 || unit(draw(pKey[p] ^ ERRORS_OF, salt)) > errorRate[o]) return
    const lost = unit(draw(pKey[p] ^ ERRORS_OF, ~salt)) <= options.lost
    sFlags[b] |= lost ? FLAGS.lost : FLAGS.spoilt
    work[running[0] + (lost ? COUNT.lost : COUNT.spoilt)]++
    if (TRACES && lost) traceEvent!(DROPPED, pSrc[p], pDst[p], pKey[p])
  }

  function giveOutput(o: number, ov: number, f: number): void {
    give(OUT + ov, f)
    if (colRows[o] !== 0) muxPending[o >> 5] |= 1 << o
  }

  /** The link-level acknowledgement of the oldest sent packet has returned: frees its space in the output buffer. */
  function confirmed(o: number): void {
    const n = retainHead[o]
    retainHead[o] = n + 1
    const word = retained[retainFirst[o] + (n & (retainFirst[o + 1] - retainFirst[o] - 1))]
    const ov = (o << LV) + (word >> 11)
    recent[ov] -= word & 2047
    if (RETAIN) giveOutput(o, ov, word & 2047)
    if (REMOVE && down[o] >= 0) queued[ov] -= word & 2047
  }

  return { credit, confirmed, arbitrate }
}
