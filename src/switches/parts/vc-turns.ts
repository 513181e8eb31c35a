// The VC allocation stage of a crossbar switch that moves whole packets. A head packet bids for the VCs of its output
// that it may use. A VC can be given if it has no owner, has credits for the whole packet, and has space in the
// output buffer. Each output VC takes turns over the VCs of the inputs, within the highest priority level that bids.
// The owner may request the crossbar from the next core step on, and keeps the VC until its tail has crossed. N. Jiang,
// D. U. Becker, G. Michelogiannakis and W. J. Dally, "Network congestion avoidance through speculative reservation",
// 2012, was studied with routers of this kind.
//
// Columns. Indices: q input, o output (port), R radix, ov VC of an output, w word of a 64-bit mask.
//   `bids`       [(o << 1) + w]  inputs that may have a head packet without a VC of output o;
//   `allocated`  [q * R + o]     VCs of input q whose head packet owns a VC of output o; the record has which (sVc);
//   `owned`      [o]             VCs of output o that have an owner;
//   `vcNext`     [ov]            round-robin pointer: input << 5 | VC;
//   `underWay`   [q]             1 + (output << 5 | VC) of the packet in transfer: the one behind is not at the head;
//   `crossesTo`  [o]             VC of output o that the packet in transfer owns.
import { lowest } from "../../core/bitset.ts"
import { i32, u8 } from "../../fabric/columns.ts"
import { recordViews } from "../../fabric/packets.ts"
import type { SwitchContext, TransferSite } from "../../fabric/transfer.ts"
import type { ContentionCounters } from "./contention-counters.ts"
import type { InputStage } from "./input.ts"
import type { OutputStage } from "./output.ts"
import type { PacketQueues } from "./packet-queues.ts"
import type { Ports } from "./ports.ts"

export type VcTurnColumns = ReturnType<typeof vcTurnColumns>

export function vcTurnColumns({ layout: l }: TransferSite, ports: Ports) {
  return {
    bids: i32(2 * ports.count),
    allocated: i32(ports.inputs * l.radix),
    owned: i32(ports.count),
    vcNext: i32(ports.count << l.LV),
    underWay: i32(ports.inputs),
    crossesTo: u8(ports.count),
  }
}

export interface VcTurns {
  readonly columns: VcTurnColumns
  /** Gives free VCs of the outputs of router r. Returns whether a packet got one. */
  allocate(r: number, t: number): boolean
  /** The owner at the head of VC v of input q starts to cross to output `port` (o in its router). */
  starts(q: number, o: number, v: number, port: number): void
  /** The transfer of input q to output `port` ends; `rest`: flits of its packet are still to cross (FlitStreams). */
  ended(q: number, port: number, rest: boolean): void
  /** The last flit of a packet has crossed to VC v of an output, after the end of its transfer. */
  freed(port: number, v: number): void
}

export interface VcTurnSpec {
  readonly site: TransferSite
  readonly use: SwitchContext
  readonly ports: Ports
  readonly packetQueues: PacketQueues
  readonly columns: VcTurnColumns
  /** VCs (mask) with one FIFO for all outputs */
  readonly fifos: number
  readonly sensing?: ContentionCounters | undefined
}

export function makeVcTurns(
  { site, use, ports, packetQueues, columns, fifos: FIFOS, sensing }: VcTurnSpec,
  input: Pick<InputStage, "columns" | "queueOf" | "renew">,
  output: Pick<OutputStage, "accepts" | "given">,
): VcTurns {
  const low = lowest
  const { LV, PS, radix: R } = site.layout
  const { packets } = site.columns
  const { pFlits, sVc } = recordViews(packets)
  const pOwn = packets.subarray(site.constants.own)
  const { waiting } = input.columns
  const { queueOf, renew } = input
  const { heads } = packetQueues
  const { levels } = use.plan
  const { count: PORTS } = ports
  const { bids, allocated, owned, vcNext, underWay, crossesTo } = columns
  const ALL = 2 ** use.plan.vcs - 1

  const inputOf = (r: number, i: number): number => (i < R ? r * PS + i : PORTS + r)

  function allocate(r: number, t: number): boolean {
    let any = false
    for (let o = 0; o < R; o++) {
      const port = r * PS + o
      if ((bids[port << 1] | bids[(port << 1) + 1]) === 0) continue
      let given = false
      for (let free = ALL & ~owned[port]; free !== 0; free &= free - 1) given = give(r, o, low(free), t) || given
      clear(r, o)
      if (given) renew(port)
      any ||= given
    }
    return any
  }

  /** Gives VC v of output o to the next bidder. Returns whether there is one. */
  function give(r: number, o: number, v: number, t: number): boolean {
    const port = r * PS + o
    const ov = (port << LV) + v
    for (let level = 0; level < levels.length; level++) {
      const found = nextBidder(r, o, v, levels[level])
      if (found < 0) continue
      const q = inputOf(r, found >> 5)
      const own = found & 31
      allocated[q * R + o] |= 1 << own
      owned[port] |= 1 << v
      sVc[heads[queueOf(q, o, own)] << 2] = v
      vcNext[ov] = found + 1
      output.given(port, v)
      sensing?.seen(q, o, own, 0, t)
      return true
    }
    return false
  }

  /** Returns the first bidder at or after the pointer of an output VC, as input << 5 | VC; -1 if there is none. */
  function nextBidder(r: number, o: number, v: number, level: number): number {
    const port = r * PS + o
    const next = vcNext[(port << LV) + v]
    let wrapped = -1
    for (let word = 0; word < 2; word++)
      for (let m = bids[(port << 1) + word]; m !== 0; m &= m - 1) {
        const i = (word << 5) + low(m)
        const q = inputOf(r, i)
        for (let b = bidding(q, o) & level; b !== 0; b &= b - 1) {
          const own = low(b)
          const at = (i << 5) | own
          if (at < next && wrapped >= 0) continue
          const p = heads[queueOf(q, o, own)]
          if (((pOwn[p] >>> v) & 1) === 0 || !output.accepts(q, port, v, pFlits[p])) continue
          if (at >= next) return at
          wrapped = at
        }
      }
    return wrapped
  }

  /** Returns the VCs of input q with a head packet for output o that has no VC there. */
  function bidding(q: number, o: number): number {
    let m = waiting[q * R + o] & ~allocated[q * R + o]
    const held = underWay[q]
    if (held === 0) return m
    const v = (held - 1) & 31
    if ((held - 1) >> 5 === o || ((FIFOS >>> v) & 1) !== 0) m &= ~(1 << v)
    return m
  }

  /** Removes inputs from the bidders of output o if all their head packets there have a VC. */
  function clear(r: number, o: number): void {
    const port = r * PS + o
    for (let word = 0; word < 2; word++)
      for (let m = bids[(port << 1) + word]; m !== 0; m &= m - 1) {
        const i = (word << 5) + low(m)
        const at = inputOf(r, i) * R + o
        if ((waiting[at] & ~allocated[at]) === 0) bids[(port << 1) + word] &= ~(1 << i)
      }
  }

  function starts(q: number, o: number, v: number, port: number): void {
    crossesTo[port] = sVc[heads[queueOf(q, o, v)] << 2]
    allocated[q * R + o] &= ~(1 << v)
    underWay[q] = 1 + ((o << 5) | v)
  }

  function ended(q: number, port: number, rest: boolean): void {
    if (!rest) owned[port] &= ~(1 << crossesTo[port])
    underWay[q] = 0
  }

  function freed(port: number, v: number): void {
    owned[port] &= ~(1 << v)
    renew(port)
  }

  return { columns, allocate, starts, ended, freed }
}
