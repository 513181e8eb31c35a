// The crossbars of the MPorts with `grain: packet`. Packets of one flit cross one by one, so that messages of several
// VLs cross together. A cycle has three rounds, because an up-link carries three flits per cycle. In each round
//   1. each input of an MPort offers the next flit of one VL, round-robin among those that can go;
//   2. each output and each up-link of the MPort grants one input, round-robin;
// and both are repeated, up to `iterations` times, for those without a partner. Outputs take part in the first `rate`
// rounds. Of the messages that would begin to cross, an output accepts that of the least recently served input in a
// round, and the centre one of its MPort, round-robin, so that no input is overtaken for ever.
//
// A message to an output of its MPort takes the space of the output buffer with its first flit. A message to the centre
// takes only space of the central buffer; that of the output buffer follows at the central crossbar (packet-centre.ts).
// If the parameters say so, it takes both here; of those that found no space, the least recently served goes first.
// Two rules keep cyclic buffer dependencies out of the centre. A message that must leave a bubble behind it takes its
// space in the output buffer before it enters the centre. If the central buffer is full, a message may take space of
// the output buffer for which no packet in the centre waits. It then passes through a place of one message for each
// MPort and VL.
//
// An input whose last flit of a message has crossed frees its space then. It finishes one message in a cycle, because
// a link returns one credit in a cycle.
//
// Columns:
//   `outNext`    [m * (MPORT + 2) + target]  round-robin pointer of a target over the inputs;
//   `enterNext`  [m]                         the same for messages that begin to cross into the centre;
//   `current`, `crossed`  [(q << LV) + v]    the message of which a part has crossed (0 = none), and its flits that have;
//   `upOf`       [(q << LV) + v]             its up-link in the MPort;
//   `unplaced`   [(q << LV) + v]             1 + the VL on which its first message waits for space, 0 = it does not;
//   `waiters`    [((o << LV) + v) * R + i]   VLs of input i of which this holds, for each place in an output buffer.
// Word IN.target of an input has a bit for each VL with such a message.
import { lowest } from "../../core/bitset.ts"
import { APART, i32, scratch, scratchOf, u8, u16 } from "../../fabric/columns.ts"
import { FLITS, NEXT, STATE } from "../../fabric/packets.ts"
import type { SwitchPorts } from "../../fabric/transfer.ts"
import { IN } from "../parts/service-level-stages.ts"
import type { VlOutput } from "../parts/vl-outputs.ts"
import { STATES, type VlInput } from "../parts/vls.ts"
import { type PacketCentre, START } from "./packet-centre.ts"
import { UPLINK_RATE, UPLINKS } from "./params.ts"
import type { SharedState } from "./shared-state.ts"
import { UP_LINK } from "./up-link.ts"

function crossbarColumns({ site, p, ports, MP }: SharedState) {
  const { layout: l } = site
  const count = l.routers * MP
  return {
    outNext: u8(count * (p.mport + UPLINKS)),
    enterNext: u8(count),
    current: i32(ports.inputs << l.LV),
    crossed: u16(ports.inputs << l.LV),
    upOf: u8(ports.inputs << l.LV),
    unplaced: u8(p.room === "input" ? ports.inputs << l.LV : 0),
    waiters: u8(p.room === "input" ? (ports.count << l.LV) * l.radix : 0),
  }
}

/** Creates the crossbars of all MPorts. packet-switch.ts calls `arbitrate` after the centre. */
export function makePacketCrossbars(
  sharedState: SharedState,
  input: VlInput,
  output: VlOutput,
  centre: PacketCentre,
  { returnCredit }: SwitchPorts,
) {
  const low = lowest
  const { site, p: params, packetQueues, central, records: inputs, shift: SHIFT, upLinks, MP, UP } = sharedState
  const { LV, PS, down, radix: R } = site.layout
  const { packets, packetHops, flitHops } = site.columns
  const { first: front } = packetQueues
  const { turn, states, needsArbitration } = input.columns
  const bytes = new Uint8Array(packets.buffer)
  const outs = new Uint8Array(inputs.buffer)
  const { leave, stall } = input
  const { choose, reserve, enqueue, neededCredits } = output
  const { fits } = central.rules
  const { enterCentre, cameFlit } = centre
  const { waiting, longest, served, passing } = centre.columns
  const { mport: MPORT, rate: RATE, iterations: ITERATIONS } = params
  const TARGETS = MPORT + UPLINKS
  const VMASK = (1 << LV) - 1
  const NARROW = R <= 32
  const AT_INPUT = params.room === "input"
  const { own: OWN } = site.constants
  const { fronts: FRONTS, stalledVcs: STALLED, last: LAST, tail: TAIL_AT, target: PARTS, outs: OUTS } = IN
  const { awake: AWAKE, shift: STATE_SHIFT } = STATES
  const { load: LOAD, shift: UP_SHIFT } = UP_LINK
  const columns = crossbarColumns(sharedState)
  const { outNext, enterNext, current, crossed, upOf, unplaced, waiters } = columns
  const mportOf = scratchOf(Array.from({ length: R }, (_, o) => Math.floor(o / MPORT)))
  // [input of the MPort] -> VL | output VL << 8 | START << 16 of its offer; [target] -> inputs that offer a flit
  const offered = scratch(MPORT)
  const offers = scratch(TARGETS)
  let me = 0
  // Of the MPort that is served: inputs that finished a message in this cycle; targets with a partner in this round.
  let finished = 0
  let taken = 0
  let entered = false

  function enter(part: number): void {
    me = part
  }

  /** Serves the MPorts of router r. The first one is another one in each cycle, because they share output buffers. */
  function arbitrate(r: number, t: number): void {
    const state = r << STATE_SHIFT
    const seenLow = states[state + AWAKE]
    const seenHigh = NARROW ? 0 : states[state + AWAKE + 1]
    if ((seenLow | seenHigh) === 0) return
    states[state + AWAKE] = 0
    if (!NARROW) states[state + AWAKE + 1] = 0
    const first = firstMport(t, MP)
    for (let k = 0; k < MP; k++) {
      const m = first + k < MP ? first + k : first + k - MP
      let who = 0
      for (let i = 0, port = m * MPORT; i < MPORT && port < R; i++, port++)
        who |= (((port < 32 ? seenLow : seenHigh) >>> port) & 1) << i
      if (who !== 0) serve(r, m, who, t)
    }
    stayAwake(r, seenLow, 0)
    if (!NARROW) stayAwake(r, seenHigh, 1)
  }

  /** Inputs that were visited are visited again in the next cycle if they have a flit that is not stalled. */
  function stayAwake(r: number, seen: number, word: number): void {
    let again = 0
    for (let m = seen; m !== 0; m &= m - 1) {
      const at = (r * PS + (word << 5) + low(m)) << SHIFT
      if ((inputs[at + PARTS] | (inputs[at + FRONTS] & ~inputs[at + STALLED])) !== 0) again |= m & -m
    }
    if (again === 0) return
    states[(r << STATE_SHIFT) + AWAKE + word] |= again
    needsArbitration[r >> 5] |= 1 << r
  }

  /** The rounds of a cycle for the inputs `who` of MPort m. */
  function serve(r: number, m: number, who: number, t: number): void {
    let alive = who
    finished = 0
    for (let round = 0; round < UPLINK_RATE && alive !== 0; round++) {
      let left = alive
      taken = 0
      entered = false
      for (let n = 0; n < ITERATIONS && left !== 0; n++) {
        let met = 0
        for (let some = left; some !== 0; some &= some - 1) {
          const i = low(some)
          const to = offer(r, m, i, round, t)
          if (to >= 0) {
            offers[to] |= some & -some
            met |= 1 << to
            continue
          }
          left &= ~(some & -some)
          // All targets are still free, so this input has nothing more to send in this cycle.
          if (n === 0) alive &= ~(some & -some)
        }
        if (met === 0) break
        left &= ~grant(r, m, met, t)
      }
    }
  }

  /** Returns the target of the first VL of input i, round-robin, of which a flit can go now, or -1. */
  function offer(r: number, m: number, i: number, round: number, t: number): number {
    const q = r * PS + m * MPORT + i
    const at = q << SHIFT
    const parts = inputs[at + PARTS]
    const all = parts | (inputs[at + FRONTS] & ~inputs[at + STALLED])
    let first = all & (-1 << turn[q])
    let second = all ^ first
    for (;;) {
      if (first === 0) {
        if (second === 0) return -1
        first = second
        second = 0
      }
      const v = low(first)
      first &= first - 1
      const to = ((parts >>> v) & 1) !== 0 ? goesOn(q, m, i, v, round, t) : begins(r, q, m, i, v, round)
      if (to >= 0) return to
    }
  }

  /** Returns the target of the next flit of a message of which a part has crossed, or -1. */
  function goesOn(q: number, m: number, i: number, v: number, round: number, t: number): number {
    const cell = (q << LV) + v
    const p = current[cell]
    const o = bytes[(p + STATE) << 2]
    const direct = mportOf[o] === m
    const to = direct ? o - m * MPORT : MPORT + upOf[cell]
    if (((taken >>> to) & 1) !== 0 || (direct && round >= RATE)) return -1
    const at = q << SHIFT
    const f = packets[p + FLITS]
    if (((finished >>> i) & 1) !== 0 && crossed[cell] === f - 1) return -1
    // Flit n of a message that is still arriving comes n cycles after its head.
    if (inputs[at + LAST] === p && inputs[at + TAIL_AT] - (f - 1) + crossed[cell] > t) return -1
    offered[i] = v
    return to
  }

  /** Returns the target of the first flit of a message, or -1. Stalls a VL whose message finds no space. */
  function begins(r: number, q: number, m: number, i: number, v: number, round: number): number {
    const o = outs[(((q << SHIFT) + OUTS) << 2) + v]
    const port = r * PS + o
    const p = front((q << LV) + v)
    const f = packets[p + FLITS]
    if (f === 1 && ((finished >>> i) & 1) !== 0) return -1
    if (mportOf[o] === m) {
      const to = o - m * MPORT
      if (((taken >>> to) & 1) !== 0 || round >= RATE) return -1
      const got = choose(q, port, p)
      if (got < 0) {
        // The centre lets it go first if it has waited longer, unless it has to leave a bubble.
        if (down[port] < 0 || neededCredits(q, port, f) === f) foundNoSpace((q << LV) + v, port, p, m * MPORT + i)
        stall(q, v, port)
        return -1
      }
      if (AT_INPUT && overtakes(port, got, m * MPORT + i)) return -1
      offered[i] = v | (got << 8) | (START.direct << 16)
      return to
    }
    const to = uplink(r, m)
    if (to < 0) return -1
    const way = wayIn((q << LV) + v, port, p, f, r * MP + m, m * MPORT + i)
    if (way < 0) {
      if (way === -2) stall(q, v, port)
      return -1
    }
    offered[i] = v | way
    return to
  }

  /** Returns the less loaded of the free up-links as a target, or -1. */
  function uplink(r: number, m: number): number {
    let best = -1
    let least = 0
    for (let n = 0; n < UPLINKS; n++) {
      const has = upLinks[((r * UP + m * UPLINKS + n) << UP_SHIFT) + LOAD]
      if (((taken >>> (MPORT + n)) & 1) !== 0 || (best >= 0 && has >= least)) continue
      best = n
      least = has
    }
    return best < 0 ? -1 : MPORT + best
  }

  /** Returns how a message may enter the centre: output VL << 8 | START << 16; -1 = not yet, -2 = its output is full. */
  function wayIn(cell: number, port: number, p: number, f: number, mport: number, i: number): number {
    const q = cell >> LV
    const bubble = down[port] >= 0 && neededCredits(q, port, f) > f
    if (bubble || AT_INPUT) {
      const got = choose(q, port, p)
      if (got < 0 && !bubble) foundNoSpace(cell, port, p, i)
      if (got < 0) return -2
      if (AT_INPUT && !bubble && overtakes(port, got, i)) return -1
      return fits((mport << LV) + got, f) ? (got << 8) | (START.holds << 16) : -1
    }
    const v = low(packets[p + OWN])
    if (fits((mport << LV) + v, f)) return (v << 8) | (START.waits << 16)
    if (waiting[(port << LV) + v] > 0 || passing[(mport << LV) + v] > 0) return -1
    return choose(q, port, p) === v ? (v << 8) | (START.passes << 16) : -1
  }

  /** Message p, the first of a VL of input i of the router, found no space in the output buffer of a port. */
  function foundNoSpace(cell: number, port: number, p: number, i: number): void {
    const slot = (port << LV) + low(packets[p + OWN])
    const of = Math.imul(port, R)
    const last = served[of + i] + 1
    if (longest[slot] === 0 || last < longest[slot]) longest[slot] = last
    if (!AT_INPUT || unplaced[cell] !== 0) return
    unplaced[cell] = 1 + (slot & VMASK)
    waiters[slot * R + i]++
  }

  /** Returns whether an input that was served less recently than input i found no space in this buffer. */
  function overtakes(port: number, v: number, i: number): boolean {
    const of = Math.imul(port, R)
    const slot = (port << LV) + v
    for (let k = 0; k < R; k++) if (waiters[slot * R + k] > 0 && served[of + k] < served[of + i]) return true
    return false
  }

  /** Each target of `met` grants one of its inputs, and its flit crosses. Returns the inputs with a partner. */
  function grant(r: number, m: number, met: number, t: number): number {
    let into = 0
    for (let n = 0; n < UPLINKS; n++) into |= offers[MPORT + n]
    into = starting(into)
    if (into !== 0) {
      const one = entered ? 0 : firstFrom(into, enterNext[r * MP + m])
      for (let n = 0; n < UPLINKS; n++) offers[MPORT + n] &= ~(into & ~one)
    }
    let won = 0
    for (let left = met; left !== 0; left &= left - 1) {
      const to = low(left)
      let who = offers[to]
      offers[to] = 0
      if (to < MPORT) {
        const begin = starting(who)
        if (begin !== 0) who &= ~(begin & ~leastServed(begin, r * PS + m * MPORT + to, m))
      }
      if (who === 0) continue
      const bit = firstFrom(who, outNext[(r * MP + m) * TARGETS + to])
      const i = low(bit)
      outNext[(r * MP + m) * TARGETS + to] = i + 1 === MPORT ? 0 : i + 1
      taken |= 1 << to
      won |= bit
      cross(r, m, i, to, t)
    }
    return won
  }

  /** Returns the inputs of `who` whose flit is the first of a message. */
  function starting(who: number): number {
    let found = 0
    for (let m = who; m !== 0; m &= m - 1) if (offered[low(m)] >> 16 !== START.none) found |= m & -m
    return found
  }

  /** Returns the input of a set that output `port` has served least recently, as a set. */
  function leastServed(who: number, port: number, m: number): number {
    let best = 0
    let least = 0
    for (let left = who; left !== 0; left &= left - 1) {
      const last = served[Math.imul(port, R) + m * MPORT + low(left)]
      if (best !== 0 && last >= least) continue
      best = left & -left
      least = last
    }
    return best
  }

  /** Returns the first member of a non-empty set at or after `start`, cyclically, as a set. */
  function firstFrom(who: number, start: number): number {
    const after = who & (-1 << start)
    const m = after !== 0 ? after : who
    return m & -m
  }

  /** A flit of input i crosses to a target: the first one takes space, the last one frees that of the input. */
  function cross(r: number, m: number, i: number, to: number, t: number): void {
    const q = r * PS + m * MPORT + i
    const got = offered[i]
    const v = got & 255
    const cell = (q << LV) + v
    const u = r * UP + m * UPLINKS + to - MPORT
    turn[q] = (v + 1) & VMASK
    if (got >> 16 !== START.none) begin(r, m, i, to, u, cell, got, t)
    const p = current[cell]
    const f = packets[p + FLITS]
    if (to < MPORT) flitHops[me * APART]++
    else cameFlit(u, p, t)
    if (++crossed[cell] < f) return
    current[cell] = 0
    inputs[(q << SHIFT) + PARTS] &= ~(1 << v)
    finished |= 1 << i
    if (to < MPORT) {
      packetHops[me * APART]++
      enqueue(r * PS + m * MPORT + to, bytes[((p + STATE) << 2) + 1], p, t)
    }
    returnCredit(cell, f, t)
  }

  /** A message begins to cross. */
  function begin(r: number, m: number, i: number, to: number, u: number, cell: number, got: number, t: number): void {
    const q = cell >> LV
    const v = (got >> 8) & 255
    const how = got >> 16
    const p = leave(q, got & 255, t)
    if (AT_INPUT && unplaced[cell] !== 0) {
      // The message may take space on another of its VLs than the one on which it waited.
      waiters[(((r * PS + bytes[(p + STATE) << 2]) << LV) + unplaced[cell] - 1) * R + m * MPORT + i]--
      unplaced[cell] = 0
    }
    packets[p + NEXT] = 0
    current[cell] = p
    crossed[cell] = 0
    inputs[(q << SHIFT) + PARTS] |= 1 << (got & 255)
    if (to < MPORT) {
      const port = r * PS + m * MPORT + to
      reserve(port, v, p)
      served[Math.imul(port, R) + m * MPORT + i] = t + 1
      longest[(port << LV) + v] = 0
      return
    }
    enterNext[r * MP + m] = i + 1 === MPORT ? 0 : i + 1
    entered = true
    upOf[cell] = to - MPORT
    enterCentre(u, v, p, how, m * MPORT + i, t)
  }

  return { columns, enter, arbitrate }
}

/** Returns the MPort that is served first in cycle t: a hash, so that no period of the traffic prefers one. */
export function firstMport(t: number, mports: number): number {
  return (Math.imul(t, 0x9e3779b1) >>> 8) % mports
}
