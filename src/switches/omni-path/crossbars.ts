// The crossbars of the MPorts of an Omni-Path switch. The crossbar of an MPort connects its inputs with its own
// outputs, and through one of two up-links with the centre (centre.ts). An up-link carries three flits per cycle: a
// packet that is still arriving uses one of them, any other packet all that is left.
//
// Space in the output buffer is taken before a packet leaves its input. A packet in the centre therefore never waits
// for space, only for arbitration, and no cyclic buffer dependency can pass through the centre.
//
// An input that cannot send is woken by the resource that it found busy or full: an output (../parts/vls.ts), the
// central buffer, or the up-links of its MPort. All inputs of a router request output space in the same cycle. If the
// space is not sufficient, the least recently served input of this output goes first (W. J. Dally and B. Towles,
// "Principles and Practices of Interconnection Networks", 2004, section 18.5). An input that could go thus loses the
// space of an output at most once to each other input before it is served.
//
// Columns (in addition to the records of inputs: target, which is the number of an output in the MPort or MPORT +
// up-link, | rate << 8; the cycle in which the transfer ends):
//   `inNext`   [m * MPORT + i]             1 + the target that input i was granted last;
//   `outNext`  [m * (MPORT + 2) + target]  round-robin pointer of a target over the inputs;
//   `served`   [o * R + i]                 1 + the cycle in which output o last accepted a packet of input i; 0 =
//                                          never;
//   `inEnds`                               timing wheel of inputs, by the step in which their transfers end.
import { lowest } from "../../core/bitset.ts"
import { APART, i32, scratch, scratchOf, u8 } from "../../fabric/columns.ts"
import { FLITS } from "../../fabric/packets.ts"
import type { SwitchPorts } from "../../fabric/transfer.ts"
import { wheelWords } from "../parts/ready-sets.ts"
import { IN, OUTPUT } from "../parts/service-level-stages.ts"
import type { VlOutput } from "../parts/vl-outputs.ts"
import { STATES, type VlInput } from "../parts/vls.ts"
import { RATE as BY_RATE, BY_SPACE, type Calls } from "./calls.ts"
import type { Centre } from "./centre.ts"
import { UPLINK_RATE, UPLINKS } from "./params.ts"
import type { SharedState } from "./shared-state.ts"
import { UP_LINK } from "./up-link.ts"

function mportColumns({ site, p, MP }: SharedState, mask: number) {
  const { layout: l, constants } = site
  const count = l.routers * MP
  return {
    inNext: u8(count * p.mport),
    outNext: u8(count * (p.mport + UPLINKS)),
    served: i32(l.routers * l.PS * l.radix),
    inEnds: wheelWords(l.parts, mask, constants.portWords),
  }
}

/**
 * Creates the crossbars of all MPorts. switch.ts calls `arbitrate` after the centre, and `ended` at the end of
 * transfers.
 */
export function makeMportCrossbars(
  sharedState: SharedState,
  input: VlInput,
  output: VlOutput,
  centre: Centre,
  calls: Calls,
  { returnCredit }: SwitchPorts,
) {
  const low = lowest
  const {
    site,
    p: params,
    ports,
    packetQueues,
    central,
    records: inputs,
    outputs,
    shift: SHIFT,
    upLinks,
    MP,
    UP,
  } = sharedState
  const { LV, PS, firstRouter, down, radix: R } = site.layout
  const { packets, packetHops, flitHops } = site.columns
  const { portWords: WORDS } = site.constants
  const { router, local } = ports
  const { first: front } = packetQueues
  const { turn, states } = input.columns
  const outs = new Uint8Array(inputs.buffer)
  const { leave, wake, stall, freed } = input
  const { choose, reserve, enqueue, neededCredits } = output
  const { rules, sharedBuffers } = site
  const { OUT } = sharedBuffers
  const { fits } = central.rules
  const { up, wheelMask: MASK } = centre
  const { mport: MPORT, rate: RATE } = params
  const TARGETS = MPORT + UPLINKS
  const SHARED = params.uplink === "shared"
  const VMASK = (1 << LV) - 1
  const NARROW = R <= 32
  const {
    fronts: FRONTS,
    stalledVcs: STALLED,
    last: LAST,
    tail: TAIL_AT,
    target: TARGET,
    until: IN_UNTIL,
    outs: OUTS,
  } = IN
  const { awake: AWAKE, busyIn: BUSY_IN, busyOut: BUSY_OUT, shift: STATE_SHIFT } = STATES
  const { free: FREE } = OUTPUT
  const { writes: WRITES, load: LOAD, shift: UP_SHIFT } = UP_LINK
  const columns = mportColumns(sharedState, MASK)
  const { inNext, outNext, served, inEnds } = columns
  const { mports } = calls.columns
  const { call } = calls
  const mportOf = scratchOf(Array.from({ length: R }, (_, o) => Math.floor(o / MPORT)))
  // [input] -> output << 16 | its output VL << 8 | VL; its target. [target] -> inputs of the MPort that offer a packet.
  const offered = scratch(R)
  const targetOf = scratch(R)
  const offers = scratch(TARGETS)
  // Inputs (two words) with an offer; inputs that request one output, least recently served first.
  const offering = scratch(2)
  const line = scratch(R)
  let me = 0
  let wheel = 0
  let portBase = 0

  function enter(part: number): void {
    me = part
    wheel = part * (MASK + 1)
    portBase = firstRouter[part] * PS
  }

  /**
   * Inputs to visit make their offers; then outputs with several offers assign their space; then the crossbars of the
   * MPorts arbitrate. `once` and `more` are the outputs with at least one, and with several, offers.
   */
  function arbitrate(r: number, t: number): void {
    const state = r << STATE_SHIFT
    let once = 0
    let onceHigh = 0
    let more = 0
    let moreHigh = 0
    for (let word = 0; word < (NARROW ? 1 : 2); word++) {
      let awake = states[state + AWAKE + word] & ~states[state + BUSY_IN + word]
      states[state + AWAKE + word] = 0
      let found = 0
      for (; awake !== 0; awake &= awake - 1) {
        const port = (word << 5) + low(awake)
        const to = offer(r, mportOf[port], port)
        if (to < 0) continue
        targetOf[port] = to
        found |= awake & -awake
        const o = offered[port] >> 16
        if (NARROW || o < 32) {
          more |= once & (1 << o)
          once |= 1 << o
        } else {
          moreHigh |= onceHigh & (1 << o)
          onceHigh |= 1 << o
        }
      }
      offering[word] = found
    }
    for (; more !== 0; more &= more - 1) releaseSpace(r, low(more))
    for (; moreHigh !== 0; moreHigh &= moreHigh - 1) releaseSpace(r, 32 + low(moreHigh))
    // The inputs of an MPort are consecutive, so each MPort is arbitrated when the next one starts.
    let m = -1
    let met = 0
    for (let word = 0; word < (NARROW ? 1 : 2); word++)
      for (let left = offering[word]; left !== 0; left &= left - 1) {
        const port = (word << 5) + low(left)
        if (mportOf[port] !== m) {
          if (met !== 0) grant(r, m, met, t)
          m = mportOf[port]
          met = 0
        }
        offers[targetOf[port]] |= 1 << (port - m * MPORT)
        met |= 1 << targetOf[port]
      }
    if (met !== 0) grant(r, m, met, t)
  }

  /**
   * Several inputs offer a packet to output o: assigns the space to the least recently served ones. The others try
   * again in the next cycle.
   */
  function releaseSpace(r: number, o: number): void {
    const to = r * PS + o
    const first = Math.imul(to, R)
    let n = 0
    for (let word = 0; word < (NARROW ? 1 : 2); word++)
      for (let left = offering[word]; left !== 0; left &= left - 1) {
        const port = (word << 5) + low(left)
        if (offered[port] >> 16 !== o) continue
        let k = n++
        for (; k > 0 && served[first + line[k - 1]] > served[first + port]; k--) line[k] = line[k - 1]
        line[k] = port
      }
    // Take the space in this order, to find the inputs that fit.
    let kept = 0
    for (let k = 0; k < n; k++) {
      const port = line[k]
      const q = r * PS + port
      const f = flitsOf(q, port)
      const slot = OUT + (to << LV) + ((offered[port] >> 8) & 255)
      if (rules.fits(slot, down[to] < 0 ? f : neededCredits(q, to, f))) {
        rules.take(slot, f)
        line[kept++] = port
      } else {
        offering[NARROW ? 0 : port >> 5] &= ~(1 << port)
        wake(q)
      }
    }
    // The space was only counted; the packet that wins takes it in `move`.
    for (let k = kept - 1; k >= 0; k--) {
      const port = line[k]
      rules.give(OUT + (to << LV) + ((offered[port] >> 8) & 255), flitsOf(r * PS + port, port))
    }
  }

  /** Returns the flits of the packet that input q offers. */
  function flitsOf(q: number, port: number): number {
    return packets[front((q << LV) + (offered[port] & 255)) + FLITS]
  }

  /** Returns the target of the first VL of an input, round-robin, that can go now, or -1. */
  function offer(r: number, m: number, port: number): number {
    const q = r * PS + port
    const at = q << SHIFT
    const all = inputs[at + FRONTS] & ~inputs[at + STALLED]
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
      const o = outs[((at + OUTS) << 2) + v]
      const to = r * PS + o
      // A path through the centre does not need the MPort's port of the output, so a busy output does not block it.
      const direct = mportOf[o] === m
      if (direct && ((states[(r << STATE_SHIFT) + BUSY_OUT + (NARROW ? 0 : o >> 5)] >>> o) & 1) !== 0) {
        outputs[(to << SHIFT) + FREE + (NARROW ? 0 : port >> 5)] |= 1 << port
        continue
      }
      const p = front((q << LV) + v)
      const got = choose(q, to, p)
      if (got < 0) {
        stall(q, v, to)
        continue
      }
      const target = direct ? o - m * MPORT : uplink(r, m, port - m * MPORT, got, packets[p + FLITS])
      if (target < 0) continue
      offered[port] = (o << 16) | (got << 8) | v
      return target
    }
  }

  /**
   * Returns the less loaded up-link of MPort m as a target, if there is space for f flits on this VL and the up-link
   * has rate left; otherwise -1, and input i is added to the wake-up list.
   */
  function uplink(r: number, m: number, i: number, v: number, f: number): number {
    const mport = r * MP + m
    if (!fits((mport << LV) + v, f)) {
      mports[2 * mport + BY_SPACE] |= 1 << i
      return -1
    }
    const u = r * UP + m * UPLINKS
    const most = SHARED ? UPLINK_RATE : 1
    let best = -1
    let least = 0
    for (let n = 0; n < UPLINKS; n++) {
      const at = (u + n) << UP_SHIFT
      if (upLinks[at + WRITES] >= most || (best >= 0 && upLinks[at + LOAD] >= least)) continue
      best = n
      least = upLinks[at + LOAD]
    }
    if (best >= 0) return MPORT + best
    mports[2 * mport + BY_RATE] |= 1 << i
    return -1
  }

  /** Each target of `met` grants one of its inputs, round-robin, and starts the transfer. */
  function grant(r: number, m: number, met: number, t: number): void {
    const mport = r * MP + m
    for (let left = met; left !== 0; left &= left - 1) {
      const to = low(left)
      const who = offers[to]
      offers[to] = 0
      const after = who & (-1 << outNext[mport * TARGETS + to])
      const i = low(after !== 0 ? after : who)
      outNext[mport * TARGETS + to] = i + 1 === MPORT ? 0 : i + 1
      inNext[mport * MPORT + i] = to + 1 === TARGETS ? 0 : to + 1
      // An input that lost may win in the next cycle.
      for (let lost = who & ~(1 << i); lost !== 0; lost &= lost - 1) wake(r * PS + m * MPORT + low(lost))
      move(r, m, i, to, t)
    }
  }

  /**
   * Starts the transfer of input i of MPort m to a target. A transfer to the centre has the remaining rate of the
   * up-link, or 1 if the packet is still arriving; it cannot end before the tail has arrived.
   */
  function move(r: number, m: number, i: number, to: number, t: number): void {
    const port = m * MPORT + i
    const got = offered[port]
    const v = got & 255
    const o = got >> 16
    const q = r * PS + port
    const at = q << SHIFT
    const state = r << STATE_SHIFT
    states[state + BUSY_IN + (NARROW ? 0 : port >> 5)] |= 1 << port
    const p = leave(q, v, t)
    const f = packets[p + FLITS]
    // Only the last packet of an input can still be arriving.
    const tail = inputs[at + LAST] === p ? inputs[at + TAIL_AT] : 0
    turn[q] = (v + 1) & VMASK
    // The output space is taken now, also for a packet that goes through the centre.
    reserve(r * PS + o, (got >> 8) & 255, p)
    served[Math.imul(r * PS + o, R) + port] = t + 1
    const u = r * UP + m * UPLINKS + to - MPORT
    const rate =
      to < MPORT ? RATE : !SHARED ? UPLINK_RATE : tail > t ? 1 : UPLINK_RATE - upLinks[(u << UP_SHIFT) + WRITES]
    let end = t + Math.ceil(f / rate)
    if (tail >= end) end = tail + 1
    inputs[at + TARGET] = to | (rate << 8)
    inputs[at + IN_UNTIL] = end
    inEnds[(wheel + (end & MASK)) * WORDS + ((q - portBase) >> 5)] |= 1 << q
    if (to < MPORT) {
      states[state + BUSY_OUT + (NARROW ? 0 : o >> 5)] |= 1 << o
      packetHops[me * APART]++
      flitHops[me * APART] += f
      enqueue(r * PS + o, (got >> 8) & 255, p, t)
    } else up(u, (got >> 8) & 255, p, f, SHARED ? rate : 1, end, t)
    returnCredit((q << LV) + v, f, t)
  }

  /** The transfer of input q has ended. */
  function ended(q: number, _s: number, _t: number): void {
    const r = router[q]
    const port = local[q]
    const state = r << STATE_SHIFT
    const moved = inputs[(q << SHIFT) + TARGET]
    const to = moved & 255
    const m = mportOf[port]
    states[state + BUSY_IN + (NARROW ? 0 : port >> 5)] &= ~(1 << port)
    if (to < MPORT) {
      const o = m * MPORT + to
      states[state + BUSY_OUT + (NARROW ? 0 : o >> 5)] &= ~(1 << o)
      freed(r * PS + o)
    } else {
      upLinks[((r * UP + m * UPLINKS + to - MPORT) << UP_SHIFT) + WRITES] -= SHARED ? moved >> 8 : 1
      call(r * MP + m, BY_RATE)
    }
    if (inputs[(q << SHIFT) + FRONTS] !== 0) wake(q)
  }

  return { columns, enter, arbitrate, ended }
}
