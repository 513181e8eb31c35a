// Detection of endpoint congestion by routers (CBCM, section VI-A). A router counts the contention for pairs of an
// output and a destination. If it lasts for an epoch and comes from at least two sources, the router sends a throttle
// packet to each source on behalf of the destination. The packet carries the number of sources. A pair without requests
// is evicted.
//
// The paper states what is counted and that routers send the throttles. Epochs, source list and hold time are not
// specified there; here they are the same as at destinations. G. Kim, C. Kim, J. Jeong, M. Parker and J. Kim,
// "Contention-based Congestion Management in Large-Scale Networks", 2016.
//
// The pairs of a router are a hash table with linear probing over PROBES slots. A pair that finds no free slot is not
// tracked. Columns, by slot (router * pairs + n):
//   `pair`                        key + 1: output << 24 ^ destination (`byOutput` false: destination); 0 = empty;
//   `picks`                       number of inputs that request the pair in this cycle;
//   `live`                        slots of router r that were requested in the last cycle;
//   `lives`    [r]                their number;
//   `began`                       first cycle of the contention; 0 = none;
//   `seen`                        last cycle with contention;
//   `hold`                        no throttle before this cycle;
//   `sources`  [slot * most + n]  the sources on the list;
//   `listed`                      their number.
// Further columns are the number of sources in the last throttle, by slot, and the number of throttles sent, by router.
import { i32, scratch } from "../../fabric/columns.ts"
import { DST, FLAG, SRC, STATE } from "../../fabric/packets.ts"
import type { SwitchContext, SwitchPorts, TransferSite } from "../../fabric/transfer.ts"
import type { ContentionCounting } from "../../model/congestion.ts"
import type { ContentionCounters } from "./contention-counters.ts"
import type { Ports } from "./ports.ts"
import { makeRuns } from "./runs.ts"

const PROBES = 8

export interface DetectionPart {
  readonly columns: Readonly<Record<string, Int32Array>>
  between(stages: DetectionStages): void
  /** Counts the requests of cycle t in routers [first, last). */
  sample(first: number, last: number, t: number): void
  /** Packet p crosses to output `port`: updates its pair and may send throttles. */
  crosses(port: number, p: number, t: number): void
}

export interface DetectionStages {
  front(q: number, o: number, v: number): number
  arrive(iv: number, p: number, t: number): void
}

export function makeDetection(
  site: TransferSite,
  use: SwitchContext,
  ports: Ports,
  s: ContentionCounting,
  sensing: ContentionCounters,
): ((links: SwitchPorts) => DetectionPart) | undefined {
  const d = s.routers
  if (d === undefined) return undefined
  const { pairs: PAIRS, sources: MOST } = d
  const { layout: l } = site
  const runs = makeRuns(l.routers * PAIRS, s, 1)
  const places = l.routers * PAIRS
  const columns = {
    pair: i32(places),
    picks: i32(places),
    live: i32(places),
    lives: i32(l.routers),
    began: i32(places),
    seen: i32(places),
    told: i32(places),
    hold: i32(places),
    listed: i32(places),
    sources: i32(places * MOST),
    tells: i32(l.routers),
    pairRuns: runs.columns.runs,
    pairNewest: runs.columns.newest,
  }
  return ({ make }) => {
    const { PS, LV, radix: R } = l
    const { packets } = site.columns
    const bytes = new Uint8Array(packets.buffer)
    const { router, local, count: PORTS } = ports
    const { pair, picks, live, lives, began, seen, told, hold, listed, sources, tells } = columns
    const { set, above, value, since, clear } = runs
    const EPOCH = d.epoch
    const EPS = d.eps
    const BY_OUTPUT = d.byOutput
    const FORGET = s.samples + s.interval
    const CONTROL = use.plan.classes[use.plan.data + d.rides].first
    const MASK = PAIRS - 1
    let stages: DetectionStages | undefined
    // Slots that were requested in this cycle.
    const now = scratch(PAIRS)

    function between(given: DetectionStages): void {
      stages = given
    }

    /**
     * Returns the slot of a pair, or -1. With `open`, a pair without a slot gets an empty or idle one, if there is one.
     */
    function placeOf(r: number, o: number, to: number, open: boolean, t: number): number {
      const key = BY_OUTPUT ? ((o << 24) ^ to) + 1 : to + 1
      const home = Math.imul(key, 0x9e3779b1) >>> 9
      let free = -1
      for (let i = 0; i < PROBES; i++) {
        const place = r * PAIRS + ((home + i) & MASK)
        if (pair[place] === key) return place
        if (free < 0 && (pair[place] === 0 || idle(place, t))) free = place
      }
      if (!open || free < 0) return -1
      pair[free] = key
      forget(free)
      clear(free)
      return free
    }

    function forget(place: number): void {
      began[place] = 0
      told[place] = 0
      listed[place] = 0
    }

    /**
     * Returns whether a slot can be reused: no requests for as long as the metric looks back, and no throttle in force.
     */
    function idle(place: number, t: number): boolean {
      return (
        picks[place] === 0 &&
        value(place) === 0 &&
        since(place) + FORGET < t &&
        (told[place] === 0 || seen[place] + EPOCH < t)
      )
    }

    function sample(first: number, last: number, t: number): void {
      for (let r = first; r < last; r++) look(r, t)
    }

    /** Samples the requests of router r: each input counts for the pair of the request that it draws in this cycle. */
    function look(r: number, t: number): void {
      let n = 0
      for (let i = 0; i <= R; i++) {
        const q = i < R ? r * PS + i : PORTS + r
        if (q >= ports.inputs || !sensing.asks(q)) continue
        const request = sensing.request(q, t)
        const p = stages!.front(q, request >> 5, request & 31)
        if (p === 0) continue
        const place = placeOf(r, request >> 5, packets[p + DST], true, t)
        if (place < 0) continue
        if (picks[place]++ === 0) now[n++] = place
      }
      // Pairs of the last cycle without requests drop to 0; all other idle pairs are 0 already.
      const base = r * PAIRS
      for (let i = 0; i < lives[r]; i++) if (picks[live[base + i]] === 0) set(live[base + i], 0, t)
      for (let i = 0; i < n; i++) {
        const place = now[i]
        set(place, picks[place], t)
        picks[place] = 0
        live[base + i] = place
      }
      lives[r] = n
    }

    function crosses(port: number, p: number, t: number): void {
      if ((bytes[((p + STATE) << 2) + 2] & FLAG.ack) !== 0) return
      const place = placeOf(router[port], local[port], packets[p + DST], false, t)
      if (place >= 0) judge(place, port, p, t)
    }

    /** Updates the state of a pair, and sends throttles when the contention has lasted for an epoch. */
    function judge(place: number, port: number, p: number, t: number): void {
      const contended = above(place, t)
      // The contention ended in the meantime, so a new one starts.
      if (told[place] === 0 && seen[place] + FORGET < t) forget(place)
      if (contended) seen[place] = t
      else if (told[place] === 0 || seen[place] + EPOCH < t) {
        forget(place)
        return
      }
      if (began[place] === 0) began[place] = t
      list(place, packets[p + SRC])
      const many = listed[place]
      if (many < 2 || many === told[place] || t < hold[place] || began[place] + EPOCH > t) return
      // The hold time grows with the number of sources, as at destinations.
      told[place] = many
      hold[place] = t + Math.ceil(many / EPS)
      for (let i = 0; i < many; i++) tell(router[port], packets[p + DST], sources[place * MOST + i], many, t)
    }

    /** Adds a source to the list of a pair, unless it is there or the list is full. */
    function list(place: number, source: number): void {
      const n = listed[place]
      for (let i = 0; i < n; i++) if (sources[place * MOST + i] === source) return
      if (n === MOST) return
      sources[place * MOST + n] = source
      listed[place] = n + 1
    }

    /** Sends a throttle from router r, in the name of endpoint `from`, on the control VC of its internal input. */
    function tell(r: number, from: number, to: number, degree: number, t: number): void {
      const p = make(r, from, to, d!.kind, degree, 1)
      if (p === 0) return
      tells[r]++
      stages!.arrive(((PORTS + r) << LV) + CONTROL, p, t)
    }

    return { columns, between, sample, crosses }
  }
}
