// The central crossbar with `grain: packet`. The buffer of an up-link has a queue of messages for each output and VL.
// Flits that have come into it face a second arbitration, in three rounds of a cycle, because a buffer delivers three
// flits per cycle. In each round
//   1. each up-link offers the next flit of one of its queues, round-robin;
//   2. each output grants one up-link, round-robin, in the first `centralRate` rounds.
// A message takes the space of the output buffer with its first flit here, unless it has taken it before
// (packet-crossbars.ts). With its last flit it frees its space of the central buffer and joins the queue of its VL.
// Space in the output buffer goes to the least recently served input of the router, whether it is in the MPort of the
// output or sends through the centre: all ports get the same.
//
// The packet's own word counts its flits that have come into the central buffer and those that have left it; it also
// has its input and the flags of IN_CENTRE. Columns (in addition to the records of up-links, up-link.ts):
//   `upAwake`      [r]              up-links to visit;
//   `fronts`       [u * R + o]      VLs with messages in u for output o;
//   `centralNext`  [r * R + o]      round-robin pointer of output o over the up-links;
//   `served`       [o * R + i]      1 + the cycle in which output o last gave space to a message of input i; 0 = never;
//   `waiting`      [(o << LV) + v]  messages in the centre that have no space in the output buffer;
//   `longest`      [(o << LV) + v]  1 + the least `served` of the inputs of the MPort that found no space; 0 = none;
//   `passing`      [(m << LV) + v]  1: a message passes through the place of the MPort and VL;
//   `comes`        [(u * (MIDDLE + 1) + slot) * 3 + n]  messages of which a flit comes into u, `came` their number;
//   `comingDue`                     timing wheel of up-links, by the cycle in which flits come.
import { lowest } from "../../core/bitset.ts"
import { APART, i32, scratch, u8, u16 } from "../../fabric/columns.ts"
import { FLITS, STATE } from "../../fabric/packets.ts"
import { wheelMask, wheelWords } from "../parts/ready-sets.ts"
import type { VlOutput } from "../parts/vl-outputs.ts"
import type { VlInput } from "../parts/vls.ts"
import { upWordsOf } from "./centre.ts"
import { UPLINK_RATE, UPLINKS } from "./params.ts"
import type { SharedState } from "./shared-state.ts"
import { UP_LINK } from "./up-link.ts"

/** Flags of a message in the centre: it holds space of the output buffer; it passes through the place of its VL. */
export const IN_CENTRE = { holds: 1 << 30, passes: 1 << 29 } as const
/** Bits of its flits that have left, of which there are at most 2047, and of the input from which it came. */
const LEFT = 11
const COUNT = (1 << LEFT) - 1
const FROM = 22
/**
 * How a message begins to cross: to an output of its own MPort; into the centre without space in the output buffer,
 * with it, or through the place that is kept for it.
 */
export const START = { none: 0, direct: 1, waits: 2, holds: 3, passes: 4 } as const

export type PacketCentre = ReturnType<typeof makePacketCentre>

function centreColumns({ site, p, ports, MP, UP }: SharedState, mask: number, upWords: number) {
  const { layout: l } = site
  return {
    upAwake: i32(l.routers),
    fronts: i32(l.routers * UP * l.radix),
    centralNext: u8(l.routers * l.radix),
    served: i32(ports.count * l.radix),
    waiting: u16(ports.count << l.LV),
    longest: i32(ports.count << l.LV),
    passing: u8((l.routers * MP) << l.LV),
    comes: i32(l.routers * UP * (p.middle + 1) * UPLINK_RATE),
    came: u8(l.routers * UP * (p.middle + 1)),
    comingDue: wheelWords(l.parts, mask, upWords),
  }
}

/** Creates the central stage. packet-crossbars.ts calls `enterCentre` and `cameFlit`. */
export function makePacketCentre(
  sharedState: SharedState,
  { columns: { needsArbitration } }: VlInput,
  { enqueue, reserve }: VlOutput,
) {
  const low = lowest
  const { site, p: params, packetQueues, central, upLinks, UP, firstCentral, perUplink, firstComing } = sharedState
  const { LV, PS, firstRouter, radix: R } = site.layout
  const { packets, packetHops, flitHops } = site.columns
  const { own: OWN } = site.constants
  const { OUT } = site.sharedBuffers
  const { fits: fitsOut } = site.rules
  const { take, give } = central.rules
  const bytes = new Uint8Array(packets.buffer)
  const { push, pop, first } = packetQueues
  const { centralRate: RATE, middle: MIDDLE } = params
  const SLOTS = MIDDLE + 1
  const LANES = 1 << LV
  const VMASK = LANES - 1
  const NARROW = R <= 32
  const UP_WORDS = upWordsOf(sharedState)
  const MASK = wheelMask(MIDDLE + 2)
  const { load: LOAD, wants: WANTS, turn: TURN, shift: UP_SHIFT } = UP_LINK
  const columns = centreColumns(sharedState, MASK, UP_WORDS)
  const { upAwake, fronts, centralNext, served, waiting, longest, passing, comes, came: cameCount, comingDue } = columns
  // [output] -> up-links that offer it a flit; [up-link of the router] -> VL of its offer; outputs with a partner
  const requested = scratch(64)
  const vlOf = scratch(UP)
  const taken = scratch(2)
  let me = 0
  let wheel = 0
  let upBase = 0

  function enter(part: number): void {
    me = part
    wheel = part * (MASK + 1)
    upBase = firstRouter[part] * UP
  }

  /** Message p begins to enter the buffer of up-link u, on VL v. */
  function enterCentre(u: number, v: number, p: number, how: number, i: number, t: number): void {
    const f = packets[p + FLITS]
    const port = Math.imul((u / UP) | 0, PS) + bytes[(p + STATE) << 2]
    const slot = (((u / UPLINKS) | 0) << LV) + v
    const holds = how === START.waits ? 0 : IN_CENTRE.holds | (how === START.passes ? IN_CENTRE.passes : 0)
    packets[p + OWN] = (i << FROM) | holds
    if (how === START.passes) passing[slot] = 1
    else take(slot, f)
    if (how === START.waits) {
      bytes[((p + STATE) << 2) + 1] = v
      waiting[(port << LV) + v]++
    } else {
      reserve(port, v, p)
      served[Math.imul(port, R) + i] = t + 1
    }
    upLinks[(u << UP_SHIFT) + LOAD] += f
    push(firstComing + u, p)
  }

  /** A flit of p moves into the buffer of up-link u. */
  function cameFlit(u: number, p: number, t: number): void {
    const at = u * SLOTS + ((t + MIDDLE) % SLOTS)
    comes[at * UPLINK_RATE + cameCount[at]++] = p
    const rel = u - upBase
    comingDue[(wheel + ((t + MIDDLE) & MASK)) * UP_WORDS + (rel >> 5)] |= 1 << rel
  }

  /** The flits of this cycle have come into the buffer of up-link u. */
  function came(u: number, _s: number, t: number): void {
    const at = u * SLOTS + (t % SLOTS)
    const n = cameCount[at]
    cameCount[at] = 0
    const r = (u / UP) | 0
    for (let k = 0; k < n; k++) {
      const p = comes[at * UPLINK_RATE + k]
      const state = (p + STATE) << 2
      if ((packets[p + OWN]++ & COUNT) > 0) continue
      pop(firstComing + u)
      const o = bytes[state]
      const v = bytes[state + 1]
      if (!push(firstCentral + u * perUplink + o * LANES + v, p)) continue
      fronts[u * R + o] |= 1 << v
      upLinks[(u << UP_SHIFT) + WANTS + (o >> 5)] |= 1 << o
    }
    upAwake[r] |= 1 << (u - r * UP)
    needsArbitration[r >> 5] |= 1 << r
  }

  /** Arbitrates the centre of router r. */
  function arbitrate(r: number, t: number): void {
    let alive = upAwake[r]
    for (let round = 0; round < RATE && alive !== 0; round++) {
      taken[0] = 0
      taken[1] = 0
      for (let m = alive; m !== 0; m &= m - 1) {
        const n = low(m)
        const o = offer(r, r * UP + n, n)
        if (o < 0) alive &= ~(m & -m)
        else {
          requested[o] |= m & -m
          taken[o >> 5] |= 1 << o
        }
      }
      for (let word = 0; word < 2; word++)
        for (let m = taken[word]; m !== 0; m &= m - 1) grant(r, (word << 5) + low(m), t)
    }
    // An up-link with messages is visited again in the next cycle.
    let again = 0
    for (let m = upAwake[r]; m !== 0; m &= m - 1) {
      const at = ((r * UP + low(m)) << UP_SHIFT) + WANTS
      if ((upLinks[at] | (NARROW ? 0 : upLinks[at + 1])) !== 0) again |= m & -m
    }
    upAwake[r] = again
    if (again !== 0) needsArbitration[r >> 5] |= 1 << r
  }

  /** Returns the output of the first queue of up-link u, round-robin, of which a flit can go; -1 = none. */
  function offer(r: number, u: number, n: number): number {
    const turn = upLinks[(u << UP_SHIFT) + TURN]
    const start = turn >> LV
    const at = (u << UP_SHIFT) + WANTS
    // The queues of the first output from its turn on, the other outputs, and at last those before its turn.
    const own = (upLinks[at + (start >> 5)] >>> start) & 1
    if (own !== 0 && ready(r, u, n, start, fronts[u * R + start] & (-1 << (turn & VMASK)))) return start
    for (let o = nextWant(at, start + 1); o >= 0; o = nextWant(at, o + 1))
      if (ready(r, u, n, o, fronts[u * R + o])) return o
    for (let o = nextWant(at, 0); o >= 0 && o < start; o = nextWant(at, o + 1))
      if (ready(r, u, n, o, fronts[u * R + o])) return o
    if (own !== 0 && ready(r, u, n, start, fronts[u * R + start] & ~(-1 << (turn & VMASK)))) return start
    return -1
  }

  /** Returns the first output from `start` on for which an up-link has messages, or -1. */
  function nextWant(at: number, start: number): number {
    if (start < 32) {
      const m = upLinks[at] & (-1 << start)
      if (m !== 0) return low(m)
      return NARROW || upLinks[at + 1] === 0 ? -1 : 32 + low(upLinks[at + 1])
    }
    const m = NARROW || start > 63 ? 0 : upLinks[at + 1] & (-1 << start)
    return m === 0 ? -1 : 32 + low(m)
  }

  /** Returns whether a flit of one of these VLs can go to output o; `vlOf` receives the first one. */
  function ready(r: number, u: number, n: number, o: number, vls: number): boolean {
    for (let m = vls; m !== 0; m &= m - 1) {
      const v = low(m)
      const p = first(firstCentral + u * perUplink + o * LANES + v)
      const own = packets[p + OWN]
      if ((own & COUNT) === ((own >>> LEFT) & COUNT)) continue
      if ((own & IN_CENTRE.holds) === 0) {
        const slot = ((r * PS + o) << LV) + v
        if (longest[slot] > 0 && longest[slot] - 1 < servedAt(r * PS + o, p)) continue
        if (!fitsOut(OUT + slot, packets[p + FLITS])) continue
      }
      vlOf[n] = v
      return true
    }
    return false
  }

  /** Output o grants one of the up-links that offer it a flit. Of those that need its space, one takes part. */
  function grant(r: number, o: number, t: number): void {
    let who = requested[o]
    requested[o] = 0
    let begin = 0
    let best = 0
    let least = 0
    for (let m = who; m !== 0; m &= m - 1) {
      const n = low(m)
      const p = first(firstCentral + (r * UP + n) * perUplink + o * LANES + vlOf[n])
      if ((packets[p + OWN] & IN_CENTRE.holds) !== 0) continue
      begin |= m & -m
      const last = servedAt(r * PS + o, p)
      if (best !== 0 && last >= least) continue
      best = m & -m
      least = last
    }
    who &= ~(begin & ~best)
    const bit = firstFrom(who, centralNext[r * R + o])
    const n = low(bit)
    centralNext[r * R + o] = n + 1 === UP ? 0 : n + 1
    read(r, r * UP + n, o, vlOf[n], (begin & bit) !== 0, t)
  }

  /** Returns the input (number in the router) from which a message came into the centre. */
  function inputOf(p: number): number {
    return (packets[p + OWN] >>> FROM) & 63
  }

  function servedAt(port: number, p: number): number {
    return served[Math.imul(port, R) + inputOf(p)]
  }

  function firstFrom(who: number, start: number): number {
    const after = who & (-1 << start)
    const m = after !== 0 ? after : who
    return m & -m
  }

  /** A flit of the first message of a queue goes to output o. */
  function read(r: number, u: number, o: number, v: number, begins: boolean, t: number): void {
    const at = u << UP_SHIFT
    const queue = firstCentral + u * perUplink + o * LANES + v
    const p = first(queue)
    const port = r * PS + o
    const after = o * LANES + v + 1
    upLinks[at + TURN] = after === perUplink ? 0 : after
    if (begins) {
      packets[p + OWN] |= IN_CENTRE.holds
      reserve(port, v, p)
      waiting[(port << LV) + v]--
      served[Math.imul(port, R) + inputOf(p)] = t + 1
    }
    flitHops[me * APART]++
    packets[p + OWN] += 1 << LEFT
    const f = packets[p + FLITS]
    if (((packets[p + OWN] >>> LEFT) & COUNT) < f) return
    pop(queue)
    if (first(queue) === 0) {
      fronts[u * R + o] &= ~(1 << v)
      if (fronts[u * R + o] === 0) upLinks[at + WANTS + (o >> 5)] &= ~(1 << o)
    }
    upLinks[at + LOAD] -= f
    const slot = (((u / UPLINKS) | 0) << LV) + v
    if ((packets[p + OWN] & IN_CENTRE.passes) !== 0) passing[slot] = 0
    else give(slot, f)
    packetHops[me * APART]++
    enqueue(port, v, p, t)
  }

  return { columns, wheelMask: MASK, upWords: UP_WORDS, enter, arbitrate, enterCentre, cameFlit, came }
}
