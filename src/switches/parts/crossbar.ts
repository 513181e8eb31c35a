// Crossbars that hold their ports for whole packets. In a core step every crossbar that must look collects what its free inputs could send to its free
// outputs now, matches it, and begins a transfer for each pair; ports are free again when the last flit has crossed, one flit in each core step.
// With links slower than the core a transfer may start at the head, and then lasts until the tail is there; or when the flits that are still to come
// cannot make it wait (the engine's `hold` keeps the packet back until then).
// Columns (beside those of input.ts and matching.ts):
//   from    [o]         the input whose transfer holds output o
//   moving  [o]         its VC << 16 | flits (for room that is released at the tail)
//   until   [o]         the core step in which the transfer of output o ends
//   turn    [q]         the VC of input q that is looked at first
//   lacking [q * R + o] VCs whose front packet has found no room behind the link (their wait for it is on the record)
//   lackers [r]         how many these are in router r: while there are none, nobody looks for them
//   ends                the wheel of outputs whose transfers end
import { lowest } from "../../core/bitset.ts"
import { APART, i32, scratch, u8 } from "../../fabric/columns.ts"
import { CREDIT_SHIFT, recordViews } from "../../fabric/packets.ts"
import type { TransferSite, TransferUse, TransferWires } from "../../fabric/transfer.ts"
import type { Chains } from "./chains.ts"
import type { InputStage } from "./input.ts"
import type { Matching } from "./matching.ts"
import { NO_ROOM, type OutputStage } from "./output.ts"
import type { Ports } from "./ports.ts"
import type { SensingPart } from "./sensing.ts"
import { wheelMask, wheelWords } from "./sweep.ts"
import type { TelemetryPart } from "./telemetry.ts"

export interface CrossbarSpec {
  readonly site: TransferSite
  readonly use: TransferUse
  readonly ports: Ports
  readonly chains: Chains
  readonly matching: Matching
  readonly clock: { readonly link: number; readonly core: number }
  /** an input asks for the output of one VC, in turn, not for all outputs that its VCs lead to */
  readonly byVc: boolean
  /** transfers start at the head */
  readonly startAtHead: boolean
  /** room of the input is free again when the tail has left, not when the head leaves */
  readonly releaseAtTail: boolean
  /** inputs have a queue for each VC and output */
  readonly voq: boolean
  readonly sensing?: SensingPart | undefined
  readonly telemetry?: TelemetryPart | undefined
}

/** What a crossbar must know of the output stage behind it. */
export type Buffers = Pick<OutputStage, "choose" | "take">

export interface CrossbarStage {
  readonly columns: ReturnType<typeof crossbarColumns>
  readonly wheelMask: number
  enter(part: number): void
  /** the crossbar of router r, in core step s */
  arbitrate(r: number, s: number, t: number): void
  /** the transfer that holds output o has ended */
  ended(o: number, s: number, t: number): void
  /** the front of VC v at input q for output o, which may wait for room, is dropped */
  forget(q: number, o: number, v: number): void
}

function crossbarColumns({ layout: l, constants }: TransferSite, ports: Ports, mask: number) {
  return {
    from: i32(ports.count),
    moving: i32(ports.count),
    until: i32(ports.count),
    turn: u8(ports.inputs),
    lacking: i32(ports.inputs * l.radix),
    lackers: i32(l.routers),
    ends: wheelWords(l.parts, mask, constants.portWords),
  }
}

export function makeCrossbar(spec: CrossbarSpec, input: InputStage, output: Buffers, { giveBack }: TransferWires): CrossbarStage {
  const low = lowest
  const { site, use, ports, chains, matching, clock, byVc: BY_VC, startAtHead: HEAD, releaseAtTail: TAIL } = spec
  const { LV, PS, firstRouter, radix: R } = site.layout
  const { packetHops, flitHops } = site.columns
  const { pFlits, pHops } = recordViews(site.columns.packets)
  const SHIFT = CREDIT_SHIFT
  const NONE = NO_ROOM
  const { portWords: WORDS, maxLength: LONGEST } = site.constants
  const { router, local, count: PORTS } = ports
  const { heads } = chains
  const { wants, waiting, askers, dirty, busyIn, busyOut, lastIn, tailAt } = input.columns
  const { queueOf, leave, lack } = input
  const { choose, take } = output
  const { ask, match, pairs } = matching
  const { levels } = use.plan
  const LEVELS = levels.length
  const NARROW = R + 1 <= 32
  const VMASK = (1 << LV) - 1
  const { link: LINK, core: CORE } = clock
  const MASK = wheelMask(Math.ceil((LONGEST * LINK) / CORE) + 2)
  const columns = crossbarColumns(site, ports, MASK)
  const { from, moving, until, turn, lacking, lackers, ends } = columns
  const { sensing, telemetry, voq: VOQ } = spec
  const SENSES = sensing !== undefined
  const READS = telemetry !== undefined
  // [level << 13 | input << 6 | output] -> VC that would go, and VC behind the output << 8
  const found = scratch(LEVELS << 13)
  let me = 0
  let wheel = 0
  let portBase = 0

  function enter(part: number): void {
    me = part
    wheel = part * (MASK + 1)
    portBase = firstRouter[part]! * PS
  }

  function arbitrate(r: number, s: number, t: number): void {
    let asking = asksOf(r, 0, t)
    if (!NARROW) asking += asksOf(r, 1, t)
    if (asking === 0) return
    const n = match(r)
    // who lost may win in the next step, if its output is free then
    if (n < asking) dirty[r >> 5]! |= 1 << r
    for (let k = 0; k < n; k++) {
      const pair = pairs[k]!
      const i = (pair >> 8) & 255
      move(r, i < R ? r * PS + i : PORTS + r, pair & 255, pair >> 16, s, t)
    }
  }

  /** Free inputs of router r (one word of them) ask for what they want and is free; answers how many asks there are. */
  function asksOf(r: number, word: number, t: number): number {
    const wanted = wants
    const first = r * PS
    const free = ~busyOut[r << 1]!
    const freeToo = NARROW ? 0 : ~busyOut[(r << 1) + 1]!
    let asking = 0
    for (let m = askers[(r << 1) + word]! & ~busyIn[(r << 1) + word]!; m !== 0; m &= m - 1) {
      const i = (word << 5) + low(m)
      const q = i < R ? first + i : PORTS + r
      for (let level = 0; level < LEVELS; level++) {
        const at = (q * LEVELS + level) << 1
        const a = wanted[at]! & free
        const b = NARROW ? 0 : wanted[at + 1]! & freeToo
        if ((a | b) !== 0 && asks(r, q, i, level, a, b, t)) asking++
      }
    }
    return asking
  }

  /** Asks for all of these free outputs that could take a packet of input q now. */
  function asks(r: number, q: number, i: number, level: number, low: number, high: number, t: number): boolean {
    const a = able(r, q, i, level, low, 0, t)
    const b = NARROW ? 0 : able(r, q, i, level, high, 32, t)
    if ((a | b) === 0) return false
    if (BY_VC) askOne(q, i, level, a, b)
    else ask(level, i, a, b)
    return true
  }

  /** Of the outputs that could take a packet the one whose VC has its turn. */
  function askOne(q: number, i: number, level: number, a: number, b: number): void {
    let best = 0
    let least = 256
    for (let word = 0; word < (NARROW ? 1 : 2); word++)
      for (let m = word === 0 ? a : b; m !== 0; m &= m - 1) {
        const o = (word << 5) + low(m)
        const wait = (found[(level << 13) | (i << 6) | o]! - turn[q]!) & VMASK
        if (wait >= least) continue
        least = wait
        best = o
      }
    ask(level, i, best < 32 ? 1 << best : 0, best < 32 ? 0 : 1 << best)
  }

  function able(r: number, q: number, i: number, level: number, outputs: number, base: number, t: number): number {
    let can = outputs
    for (let m = outputs; m !== 0; m &= m - 1) {
      const o = base + low(m)
      const v = vcFor(r, q, o, level, t)
      if (v >= 0) found[(level << 13) | (i << 6) | o] = v
      else {
        can &= ~(m & -m)
        lack(q, o, level)
      }
    }
    return can
  }

  /** The VC of input q whose front packet may go to output o, and the VC that it gets there << 8; less than 0 if none may. */
  function vcFor(r: number, q: number, o: number, level: number, t: number): number {
    const m = waiting[q * R + o]! & levels[level]!
    let first = m & (-1 << turn[q]!)
    let second = m ^ first
    for (;;) {
      if (first === 0) {
        if (second === 0) return -1
        first = second
        second = 0
      }
      const v = low(first)
      first &= first - 1
      const p = heads[queueOf(q, o, v)]!
      const got = choose(q, r * PS + o, p)
      if (got >= 0) return v | (got << 8)
      if (got === NONE && ((lacking[q * R + o]! >>> v) & 1) === 0) lacksFrom(q, o, v, p, t)
    }
  }

  /** Rare, so a function of its own: from this cycle on packet p waits for room behind the link. */
  function lacksFrom(q: number, o: number, v: number, p: number, t: number): void {
    lacking[q * R + o]! |= 1 << v
    lackers[router[q]!]!++
    pHops[p]! -= t << SHIFT
  }

  function move(r: number, q: number, o: number, level: number, s: number, t: number): void {
    const i = local[q]!
    const got = found[(level << 13) | (i << 6) | o]!
    const v = got & 255
    const port = r * PS + o
    busyIn[(r << 1) + (NARROW ? 0 : i >> 5)]! |= 1 << i
    busyOut[(r << 1) + (NARROW ? 0 : o >> 5)]! |= 1 << o
    if (SENSES) sensing!.starts(q, o, v)
    const p = leave(q, o, v, t)
    if (SENSES) {
      sensing!.seen(q, o, v, (waiting[q * R + o]! >>> v) & 1, t)
      sensing!.crosses(port, p, t)
    }
    if (READS) telemetry!.crosses(port, p, t)
    const f = pFlits[p]!
    if (lackers[r] !== 0 && ((lacking[q * R + o]! >>> v) & 1) !== 0) {
      forget(q, o, v)
      pHops[p]! += t << SHIFT
    }
    turn[q] = (v + 1) & VMASK
    let end = s + f
    if (HEAD && tailAt[q]! > t && lastIn[q] === p) {
      const tail = Math.ceil((tailAt[q]! * LINK) / CORE) + 1
      if (tail > end) end = tail
    }
    from[port] = q
    moving[port] = (v << 16) | f
    until[port] = end
    ends[Math.imul(wheel + (end & MASK), WORDS) + ((port - portBase) >> 5)]! |= 1 << port
    packetHops[me * APART]!++
    flitHops[me * APART]! += f
    take(port, got >> 8, level, p, t)
    if (!TAIL && q < PORTS) giveBack((q << LV) + v, f, s * CORE === t * LINK ? t : t + 1)
  }

  function ended(port: number, s: number, t: number): void {
    const q = from[port]!
    const r = router[port]!
    const i = local[q]!
    const o = local[port]!
    busyIn[(r << 1) + (NARROW ? 0 : i >> 5)]! &= ~(1 << i)
    busyOut[(r << 1) + (NARROW ? 0 : o >> 5)]! &= ~(1 << o)
    if (SENSES) crossed(q, o, moving[port]! >> 16, t)
    if (TAIL && q < PORTS) giveBack((q << LV) + (moving[port]! >> 16), moving[port]! & 0xffff, s * CORE === t * LINK ? t : t + 1)
    // inputs that are busy look again when they are not
    const low = askers[r << 1]! & ~busyIn[r << 1]!
    const high = NARROW ? 0 : askers[(r << 1) + 1]! & ~busyIn[(r << 1) + 1]!
    if ((low | high) !== 0) dirty[r >> 5]! |= 1 << r
  }

  /** What waits behind the packet that has crossed is at the front now. */
  function crossed(q: number, o: number, v: number, t: number): void {
    sensing!.ends(q)
    if (VOQ) sensing!.seen(q, o, v, (waiting[q * R + o]! >>> v) & 1, t)
    else for (let other = 0; other < R; other++) sensing!.seen(q, other, v, (waiting[q * R + other]! >>> v) & 1, t)
  }

  function forget(q: number, o: number, v: number): void {
    if (((lacking[q * R + o]! >>> v) & 1) === 0) return
    lacking[q * R + o]! &= ~(1 << v)
    lackers[router[q]!]!--
  }

  return { columns, wheelMask: MASK, enter, arbitrate, ended, forget }
}
