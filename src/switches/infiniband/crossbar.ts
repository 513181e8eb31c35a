// VC allocation, switch allocation and the crossbar of an InfiniBand switch. In each core step
//   1. each free input to visit offers the head packet of one VL, round-robin among those whose output is free and has
//      space for the whole packet;
//   2. each output grants one of the inputs that offer a packet, round-robin;
//   3. the packet holds both ports until the last flit has crossed, at one flit per core step.
// With links slower than the core, a transfer may start with the head flit; it then lasts until the tail has arrived.
//
// An input that finds its outputs busy or full is woken by them (../parts/vls.ts). An input that loses tries again in
// the next step. Columns:
//   `inNext`   [r * (R + 1) + i]  1 + the output that input i was granted last;
//   `outNext`  [r * R + o]        round-robin pointer of output o over the inputs;
//   `ends`                        timing wheel of outputs, by the core step in which their transfers end.
import { lowest } from "../../core/bitset.ts"
import { APART, scratch, u8 } from "../../fabric/columns.ts"
import { CREDIT_SHIFT, FLITS, HOPS } from "../../fabric/packets.ts"
import type { SwitchPorts, TransferSite } from "../../fabric/transfer.ts"
import { NO_CREDIT } from "../parts/output.ts"
import { wheelMask, wheelWords } from "../parts/ready-sets.ts"
import { IN, OUTPUT } from "../parts/service-level-stages.ts"
import type { VlOutput } from "../parts/vl-outputs.ts"
import { STATES, type VlInput } from "../parts/vls.ts"
import type { SharedState } from "./shared-state.ts"

function crossbarColumns({ layout: l, constants }: TransferSite, mask: number) {
  return {
    inNext: u8(l.routers * (l.radix + 1)),
    outNext: u8(l.routers * l.radix),
    ends: wheelWords(l.parts, mask, constants.portWords),
  }
}

/** Creates the crossbar stage, with the interface of CoreStage (../parts/cycle.ts). */
export function makeVlCrossbar(
  sharedState: SharedState,
  input: VlInput,
  output: VlOutput,
  { returnCredit }: SwitchPorts,
) {
  const low = lowest
  const { site, ports, packetQueues, clock, records: inputs, outputs, shift: SHIFT, startAtHead: HEAD } = sharedState
  const { atLink: AT_LINK, releaseAtTail: TAIL } = sharedState.output
  const { LV, PS, firstRouter, radix: R } = site.layout
  const { packets, packetHops, flitHops } = site.columns
  const { portWords: WORDS, maxLength: LONGEST } = site.constants
  const { router, local, count: PORTS } = ports
  const { first: front } = packetQueues
  const { turn, states, needsArbitration } = input.columns
  const outs = new Uint8Array(inputs.buffer)
  const { leave, wake, stall, freed } = input
  const { choose, take } = output
  const { fronts: FRONTS, stalledVcs: STALLED, last: LAST, tail: TAIL_AT, stalled: STALL_SINCE, outs: OUTS } = IN
  const { awake: AWAKE, busyIn: BUSY_IN, busyOut: BUSY_OUT, shift: STATE_SHIFT } = STATES
  const { free: FREE, from: FROM, moving: MOVING, ends: ENDS } = OUTPUT
  const NARROW = R + 1 <= 32
  const VMASK = (1 << LV) - 1
  const { link: LINK, core: CORE } = clock
  const MASK = wheelMask(Math.ceil((LONGEST * LINK) / CORE) + 2)
  const columns = crossbarColumns(site, MASK)
  const { inNext, outNext, ends } = columns
  // [input] -> VL that it offers | its output VL << 8; [output * 2 + word] -> inputs that offer a packet
  const offered = scratch(64)
  const offers = scratch(128)
  // Receives the values that prefetches have read, so that the reads are not optimised away.
  const touched = scratch(1)
  let me = 0
  let wheel = 0
  let portBase = 0

  function enter(part: number): void {
    me = part
    wheel = part * (MASK + 1)
    portBase = firstRouter[part] * PS
  }

  /** Arbitrates the crossbar of router r in core step s (link cycle t). */
  function arbitrate(r: number, s: number, t: number): void {
    const state = r << STATE_SHIFT
    let metLow = 0
    let metHigh = 0
    for (let word = 0; word < (NARROW ? 1 : 2); word++) {
      // Inputs in a transfer are left out; the end of the transfer wakes them.
      let m = states[state + AWAKE + word] & ~states[state + BUSY_IN + word]
      states[state + AWAKE + word] = 0
      for (; m !== 0; m &= m - 1) {
        const i = (word << 5) + low(m)
        const q = i < R ? r * PS + i : PORTS + r
        const got = AT_LINK ? offer(r, q, i) : offerOfAll(r, q, i, t)
        if (got < 0) continue
        const o = got >> 16
        offered[i] = got & 0xffff
        offers[2 * o + word] |= m & -m
        if (o < 32) metLow |= 1 << o
        else metHigh |= 1 << o
      }
    }
    if (metLow !== 0) grant(r, metLow, 0, s, t)
    if (!NARROW && metHigh !== 0) grant(r, metHigh, 32, s, t)
  }

  /**
   * Returns the first VL of input q, round-robin, whose head packet can go now: VL | its output VL << 8 | output << 16;
   * -1 if there is none. Registers the input at busy outputs, and stalls VLs without space.
   */
  function offer(r: number, q: number, i: number): number {
    const at = q << SHIFT
    const m = inputs[at + FRONTS] & ~inputs[at + STALLED]
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
      const o = outs[((at + OUTS) << 2) + v]
      const port = r * PS + o
      if (busy(r, o)) {
        outputs[(port << SHIFT) + FREE + (NARROW ? 0 : i >> 5)] |= 1 << i
        continue
      }
      const got = choose(q, port, front((q << LV) + v))
      if (got >= 0) return v | (got << 8) | (o << 16)
      stall(q, v, port)
    }
  }

  /**
   * The same if credits are taken before a packet crosses. It checks all free outputs, not only until the first
   * success, because credit stalls are recorded from the cycle in which they start.
   */
  function offerOfAll(r: number, q: number, i: number, t: number): number {
    const at = q << SHIFT
    const m = inputs[at + FRONTS] & ~inputs[at + STALLED]
    let best = -1
    let doneLow = 0
    let doneHigh = 0
    for (let n = 0; n <= VMASK; n++) {
      const v = (turn[q] + n) & VMASK
      if (((m >>> v) & 1) === 0) continue
      const o = outs[((at + OUTS) << 2) + v]
      const port = r * PS + o
      if (busy(r, o)) {
        outputs[(port << SHIFT) + FREE + (NARROW ? 0 : i >> 5)] |= 1 << i
        continue
      }
      // Another VL of this input can already go to output o.
      if ((((o < 32 ? doneLow : doneHigh) >>> o) & 1) !== 0) continue
      const p = front((q << LV) + v)
      const got = choose(q, port, p)
      if (got >= 0) {
        if (o < 32) doneLow |= 1 << o
        else doneHigh |= 1 << o
        if (best < 0) best = v | (got << 8) | (o << 16)
        continue
      }
      stall(q, v, port)
      if (got !== NO_CREDIT || ((inputs[at + STALL_SINCE] >>> v) & 1) !== 0) continue
      // The credit stall starts in this cycle.
      inputs[at + STALL_SINCE] |= 1 << v
      packets[p + HOPS] -= t << CREDIT_SHIFT
    }
    return best
  }

  /** Returns whether a transfer holds output o. */
  function busy(r: number, o: number): boolean {
    return ((states[(r << STATE_SHIFT) + BUSY_OUT + (NARROW ? 0 : o >> 5)] >>> o) & 1) !== 0
  }

  /** Each output of `met` grants one of its inputs and starts the transfer. */
  function grant(r: number, met: number, base: number, s: number, t: number): void {
    const awake = (r << STATE_SHIFT) + AWAKE
    for (let m = met; m !== 0; m &= m - 1) {
      const o = base + low(m)
      const a = offers[2 * o]
      const b = NARROW ? 0 : offers[2 * o + 1]
      offers[2 * o] = 0
      if (!NARROW) offers[2 * o + 1] = 0
      const i = next(a, b, outNext[r * R + o])
      outNext[r * R + o] = i === R ? 0 : i + 1
      inNext[r * (R + 1) + i] = o + 1 === R ? 0 : o + 1
      // An input that lost may win in the next step if its output is still free.
      const lostLow = NARROW || i < 32 ? a & ~(1 << i) : a
      const lostHigh = i >= 32 ? b & ~(1 << i) : b
      if ((lostLow | lostHigh) !== 0) {
        states[awake] |= lostLow
        if (!NARROW) states[awake + 1] |= lostHigh
        needsArbitration[r >> 5] |= 1 << r
      }
      move(r, i < R ? r * PS + i : PORTS + r, o, offered[i], s, t)
    }
  }

  /** Returns the first member of a non-empty set at or after `start`, cyclically. */
  function next(a: number, b: number, start: number): number {
    if (NARROW) {
      const m = a & (-1 << start)
      return low(m !== 0 ? m : a)
    }
    if (start < 32) {
      const m = a & (-1 << start)
      if (m !== 0) return low(m)
      return b !== 0 ? 32 + low(b) : low(a)
    }
    const m = b & (-1 << start)
    if (m !== 0) return 32 + low(m)
    return a !== 0 ? low(a) : 32 + low(b)
  }

  /** Starts the transfer of a VL of input q to output o. */
  function move(r: number, q: number, o: number, got: number, s: number, t: number): void {
    const i = local[q]
    const at = q << SHIFT
    const state = r << STATE_SHIFT
    const v = got & 255
    const port = r * PS + o
    states[state + BUSY_IN + (NARROW ? 0 : i >> 5)] |= 1 << i
    states[state + BUSY_OUT + (NARROW ? 0 : o >> 5)] |= 1 << o
    const p = leave(q, v, t)
    const f = packets[p + FLITS]
    if (!AT_LINK && ((inputs[at + STALL_SINCE] >>> v) & 1) !== 0) {
      inputs[at + STALL_SINCE] &= ~(1 << v)
      packets[p + HOPS] += t << CREDIT_SHIFT
    }
    turn[q] = (v + 1) & VMASK
    let end = s + f
    // The packet is still arriving: the transfer cannot end before its tail has arrived.
    if (HEAD && inputs[at + TAIL_AT] > t && inputs[at + LAST] === p) {
      const tail = Math.ceil((inputs[at + TAIL_AT] * LINK) / CORE) + 1
      if (tail > end) end = tail
    }
    const record = port << SHIFT
    outputs[record + FROM] = q
    outputs[record + MOVING] = (v << 16) | f
    outputs[record + ENDS] = end
    ends[(wheel + (end & MASK)) * WORDS + ((port - portBase) >> 5)] |= 1 << port
    packetHops[me * APART]++
    flitHops[me * APART] += f
    take(port, got >> 8, 0, p, t)
    if (!TAIL && q < PORTS) returnCredit((q << LV) + v, f, s * CORE === t * LINK ? t : t + 1)
  }

  /** The transfer to an output ends: frees both ports, and wakes the inputs that wait for them. */
  function ended(port: number, s: number, t: number): void {
    const q = outputs[(port << SHIFT) + FROM]
    const r = router[port]
    const i = local[q]
    const o = local[port]
    const state = r << STATE_SHIFT
    states[state + BUSY_IN + (NARROW ? 0 : i >> 5)] &= ~(1 << i)
    states[state + BUSY_OUT + (NARROW ? 0 : o >> 5)] &= ~(1 << o)
    if (TAIL && q < PORTS) release(q, outputs[(port << SHIFT) + MOVING], s, t)
    if (inputs[(q << SHIFT) + FRONTS] !== 0) wake(q)
    freed(port)
  }

  /** Returns the credits of a transfer, in this cycle if the core step starts with it, otherwise in the next one. */
  function release(q: number, moved: number, s: number, t: number): void {
    returnCredit((q << LV) + (moved >> 16), moved & 0xffff, s * CORE === t * LINK ? t : t + 1)
  }

  /** Prefetches the records of outputs whose transfers end, and of their inputs. */
  function touchEnds(list: Int32Array, n: number): void {
    let all = 0
    for (let k = 0; k < n; k++) all |= outputs[list[k] << SHIFT]
    for (let k = 0; k < n; k++) all |= inputs[outputs[(list[k] << SHIFT) + FROM] << SHIFT]
    touched[0] = all
  }

  return { columns, wheelMask: MASK, enter, arbitrate, ended, touchEnds, touchRouters: input.touch }
}
