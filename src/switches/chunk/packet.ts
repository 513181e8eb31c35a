// The chunk router of the packet engine: store-and-forward of chunks (cells of a fixed size), output queues with VC
// credits, no input buffers and no crossbar. It is the router of the CODES models ("Enabling parallel simulation of
// large-scale HPC network systems", M. Mubarak, C. D. Carothers, R. B. Ross and P. Carns, 2017), which the Fit Fly
// study used.
//
// A chunk that arrives is routed at once to an output channel and VC (a slot). If the slot has credits, the chunk joins
// the output queue, and its own credit returns to the sender. Otherwise it waits, without a credit, in the waiting list
// of the slot.
//
// The number of events is reduced where that is exact. A chunk that joins a FIFO port knows when it will leave, so its
// arrival at the next router is scheduled at once; departures and ejections need no events. The other service orders
// need one SEND event for each chunk that queues. With optimistic synchronisation, each changed word is logged first
// (`undo`, `note`).
//
// Limits: buffer space is counted in whole chunks; the route of a chunk is chosen once; no chunk is dropped.
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

/** Words of a channel. All words that sending a chunk touches are in one cache line. The first two are times. */
const FREE = 0 // time from which it is free
const BOUND = 1 // time until which a chunk that joins must queue behind others (early commit)
const SERVED = 2 // VC served last + 1
const QUEUED = 3 // chunks queued on it
const FULL = 4 // constants: time of a full chunk, time from its end to the arrival, input port at the far side
const AFTER = 5
const FAR = 6
const SENT = 7 // bytes sent, counted in flits
const CHANNEL_WORDS = 8
/** Words of the output queue of a slot, and of its waiting list: first and last chunk. */
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

/** Reserves the columns of all channels and slots. */
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
  /** a chunk may leave when its first flit has arrived, not only when all of it has */
  readonly cutThrough: boolean
  readonly flitBytes: number
  /**
   * CODES: a port commits to a chunk as soon as it joins; the service order only applies to chunks that join within one
   * local latency
   */
  readonly early: boolean
  readonly jitter: boolean
  readonly rankAdapter: Seat | undefined
  /** Records that chunk `c` reaches its endpoint at time t. */
  deliver(c: number, t: number): void
}

/**
 * Builds the routers of one worker on the reserved columns. The engine calls `arrive` and `send` for their events, and
 * `wake` when a slot with waiting chunks has credits again.
 */
export function makeChunk(site: ChunkSite, at: ChunkColumns): PacketSwitch {
  const { kernel, credits, terminals, graph, links, routing, view, candidates: out } = site
  const { vcs, vcBits, cold, waited, order, early, jitter, deliver, cutThrough, flitBytes, vcFirst, rankAdapter } = site
  const { mem, push, release, alloc, undo, note } = kernel
  const { hasCredits, take, give, wait, rest, queue: count } = credits
  const { merged, transmitted } = terminals
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
    mem[k + FULL] = links.full[c]
    mem[k + AFTER] = links.after[c]
    mem[k + FAR] = graph.far[c]
  }
  // A single number if all credits take equally long, which is the usual case; otherwise 0.
  const oneCredit = sameValue(links.credit, links.entryCredit)
  const creditTimes = new Int32Array(entrySlots + links.entryCredit.length)
  for (let s = 0; s < entrySlots; s++) creditTimes[s] = links.credit[s >> vcBits]
  creditTimes.set(links.entryCredit, entrySlots)

  /**
   * Chunk c arrives at time t at input channel `into`. It is routed, and joins the output queue or the waiting list of
   * its slot.
   */
  function arrive(c: number, t: number, into: number): void {
    const router = routerOf[into]
    if (merged) {
      const from = near[into]
      if (from < 0) transmitted(endOf(from), t)
    }
    const state = mem[c + STATE]
    const up = mem[c + UP]
    const first = classed ? vcFirst[mem[c + cold + STREAM]] : 0
    view.decide(t, first)
    out.n = 0
    if (inject && (state & HOPS) === 0) routing.inject!(c, router, view)
    const vc = (up & vcMask) - first
    routing.route(c, router, into - firstChan[router], up < entrySlots ? vc : 0, view, out)
    const slot =
      out.n === 1 && isOneBit(out.vcMask[0])
        ? ((firstChan[router] + out.port[0]) << vcBits) + first + lowest(out.vcMask[0])
        : choose(router, first, t)
    if (undo) note(c + STATE)
    mem[c + STATE] = wired ? state + 1 + (wires[slot >> vcBits] << WIRES) : state + 1
    if (hasCredits(slot, t)) join(c, slot, t)
    else enlist(c, slot, t)
  }

  /**
   * Returns the cheapest candidate that has credits on one of its VCs. If there is none, returns the cheapest one,
   * where the chunk waits.
   */
  function choose(router: number, firstVc: number, t: number): number {
    const n = out.n
    if (n === 0) throw new Error(`the routing function returns no output port at router ${router}`)
    let best = -1
    let bestCost = 0
    let fallback = -1
    let fallbackCost = 0
    for (let i = 0; i < n; i++) {
      const cost = out.cost[i]
      const base = ((firstChan[router] + out.port[i]) << vcBits) + firstVc
      const mask = out.vcMask[i]
      if (fallback < 0 || cost < fallbackCost) {
        fallback = base + lowest(mask)
        fallbackCost = cost
      }
      if (best >= 0 && cost >= bestCost) continue
      for (let m = mask; m !== 0; m &= m - 1) {
        if (!hasCredits(base + lowest(m), t)) continue
        best = base + lowest(m)
        bestCost = cost
        break
      }
    }
    return best >= 0 ? best : fallback
  }

  /** The slot has no credits: appends the chunk to its waiting list. */
  function enlist(c: number, slot: number, t: number): void {
    const q = waiting + slot * QUEUE_WORDS
    count(slot, 1)
    if (!append(c, q)) wait(slot, t)
  }

  /** Appends a chunk to a list. Returns false if the list was empty. */
  function append(c: number, q: number): boolean {
    const some = mem[q + FIRST] !== 0
    const tail = mem[q + LAST]
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

  /** Slot `slot` has credits again: moves waiting chunks to the output queue as long as credits last. */
  function wake(slot: number, t: number): void {
    const q = waiting + slot * QUEUE_WORDS
    let c = mem[q + FIRST]
    if (undo) note(q + FIRST)
    while (c !== 0 && hasCredits(slot, t)) {
      const next = mem[c + NEXT]
      mem[q + FIRST] = next
      count(slot, -1)
      lose(c, t - mem[c + TIME])
      join(c, slot, t)
      c = next
    }
    if (c === 0) rest(slot)
    else wait(slot, t)
  }

  /** Adds to the chunk's credit stall time, which started with its arrival. */
  function lose(c: number, time: number): void {
    const state = mem[c + STATE]
    if (undo) {
      note(c + STATE)
      note(c + waited)
    }
    mem[c + STATE] = state | WAITED
    mem[c + waited] = (state & WAITED) === 0 ? time : mem[c + waited] + time
  }

  /**
   * Moves a chunk into the output queue: takes a credit of the slot, and returns the credit of the slot it comes from.
   */
  function join(c: number, slot: number, t: number): void {
    take(slot)
    const up = mem[c + UP]
    const bits = jitter ? noiseOf(c) : 0
    const delay = oneCredit ? oneCredit : creditTimes[up]
    give(up, jitter ? t + delay + linkNoise(mixed(bits)) : t + delay)
    const k = channels + (slot >> vcBits) * CHANNEL_WORDS
    if (undo) note(c + UP)
    mem[c + UP] = slot
    // The service order matters, so the chunk queues by VC; otherwise its departure time is known now.
    if (!fifo && (early ? mem[k + QUEUED] !== 0 || t < mem[k + BOUND] : t <= mem[k + FREE])) {
      queue(c, slot, k, t)
      return
    }
    const wanted = jitter ? t + localLatency(bits) : t
    const free = mem[k + FREE]
    if (undo) {
      note(k + FREE)
      if (early) note(k + BOUND)
      if (roundRobin) note(k + SERVED)
    }
    if (early) mem[k + BOUND] = wanted
    if (roundRobin) mem[k + SERVED] = (slot & vcMask) + 1
    // A port that becomes free continues without the local latency.
    depart(c, slot, k, t > free ? wanted : free, bits)
  }

  /** Returns the random bits of a chunk at this hop, which do not depend on the order of events. */
  function noiseOf(c: number): number {
    return draw(mem[c + UID] ^ noise, mem[c + STATE] & PHASE)
  }

  /** Sends a chunk at time `start`, and schedules its arrival at the next router. */
  function depart(c: number, slot: number, k: number, start: number, bits: number): void {
    const time = (mem[c + STATE] & SHORT) === 0 ? mem[k + FULL] : timeOf(mem[c + cold + BYTES], perByte[slot >> vcBits])
    const end = jitter ? start + time + linkNoise(bits) : start + time
    if (undo) note(k + SENT)
    mem[k + FREE] = end
    mem[k + SENT] =
      mem[k + SENT] + ((mem[c + STATE] & SHORT) === 0 ? chunkFlits : Math.ceil(mem[c + cold + BYTES] / flitBytes))
    const far = mem[k + FAR]
    if (far < 0) eject(c, slot, end + mem[k + AFTER])
    else push(c, (cutThrough && time > headTime ? end - time + headTime : end) + mem[k + AFTER], ARRIVE | far)
  }

  /** Ejects a chunk. Endpoints always accept chunks, so all times are known now. */
  function eject(c: number, slot: number, arrival: number): void {
    const delay = oneCredit ? oneCredit : creditTimes[slot]
    give(slot, jitter ? arrival + delay + linkNoise(draw(mem[c + UID] ^ ejection, 0)) : arrival + delay)
    deliver(c, arrival)
    if (rankAdapter !== undefined && mem[c + cold + STREAM] === rankAdapter.stream) rankAdapter.arrives(c, arrival)
    else release(c)
  }

  /**
   * The channel is busy and its order may still change: queues the chunk by VC, with one pending SEND event per
   * channel. With early commit, the channel may already be free: a chunk that joined while it was busy left without its
   * local latency, and was short enough to finish within it.
   */
  function queue(c: number, slot: number, k: number, t: number): void {
    append(c, queues + slot * QUEUE_WORDS)
    if (undo) note(k + QUEUED)
    if (mem[k + QUEUED]++ === 0) push(alloc(), Math.max(t, mem[k + FREE]), SEND | (slot >> vcBits))
  }

  /**
   * Handles a SEND event: serves the next chunk of a channel, and schedules the next SEND if more chunks are queued.
   */
  function send(e: number, t: number, chan: number): void {
    const k = channels + chan * CHANNEL_WORDS
    const vc = next(chan, k)
    const slot = (chan << vcBits) | vc
    const q = queues + slot * QUEUE_WORDS
    const c = mem[q + FIRST]
    const left = mem[k + QUEUED] - 1
    if (undo) {
      note(q + FIRST)
      note(k + QUEUED)
      note(k + FREE)
      if (early) note(k + BOUND)
      if (roundRobin) note(k + SERVED)
    }
    mem[q + FIRST] = mem[c + NEXT]
    mem[k + QUEUED] = left
    if (early) mem[k + BOUND] = t
    if (roundRobin) mem[k + SERVED] = vc + 1
    depart(c, slot, k, t, jitter ? noiseOf(c) : 0)
    if (left > 0) push(e, mem[k + FREE], SEND | chan)
    else release(e)
  }

  /** Returns the VC to serve. At least one VC has a queued chunk. */
  function next(chan: number, k: number): number {
    const base = queues + (chan << vcBits) * QUEUE_WORDS + FIRST
    if (roundRobin) {
      for (let v = mem[k + SERVED] % vcs; ; v = v + 1 < vcs ? v + 1 : 0) if (mem[base + v * QUEUE_WORDS] !== 0) return v
    }
    if (highFirst) {
      for (let v = vcs - 1; ; v--) if (mem[base + v * QUEUE_WORDS] !== 0) return v
    }
    for (let v = 0; ; v++) if (mem[base + v * QUEUE_WORDS] !== 0) return v
  }

  function sent(chan: number): number {
    return mem[channels + chan * CHANNEL_WORDS + SENT]
  }

  function waits(): Int32Array {
    return waitsIn(mem, waiting + FIRST, QUEUE_WORDS, entrySlots, cold)
  }

  return {
    arrive,
    send,
    wake,
    sent,
    waits,
    queues: (visit) => queuesIn(mem, { waiting, queues }, QUEUE_WORDS, entrySlots, visit),
  }
}

function isOneBit(mask: number): boolean {
  return (mask & (mask - 1)) === 0
}

function lowest(mask: number): number {
  return 31 - Math.clz32(mask & -mask)
}

/** Returns the value that all entries have, or 0. */
function sameValue(a: Int32Array, b: Int32Array): number {
  const v = b[0]
  return a.every((x) => x === v) && b.every((x) => x === v) ? v : 0
}
