// Inputs with a FIFO for each VL: packets arrive, learn their way when they come to the front, and an input that is free offers one VL at a time to the
// crossbar behind it. Who waits is not asked: an input looks when a packet comes to its front, when its own transfer ends, and when an output calls that it
// found busy (`freed`) or without room (`renew`).
// Columns:
//   records  of inputs q (level-stages.ts): VLs that have a front packet; those of them that lack room; the packet that arrived last and the cycle
//            in which its tail may move; VLs whose wait for room behind the link is on the record; two words of the crossbar; a byte for each VL: output of
//            its front packet
//   turn     [q] the VL that is looked at first
//   states   a record for each router: inputs (two words) that must look, inputs and outputs that a transfer holds
//            of outputs o; here: inputs (two words) to call when it is free, and when it has room
//   dirty    bit r: routers that have an input which must look
// The packet's own word (constants.own) holds the VLs that it may take at its output.
import { lowest } from "../../core/bitset.ts"
import { i32, scratch, scratchOf, u8 } from "../../fabric/columns.ts"
import { FLITS, HOP_MASK, HOPS, STATE } from "../../fabric/packets.ts"
import type { TransferSite, TransferUse } from "../../fabric/transfer.ts"
import { IN, type LevelRecords, OUTPUT } from "./level-stages.ts"
import type { Ports } from "./ports.ts"

/** Words of a router's record. */
export const STATES = { awake: 0, busyIn: 2, busyOut: 4, shift: 3 } as const
export interface VlInputSpec extends LevelRecords {
  readonly site: TransferSite
  readonly use: TransferUse
  readonly ports: Ports
  /** [class] -> the VL that its packets take; absent: those of its class that the routing names */
  readonly vlOf?: readonly number[] | undefined
  /** the same by ports: [(input * radix + output) * classes + class]; absent: the same at all of them */
  readonly vlAt?: Uint8Array | undefined
  /** cycles that a tail may move earlier than the head's delay would let it */
  readonly early: number
}

export interface VlInput {
  readonly columns: ReturnType<typeof vlColumns>
  arrive(iv: number, p: number, t: number): void
  arrivals(ivs: Int32Array, packets: Int32Array, n: number, t: number): void
  touch(routers: Int32Array, n: number): void
  queueOf(q: number, o: number, v: number): number
  /** the front packet of VL v leaves input q; the one behind it learns its way */
  leave(q: number, v: number, t: number): number
  /** input q looks, unless a transfer holds it */
  wake(q: number): void
  /** the front of VL v of input q has found no room at its output: it looks again after `renew` */
  lack(q: number, v: number, port: number): void
  /** output `port` is free */
  freed(port: number): void
  /** output `port` has more room than before */
  renew(port: number): void
}

function vlColumns({ layout: l }: TransferSite, ports: Ports) {
  return {
    turn: u8(ports.inputs),
    states: i32(l.routers << STATES.shift),
    dirty: i32((l.routers + 31) >> 5),
  }
}

export function makeVlInput(spec: VlInputSpec): VlInput {
  const { site, use, ports, chains, records: inputs, outputs, shift: SHIFT, vlOf, vlAt, early: EARLY } = spec
  const low = lowest
  const { LV, PS, outerRouter, radix: R } = site.layout
  const { packets } = site.columns
  const { own: OWN } = site.constants
  const bytes = new Uint8Array(packets.buffer)
  const { router, local, count: PORTS } = ports
  const { push, pop, first } = chains
  const { plan, routing, routings, net, out } = use
  const { plain: PLAIN, classOf, firstOf, wholeOf } = plan
  const MAPPED = vlOf !== undefined
  const vls = scratchOf(vlOf ?? [])
  const BY_PORT = vlAt !== undefined
  const LEVELS = vlOf?.length ?? 0
  // [stream] -> its class
  const levelOf = scratchOf(Array.from(use.vcFirst, (first) => classOf[first]!))
  const VMASK = (1 << LV) - 1
  const NARROW = R + 1 <= 32
  const { fronts: FRONTS, lacks: LACKS, last: LAST, tail: TAIL_AT, outs: OUTS } = IN
  const { awake: AWAKE, busyIn: BUSY_IN, shift: STATE_SHIFT } = STATES
  const { free: FREE, room: ROOM, queues: QUEUES } = OUTPUT
  const columns = vlColumns(site, ports)
  const { states, dirty, turn } = columns
  const outs = new Uint8Array(inputs.buffer)
  // of `touch`: inputs, and where what was read goes, so that it is read
  const { held, OUT } = site.rooms
  const looking = scratch(ports.inputs)
  const touched = scratch(1)

  function queueOf(q: number, _o: number, v: number): number {
    return (q << LV) + v
  }

  /** Answers the output that packet p takes. */
  function route(p: number, q: number, v: number, t: number): number {
    const at = outerRouter[router[q]!]!
    const way = PLAIN || MAPPED ? routing : routings[classOf[v]!]!
    net.decide(t)
    if ((packets[p + HOPS]! & HOP_MASK) === 0) way.inject?.(p, at, net)
    out.n = 0
    way.route(p, at, local[q]!, MAPPED ? 0 : PLAIN ? v : v - firstOf[v]!, net, out)
    let best = 0
    for (let i = 1; i < out.n; i++) if (out.cost[i]! < out.cost[best]!) best = i
    const o = out.port[best]!
    const mask = out.vcMask[best]!
    packets[p + OWN] = MAPPED
      ? 1 << mapped(local[q]!, o, levelOf[bytes[((p + STATE) << 2) + 3]!]!)
      : PLAIN
        ? mask
        : wholeOf[v]! !== 0
          ? wholeOf[v]!
          : mask << firstOf[v]!
    bytes[(p + STATE) << 2] = o
    packets[p + HOPS]!++
    return o
  }

  /** The VL of a level between input i and output o. */
  function mapped(i: number, o: number, level: number): number {
    return BY_PORT ? vlAt![(i * R + o) * LEVELS + level]! : vls[level]!
  }

  function arrive(iv: number, p: number, t: number): void {
    const q = iv >> LV
    const v = iv & VMASK
    const at = q << SHIFT
    inputs[at + LAST] = p
    inputs[at + TAIL_AT] = t + packets[p + FLITS]! - 1 - EARLY
    if (push(iv, p)) front(q, v, route(p, q, v, t))
  }

  /** All of a cycle: their records and queues first (sweep.ts, `gather`). */
  function arrivals(ivs: Int32Array, arrived: Int32Array, n: number, t: number): void {
    let all = 0
    for (let k = 0; k < n; k++) {
      const at = (ivs[k]! >> LV) << SHIFT
      all |= inputs[at]! | inputs[at + QUEUES]!
    }
    for (let k = 0; k < n; k++) all |= packets[first(ivs[k]!)]!
    touched[0] = all
    for (let k = 0; k < n; k++) arrive(ivs[k]!, arrived[k]!, t)
  }

  function front(q: number, v: number, o: number): void {
    inputs[(q << SHIFT) + FRONTS]! |= 1 << v
    outs[(((q << SHIFT) + OUTS) << 2) + v] = o
    wake(q)
  }

  function wake(q: number): void {
    const r = router[q]!
    const i = local[q]!
    const at = (r << STATE_SHIFT) + (NARROW ? 0 : i >> 5)
    if (((states[at + BUSY_IN]! >>> i) & 1) !== 0) return
    states[at + AWAKE]! |= 1 << i
    dirty[r >> 5]! |= 1 << r
  }

  function leave(q: number, v: number, t: number): number {
    const queue = (q << LV) + v
    const p = pop(queue)
    const next = first(queue)
    if (next === 0) inputs[(q << SHIFT) + FRONTS]! &= ~(1 << v)
    else front(q, v, route(next, q, v, t))
    return p
  }

  function lack(q: number, v: number, port: number): void {
    const i = local[q]!
    inputs[(q << SHIFT) + LACKS]! |= 1 << v
    outputs[(port << SHIFT) + ROOM + (NARROW ? 0 : i >> 5)]! |= 1 << i
  }

  function freed(port: number): void {
    const r = router[port]!
    const to = (r << STATE_SHIFT) + AWAKE
    const at = (port << SHIFT) + FREE
    for (let word = 0; word < (NARROW ? 1 : 2); word++) {
      const m = outputs[at + word]!
      if (m === 0) continue
      outputs[at + word] = 0
      states[to + word]! |= m
      dirty[r >> 5]! |= 1 << r
    }
  }

  function renew(port: number): void {
    const at = (port << SHIFT) + ROOM
    if (outputs[at] !== 0) renewed(port, 0)
    if (!NARROW && outputs[at + 1] !== 0) renewed(port, 1)
  }

  function renewed(port: number, word: number): void {
    const at = (port << SHIFT) + ROOM + word
    const r = router[port]!
    const o = local[port]!
    const called = outputs[at]!
    outputs[at] = 0
    for (let m = called; m !== 0; m &= m - 1) {
      const i = (word << 5) + low(m)
      const q = i < R ? r * PS + i : PORTS + r
      const record = q << SHIFT
      for (let vls = inputs[record + LACKS]!; vls !== 0; vls &= vls - 1) {
        const v = low(vls)
        if (outs[((record + OUTS) << 2) + v] === o) inputs[record + LACKS]! &= ~(1 << v)
      }
    }
    states[(r << STATE_SHIFT) + AWAKE + word]! |= called
    dirty[r >> 5]! |= 1 << r
  }

  /** What the inputs of these routers that must look, and a crossbar for them, will look at: records; then the first packet that each would offer and the output
   *  that it wants; then the packet behind it, which is routed when the first one leaves. */
  function touch(list: Int32Array, n: number): void {
    let all = 0
    let found = 0
    for (let k = 0; k < n; k++) {
      const r = list[k]!
      for (let word = 0; word < (NARROW ? 1 : 2); word++) {
        const at = (r << STATE_SHIFT) + word
        for (let m = states[at + AWAKE]! & ~states[at + BUSY_IN]!; m !== 0; m &= m - 1) {
          const i = (word << 5) + low(m)
          const q = i < R ? r * PS + i : PORTS + r
          all |= inputs[q << SHIFT]! | inputs[(q << SHIFT) + QUEUES]!
          looking[found++] = q
        }
      }
    }
    for (let k = 0; k < found; k++) {
      const q = looking[k]!
      const at = q << SHIFT
      const m = inputs[at + FRONTS]! & ~inputs[at + LACKS]!
      if (m === 0) {
        looking[k] = 0
        continue
      }
      const after = m & (-1 << turn[q]!)
      const v = low(after !== 0 ? after : m)
      const port = Math.imul(router[q]!, PS) + outs[((at + OUTS) << 2) + v]!
      const p = first((q << LV) + v)
      all |= packets[p + FLITS]! | outputs[(port << SHIFT) + FREE]! | outputs[(port << SHIFT) + QUEUES]! | held[OUT + (port << LV)]!
      looking[k] = p
    }
    for (let k = 0; k < found; k++) all |= packets[packets[looking[k]!]!]!
    touched[0] = all
  }

  return { columns, arrive, arrivals, queueOf, leave, wake, lack, freed, renew, touch }
}
