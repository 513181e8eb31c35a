// Outputs: a buffer of some flits for each output, between a crossbar that is faster than the link and the link. Room behind the link is taken before a
// packet crosses (so what is in the buffer never waits for credits, and VCs do not block each other there): the link is the only thing it waits for.
// Queues of one output are levels of priority, the most urgent first; each is a FIFO.
// Columns:
//   outHeld    [o]   flits of packets that have begun to cross and not to leave (released at the tail: and not left)
//   outMask    [o]   levels that have something
//   outTurn    [o]   the VC behind the link that is looked at first for the next packet
//   linkUntil  [o]   the cycle from which on the link is free
//   linkSends  [o]   flits of the packet on the link (released at the tail)
//   linkDirty  bit o: the link must look; linkDue: the wheel of links that become free
import { lowest } from "../../core/bitset.ts"
import { i32, scratch, u8, u16 } from "../../fabric/columns.ts"
import { recordViews } from "../../fabric/packets.ts"
import type { TransferSite, TransferUse, TransferWires } from "../../fabric/transfer.ts"
import type { Chains } from "./chains.ts"
import type { Ports } from "./ports.ts"
import { wheelMask, wheelWords } from "./sweep.ts"

export interface OutputSpec {
  readonly site: TransferSite
  readonly use: TransferUse
  readonly ports: Ports
  readonly chains: Chains
  readonly firstQueue: number
  /** flits of an output's buffer */
  readonly flits: number
  /** its room is free again when the tail has left, not when the head leaves */
  readonly releaseAtTail: boolean
  /** cycles that a packet takes from the crossbar to the link beside the first */
  readonly traverse: number
  readonly hold: Uint16Array
}

/** Answers of `choose` instead of a VC: the output's buffer is full; there is no room behind the link. */
export const BUFFER_FULL = -1
export const NO_ROOM = -2

export interface OutputStage {
  readonly columns: ReturnType<typeof outputColumns>
  readonly wheelMask: number
  enter(part: number): void
  /** the VC behind output o on which packet p from input q (numbers in the ids of ports.ts) may go now, less than 0 if it may not */
  choose(q: number, o: number, p: number): number
  /** flits that a VC behind output o must have room for before a packet of f flits from input q may go there */
  roomFor(q: number, o: number, f: number): number
  /** packet p begins to cross to output o, for VC v behind it, in cycle t */
  take(o: number, v: number, level: number, p: number, t: number): void
  credit(ov: number, flits: number): void
  /** the link of output o, in cycle t */
  link(o: number, s: number, t: number): void
}

function outputColumns({ layout: l, constants }: TransferSite, ports: Ports, mask: number) {
  return {
    outHeld: i32(ports.count),
    outMask: i32(ports.count),
    outTurn: u8(ports.count),
    linkUntil: i32(ports.count),
    linkSends: u16(ports.count),
    linkDirty: i32((ports.count + 31) >> 5),
    linkDue: wheelWords(l.parts, mask, constants.portWords),
  }
}

/** Rings that are kept moving by bubbles: flits that a VC of output o must have room for before a packet of f flits from input q may go there, whole packets of
 *  the largest size where the routing says so. Undefined where it never does. */
export function makeBubbles(site: TransferSite, use: TransferUse, ports: Ports): ((q: number, o: number, f: number) => number) | undefined {
  const { layout: l } = site
  const { local } = ports
  const { maxLength: LONGEST } = site.constants
  const { routing } = use
  if (routing.room === undefined) return undefined
  // [input] -> where its row begins; [row + output] -> packets. Inputs at the same place of their routers have the same row, so all rows stay near
  const rowOf = scratch(ports.inputs)
  const rows = new Map<string, Uint8Array>()
  const firsts = new Map<string, number>()
  for (let q = 0; q < ports.inputs; q++) {
    const row = bubblesAt(site, use, ports, q)
    const name = row.join()
    if (!rows.has(name)) firsts.set(name, rows.size * l.radix)
    rows.set(name, row)
    rowOf[q] = firsts.get(name)!
  }
  const need = new Uint8Array(Math.max(rows.size * l.radix, 128))
  rows.forEach((row, name) => {
    need.set(row, firsts.get(name)!)
  })

  return function bubble(q: number, o: number, f: number): number {
    const packets = need[rowOf[q]! + local[o]!]!
    return packets === 0 ? f : packets * LONGEST
  }
}

/** [output] -> packets that there must be room for, seen from input q. */
function bubblesAt({ layout: l }: TransferSite, { routing }: TransferUse, ports: Ports, q: number): Uint8Array {
  const row = new Uint8Array(l.radix).fill(1)
  const r = l.outerRouter[ports.router[q]!]!
  if (r < 0) return row
  for (let o = 0; o < l.graph.firstChan[r + 1]! - l.graph.firstChan[r]!; o++) row[o] = routing.room!(r, ports.local[q]!, o)
  return row
}

export function makeOutput(spec: OutputSpec, wires: TransferWires, renew: (port: number) => void): OutputStage {
  const low = lowest
  const { site, use, ports, chains, firstQueue: FIRST, flits: ROOM, releaseAtTail: TAIL, traverse: TRAVERSE, hold } = spec
  const { layout, rules, load } = site
  const { LV, PS, down, latency, firstRouter } = layout
  const { packets, portFlits } = site.columns
  const { portWords: WORDS, maxLength: LONGEST, own: OWN } = site.constants
  const { pFlits, sVc } = recordViews(packets)
  const pOwn = packets.subarray(OWN)
  const { push, pop, heads } = chains
  const { fits, take: takeRoom, give } = rules
  const { launch } = wires
  const { plan, adaptive: READ } = use
  const LEVELS = plan.levels.length
  // queues that routing looks at are those of data
  const DATA = plan.plain ? 32 : plan.classes.reduce((n, c, i) => (i < plan.data ? n + c.count : n), 0)
  const VMASK = (1 << LV) - 1
  const MASK = wheelMask(LONGEST + 1)
  const bubble = makeBubbles(site, use, ports)
  const BUBBLES = bubble !== undefined
  const columns = outputColumns(site, ports, MASK)
  const { outHeld, outMask, outTurn, linkUntil, linkSends, linkDirty, linkDue } = columns
  let wheel = 0
  let portBase = 0

  function enter(part: number): void {
    wheel = part * (MASK + 1)
    portBase = firstRouter[part]! * PS
  }

  function choose(q: number, o: number, p: number): number {
    const f = pFlits[p]!
    if (outHeld[o]! + f > ROOM) return BUFFER_FULL
    const mask = pOwn[p]!
    if (down[o]! < 0) return low(mask)
    const room = BUBBLES ? bubble!(q, o, f) : f
    // in turn among the VCs with room
    let first = mask & (-1 << outTurn[o]!)
    let second = mask ^ first
    for (;;) {
      if (first === 0) {
        if (second === 0) return NO_ROOM
        first = second
        second = 0
      }
      const v = low(first)
      if (fits((o << LV) + v, room)) return v
      first &= first - 1
    }
  }

  function take(o: number, v: number, level: number, p: number, t: number): void {
    const f = pFlits[p]!
    sVc[p << 2] = v
    outHeld[o]! += f
    if (down[o]! >= 0) {
      const ov = (o << LV) + v
      takeRoom(ov, f)
      outTurn[o] = (v + 1) & VMASK
      if (READ && v < DATA) load[o]! += f
    }
    if (push(FIRST + o * LEVELS + level, p)) {
      const waiting = outMask[o]!
      outMask[o] = waiting | (1 << level)
      // a link that has more to send looks by itself when it is free
      if (waiting === 0) first(o, t)
    }
  }

  /** Something waits for link o, and nothing did. */
  function first(o: number, t: number): void {
    if (linkUntil[o]! <= t) linkDirty[o >> 5]! |= 1 << o
    else if (!TAIL) look(o, linkUntil[o]!)
  }

  /** Link o looks in cycle t. */
  function look(o: number, t: number): void {
    linkDue[Math.imul(wheel + (t & MASK), WORDS) + ((o - portBase) >> 5)]! |= 1 << o
  }

  function credit(ov: number, flits: number): void {
    const o = ov >> LV
    give(ov, flits)
    if (READ && (ov & VMASK) < DATA) load[o]! -= flits
    renew(o)
  }

  function link(o: number, _s: number, t: number): void {
    if (linkUntil[o]! > t) return
    if (TAIL && linkSends[o] !== 0) {
      outHeld[o]! -= linkSends[o]!
      linkSends[o] = 0
      renew(o)
    }
    const m = outMask[o]!
    if (m === 0) return
    const level = LEVELS === 1 ? 0 : low(m)
    const queue = FIRST + o * LEVELS + level
    const p = pop(queue)
    if (heads[queue] === 0) outMask[o] = m & ~(1 << level)
    const f = pFlits[p]!
    linkUntil[o] = t + f
    if (TAIL || outMask[o] !== 0) look(o, t + f)
    portFlits[o]! += f
    if (TAIL) linkSends[o] = f
    else {
      outHeld[o]! -= f
      renew(o)
    }
    const v = sVc[p << 2]!
    launch((o << LV) + v, p, t + TRAVERSE + latency[o]! + (down[o]! < 0 ? f : hold[f]!))
  }

  const roomFor = (q: number, o: number, f: number): number => (BUBBLES ? bubble!(q, o, f) : f)

  return { columns, wheelMask: MASK, enter, roomFor, choose, take, credit, link }
}
