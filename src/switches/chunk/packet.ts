// The chunk router: store and forward of chunks (cells of a fixed size), output queues with VC credits, no input buffers and no crossbar.
// It is the router of the CODES models ("Enabling parallel simulation of large-scale HPC network systems", M. Mubarak, C. D. Carothers,
// R. B. Ross and P. Carns, 2017), which the Fit Fly study used. A chunk that arrives is routed at once to an output channel and VC; if that
// slot has room it joins the output queue and its own credit goes back; else it waits, uncredited, in the slot's waiting list.
//
// Events are reduced where that is exact: a chunk that joins a FIFO port knows when it will leave, so its arrival at the next router is
// scheduled at once (no event for the departure, none for an ejection). The other orders of service need one SEND for each chunk that queues.
// Limits: room is counted in whole chunks; a chunk's route is chosen once; nothing is dropped.
import { draw, streamOf } from "../../core/rng.ts"
import {
  ARRIVE,
  BYTES,
  type Credits,
  HOPS,
  type Kernel,
  type LinkTimes,
  NEXT,
  type PacketSwitch,
  PHASE,
  type Reserve,
  SEND,
  SHORT,
  STATE,
  STREAM,
  type Terminals,
  TIME,
  timeOf,
  UID,
  UP,
  WAITED,
  WIRES,
} from "../../model/events.ts"
import { endOf, type Graph } from "../../model/graph.ts"
import { EJECT, linkNoise, localLatency, mixed, PORT } from "../../model/jitter.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Seat } from "../../model/workload.ts"
import { queuesIn, waitsIn } from "./waits.ts"

export type Order = "fifo" | "strict-high" | "strict-low" | "round-robin"

/** Words of a channel: all that sending a chunk touches lies in one cache line. The first two are times. */
const FREE = 0 // when it is free
const BOUND = 1 // until when a chunk that joins must queue behind others (early commit)
const SERVED = 2 // VC served last + 1
const QUEUED = 3 // chunks queued on it
const FULL = 4 // constants: time of a full chunk, from its end to the arrival, input port at the far side
const AFTER = 5
const FAR = 6
const SENT = 7 // bytes sent, counted in flits
const CHANNEL_WORDS = 8
/** Words of a slot's output queue, and of its waiting list: first and last chunk. */
const FIRST = 0
const LAST = 1
const QUEUE_WORDS = 2

export interface ChunkColumns {
  /** [chan * CHANNEL_WORDS] */
  readonly channels: number
  /** [slot * QUEUE_WORDS] */
  readonly queues: number
  readonly waiting: number
}

export function layChunk(memory: Reserve, chans: number, vcBits: number): ChunkColumns {
  const slots = chans << vcBits
  const channels = memory.reserve(chans * CHANNEL_WORDS)
  memory.times(channels + FREE, chans, CHANNEL_WORDS)
  memory.times(channels + BOUND, chans, CHANNEL_WORDS)
  const queues = memory.reserve(slots * QUEUE_WORDS)
  const waiting = memory.reserve(slots * QUEUE_WORDS)
  return { channels, queues, waiting }
}

export interface ChunkSite {
  readonly kernel: Kernel
  readonly credits: Credits
  readonly terminals: Terminals
  readonly graph: Graph
  readonly links: LinkTimes
  readonly routing: RoutingFunction
  readonly view: NetView
  readonly candidates: Candidates
  readonly vcs: number
  readonly vcBits: number
  readonly cold: number
  readonly waited: number
  readonly seed: number
  readonly order: Order
  /** [stream] -> first VC of its class */
  readonly vcFirst: Int32Array
  /** a chunk may leave when its first flit has arrived; else when all of it has */
  readonly cutThrough: boolean
  readonly flitBytes: number
  /** CODES: a port commits itself to a chunk as soon as it joins; order counts only among chunks that join within one local latency */
  readonly early: boolean
  readonly jitter: boolean
  readonly seat: Seat | undefined
  /** Writes down that chunk `c` reaches its endpoint at time t. */
  deliver(c: number, t: number): void
}

export function makeChunk(site: ChunkSite, at: ChunkColumns): PacketSwitch {
  const { kernel, credits, terminals, graph, links, routing, view, candidates: out } = site
  const { vcs, vcBits, cold, waited, order, early, jitter, deliver, cutThrough, flitBytes, vcFirst, seat } = site
  const { mem, push, release, alloc, undo, note } = kernel
  const { room, take, give, wait, rest, queue: count } = credits
  const { merged, launched } = terminals
  const { routerOf, firstChan, near } = graph
  const { perByte, wires } = links
  const wired = wires.some((w) => w > 0)
  const { channels, queues, waiting } = at
  const vcMask = (1 << vcBits) - 1
  const entrySlots = graph.chans << vcBits
  const fifo = order === "fifo"
  const roundRobin = order === "round-robin"
  const highFirst = order === "strict-high"
  const inject = routing.inject !== undefined
  const classed = vcFirst.some((v) => v > 0)
  const chunkFlits = Math.ceil(links.chunk / flitBytes)
  const headTime = Math.round(flitBytes * links.entryPerByte)
  const noise = streamOf(site.seed, PORT)
  const ejection = streamOf(site.seed, EJECT)

  for (let c = 0; c < graph.chans; c++) {
    const k = channels + c * CHANNEL_WORDS
    mem[k + FULL] = links.full[c]!
    mem[k + AFTER] = links.after[c]!
    mem[k + FAR] = graph.far[c]!
  }
  // one number when all credits take equally long, which is the usual case
  const oneCredit = sameValue(links.credit, links.entryCredit)
  const creditTimes = new Int32Array(entrySlots + links.entryCredit.length)
  for (let s = 0; s < entrySlots; s++) creditTimes[s] = links.credit[s >> vcBits]!
  creditTimes.set(links.entryCredit, entrySlots)

  function arrive(c: number, t: number, into: number): void {
    const router = routerOf[into]!
    if (merged) {
      const from = near[into]!
      if (from < 0) launched(endOf(from), t)
    }
    const state = mem[c + STATE]!
    const up = mem[c + UP]!
    const first = classed ? vcFirst[mem[c + cold + STREAM]!]! : 0
    view.decide(t, first)
    out.n = 0
    if (inject && (state & HOPS) === 0) routing.inject!(c, router, view)
    const vc = (up & vcMask) - first
    routing.route(c, router, into - firstChan[router]!, up < entrySlots ? vc : 0, view, out)
    const slot =
      out.n === 1 && isOneBit(out.vcMask[0]!)
        ? ((firstChan[router]! + out.port[0]!) << vcBits) + first + lowest(out.vcMask[0]!)
        : choose(router, first, t)
    if (undo) note(c + STATE)
    mem[c + STATE] = wired ? state + 1 + (wires[slot >> vcBits]! << WIRES) : state + 1
    if (room(slot, t)) join(c, slot, t)
    else enlist(c, slot, t)
  }

  /** The cheapest candidate with room on one of its VCs; if there is none, the cheapest: it waits there. */
  function choose(router: number, firstVc: number, t: number): number {
    const n = out.n
    if (n === 0) throw new Error(`routing answers no way out of router ${router}`)
    let best = -1
    let bestCost = 0
    let fallback = -1
    let fallbackCost = 0
    for (let i = 0; i < n; i++) {
      const cost = out.cost[i]!
      const base = ((firstChan[router]! + out.port[i]!) << vcBits) + firstVc
      const mask = out.vcMask[i]!
      if (fallback < 0 || cost < fallbackCost) {
        fallback = base + lowest(mask)
        fallbackCost = cost
      }
      if (best >= 0 && cost >= bestCost) continue
      for (let m = mask; m !== 0; m &= m - 1) {
        if (!room(base + lowest(m), t)) continue
        best = base + lowest(m)
        bestCost = cost
        break
      }
    }
    return best >= 0 ? best : fallback
  }

  /** No room: to the end of the slot's waiting list, without a credit. */
  function enlist(c: number, slot: number, t: number): void {
    const q = waiting + slot * QUEUE_WORDS
    count(slot, 1)
    if (!append(c, q)) wait(slot, t)
  }

  /** To the end of a list; false if it was empty. */
  function append(c: number, q: number): boolean {
    const some = mem[q + FIRST] !== 0
    const tail = mem[q + LAST]!
    if (undo) {
      note(c + NEXT)
      note(q + FIRST)
      note(q + LAST)
      if (some) note(tail + NEXT)
    }
    mem[c + NEXT] = 0
    if (some) mem[tail + NEXT] = c
    else mem[q + FIRST] = c
    mem[q + LAST] = c
    return some
  }

  function wake(slot: number, t: number): void {
    const q = waiting + slot * QUEUE_WORDS
    let c = mem[q + FIRST]!
    if (undo) note(q + FIRST)
    while (c !== 0 && room(slot, t)) {
      const next = mem[c + NEXT]!
      mem[q + FIRST] = next
      count(slot, -1)
      lose(c, t - mem[c + TIME]!)
      join(c, slot, t)
      c = next
    }
    if (c === 0) rest(slot)
    else wait(slot, t)
  }

  /** It has waited for a credit since it arrived. */
  function lose(c: number, time: number): void {
    const state = mem[c + STATE]!
    if (undo) {
      note(c + STATE)
      note(c + waited)
    }
    mem[c + STATE] = state | WAITED
    mem[c + waited] = (state & WAITED) === 0 ? time : mem[c + waited]! + time
  }

  /** Into the output queue: the slot is taken and the credit of the slot that the chunk comes from is given back. */
  function join(c: number, slot: number, t: number): void {
    take(slot)
    const up = mem[c + UP]!
    const bits = jitter ? noiseOf(c) : 0
    const delay = oneCredit ? oneCredit : creditTimes[up]!
    give(up, jitter ? t + delay + linkNoise(mixed(bits)) : t + delay)
    const k = channels + (slot >> vcBits) * CHANNEL_WORDS
    if (undo) note(c + UP)
    mem[c + UP] = slot
    if (!fifo && (early ? mem[k + QUEUED] !== 0 || t < mem[k + BOUND]! : t <= mem[k + FREE]!)) {
      queue(c, slot, k, t)
      return
    }
    const wanted = jitter ? t + localLatency(bits) : t
    const free = mem[k + FREE]!
    if (undo) {
      note(k + FREE)
      if (early) note(k + BOUND)
      if (roundRobin) note(k + SERVED)
    }
    if (early) mem[k + BOUND] = wanted
    if (roundRobin) mem[k + SERVED] = (slot & vcMask) + 1
    // a port that becomes free goes on without the local latency
    depart(c, slot, k, t > free ? wanted : free, bits)
  }

  function noiseOf(c: number): number {
    return draw(mem[c + UID]! ^ noise, mem[c + STATE]! & PHASE)
  }

  function depart(c: number, slot: number, k: number, start: number, bits: number): void {
    const time = (mem[c + STATE]! & SHORT) === 0 ? mem[k + FULL]! : timeOf(mem[c + cold + BYTES]!, perByte[slot >> vcBits]!)
    const end = jitter ? start + time + linkNoise(bits) : start + time
    if (undo) note(k + SENT)
    mem[k + FREE] = end
    mem[k + SENT] = mem[k + SENT]! + ((mem[c + STATE]! & SHORT) === 0 ? chunkFlits : Math.ceil(mem[c + cold + BYTES]! / flitBytes))
    const far = mem[k + FAR]!
    if (far < 0) eject(c, slot, end + mem[k + AFTER]!)
    else push(c, (cutThrough && time > headTime ? end - time + headTime : end) + mem[k + AFTER]!, ARRIVE | far)
  }

  /** The endpoint takes it as it comes: all is known now. */
  function eject(c: number, slot: number, arrival: number): void {
    const delay = oneCredit ? oneCredit : creditTimes[slot]!
    give(slot, jitter ? arrival + delay + linkNoise(draw(mem[c + UID]! ^ ejection, 0)) : arrival + delay)
    deliver(c, arrival)
    if (seat !== undefined && mem[c + cold + STREAM] === seat.stream) seat.arrives(c, arrival)
    else release(c)
  }

  /** The channel is busy and its order may still change: queued by VC, one SEND is pending. With early commit it may be free already: a chunk that
   * joined while it was busy went on without its local latency, and was short enough to leave within it. */
  function queue(c: number, slot: number, k: number, t: number): void {
    append(c, queues + slot * QUEUE_WORDS)
    if (undo) note(k + QUEUED)
    if (mem[k + QUEUED]!++ === 0) push(alloc(), Math.max(t, mem[k + FREE]!), SEND | (slot >> vcBits))
  }

  function send(e: number, t: number, chan: number): void {
    const k = channels + chan * CHANNEL_WORDS
    const vc = next(chan, k)
    const slot = (chan << vcBits) | vc
    const q = queues + slot * QUEUE_WORDS
    const c = mem[q + FIRST]!
    const left = mem[k + QUEUED]! - 1
    if (undo) {
      note(q + FIRST)
      note(k + QUEUED)
      note(k + FREE)
      if (early) note(k + BOUND)
      if (roundRobin) note(k + SERVED)
    }
    mem[q + FIRST] = mem[c + NEXT]!
    mem[k + QUEUED] = left
    if (early) mem[k + BOUND] = t
    if (roundRobin) mem[k + SERVED] = vc + 1
    depart(c, slot, k, t, jitter ? noiseOf(c) : 0)
    if (left > 0) push(e, mem[k + FREE]!, SEND | chan)
    else release(e)
  }

  /** The VC to serve: some VC has a chunk queued. */
  function next(chan: number, k: number): number {
    const base = queues + (chan << vcBits) * QUEUE_WORDS + FIRST
    if (roundRobin) {
      for (let v = mem[k + SERVED]! % vcs; ; v = v + 1 < vcs ? v + 1 : 0) if (mem[base + v * QUEUE_WORDS] !== 0) return v
    }
    if (highFirst) {
      for (let v = vcs - 1; ; v--) if (mem[base + v * QUEUE_WORDS] !== 0) return v
    }
    for (let v = 0; ; v++) if (mem[base + v * QUEUE_WORDS] !== 0) return v
  }

  function sent(chan: number): number {
    return mem[channels + chan * CHANNEL_WORDS + SENT]!
  }

  function waits(): Int32Array {
    return waitsIn(mem, waiting + FIRST, QUEUE_WORDS, entrySlots, cold)
  }

  return { arrive, send, wake, sent, waits, queues: (visit) => queuesIn(mem, { waiting, queues }, QUEUE_WORDS, entrySlots, visit) }
}

function isOneBit(mask: number): boolean {
  return (mask & (mask - 1)) === 0
}

function lowest(mask: number): number {
  return 31 - Math.clz32(mask & -mask)
}

/** The value that all entries have, or 0. */
function sameValue(a: Int32Array, b: Int32Array): number {
  const v = b[0]!
  return a.every((x) => x === v) && b.every((x) => x === v) ? v : 0
}
