// The crossbar of an InfiniBand switch with `grain: packet`. Packets of one flit cross one by one, so that messages of
// several VLs cross together. In each core step
//   1. each input offers the next flit of one VL, round-robin among the VLs that have a flit and whose output is free
//      and has space for the whole message;
//   2. each output grants one of the inputs that offer a flit, round-robin;
// and both are repeated, up to `iterations` times, for the inputs and outputs without a partner. A message takes the
// space of the output buffer with its first flit and joins the queue of its VL with its last one, because links send
// messages without a gap. Its space in the input is freed then, too.
//
// Columns:
//   `outNext`  [r * R + o]       round-robin pointer of output o over the inputs;
//   `startNext`  [r * R + o]     the same for messages that begin to cross;
//   `current`  [(q << LV) + v]   the message of VL v at input q of which a part has crossed; 0 = none;
//   `crossed`  [(q << LV) + v]   its flits that have crossed;
//   `ends`                       has no members, because no transfer lasts longer than its core step.
// Word IN.target of an input has a bit for each VL with such a message.
import { lowest } from "../../core/bitset.ts"
import { APART, i32, scratch, u8, u16 } from "../../fabric/columns.ts"
import { FLITS, NEXT, STATE } from "../../fabric/packets.ts"
import type { SwitchPorts } from "../../fabric/transfer.ts"
import { wheelWords } from "../parts/ready-sets.ts"
import { IN } from "../parts/service-level-stages.ts"
import type { VlOutput } from "../parts/vl-outputs.ts"
import { STATES, type VlInput } from "../parts/vls.ts"
import type { SharedState } from "./shared-state.ts"

function grainColumns({ site, ports }: SharedState) {
  const { layout: l, constants } = site
  return {
    outNext: u8(l.routers * l.radix),
    startNext: u8(l.routers * l.radix),
    current: i32(ports.inputs << l.LV),
    crossed: u16(ports.inputs << l.LV),
    ends: wheelWords(l.parts, 1, constants.portWords),
  }
}

/** Creates the crossbar stage, with the interface of CoreStage (../parts/cycle.ts). */
export function makePacketCrossbar(
  sharedState: SharedState,
  input: VlInput,
  output: VlOutput,
  { returnCredit }: SwitchPorts,
) {
  const low = lowest
  const { site, ports, packetQueues, clock, records: inputs, shift: SHIFT, p: params } = sharedState
  const { LV, PS, radix: R } = site.layout
  const { packets, packetHops, flitHops } = site.columns
  const { count: PORTS, router, local } = ports
  const { first: front } = packetQueues
  const { turn, states, needsArbitration } = input.columns
  const bytes = new Uint8Array(packets.buffer)
  const outs = new Uint8Array(inputs.buffer)
  const { leave, stall } = input
  const { choose, reserve, enqueue } = output
  const { fronts: FRONTS, stalledVcs: STALLED, last: LAST, tail: TAIL_AT, target: PARTS, outs: OUTS } = IN
  const { awake: AWAKE, shift: STATE_SHIFT } = STATES
  const { iterations: ITERATIONS } = params
  const NARROW = R + 1 <= 32
  const VMASK = (1 << LV) - 1
  // Bit of an offer: a message begins to cross.
  const BEGINS = 1 << 14
  const { link: LINK, core: CORE } = clock
  const columns = grainColumns(sharedState)
  const { outNext, startNext, current, crossed } = columns
  // [input] -> VL that it offers | its output VL << 8; [output * 2 + word] -> inputs that offer a flit
  const offered = scratch(64)
  const offers = scratch(128)
  // Inputs without a partner (two words), and outputs with one (two words).
  const left = scratch(2)
  const taken = scratch(2)
  let me = 0

  function enter(part: number): void {
    me = part
  }

  /** Arbitrates the crossbar of router r in core step s (link cycle t). */
  function arbitrate(r: number, s: number, t: number): void {
    const state = r << STATE_SHIFT
    const seenLow = states[state + AWAKE]
    const seenHigh = NARROW ? 0 : states[state + AWAKE + 1]
    states[state + AWAKE] = 0
    if (!NARROW) states[state + AWAKE + 1] = 0
    left[0] = seenLow
    left[1] = seenHigh
    taken[0] = 0
    taken[1] = 0
    for (let n = 0; n < ITERATIONS && (left[0] | left[1]) !== 0; n++) iterate(r, s, t)
    stayAwake(r, seenLow, 0)
    if (!NARROW) stayAwake(r, seenHigh, 1)
  }

  /** One iteration: offers of the inputs without a partner, then grants of the outputs without one. */
  function iterate(r: number, s: number, t: number): void {
    let metLow = 0
    let metHigh = 0
    for (let word = 0; word < (NARROW ? 1 : 2); word++)
      for (let m = left[word]; m !== 0; m &= m - 1) {
        const i = (word << 5) + low(m)
        const got = offer(i < R ? r * PS + i : PORTS + r, r, t)
        if (got < 0) {
          left[word] &= ~(m & -m)
          continue
        }
        const o = got >> 16
        offered[i] = got & 0xffff
        offers[2 * o + word] |= m & -m
        if (o < 32) metLow |= 1 << o
        else metHigh |= 1 << o
      }
    if (metLow !== 0) grant(r, metLow, 0, s, t)
    if (metHigh !== 0) grant(r, metHigh, 32, s, t)
  }

  /** Inputs that were visited are visited again in the next step if they have a flit that is not stalled. */
  function stayAwake(r: number, seen: number, word: number): void {
    let again = 0
    for (let m = seen; m !== 0; m &= m - 1) {
      const i = (word << 5) + low(m)
      const at = (i < R ? r * PS + i : PORTS + r) << SHIFT
      if ((inputs[at + PARTS] | (inputs[at + FRONTS] & ~inputs[at + STALLED])) !== 0) again |= m & -m
    }
    if (again === 0) return
    states[(r << STATE_SHIFT) + AWAKE + word] |= again
    needsArbitration[r >> 5] |= 1 << r
  }

  /**
   * Returns the first VL of input q, round-robin, of which a flit can go now: VL | its output VL << 8 | output << 16;
   * -1 if there is none. Stalls VLs whose message finds no space.
   */
  function offer(q: number, r: number, t: number): number {
    const at = q << SHIFT
    const parts = inputs[at + PARTS]
    const m = parts | (inputs[at + FRONTS] & ~inputs[at + STALLED])
    let first = m & (-1 << turn[q])
    let second = m ^ first
    for (;;) {
      if (first === 0) {
        if (second === 0) return -1
        first = second
        second = 0
      }
      const v = low(first)
      first &= first - 1
      if (((parts >>> v) & 1) !== 0) {
        const cell = (q << LV) + v
        const p = current[cell]
        const o = bytes[(p + STATE) << 2]
        if (((taken[o >> 5] >>> o) & 1) !== 0) continue
        // Flit n of a message that is still arriving comes n cycles after its head.
        if (inputs[at + LAST] === p && inputs[at + TAIL_AT] - (packets[p + FLITS] - 1) + crossed[cell] > t) continue
        return v | (o << 16)
      }
      const o = outs[((at + OUTS) << 2) + v]
      if (((taken[o >> 5] >>> o) & 1) !== 0) continue
      const got = choose(q, r * PS + o, front((q << LV) + v))
      if (got >= 0) return v | (got << 8) | (o << 16) | BEGINS
      stall(q, v, r * PS + o)
    }
  }

  /** Each output of `met` grants one of its inputs, and its flit crosses. */
  function grant(r: number, met: number, base: number, s: number, t: number): void {
    for (let m = met; m !== 0; m &= m - 1) {
      const o = base + low(m)
      onlyOneStart(r, o)
      const a = offers[2 * o]
      const b = NARROW ? 0 : offers[2 * o + 1]
      offers[2 * o] = 0
      if (!NARROW) offers[2 * o + 1] = 0
      const i = next(a, b, outNext[r * R + o])
      outNext[r * R + o] = i === R ? 0 : i + 1
      left[i >> 5] &= ~(1 << i)
      taken[o >> 5] |= 1 << o
      cross(i < R ? r * PS + i : PORTS + r, r * PS + o, offered[i], s, t)
    }
  }

  /**
   * Of the inputs whose message would begin to cross to output o, only the first one takes part: space in the output
   * buffer goes round all of them, also while flits of other messages cross.
   */
  function onlyOneStart(r: number, o: number): void {
    let a = 0
    let b = 0
    for (let m = offers[2 * o]; m !== 0; m &= m - 1) if ((offered[low(m)] & BEGINS) !== 0) a |= m & -m
    if (!NARROW)
      for (let m = offers[2 * o + 1]; m !== 0; m &= m - 1) if ((offered[32 + low(m)] & BEGINS) !== 0) b |= m & -m
    if ((a | b) === 0) return
    const i = next(a, b, startNext[r * R + o])
    offers[2 * o] &= ~(i < 32 ? a & ~(1 << i) : a)
    if (!NARROW) offers[2 * o + 1] &= ~(i >= 32 ? b & ~(1 << i) : b)
  }

  /** Returns the first member of a non-empty set at or after `start`, cyclically. */
  function next(a: number, b: number, start: number): number {
    if (start < 32) {
      const m = a & (-1 << start)
      if (m !== 0) return low(m)
      return b !== 0 ? 32 + low(b) : low(a)
    }
    const m = start < 64 ? b & (-1 << start) : 0
    if (m !== 0) return 32 + low(m)
    return a !== 0 ? low(a) : 32 + low(b)
  }

  /** A flit of a VL of input q crosses to output `port`: the first one takes the space, the last one frees it. */
  function cross(q: number, port: number, got: number, s: number, t: number): void {
    const at = q << SHIFT
    const v = got & 255
    const cell = (q << LV) + v
    turn[q] = (v + 1) & VMASK
    let p = current[cell]
    if ((got & BEGINS) !== 0) {
      const i = local[q]
      startNext[router[q] * R + local[port]] = i === R ? 0 : i + 1
      p = leave(q, v, t)
      packets[p + NEXT] = 0
      current[cell] = p
      crossed[cell] = 0
      inputs[at + PARTS] |= 1 << v
      reserve(port, (got >> 8) & 63, p)
    }
    flitHops[me * APART]++
    const f = packets[p + FLITS]
    if (++crossed[cell] < f) return
    current[cell] = 0
    inputs[at + PARTS] &= ~(1 << v)
    packetHops[me * APART]++
    enqueue(port, bytes[((p + STATE) << 2) + 1], p, t)
    if (q < PORTS) returnCredit(cell, f, s * CORE === t * LINK ? t : t + 1)
  }

  const nothing = () => {}
  return { columns, wheelMask: 1, enter, arbitrate, ended: nothing, touchEnds: nothing, touchRouters: input.touch }
}
