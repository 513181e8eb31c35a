// What endpoints send: acknowledgements first, then the messages of their queues in turn, a packet at a time, as windows and credits allow.
import { lowest } from "../../../core/bitset.ts"
import { draw, streamOf } from "../../../core/rng.ts"
import { BIRTH, COPY, DST, END, ENTER, FLITS, HOPS, KEY, MESSAGE, NEXT, PLACE, SEQUENCE, SRC, STATE } from "../../../fabric/packets.ts"
import type { Counting } from "../counting.ts"
import type { Messages } from "./messages.ts"
import type { Records } from "./records.ts"
import type { TransferLoopSpec } from "./spec.ts"
import type { PacketWires } from "./wires.ts"

export interface Injection {
  enter(part: number): void
  inject(t: number): void
  /** endpoint e is to be asked in this cycle */
  wake(e: number): void
  /** a source of endpoint e has its next message */
  due(e: number): void
}

export function makeInjection(
  spec: TransferLoopSpec,
  { fly }: PacketWires,
  { record }: Records,
  { fill, toRing, leaveRing, advanceQueue }: Messages,
  { seriesAt }: Counting,
): Injection {
  const low = lowest
  const { layout, columns, constants, hold, control: windows, ack: ACK, ackVc: ACKVC } = spec
  const { LV, NOV, entry, entryLatency, outerEnd, firstEnd } = layout
  const { packets, ends, messages, endReady, endWakeDue, endIn, seriesIn, flowNext } = columns
  const { streams: STREAMS, wheelMask: WM, endWords: EW, backlog: BACKLOG, active: ACTIVE, sequence: SEQUENCED } = constants
  const bytes = new Uint8Array(packets.buffer)
  const { fits, take } = spec.rules
  const { length } = spec.sources
  const KEYS = constants.seed ^ 0x5bd1e995
  // bases of the partition that is running
  let me = 0
  let wheel = 0
  let endBase = 0
  let held = false

  function enter(part: number): void {
    me = part
    wheel = part * (WM + 1)
    endBase = firstEnd[part]!
  }

  function due(e: number): void {
    ends[e * END.size + END.behind] = 1
    wake(e)
  }

  function wake(e: number): void {
    const rel = e - endBase
    endReady[me * EW + (rel >> 5)]! |= 1 << (rel & 31)
  }

  function inject(t: number): void {
    const ready = me * EW
    for (let w = 0; w < EW; w++) {
      let m = endReady[ready + w]!
      if (m === 0) continue
      endReady[ready + w] = 0
      while (m !== 0) {
        const e = endBase + (w << 5) + low(m)
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
        packets[p + KEY] = draw(streamOf(KEYS, Math.imul(stream, 0x9e3779b1) + from), number)
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

  return { enter, inject, wake, due }
}
