// One cycle of the clocked engine: credits, arrivals, injection, then the core steps of the switch. It owns the wires between routers
// and the endpoints; what happens inside a router is the switch's (fabric/switch.ts).
//
// This is a closure over constants and columns on purpose: while a function has a single closure V8 folds both into its machine code
// (bench/micro/closure.ts). Every long simulation therefore gets an isolate of its own.

import { BINS, bin } from "../../core/histogram.ts"
import { draw } from "../../core/rng.ts"
import type { CreditRules } from "../../fabric/buffers.ts"
import { scratch } from "../../fabric/columns.ts"
import {
  BIRTH_MASK,
  CONTROL,
  countsFlows,
  endRouters,
  type FlitColumns,
  type FlitConstants,
  type PacketFields,
  recordSize,
  STAT,
} from "../../fabric/flit.ts"
import type { Layout } from "../../fabric/layout.ts"
import type { FlitSwitch, MakeFlitSwitch, SourceModel, Wires } from "../../fabric/switch.ts"
import type { ClockedLoop } from "./clocked.ts"

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
  /** core steps per cycle, crossbar steps after the grant, cycles added to a returning credit */
  readonly speed: number
  readonly traverse: number
  readonly creditDelay: number
  /** departures can queue: the core is faster than the links, or the crossbar has more than one lane for each port */
  readonly queued: boolean
  /** "round-robin" over free VCs, or one "random" VC for each attempt */
  readonly injectRandom: boolean
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
  const { LV, NOV, ends: N, down, up, latency, upLatency, downPart, upPart, entry, entryLatency, outerEnd, parts, vcs: VCS } = layout
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
    sourceNext,
    births,
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
    trail,
    control,
    flows,
    outbox,
    outCount,
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
    packetRoom,
    seriesShift,
    seriesLength,
  } = constants
  const {
    speed,
    traverse: X,
    creditDelay,
    queued: QUEUED,
    injectRandom: RANDOM,
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
  // constants of other modules cost a load each time they are read; these do not
  const STATS = STAT
  const CONTROLS = CONTROL
  const BIRTHS = BIRTH_MASK
  const HISTOGRAM_BINS = BINS
  const VMASK = (1 << LV) - 1
  const SOURCES = STREAMS * N
  const RELEASE = NOV + (N << LV)
  const REPLIES = sources.replies
  const { create, nextBirth, firstBirth, vcFirst, vcCount, priority, replyLength } = sources
  const KEY = SEED ^ 0x5bd1e995
  const TX = SEED ^ 0x3c6ef372
  const nextOut = QUEUED ? columnOf("nextOut") : scratch(1)
  const nextCredit = QUEUED ? columnOf("nextCredit") : scratch(1)
  const creditStep = QUEUED ? columnOf("creditStep") : scratch(1)
  const FLOWS = countsFlows(layout)
  const ROUTERS = layout.graph.routers
  const { entryRouter, exitRouter } = endRouters(layout)
  // bases of the partition that is running
  let me = 0
  let wheel = 0
  let packetBase = 0
  let statBase = 0
  let parity = 0
  let step = 0

  // cycles from the grant to the arrival, and from there to the credit's
  const flight = latency.map((l) => l + 1 + X) as Uint16Array
  const back = upLatency.map((l, port) => l + 1 + (up[port]! < NOV ? creditDelay : 0)) as Uint16Array

  function columnOf(name: "nextOut" | "nextCredit" | "creditStep"): Int32Array {
    return columns[name]
  }

  function enter(part: number): void {
    me = part
    wheel = part * (WM + 1)
    packetBase = part * packetRoom
    statBase = part * STREAMS
  }

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
      leave = cycleOf(step + X)
      if (nextOut[port]! > leave) leave = nextOut[port]!
      nextOut[port] = leave + 1
    }
    const at = QUEUED ? leave + latency[port]! + 1 : t + flight[port]!
    portFlits[port]! += HELD > 0 ? HELD : 1
    if (RETAIN > 0) retain(port, QUEUED ? leave : t)
    const d = down[port]!
    if (d >= 0) {
      if (ONE || downPart[port] === me) {
        const s = (ONE ? 0 : wheel) + (at & WM)
        const n = flitCount[s]!
        flitAt[s * FLITS + n] = d + (ov & VMASK)
        flitPacket[s * FLITS + n] = packet
        flitCount[s] = n + 1
      } else post(downPart[port]!, at, d + (ov & VMASK), packet)
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
    if (ONE || upPart[port] === me) {
      const s = (ONE ? 0 : wheel) + (at & WM)
      const n = creditCount[s]!
      creditAt[s * CREDITS + n] = u + (iv & VMASK)
      creditCount[s] = n + 1
    } else post(upPart[port]!, at, ~(u + (iv & VMASK)), -1)
  }

  function post(to: number, at: number, id: number, packet: number): void {
    const box = (parity * parts + me) * parts + to
    const n = outCount[box]!
    const i = sources.boxFirst[box]! + 3 * n
    outbox[i] = at
    outbox[i + 1] = id
    outbox[i + 2] = packet
    outCount[box] = n + 1
  }

  const wires: Wires = { send, giveBack }
  const sw = spec.makeSwitch(wires)
  const { arrive, credit: credited, release } = sw
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

  function arrivals(t: number): void {
    const s = (ONE ? 0 : wheel) + (t & WM)
    const n = flitCount[s]!
    const base = s * FLITS
    for (let i = 0; i < n; i++) arrive(flitAt[base + i]!, flitPacket[base + i]!, t)
    flitCount[s] = 0
  }

  // ---- endpoints

  function schedule(source: number, t: number): void {
    const s = (ONE ? 0 : me * (BIRTHS + 1)) + (t & BIRTHS)
    sourceNext[source] = births[s]!
    births[s] = source + 1
  }

  function wakeSources(t: number): void {
    const s = (ONE ? 0 : me * (BIRTHS + 1)) + (t & BIRTHS)
    let h = births[s]!
    if (h === 0) return
    births[s] = 0
    while (h !== 0) {
      const source = h - 1
      h = sourceNext[source]!
      if (Math.floor(birth[source]!) === t) {
        const node = source % N
        const b = 1 << (node & 31)
        waiting[node >> 5]! |= b
        ready[node >> 5]! |= b
      } else schedule(source, t)
    }
  }

  function newPacket(): number {
    const part = ONE ? 0 : me
    const top = freeTop[part]!
    if (top > 0) {
      freeTop[part] = top - 1
      return free[(ONE ? 0 : packetBase) + top - 1]!
    }
    const n = fresh[me]!
    if (n === packetRoom) return -1
    fresh[me] = n + 1
    return (packetBase + n) * RECORD
  }

  /** The next packet that endpoint `node` wants to send, made if need be; -1 if there is none. */
  function nextPacket(node: number, t: number): number {
    if (REPLIES) {
      const h = replyHead[node]!
      if (h !== 0 && pBirth[h - 1]! <= t) {
        const rest = pNext[h - 1]!
        replyHead[node] = rest
        if (rest !== 0 && pBirth[rest - 1]! > t) {
          birth[SOURCES + node] = pBirth[rest - 1]!
          schedule(SOURCES + node, pBirth[rest - 1]!)
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
    const st = ((ONE ? 0 : statBase) + best) * STATS.width
    stat[st]!++
    if (pBirth[p]! >= control[CONTROLS.from]! && pBirth[p]! < control[CONTROLS.to]!) stat[st + STATS.measuredOpen]!++
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
          const interval = t >> seriesShift
          const lane = (ONE ? 0 : statBase) + (STREAMS > 1 ? pStream[p]! : 0)
          seriesIn[lane * seriesLength + (interval < seriesLength ? interval : seriesLength - 1)]! += left
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
    const lane = ((ONE ? 0 : statBase) + stream) * seriesLength
    endOut[STREAMS > 1 ? node * STREAMS + stream : node]! += HELD - 1
    for (let f = at; f < at + HELD - 1; ) {
      const interval = f >> seriesShift
      const end = Math.min((interval + 1) << seriesShift, at + HELD - 1)
      seriesFlits[lane + (interval < seriesLength ? interval : seriesLength - 1)]! += end - f
      f = end
    }
    deliver(p, node, at + HELD - 1, true)
  }

  /** A flit of packet `p` reaches its endpoint at cycle `at` (in the future: the wire is already accounted for). */
  function deliver(p: number, node: number, at: number, last: boolean): void {
    const stream = STREAMS > 1 ? pStream[p]! : 0
    const interval = at >> seriesShift
    const si = ((ONE ? 0 : statBase) + stream) * seriesLength + (interval < seriesLength ? interval : seriesLength - 1)
    endOut[STREAMS > 1 ? node * STREAMS + stream : node]!++
    seriesFlits[si]!++
    if (!last) return
    const st = ((ONE ? 0 : statBase) + stream) * STATS.width
    const born = pBirth[p]!
    const took = at - born
    const way = pHops[p]!
    const hops = way & 4095
    stat[st + STATS.delivered]!++
    seriesCount[si]!++
    seriesLatency[si]! += took
    seriesNetwork[si]! += at - pEnter[p]!
    if (born >= control[CONTROLS.from]! && born < control[CONTROLS.to]!) {
      stat[st + STATS.measured]!++
      stat[st + STATS.measuredOpen]!--
      stat[st + STATS.latency]! += took
      stat[st + STATS.latencySquared]! += took * took
      stat[st + STATS.network]! += at - pEnter[p]!
      stat[st + STATS.hops]! += hops
      if (FLOWS) flows[exitRouter[outerEnd[node]!]! * ROUTERS + entryRouter[pSrc[p]!]!]!++
      stat[st + STATS.wires]! += way >>> 12
      stat[st + STATS.credit]! += pWait[p]!
      stat[st + STATS.length]! += LEN > 0 ? LEN : pLen[p]!
      if (took > stat[st + STATS.max]!) stat[st + STATS.max] = took
      if (took < stat[st + STATS.min]!) stat[st + STATS.min] = took
      if (at - pEnter[p]! > stat[st + STATS.networkMax]!) stat[st + STATS.networkMax] = at - pEnter[p]!
      histogram[((ONE ? 0 : statBase) + stream) * HISTOGRAM_BINS + bin(took)]!++
      networkHistogram[((ONE ? 0 : statBase) + stream) * HISTOGRAM_BINS + bin(at - pEnter[p]!)]!++
    }
    const h = draw(pKey[p]!, at, (hops << 20) ^ pSrc[p]!)
    const lane = ONE ? 0 : me * 2
    trail[lane] = (trail[lane]! + h) | 0
    trail[lane + 1] = (trail[lane + 1]! + Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)) | 0
    if (REPLIES && replyLength[stream]! > 0) reply(p, stream, node, at)
    const home = ONE ? 0 : Math.floor(p / (packetRoom * RECORD))
    if (ONE || home === me) free[(ONE ? 0 : packetBase) + freeTop[ONE ? 0 : me]!++] = p
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
    const st = ((ONE ? 0 : statBase) + pStream[p]!) * STATS.width
    stat[st]!++
    if (at >= control[CONTROLS.from]! && at < control[CONTROLS.to]!) stat[st + STATS.measuredOpen]!++
    if (replyHead[node] === 0) {
      replyHead[node] = p + 1
      birth[SOURCES + node] = at
      schedule(SOURCES + node, at)
    } else pNext[replyTail[node]!] = p + 1
    replyTail[node] = p
  }

  // ---- time

  function cycle(t: number): void {
    credits(t)
    arrivals(t)
    wakeSources(t)
    inject(t)
    const last = speed === 1 ? t + 1 : Math.floor((t + 1) * speed + 1e-9)
    for (step = speed === 1 ? t : Math.floor(t * speed + 1e-9); step < last; step++) coreStep(t, step, me)
  }

  function run(part: number, t: number, end: number): void {
    enter(part)
    sw.enter(part, Math.floor(t * speed + 1e-9))
    parity = ONE ? 0 : Math.floor(t / constants.window) & 1
    for (; t < end; t++) cycle(t)
  }

  function collect(part: number, of: number): void {
    enter(part)
    for (let from = 0; from < parts; from++) {
      const box = (of * parts + from) * parts + part
      const n = outCount[box]!
      let i = sources.boxFirst[box]!
      for (let k = 0; k < n; k++, i += 3) {
        const at = outbox[i]!
        const id = outbox[i + 1]!
        const s = (ONE ? 0 : wheel) + (at & WM)
        if (at < 0) free[packetBase + freeTop[part]!++] = outbox[i + 2]!
        else if (id >= 0) {
          const c = flitCount[s]!
          flitAt[s * FLITS + c] = id
          flitPacket[s * FLITS + c] = outbox[i + 2]!
          flitCount[s] = c + 1
        } else {
          const c = creditCount[s]!
          creditAt[s * CREDITS + c] = ~id
          creditCount[s] = c + 1
        }
      }
      outCount[box] = 0
    }
  }

  function start(part: number): void {
    enter(part)
    for (let k = 0; k < STREAMS; k++) {
      for (let node = layout.firstEnd[part]!; node < layout.firstEnd[part + 1]!; node++) {
        if (outerEnd[node]! < 0) continue
        const source = k * N + node
        birth[source] = firstBirth(k, outerEnd[node]!)
        if (birth[source]! < Number.POSITIVE_INFINITY) schedule(source, Math.floor(birth[source]!))
      }
    }
  }

  return { run, collect, start, sw }
}
