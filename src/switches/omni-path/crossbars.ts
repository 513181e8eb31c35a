// The crossbars of the MPorts of an Omni-Path switch. An MPort's crossbar leads its inputs to its own outputs, or by one of two up-links to the centre
// (centre.ts). Up-links carry three flits a cycle: a packet that is still arriving takes one of them, any other all that is left. Room in the output buffer is
// taken before a packet leaves its input, so nothing in the centre waits for room: it waits for its turn alone, and no ring of buffers can close through it.
// Who cannot go looks again when what it found busy or full calls: an output (../parts/vls.ts), the central buffer or the up-links of its MPort.
// All inputs of a router, in whatever MPort, ask for room of an output in the same cycle. Where it does not suffice for
// all of them, the input that
// this output served least recently goes first (W. J. Dally and B. Towles, "Principles and Practices of Interconnection
// Networks", 2004, section 18.5).
// So an input that could go loses the room of an output at most once to each other input before it has its turn.
// Columns (beside the records of inputs: target, an output's number in the MPort or MPORT + up-link, rate << 8; the cycle in which the transfer ends):
//   inNext   [m * MPORT + i]         one behind the target that input i was given last;  outNext [m * (MPORT + 2) + target]  the input that it looks at first
//   served   [o * R + i]             one behind the cycle in which output o last took a packet of input i; 0 before the
//                                    first
//   inEnds   the wheel of inputs whose transfers end
import { lowest } from "../../core/bitset.ts"
import { APART, i32, scratch, scratchOf, u8 } from "../../fabric/columns.ts"
import { FLITS } from "../../fabric/packets.ts"
import type { TransferWires } from "../../fabric/transfer.ts"
import type { LaneOutput } from "../parts/lanes.ts"
import { IN, OUTPUT } from "../parts/level-stages.ts"
import { wheelWords } from "../parts/sweep.ts"
import { STATES, type VlInput } from "../parts/vls.ts"
import { RATE as BY_RATE, ROOM as BY_ROOM, type Calls } from "./calls.ts"
import type { Centre } from "./centre.ts"
import type { Frame } from "./frame.ts"
import { UPLINK_RATE, UPLINKS } from "./params.ts"
import { UP_LINK } from "./up-link.ts"

function mportColumns({ site, p, MP }: Frame, mask: number) {
  const { layout: l, constants } = site
  const count = l.routers * MP
  return {
    inNext: u8(count * p.mport),
    outNext: u8(count * (p.mport + UPLINKS)),
    served: i32(l.routers * l.PS * l.radix),
    inEnds: wheelWords(l.parts, mask, constants.portWords),
  }
}

export function makeMportCrossbars(
  frame: Frame,
  input: VlInput,
  output: LaneOutput,
  centre: Centre,
  calls: Calls,
  { giveBack }: TransferWires,
) {
  const low = lowest
  const { site, p: params, ports, chains, central, records: inputs, outputs, shift: SHIFT, upLinks, MP, UP } = frame
  const { LV, PS, firstRouter, down, radix: R } = site.layout
  const { packets, packetHops, flitHops } = site.columns
  const { portWords: WORDS } = site.constants
  const { router, local } = ports
  const { first: front } = chains
  const { turn, states } = input.columns
  const outs = new Uint8Array(inputs.buffer)
  const { leave, wake, lack, freed } = input
  const { choose, reserve, enqueue, roomFor } = output
  const { rules, rooms } = site
  const { OUT } = rooms
  const { fits } = central.rules
  const { up, wheelMask: MASK } = centre
  const { mport: MPORT, rate: RATE } = params
  const TARGETS = MPORT + UPLINKS
  const SHARED = params.uplink === "shared"
  const VMASK = (1 << LV) - 1
  const NARROW = R <= 32
  const { fronts: FRONTS, lacks: LACKS, last: LAST, tail: TAIL_AT, target: TARGET, until: IN_UNTIL, outs: OUTS } = IN
  const { awake: AWAKE, busyIn: BUSY_IN, busyOut: BUSY_OUT, shift: STATE_SHIFT } = STATES
  const { free: FREE } = OUTPUT
  const { writes: WRITES, load: LOAD, shift: UP_SHIFT } = UP_LINK
  const columns = mportColumns(frame, MASK)
  const { inNext, outNext, served, inEnds } = columns
  const { mports } = calls.columns
  const { call } = calls
  const mportOf = scratchOf(Array.from({ length: R }, (_, o) => Math.floor(o / MPORT)))
  // [input] -> output << 16 | VL behind it << 8 | VL; its target; [target] -> inputs of the MPort that offer it
  // something
  const offered = scratch(R)
  const targetOf = scratch(R)
  const offers = scratch(TARGETS)
  // inputs (two words) that have an offer; inputs that ask for one output, those that it served least recently first
  const offering = scratch(2)
  const line = scratch(R)
  let me = 0
  let wheel = 0
  let portBase = 0

  function enter(part: number): void {
    me = part
    wheel = part * (MASK + 1)
    portBase = firstRouter[part]! * PS
  }

  /** Inputs that must look make their offers; then outputs give room, and the crossbars of the MPorts choose. */
  function arbitrate(r: number, t: number): void {
    const state = r << STATE_SHIFT
    let once = 0
    let onceHigh = 0
    let more = 0
    let moreHigh = 0
    for (let word = 0; word < (NARROW ? 1 : 2); word++) {
      let awake = states[state + AWAKE + word]! & ~states[state + BUSY_IN + word]!
      states[state + AWAKE + word] = 0
      let found = 0
      for (; awake !== 0; awake &= awake - 1) {
        const port = (word << 5) + low(awake)
        const to = offer(r, mportOf[port]!, port)
        if (to < 0) continue
        targetOf[port] = to
        found |= awake & -awake
        const o = offered[port]! >> 16
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
    for (; more !== 0; more &= more - 1) giveRoom(r, low(more))
    for (; moreHigh !== 0; moreHigh &= moreHigh - 1) giveRoom(r, 32 + low(moreHigh))
    let m = -1
    let met = 0
    for (let word = 0; word < (NARROW ? 1 : 2); word++)
      for (let left = offering[word]!; left !== 0; left &= left - 1) {
        const port = (word << 5) + low(left)
        if (mportOf[port] !== m) {
          if (met !== 0) grant(r, m, met, t)
          m = mportOf[port]!
          met = 0
        }
        offers[targetOf[port]!]! |= 1 << (port - m * MPORT)
        met |= 1 << targetOf[port]!
      }
    if (met !== 0) grant(r, m, met, t)
  }

  /** Several inputs offer a packet to output o: room is for those that it served least recently. The others look again
   *  in the next cycle. */
  function giveRoom(r: number, o: number): void {
    const to = r * PS + o
    const first = Math.imul(to, R)
    let n = 0
    for (let word = 0; word < (NARROW ? 1 : 2); word++)
      for (let left = offering[word]!; left !== 0; left &= left - 1) {
        const port = (word << 5) + low(left)
        if (offered[port]! >> 16 !== o) continue
        let k = n++
        for (; k > 0 && served[first + line[k - 1]!]! > served[first + port]!; k--) line[k] = line[k - 1]!
        line[k] = port
      }
    let kept = 0
    for (let k = 0; k < n; k++) {
      const port = line[k]!
      const q = r * PS + port
      const f = flitsOf(q, port)
      const slot = OUT + (to << LV) + ((offered[port]! >> 8) & 255)
      if (rules.fits(slot, down[to]! < 0 ? f : roomFor(q, to, f))) {
        rules.take(slot, f)
        line[kept++] = port
      } else {
        offering[NARROW ? 0 : port >> 5]! &= ~(1 << port)
        wake(q)
      }
    }
    // it was only counted: a packet that goes takes it
    for (let k = kept - 1; k >= 0; k--) {
      const port = line[k]!
      rules.give(OUT + (to << LV) + ((offered[port]! >> 8) & 255), flitsOf(r * PS + port, port))
    }
  }

  /** Flits of the packet that input q offers. */
  function flitsOf(q: number, port: number): number {
    return packets[front((q << LV) + (offered[port]! & 255)) + FLITS]!
  }

  /** The target of the first VL of an input, in turn, that could go now; less than 0 if there is none. */
  function offer(r: number, m: number, port: number): number {
    const q = r * PS + port
    const at = q << SHIFT
    const all = inputs[at + FRONTS]! & ~inputs[at + LACKS]!
    let first = all & (-1 << turn[q]!)
    let second = all ^ first
    for (;;) {
      if (first === 0) {
        if (second === 0) return -1
        first = second
        second = 0
      }
      const v = low(first)
      first &= first - 1
      const o = outs[((at + OUTS) << 2) + v]!
      const to = r * PS + o
      const direct = mportOf[o] === m
      if (direct && ((states[(r << STATE_SHIFT) + BUSY_OUT + (NARROW ? 0 : o >> 5)]! >>> o) & 1) !== 0) {
        outputs[(to << SHIFT) + FREE + (NARROW ? 0 : port >> 5)]! |= 1 << port
        continue
      }
      const p = front((q << LV) + v)
      const got = choose(q, to, p)
      if (got < 0) {
        lack(q, v, to)
        continue
      }
      const target = direct ? o - m * MPORT : uplink(r, m, port - m * MPORT, got, packets[p + FLITS]!)
      if (target < 0) continue
      offered[port] = (o << 16) | (got << 8) | v
      return target
    }
  }

  /** The up-link of MPort m with less in it, if there is room for f flits on this VL and it has a flit a cycle left; as a target. */
  function uplink(r: number, m: number, i: number, v: number, f: number): number {
    const mport = r * MP + m
    if (!fits((mport << LV) + v, f)) {
      mports[2 * mport + BY_ROOM]! |= 1 << i
      return -1
    }
    const u = r * UP + m * UPLINKS
    const most = SHARED ? UPLINK_RATE : 1
    let best = -1
    let least = 0
    for (let n = 0; n < UPLINKS; n++) {
      const at = (u + n) << UP_SHIFT
      if (upLinks[at + WRITES]! >= most || (best >= 0 && upLinks[at + LOAD]! >= least)) continue
      best = n
      least = upLinks[at + LOAD]!
    }
    if (best >= 0) return MPORT + best
    mports[2 * mport + BY_RATE]! |= 1 << i
    return -1
  }

  function grant(r: number, m: number, met: number, t: number): void {
    const mport = r * MP + m
    for (let left = met; left !== 0; left &= left - 1) {
      const to = low(left)
      const who = offers[to]!
      offers[to] = 0
      const after = who & (-1 << outNext[mport * TARGETS + to]!)
      const i = low(after !== 0 ? after : who)
      outNext[mport * TARGETS + to] = i + 1 === MPORT ? 0 : i + 1
      inNext[mport * MPORT + i] = to + 1 === TARGETS ? 0 : to + 1
      // who lost may win in the next cycle
      for (let lost = who & ~(1 << i); lost !== 0; lost &= lost - 1) wake(r * PS + m * MPORT + low(lost))
      move(r, m, i, to, t)
    }
  }

  function move(r: number, m: number, i: number, to: number, t: number): void {
    const port = m * MPORT + i
    const got = offered[port]!
    const v = got & 255
    const o = got >> 16
    const q = r * PS + port
    const at = q << SHIFT
    const state = r << STATE_SHIFT
    states[state + BUSY_IN + (NARROW ? 0 : port >> 5)]! |= 1 << port
    const p = leave(q, v, t)
    const f = packets[p + FLITS]!
    const tail = inputs[at + LAST] === p ? inputs[at + TAIL_AT]! : 0
    turn[q] = (v + 1) & VMASK
    reserve(r * PS + o, (got >> 8) & 255, p)
    served[Math.imul(r * PS + o, R) + port] = t + 1
    const u = r * UP + m * UPLINKS + to - MPORT
    const rate = to < MPORT ? RATE : !SHARED ? UPLINK_RATE : tail > t ? 1 : UPLINK_RATE - upLinks[(u << UP_SHIFT) + WRITES]!
    let end = t + Math.ceil(f / rate)
    if (tail >= end) end = tail + 1
    inputs[at + TARGET] = to | (rate << 8)
    inputs[at + IN_UNTIL] = end
    inEnds[(wheel + (end & MASK)) * WORDS + ((q - portBase) >> 5)]! |= 1 << q
    if (to < MPORT) {
      states[state + BUSY_OUT + (NARROW ? 0 : o >> 5)]! |= 1 << o
      packetHops[me * APART]!++
      flitHops[me * APART]! += f
      enqueue(r * PS + o, (got >> 8) & 255, p, t)
    } else up(u, (got >> 8) & 255, p, f, SHARED ? rate : 1, end, t)
    giveBack((q << LV) + v, f, t)
  }

  /** The transfer of input q has ended. */
  function ended(q: number, _s: number, _t: number): void {
    const r = router[q]!
    const port = local[q]!
    const state = r << STATE_SHIFT
    const moved = inputs[(q << SHIFT) + TARGET]!
    const to = moved & 255
    const m = mportOf[port]!
    states[state + BUSY_IN + (NARROW ? 0 : port >> 5)]! &= ~(1 << port)
    if (to < MPORT) {
      const o = m * MPORT + to
      states[state + BUSY_OUT + (NARROW ? 0 : o >> 5)]! &= ~(1 << o)
      freed(r * PS + o)
    } else {
      upLinks[((r * UP + m * UPLINKS + to - MPORT) << UP_SHIFT) + WRITES]! -= SHARED ? moved >> 8 : 1
      call(r * MP + m, BY_RATE)
    }
    if (inputs[(q << SHIFT) + FRONTS] !== 0) wake(q)
  }

  return { columns, enter, arbitrate, ended }
}
