// Output buffers and links: VCs share the link in turn, a whole packet at a time, if the input on the other side has room for it; the most urgent priority
// goes first, and within it those that hold less than their part of that input. What was sent stays
// in the output buffer for one round trip, until the link-level acknowledgement is back. A transmission that is damaged on the link is repeated by the
// link (go-back-N): nothing else gets through until its sender has learnt of it, one round trip later.
import { lowest } from "../../core/bitset.ts"
import { draw, streamOf, unit } from "../../core/rng.ts"
import { CREDIT_SHIFT, FLAG, HOP_MASK, recordViews } from "../../fabric/packets.ts"
import { FACT } from "../../model/facts.ts"
import { LACKING, WORK } from "./columns.ts"
import type { Drops } from "./drops.ts"
import type { Frame } from "./frame.ts"
import type { StashPath } from "./stash.ts"

export interface LinkStage {
  credit(ov: number, flits: number): void
  /** the oldest packet that is retained at o is known to have arrived */
  confirmed(o: number): void
  arbitrate(o: number, t: number): void
}

export function makeLink(frame: Frame, stash: StashPath, drops: Drops | undefined): LinkStage {
  const low = lowest
  // constants of other modules cost a load each time they are read; these do not
  const FLAGS = FLAG
  const COUNT = WORK
  const LACKS = LACKING
  const SHIFT = CREDIT_SHIFT
  const HOPS_ONLY = HOP_MASK
  const { site, use, k, columns, options, wires, running } = frame
  const { layout, columns: shared, rooms, rules, queued } = site
  const { LV, down, latency } = layout
  const { portFlits } = shared
  const { pSrc, pDst, pKey, pFlits, pHops, sVc, sFlags } = recordViews(shared.packets)
  const { pop } = frame.chains
  const { output: OUTPUT } = frame.queues
  const { heads, outMask, linkUntil, linkNext, linkDirty, linkDue, muxDirty, colRows } = columns
  const { retained, retainFirst, retainHead, retainTail, retainDue, recent, lacking } = columns
  const { linkMask: LM, coreMask: CM, stash: STASH, errors: ERRORS, linkErrors: LINK_ERRORS } = k
  const DUE = LINK_ERRORS ? LM : CM
  const { again, sent, work } = columns
  const { errorRate, linkErrorRate, outerPort } = frame.errors
  const ERRORS_OF = streamOf(site.constants.seed, 0x3e99)
  const LINK_SEED = site.constants.seed ^ 0x71e5
  const { fits, take, give, modest } = rules
  const { launch, fact } = wires
  const FACTS = fact !== undefined
  const { dropped: DROPPED } = FACT
  const OUT = rooms.OUT
  const { releaseAtTail: TAIL, retention: RETAIN, removeRoundTrip: REMOVE, reliability: COPIES, speculation: SPECULATION } = options
  const DROPS = drops !== undefined
  const CONFIRMS = frame.dropping?.copies?.confirms ?? -1
  const pKind = shared.packets.subarray(site.constants.kind)
  const { core: CORE, link: LINK } = options.clock
  const WORDS = k.portWords
  const VMASK = (1 << LV) - 1
  const { levels } = use.plan
  const LEVELS = levels.length
  const { hold } = frame
  const { held } = rooms
  const { still } = frame.tables

  function credit(ov: number, flits: number): void {
    give(ov, flits)
    queued[ov]! += flits
    const o = ov >> LV
    if (outMask[o] !== 0) linkDirty[o >> 5]! |= 1 << o
  }

  function arbitrate(o: number, t: number): void {
    if (linkUntil[o]! > t) return
    if (LINK_ERRORS && again[o] !== 0) {
      sendAgain(o, t)
      return
    }
    const waiting = outMask[o]! & ~LACKS
    if (LEVELS === 1) inTurn(o, waiting, t)
    else for (let level = 0; level < LEVELS; level++) if (inTurn(o, waiting & levels[level]!, t)) return
  }

  /** The front of one of these VCs goes, of the first in turn that can; answers whether one does. */
  function inTurn(o: number, waiting: number, t: number): boolean {
    const ejects = down[o]! < 0
    const m = ejects || (waiting & (waiting - 1)) === 0 ? waiting : modest(o, waiting)
    let first = (m >> linkNext[o]!) << linkNext[o]!
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
      const p = heads[OUTPUT + ov]!
      const f = pFlits[p]!
      if (!ejects && full(o, ov, f)) {
        if (((lacking[o]! >> v) & 1) === 0) lacksFrom(o, v, p, t)
        continue
      }
      pop(OUTPUT + ov)
      if (heads[OUTPUT + ov] === 0) outMask[o]! &= ~(1 << v)
      linkNext[o] = (v + 1) >> LV === 0 ? v + 1 : 0
      start(o, ov, p, f, ejects, t)
      return true
    }
  }

  /** Is there no room behind the link? */
  function full(o: number, ov: number, f: number): boolean {
    return held[ov]! - recent[ov]! >= still[o]! || !fits(ov, f)
  }

  /** Rare, so a function of its own: from this cycle on packet p, the first of VC v, waits for credits. */
  function lacksFrom(o: number, v: number, p: number, t: number): void {
    outMask[o]! |= LACKS
    lacking[o]! |= 1 << v
    pHops[p]! -= t << SHIFT
  }

  /** Packet p goes in cycle t: its wait for credits, if there was one, is over. */
  function finds(o: number, v: number, p: number, t: number): void {
    if (((lacking[o]! >> v) & 1) === 0) return
    pHops[p]! += t << SHIFT
    lacking[o]! &= ~(1 << v)
    if (lacking[o] === 0) outMask[o]! &= ~LACKS
  }

  function start(o: number, ov: number, p: number, f: number, ejects: boolean, t: number): void {
    if (!ejects) take(ov, f)
    if (DROPS) drops!.leaves(o, p, t)
    if ((outMask[o]! & LACKS) !== 0) finds(o, ov & VMASK, p, t)
    if (LINK_ERRORS && damaged(o)) {
      again[o] = p
      busy(o, t + f + 2 * latency[o]!, f)
      return
    }
    transmit(o, ov, p, f, ejects, t)
  }

  /** Until the sender knows, whatever it sends is thrown away on the other side: then it goes on from the damaged packet. */
  function sendAgain(o: number, t: number): void {
    const p = again[o]!
    const f = pFlits[p]!
    work[running[0]! + COUNT.relaunched]!++
    if (damaged(o)) {
      busy(o, t + f + 2 * latency[o]!, f)
      return
    }
    again[o] = 0
    transmit(o, (o << LV) + sVc[p << 2]!, p, f, down[o]! < 0, t)
  }

  function damaged(o: number): boolean {
    const n = sent[o]!
    sent[o] = n + 1
    return linkErrorRate[o]! > 0 && unit(draw(streamOf(LINK_SEED, outerPort[o]!), n)) <= linkErrorRate[o]!
  }

  function busy(o: number, until: number, f: number): void {
    linkUntil[o] = until
    linkDue[(running[LINK_ERRORS ? 5 : 3]! + (until & DUE)) * WORDS + ((o - running[2]!) >> 5)]! |= 1 << o
    portFlits[o]! += f
  }

  function transmit(o: number, ov: number, p: number, f: number, ejects: boolean, t: number): void {
    const L = latency[o]!
    busy(o, t + f, f)
    if (!RETAIN) giveOutput(o, ov, f)
    if (RETAIN || (REMOVE && !ejects)) {
      const n = retainTail[o]!
      retained[retainFirst[o]! + (n & (retainFirst[o + 1]! - retainFirst[o]! - 1))] = ((ov & VMASK) << 11) | f
      retainTail[o] = n + 1
      // the multiplexer may have waited for a VC's packets to move
      if (RETAIN && held[OUT + ov]! - recent[ov]! >= still[o]! && colRows[o] !== 0) muxDirty[o >> 5]! |= 1 << o
      recent[ov]! += f
      retainDue[(running[5]! + ((t + 2 * L + (TAIL ? f : 0)) & LM)) * WORDS + ((o - running[2]!) >> 5)]! |= 1 << o
    }
    if (ERRORS) spoil(o, p)
    if (ejects) {
      queued[ov]! += f
      launch(ov, p, t + L + f)
      if (STASH && COPIES && (sFlags[p << 2]! & (FLAGS.ack | FLAGS.spoilt | FLAGS.lost)) === FLAGS.ack)
        stash.answered(p, Math.ceil((t * LINK) / CORE))
      if (SPECULATION && pKind[p] === CONFIRMS) stash.answered(p, Math.ceil((t * LINK) / CORE))
      return
    }
    if (REMOVE) queued[ov]! += f
    launch(ov, p, t + L + hold[f]!)
  }

  /** Errors that links do not see: the packet arrives damaged, or not at all. */
  function spoil(o: number, p: number): void {
    const b = p << 2
    const salt = (pHops[p]! & HOPS_ONLY) * 2 + (sFlags[b]! & FLAGS.ack)
    if (errorRate[o] === 0 || unit(draw(pKey[p]! ^ ERRORS_OF, salt)) > errorRate[o]!) return
    const lost = unit(draw(pKey[p]! ^ ERRORS_OF, ~salt)) <= options.lost
    sFlags[b]! |= lost ? FLAGS.lost : FLAGS.spoilt
    work[running[0]! + (lost ? COUNT.lost : COUNT.spoilt)]!++
    if (FACTS && lost) fact!(DROPPED, pSrc[p]!, pDst[p]!, pKey[p]!)
  }

  function giveOutput(o: number, ov: number, f: number): void {
    give(OUT + ov, f)
    if (colRows[o] !== 0) muxDirty[o >> 5]! |= 1 << o
  }

  function confirmed(o: number): void {
    const n = retainHead[o]!
    retainHead[o] = n + 1
    const word = retained[retainFirst[o]! + (n & (retainFirst[o + 1]! - retainFirst[o]! - 1))]!
    const ov = (o << LV) + (word >> 11)
    recent[ov]! -= word & 2047
    if (RETAIN) giveOutput(o, ov, word & 2047)
    if (REMOVE && down[o]! >= 0) queued[ov]! -= word & 2047
  }

  return { credit, confirmed, arbitrate }
}
