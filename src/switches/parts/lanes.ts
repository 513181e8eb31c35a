// Outputs with a queue for each VL in a buffer of which every VL has a part for itself, and a scheduler in front of the link. The scheduler's queues are
// classes of traffic (service levels); where a class has several VLs, these take turns. A VL may send when its first packet is in the buffer and there is room
// for all of it behind the link.
// Columns (beside the records of outputs, level-stages.ts):
//   outTurn    [o]          the VL that is looked at first for the next packet from the crossbar
//   vlTurn     [o, class]   the VL of a class that is looked at first by the link
//   linkDirty  bit o: the link must look; linkDue: the wheel of links that become free
import { lowest } from "../../core/bitset.ts"
import { f64, i32, scratch, scratchOf, u8 } from "../../fabric/columns.ts"
import { BIRTH, CREDIT_SHIFT, FLITS, HOPS, STATE } from "../../fabric/packets.ts"
import type { TransferSite, TransferUse, TransferWires } from "../../fabric/transfer.ts"
import type { QosScheduler } from "../../model/scheduler.ts"
import type { Buffers } from "./crossbar.ts"
import type { LinkStage } from "./cycle.ts"
import { type LevelRecords, OUTPUT } from "./level-stages.ts"
import { BUFFER_FULL, makeBubbles, NO_ROOM } from "./output.ts"
import type { Ports } from "./ports.ts"
import { wheelMask, wheelWords } from "./sweep.ts"

export interface LaneOutputSpec extends LevelRecords {
  readonly site: TransferSite
  readonly use: TransferUse
  readonly ports: Ports
  readonly firstQueue: number
  /** room behind the link is taken by the link, not before a packet crosses */
  readonly atLink: boolean
  readonly releaseAtTail: boolean
  readonly traverse: number
  readonly hold: Uint16Array
  readonly scheduler: QosScheduler
  /** classes may share VLs: that of a packet is on its record */
  readonly shared: boolean
}

export interface LaneOutput extends LinkStage, Buffers {
  readonly columns: ReturnType<typeof laneColumns>
  touch(list: Int32Array, n: number): void
  touchCredits(list: Int32Array, n: number): void
  /** `take` in two steps: room in the buffer (and behind the link) for packet p on VL v of output o; later the packet itself, in cycle t */
  reserve(o: number, v: number, p: number): void
  enqueue(o: number, v: number, p: number, t: number): void
  credit(ov: number, flits: number, t: number): void
  /** flits that a VL of output o must have room for before a packet of f flits from input q may go there */
  roomFor(q: number, o: number, f: number): number
}

/** One for all outputs: a row for each port, a queue for each class. */
export function schedulerOf(use: TransferUse, ports: Ports): QosScheduler {
  return use.qos.build({
    rows: ports.count,
    queues: use.plan.classes.length,
    unitBytes: use.flitBytes,
    rate: 1,
    ints: i32,
    reals: f64,
  })
}

function laneColumns({ layout: l, constants }: TransferSite, ports: Ports, classes: number, mask: number) {
  return {
    outTurn: u8(ports.count),
    vlTurn: u8(ports.count * classes),
    linkDirty: i32((ports.count + 31) >> 5),
    linkDue: wheelWords(l.parts, mask, constants.portWords),
  }
}

export function makeLaneOutput(spec: LaneOutputSpec, wires: TransferWires, renew: (port: number) => void): LaneOutput {
  const low = lowest
  const { site, use, ports, chains, firstQueue: FIRST, atLink: AT_LINK, releaseAtTail: TAIL, traverse: TRAVERSE, hold } = spec
  const { layout, rules, load } = site
  const { LV, PS, down, latency, firstRouter } = layout
  const { packets, portFlits } = site.columns
  const { portWords: WORDS, maxLength: LONGEST, own: OWN } = site.constants
  const { OUT } = site.rooms
  const bytes = new Uint8Array(packets.buffer)
  const { push, pop, first: firstOf } = chains
  const { fits, take: takeRoom, give } = rules
  const { launch } = wires
  const { plan, adaptive: READ } = use
  const { classOf } = plan
  const CLASSES = plan.classes.length
  const SHARED = spec.shared
  const ONE_EACH = plan.vcs === CLASSES && !SHARED
  // [stream] -> its class
  const levelOf = scratchOf(Array.from(use.vcFirst, (first) => classOf[first]!))
  const DATA = plan.plain ? 32 : plan.classes.reduce((n, c, i) => (i < plan.data ? n + c.count : n), 0)
  const { arrived, pick, sent, hears: HEARS } = spec.scheduler
  const AGES = use.qos.ages === true
  const VMASK = (1 << LV) - 1
  const MASK = wheelMask(LONGEST + 1)
  const bubble = makeBubbles(site, use, ports)
  const BUBBLES = bubble !== undefined
  const columns = laneColumns(site, ports, CLASSES, MASK)
  const { outTurn, vlTurn, linkDirty, linkDue } = columns
  const { outputs, shift: SHIFT, halves: headFlits, flitsAt: AT } = spec
  const { mask: OUT_MASK, until: UNTIL, lacks: LACKS, sends: SENDS } = OUTPUT
  const { queues: QUEUES } = OUTPUT
  // [class] -> flits, birth and VL of what it would send
  const sizes = scratch(CLASSES)
  const births = scratch(CLASSES)
  const vlOf = scratch(CLASSES)
  // of `touch`: the scheduler's first column, and where what was read goes, so that it is read
  const { held, left } = site.rooms
  const [column] = Object.values(spec.scheduler.columns)
  const ROWS = column instanceof Int32Array
  const rows = ROWS ? column : scratch(1)
  const WIDTH = ROWS ? column.length / ports.count : 1
  const touched = scratch(1)
  let wheel = 0
  let portBase = 0

  function enter(part: number): void {
    wheel = part * (MASK + 1)
    portBase = firstRouter[part]! * PS
  }

  function choose(q: number, o: number, p: number): number {
    const f = packets[p + FLITS]!
    const mask = packets[p + OWN]!
    if (down[o]! < 0) {
      const v = low(mask)
      return fits(OUT + (o << LV) + v, f) ? v : BUFFER_FULL
    }
    const room = BUBBLES ? bubble!(q, o, f) : f
    // who enters a ring must leave room for one behind it, in the first buffer of the ring
    const here = AT_LINK ? room : f
    let answer = BUFFER_FULL
    let first = mask & (-1 << outTurn[o]!)
    let second = mask ^ first
    for (;;) {
      if (first === 0) {
        if (second === 0) return answer
        first = second
        second = 0
      }
      const v = low(first)
      first &= first - 1
      if (!fits(OUT + (o << LV) + v, here)) continue
      if (AT_LINK || fits((o << LV) + v, room)) return v
      answer = NO_ROOM
    }
  }

  function take(o: number, v: number, _level: number, p: number, t: number): void {
    reserve(o, v, p)
    enqueue(o, v, p, t)
  }

  function reserve(o: number, v: number, p: number): void {
    const f = packets[p + FLITS]!
    const ov = (o << LV) + v
    bytes[((p + STATE) << 2) + 1] = v
    takeRoom(OUT + ov, f)
    if (down[o]! < 0) return
    if (!AT_LINK) takeRoom(ov, f)
    outTurn[o] = (v + 1) & VMASK
    if (READ && v < DATA) load[o]! += f
  }

  function enqueue(o: number, v: number, p: number, t: number): void {
    const f = packets[p + FLITS]!
    const ov = (o << LV) + v
    if (HEARS) arrived(o, SHARED ? levelOf[bytes[((p + STATE) << 2) + 3]!]! : classOf[v]!, f, t)
    if (!push(FIRST + ov, p)) return
    outputs[(o << SHIFT) + OUT_MASK]! |= 1 << v
    headFlits[AT + (o << (SHIFT + 1)) + v] = f
    // a link that is busy looks by itself when it is free
    if (outputs[(o << SHIFT) + UNTIL]! <= t) linkDirty[o >> 5]! |= 1 << o
  }

  function credit(ov: number, flits: number, t: number): void {
    const o = ov >> LV
    give(ov, flits)
    if (READ && (ov & VMASK) < DATA) load[o]! -= flits
    if (!AT_LINK) renew(o)
    // room may be shared: any VL may have found some
    else if (outputs[(o << SHIFT) + OUT_MASK] !== 0 && outputs[(o << SHIFT) + UNTIL]! <= t) linkDirty[o >> 5]! |= 1 << o
  }

  /** Classes (bits) that could send now, with what they would send in `sizes`, `births` and `vlOf`. */
  function sendable(o: number, t: number): number {
    const ejects = !AT_LINK || down[o]! < 0
    let can = 0
    for (let m = outputs[(o << SHIFT) + OUT_MASK]!; m !== 0; m &= m - 1) {
      const v = low(m)
      const ov = (o << LV) + v
      if (!ejects && !fits(ov, headFlits[AT + (o << (SHIFT + 1)) + v]!)) {
        if (((outputs[(o << SHIFT) + LACKS]! >>> v) & 1) === 0) lacksFrom(o, v, t)
        continue
      }
      const c = SHARED ? levelOf[bytes[((firstOf(FIRST + ov) + STATE) << 2) + 3]!]! : classOf[v]!
      if (!ONE_EACH && ((can >>> c) & 1) !== 0 && !sooner(o, c, v)) continue
      can |= 1 << c
      sizes[c] = headFlits[AT + (o << (SHIFT + 1)) + v]!
      vlOf[c] = v
      if (AGES) births[c] = packets[firstOf(FIRST + ov) + BIRTH]!
    }
    return can
  }

  /** VL v comes before the one that was found for its class. */
  function sooner(o: number, c: number, v: number): boolean {
    const turn = vlTurn[o * CLASSES + c]!
    return ((v - turn) & VMASK) < ((vlOf[c]! - turn) & VMASK)
  }

  /** Rare, so a function of its own: from this cycle on the first packet of VL v waits for room behind the link. */
  function lacksFrom(o: number, v: number, t: number): void {
    outputs[(o << SHIFT) + LACKS]! |= 1 << v
    packets[firstOf(FIRST + (o << LV) + v) + HOPS]! -= t << CREDIT_SHIFT
  }

  function link(o: number, _s: number, t: number): void {
    if (outputs[(o << SHIFT) + UNTIL]! > t) return
    if (TAIL && outputs[(o << SHIFT) + SENDS] !== 0) {
      give(OUT + (o << LV) + (outputs[(o << SHIFT) + SENDS]! >> 16), outputs[(o << SHIFT) + SENDS]! & 0xffff)
      outputs[(o << SHIFT) + SENDS] = 0
      renew(o)
    }
    const can = sendable(o, t)
    const c = pick(o, can, sizes, births, 0)
    if (c < 0) return
    const v = vlOf[c]!
    const ov = (o << LV) + v
    const p = pop(FIRST + ov)
    const f = packets[p + FLITS]!
    sent(o, c, f, t)
    const next = firstOf(FIRST + ov)
    if (next === 0) outputs[(o << SHIFT) + OUT_MASK]! &= ~(1 << v)
    else headFlits[AT + (o << (SHIFT + 1)) + v] = packets[next + FLITS]!
    if (((outputs[(o << SHIFT) + LACKS]! >>> v) & 1) !== 0) {
      outputs[(o << SHIFT) + LACKS]! &= ~(1 << v)
      packets[p + HOPS]! += t << CREDIT_SHIFT
    }
    if (!ONE_EACH) vlTurn[o * CLASSES + c] = (v + 1) & VMASK
    outputs[(o << SHIFT) + UNTIL] = t + f
    linkDue[(wheel + ((t + f) & MASK)) * WORDS + ((o - portBase) >> 5)]! |= 1 << o
    portFlits[o]! += f
    if (TAIL) outputs[(o << SHIFT) + SENDS] = (v << 16) | f
    else {
      give(OUT + ov, f)
      renew(o)
    }
    const ejects = down[o]! < 0
    if (AT_LINK && !ejects) takeRoom(ov, f)
    launch(ov, p, t + TRAVERSE + latency[o]! + (ejects ? f : hold[f]!))
  }

  /** What `link` will look at: records, rooms, the scheduler's rows; then the first packets, which these name. */
  function touch(list: Int32Array, n: number): void {
    let all = 0
    for (let k = 0; k < n; k++) {
      const o = list[k]!
      const at = o << SHIFT
      all |= outputs[at]! | outputs[at + QUEUES]! | held[o << LV]! | held[OUT + (o << LV)]! | left[o]! | left[(OUT >> LV) + o]!
      if (ROWS) all |= rows[o * WIDTH]!
    }
    for (let k = 0; k < n; k++) {
      const o = list[k]!
      const m = outputs[(o << SHIFT) + OUT_MASK]!
      if (m !== 0) all |= packets[firstOf(FIRST + (o << LV) + low(m))]!
    }
    touched[0] = all
  }

  function touchCredits(list: Int32Array, n: number): void {
    let all = 0
    for (let k = 0; k < n; k++) {
      const o = list[k]!
      all |= outputs[o << SHIFT]! | held[o << LV]! | left[o]!
    }
    touched[0] = all
  }

  const roomFor = (q: number, o: number, f: number): number => (BUBBLES ? bubble!(q, o, f) : f)

  return { columns, wheelMask: MASK, roomFor, enter, choose, take, reserve, enqueue, credit, link, touch, touchCredits }
}
