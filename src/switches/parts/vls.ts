// The input stage of switches with virtual lanes (VLs): one FIFO per VL. A packet is routed when it becomes the head of
// its FIFO. A free input offers one VL at a time to the crossbar behind it.
//
// Inputs are event-driven, so waiting costs no time. An input is woken by a new head packet, by the end of its own
// transfer, and by an output that it found busy (`freed`) or without credits (`renew`). The VLs that a packet may take
// at its output are in the packet's own word (constants.own).
//
// Columns:
//   `records`                of inputs q (service-level-stages.ts): VLs with a head packet; those of them that are
//                            stalled; the last packet that arrived and the cycle in which its tail may move; VLs whose
//                            credit stall is on the packet record; two words of the crossbar; one byte for each VL: the
//                            output of its head packet;
//   `outputs`                of outputs o: inputs (two words) to wake when it becomes free, and when it has credits;
//   `turn`              [q]  round-robin pointer over the VLs of input q;
//   `states`                 a record for each router: inputs (two words) to visit, inputs and outputs in a transfer;
//   `needsArbitration`       bit r: routers with an input to visit.
import { lowest } from "../../core/bitset.ts"
import { i32, scratch, scratchOf, u8 } from "../../fabric/columns.ts"
import { FLITS, HOP_MASK, HOPS, STATE } from "../../fabric/packets.ts"
import type { SwitchContext, TransferSite } from "../../fabric/transfer.ts"
import type { Ports } from "./ports.ts"
import { IN, OUTPUT, type ServiceLevelRecords } from "./service-level-stages.ts"

/** Words of a router's record. */
export const STATES = { awake: 0, busyIn: 2, busyOut: 4, shift: 3 } as const
export interface VlInputSpec extends ServiceLevelRecords {
  readonly site: TransferSite
  readonly use: SwitchContext
  readonly ports: Ports
  /** [class] -> the VL of its packets; undefined: the VLs of its class that the routing allows */
  readonly vlOf?: readonly number[] | undefined
  /** the same by ports: [(input * radix + output) * classes + class]; undefined: the same at all ports */
  readonly vlAt?: Uint8Array | undefined
  /** number of cycles by which a tail may move before the delay of the head would let it */
  readonly early: number
}

export interface VlInput {
  readonly columns: ReturnType<typeof vlColumns>
  arrive(iv: number, p: number, t: number): void
  arrivals(ivs: Int32Array, packets: Int32Array, n: number, t: number): void
  touch(routers: Int32Array, n: number): void
  queueOf(q: number, o: number, v: number): number
  /** Removes and returns the head packet of VL v at input q, and routes the next one. */
  leave(q: number, v: number, t: number): number
  /** Marks input q for a visit, unless it is in a transfer. */
  wake(q: number): void
  /** The head packet of VL v at input q found no credits or buffer space: it waits for `renew`. */
  stall(q: number, v: number, port: number): void
  /** Output `port` has become free. */
  freed(port: number): void
  /** Output `port` has more credits or buffer space. */
  renew(port: number): void
}

function vlColumns({ layout: l }: TransferSite, ports: Ports) {
  return {
    turn: u8(ports.inputs),
    states: i32(l.routers << STATES.shift),
    needsArbitration: i32((l.routers + 31) >> 5),
  }
}

export function makeVlInput(spec: VlInputSpec): VlInput {
  const { site, use, ports, packetQueues, records: inputs, outputs, shift: SHIFT, vlOf, vlAt, early: EARLY } = spec
  const low = lowest
  const { LV, PS, outerRouter, radix: R } = site.layout
  const { packets } = site.columns
  const { own: OWN } = site.constants
  const bytes = new Uint8Array(packets.buffer)
  const { router, local, count: PORTS } = ports
  const { push, pop, first } = packetQueues
  const { plan, routing, routings, net, out } = use
  const { plain: PLAIN, classOf, firstOf, wholeOf } = plan
  const MAPPED = vlOf !== undefined
  const vls = scratchOf(vlOf ?? [])
  const BY_PORT = vlAt !== undefined
  const LEVELS = vlOf?.length ?? 0
  // [stream] -> its class
  const levelOf = scratchOf(Array.from(use.vcFirst, (first) => classOf[first]))
  const VMASK = (1 << LV) - 1
  const NARROW = R + 1 <= 32
  const { fronts: FRONTS, stalledVcs: STALLED, last: LAST, tail: TAIL_AT, outs: OUTS } = IN
  const { awake: AWAKE, busyIn: BUSY_IN, shift: STATE_SHIFT } = STATES
  const { free: FREE, onCredit: ON_CREDIT, queues: QUEUES } = OUTPUT
  const columns = vlColumns(site, ports)
  const { states, needsArbitration, turn } = columns
  const outs = new Uint8Array(inputs.buffer)
  // For `touch`: the inputs to visit. `touched` receives what was read, so that the reads are not optimised away.
  const { held, OUT } = site.sharedBuffers
  const looking = scratch(ports.inputs)
  const touched = scratch(1)

  function queueOf(q: number, _o: number, v: number): number {
    return (q << LV) + v
  }

  /** Routes packet p and returns its output port: the first candidate with the lowest cost. */
  function route(p: number, q: number, v: number, t: number): number {
    const at = outerRouter[router[q]]
    const way = PLAIN || MAPPED ? routing : routings[classOf[v]]
    net.decide(t)
    if ((packets[p + HOPS] & HOP_MASK) === 0) way.inject?.(p, at, net)
    out.n = 0
    way.route(p, at, local[q], MAPPED ? 0 : PLAIN ? v : v - firstOf[v], net, out)
    let best = 0
    for (let i = 1; i < out.n; i++) if (out.cost[i] < out.cost[best]) best = i
    const o = out.port[best]
    const mask = out.vcMask[best]
    packets[p + OWN] = MAPPED
      ? 1 << mapped(local[q], o, levelOf[bytes[((p + STATE) << 2) + 3]])
      : PLAIN
        ? mask
        : wholeOf[v] !== 0
          ? wholeOf[v]
          : mask << firstOf[v]
    bytes[(p + STATE) << 2] = o
    packets[p + HOPS]++
    return o
  }

  /** Returns the VL of a service level between input i and output o. */
  function mapped(i: number, o: number, level: number): number {
    return BY_PORT ? vlAt![(i * R + o) * LEVELS + level] : vls[level]
  }

  function arrive(iv: number, p: number, t: number): void {
    const q = iv >> LV
    const v = iv & VMASK
    const at = q << SHIFT
    inputs[at + LAST] = p
    inputs[at + TAIL_AT] = t + packets[p + FLITS] - 1 - EARLY
    if (push(iv, p)) front(q, v, route(p, q, v, t))
  }

  /** `arrive` for all packets of a cycle. It prefetches their records and queues first (ready-sets.ts, `gather`). */
  function arrivals(ivs: Int32Array, arrived: Int32Array, n: number, t: number): void {
    let all = 0
    for (let k = 0; k < n; k++) {
      const at = (ivs[k] >> LV) << SHIFT
      all |= inputs[at] | inputs[at + QUEUES]
    }
    for (let k = 0; k < n; k++) all |= packets[first(ivs[k])]
    touched[0] = all
    for (let k = 0; k < n; k++) arrive(ivs[k], arrived[k], t)
  }

  /** VL v of input q has a new head packet, for output o. */
  function front(q: number, v: number, o: number): void {
    inputs[(q << SHIFT) + FRONTS] |= 1 << v
    outs[(((q << SHIFT) + OUTS) << 2) + v] = o
    wake(q)
  }

  function wake(q: number): void {
    const r = router[q]
    const i = local[q]
    const at = (r << STATE_SHIFT) + (NARROW ? 0 : i >> 5)
    if (((states[at + BUSY_IN] >>> i) & 1) !== 0) return
    states[at + AWAKE] |= 1 << i
    needsArbitration[r >> 5] |= 1 << r
  }

  function leave(q: number, v: number, t: number): number {
    const queue = (q << LV) + v
    const p = pop(queue)
    const next = first(queue)
    if (next === 0) inputs[(q << SHIFT) + FRONTS] &= ~(1 << v)
    else front(q, v, route(next, q, v, t))
    return p
  }

  function stall(q: number, v: number, port: number): void {
    const i = local[q]
    inputs[(q << SHIFT) + STALLED] |= 1 << v
    outputs[(port << SHIFT) + ON_CREDIT + (NARROW ? 0 : i >> 5)] |= 1 << i
  }

  function freed(port: number): void {
    const r = router[port]
    const to = (r << STATE_SHIFT) + AWAKE
    const at = (port << SHIFT) + FREE
    for (let word = 0; word < (NARROW ? 1 : 2); word++) {
      const m = outputs[at + word]
      if (m === 0) continue
      outputs[at + word] = 0
      states[to + word] |= m
      needsArbitration[r >> 5] |= 1 << r
    }
  }

  function renew(port: number): void {
    const at = (port << SHIFT) + ON_CREDIT
    if (outputs[at] !== 0) renewed(port, 0)
    if (!NARROW && outputs[at + 1] !== 0) renewed(port, 1)
  }

  /**
   * Clears the stalls of the inputs that wait for this output, and marks them for a visit. Only the VLs whose head
   * packet goes to this output are cleared.
   */
  function renewed(port: number, word: number): void {
    const at = (port << SHIFT) + ON_CREDIT + word
    const r = router[port]
    const o = local[port]
    const called = outputs[at]
    outputs[at] = 0
    for (let m = called; m !== 0; m &= m - 1) {
      const i = (word << 5) + low(m)
      const q = i < R ? r * PS + i : PORTS + r
      const record = q << SHIFT
      for (let vls = inputs[record + STALLED]; vls !== 0; vls &= vls - 1) {
        const v = low(vls)
        if (outs[((record + OUTS) << 2) + v] === o) inputs[record + STALLED] &= ~(1 << v)
      }
    }
    states[(r << STATE_SHIFT) + AWAKE + word] |= called
    needsArbitration[r >> 5] |= 1 << r
  }

  /**
   * Prefetches the state that the visits of these routers read: the records of the inputs; then the head packet that
   * each input would offer and its output; then the next packet, which is routed when the head packet leaves.
   */
  function touch(list: Int32Array, n: number): void {
    let all = 0
    let found = 0
    for (let k = 0; k < n; k++) {
      const r = list[k]
      for (let word = 0; word < (NARROW ? 1 : 2); word++) {
        const at = (r << STATE_SHIFT) + word
        for (let m = states[at + AWAKE] & ~states[at + BUSY_IN]; m !== 0; m &= m - 1) {
          const i = (word << 5) + low(m)
          const q = i < R ? r * PS + i : PORTS + r
          all |= inputs[q << SHIFT] | inputs[(q << SHIFT) + QUEUES]
          looking[found++] = q
        }
      }
    }
    for (let k = 0; k < found; k++) {
      const q = looking[k]
      const at = q << SHIFT
      const m = inputs[at + FRONTS] & ~inputs[at + STALLED]
      if (m === 0) {
        looking[k] = 0
        continue
      }
      const after = m & (-1 << turn[q])
      const v = low(after !== 0 ? after : m)
      const port = Math.imul(router[q], PS) + outs[((at + OUTS) << 2) + v]
      const p = first((q << LV) + v)
      all |=
        packets[p + FLITS] |
        outputs[(port << SHIFT) + FREE] |
        outputs[(port << SHIFT) + QUEUES] |
        held[OUT + (port << LV)]
      looking[k] = p
    }
    for (let k = 0; k < found; k++) all |= packets[packets[looking[k]]]
    touched[0] = all
  }

  return { columns, arrive, arrivals, queueOf, leave, wake, stall, freed, renew, touch }
}
