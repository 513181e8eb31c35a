// Contention counters of CBCM: for each output, the number of inputs that request it, averaged over time. In each cycle
// every input with requests counts for one output. With the estimator `random` it draws one of the outputs of its head
// packets; with `weighted` it counts for each of them by its share. A packet that crosses to an output whose average
// stays above the threshold (runs.ts) is marked. Packets of control classes are not counted. G. Kim, C. Kim, J. Jeong,
// M. Parker and J. Kim, "Contention-based Congestion Management in Large-Scale Networks", 2016.
//
// The counters are evaluated lazily, because most outputs are never contended and per-cycle sampling would dominate the
// run time:
//   1. The number of inputs that request an output is an upper bound of its degree. requests-over-time.ts keeps the sum
//      of this bound; an output below the threshold needs no draws.
//   2. For the other outputs, `count` computes the draws of all cycles since the last evaluation. This gives the same
//      result as drawing in each cycle, because a draw is a function of (input, cycle) and inputs record their changes.
//   3. Changes within a cycle are applied at its end (`settle`). About half of all packets cross in the cycle in which
//      they become head packets, and such a packet requests nothing.
//
// Columns. Indices: q input, o output, r router, R radix. The first column is the mask of the VCs of input q that
// request output o ([q * R + o]; with `holders` also the VC in transfer). The others are:
//   `inputs`     [q * INPUT.size]   record of input q: number of changes so far; number of requests; requested outputs
//                                   (two words); 1 + (output << 5 | VC) of the packet in transfer; then a ring of H
//                                   changes: cycle, and output << 6 | VC << 1 | requested (1) or not (0);
//   `outputs`    [o * OUTPUT.size]  record of requests-over-time.ts; `met`: inputs that requested o since the last
//                                   evaluation; `looked`: the first cycle that is not counted yet;
//   `saved`      [r]                all outputs of router r are counted up to this cycle;
//   `contended`  [r]                number of packets that router r has marked.
import { lowest, population } from "../../core/bitset.ts"
import { below, draw, streamOf } from "../../core/rng.ts"
import { i32, scratch } from "../../fabric/columns.ts"
import { FLAG, recordViews } from "../../fabric/packets.ts"
import type { SwitchContext, TransferSite } from "../../fabric/transfer.ts"
import type { ContentionCounting } from "../../model/congestion.ts"
import type { Ports } from "./ports.ts"
import { makeRequestsOverTime, OUTPUT } from "./requests-over-time.ts"
import { makeRuns } from "./runs.ts"

/** The value of one request in fixed-point arithmetic (estimator `weighted`). */
export const ONE = 65536

export interface ContentionCounters {
  readonly columns: Readonly<Record<string, Int32Array | Uint16Array | Uint8Array>>
  /** Sets whether (1 or 0) VC v of input q has a head packet for output o from cycle t on. */
  seen(q: number, o: number, v: number, waits: number, t: number): void
  /** Ends the cycle: the changes that `seen` has collected take effect. */
  settle(): void
  /** A packet of VC v starts to cross from input q to output o. */
  starts(q: number, o: number, v: number): void
  /** The packet of input q has crossed. The caller calls `seen` for its VC afterwards. */
  ends(q: number): void
  /** Packet p crosses to output o: marks it if the output is contended. */
  crosses(o: number, p: number, t: number): void
  /**
   * The first returns whether input q has requests. `request` returns the one it draws in cycle t: output << 5 | VC.
   */
  asks(q: number): boolean
  request(q: number, t: number): number
  /** Returns the degree of output o in cycle t, which must be over. Cycles must be passed in rising order. */
  degree(o: number, t: number): number
  /** Returns the number of inputs that request output o now. */
  requesters(o: number): number
}

/**
 * Number of changes that an input records. This covers packets of 32 flits over 100 cycles; `save` handles overflow.
 */
const H = 16
const INPUT = { made: 0, requested: 1, out: 2, holds: 4, changes: 8, size: 8 + 2 * H } as const

export function makeContentionCounters(
  site: TransferSite,
  use: SwitchContext,
  ports: Ports,
  voq: boolean,
  s: ContentionCounting,
  fifos = 0,
): ContentionCounters {
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
  // Control packets do not count. Their classes have a higher priority than data.
  const counts = scratch(plan.vcs)
  for (let v = 0; v < plan.vcs; v++) counts[v] = plan.classOf[v] < plan.data || plan.priorityOf[v] <= 0 ? 1 : 0
  const keys = scratch(N)
  for (let q = 0; q < N; q++) keys[q] = streamOf(constants.seed ^ 0x6a09e667, outerRouter[router[q]] * 64 + local[q])
  const runs = makeRuns(PORTS, s, WEIGHTED ? ONE : 1)
  const requesting = makeRequestsOverTime(PORTS, s.samples)
  const columns = {
    asks: i32(N * R),
    inputs: i32(INPUT.size * N),
    outputs: requesting.outputs,
    saved: i32(l.routers),
    contended: i32(l.routers),
    ...runs.columns,
  }
  const { asks, inputs, outputs, saved, contended } = columns
  const { above, set, value } = runs
  const { add: requestsMore, sum: requestedFor, value: requesters } = requesting
  const HMASK = H - 1
  const { made: MADE, requested: REQUESTED, out: OUT, holds: HOLDS, changes: CHANGES, size: SIZE } = INPUT
  const { met: MET, looked: LOOKED, size: OSIZE } = OUTPUT
  const SPAN = s.samples + s.interval
  const LIMIT = s.threshold * s.samples
  // [q * R + o] -> mask of VCs whose request has changed in this cycle, plus LISTED if the pair is in `pairs`. `pairs`
  // and `pairInputs` list the changed pairs, so that `settle` visits only these.
  const changed = scratch(N * R)
  const pairs = scratch(N * R)
  const pairInputs = scratch(N * R)
  const LISTED = 1 << 31
  let listed = 0
  // The cycle of the collected changes.
  let cycle = 0
  // [cycle - first counted cycle] -> number of requests; scratch memory of `count`.
  const sums = scratch(SPAN)

  function seen(q: number, o: number, v: number, waits: number, t: number): void {
    if (counts[v] === 0) return
    const held = inputs[q * SIZE + HOLDS]
    // The packet behind one in transfer is not at the head of its queue yet.
    const crossing =
      held !== 0 && ((held - 1) & 31) === v && (!voq || ((fifos >>> v) & 1) !== 0 || (held - 1) >> 5 === o)
    const want = !crossing ? waits : HOLDERS && (held - 1) >> 5 === o ? 1 : 0
    const i = q * R + o
    if ((((asks[i] ^ changed[i]) >>> v) & 1) === want) return
    if (changed[i] === 0) {
      changed[i] = LISTED
      pairs[listed] = i
      pairInputs[listed++] = q
      cycle = t
    }
    changed[i] ^= 1 << v
  }

  function settle(): void {
    for (let k = 0; k < listed; k++) {
      const i = pairs[k]
      let m = changed[i] & ~LISTED
      changed[i] = 0
      if (m === 0) continue
      const q = pairInputs[k]
      for (; m !== 0; m &= m - 1) {
        const v = low(m)
        change(q, i - q * R, v, ((asks[i] >>> v) & 1) ^ 1, cycle)
      }
    }
    listed = 0
  }

  function change(q: number, o: number, v: number, want: number, t: number): void {
    const base = q * SIZE
    const n = inputs[base + MADE]
    const at = base + CHANGES + ((n & HMASK) << 1)
    // The ring of changes is full. If the oldest change may still be needed, count all outputs of the router up to now
    // first.
    if (n >= H && inputs[at] >= t - SPAN && inputs[at] >= saved[router[q]]) save(router[q], t)
    inputs[at] = t
    inputs[at + 1] = (o << 6) | (v << 1) | want
    inputs[base + MADE] = n + 1
    inputs[base + REQUESTED] += want === 0 ? -1 : 1
    const before = asks[q * R + o]
    const now = before ^ (1 << v)
    asks[q * R + o] = now
    if (now === 0) {
      inputs[base + OUT + (o >> 5)] &= ~(1 << o)
      requestsMore(router[q] * PS + o, -1, t)
    } else if (before === 0) {
      const port = router[q] * PS + o
      inputs[base + OUT + (o >> 5)] |= 1 << o
      outputs[port * OSIZE + MET + (local[q] >> 5)] |= 1 << local[q]
      requestsMore(port, 1, t)
    }
  }

  /** Counts the requests for all outputs of router r up to cycle t, before a change record is overwritten. */
  function save(r: number, t: number): void {
    for (let o = 0; o < R; o++) count(r * PS + o, t)
    saved[r] = t
  }

  /**
   * Counts the requests for an output in the cycles before t that are not counted yet. Cycles older than SPAN cannot be
   * read any more and are skipped.
   */
  function count(port: number, t: number): void {
    const base = port * OSIZE
    const looked = outputs[base + LOOKED]
    const from = looked > t - SPAN ? looked : t > SPAN ? t - SPAN : 0
    if (from >= t) return
    sums.fill(0, 0, t - from)
    const r = router[port]
    const o = local[port]
    for (let word = 0; word < 2; word++) {
      let still = 0
      // Inputs outside of `met` had no request for this output in the interval.
      for (let m = outputs[base + MET + word]; m !== 0; m &= m - 1) {
        const i = (word << 5) + low(m)
        const q = i < R ? r * PS + i : PORTS + r
        requests(q, o, from, t)
        if (asks[q * R + o] !== 0) still |= 1 << i
      }
      outputs[base + MET + word] = still
    }
    // Store the values as runs: only the cycles in which the value changes are written.
    let last = -1
    for (let c = from; c < t; c++) {
      if (sums[c - from] === last) continue
      last = sums[c - from]
      set(port, last, c)
    }
    outputs[base + LOOKED] = t
  }

  /**
   * Adds the requests of input q for output o in cycles [from, to). Walks back through the change records of the input,
   * starting with its current requests.
   */
  function requests(q: number, o: number, from: number, to: number): void {
    const base = q * SIZE
    const changes = inputs[base + MADE]
    const oldest = changes > H ? changes - H : 0
    let here = bits(asks[q * R + o])
    let before = requestsBefore(q, o)
    let all = inputs[base + REQUESTED]
    let end = to
    for (let n = changes - 1; ; n--) {
      const at = base + CHANGES + ((n & HMASK) << 1)
      const when = n < oldest ? -1 : inputs[at]
      const start = when > from ? when : from
      // Between `start` and `end` the requests were constant: `here` of `all` are for output o, after `before` others.
      if (start < end) {
        if (here > 0) requestsFor(q, before, here, all, start - from, end - from, from)
        end = start
      }
      if (when <= from) return
      // Undo this change.
      const what = inputs[at + 1]
      const less = (what & 1) === 1 ? 1 : -1
      all -= less
      if (what >> 6 === o) here -= less
      else if (what >> 6 < o) before -= less
    }
  }

  /** Returns the number of requests of input q for outputs with a smaller number than o. */
  function requestsBefore(q: number, o: number): number {
    const out = q * SIZE + OUT
    let n = 0
    for (let m = inputs[out] & (o < 32 ? (1 << o) - 1 : -1); m !== 0; m &= m - 1) n += bits(asks[q * R + low(m)])
    if (o > 32) for (let m = inputs[out + 1] & ((1 << o) - 1); m !== 0; m &= m - 1) n += bits(asks[q * R + 32 + low(m)])
    return n
  }

  /**
   * Adds the requests for one output over the cycles first + [start, end). `here` of the `all` requests of input q are
   * for this output; `before` requests precede them in the order in which `request` numbers them.
   */
  function requestsFor(
    q: number,
    before: number,
    here: number,
    all: number,
    start: number,
    end: number,
    first: number,
  ): void {
    if (WEIGHTED || here === all) {
      const each = WEIGHTED ? Math.round((ONE * here) / all) : 1
      for (let c = start; c < end; c++) sums[c] += each
      return
    }
    const key = keys[q]
    // Same draw as in `request`: the input requests this output if it draws one of the numbers [before, before + here).
    for (let c = start; c < end; c++) {
      const n = below(draw(key, first + c), all) - before
      if (n >= 0 && n < here) sums[c]++
    }
  }

  function starts(q: number, o: number, v: number): void {
    inputs[q * SIZE + HOLDS] = 1 + ((o << 5) | v)
  }

  function ends(q: number): void {
    inputs[q * SIZE + HOLDS] = 0
  }

  /** Returns the request that input q draws in cycle t. `requestsFor` uses the same draw. */
  function request(q: number, t: number): number {
    let n = below(draw(keys[q], t), inputs[q * SIZE + REQUESTED])
    for (let word = 0; word < (NARROW ? 1 : 2); word++) {
      for (let m = inputs[q * SIZE + OUT + word]; m !== 0; m &= m - 1) {
        const o = (word << 5) + low(m)
        for (let vcs = asks[q * R + o]; vcs !== 0; vcs &= vcs - 1) if (n-- === 0) return (o << 5) | low(vcs)
      }
    }
    return 0
  }

  function crosses(o: number, p: number, t: number): void {
    // The upper bound comes first, because it is cheap and rules out most outputs.
    if ((sFlags[p << 2] & SKIPS) !== 0 || requestedFor(o, t) <= LIMIT) return
    count(o, t)
    if (!above(o, t)) return
    sFlags[p << 2] |= MARKED
    contended[router[o]]++
  }

  function degree(o: number, t: number): number {
    count(o, t + 1)
    return value(o)
  }

  return {
    columns,
    seen,
    settle,
    starts,
    ends,
    crosses,
    asks: (q) => inputs[q * SIZE + REQUESTED] !== 0,
    request,
    degree,
    requesters,
  }
}
