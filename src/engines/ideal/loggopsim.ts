// The ideal network by the rules of LogGOPSim ("LogGOPSim - simulating large-scale applications in the LogGOPS model",
// T. Hoefler, T. Schneider and A. Lumsdaine, 2010). They differ from the rules of engine.ts.
//
// A send of s bytes needs its processor and its network interface. It occupies the processor for o + (s - 1) O and the
// interface for g + (s - 1) G. Its message arrives o + L after the start. An arrival needs the receiver's processor and
// interface of the numbers that the send names. It occupies them for o + (s - 1) max(O, G) and g + (s - 1) G, whether
// or not a receive is posted. A receive therefore costs nothing. A message with s > S is a rendezvous: its data are
// sent at once, and only the end of the send waits for the match.
//
// Events are ordered by time, then by a number. An operation gets its number when it becomes free, a message when it is
// sent. An operation that finds its resources busy is put back and keeps its number. A dependency between two
// processors of a rank carries no time: the dependent operation is queued when its own processor is free, which may be
// in the past.
import { Heap } from "../../core/heap.ts"
import { CALC, type Executed, type Lists, RECV, type Schedule, SEND, WILD } from "../../model/schedule.ts"

/** Network parameters in ps. */
export interface Network {
  readonly L: number
  readonly g: number
  readonly G: number
}

/** State as columns. */
interface State extends Executed {
  /** open dependencies; next entry of the list of receives or messages that the operation is in */
  readonly left: Int32Array
  readonly next: Int32Array
  /** [rank] -> posted receives and unexpected messages (first and last, -1: empty) */
  readonly posted: Int32Array
  readonly early: Int32Array
  /** times from which a processor, and an interface for sending and receiving, is free */
  readonly processor: Float64Array
  readonly sends: Float64Array
  readonly receives: Float64Array
}

/** A copy of the state between two events. */
export interface LogGOPSimState {
  readonly numbers: {
    readonly now: number
    readonly issued: number
    readonly events: number
    readonly messages: number
    readonly bytes: number
  }
  readonly columns: {
    readonly ints: Int32Array
    readonly reals: Float64Array
    readonly times: Float64Array
    readonly ties: Float64Array
    readonly items: Int32Array
  }
}

export interface LogGOPSim {
  /** Runs until no event is left, the clock would pass `limit`, or `events` events were executed. Returns the clock. */
  run(limit: number, events?: number): number
  pending(): number
  finished(rank: number): boolean
  /** Returns the time from which all processors of the rank are free. */
  freeFrom(rank: number): number
  readonly counts: { events: number; messages: number; bytes: number }
  readonly state: Executed
  /** words of 32 bits */
  readonly words: number
  save(): LogGOPSimState
  restore(saved: LogGOPSimState): void
}

export function makeLogGOPSim(schedule: Schedule, { L, g, G }: Network): LogGOPSim {
  const { ranks, first, kind, peer, tag, context, amount, cpu, nic, cpus, nics, o, O, S } = schedule
  const count = kind.length
  const rankOf = new Int32Array(count)
  for (let r = 0; r < ranks; r++) rankOf.fill(r, first[r], first[r + 1])
  const { ints, reals, state } = emptyState(schedule)
  const { left, next, posted, early, processor, sends, receives, started, arrived, cause } = state
  const heap = new Heap()
  const numbers = { now: 0, issued: 0, events: 0, messages: 0, bytes: 0 }
  /** Operations that became free in the current event. */
  let free: number[] = []

  /** Queues the operations that became free: rank by rank, by kind, then in the order in which they became free. */
  function flush(): void {
    if (free.length > 1) free.sort((a, b) => rankOf[a] - rankOf[b] || kind[a] - kind[b])
    for (const i of free) {
      const on = processor[rankOf[i] * cpus + cpu[i]]
      const at = kind[i] === SEND ? Math.max(on, sends[rankOf[i] * nics + nic[i]]) : on
      heap.push(at, numbers.issued++, 2 * i)
    }
    free = []
  }
  function release({ first: from, items }: Lists, op: number, by: number): void {
    for (let i = from[op]; i < from[op + 1]; i++) {
      cause[items[i]] = by
      if (--left[items[i]] === 0) free.push(items[i])
    }
  }
  function end(op: number, by: number): void {
    state.ended[rankOf[op]]++
    release(schedule.done, op, by)
  }
  function book(rank: number, c: number, until: number, by: number): void {
    processor[rank * cpus + c] = until
    if (until >= freeFrom(rank)) state.last[rank] = by
  }
  const fits = (recv: number, send: number) =>
    context[recv] === context[send] &&
    (peer[recv] === WILD || peer[recv] === rankOf[send]) &&
    (tag[recv] === WILD || tag[recv] === tag[send])

  /** Ends the rendezvous of a send at its match. `by` names the processor and the interface that are lifted. */
  function matched(send: number, by: number, t: number): void {
    const r = rankOf[send]
    if (amount[send] <= S[r]) return
    const c = r * cpus + cpu[by]
    const n = r * nics + nic[by]
    processor[c] = Math.max(processor[c], t)
    sends[n] = Math.max(sends[n], t)
    end(send, cause[by])
  }

  function arrive(op: number, t: number, number: number): void {
    const r = peer[op]
    const c = r * cpus + cpu[op]
    const n = r * nics + nic[op]
    const when = Math.max(processor[c], receives[n])
    if (when > t) {
      heap.push(when, number, 2 * op + 1)
      return
    }
    const more = amount[op] - 1
    arrived[op] = t
    receives[n] = Math.round(t + g + more * G)
    book(r, cpu[op], Math.round(t + o[r] + more * Math.max(O[r], G)), op)
    const recv = take(posted, r, (i) => fits(i, op))
    if (recv < 0) append(early, r, op)
    else {
      end(recv, op)
      matched(op, op, t)
    }
  }

  function start(op: number, t: number, number: number): void {
    const r = rankOf[op]
    const c = r * cpus + cpu[op]
    const n = r * nics + nic[op]
    const when = kind[op] === RECV ? t : kind[op] === CALC ? processor[c] : Math.max(processor[c], sends[n])
    if (when > t) {
      heap.push(when, number, 2 * op)
      return
    }
    started[op] = t
    if (kind[op] === RECV) {
      release(schedule.started, op, cause[op])
      const send = take(early, r, (i) => fits(op, i))
      if (send < 0) append(posted, r, op)
      else {
        end(op, cause[op])
        matched(send, op, t)
      }
      return
    }
    const more = amount[op] - 1
    const took = kind[op] === CALC ? amount[op] : o[r] + more * O[r]
    book(r, cpu[op], Math.round(t + took), cause[op])
    if (kind[op] === SEND) {
      sends[n] = Math.round(t + g + more * G)
      numbers.messages++
      numbers.bytes += amount[op]
      heap.push(Math.round(t + o[r] + L), numbers.issued++, 2 * op + 1)
    }
    release(schedule.started, op, cause[op])
    if (kind[op] === CALC || amount[op] <= S[r]) end(op, cause[op])
  }

  /** Removes and returns the oldest entry of a list of a rank that fits, or -1. */
  function take(list: Int32Array, rank: number, wanted: (i: number) => boolean): number {
    let before = -1
    for (let i = list[2 * rank]; i >= 0; before = i, i = next[i]) {
      if (!wanted(i)) continue
      if (before < 0) list[2 * rank] = next[i]
      else next[before] = next[i]
      if (list[2 * rank + 1] === i) list[2 * rank + 1] = before
      return i
    }
    return -1
  }
  function append(list: Int32Array, rank: number, i: number): void {
    const tail = list[2 * rank + 1]
    next[i] = -1
    if (tail < 0) list[2 * rank] = i
    else next[tail] = i
    list[2 * rank + 1] = i
  }
  function freeFrom(rank: number): number {
    let most = schedule.start[rank]
    for (let c = rank * cpus; c < (rank + 1) * cpus; c++) most = Math.max(most, processor[c])
    return most
  }

  for (let r = 0; r < ranks; r++) for (let i = first[r]; i < first[r + 1]; i++) if (left[i] === 0) free.push(i)
  flush()

  return {
    counts: numbers,
    state,
    words: ints.length + 2 * reals.length,
    pending: () => heap.size,
    finished: (rank) => state.ended[rank] === first[rank + 1] - first[rank],
    freeFrom,
    run(limit, events = Number.POSITIVE_INFINITY) {
      for (let n = 0; n < events && heap.size > 0 && heap.firstTime <= limit; n++) {
        const t = heap.firstTime
        const number = heap.firstTie
        const item = heap.pop()
        numbers.now = Math.max(numbers.now, t)
        numbers.events++
        if ((item & 1) === 1) arrive(item >> 1, t, number)
        else start(item >> 1, t, number)
        flush()
      }
      // The run ends when the last processor is free, which is after the last event.
      if (heap.size === 0) for (let r = 0; r < ranks; r++) numbers.now = Math.max(numbers.now, freeFrom(r))
      return numbers.now
    },
    save: () => ({ numbers: { ...numbers }, columns: { ints: ints.slice(), reals: reals.slice(), ...heap.save() } }),
    restore({ numbers: was, columns }) {
      ints.set(columns.ints)
      reals.set(columns.reals)
      heap.restore(columns)
      Object.assign(numbers, was)
    },
  }
}

/** Lays out the columns of the state in two arrays, which a copy of the state contains. */
function emptyState({ kind, needs, ranks, cpus, nics, start }: Schedule): {
  ints: Int32Array
  reals: Float64Array
  state: State
} {
  const count = kind.length
  const ints = new Int32Array(3 * count + 6 * ranks).fill(-1)
  const reals = new Float64Array(2 * count + ranks * (cpus + 2 * nics)).fill(-1)
  let usedInts = 0
  let usedReals = 0
  const int = (n: number) => ints.subarray(usedInts, (usedInts += n))
  const real = (n: number) => reals.subarray(usedReals, (usedReals += n))
  const state: State = {
    left: int(count),
    next: int(count),
    cause: int(count),
    posted: int(2 * ranks),
    early: int(2 * ranks),
    ended: int(ranks),
    last: int(ranks),
    started: real(count),
    arrived: real(count),
    processor: real(ranks * cpus),
    sends: real(ranks * nics),
    receives: real(ranks * nics),
  }
  state.left.set(needs)
  state.ended.fill(0)
  for (let r = 0; r < ranks; r++) {
    state.processor.fill(start[r], r * cpus, (r + 1) * cpus)
    state.sends.fill(start[r], r * nics, (r + 1) * nics)
    state.receives.fill(start[r], r * nics, (r + 1) * nics)
  }
  return { ints, reals, state }
}
