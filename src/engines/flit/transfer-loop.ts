// The clocked engine for switches that move whole packets: wires, credits, endpoints, time. What happens inside a router is the switch's
// (fabric/transfer.ts). Due events are bits of ports and endpoints in a wheel, visited in rising order, and what belongs to them waits in order
// (flights, credits): nothing depends on the order in which events were made, so any partition gives the same bits.
//
// A closure over constants and columns on purpose, as loop.ts.
import { BINS, bin } from "../../core/histogram.ts"
import { draw } from "../../core/rng.ts"
import { BIRTH_MASK, CONTROL, countsFlows, endRouters, STAT } from "../../fabric/flit.ts"
import type { Layout } from "../../fabric/layout.ts"
import {
  BIRTH,
  COPY,
  CREDIT_SHIFT,
  DIRECT,
  DST,
  END,
  ENTER,
  FLAG,
  FLITS,
  HOP_MASK,
  HOPS,
  KEY,
  LATE_SHIFT,
  lateIn,
  MESSAGE,
  NEXT,
  PLACE,
  SEQUENCE,
  SRC,
  STATE,
  type TransferColumns,
  type TransferConstants,
  WIRE_MASK,
} from "../../fabric/packets.ts"
import type { RoomRules } from "../../fabric/rooms.ts"
import type { SourceModel } from "../../fabric/switch.ts"
import type { MakeTransferSwitch, TransferSwitch, TransferWires } from "../../fabric/transfer.ts"
import type { InjectionControl } from "../../model/congestion.ts"
import type { ClockedLoop } from "./clocked.ts"

/** What a destination thinks of a packet. */
const NEW = 0
const SEEN = 1
const REFUSED = 2

export interface TransferLoop extends ClockedLoop {
  readonly sw: TransferSwitch
}

export interface TransferLoopSpec {
  readonly layout: Layout
  readonly constants: TransferConstants
  readonly columns: TransferColumns
  readonly makeSwitch: MakeTransferSwitch
  readonly sources: SourceModel
  readonly rules: RoomRules
  readonly boxFirst: Int32Array
  readonly clock: { readonly link: number; readonly core: number }
  readonly hold: Uint16Array
  readonly pass: Uint16Array
  /** flits of an acknowledgement (0 = none are sent) and the VC it is injected on */
  readonly ack: number
  readonly ackVc: number
  readonly control: InjectionControl | undefined
}

export function makeTransferLoop(spec: TransferLoopSpec): TransferLoop {
  const { layout, constants, columns, sources, control: windows, ack: ACK, ackVc: ACKVC } = spec
  const {
    LV,
    NOV,
    PS,
    ends: N,
    down,
    up,
    latency,
    upLatency,
    downPart,
    upPart,
    entry,
    entryLatency,
    outerEnd,
    parts,
    firstRouter,
    firstEnd,
  } = layout
  const {
    packets,
    freeHead,
    fresh,
    homeHead,
    homeTail,
    arriveDue,
    creditDue,
    endArriveDue,
    endCreditDue,
    endWakeDue,
    flyHead,
    flyTail,
    endFlyHead,
    endFlyTail,
    credits,
    creditFirst,
    creditHead,
    creditTail,
    creditLast,
    endReady,
    ends,
    messages,
    queueTail,
    birth,
    made,
    messageLeft,
    sourceNext,
    births,
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
    outbox,
    outCount,
    flowNext,
    flowBase,
    flowHas,
    refused,
    duplicates,
    flows,
    stashed,
  } = columns
  const {
    streams: STREAMS,
    seed: SEED,
    stride: STRIDE,
    packetRoom: ROOM,
    wheelMask: WM,
    portWords: PW,
    endWords: EW,
    backlog: BACKLOG,
    active: ACTIVE,
    queues: QUEUES,
    seriesShift,
    seriesLength,
    sequence: SEQUENCED,
    reorder: REORDER,
  } = constants
  const bytes = new Uint8Array(packets.buffer)
  const { fits, take, give } = spec.rules
  const { link: LINK, core: CORE } = spec.clock
  const { hold, boxFirst } = spec
  // the quickest phase of the two clocks, and what others add to it
  const PASS = Math.min(...spec.pass)
  const late = lateIn(spec.pass)
  const { create, nextBirth, firstBirth, length } = sources
  const ONE = parts === 1
  const KEYS = SEED ^ 0x5bd1e995
  const VMASK = (1 << LV) - 1
  const FLOWS = countsFlows(layout)
  const ROUTERS = layout.graph.routers
  const { entryRouter, exitRouter } = endRouters(layout)
  const FIRST = NOV >> LV
  // bases of the partition that is running
  let me = 0
  let wheel = 0
  let portBase = 0
  let endBase = 0
  let statBase = 0
  let parity = 0
  let held = false

  function enter(part: number): void {
    me = part
    wheel = part * (WM + 1)
    portBase = firstRouter[part]! * PS
    endBase = firstEnd[part]!
    statBase = part * STREAMS
  }

  // ---- records

  function record(): number {
    const head = freeHead[me]!
    if (head !== 0) {
      freeHead[me] = packets[head + NEXT]!
      return head
    }
    const n = fresh[me]! + 1
    if (n >= ROOM) return 0
    fresh[me] = n
    return (me * ROOM + n) * STRIDE
  }

  function discard(p: number): void {
    const home = ONE ? 0 : (p / (STRIDE * ROOM)) | 0
    if (ONE || home === me) {
      packets[p + NEXT] = freeHead[me]!
      freeHead[me] = p
      return
    }
    const box = (parity * parts + me) * parts + home
    packets[p + NEXT] = homeHead[box]!
    if (homeHead[box] === 0) homeTail[box] = p
    homeHead[box] = p
  }

  // ---- wires

  function post(to: number, at: number, id: number, value: number): void {
    const box = (parity * parts + me) * parts + to
    const n = outCount[box]!
    const i = boxFirst[box]! + 3 * n
    outbox[i] = at
    outbox[i + 1] = id
    outbox[i + 2] = value
    outCount[box] = n + 1
  }

  function fly(port: number, p: number, at: number): void {
    packets[p + NEXT] = 0
    if (flyHead[port] === 0) flyHead[port] = p
    else packets[flyTail[port]! + NEXT] = p
    flyTail[port] = p
    const rel = port - portBase
    arriveDue[(wheel + (at & WM)) * PW + (rel >> 5)]! |= 1 << (rel & 31)
  }

  function launch(ov: number, p: number, at: number): void {
    const port = ov >> LV
    packets[p + PLACE]! += latency[port]!
    const d = down[port]!
    if (d >= 0) {
      if (ONE || downPart[port] === me) fly(d >> LV, p, at)
      else post(downPart[port]!, at, d >> LV, p)
      return
    }
    const e = -1 - d
    packets[p + NEXT] = 0
    if (endFlyHead[e] === 0) endFlyHead[e] = p
    else packets[endFlyTail[e]! + NEXT] = p
    endFlyTail[e] = p
    const rel = e - endBase
    endArriveDue[(wheel + (at & WM)) * EW + (rel >> 5)]! |= 1 << (rel & 31)
  }

  /** A credit message leaves; one in each cycle and channel. */
  function giveBack(iv: number, flits: number, t: number): void {
    const port = iv >> LV
    let leave = creditLast[port]! + 1
    if (leave < t) leave = t
    creditLast[port] = leave
    const channel = up[port]! >> LV
    const at = leave + upLatency[port]!
    const word = ((iv & VMASK) << 11) | flits
    if (ONE || upPart[port] === me) creditOn(channel, word, at)
    else post(upPart[port]!, at, ~channel, word)
  }

  function creditOn(channel: number, word: number, at: number): void {
    const first = creditFirst[channel]!
    const tail = creditTail[channel]!
    credits[first + (tail & (creditFirst[channel + 1]! - first - 1))] = word
    creditTail[channel] = tail + 1
    if (channel < FIRST) {
      const rel = channel - portBase
      creditDue[(wheel + (at & WM)) * PW + (rel >> 5)]! |= 1 << (rel & 31)
    } else {
      const rel = channel - FIRST - endBase
      endCreditDue[(wheel + (at & WM)) * EW + (rel >> 5)]! |= 1 << (rel & 31)
    }
  }

  function nextCredit(channel: number): number {
    const first = creditFirst[channel]!
    const head = creditHead[channel]!
    creditHead[channel] = head + 1
    return credits[first + (head & (creditFirst[channel + 1]! - first - 1))]!
  }

  const wires: TransferWires = { launch, giveBack, record, discard }
  const sw = spec.makeSwitch(wires)
  const { arrive, credit, link, core } = sw

  // ---- what is due

  function dueCredits(t: number): void {
    const at = (wheel + (t & WM)) * PW
    for (let w = 0; w < PW; w++) {
      let m = creditDue[at + w]!
      if (m === 0) continue
      creditDue[at + w] = 0
      while (m !== 0) {
        const b = 31 - Math.clz32(m & -m)
        m &= m - 1
        const port = portBase + (w << 5) + b
        const word = nextCredit(port)
        credit((port << LV) + (word >> 11), word & 2047, t)
      }
    }
  }

  function dueArrivals(t: number): void {
    const lateness = late[t % CORE]!
    const at = (wheel + (t & WM)) * PW
    for (let w = 0; w < PW; w++) {
      let m = arriveDue[at + w]!
      if (m === 0) continue
      arriveDue[at + w] = 0
      while (m !== 0) {
        const b = 31 - Math.clz32(m & -m)
        m &= m - 1
        const port = portBase + (w << 5) + b
        const p = flyHead[port]!
        flyHead[port] = packets[p + NEXT]!
        packets[p + PLACE]! += lateness
        arrive((port << LV) + bytes[((p + STATE) << 2) + 1]!, p, t)
      }
    }
  }

  function dueAtEnds(t: number): void {
    const at = (wheel + (t & WM)) * EW
    const ready = me * EW
    for (let w = 0; w < EW; w++) {
      let m = endCreditDue[at + w]!
      endCreditDue[at + w] = 0
      endReady[ready + w]! |= m | endWakeDue[at + w]!
      endWakeDue[at + w] = 0
      while (m !== 0) {
        const e = endBase + (w << 5) + 31 - Math.clz32(m & -m)
        m &= m - 1
        const word = nextCredit(FIRST + e)
        give(NOV + (e << LV) + (word >> 11), word & 2047)
      }
      m = endArriveDue[at + w]!
      endArriveDue[at + w] = 0
      while (m !== 0) {
        const e = endBase + (w << 5) + 31 - Math.clz32(m & -m)
        m &= m - 1
        const p = endFlyHead[e]!
        endFlyHead[e] = packets[p + NEXT]!
        deliver(e, p, t)
      }
    }
  }

  // ---- sources

  function schedule(source: number, t: number): void {
    const s = me * (BIRTH_MASK + 1) + (t & BIRTH_MASK)
    sourceNext[source] = births[s]!
    births[s] = source + 1
  }

  function wakeSources(t: number): void {
    const s = me * (BIRTH_MASK + 1) + (t & BIRTH_MASK)
    let h = births[s]!
    if (h === 0) return
    births[s] = 0
    while (h !== 0) {
      const source = h - 1
      h = sourceNext[source]!
      if (Math.floor(birth[source]!) === t) {
        ends[(source % N) * END.size + END.behind] = 1
        wake(source % N)
      } else schedule(source, t)
    }
  }

  function wake(e: number): void {
    const rel = e - endBase
    endReady[me * EW + (rel >> 5)]! |= 1 << (rel & 31)
  }

  /** Messages whose time has come go into the endpoint's queues, the oldest first, until these hold `most`. */
  function fill(e: number, t: number, most: number): void {
    const at = e * END.size
    for (;;) {
      const source = oldest(e, t)
      ends[at + END.behind] = source < 0 ? 0 : 1
      if (source < 0 || ends[at + END.stored]! >= most) return
      newMessage(e, (source / N) | 0, source)
      if (birth[source]! >= t + 1 && birth[source]! < Number.POSITIVE_INFINITY) schedule(source, Math.floor(birth[source]!))
    }
  }

  /** The source at an endpoint whose next message has waited longest; negative if none is due. */
  function oldest(e: number, t: number): number {
    let found = -1
    let least = t + 1 < control[CONTROL.quiet]! ? t + 1 : control[CONTROL.quiet]!
    for (let source = e; source < STREAMS * N; source += N) {
      if (birth[source]! >= least) continue
      least = birth[source]!
      found = source
    }
    return found
  }

  function newMessage(e: number, stream: number, source: number): void {
    const from = outerEnd[e]!
    const count = made[source]!
    const born = birth[source]!
    const to = create(stream, from, count, source)
    birth[source] = nextBirth(stream, from, born, count, source)
    if (to < 0) {
      birth[source] = Number.POSITIVE_INFINITY
      return
    }
    const size = messageLeft[source]! + 1
    messageLeft[source] = 0
    made[source] = count + size
    const at = e * END.size
    let i = ends[at + END.free]!
    if (i !== 0) ends[at + END.free] = messages[i + MESSAGE.next]!
    else i = (e * (BACKLOG + 1) + ++ends[at + END.fresh]!) * MESSAGE.size
    ends[at + END.stored]!++
    messages[i + MESSAGE.next] = 0
    messages[i + MESSAGE.left] = size
    messages[i + MESSAGE.stream] = stream
    messages[i + MESSAGE.to] = to
    messages[i + MESSAGE.birth] = Math.floor(born)
    messages[i + MESSAGE.count] = count
    const q = QUEUES === 1 ? e : e * QUEUES + to
    const first = e * (BACKLOG + 1) * MESSAGE.size
    const last = queueTail[q]!
    queueTail[q] = (i - first) / MESSAGE.size
    if (last !== 0) messages[first + last * MESSAGE.size + MESSAGE.next] = i
    else toRing(e, i)
    const st = (statBase + stream) * STAT.width
    stat[st]! += size
    if (born >= control[CONTROL.from]! && Math.floor(born) < control[CONTROL.to]!) stat[st + STAT.measuredOpen]! += size
  }

  function toRing(e: number, i: number): void {
    const at = e * END.size
    messages[i + MESSAGE.ring] = 0
    if (ends[at + END.ringCount] === 0) ends[at + END.ringHead] = i
    else messages[ends[at + END.ringTail]! + MESSAGE.ring] = i
    ends[at + END.ringTail] = i
    ends[at + END.ringCount]!++
  }

  // ---- injection

  function inject(t: number): void {
    const ready = me * EW
    for (let w = 0; w < EW; w++) {
      let m = endReady[ready + w]!
      if (m === 0) continue
      endReady[ready + w] = 0
      while (m !== 0) {
        const e = endBase + (w << 5) + 31 - Math.clz32(m & -m)
        m &= m - 1
        if (ends[e * END.size + END.behind] !== 0) fill(e, t, ACTIVE)
        if (ends[e * END.size + END.until]! <= t) sendOne(e, t)
      }
    }
  }

  /** Acknowledgements first, then the queues in turn; asked again when a credit, a message, a window or the channel calls. */
  function sendOne(e: number, t: number): void {
    let p = ends[e * END.size + END.ackHead]!
    let v = ACKVC
    if (p !== 0) {
      if (!fits(NOV + (e << LV) + v, ACK)) return
      ends[e * END.size + END.ackHead] = packets[p + NEXT]!
    } else {
      v = 0
      p = nextData(e, t)
      while (p === 0 && held && another(e, t)) p = nextData(e, t)
      if (p === 0) return
    }
    const f = packets[p + FLITS]!
    take(NOV + (e << LV) + v, f)
    bytes[((p + STATE) << 2) + 1] = v
    fly(entry[e]! >> LV, p, t + entryLatency[e]! + hold[f]!)
    ends[e * END.size + END.until] = t + f
    wakeAt(e, t + f)
  }

  function wakeAt(e: number, t: number): void {
    const rel = e - endBase
    endWakeDue[(wheel + (t & WM)) * EW + (rel >> 5)]! |= 1 << (rel & 31)
  }

  /** One more message, beside those whose windows are closed. */
  function another(e: number, t: number): boolean {
    const stored = ends[e * END.size + END.stored]!
    if (ends[e * END.size + END.behind] === 0 || stored === BACKLOG) return false
    fill(e, t, stored + 1)
    return ends[e * END.size + END.stored]! > stored
  }

  /** The next packet of the first queue in the ring that may send; 0 if none may, `held` if windows are all that keeps them. */
  function nextData(e: number, t: number): number {
    const at = e * END.size
    let ask = 0
    held = false
    for (let n = ends[at + END.ringCount]!; n > 0; n--) {
      const i = ends[at + END.ringHead]!
      const stream = messages[i + MESSAGE.stream]!
      const to = messages[i + MESSAGE.to]!
      const from = outerEnd[e]!
      const number = messages[i + MESSAGE.count]!
      const f = length(stream, from, number)
      if (!fits(NOV + (e << LV), f)) return 0
      const again = windows === undefined ? 0 : windows.mayInject(e, to, f, t)
      if (again === 0) {
        const p = record()
        if (p === 0) {
          wakeAt(e, t + 1)
          return 0
        }
        windows?.injected(e, to, f, t)
        packets[p + SRC] = from
        packets[p + DST] = to
        packets[p + BIRTH] = messages[i + MESSAGE.birth]!
        packets[p + ENTER] = t
        packets[p + KEY] = draw(KEYS, stream * 0x9e3779b1 + from, number)
        packets[p + FLITS] = f
        packets[p + HOPS] = 0
        packets[p + STATE] = stream << 24
        packets[p + COPY] = 0
        packets[p + PLACE] = entryLatency[e]!
        packets[p + SEQUENCE] = SEQUENCED ? flowNext[e * layout.graph.ends + to]!++ : 0
        messages[i + MESSAGE.count] = number + 1
        endIn[e * STREAMS + stream]! += f
        seriesIn[seriesAt(stream, t)]! += f
        leaveRing(at, i)
        advanceQueue(e, i)
        return p
      }
      if (ask === 0 || again < ask) ask = again
      leaveRing(at, i)
      toRing(e, i)
    }
    if (ask > 0) {
      held = true
      wakeAt(e, ask - t > WM ? t + WM : ask)
    }
    return 0
  }

  function leaveRing(at: number, i: number): void {
    ends[at + END.ringHead] = messages[i + MESSAGE.ring]!
    ends[at + END.ringCount]!--
  }

  /** One packet of message i is on its way: the queue goes to the end of the ring, or out of it. */
  function advanceQueue(e: number, i: number): void {
    const left = messages[i + MESSAGE.left]! - 1
    messages[i + MESSAGE.left] = left
    if (left > 0) {
      toRing(e, i)
      return
    }
    const next = messages[i + MESSAGE.next]!
    if (next !== 0) toRing(e, next)
    else queueTail[QUEUES === 1 ? e : e * QUEUES + messages[i + MESSAGE.to]!] = 0
    const at = e * END.size
    messages[i + MESSAGE.next] = ends[at + END.free]!
    ends[at + END.free] = i
    ends[at + END.stored]!--
  }

  function seriesAt(stream: number, t: number): number {
    const interval = t >> seriesShift
    return (statBase + stream) * seriesLength + (interval < seriesLength ? interval : seriesLength - 1)
  }

  // ---- arrival at an endpoint

  function deliver(e: number, p: number, t: number): void {
    const at = (p + STATE) << 2
    const flags = bytes[at + 2]!
    if ((flags & FLAG.lost) !== 0) {
      discard(p)
      return
    }
    if ((flags & FLAG.ack) !== 0) {
      // a refusal, a damaged answer or a second one changes nothing here
      if (windows !== undefined && (flags & (FLAG.negative | FLAG.spoilt)) === 0) {
        windows.acknowledged(e, packets[p + SRC]!, packets[p + ENTER]!, (bytes[at + 2]! & FLAG.marked) !== 0, t)
        wake(e)
      }
      discard(p)
      return
    }
    const verdict = SEQUENCED ? judge(e, p) : NEW
    if (verdict === NEW) count(e, p, bytes[at + 3]!, t)
    if (ACK === 0) {
      discard(p)
      return
    }
    // the same record goes back as the acknowledgement
    const from = packets[p + SRC]!
    packets[p + SRC] = packets[p + DST]!
    packets[p + DST] = from
    packets[p + ENTER] = packets[p + FLITS]!
    packets[p + PLACE] = DIRECT
    packets[p + FLITS] = ACK
    packets[p + HOPS] = 0
    bytes[at + 2] = FLAG.ack | (flags & FLAG.marked) | (verdict === REFUSED ? FLAG.negative : 0)
    packets[p + NEXT] = 0
    const own = e * END.size
    if (ends[own + END.ackHead] === 0) ends[own + END.ackHead] = p
    else packets[ends[own + END.ackTail]! + NEXT] = p
    ends[own + END.ackTail] = p
    wake(e)
  }

  /** Is this packet new, here already, or to be refused: damaged, too far ahead, or without room to wait for earlier ones? */
  function judge(e: number, p: number): number {
    if ((bytes[((p + STATE) << 2) + 2]! & FLAG.spoilt) !== 0) return refuse()
    const flow = e * layout.graph.ends + packets[p + SRC]!
    const d = packets[p + SEQUENCE]! - flowBase[flow]!
    const has = 4 * flow
    if (d < 0 || (d < 128 && ((flowHas[has + (d >> 5)]! >>> (d & 31)) & 1) !== 0)) {
      duplicates[me]!++
      return SEEN
    }
    if (d >= 128 || (REORDER > 0 && d > 0 && waiting(has) >= REORDER)) return refuse()
    flowHas[has + (d >> 5)]! |= 1 << (d & 31)
    while ((flowHas[has]! & 1) !== 0) {
      for (let w = 0; w < 3; w++) flowHas[has + w] = (flowHas[has + w]! >>> 1) | (flowHas[has + w + 1]! << 31)
      flowHas[has + 3] = flowHas[has + 3]! >>> 1
      flowBase[flow]!++
    }
    return NEW
  }

  function refuse(): number {
    refused[me]!++
    return REFUSED
  }

  function waiting(has: number): number {
    let n = 0
    for (let w = 0; w < 4; w++) for (let m = flowHas[has + w]!; m !== 0; m &= m - 1) n++
    return n
  }

  function count(e: number, p: number, stream: number, t: number): void {
    const f = packets[p + FLITS]!
    const born = packets[p + BIRTH]!
    const took = t - born
    const network = t - packets[p + ENTER]!
    const hops = packets[p + HOPS]! & HOP_MASK
    const st = (statBase + stream) * STAT.width
    const si = seriesAt(stream, t)
    endOut[e * STREAMS + stream]! += f
    seriesFlits[si]! += f
    seriesCount[si]!++
    seriesLatency[si]! += took
    seriesNetwork[si]! += network
    stat[st + STAT.delivered]!++
    if (born >= control[CONTROL.from]! && born < control[CONTROL.to]!) {
      stat[st + STAT.measured]!++
      stat[st + STAT.measuredOpen]!--
      stat[st + STAT.latency]! += took
      stat[st + STAT.latencySquared]! += took * took
      stat[st + STAT.network]! += network
      stat[st + STAT.hops]! += hops
      stat[st + STAT.length]! += f
      stat[st + STAT.wires]! += packets[p + PLACE]! & WIRE_MASK
      stat[st + STAT.pipeline]! += hops * (hold[f]! + PASS) + (packets[p + PLACE]! >> LATE_SHIFT)
      stat[st + STAT.credit]! += packets[p + HOPS]! >>> CREDIT_SHIFT
      if ((bytes[((p + STATE) << 2) + 2]! & FLAG.stashed) !== 0) stat[st + STAT.stash]! += stashed[p >> 4]!
      if (FLOWS) flows[exitRouter[packets[p + DST]!]! * ROUTERS + entryRouter[packets[p + SRC]!]!]!++
      if (took > stat[st + STAT.max]!) stat[st + STAT.max] = took
      if (took < stat[st + STAT.min]!) stat[st + STAT.min] = took
      if (network > stat[st + STAT.networkMax]!) stat[st + STAT.networkMax] = network
      histogram[(statBase + stream) * BINS + bin(took)]!++
      networkHistogram[(statBase + stream) * BINS + bin(network)]!++
    }
    const h = draw(packets[p + KEY]!, t, (hops << 20) ^ packets[p + SRC]!)
    const lane = me * 2
    trail[lane] = (trail[lane]! + h) | 0
    trail[lane + 1] = (trail[lane + 1]! + Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)) | 0
  }

  // ---- time

  function run(part: number, t: number, end: number): void {
    enter(part)
    sw.enter(part)
    parity = ONE ? 0 : Math.floor(t / constants.window) & 1
    let s = Math.ceil((t * LINK) / CORE)
    for (; t < end; t++) {
      dueCredits(t)
      dueArrivals(t)
      wakeSources(t)
      dueAtEnds(t)
      link(t)
      inject(t)
      for (const next = (t + 1) * LINK; s * CORE < next; s++) core(s, t)
    }
  }

  function collect(part: number, of: number): void {
    enter(part)
    for (let from = 0; from < parts; from++) {
      const box = (of * parts + from) * parts + part
      const n = outCount[box]!
      let i = boxFirst[box]!
      for (let k = 0; k < n; k++, i += 3) {
        const id = outbox[i + 1]!
        if (id >= 0) fly(id, outbox[i + 2]!, outbox[i]!)
        else creditOn(~id, outbox[i + 2]!, outbox[i]!)
      }
      outCount[box] = 0
      const home = homeHead[box]!
      if (home !== 0) {
        packets[homeTail[box]! + NEXT] = freeHead[part]!
        freeHead[part] = home
        homeHead[box] = 0
      }
    }
  }

  function start(part: number): void {
    enter(part)
    for (let k = 0; k < STREAMS; k++) {
      for (let e = firstEnd[part]!; e < firstEnd[part + 1]!; e++) {
        if (outerEnd[e]! < 0) continue
        const source = k * N + e
        birth[source] = firstBirth(k, outerEnd[e]!)
        if (birth[source]! < Number.POSITIVE_INFINITY) schedule(source, Math.floor(birth[source]!))
      }
    }
  }

  return { run, collect, start, sw }
}
