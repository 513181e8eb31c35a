// Contention: how many inputs ask for an output. In each cycle every input with requests asks for one output, drawn from those that the fronts of its VCs
// want (random), or for each of them by its share (weighted). Averages over time say whether that lasts (runs.ts); what crosses to an output for which it
// does is marked. Packets of control classes ask for nothing here.
// Nothing is sampled cycle by cycle. An output whose average is asked for is marked only if, on average, more than one input asked for it (asking.ts), which few
// outputs meet; for these the draws of the cycles since the last look are made then, for draws are functions of the cycle, and inputs remember what they asked for.
// What changes within a cycle is written down at its end (`settle`): half of all packets cross in the cycle in which they come to the front, and asked for nothing.
// G. Kim, C. Kim, J. Jeong, M. Parker and J. Kim, "Contention-based Congestion Management in Large-Scale Networks", 2016.
// Columns:
//   asks     [q * R + o]    VCs of input q that ask for output o: what waits at the front (`holders`: and what is crossing)
//   inputs   [q * INPUT.size]  a record, so that what a change needs is near: how often its requests have changed, how many there are, the outputs that it asks
//                           for (two words), 1 + (output << 5 | VC) of the packet that is crossing; then the last H changes: cycle, and output << 6 |
//                           VC << 1 | whether it asks since
//   outputs  [o * OUTPUT.size] that of asking.ts; `met`: inputs that asked for output o since it was looked at, `looked`: the first cycle that was not counted
//   saved    [r]            all outputs of router r need no change before this cycle
//   contended [r]           packets that router r marked
import { lowest, population } from "../../core/bitset.ts"
import { below, draw, streamOf } from "../../core/rng.ts"
import { i32, scratch } from "../../fabric/columns.ts"
import { FLAG, recordViews } from "../../fabric/packets.ts"
import type { TransferSite, TransferUse } from "../../fabric/transfer.ts"
import type { Sensing } from "../../model/congestion.ts"
import { makeAsking, OUTPUT } from "./asking.ts"
import type { Ports } from "./ports.ts"
import { makeRuns } from "./runs.ts"

/** The value of one request where parts of it are counted. */
export const ONE = 65536

export interface SensingPart {
  readonly columns: Readonly<Record<string, Int32Array | Uint16Array | Uint8Array>>
  /** from cycle t on VC v of input q has (1) or has not (0) a packet at its front for output o */
  seen(q: number, o: number, v: number, waits: number, t: number): void
  /** the cycle is over: what was seen in it holds */
  settle(): void
  /** a packet of VC v begins to cross from input q to output o */
  starts(q: number, o: number, v: number): void
  /** it has crossed: `seen` is to be called for its VC */
  ends(q: number): void
  /** packet p crosses to output o */
  crosses(o: number, p: number, t: number): void
  /** whether input q asks for anything, and what it does in cycle t: output << 5 | VC, drawn from its requests */
  asks(q: number): boolean
  request(q: number, t: number): number
  /** what output o was asked for in cycle t, which is over; later ones were not asked for yet */
  degree(o: number, t: number): number
  /** inputs that ask for it now */
  askers(o: number): number
}

/** Changes that an input remembers: those of packets of 32 flits over 100 cycles, and more. */
const H = 16
const INPUT = { made: 0, asked: 1, out: 2, holds: 4, changes: 8, size: 8 + 2 * H } as const

export function makeSensing(site: TransferSite, use: TransferUse, ports: Ports, voq: boolean, s: Sensing): SensingPart {
  const low = lowest
  const bits = population
  const { layout: l, columns: shared, constants } = site
  const { PS, radix: R, outerRouter } = l
  const { packets } = shared
  const { sFlags } = recordViews(packets)
  const MARKED = FLAG.marked
  const SKIPS = FLAG.ack | FLAG.marked
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
  const asking = makeAsking(PORTS, s.samples)
  const columns = {
    asks: i32(N * R),
    inputs: i32(INPUT.size * N),
    outputs: asking.outputs,
    saved: i32(l.routers),
    contended: i32(l.routers),
    ...runs.columns,
  }
  const { asks, inputs, outputs, saved, contended } = columns
  const { above, set, value } = runs
  const { add: asksMore, sum: askedFor, value: askers } = asking
  const HMASK = H - 1
  const { made: MADE, asked: ASKED, out: OUT, holds: HOLDS, changes: CHANGES, size: SIZE } = INPUT
  const { met: MET, looked: LOOKED, size: OSIZE } = OUTPUT
  const SPAN = s.samples + s.interval
  const LIMIT = s.threshold * s.samples
  // [q * R + o] -> VCs whose request has changed in this cycle, and LISTED if the pair is one of those that `settle` looks at, with their inputs
  const changed = scratch(N * R)
  const pairs = scratch(N * R)
  const pairInputs = scratch(N * R)
  const LISTED = 1 << 31
  let listed = 0
  // the cycle in which they have changed
  let cycle = 0
  // [cycle less the first that is counted] -> requests
  const sums = scratch(SPAN)

  function seen(q: number, o: number, v: number, waits: number, t: number): void {
    if (counts[v] === 0) return
    const held = inputs[q * SIZE + HOLDS]!
    // behind a packet that is crossing nobody is at the front yet
    const crossing = held !== 0 && ((held - 1) & 31) === v && (!voq || (held - 1) >> 5 === o)
    const want = !crossing ? waits : HOLDERS && (held - 1) >> 5 === o ? 1 : 0
    const i = q * R + o
    if ((((asks[i]! ^ changed[i]!) >>> v) & 1) === want) return
    if (changed[i] === 0) {
      changed[i] = LISTED
      pairs[listed] = i
      pairInputs[listed++] = q
      cycle = t
    }
    changed[i]! ^= 1 << v
  }

  function settle(): void {
    for (let k = 0; k < listed; k++) {
      const i = pairs[k]!
      let m = changed[i]! & ~LISTED
      changed[i] = 0
      if (m === 0) continue
      const q = pairInputs[k]!
      for (; m !== 0; m &= m - 1) {
        const v = low(m)
        change(q, i - q * R, v, ((asks[i]! >>> v) & 1) ^ 1, cycle)
      }
    }
    listed = 0
  }

  function change(q: number, o: number, v: number, want: number, t: number): void {
    const base = q * SIZE
    const n = inputs[base + MADE]!
    const at = base + CHANGES + ((n & HMASK) << 1)
    // what it forgets may be asked for
    if (n >= H && inputs[at]! >= t - SPAN && inputs[at]! >= saved[router[q]!]!) save(router[q]!, t)
    inputs[at] = t
    inputs[at + 1] = (o << 6) | (v << 1) | want
    inputs[base + MADE] = n + 1
    inputs[base + ASKED]! += want === 0 ? -1 : 1
    const before = asks[q * R + o]!
    const now = before ^ (1 << v)
    asks[q * R + o] = now
    if (now === 0) {
      inputs[base + OUT + (o >> 5)]! &= ~(1 << o)
      asksMore(router[q]! * PS + o, -1, t)
    } else if (before === 0) {
      const port = router[q]! * PS + o
      inputs[base + OUT + (o >> 5)]! |= 1 << o
      outputs[port * OSIZE + MET + (local[q]! >> 5)]! |= 1 << local[q]!
      asksMore(port, 1, t)
    }
  }

  /** Counts the requests for all outputs of router r before cycle t. */
  function save(r: number, t: number): void {
    for (let o = 0; o < R; o++) count(r * PS + o, t)
    saved[r] = t
  }

  /** Counts the requests for an output in the cycles before t that were not, as far as they can be asked for. */
  function count(port: number, t: number): void {
    const base = port * OSIZE
    const looked = outputs[base + LOOKED]!
    const from = looked > t - SPAN ? looked : t > SPAN ? t - SPAN : 0
    if (from >= t) return
    sums.fill(0, 0, t - from)
    const r = router[port]!
    const o = local[port]!
    for (let word = 0; word < 2; word++) {
      let still = 0
      for (let m = outputs[base + MET + word]!; m !== 0; m &= m - 1) {
        const i = (word << 5) + low(m)
        const q = i < R ? r * PS + i : PORTS + r
        requests(q, o, from, t)
        if (asks[q * R + o] !== 0) still |= 1 << i
      }
      outputs[base + MET + word] = still
    }
    let last = -1
    for (let c = from; c < t; c++) {
      if (sums[c - from] === last) continue
      last = sums[c - from]!
      set(port, last, c)
    }
    outputs[base + LOOKED] = t
  }

  /** Adds what input q asked of output o in cycles [from, to), going back from what it asks now. */
  function requests(q: number, o: number, from: number, to: number): void {
    const base = q * SIZE
    const changes = inputs[base + MADE]!
    const oldest = changes > H ? changes - H : 0
    let here = bits(asks[q * R + o]!)
    let before = requestsBefore(q, o)
    let all = inputs[base + ASKED]!
    let end = to
    for (let n = changes - 1; ; n--) {
      const at = base + CHANGES + ((n & HMASK) << 1)
      const when = n < oldest ? -1 : inputs[at]!
      const start = when > from ? when : from
      if (start < end) {
        if (here > 0) asksFor(q, before, here, all, start - from, end - from, from)
        end = start
      }
      if (when <= from) return
      const what = inputs[at + 1]!
      const less = (what & 1) === 1 ? 1 : -1
      all -= less
      if (what >> 6 === o) here -= less
      else if (what >> 6 < o) before -= less
    }
  }

  /** Requests of input q for outputs before o. */
  function requestsBefore(q: number, o: number): number {
    const out = q * SIZE + OUT
    let n = 0
    for (let m = inputs[out]! & (o < 32 ? (1 << o) - 1 : -1); m !== 0; m &= m - 1) n += bits(asks[q * R + low(m)]!)
    if (o > 32) for (let m = inputs[out + 1]! & ((1 << o) - 1); m !== 0; m &= m - 1) n += bits(asks[q * R + 32 + low(m)]!)
    return n
  }

  /** `here` of `all` requests of input q, behind so many others, are for the output, from the cycle first + `start` to first + `end`. */
  function asksFor(q: number, before: number, here: number, all: number, start: number, end: number, first: number): void {
    if (WEIGHTED || here === all) {
      const each = WEIGHTED ? Math.round((ONE * here) / all) : 1
      for (let c = start; c < end; c++) sums[c]! += each
      return
    }
    const key = keys[q]!
    for (let c = start; c < end; c++) {
      const n = below(draw(key, first + c), all) - before
      if (n >= 0 && n < here) sums[c]!++
    }
  }

  function starts(q: number, o: number, v: number): void {
    inputs[q * SIZE + HOLDS] = 1 + ((o << 5) | v)
  }

  function ends(q: number): void {
    inputs[q * SIZE + HOLDS] = 0
  }

  /** The request that input q draws in cycle t: the same draw as that of its output. */
  function request(q: number, t: number): number {
    let n = below(draw(keys[q]!, t), inputs[q * SIZE + ASKED]!)
    for (let word = 0; word < (NARROW ? 1 : 2); word++) {
      for (let m = inputs[q * SIZE + OUT + word]!; m !== 0; m &= m - 1) {
        const o = (word << 5) + low(m)
        for (let vcs = asks[q * R + o]!; vcs !== 0; vcs &= vcs - 1) if (n-- === 0) return (o << 5) | low(vcs)
      }
    }
    return 0
  }

  function crosses(o: number, p: number, t: number): void {
    if ((sFlags[p << 2]! & SKIPS) !== 0 || askedFor(o, t) <= LIMIT) return
    count(o, t)
    if (!above(o, t)) return
    sFlags[p << 2]! |= MARKED
    contended[router[o]!]!++
  }

  function degree(o: number, t: number): number {
    count(o, t + 1)
    return value(o)
  }

  return { columns, seen, settle, starts, ends, crosses, asks: (q) => inputs[q * SIZE + ASKED] !== 0, request, degree, askers }
}
