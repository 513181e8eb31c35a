// Congestion of endpoints, found by routers on the way: contention is counted for pairs of an output and a destination. Where it lasts for an epoch, and comes
// from two sources at least, the router tells them how many they are, in the name of the destination. Pairs that nobody asks for are forgotten.
// The paper says what is counted and that routers send the throttles; epochs, list and hold time are those of its destinations.
// G. Kim, C. Kim, J. Jeong, M. Parker and J. Kim, "Contention-based Congestion Management in Large-Scale Networks", 2016, section VI-A.
// A pair has one of PROBES places, which follow from its hash. Columns, by place (router * pairs + n):
//   pair     output << 24 ^ destination, + 1; 0 = none (`byOutput` false: destination + 1)
//   picks    inputs that ask for it in this cycle; live [r]: places of router r that were asked for in the last cycle, a list of `lives`
//   began    the cycle since which all that crossed was contended for; 0 = it was not. seen: when it was last
//   told     sources that were told last; hold: none again before this cycle
//   sources  [place * most + n] those on the list; listed: how many
//   told by routers [r]  throttles that router r has sent
import { i32, scratch } from "../../fabric/columns.ts"
import { DST, FLAG, SRC, STATE } from "../../fabric/packets.ts"
import type { TransferSite, TransferUse, TransferWires } from "../../fabric/transfer.ts"
import type { Sensing } from "../../model/congestion.ts"
import type { Ports } from "./ports.ts"
import { makeRuns } from "./runs.ts"
import type { SensingPart } from "./sensing.ts"

const PROBES = 8

export interface DetectionPart {
  readonly columns: Readonly<Record<string, Int32Array>>
  between(stages: DetectionStages): void
  /** the requests of cycle t, of routers [first, last) */
  sample(first: number, last: number, t: number): void
  /** packet p crosses to output `port` */
  crosses(port: number, p: number, t: number): void
}

export interface DetectionStages {
  front(q: number, o: number, v: number): number
  arrive(iv: number, p: number, t: number): void
}

export function makeDetection(
  site: TransferSite,
  use: TransferUse,
  ports: Ports,
  s: Sensing,
  sensing: SensingPart,
): ((wires: TransferWires) => DetectionPart) | undefined {
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
    const CONTROL = use.plan.classes[use.plan.data + d.rides]!.first
    const MASK = PAIRS - 1
    let stages: DetectionStages | undefined
    // places that were asked for in this cycle
    const now = scratch(PAIRS)

    function between(given: DetectionStages): void {
      stages = given
    }

    /** Place of a pair, -1 if it has none; `open`: it gets one if there is one. */
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

    function idle(place: number, t: number): boolean {
      return picks[place] === 0 && value(place) === 0 && since(place) + FORGET < t && (told[place] === 0 || seen[place]! + EPOCH < t)
    }

    function sample(first: number, last: number, t: number): void {
      for (let r = first; r < last; r++) look(r, t)
    }

    function look(r: number, t: number): void {
      let n = 0
      for (let i = 0; i <= R; i++) {
        const q = i < R ? r * PS + i : PORTS + r
        if (q >= ports.inputs || !sensing.asks(q)) continue
        const request = sensing.request(q, t)
        const p = stages!.front(q, request >> 5, request & 31)
        if (p === 0) continue
        const place = placeOf(r, request >> 5, packets[p + DST]!, true, t)
        if (place < 0) continue
        if (picks[place]!++ === 0) now[n++] = place
      }
      const base = r * PAIRS
      for (let i = 0; i < lives[r]!; i++) if (picks[live[base + i]!] === 0) set(live[base + i]!, 0, t)
      for (let i = 0; i < n; i++) {
        const place = now[i]!
        set(place, picks[place]!, t)
        picks[place] = 0
        live[base + i] = place
      }
      lives[r] = n
    }

    function crosses(port: number, p: number, t: number): void {
      if ((bytes[((p + STATE) << 2) + 2]! & FLAG.ack) !== 0) return
      const place = placeOf(router[port]!, local[port]!, packets[p + DST]!, false, t)
      if (place >= 0) judge(place, port, p, t)
    }

    function judge(place: number, port: number, p: number, t: number): void {
      const contended = above(place, t)
      // contention that was over in the meantime begins anew
      if (told[place] === 0 && seen[place]! + FORGET < t) forget(place)
      if (contended) seen[place] = t
      else if (told[place] === 0 || seen[place]! + EPOCH < t) {
        forget(place)
        return
      }
      if (began[place] === 0) began[place] = t
      list(place, packets[p + SRC]!)
      const many = listed[place]!
      if (many < 2 || many === told[place] || t < hold[place]! || began[place]! + EPOCH > t) return
      told[place] = many
      hold[place] = t + Math.ceil(many / EPS)
      for (let i = 0; i < many; i++) tell(router[port]!, packets[p + DST]!, sources[place * MOST + i]!, many, t)
    }

    function list(place: number, source: number): void {
      const n = listed[place]!
      for (let i = 0; i < n; i++) if (sources[place * MOST + i] === source) return
      if (n === MOST) return
      sources[place * MOST + n] = source
      listed[place] = n + 1
    }

    function tell(r: number, from: number, to: number, degree: number, t: number): void {
      const p = make(r, from, to, d!.kind, degree, 1)
      if (p === 0) return
      tells[r]!++
      stages!.arrive(((PORTS + r) << LV) + CONTROL, p, t)
    }

    return { columns, between, sample, crosses }
  }
}
