// The output stage of switches with virtual lanes (VLs): one queue per VL in a buffer with a reserved part for each VL,
// and a scheduler in front of the link. The scheduler's queues are classes of traffic (service levels). If a class has
// several VLs, they share its turns round-robin. A VL can send when its first packet is in the buffer and there are
// credits for all of it.
//
// Columns (in addition to the records of outputs, service-level-stages.ts):
//   `outTurn`      [o]         round-robin pointer over the VLs for packets from the crossbar;
//   `vlTurn`       [o, class]  round-robin pointer of the link over the VLs of a class;
//   `linkPending`              bit o: the link must be served in the next cycle;
//   `linkDue`                  timing wheel of links, by the cycle in which they become free.
import { lowest } from "../../core/bitset.ts"
import { streamOf } from "../../core/rng.ts"
import { f64, i32, scratch, scratchOf, u8 } from "../../fabric/columns.ts"
import type { Layout } from "../../fabric/layout.ts"
import { CREATED, CREDIT_SHIFT, FLITS, HOPS, STATE } from "../../fabric/packets.ts"
import type { SwitchContext, SwitchPorts, TransferSite } from "../../fabric/transfer.ts"
import type { QosScheduler } from "../../model/scheduler.ts"
import type { Buffers } from "./crossbar.ts"
import type { LinkStage } from "./cycle.ts"
import { BUFFER_FULL, makeBubbles, NO_CREDIT } from "./output.ts"
import type { Ports } from "./ports.ts"
import { wheelMask, wheelWords } from "./ready-sets.ts"
import { OUTPUT, type ServiceLevelRecords } from "./service-level-stages.ts"

export interface VlOutputSpec extends ServiceLevelRecords {
  readonly site: TransferSite
  readonly use: SwitchContext
  readonly ports: Ports
  readonly firstQueue: number
  /** take credits when the packet leaves for the link, not before it crosses the crossbar */
  readonly atLink: boolean
  readonly releaseAtTail: boolean
  readonly traverse: number
  readonly hold: Uint16Array
  readonly scheduler: QosScheduler
  /** classes may share VLs, so the class of a packet is read from its record */
  readonly shared: boolean
}

export interface VlOutput extends LinkStage, Buffers {
  readonly columns: ReturnType<typeof vlColumns>
  touch(list: Int32Array, n: number): void
  touchCredits(list: Int32Array, n: number): void
  /**
   * `take` in two steps: `reserve` takes the buffer space (and the credits) for packet p on VL v of output o, `enqueue`
   * adds the packet itself in cycle t.
   */
  reserve(o: number, v: number, p: number): void
  enqueue(o: number, v: number, p: number, t: number): void
  credit(ov: number, flits: number, t: number): void
  /** Returns the credits that a VL of output o must have before a packet of f flits from input q may take it. */
  neededCredits(q: number, o: number, f: number): number
}

/** Salt of the random numbers of schedulers. */
const DRAWS = 0x2545f491

/** Builds the scheduler of all outputs: one row for each port, one queue for each class. */
export function schedulerOf(use: SwitchContext, ports: Ports, l: Layout, seed: number): QosScheduler {
  const { graph, outerRouter, radix } = l
  return use.qos.build({
    outputs: {
      routers: graph.routers,
      radix,
      router: (o) => outerRouter[ports.router[o]],
      port: (o) => ports.local[o],
    },
    rows: ports.count,
    queues: use.plan.classes.length,
    unitBytes: use.flitBytes,
    rate: 1,
    stream: (o) => streamOf(seed ^ DRAWS, outerRouter[ports.router[o]] * 64 + ports.local[o]),
    ints: i32,
    reals: f64,
  })
}

function vlColumns({ layout: l, constants }: TransferSite, ports: Ports, classes: number, mask: number) {
  return {
    outTurn: u8(ports.count),
    vlTurn: u8(ports.count * classes),
    linkPending: i32((ports.count + 31) >> 5),
    linkDue: wheelWords(l.parts, mask, constants.portWords),
  }
}

export function makeVlOutput(spec: VlOutputSpec, links: SwitchPorts, renew: (port: number) => void): VlOutput {
  const low = lowest
  const {
    site,
    use,
    ports,
    packetQueues,
    firstQueue: FIRST,
    atLink: AT_LINK,
    releaseAtTail: TAIL,
    traverse: TRAVERSE,
    hold,
  } = spec
  const { layout, rules, load } = site
  const { LV, PS, down, latency, firstRouter } = layout
  const { packets, portFlits } = site.columns
  const { portWords: WORDS, maxLength: LONGEST, own: OWN } = site.constants
  const { OUT } = site.sharedBuffers
  const bytes = new Uint8Array(packets.buffer)
  const { push, pop, first: firstOf } = packetQueues
  const { fits, take: takeSpace, give } = rules
  const { transmit } = links
  const { plan, adaptive: READ } = use
  const { classOf } = plan
  const CLASSES = plan.classes.length
  const SHARED = spec.shared
  const ONE_EACH = plan.vcs === CLASSES && !SHARED
  // [stream] -> its class
  const levelOf = scratchOf(Array.from(use.vcFirst, (first) => classOf[first]))
  const DATA = plan.plain ? 32 : plan.classes.reduce((n, c, i) => (i < plan.data ? n + c.count : n), 0)
  const { arrived, pick, sent, hears: HEARS } = spec.scheduler
  const AGES = use.qos.ages === true
  const VMASK = (1 << LV) - 1
  const MASK = wheelMask(LONGEST + 1)
  const bubble = makeBubbles(site, use, ports)
  const BUBBLES = bubble !== undefined
  const columns = vlColumns(site, ports, CLASSES, MASK)
  const { outTurn, vlTurn, linkPending, linkDue } = columns
  const { outputs, shift: SHIFT, halves: headFlits, flitsAt: AT } = spec
  const { mask: OUT_MASK, until: UNTIL, stalledVcs: STALLED, sends: SENDS } = OUTPUT
  const { queues: QUEUES } = OUTPUT
  // [class] -> flits, creation time and VL of the packet that it would send
  const sizes = scratch(CLASSES)
  const created = scratch(CLASSES)
  const vlOf = scratch(CLASSES)
  // For `touch`: the first column of the scheduler. `touched` receives the values that were read, so that the reads are
  // not optimised away.
  const { held, left } = site.sharedBuffers
  const [column] = Object.values(spec.scheduler.columns)
  const ROWS = column instanceof Int32Array
  const rows = ROWS ? column : scratch(1)
  const WIDTH = ROWS ? column.length / ports.count : 1
  const touched = scratch(1)
  let wheel = 0
  let portBase = 0

  function enter(part: number): void {
    wheel = part * (MASK + 1)
    portBase = firstRouter[part] * PS
  }

  function choose(q: number, o: number, p: number): number {
    const f = packets[p + FLITS]
    const mask = packets[p + OWN]
    if (down[o] < 0) {
      const v = low(mask)
      return fits(OUT + (o << LV) + v, f) ? v : BUFFER_FULL
    }
    const needed = BUBBLES ? bubble!(q, o, f) : f
    // A packet that enters a ring must leave a bubble in the first buffer of the ring.
    const here = AT_LINK ? needed : f
    let answer = BUFFER_FULL
    let first = mask & (-1 << outTurn[o])
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
      if (AT_LINK || fits((o << LV) + v, needed)) return v
      answer = NO_CREDIT
    }
  }

  function take(o: number, v: number, _level: number, p: number, t: number): void {
    reserve(o, v, p)
    enqueue(o, v, p, t)
  }

  function reserve(o: number, v: number, p: number): void {
    const f = packets[p + FLITS]
    const ov = (o << LV) + v
    bytes[((p + STATE) << 2) + 1] = v
    takeSpace(OUT + ov, f)
    if (down[o] < 0) return
    if (!AT_LINK) takeSpace(ov, f)
    outTurn[o] = (v + 1) & VMASK
    if (READ && v < DATA) load[o] += f
  }

  function enqueue(o: number, v: number, p: number, t: number): void {
    const f = packets[p + FLITS]
    const ov = (o << LV) + v
    if (HEARS) arrived(o, SHARED ? levelOf[bytes[((p + STATE) << 2) + 3]] : classOf[v], f, t)
    if (!push(FIRST + ov, p)) return
    outputs[(o << SHIFT) + OUT_MASK] |= 1 << v
    headFlits[AT + (o << (SHIFT + 1)) + v] = f
    // A busy link is served again anyway when it becomes free.
    if (outputs[(o << SHIFT) + UNTIL] <= t) linkPending[o >> 5] |= 1 << o
  }

  function credit(ov: number, flits: number, t: number): void {
    const o = ov >> LV
    give(ov, flits)
    if (READ && (ov & VMASK) < DATA) load[o] -= flits
    if (!AT_LINK) renew(o)
    // Buffer space may be shared, so any VL may have credits now.
    else if (outputs[(o << SHIFT) + OUT_MASK] !== 0 && outputs[(o << SHIFT) + UNTIL] <= t) linkPending[o >> 5] |= 1 << o
  }

  /** Returns the classes (bits) that can send now, with their packets in `sizes`, `created` and `vlOf`. */
  function sendable(o: number, t: number): number {
    const ejects = !AT_LINK || down[o] < 0
    let can = 0
    for (let m = outputs[(o << SHIFT) + OUT_MASK]; m !== 0; m &= m - 1) {
      const v = low(m)
      const ov = (o << LV) + v
      if (!ejects && !fits(ov, headFlits[AT + (o << (SHIFT + 1)) + v])) {
        if (((outputs[(o << SHIFT) + STALLED] >>> v) & 1) === 0) stalledFrom(o, v, t)
        continue
      }
      const c = SHARED ? levelOf[bytes[((firstOf(FIRST + ov) + STATE) << 2) + 3]] : classOf[v]
      if (!ONE_EACH && ((can >>> c) & 1) !== 0 && !sooner(o, c, v)) continue
      can |= 1 << c
      sizes[c] = headFlits[AT + (o << (SHIFT + 1)) + v]
      vlOf[c] = v
      if (AGES) created[c] = packets[firstOf(FIRST + ov) + CREATED]
    }
    return can
  }

  /** Returns whether VL v precedes, in round-robin order, the VL that was found for its class. */
  function sooner(o: number, c: number, v: number): boolean {
    const turn = vlTurn[o * CLASSES + c]
    return ((v - turn) & VMASK) < ((vlOf[c] - turn) & VMASK)
  }

  /** The first packet of VL v has a credit stall from cycle t on. Rare, so it is a separate function. */
  function stalledFrom(o: number, v: number, t: number): void {
    outputs[(o << SHIFT) + STALLED] |= 1 << v
    packets[firstOf(FIRST + (o << LV) + v) + HOPS] -= t << CREDIT_SHIFT
  }

  /**
   * Serves the link of output o: frees the space of the last packet (releaseAtTail), lets the scheduler pick a class,
   * and sends the first packet of that class.
   */
  function link(o: number, _s: number, t: number): void {
    if (outputs[(o << SHIFT) + UNTIL] > t) return
    if (TAIL && outputs[(o << SHIFT) + SENDS] !== 0) {
      give(OUT + (o << LV) + (outputs[(o << SHIFT) + SENDS] >> 16), outputs[(o << SHIFT) + SENDS] & 0xffff)
      outputs[(o << SHIFT) + SENDS] = 0
      renew(o)
    }
    const can = sendable(o, t)
    const c = pick(o, can, sizes, created, 0)
    if (c < 0) return
    const v = vlOf[c]
    const ov = (o << LV) + v
    const p = pop(FIRST + ov)
    const f = packets[p + FLITS]
    sent(o, c, f, t)
    const next = firstOf(FIRST + ov)
    if (next === 0) outputs[(o << SHIFT) + OUT_MASK] &= ~(1 << v)
    else headFlits[AT + (o << (SHIFT + 1)) + v] = packets[next + FLITS]
    if (((outputs[(o << SHIFT) + STALLED] >>> v) & 1) !== 0) {
      outputs[(o << SHIFT) + STALLED] &= ~(1 << v)
      packets[p + HOPS] += t << CREDIT_SHIFT
    }
    if (!ONE_EACH) vlTurn[o * CLASSES + c] = (v + 1) & VMASK
    outputs[(o << SHIFT) + UNTIL] = t + f
    linkDue[(wheel + ((t + f) & MASK)) * WORDS + ((o - portBase) >> 5)] |= 1 << o
    portFlits[o] += f
    if (TAIL) outputs[(o << SHIFT) + SENDS] = (v << 16) | f
    else {
      give(OUT + ov, f)
      renew(o)
    }
    const ejects = down[o] < 0
    if (AT_LINK && !ejects) takeSpace(ov, f)
    transmit(ov, p, t + TRAVERSE + latency[o] + (ejects ? f : hold[f]))
  }

  /**
   * Prefetches the state that `link` reads: records, buffer counts and scheduler rows, then the first packets, which
   * the records name.
   */
  function touch(list: Int32Array, n: number): void {
    let all = 0
    for (let k = 0; k < n; k++) {
      const o = list[k]
      const at = o << SHIFT
      all |=
        outputs[at] | outputs[at + QUEUES] | held[o << LV] | held[OUT + (o << LV)] | left[o] | left[(OUT >> LV) + o]
      if (ROWS) all |= rows[o * WIDTH]
    }
    for (let k = 0; k < n; k++) {
      const o = list[k]
      const m = outputs[(o << SHIFT) + OUT_MASK]
      if (m !== 0) all |= packets[firstOf(FIRST + (o << LV) + low(m))]
    }
    touched[0] = all
  }

  /** Prefetches the state that `credit` reads. */
  function touchCredits(list: Int32Array, n: number): void {
    let all = 0
    for (let k = 0; k < n; k++) {
      const o = list[k]
      all |= outputs[o << SHIFT] | held[o << LV] | left[o]
    }
    touched[0] = all
  }

  const neededCredits = (q: number, o: number, f: number): number => (BUBBLES ? bubble!(q, o, f) : f)

  return {
    columns,
    wheelMask: MASK,
    neededCredits,
    enter,
    choose,
    take,
    reserve,
    enqueue,
    credit,
    link,
    touch,
    touchCredits,
  }
}
