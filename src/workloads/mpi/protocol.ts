// The message protocols of MPI. A short message is sent at once (eager). A long message uses a rendezvous: the sender
// sends a request to send (RTS), the receiver replies with clear to send (CTS) when the receive is posted, then the
// sender sends the data. Both protocols are those of J. Liu, J. Wu and D. K. Panda, "High performance RDMA-based MPI
// implementation over InfiniBand", 2003. ranks.ts calls `send`, `receive` and `probe` for operations, and `arrived` and
// `left` for messages.
//
// The parameters (params.ts) set the threshold, the delays and the time at which a send counts as finished. Limits: the
// receiver's buffer for unexpected eager messages is unbounded, and a rendezvous always pushes data (no RDMA read).
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
  /** Returns the MPI cost parameters of the job of a rank. */
  params(rank: number): MpiParams
  seed(rank: number): number
  /** Returns the number of a pair of ranks. */
  pair(from: number, to: number): number
  /** Returns the step that caused the current event (critical-path.ts). */
  step(): number
  /** Called when a send has finished, and when all of a message has been received. */
  sent(e: number, rank: number, t: number): void
  received(e: number, rank: number, t: number): void
  /** Called when a probe has found its message. */
  found(e: number, rank: number, t: number): void
}

export interface Protocol {
  /** Sends the message of operation `e`, for which the processor has spent its overhead. */
  send(e: number, rank: number, t: number): void
  /** Posts receive or probe `e`. */
  receive(e: number, rank: number, t: number): void
  probe(e: number, rank: number, t: number): void
  /** A message has arrived. */
  arrived(m: number, rank: number, t: number): void
  /** The last flit of an own message has left the network interface. */
  left(m: number, rank: number, t: number): void
}

/** Returns ceil(log2 bytes), the row of the latency statistics by size. */
export function sizeClass(bytes: number): number {
  return bytes > 2 ** 30 ? 30 + bitsFor(Math.ceil(bytes / 2 ** 30)) : bitsFor(Math.max(1, bytes))
}

export function makeProtocol(site: ProtocolSite): Protocol {
  const { host, words, at, matching } = site
  const { mem, own, alloc, release } = host
  const { set, add, long, setLong, addLong } = words

  /** Allocates a message record of `rank` to another rank, with the fields that all messages have. */
  function message(what: number, rank: number, to: number, bytes: number): number {
    const m = alloc()
    const y = m + own
    const count = at.at[rank] + MESSAGES
    set(y + WHAT, what)
    set(y + FROM, rank)
    set(y + TO, to)
    set(y + COUNT, mem[count])
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

  /**
   * Returns the random delay of a message. It depends only on the seed, the rank and the message count, so it is the
   * same for any number of workers.
   */
  function noiseOf(m: number, p: MpiParams): number {
    const rank = mem[m + own + FROM]
    return ((draw(streamOf(site.seed(rank), rank), mem[m + own + COUNT]) >>> 0) * p.noise) / 2 ** 32
  }

  /** Hands the message to the network interface after the delays of every message and after `more` ps. */
  function hand(m: number, wire: number, t: number, more: number, p: MpiParams): void {
    const when = Math.round(t + p.software + p.nic + more + (p.noise > 0 ? noiseOf(m, p) : 0))
    setLong(m + own + HANDED, when)
    host.send(m, Math.max(wire, p.header), when)
  }

  /** Returns true if the message uses the eager protocol: short enough, and not a synchronous send. */
  function eagerly(e: number, bytes: number, p: MpiParams): boolean {
    if ((mem[e + own + WHAT] & ASKS_FIRST) !== 0) return false
    return p.limit === "below" ? bytes < p.eager : bytes <= p.eager
  }

  function send(e: number, rank: number, t: number): void {
    const x = e + own
    const p = site.params(rank)
    const to = mem[x + PEER]
    const bytes = long(x + BYTES)
    const eager = eagerly(e, bytes, p)
    // The flag requests an event when the last flit has left. It is needed where the send finishes only then.
    const tell = eager && p.sends === "left"
    const m = message(eager ? (tell ? EAGER | TELL : EAGER) : REQUESTS_TO_SEND, rank, to, bytes)
    const y = m + own
    set(y + TAG, mem[x + TAG])
    set(y + CONTEXT, mem[x + CONTEXT])
    set(y + SENDER, e)
    // MPI matches the messages of a pair in the order of their sends, so they carry a sequence number. Messages of
    // collectives need none, because their tags are unique.
    if (p.matching === "ordered" && mem[x + PARENT] === 0) {
      const pair = site.pair(rank, to)
      set(y + PAIR, pair)
      set(y + PLACE, mem[at.sent + pair])
      add(at.sent + pair, 1)
    }
    if (eager) hand(m, bytes, t, p.copy * bytes, p)
    else hand(m, p.control, t, 0, p)
    // The data was copied: the send is finished although the message is still in flight.
    if (eager && !tell) site.sent(e, rank, t)
  }

  /** A receive has met its message (eager: the data is here) or its RTS (then the CTS is sent). */
  function startTransfer(e: number, m: number, rank: number, t: number): void {
    const y = m + own
    if ((mem[y + WHAT] & ROLE) === EAGER) site.received(e, rank, t)
    else {
      const p = site.params(rank)
      const answer = message(CLEAR_TO_SEND, rank, mem[y + FROM], 0)
      set(answer + own + SENDER, mem[y + SENDER])
      set(answer + own + RECEIVER, e)
      hand(answer, p.control, t, 0, p)
    }
    release(m)
  }

  /** Matches message `m` with a posted receive. Probes in front of it see the message, but do not take it. */
  function deliver(m: number, rank: number, t: number): void {
    let e = matching.receiveFor(rank, m)
    while (e !== 0 && (mem[e + own + WHAT] & ROLE) === PROBES) {
      site.found(e, rank, t)
      e = matching.receiveFor(rank, m)
    }
    if (e === 0) matching.keep(rank, m)
    else startTransfer(e, m, rank, t)
  }

  /** Adds the latency of a message, from the sender's network interface to its last byte here, to its size class. */
  function measured(m: number, rank: number, t: number): void {
    const y = m + own
    const bytes = long(y + BYTES)
    const took = t - long(y + HANDED)
    const s = at.at[rank] + SIZES + SIZE_WORDS * sizeClass(bytes)
    add(s, 1)
    addLong(s + 1, took)
    if (took > long(s + 3)) setLong(s + 3, took)
  }

  function arrived(m: number, rank: number, t: number): void {
    const y = m + own
    const role = mem[y + WHAT] & ROLE
    if (role === EAGER || role === DATA) measured(m, rank, t)
    if (role === DATA) {
      site.received(mem[y + RECEIVER], rank, t)
      release(m)
    } else if (role === CLEAR_TO_SEND) {
      const e = mem[y + SENDER]
      const p = site.params(rank)
      const bytes = long(e + own + BYTES)
      const data = message(DATA | TELL, rank, mem[e + own + PEER], bytes)
      set(data + own + SENDER, e)
      set(data + own + RECEIVER, mem[y + RECEIVER])
      release(m)
      hand(data, bytes, t, 0, p)
    } else if (matching.inTurn(rank, m)) {
      let turn = m
      while (turn !== 0) {
        // `deliver` may release the record, so the next message of the pair is determined first.
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
      else startTransfer(e, m, rank, t)
    },
    probe(e, rank, t) {
      if (matching.messageFor(rank, e, false) !== 0) site.found(e, rank, t)
      else matching.post(rank, e)
    },
    arrived,
    left(m, rank, t) {
      const e = mem[m + own + SENDER]
      release(m)
      site.sent(e, rank, t)
    },
  }
}
