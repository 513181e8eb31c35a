// The event handler of MPI ranks. A rank issues its operations in program order, starts each one when its needs have
// finished, and shares one processor among them. The engine calls `event` for each wake-up and each message of a rank.
//
// Life of an operation (record `e`):
//   1. `step` reads the next operation and `issue` allocates its record and registers its needs (needs.ts).
//   2. `start` runs when no need is open. It starts computing, a send, a receive, or the first round of a collective.
//   3. Computing and CPU overheads occupy the processor (processor.ts); a wake-up event reports the end.
//   4. The protocol (protocol.ts) calls `finish` for sends and receives; `finish` releases dependents and the record.
//
// All state is in words of the engine's memory (columns.ts), written through `set` and `add`, so an optimistic engine
// can roll it back. The closures below contain no state between events: `queue` is empty when `event` returns.
import { draw } from "../../core/rng.ts"
import { COUNT, LEFT, LINK, type RankHost, type Ranks, WHAT } from "../../model/workload.ts"
import {
  ANY,
  amount,
  BLOCKS,
  COMM,
  isCollective,
  KIND,
  Kind,
  kindOf,
  LIST,
  NEEDS,
  NONE,
  ONE_OF,
  PEER as OP_PEER,
  TAG as OP_TAG,
  PARTIAL,
  REQUEST,
  SYNCHRONOUS,
} from "../program.ts"
import * as C from "./columns.ts"
import { makeControl } from "./control.ts"
import { makeCriticalPath } from "./critical-path.ts"
import type { Job } from "./job.ts"
import { makeMatching } from "./matching.ts"
import { makeNeeds } from "./needs.ts"
import { BLOCKED, makeOperations, operationWords, PROGRESS } from "./operations.ts"
import { makeProcessor } from "./processor.ts"
import { makeProtocol } from "./protocol.ts"
import { Reader } from "./reader.ts"
import { makeRounds } from "./rounds.ts"
import { makeTimeline } from "./timeline.ts"
import { makeWords } from "./words.ts"

/** Flag of the matching context of a collective's messages, so that they never match point-to-point receives. */
const OF_COLLECTIVE = 1 << 30
/** Matching context of SELF: larger than the number of any group. */
const SELF_CONTEXT = (1 << 29) - 1

/**
 * Words of a rank that enter its digest. They contain no record numbers, because those depend on the allocation order.
 */
const TOLD = [
  C.PC,
  C.FLAGS,
  C.EVENTS,
  C.MESSAGES,
  C.ACTIVE,
  C.BEGAN,
  C.ENDED,
  C.ENDED + 1,
  C.COMPUTED,
  C.DEPTH,
] as const

function roleOf(kind: number): number {
  if (isCollective(kind)) return C.COLLECTIVE
  if (kind === Kind.COMPUTE) return C.COMPUTES
  if (kind === Kind.SEND) return C.SENDS
  if (kind === Kind.RECV) return C.RECEIVES
  return kind === Kind.PROBE ? C.PROBES : C.WAITS
}

/** `summary`: words of a rank that a report needs. */
export function makeRanks(jobs: readonly Job[], at: C.RankColumns, host: RankHost, summary = C.FIXED): Ranks {
  const { mem, own, alloc, release, wake } = host
  const words = makeWords(host)
  const { set, add, long, setLong, addLong } = words
  const count = jobs.reduce((n, j) => n + j.ranks, 0)
  const jobOf: Job[] = jobs.flatMap((j) => Array.from({ length: j.ranks }, () => j))
  const reader = new Reader(jobOf)
  /** FIFO of operations that became ready during the current event. */
  let queue = new Int32Array(64)
  let head = 0
  let tail = 0

  /**
   * Appends a ready operation to the FIFO. `settle` starts it, so that no operation starts inside the handler of
   * another.
   */
  function go(e: number): void {
    if (tail === queue.length) {
      const more = new Int32Array(2 * queue.length)
      more.set(queue)
      queue = more
    }
    queue[tail++] = e
  }

  const control = makeControl(host, words, at, jobOf, reader)
  const criticalPath = makeCriticalPath(host, words, at)
  const timeline = makeTimeline(mem, words, at)
  const operations = at.rows === 0 ? undefined : makeOperations(mem, words, at)
  const matching = makeMatching(host, words, at)
  const needs = makeNeeds(host, words, go)
  const protocol = makeProtocol({
    host,
    words,
    at,
    matching,
    params: (rank) => jobOf[rank].params,
    seed: (rank) => jobOf[rank].seed,
    pair: (from, to) => jobOf[from].pair(from, to),
    step: criticalPath.step,
    sent: finish,
    found: finish,
    received(e, rank, t) {
      if (durationOf(e, rank) > 0) occupy(e, rank, t)
      else finish(e, rank, t)
    },
  })
  const processor = makeProcessor({
    host,
    words,
    at,
    jobOf,
    criticalPath,
    timeline,
    operations,
    sends: protocol.send,
    finish,
  })
  const { durationOf, occupy } = processor
  const nextRound = makeRounds({ host, words, at, jobOf, reader, slot, launch, receive: protocol.receive, finish, go })

  /**
   * Starts operation `e`, whose needs have finished; a collective that has already started continues with its next
   * round.
   */
  function start(e: number, rank: number, t: number): void {
    const x = e + own
    const what = mem[x + WHAT]
    const role = what & C.ROLE
    if (role === C.COLLECTIVE && (what & C.STARTED) !== 0) {
      nextRound(e, rank, t)
      return
    }
    set(x + WHAT, what | C.STARTED)
    needs.started(e)
    // Only stored operations read the time of an operation that does not block, and those of a graph start late.
    if (operations !== undefined && (what & C.BLOCKING) === 0 && at.times[rank] < 0) setLong(x + C.SINCE, t)
    if (role === C.WAITS) {
      if ((what & C.FIRST_OF) !== 0) forgetOthers(e, rank)
      finish(e, rank, t)
    } else if (role === C.COLLECTIVE) nextRound(e, rank, t)
    // MPI_PROC_NULL: a send or receive without a partner finishes at once.
    else if (mem[x + C.PEER] === NONE) finish(e, rank, t)
    else if (role === C.COMPUTES) {
      if (durationOf(e, rank) > 0) occupy(e, rank, t)
      else finish(e, rank, t)
    } else if (role === C.SENDS) launch(e, rank, t)
    else if (role === C.RECEIVES) protocol.receive(e, rank, t)
    else protocol.probe(e, rank, t)
  }

  /** Starts a send: on the processor if it costs CPU time or the network interface is still busy, otherwise at once. */
  function launch(e: number, rank: number, t: number): void {
    if (durationOf(e, rank) > 0 || host.ready(rank, t) > t) occupy(e, rank, t)
    else protocol.send(e, rank, t)
  }

  /** Removes wait `e` (Waitany) from the other requests that it waited for, because one of them has finished. */
  function forgetOthers(e: number, rank: number): void {
    const row = reader.row(rank, mem[e + own + C.OP])
    const { ops, list } = reader
    for (let i = 0; i < ops[row + NEEDS]; i++) {
      const other = mem[at.requests[rank] + list[ops[row + LIST] + i]]
      if (other !== 0) needs.forget(other, e)
    }
  }

  /**
   * Finishes operation `e`: continues its collective if it belongs to one, otherwise unblocks the rank and its
   * dependents.
   */
  function finish(e: number, rank: number, t: number): void {
    const x = e + own
    const r = at.at[rank]
    const parent = mem[x + C.PARENT]
    if (parent !== 0) {
      release(e)
      const left = mem[parent + own + C.PENDING] - 1
      set(parent + own + C.PENDING, left)
      if (left === 0) go(parent)
      return
    }
    if (mem[r + C.BLOCKER] === e) {
      set(r + C.BLOCKER, 0)
      // The time in which the rank was blocked counts for the call that blocked it.
      const took = t - long(x + C.SINCE)
      if (took > 0) {
        const row = reader.row(rank, mem[x + C.OP])
        const kind = kindOf(reader.ops[row + KIND])
        addLong(r + C.CALLS + C.CALL_WORDS * kind + 1, took)
        if (kind !== Kind.COMPUTE) {
          timeline.add(rank, C.HELD_BACK, t - took, t)
          operations?.add(rank, mem[x + C.OP], BLOCKED, t - took, t)
        }
      }
    } else if (operations !== undefined && t > long(x + C.SINCE)) {
      const role = mem[x + WHAT] & C.ROLE
      if (role !== C.WAITS && role !== C.COMPUTES) operations.add(rank, mem[x + C.OP], PROGRESS, long(x + C.SINCE), t)
    }
    const request = mem[x + C.REQ]
    if (request >= 0 && at.times[rank] >= 0) {
      const issued = (mem[x + WHAT] & C.ROLE) === C.SENDS
      setLong(at.times[rank] + 2 * request, 1 + (issued ? long(x + C.SINCE) : t))
    }
    // The number may already denote a newer operation; clear it only if it still refers to this one.
    if (request >= 0 && mem[at.requests[rank] + request] === e) set(at.requests[rank] + request, 0)
    needs.finished(e)
    add(r + C.ACTIVE, -1)
    release(e)
  }

  /** Allocates the record of an operation without needs, request and parent. Returns its address. */
  function slot(what: number): number {
    const e = alloc()
    const x = e + own
    set(x + WHAT, what)
    set(x + C.OP, -1)
    set(x + C.REQ, NONE)
    set(x + C.PARENT, 0)
    set(x + C.PENDING, 0)
    set(x + C.DEPENDENT, 0)
    set(x + C.ROUND, 0)
    return e
  }

  /** Issues the next operation of the rank. Returns false if the rank is blocked or has no more operations. */
  function step(rank: number, t: number): boolean {
    const r = at.at[rank]
    if (mem[r + C.BLOCKER] !== 0 || mem[r + C.FLAGS] === C.DONE) return false
    const op = mem[r + C.PC]
    const row = reader.row(rank, op)
    if (row < 0) {
      // The end of the stream: the rank is done when its non-blocking operations have finished, too.
      if (mem[r + C.ACTIVE] !== 0) return false
      set(r + C.FLAGS, C.DONE)
      set(r + C.LAST_STEP, criticalPath.step())
      setLong(r + C.ENDED, t)
      return false
    }
    const kind = kindOf(reader.ops[row + KIND])
    if (kind === Kind.LOOP) control.loop(rank, op, row)
    else if (kind === Kind.END) control.turn(rank, op, row)
    else {
      set(r + C.PC, op + 1)
      add(r + C.CALLS + C.CALL_WORDS * kind, 1)
      if (kind >= Kind.COMM_DUP && kind <= Kind.COMM_FREE) control.communicator(rank, op, kind, row)
      else issue(rank, r, op, kind, row, t)
    }
    return true
  }

  /** Allocates the record of operation `op`, registers its needs and starts it if it has none. */
  function issue(rank: number, r: number, op: number, kind: number, row: number, t: number): void {
    const { ops } = reader
    const flags = ops[row + KIND]
    const oneOf = (flags & ONE_OF) !== 0 && ops[row + NEEDS] > 0
    const e = slot(
      roleOf(kind) |
        ((flags & BLOCKS) !== 0 ? C.BLOCKING : 0) |
        (oneOf ? C.FIRST_OF : 0) |
        ((flags & SYNCHRONOUS) !== 0 ? C.ASKS_FIRST : 0),
    )
    const x = e + own
    const request = ops[row + REQUEST]
    const comm = at.comms[rank] + C.COMM_WORDS * ops[row + COMM]
    const group = mem[comm + C.GROUP]
    const context = group < 0 ? SELF_CONTEXT : group
    set(x + C.OP, op)
    set(x + C.REQ, request)
    setLong(x + C.BYTES, amount(ops, row))
    setLong(x + C.SINCE, t)
    add(r + C.ACTIVE, 1)
    if (isCollective(kind)) {
      set(x + C.CONTEXT, context | OF_COLLECTIVE)
      // The k-th collective on a communicator is the same call at all members. So k (in the tag) separates consecutive
      // calls.
      set(x + C.SEQUENCE, mem[comm + C.CALLED])
      add(comm + C.CALLED, 1)
      set(x + C.PEER, ANY)
    } else {
      set(x + C.CONTEXT, context)
      set(x + C.TAG, ops[row + OP_TAG])
      set(
        x + C.PEER,
        kind === Kind.SEND || kind === Kind.RECV || kind === Kind.PROBE
          ? worldRank(rank, group, ops[row + OP_PEER])
          : ANY,
      )
    }
    // Needs are looked up before the request number is overwritten: an operation may need the old owner of its number.
    const some = (flags & (PARTIAL | ONE_OF)) !== 0
    const waits = some && jobOf[rank].params.partialWaits === "free" ? false : register(e, rank, row, oneOf)
    if (request >= 0) set(at.requests[rank] + request, e)
    if ((flags & BLOCKS) !== 0) set(r + C.BLOCKER, e)
    if (!waits) start(e, rank, t)
  }

  /** Returns the global rank of a member of a group; ANY and NONE stay as they are. A negative group is SELF. */
  function worldRank(rank: number, group: number, peer: number): number {
    if (peer < 0) return peer
    if (group < 0) return rank
    const job = jobOf[rank]
    return job.base + job.analysis.groups[group][peer]
  }

  /** Registers `e` with the operations that it needs. Returns true if it must wait for at least one. */
  function register(e: number, rank: number, row: number, oneOf: boolean): boolean {
    const { ops, list } = reader
    const n = ops[row + NEEDS]
    const from = ops[row + LIST]
    if (oneOf) for (let i = 0; i < n; i++) if (mem[at.requests[rank] + list[from + i]] === 0) return false
    let waits = false
    for (let i = 0; i < n; i++) {
      const need = list[from + i]
      const other = mem[at.requests[rank] + (need < 0 ? ~need : need)]
      if (other === 0 || (need < 0 && (mem[other + own + WHAT] & C.STARTED) !== 0)) continue
      needs.wait(other, e, need < 0)
      waits = true
    }
    return waits
  }

  /** Runs the rank until it can make no more progress at time t. Ready operations come before new ones. */
  function settle(rank: number, t: number): void {
    for (;;) {
      if (head < tail) start(queue[head++], rank, t)
      else if (!step(rank, t)) break
    }
    head = 0
    tail = 0
  }

  return {
    count,
    start(rank) {
      const job = jobOf[rank]
      const e = alloc()
      set(e + own + WHAT, C.BEGINS)
      set(e + own + COUNT, 0)
      set(e + LINK, 0)
      add(at.at[rank] + C.EVENTS, 1)
      wake(e, rank, job.start)
    },
    event(e, rank, t) {
      const what = mem[e + own + WHAT]
      const role = what & C.ROLE
      // Roles from EAGER on are messages: either one that has arrived, or the notice that an own message has left.
      if (role >= C.EAGER) {
        criticalPath.arrives(e, rank, t)
        if ((what & LEFT) !== 0) protocol.left(e, rank, t)
        else protocol.arrived(e, rank, t)
      } else if (role === C.BEGINS) {
        criticalPath.begins()
        release(e)
        setLong(at.at[rank] + C.BEGAN, t)
        control.begin(rank)
      } else {
        criticalPath.resumes(e)
        processor.done(e, rank, t)
      }
      settle(rank, t)
    },
    finished: (rank) => mem[at.at[rank] + C.FLAGS] === C.DONE,
    digest(rank) {
      let h = 0
      for (const i of TOLD) h = draw(h ^ i, mem[at.at[rank] + i])
      return h
    },
    summary(rank, into, to) {
      for (let i = 0; i < C.FIXED; i++) into[to + i] = mem[at.at[rank] + i]
      const words = at.times[rank] < 0 ? 0 : 2 * jobOf[rank].analysis.requests[rank - jobOf[rank].base]
      for (let i = 0; i < words; i++) into[to + C.FIXED + i] = mem[at.times[rank] + i]
      const stored = operationWords(at.rows)
      for (let i = 0; i < stored; i++) into[to + summary - stored + i] = mem[at.operations[rank] + i]
    },
  }
}
