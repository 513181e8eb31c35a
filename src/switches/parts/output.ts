// The output stage of a crossbar switch: one buffer per output between the crossbar, which may be faster than the link,
// and the link. Credits are taken before a packet crosses. A packet in the buffer therefore never waits for credits,
// and VCs cannot block each other there; it only waits for the link. Each output has one FIFO per priority level, and
// the link serves the highest level first.
//
// Columns, by output o:
//   `outHeld`      flits of packets that have started to cross and not yet to leave (releaseAtTail: not yet left);
//   `outMask`      priority levels with packets;
//   `outTurn`      round-robin pointer over the downstream VCs;
//   `linkUntil`    the link is free from this cycle on;
//   `linkSends`    flits of the packet on the link (releaseAtTail);
//   `slots`        [ov] packets of this VC that have a place in the buffer: from VC allocation, or from the start of the
//                  crossing without that stage, until the tail leaves; classes above data need none;
//   `linkVc`       1 + VC of the packet on the link that has a place in `slots`;
//   `linkPending`  bit o: the link must be served in the next cycle;
//   `linkDue`      timing wheel of links, by the cycle in which they become free.
import { lowest } from "../../core/bitset.ts"
import { i32, scratch, u8, u16 } from "../../fabric/columns.ts"
import { recordViews } from "../../fabric/packets.ts"
import type { SwitchContext, SwitchPorts, TransferSite } from "../../fabric/transfer.ts"
import type { PacketQueues } from "./packet-queues.ts"
import type { Ports } from "./ports.ts"
import { wheelMask, wheelWords } from "./ready-sets.ts"

export interface OutputSpec {
  readonly site: TransferSite
  readonly use: SwitchContext
  readonly ports: Ports
  readonly packetQueues: PacketQueues
  readonly firstQueue: number
  /** capacity of an output buffer, in flits */
  readonly flits: number
  /** packets of each VC that an output buffer holds, instead of the flits */
  readonly packets?: number | undefined
  /** a VC allocation stage calls `given` */
  readonly early?: boolean
  /** adaptive routing reads the flits of VCs below this one; `flitLoads`: as they cross (FlitStreams) */
  readonly counted: number
  readonly flitLoads?: boolean
  /** free the buffer space when the tail has left, not when the head leaves */
  readonly releaseAtTail: boolean
  /** additional cycles of a packet from the crossbar to the link */
  readonly traverse: number
  readonly hold: Uint16Array
}

/** Results of `choose` if no VC is possible: the output buffer is full, or no VC has enough credits. */
export const BUFFER_FULL = -1
export const NO_CREDIT = -2

export interface OutputStage {
  readonly columns: ReturnType<typeof outputColumns>
  readonly wheelMask: number
  enter(part: number): void
  /**
   * Returns the downstream VC that packet p from input q can take at output o (ids of ports.ts), BUFFER_FULL or
   * NO_CREDIT.
   */
  choose(q: number, o: number, p: number): number
  /**
   * For a VC allocation stage (vc-turns.ts), in place of `choose`. `accepts`: VC v of output o has free space for a
   * packet of f flits from input q. `holds`: its buffer has space for packet p, whose VC is known.
   */
  accepts(q: number, o: number, v: number, f: number): boolean
  /** VC v of output o is given to a packet. */
  given(o: number, v: number): void
  holds(o: number, p: number): boolean
  /** Returns the credits that a VC of output o must have before a packet of f flits from input q may take it. */
  neededCredits(q: number, o: number, f: number): number
  /** Packet p starts to cross to output o in cycle t and takes the credits of downstream VC v. */
  take(o: number, v: number, level: number, p: number, t: number): void
  credit(ov: number, flits: number): void
  /** Serves the link of output o in cycle t. */
  link(o: number, s: number, t: number): void
}

function outputColumns({ layout: l, constants }: TransferSite, ports: Ports, mask: number, slots: boolean) {
  return {
    outHeld: i32(ports.count),
    outMask: i32(ports.count),
    outTurn: u8(ports.count),
    linkUntil: i32(ports.count),
    linkSends: u16(ports.count),
    ...(slots ? { slots: u8(ports.count << l.LV), linkVc: u8(ports.count) } : {}),
    linkPending: i32((ports.count + 31) >> 5),
    linkDue: wheelWords(l.parts, mask, constants.portWords),
  }
}

/**
 * Bubble flow control for rings of channels. Returns a function that gives the credits which a packet of f flits from
 * input q needs at output o. A packet that enters a ring needs the space of whole maximum-size packets, so that a free
 * buffer (the bubble) remains in the ring. Returns undefined if the routing needs no bubbles.
 */
export function makeBubbles(
  site: TransferSite,
  use: SwitchContext,
  ports: Ports,
): ((q: number, o: number, f: number) => number) | undefined {
  const { layout: l } = site
  const { local } = ports
  const { maxLength: LONGEST } = site.constants
  const { routing } = use
  if (routing.room === undefined) return undefined
  // [input] -> start of its row; [row + output] -> packets. Inputs at the same position of their routers share a row,
  // so that all rows fit into the cache.
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
    const packets = need[rowOf[q] + local[o]]
    return packets === 0 ? f : packets * LONGEST
  }
}

/** Returns [output] -> the number of packets for which a packet from input q needs space. */
function bubblesAt({ layout: l }: TransferSite, { routing }: SwitchContext, ports: Ports, q: number): Uint8Array {
  const row = new Uint8Array(l.radix).fill(1)
  const r = l.outerRouter[ports.router[q]]
  if (r < 0) return row
  for (let o = 0; o < l.graph.firstChan[r + 1] - l.graph.firstChan[r]; o++) row[o] = routing.room!(r, ports.local[q], o)
  return row
}

/** Returns the first VC that adaptive routing does not count: normally it reads the VCs of data only. */
export function countedVcs({ plan }: SwitchContext, all: boolean): number {
  return plan.plain || all ? 32 : plan.classes.reduce((n, c, i) => (i < plan.data ? n + c.count : n), 0)
}

export function makeOutput(spec: OutputSpec, links: SwitchPorts, renew: (port: number) => void): OutputStage {
  const low = lowest
  const {
    site,
    use,
    ports,
    packetQueues,
    firstQueue: FIRST,
    flits: CAPACITY,
    releaseAtTail: TAIL,
    traverse: TRAVERSE,
    hold,
  } = spec
  const { layout, rules, load } = site
  const { LV, PS, down, latency, firstRouter } = layout
  const { packets, portFlits } = site.columns
  const { portWords: WORDS, maxLength: LONGEST, own: OWN } = site.constants
  const { pFlits, sVc } = recordViews(packets)
  const pOwn = packets.subarray(OWN)
  const { push, pop, heads } = packetQueues
  const { fits, take: takeSpace, give } = rules
  const { transmit } = links
  const { plan, adaptive } = use
  const READ = adaptive && spec.flitLoads !== true
  const LEVELS = plan.levels.length
  const COUNTED = spec.counted
  const VMASK = (1 << LV) - 1
  const MASK = wheelMask(LONGEST + 1)
  const bubble = makeBubbles(site, use, ports)
  const BUBBLES = bubble !== undefined
  const columns = outputColumns(site, ports, MASK, spec.packets !== undefined)
  const { outHeld, outMask, outTurn, linkUntil, linkSends, linkPending, linkDue } = columns
  const { slots, linkVc } = columns
  const SLOTS = spec.packets
  const EARLY = spec.early === true
  // Packets below data use one slot, and only if no data packet has one. Packets above data need none.
  let below = 0
  let above = 0
  for (let v = 0; v < plan.vcs; v++) {
    if (plan.priorityOf[v] < 0) below |= 1 << v
    if (plan.priorityOf[v] > 0) above |= 1 << v
  }
  // A buffer in packets sends data and the packets below in their order.
  const data = plan.levels.findIndex((mask) => (mask & ~(above | below)) !== 0)
  const last = SLOTS === undefined || data < 0 ? LEVELS : data
  let wheel = 0
  let portBase = 0

  function enter(part: number): void {
    wheel = part * (MASK + 1)
    portBase = firstRouter[part] * PS
  }

  function choose(q: number, o: number, p: number): number {
    const f = pFlits[p]
    if (SLOTS !== undefined) {
      const free = withSlots(o, pOwn[p])
      if (free === 0) return BUFFER_FULL
      return chooseAmong(q, o, f, free)
    }
    if (outHeld[o] + f > CAPACITY) return BUFFER_FULL
    const mask = pOwn[p]
    if (down[o] < 0) return low(mask)
    return chooseAmong(q, o, f, mask)
  }

  function accepts(q: number, o: number, v: number, f: number): boolean {
    if (SLOTS !== undefined && withSlots(o, 1 << v) === 0) return false
    return down[o] < 0 || fits((o << LV) + v, BUBBLES ? bubble!(q, o, f) : f)
  }

  function given(o: number, v: number): void {
    if (SLOTS !== undefined) slots![(o << LV) + v]++
  }

  /** With slots, the place was taken when the VC was given. */
  function holds(o: number, p: number): boolean {
    return SLOTS !== undefined || outHeld[o] + pFlits[p] <= CAPACITY
  }

  /** Returns those VCs of a mask that have a free slot in the buffer of output o. */
  function withSlots(o: number, mask: number): number {
    let free = mask
    for (let m = mask & ~above; m !== 0; m &= m - 1) {
      const v = low(m)
      const full = ((below >>> v) & 1) !== 0 ? slots![(o << LV) + v] > 0 || others(o) : slots![(o << LV) + v] >= SLOTS!
      if (full) free &= ~(1 << v)
    }
    return free
  }

  /** Returns whether data packets have a place in the buffer of output o. */
  function others(o: number): boolean {
    for (let v = 0; v < plan.vcs; v++)
      if ((((below | above) >>> v) & 1) === 0 && slots![(o << LV) + v] !== 0) return true
    return false
  }

  /** Returns the next VC of a mask, round-robin, with enough credits, or NO_CREDIT. */
  function chooseAmong(q: number, o: number, f: number, mask: number): number {
    const needed = BUBBLES ? bubble!(q, o, f) : f
    // Round-robin among the VCs with enough credits.
    let first = mask & (-1 << outTurn[o])
    let second = mask ^ first
    for (;;) {
      if (first === 0) {
        if (second === 0) return NO_CREDIT
        first = second
        second = 0
      }
      const v = low(first)
      if (down[o] < 0 || fits((o << LV) + v, needed)) return v
      first &= first - 1
    }
  }

  function take(o: number, v: number, level: number, p: number, t: number): void {
    const f = pFlits[p]
    sVc[p << 2] = v
    outHeld[o] += f
    if (SLOTS !== undefined && !EARLY) slots![(o << LV) + v]++
    if (down[o] >= 0 || SLOTS !== undefined) outTurn[o] = (v + 1) & VMASK
    if (down[o] >= 0) {
      const ov = (o << LV) + v
      takeSpace(ov, f)
      if (READ && v < COUNTED) load[o] += f
    }
    const row = level > last ? last : level
    if (push(FIRST + o * LEVELS + row, p)) {
      const waiting = outMask[o]
      outMask[o] = waiting | (1 << row)
      // A link with more packets to send is served again anyway when it becomes free.
      if (waiting === 0) first(o, t)
    }
  }

  /** A packet waits for link o, and none did before. */
  function first(o: number, t: number): void {
    if (linkUntil[o] <= t) linkPending[o >> 5] |= 1 << o
    else if (!TAIL) look(o, linkUntil[o])
  }

  /** Schedules link o for cycle t. */
  function look(o: number, t: number): void {
    linkDue[Math.imul(wheel + (t & MASK), WORDS) + ((o - portBase) >> 5)] |= 1 << o
  }

  function credit(ov: number, flits: number): void {
    const o = ov >> LV
    give(ov, flits)
    if (adaptive && (ov & VMASK) < COUNTED) load[o] -= flits
    renew(o)
  }

  /** Frees the buffer space of the last packet (releaseAtTail) and sends the next one. */
  function link(o: number, _s: number, t: number): void {
    if (SLOTS !== undefined && linkVc![o] !== 0 && linkUntil[o] - 1 <= t) {
      slots![(o << LV) + linkVc![o] - 1]--
      linkVc![o] = 0
      renew(o)
    }
    if (linkUntil[o] > t) return
    if (TAIL && linkSends[o] !== 0) {
      outHeld[o] -= linkSends[o]
      linkSends[o] = 0
      renew(o)
    }
    const m = outMask[o]
    if (m === 0) return
    const level = LEVELS === 1 ? 0 : low(m)
    const queue = FIRST + o * LEVELS + level
    const p = pop(queue)
    if (heads[queue] === 0) outMask[o] = m & ~(1 << level)
    const f = pFlits[p]
    linkUntil[o] = t + f
    if (TAIL || outMask[o] !== 0) look(o, t + f)
    portFlits[o] += f
    const v = sVc[p << 2]
    if (TAIL) linkSends[o] = f
    else {
      outHeld[o] -= f
      if (SLOTS === undefined) renew(o)
    }
    if (SLOTS !== undefined) sendsFrom(o, v, f, t)
    transmit((o << LV) + v, p, t + TRAVERSE + latency[o] + (down[o] < 0 ? f : hold[f]))
  }

  /** A packet of VC v leaves its place in the buffer with its tail, f - 1 cycles from now. */
  function sendsFrom(o: number, v: number, f: number, t: number): void {
    linkVc![o] = v + 1
    if (f > 1) look(o, t + f - 1)
    else {
      slots![(o << LV) + v]--
      linkVc![o] = 0
      renew(o)
    }
  }

  const neededCredits = (q: number, o: number, f: number): number => (BUBBLES ? bubble!(q, o, f) : f)

  return { columns, wheelMask: MASK, enter, neededCredits, choose, accepts, given, holds, take, credit, link }
}
