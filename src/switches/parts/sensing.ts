// Contention: how many inputs ask for an output. In each cycle every input with requests asks for one output, drawn from those that the fronts of its VCs
// want (random), or for each of them by its share (weighted). Averages over time say whether that lasts (runs.ts); what crosses to an output for which it
// does is marked. Packets of control classes ask for nothing here. An output is looked at in cycles in which requests for it change, and in those in which an
// input draws that asks for others too.
// G. Kim, C. Kim, J. Jeong, M. Parker and J. Kim, "Contention-based Congestion Management in Large-Scale Networks", 2016.
// Columns:
//   asks     [q * R + o]    VCs of input q that ask for output o: what waits at the front (`holders`: and what is crossing)
//   asked    [q]            how many
//   askOut   [(q << 1) + w] outputs that it asks for
//   steady   [o]            requests of inputs that do not draw
//   draws    [(r << 1) + w] inputs of router r that draw
//   changed  [(r << 1) + w] outputs of router r for which requests have changed
//   looks    bit r          routers with either
//   holds    [q]            1 + (output << 5 | VC) of the packet that is crossing
//   contended [r]           packets that router r marked
import { lowest, population } from "../../core/bitset.ts"
import { below, draw, streamOf } from "../../core/rng.ts"
import { i32, scratch, u16 } from "../../fabric/columns.ts"
import { FLAG, STATE } from "../../fabric/packets.ts"
import type { TransferSite, TransferUse } from "../../fabric/transfer.ts"
import type { Sensing } from "../../model/congestion.ts"
import type { Ports } from "./ports.ts"
import { makeRuns } from "./runs.ts"

/** The value of one request where parts of it are counted. */
export const ONE = 65536

export interface SensingPart {
  readonly columns: Readonly<Record<string, Int32Array | Uint16Array | Uint8Array>>
  /** VC v of input q has (1) or has not (0) a packet at its front for output o */
  seen(q: number, o: number, v: number, waits: number): void
  /** a packet of VC v begins to cross from input q to output o */
  starts(q: number, o: number, v: number): void
  /** it has crossed: `seen` is to be called for its VC */
  ends(q: number): void
  /** the requests of cycle t, of the routers in words [from, to) of 32 */
  sample(from: number, to: number, t: number): void
  /** packet p crosses to output o */
  crosses(o: number, p: number, t: number): void
  /** whether input q asks for anything, and what it does in cycle t: output << 5 | VC, drawn from its requests */
  asks(q: number): boolean
  request(q: number, t: number): number
  /** what output o is asked for, as it was sampled last */
  degree(o: number): number
}

export function makeSensing(site: TransferSite, use: TransferUse, ports: Ports, voq: boolean, s: Sensing): SensingPart {
  const low = lowest
  const bits = population
  const { layout: l, columns: shared, constants } = site
  const { PS, radix: R, outerRouter } = l
  const { packets } = shared
  const bytes = new Uint8Array(packets.buffer)
  const { router, local, count: PORTS, inputs: N } = ports
  const { plan } = use
  const WEIGHTED = s.estimator === "weighted"
  const HOLDERS = s.holders
  const NARROW = R + 1 <= 32
  // control packets, of classes that are more urgent than data, do not count
  const counts = scratch(plan.vcs)
  for (let v = 0; v < plan.vcs; v++) counts[v] = plan.classOf[v]! < plan.data || plan.priorityOf[v]! <= 0 ? 1 : 0
  const keys = scratch(N)
  for (let q = 0; q < N; q++) keys[q] = streamOf(constants.seed ^ 0x6a09e667, outerRouter[router[q]!]! * 64 + local[q]!)
  const runs = makeRuns(PORTS, s, WEIGHTED ? ONE : 1)
  const columns = {
    asks: i32(N * R),
    asked: u16(N),
    askOut: i32(2 * N),
    steady: i32(PORTS),
    draws: i32(2 * l.routers),
    changed: i32(2 * l.routers),
    looks: i32((l.routers + 31) >> 5),
    holds: u16(N),
    contended: i32(l.routers),
    ...runs.columns,
  }
  const { asks, asked, askOut, steady, draws, changed, looks, holds, contended } = columns
  const { above, set } = runs
  // [output of the router that is looked at] -> requests that were drawn
  const degree = scratch(64)

  function seen(q: number, o: number, v: number, waits: number): void {
    if (counts[v] === 0) return
    const held = holds[q]!
    // behind a packet that is crossing nobody is at the front yet
    const crossing = held !== 0 && ((held - 1) & 31) === v && (!voq || (held - 1) >> 5 === o)
    const want = !crossing ? waits : HOLDERS && (held - 1) >> 5 === o ? 1 : 0
    const at = q * R + o
    if (((asks[at]! >>> v) & 1) === want) return
    count(q, -1)
    asks[at]! ^= 1 << v
    asked[q]! += want === 0 ? -1 : 1
    if (asks[at] === 0) askOut[(q << 1) + (o >> 5)]! &= ~(1 << o)
    else askOut[(q << 1) + (o >> 5)]! |= 1 << o
    count(q, 1)
  }

  /** The requests of input q count no more (-1), or again (1). */
  function count(q: number, by: number): void {
    if (asked[q] === 0) return
    const r = router[q]!
    const a = askOut[q << 1]!
    const b = NARROW ? 0 : askOut[(q << 1) + 1]!
    changed[r << 1]! |= a
    if (!NARROW) changed[(r << 1) + 1]! |= b
    looks[r >> 5]! |= 1 << r
    if (WEIGHTED) share(q, by)
    else if (b === 0 && (a & (a - 1)) === 0) steady[r * PS + low(a)]! += by
    else if (a === 0 && (b & (b - 1)) === 0) steady[r * PS + 32 + low(b)]! += by
    else if (by > 0) draws[(r << 1) + (local[q]! >> 5)]! |= 1 << local[q]!
    else draws[(r << 1) + (local[q]! >> 5)]! &= ~(1 << local[q]!)
  }

  function starts(q: number, o: number, v: number): void {
    holds[q] = 1 + ((o << 5) | v)
  }

  function ends(q: number): void {
    holds[q] = 0
  }

  function sample(from: number, to: number, t: number): void {
    for (let w = from; w < to; w++) for (let m = looks[w]!; m !== 0; m &= m - 1) look((w << 5) + low(m), t)
  }

  function look(r: number, t: number): void {
    let a = changed[r << 1]!
    let b = changed[(r << 1) + 1]!
    changed[r << 1] = 0
    changed[(r << 1) + 1] = 0
    const first = draws[r << 1]!
    const second = NARROW ? 0 : draws[(r << 1) + 1]!
    for (let m = first; m !== 0; m &= m - 1) {
      const q = inputOf(r, low(m))
      a |= askOut[q << 1]!
      b |= askOut[(q << 1) + 1]!
      degree[pick(q, below(draw(keys[q]!, t), asked[q]!))]!++
    }
    for (let m = second; m !== 0; m &= m - 1) {
      const q = inputOf(r, 32 + low(m))
      a |= askOut[q << 1]!
      b |= askOut[(q << 1) + 1]!
      degree[pick(q, below(draw(keys[q]!, t), asked[q]!))]!++
    }
    if ((first | second) === 0) looks[r >> 5]! &= ~(1 << r)
    add(r, 0, a, t)
    if (!NARROW) add(r, 32, b, t)
  }

  function inputOf(r: number, i: number): number {
    return i < R ? r * PS + i : PORTS + r
  }

  function add(r: number, base: number, outputs: number, t: number): void {
    for (let m = outputs; m !== 0; m &= m - 1) {
      const o = base + low(m)
      set(r * PS + o, steady[r * PS + o]! + degree[o]!, t)
      degree[o] = 0
    }
  }

  /** Output of request number n of input q. */
  function pick(q: number, n: number): number {
    for (let word = 0; word < (NARROW ? 1 : 2); word++) {
      for (let m = askOut[(q << 1) + word]!; m !== 0; m &= m - 1) {
        const o = (word << 5) + low(m)
        n -= bits(asks[q * R + o]!)
        if (n < 0) return o
      }
    }
    return 0
  }

  /** The request that input q draws in cycle t: the same draw as that of its output. */
  function request(q: number, t: number): number {
    let n = below(draw(keys[q]!, t), asked[q]!)
    for (let word = 0; word < (NARROW ? 1 : 2); word++) {
      for (let m = askOut[(q << 1) + word]!; m !== 0; m &= m - 1) {
        const o = (word << 5) + low(m)
        for (let vcs = asks[q * R + o]!; vcs !== 0; vcs &= vcs - 1) if (n-- === 0) return (o << 5) | low(vcs)
      }
    }
    return 0
  }

  function share(q: number, by: number): void {
    for (let word = 0; word < (NARROW ? 1 : 2); word++) {
      for (let m = askOut[(q << 1) + word]!; m !== 0; m &= m - 1) {
        const o = (word << 5) + low(m)
        steady[router[q]! * PS + o]! += by * Math.round((ONE * bits(asks[q * R + o]!)) / asked[q]!)
      }
    }
  }

  function crosses(o: number, p: number, t: number): void {
    const at = ((p + STATE) << 2) + 2
    if ((bytes[at]! & (FLAG.ack | FLAG.marked)) !== 0 || !above(o, t)) return
    bytes[at]! |= FLAG.marked
    contended[router[o]!]!++
  }

  return { columns, seen, starts, ends, sample, crosses, asks: (q) => asked[q] !== 0, request, degree: runs.value }
}
