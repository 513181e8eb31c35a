// How one send becomes messages. Short ones go at once (eager); long ones ask first: request to send, clear to send when the receive is there, data.
// "High performance RDMA-based MPI implementation over InfiniBand", J. Liu, J. Wu and D. K. Panda, 2003, has both protocols.
import { bitsFor } from "../../core/bitset.ts"
import { draw, streamOf } from "../../core/rng.ts"
import { COUNT, FROM, type RankHost, TELL, TO, WHAT } from "../../model/workload.ts"
import {
  ASKS_FIRST,
  BYTES,
  CAUSE,
  CLEAR_TO_SEND,
  CONTEXT,
  DATA,
  EAGER,
  HANDED,
  MESSAGES,
  PAIR,
  PARENT,
  PEER,
  PLACE,
  PROBES,
  type RankColumns,
  RECEIVER,
  REQUESTS_TO_SEND,
  ROLE,
  SENDER,
  SIZE_WORDS,
  SIZES,
  TAG,
} from "./columns.ts"
import type { Matching } from "./matching.ts"
import type { MpiParams } from "./params.ts"
import type { Words } from "./words.ts"

export interface ProtocolSite {
  readonly host: RankHost
  readonly words: Words
  readonly at: RankColumns
  readonly matching: Matching
  /** [rank] -> what its job's MPI costs */
  params(rank: number): MpiParams
  seed(rank: number): number
  /** Number of a pair of ranks. */
  pair(from: number, to: number): number
  /** What led to what happens now (trail.ts). */
  step(): number
  /** The send has finished; all of the message is there. */
  sent(e: number, rank: number, t: number): void
  received(e: number, rank: number, t: number): void
  /** A probe found its message. */
  found(e: number, rank: number, t: number): void
}

export interface Protocol {
  /** The processor is done with send `e`. */
  send(e: number, rank: number, t: number): void
  /** Receive or probe `e` is posted. */
  receive(e: number, rank: number, t: number): void
  probe(e: number, rank: number, t: number): void
  /** A message has come. */
  arrived(m: number, rank: number, t: number): void
  /** A message of its own has left. */
  left(m: number, rank: number, t: number): void
}

/** ceil(log2 bytes) */
function sizeClass(bytes: number): number {
  return bytes > 2 ** 30 ? 30 + bitsFor(Math.ceil(bytes / 2 ** 30)) : bitsFor(Math.max(1, bytes))
}

export function makeProtocol(site: ProtocolSite): Protocol {
  const { host, words, at, matching } = site
  const { mem, own, alloc, release } = host
  const { set, add, long, setLong, addLong } = words

  /** A message of `rank` to another, without what only some have. */
  function message(what: number, rank: number, to: number, bytes: number): number {
    const m = alloc()
    const y = m + own
    const count = at.at[rank]! + MESSAGES
    set(y + WHAT, what)
    set(y + FROM, rank)
    set(y + TO, to)
    set(y + COUNT, mem[count]!)
    add(count, 1)
    set(y + SENDER, 0)
    set(y + RECEIVER, 0)
    set(y + TAG, 0)
    set(y + CONTEXT, 0)
    set(y + PAIR, -1)
    set(y + PLACE, 0)
    setLong(y + BYTES, bytes)
    set(y + CAUSE, site.step())
    return m
  }

  function noiseOf(m: number, p: MpiParams): number {
    const rank = mem[m + own + FROM]!
    return ((draw(streamOf(site.seed(rank), rank), mem[m + own + COUNT]!) >>> 0) * p.noise) / 2 ** 32
  }

  /** To the interface after the delays that every message has, and `more`. */
  function hand(m: number, wire: number, t: number, more: number, p: MpiParams): void {
    const when = Math.round(t + p.software + p.nic + more + (p.noise > 0 ? noiseOf(m, p) : 0))
    setLong(m + own + HANDED, when)
    host.send(m, Math.max(wire, p.header), when)
  }

  function eagerly(e: number, bytes: number, p: MpiParams): boolean {
    if ((mem[e + own + WHAT]! & ASKS_FIRST) !== 0) return false
    return p.limit === "below" ? bytes < p.eager : bytes <= p.eager
  }

  function send(e: number, rank: number, t: number): void {
    const x = e + own
    const p = site.params(rank)
    const to = mem[x + PEER]!
    const bytes = long(x + BYTES)
    const eager = eagerly(e, bytes, p)
    const tell = eager && p.sends === "left"
    const m = message(eager ? (tell ? EAGER | TELL : EAGER) : REQUESTS_TO_SEND, rank, to, bytes)
    const y = m + own
    set(y + TAG, mem[x + TAG]!)
    set(y + CONTEXT, mem[x + CONTEXT]!)
    set(y + SENDER, e)
    // those of collectives carry numbers that tell them apart
    if (p.matching === "ordered" && mem[x + PARENT] === 0) {
      const pair = site.pair(rank, to)
      set(y + PAIR, pair)
      set(y + PLACE, mem[at.sent + pair]!)
      add(at.sent + pair, 1)
    }
    if (eager) hand(m, bytes, t, p.copy * bytes, p)
    else hand(m, p.control, t, 0, p)
    if (eager && !tell) site.sent(e, rank, t)
  }

  /** The receive is there and so is its message, or the request to send it. */
  function meet(e: number, m: number, rank: number, t: number): void {
    const y = m + own
    if ((mem[y + WHAT]! & ROLE) === EAGER) site.received(e, rank, t)
    else {
      const p = site.params(rank)
      const answer = message(CLEAR_TO_SEND, rank, mem[y + FROM]!, 0)
      set(answer + own + SENDER, mem[y + SENDER]!)
      set(answer + own + RECEIVER, e)
      hand(answer, p.control, t, 0, p)
    }
    release(m)
  }

  function deliver(m: number, rank: number, t: number): void {
    let e = matching.receiveFor(rank, m)
    while (e !== 0 && (mem[e + own + WHAT]! & ROLE) === PROBES) {
      site.found(e, rank, t)
      e = matching.receiveFor(rank, m)
    }
    if (e === 0) matching.keep(rank, m)
    else meet(e, m, rank, t)
  }

  /** Time from the sender's interface to all of it here, by size. */
  function measured(m: number, rank: number, t: number): void {
    const y = m + own
    const bytes = long(y + BYTES)
    const took = t - long(y + HANDED)
    const s = at.at[rank]! + SIZES + SIZE_WORDS * sizeClass(bytes)
    add(s, 1)
    addLong(s + 1, took)
    if (took > long(s + 3)) setLong(s + 3, took)
  }

  function arrived(m: number, rank: number, t: number): void {
    const y = m + own
    const role = mem[y + WHAT]! & ROLE
    if (role === EAGER || role === DATA) measured(m, rank, t)
    if (role === DATA) {
      site.received(mem[y + RECEIVER]!, rank, t)
      release(m)
    } else if (role === CLEAR_TO_SEND) {
      const e = mem[y + SENDER]!
      const p = site.params(rank)
      const bytes = long(e + own + BYTES)
      const data = message(DATA | TELL, rank, mem[e + own + PEER]!, bytes)
      set(data + own + SENDER, e)
      set(data + own + RECEIVER, mem[y + RECEIVER]!)
      release(m)
      hand(data, bytes, t, 0, p)
    } else if (matching.inTurn(rank, m)) {
      let turn = m
      while (turn !== 0) {
        // delivering may give the record away: its pair is asked for first
        const after = matching.next(rank, turn)
        deliver(turn, rank, t)
        turn = after
      }
    }
  }

  return {
    send,
    receive(e, rank, t) {
      const m = matching.messageFor(rank, e, true)
      if (m === 0) matching.post(rank, e)
      else meet(e, m, rank, t)
    },
    probe(e, rank, t) {
      if (matching.messageFor(rank, e, false) !== 0) site.found(e, rank, t)
      else matching.post(rank, e)
    },
    arrived,
    left(m, rank, t) {
      const e = mem[m + own + SENDER]!
      release(m)
      site.sent(e, rank, t)
    },
  }
}
