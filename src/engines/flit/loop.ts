// One cycle of the clocked engine: credits, arrivals, injection, then the core steps of the switch. It owns the wires between routers
// and the endpoints; what happens inside a router is the switch's (fabric/switch.ts).
//
// This is a closure over constants and columns on purpose: while a function has a single closure V8 folds both into its machine code
// (bench/micro/closure.ts). Every long simulation therefore gets an isolate of its own.

import { BINS, bin } from "../../core/histogram.ts"
import { draw } from "../../core/rng.ts"
import type { CreditRules } from "../../fabric/buffers.ts"
import { scratch } from "../../fabric/columns.ts"
import { CONTROL, type FlitColumns, type FlitConstants, type PacketFields, recordSize, STAT } from "../../fabric/flit.ts"
import type { Layout } from "../../fabric/layout.ts"
import type { FlitSwitch, MakeFlitSwitch, SourceModel, Wires } from "../../fabric/switch.ts"
import { makeBirths } from "./births.ts"
import type { ClockedLoop } from "./clocked.ts"
import { makeCounting } from "./counting.ts"
import { makeOutbox } from "./outbox.ts"

export interface Loop extends ClockedLoop {
  readonly sw: FlitSwitch
}

export interface LoopSpec {
  readonly layout: Layout
  readonly constants: FlitConstants
  readonly columns: FlitColumns
  readonly fields: PacketFields
  readonly makeSwitch: MakeFlitSwitch
  readonly sources: SourceModel
  readonly boxFirst: Int32Array
  /** core steps per cycle, crossbar steps after the grant, cycles added to a returning credit */
  readonly speed: number
  readonly traverse: number
  readonly creditDelay: number
  /** cycles within which a switch whose crossbar works in batches says that a flit has crossed; 0 = it does not */
  readonly batch: number
  /** departures can queue: the core is faster than the links, the crossbar has more than one lane for each port, or works in batches */
  readonly queued: boolean
  /** "round-robin" over free VCs, or one "random" VC for each attempt */
  readonly injectRandom: boolean
  /** cycles between a request's arrival and its reply's earliest departure */
  readonly turnaround: number
  readonly cutThrough: boolean
  /** a VC can be taken only when all its credits are back */
  readonly tailWait: boolean
  /** flits of an output buffer, 0 = none: only whether places come back is of interest here */
  readonly retention: number
  readonly capacity: Uint8Array | Uint16Array | Int32Array
  readonly credits: Uint8Array | Uint16Array | Int32Array
  readonly rules: CreditRules
}

export function makeLoop(spec: LoopSpec): Loop {
  const { layout, constants, columns, sources } = spec
  const { LV, NOV, ends: N, down, up, latency, upLatency, downPart, upPart, entry, entryLatency, outerEnd, parts, vcs: VCS, RS } = layout
  const {
    free,
    freeTop,
    fresh,
    flitAt,
    flitPacket,
    flitCount,
    creditAt,
    creditCount,
    waiting,
    ready,
    txLeft,
    txVc,
    txLast,
    txPacket,
    txStream,
    replyHead,
    replyTail,
    birth,
    made,
    messageLeft,
    messageTo,
    portFlits,
    endIn,
    endOut,
    stat,
    histogram,
    networkHistogram,
    seriesCount,
    seriesFlits,
    seriesLatency,
    seriesNetwork,
    seriesIn,
    control,
  } = columns
  const {
    streams: STREAMS,
    fixedLength: LEN,
    held: HELD,
    heldCredit,
    seed: SEED,
    wheelMask: WM,
    flitRoom: FLITS,
    creditRoom: CREDITS,
    workers: WORKERS,
    packetRoom,
    seriesInterval: SERIES,
  } = constants
  const {
    speed,
    traverse: X,
    creditDelay,
    queued: QUEUED,
    batch: BATCH,
    injectRandom: RANDOM,
    turnaround: TURN,
    cutThrough: VCT,
    tailWait: TAILWAIT,
    retention: RETAIN,
    capacity,
    credits: cred,
  } = spec
  const { room, take, give } = spec.rules
  const { pSrc, pDst, pBirth, pEnter, pKey, pNext, pHops, pLen, pStream, pWait } = spec.fields
  const RECORD = recordSize(constants)
  const ONE = parts === 1
  const SOLO = WORKERS === 1
  // constants of other modules cost a load each time they are read; these do not
  const STATS = STAT
  const CONTROLS = CONTROL
  const HISTOGRAM_BINS = BINS
  const VMASK = (1 << LV) - 1
  const SOURCES = STREAMS * N
  const RELEASE = NOV + (N << LV)
  const REPLIES = sources.replies
  const { create, nextBirth, vcFirst, vcCount, priority, replyLength } = sources
  const AHEAD = 16
  const KEY = SEED ^ 0x5bd1e995
  const TX = SEED ^ 0x3c6ef372
  const nextOut = QUEUED ? columnOf("nextOut") : scratch(1)
  const nextCredit = QUEUED ? columnOf("nextCredit") : scratch(1)
  const creditStep = QUEUED ? columnOf("creditStep") : scratch(1)
  // the partition that is running, its worker, their bases
  let me = 0
  let worker = 0
  let wheel = 0
  let packetBase = 0
  let step = 0
  // what `touch` read: only a value that is kept is loaded
  const touched = scratch(1)

  // cycles from the grant to the arrival, and from there to the credit's
  const flight = latency.map((l) => l + 1 + X) as Uint16Array
  const back = upLatency.map((l, port) => l + 1 + (up[port]! < NOV ? creditDelay : 0)) as Uint16Array

  function columnOf(name: "nextOut" | "nextCredit" | "creditStep"): Int32Array {
    return columns[name]
  }

  function enter(part: number): void {
    me = part
    worker = part % WORKERS
    wheel = part * (WM + 1)
    packetBase = worker * packetRoom
    births.enter(part)
    counting.enter(part)
  }

  const counting = makeCounting(spec)
  const { lane, seriesAt, created, went, trace } = counting
  const outbox = makeOutbox(spec, WORKERS, receive)
  const { post } = outbox
  const births = makeBirths(spec, wants)
  const { schedule } = births

  // ---- wires

  /** cycle in which absolute core step s runs */
  function cycleOf(s: number): number {
    return Math.ceil((s + 1) / speed) - 1
  }

  /** A flit won its way to output VC `ov` at cycle t: put it on the wire, or hand it to its endpoint. `packet` >= 0 only for a head. */
  function send(ov: number, packet: number, carrier: number, last: boolean, t: number): void {
    const port = ov >> LV
    let leave = t + X
    if (QUEUED) {
      leave = cycleOf(BATCH > 0 ? crossed!(port, step) : step + X)
      if (nextOut[port]! > leave) leave = nextOut[port]!
      nextOut[port] = leave + 1
    }
    const at = QUEUED ? leave + latency[port]! + 1 : t + flight[port]!
    portFlits[port]! += HELD > 0 ? HELD : 1
    if (RETAIN > 0) retain(port, QUEUED ? leave : t)
    const d = down[port]!
    if (d >= 0) {
      const far = ONE ? 0 : downPart[port]!
      if (SOLO || far % WORKERS === worker) {
        const s = far * (WM + 1) + (at & WM)
        const n = flitCount[s]!
        flitAt[s * FLITS + n] = d + (ov & VMASK)
        flitPacket[s * FLITS + n] = packet
        flitCount[s] = n + 1
      } else post(far % WORKERS, at, d + (ov & VMASK), packet)
      return
    }
    const s = (ONE ? 0 : wheel) + ((at + latency[port]! + 1 + creditDelay + heldCredit) & WM)
    const n = creditCount[s]!
    creditAt[s * CREDITS + n] = ov
    creditCount[s] = n + 1
    if (HELD > 0) deliverHeld(carrier, -1 - d, at)
    else deliver(carrier, -1 - d, at, last)
  }

  /** The flit stays in the output buffer until the far end has confirmed it: a round trip, twice the latency of the link. */
  function retain(port: number, t: number): void {
    const s = (ONE ? 0 : wheel) + ((t + Math.max(1, 2 * latency[port]!)) & WM)
    const n = creditCount[s]!
    creditAt[s * CREDITS + n] = RELEASE + port
    creditCount[s] = n + 1
  }

  /** A flit left input VC `iv`: one more free place for whoever feeds it. */
  function giveBack(iv: number, t: number): void {
    const port = iv >> LV
    let leave = t
    if (QUEUED) {
      if (creditStep[port] === step + 1) leave = nextCredit[port]! - 1
      else {
        if (nextCredit[port]! > leave) leave = nextCredit[port]!
        nextCredit[port] = leave + 1
        creditStep[port] = step + 1
      }
    }
    const u = up[port]!
    const at = leave + back[port]! + heldCredit
    const far = ONE ? 0 : upPart[port]!
    if (SOLO || far % WORKERS === worker) {
      const s = far * (WM + 1) + (at & WM)
      const n = creditCount[s]!
      creditAt[s * CREDITS + n] = u + (iv & VMASK)
      creditCount[s] = n + 1
    } else post(far % WORKERS, at, ~(u + (iv & VMASK)), -1)
  }

  const wires: Wires = { send, giveBack }
  const sw = spec.makeSwitch(wires)
  const { arrive, credit: credited, release, crossed } = sw
  const coreStep = sw.step

  // ---- the two wheels

  function credits(t: number): void {
    const s = (ONE ? 0 : wheel) + (t & WM)
    const n = creditCount[s]!
    const base = s * CREDITS
    for (let i = 0; i < n; i++) {
      const ov = creditAt[base + i]!
      if (ov < NOV) credited(ov, t)
      else if (RETAIN > 0 && ov >= RELEASE) release!(ov - RELEASE, t)
      else {
        give(ov)
        const node = (ov - NOV) >> LV
        ready[node >> 5]! |= waiting[node >> 5]! & (1 << (node & 31))
      }
    }
    creditCount[s] = 0
  }

  /** Reads where the packets of the next arrivals go. In a large network each of these loads misses the caches; side by side they miss together. */
  function touch(from: number, to: number): void {
    let all = 0
    for (let i = from; i < to; i++) {
      const p = flitPacket[i]!
      all |= pDst[p < 0 ? 0 : p]!
    }
    touched[0] = all
  }

  function arrivals(t: number): void {
    const s = (ONE ? 0 : wheel) + (t & WM)
    const n = flitCount[s]!
    const base = s * FLITS
    if (ONE) for (let i = 0; i < n; i++) arrive(flitAt[base + i]!, flitPacket[base + i]!, t)
    else {
      for (let i = 0; i < n; ) {
        const end = i + AHEAD < n ? i + AHEAD : n
        touch(base + i, base + end)
        for (; i < end; i++) arrive(flitAt[base + i]!, flitPacket[base + i]!, t)
      }
    }
    flitCount[s] = 0
  }

  // ---- endpoints

  /** A source of this endpoint has something to send. */
  function wants(node: number): void {
    const b = 1 << (node & 31)
    waiting[node >> 5]! |= b
    ready[node >> 5]! |= b
  }

  function newPacket(): number {
    const own = SOLO ? 0 : worker
    const top = freeTop[own]!
    if (top > 0) {
      freeTop[own] = top - 1
      return free[(SOLO ? 0 : packetBase) + top - 1]!
    }
    const n = fresh[own]!
    if (n === packetRoom) return -1
    fresh[own] = n + 1
    return (packetBase + n) * RECORD
  }

  /** The next packet that endpoint `node` wants to send, made if need be; -1 if there is none. */
  function nextPacket(node: number, t: number): number {
    if (REPLIES) {
      const h = replyHead[node]!
      if (h !== 0 && pBirth[h - 1]! + TURN <= t) {
        const rest = pNext[h - 1]!
        replyHead[node] = rest
        if (rest !== 0 && pBirth[rest - 1]! + TURN > t) {
          birth[SOURCES + node] = pBirth[rest - 1]! + TURN
          schedule(SOURCES + node, pBirth[rest - 1]! + TURN)
        }
        return h - 1
      }
    }
    let best = 0
    if (STREAMS > 1) {
      best = -1
      for (let k = 0; k < STREAMS; k++) {
        if (birth[k * N + node]! >= t + 1) continue
        if (
          best < 0 ||
          priority[k]! > priority[best]! ||
          (priority[k]! === priority[best]! && birth[k * N + node]! < birth[best * N + node]!)
        )
          best = k
      }
      if (best < 0) return -1
    }
    const source = best * N + node
    const born = birth[source]!
    if (born >= t + 1 || born >= control[CONTROLS.quiet]!) return -1
    const p = newPacket()
    if (p < 0) return -1
    const from = outerEnd[node]!
    const count = made[source]!
    made[source] = count + 1
    pSrc[p] = from
    pBirth[p] = Math.floor(born)
    pKey[p] = draw(KEY, best * 0x9e3779b1 + from, count)
    pHops[p] = entryLatency[node]! << 12
    pWait[p] = 0
    if (STREAMS > 1) pStream[p] = best
    if (messageLeft[source] === 0) pDst[p] = create(best, from, count, source)
    else {
      pDst[p] = messageTo[source]!
      messageLeft[source]!--
    }
    if (messageLeft[source] === 0) {
      const next = nextBirth(best, from, born, count, source)
      birth[source] = next
      if (next >= t + 1) schedule(source, Math.floor(next))
    }
    if (LEN === 0) pLen[p] = sources.length(best, from, count)
    created(best, pBirth[p]!, 1)
    return p
  }

  /** First VC at or after the last one used, with room; -1 if none. */
  function injectionVc(node: number, packet: number, t: number): number {
    const stream = STREAMS > 1 ? pStream[packet]! : 0
    const count = vcCount[stream]!
    const first = vcFirst[stream]!
    const base = NOV + (node << LV)
    const need = VCT && HELD === 0 ? (LEN > 0 ? LEN : pLen[packet]!) : 1
    if (RANDOM) {
      const v = first + Math.floor((draw(TX, outerEnd[node]!, t) >>> 0) * 2.3283064365386963e-10 * count)
      return room(base + v) >= need && (!TAILWAIT || cred[base + v] === capacity[base + v]) ? v : -1
    }
    let v = txLast[node]!
    for (let j = 0; j < VCS; j++) {
      v = v + 1 >= VCS ? 0 : v + 1
      if (v >= first && v < first + count && room(base + v) >= need && (!TAILWAIT || cred[base + v] === capacity[base + v])) {
        txLast[node] = v
        return v
      }
    }
    return -1
  }

  function inject(t: number): void {
    const last = (layout.firstEnd[me + 1]! + 31) >> 5
    for (let w = layout.firstEnd[me]! >> 5; w < last; w++) {
      let m = ready[w]!
      while (m !== 0) {
        const b = m & -m
        m ^= b
        const node = (w << 5) + 31 - Math.clz32(b)
        let left = txLeft[node]!
        let ov = 0
        let head = -1
        if (left === 0) {
          let p = txPacket[node]!
          if (p < 0) {
            p = nextPacket(node, t)
            if (p < 0) {
              waiting[w]! &= ~b
              ready[w]! &= ~b
              continue
            }
            txPacket[node] = p
          }
          const v = injectionVc(node, p, t)
          if (v < 0) {
            if (!RANDOM) ready[w]! &= ~b
            continue
          }
          ov = NOV + (node << LV) + v
          txVc[node] = ov
          pEnter[p] = t
          head = p
          left = LEN > 0 ? LEN : pLen[p]!
          if (STREAMS > 1) txStream[node] = pStream[p]!
          seriesIn[seriesAt(STREAMS > 1 ? pStream[p]! : 0, t)]! += left
        } else if (HELD > 0) {
          // the packet is on its way as a whole; its flits still take their time to leave
          txLeft[node] = --left
          if (left === 0) sent(node, w, b, t)
          continue
        } else {
          ov = txVc[node]!
          if (room(ov) === 0) {
            ready[w]! &= ~b
            continue
          }
        }
        take(ov)
        const s = (ONE ? 0 : wheel) + ((t + entryLatency[node]! + 1) & WM)
        const n = flitCount[s]!
        flitAt[s * FLITS + n] = entry[node]! + (ov & VMASK)
        flitPacket[s * FLITS + n] = head
        flitCount[s] = n + 1
        endIn[STREAMS > 1 ? node * STREAMS + txStream[node]! : node]! += HELD > 0 ? HELD : 1
        txLeft[node] = --left
        if (left === 0) sent(node, w, b, t)
      }
    }
  }

  /** The last flit of its packet has left the endpoint. */
  function sent(node: number, w: number, b: number, t: number): void {
    txPacket[node] = -1
    if (STREAMS === 1 && !REPLIES && birth[node]! >= t + 1) {
      waiting[w]! &= ~b
      ready[w]! &= ~b
    }
  }

  /** A packet in one piece: its head reaches the endpoint at cycle `at`, a flit in each of the following cycles. */
  function deliverHeld(p: number, node: number, at: number): void {
    const stream = STREAMS > 1 ? pStream[p]! : 0
    endOut[STREAMS > 1 ? node * STREAMS + stream : node]! += HELD - 1
    for (let f = at; f < at + HELD - 1; ) {
      const end = Math.min(f - (f % SERIES) + SERIES, at + HELD - 1)
      seriesFlits[seriesAt(stream, f)]! += end - f
      f = end
    }
    deliver(p, node, at + HELD - 1, true)
  }

  /** A flit of packet `p` reaches its endpoint at cycle `at` (in the future: the wire is already accounted for). */
  function deliver(p: number, node: number, at: number, last: boolean): void {
    const stream = STREAMS > 1 ? pStream[p]! : 0
    endOut[STREAMS > 1 ? node * STREAMS + stream : node]!++
    const si = seriesAt(stream, at)
    seriesFlits[si]!++
    if (!last) return
    const born = pBirth[p]!
    const took = at - born
    const network = at - pEnter[p]!
    const way = pHops[p]!
    const hops = way & 4095
    const l = lane(stream)
    const row = l * STATS.width
    stat[row + STATS.delivered]!++
    seriesCount[si]!++
    seriesLatency[si]! += took
    seriesNetwork[si]! += network
    if (born >= control[CONTROLS.from]! && born < control[CONTROLS.to]!) {
      stat[row + STATS.measured]!++
      stat[row + STATS.measuredOpen]!--
      stat[row + STATS.latency]! += took
      stat[row + STATS.latencySquared]! += took * took
      stat[row + STATS.network]! += network
      if (took > stat[row + STATS.max]!) stat[row + STATS.max] = took
      if (took < stat[row + STATS.min]!) stat[row + STATS.min] = took
      if (network > stat[row + STATS.networkMax]!) stat[row + STATS.networkMax] = network
      histogram[l * HISTOGRAM_BINS + bin(took)]!++
      networkHistogram[l * HISTOGRAM_BINS + bin(network)]!++
      went(l, pSrc[p]!, outerEnd[node]!, hops, way >>> 12, pWait[p]!, LEN > 0 ? LEN : pLen[p]!)
    }
    trace(pKey[p]!, at, hops, pSrc[p]!)
    if (REPLIES && replyLength[stream]! > 0) reply(p, stream, node, at)
    const home = SOLO ? 0 : Math.floor(p / (packetRoom * RECORD))
    if (SOLO || home === worker) free[(SOLO ? 0 : packetBase) + freeTop[SOLO ? 0 : worker]!++] = p
    else post(home, -1, 0, p)
  }

  function reply(request: number, stream: number, node: number, at: number): void {
    const p = newPacket()
    if (p < 0) {
      control[CONTROLS.full] = 1
      return
    }
    pSrc[p] = pDst[request]!
    pDst[p] = pSrc[request]!
    pBirth[p] = at
    pKey[p] = draw(pKey[request]!, 1, 1)
    pHops[p] = entryLatency[node]! << 12
    pWait[p] = 0
    pStream[p] = sources.replyStream[stream]!
    if (LEN === 0) pLen[p] = replyLength[stream]!
    pNext[p] = 0
    created(pStream[p]!, at, 1)
    if (replyHead[node] === 0) {
      replyHead[node] = p + 1
      birth[SOURCES + node] = at + TURN
      schedule(SOURCES + node, at + TURN)
    } else pNext[replyTail[node]!] = p + 1
    replyTail[node] = p
  }

  // ---- time

  function cycle(t: number): void {
    credits(t)
    arrivals(t)
    births.wake(t)
    inject(t)
    const last = speed === 1 ? t + 1 : Math.floor((t + 1) * speed + 1e-9)
    for (step = speed === 1 ? t : Math.floor(t * speed + 1e-9); step < last; step++) coreStep(t, step, me)
  }

  function run(part: number, t: number, end: number): void {
    enter(part)
    sw.enter(part, Math.floor(t * speed + 1e-9))
    outbox.enter(worker, t)
    for (; t < end; t++) cycle(t)
  }

  /** What another worker sent: a flit, a credit, or the record of a packet that has arrived. */
  function receive(at: number, id: number, packet: number): void {
    if (at < 0) {
      free[packetBase + freeTop[worker]!++] = packet
      return
    }
    const s = layout.part[Math.floor((id < 0 ? ~id : id) / RS)]! * (WM + 1) + (at & WM)
    if (id >= 0) {
      const n = flitCount[s]!
      flitAt[s * FLITS + n] = id
      flitPacket[s * FLITS + n] = packet
      flitCount[s] = n + 1
    } else {
      const n = creditCount[s]!
      creditAt[s * CREDITS + n] = ~id
      creditCount[s] = n + 1
    }
  }

  function collect(part: number, parity: number): void {
    if (part >= WORKERS) return
    enter(part)
    outbox.collect(worker, parity)
  }

  return { run, collect, start: births.start, sw }
}
