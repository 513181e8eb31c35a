// Contention: how many inputs ask for an output. In each cycle every input with requests asks for one output, drawn from those that the fronts of its VCs
// want (random), or for each of them by its share (weighted). Averages over time say whether that lasts (averages.ts); what crosses to an output for which it
// does is marked. Packets of control classes ask for nothing here.
// G. Kim, C. Kim, J. Jeong, M. Parker and J. Kim, "Contention-based Congestion Management in Large-Scale Networks", 2016.
// Columns:
//   asks     [q * R + o]    VCs of input q that ask for output o: what waits at the front (`holders`: and what is crossing)
//   asked    [q]            how many
//   askOut   [(q << 1) + w] outputs that it asks for; askIn [(r << 1) + w]: inputs of router r that ask
//   asking   bit r          routers with requests
//   holds    [q]            1 + (output << 5 | VC) of the packet that is crossing
//   contended [r]           packets that router r marked
import { lowest, population } from "../../core/bitset.ts"
import { below, draw, streamOf } from "../../core/rng.ts"
import { i32, scratch, u16 } from "../../fabric/columns.ts"
import { FLAG, STATE } from "../../fabric/packets.ts"
import type { TransferSite, TransferUse } from "../../fabric/transfer.ts"
import type { Sensing } from "../../model/congestion.ts"
import { makeAverages } from "./averages.ts"
import type { Ports } from "./ports.ts"

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
  const averages = makeAverages(PORTS, s, WEIGHTED ? ONE : 1)
  const columns = {
    asks: i32(N * R),
    asked: u16(N),
    askOut: i32(2 * N),
    askIn: i32(2 * l.routers),
    asking: i32((l.routers + 31) >> 5),
    holds: u16(N),
    contended: i32(l.routers),
    ...averages.columns,
  }
  const { asks, asked, askOut, askIn, asking, holds, contended } = columns
  const { above } = averages
  const push = averages.sample
  const { tick } = averages
  // [output of the router that is looked at] -> requests
  const degree = scratch(64)

  function seen(q: number, o: number, v: number, waits: number): void {
    if (counts[v] === 0) return
    const held = holds[q]!
    // behind a packet that is crossing nobody is at the front yet
    const crossing = held !== 0 && ((held - 1) & 31) === v && (!voq || (held - 1) >> 5 === o)
    const want = !crossing ? waits : HOLDERS && (held - 1) >> 5 === o ? 1 : 0
    const at = q * R + o
    if (((asks[at]! >>> v) & 1) === want) return
    asks[at]! ^= 1 << v
    if (want !== 0) more(q, o)
    else less(q, o)
  }

  function more(q: number, o: number): void {
    askOut[(q << 1) + (o >> 5)]! |= 1 << o
    if (asked[q]!++ !== 0) return
    const r = router[q]!
    askIn[(r << 1) + (local[q]! >> 5)]! |= 1 << local[q]!
    asking[r >> 5]! |= 1 << r
  }

  function less(q: number, o: number): void {
    if (asks[q * R + o] === 0) askOut[(q << 1) + (o >> 5)]! &= ~(1 << o)
    if (--asked[q]! !== 0) return
    const r = router[q]!
    askIn[(r << 1) + (local[q]! >> 5)]! &= ~(1 << local[q]!)
    if ((askIn[r << 1]! | askIn[(r << 1) + 1]!) === 0) asking[r >> 5]! &= ~(1 << r)
  }

  function starts(q: number, o: number, v: number): void {
    holds[q] = 1 + ((o << 5) | v)
  }

  function ends(q: number): void {
    holds[q] = 0
  }

  function sample(from: number, to: number, t: number): void {
    tick(t)
    for (let w = from; w < to; w++) for (let m = asking[w]!; m !== 0; m &= m - 1) look((w << 5) + low(m), t)
  }

  function look(r: number, t: number): void {
    let a = 0
    let b = 0
    for (let word = 0; word < (NARROW ? 1 : 2); word++) {
      for (let m = askIn[(r << 1) + word]!; m !== 0; m &= m - 1) {
        const i = (word << 5) + low(m)
        const q = i < R ? r * PS + i : PORTS + r
        if (WEIGHTED) {
          share(q)
          a |= askOut[q << 1]!
          b |= askOut[(q << 1) + 1]!
          continue
        }
        const o = pick(q, t)
        degree[o]!++
        if (o < 32) a |= 1 << o
        else b |= 1 << o
      }
    }
    add(r, 0, a)
    if (!NARROW) add(r, 32, b)
  }

  function add(r: number, base: number, outputs: number): void {
    for (let m = outputs; m !== 0; m &= m - 1) {
      const o = base + low(m)
      push(r * PS + o, degree[o]!)
      degree[o] = 0
    }
  }

  /** The output of a request of input q, drawn. */
  function pick(q: number, t: number): number {
    const first = askOut[q << 1]!
    // most inputs ask for one output
    if ((NARROW || askOut[(q << 1) + 1] === 0) && (first & (first - 1)) === 0 && first !== 0) return low(first)
    return request(q, below(draw(keys[q]!, t), asked[q]!))
  }

  /** Output of request number n of input q. */
  function request(q: number, n: number): number {
    for (let word = 0; word < (NARROW ? 1 : 2); word++) {
      for (let m = askOut[(q << 1) + word]!; m !== 0; m &= m - 1) {
        const o = (word << 5) + low(m)
        n -= bits(asks[q * R + o]!)
        if (n < 0) return o
      }
    }
    return 0
  }

  function share(q: number): void {
    for (let word = 0; word < 2; word++) {
      for (let m = askOut[(q << 1) + word]!; m !== 0; m &= m - 1) {
        const o = (word << 5) + low(m)
        degree[o]! += Math.round((ONE * bits(asks[q * R + o]!)) / asked[q]!)
      }
    }
  }

  function crosses(o: number, p: number, t: number): void {
    const at = ((p + STATE) << 2) + 2
    if ((bytes[at]! & (FLAG.ack | FLAG.marked)) !== 0 || !above(o, t)) return
    bytes[at]! |= FLAG.marked
    contended[router[o]!]!++
  }

  return { columns, seen, starts, ends, sample, crosses }
}
