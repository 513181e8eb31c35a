// A rank: issues its operations in order, gives them the processor one after the other, and lets them go when what they need has finished.
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
  REQUEST,
  SYNCHRONOUS,
} from "../program.ts"
import * as C from "./columns.ts"
import { makeControl } from "./control.ts"
import type { Job } from "./job.ts"
import { makeMatching } from "./matching.ts"
import { makeNeeds } from "./needs.ts"
import { makeProcessor } from "./processor.ts"
import { makeProtocol } from "./protocol.ts"
import { Reader } from "./reader.ts"
import { makeRounds } from "./rounds.ts"
import { makeTimeline } from "./timeline.ts"
import { makeTrail } from "./trail.ts"
import { makeWords } from "./words.ts"

/** context of a collective's messages: beside those of its communicator */
const OF_COLLECTIVE = 1 << 30
/** context of SELF: above all groups */
const SELF_CONTEXT = (1 << 29) - 1

/** words of a rank that name no records */
const TOLD = [C.PC, C.FLAGS, C.EVENTS, C.MESSAGES, C.ACTIVE, C.BEGAN, C.ENDED, C.ENDED + 1, C.COMPUTED, C.DEPTH] as const

function roleOf(kind: number): number {
  if (isCollective(kind)) return C.COLLECTIVE
  if (kind === Kind.COMPUTE) return C.COMPUTES
  if (kind === Kind.SEND) return C.SENDS
  if (kind === Kind.RECV) return C.RECEIVES
  return kind === Kind.PROBE ? C.PROBES : C.WAITS
}

export function makeRanks(jobs: readonly Job[], at: C.RankColumns, host: RankHost): Ranks {
  const { mem, own, alloc, release, wake } = host
  const words = makeWords(host)
  const { set, add, long, setLong, addLong } = words
  const count = jobs.reduce((n, j) => n + j.ranks, 0)
  const jobOf: Job[] = jobs.flatMap((j) => Array.from({ length: j.ranks }, () => j))
  const reader = new Reader(jobOf)
  /** operations that may go on in this event */
  let queue = new Int32Array(64)
  let head = 0
  let tail = 0

  function go(e: number): void {
    if (tail === queue.length) {
      const more = new Int32Array(2 * queue.length)
      more.set(queue)
      queue = more
    }
    queue[tail++] = e
  }

  const control = makeControl(host, words, at, jobOf, reader)
  const trail = makeTrail(host, words, at)
  const timeline = makeTimeline(mem, words, at)
  const matching = makeMatching(host, words, at)
  const needs = makeNeeds(host, words, go)
  const protocol = makeProtocol({
    host,
    words,
    at,
    matching,
    params: (rank) => jobOf[rank]!.params,
    seed: (rank) => jobOf[rank]!.seed,
    pair: (from, to) => jobOf[from]!.pair(from, to),
    step: trail.step,
    sent: finish,
    found: finish,
    received(e, rank, t) {
      if (durationOf(e, rank) > 0) occupy(e, rank, t)
      else finish(e, rank, t)
    },
  })
  const processor = makeProcessor({ host, words, at, jobOf, trail, timeline, sends: protocol.send, finish })
  const { durationOf, occupy } = processor
  const nextRound = makeRounds({ host, words, at, jobOf, reader, slot, launch, receive: protocol.receive, finish, go })

  /** What `e` needs has finished. */
  function start(e: number, rank: number, t: number): void {
    const x = e + own
    const what = mem[x + WHAT]!
    const role = what & C.ROLE
    if (role === C.COLLECTIVE && (what & C.STARTED) !== 0) {
      nextRound(e, rank, t)
      return
    }
    set(x + WHAT, what | C.STARTED)
    needs.started(e)
    if (role === C.WAITS) {
      if ((what & C.FIRST_OF) !== 0) forgetOthers(e, rank)
      finish(e, rank, t)
    } else if (role === C.COLLECTIVE) nextRound(e, rank, t)
    else if (mem[x + C.PEER] === NONE) finish(e, rank, t)
    else if (role === C.COMPUTES) {
      if (durationOf(e, rank) > 0) occupy(e, rank, t)
      else finish(e, rank, t)
    } else if (role === C.SENDS) launch(e, rank, t)
    else if (role === C.RECEIVES) protocol.receive(e, rank, t)
    else protocol.probe(e, rank, t)
  }

  function launch(e: number, rank: number, t: number): void {
    if (durationOf(e, rank) > 0 || host.ready(rank, t) > t) occupy(e, rank, t)
    else protocol.send(e, rank, t)
  }

  function forgetOthers(e: number, rank: number): void {
    const row = reader.row(rank, mem[e + own + C.OP]!)
    const { ops, list } = reader
    for (let i = 0; i < ops[row + NEEDS]!; i++) {
      const other = mem[at.requests[rank]! + list[ops[row + LIST]! + i]!]!
      if (other !== 0) needs.forget(other, e)
    }
  }

  function finish(e: number, rank: number, t: number): void {
    const x = e + own
    const r = at.at[rank]!
    const parent = mem[x + C.PARENT]!
    if (parent !== 0) {
      release(e)
      const left = mem[parent + own + C.PENDING]! - 1
      set(parent + own + C.PENDING, left)
      if (left === 0) go(parent)
      return
    }
    if (mem[r + C.BLOCKER] === e) {
      set(r + C.BLOCKER, 0)
      const took = t - long(x + C.SINCE)
      if (took > 0) {
        const row = reader.row(rank, mem[x + C.OP]!)
        const kind = kindOf(reader.ops[row + KIND]!)
        addLong(r + C.CALLS + C.CALL_WORDS * kind + 1, took)
        if (kind !== Kind.COMPUTE) timeline.add(rank, C.HELD_BACK, t - took, t)
      }
    }
    const request = mem[x + C.REQ]!
    if (request >= 0 && mem[at.requests[rank]! + request] === e) set(at.requests[rank]! + request, 0)
    needs.finished(e)
    add(r + C.ACTIVE, -1)
    release(e)
  }

  /** A record for an operation; its words are as for one that needs nothing. */
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

  /** Issues the next operation; false if it must wait or there is none. */
  function step(rank: number, t: number): boolean {
    const r = at.at[rank]!
    if (mem[r + C.BLOCKER] !== 0 || mem[r + C.FLAGS] === C.DONE) return false
    const op = mem[r + C.PC]!
    const row = reader.row(rank, op)
    if (row < 0) {
      if (mem[r + C.ACTIVE] !== 0) return false
      set(r + C.FLAGS, C.DONE)
      set(r + C.LAST_STEP, trail.step())
      setLong(r + C.ENDED, t)
      return false
    }
    const kind = kindOf(reader.ops[row + KIND]!)
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

  function issue(rank: number, r: number, op: number, kind: number, row: number, t: number): void {
    const { ops } = reader
    const flags = ops[row + KIND]!
    const oneOf = (flags & ONE_OF) !== 0 && ops[row + NEEDS]! > 0
    const e = slot(
      roleOf(kind) |
        ((flags & BLOCKS) !== 0 ? C.BLOCKING : 0) |
        (oneOf ? C.FIRST_OF : 0) |
        ((flags & SYNCHRONOUS) !== 0 ? C.ASKS_FIRST : 0),
    )
    const x = e + own
    const request = ops[row + REQUEST]!
    const comm = at.comms[rank]! + C.COMM_WORDS * ops[row + COMM]!
    const group = mem[comm + C.GROUP]!
    const context = group < 0 ? SELF_CONTEXT : group
    set(x + C.OP, op)
    set(x + C.REQ, request)
    setLong(x + C.BYTES, amount(ops, row))
    setLong(x + C.SINCE, t)
    add(r + C.ACTIVE, 1)
    if (isCollective(kind)) {
      set(x + C.CONTEXT, context | OF_COLLECTIVE)
      set(x + C.SEQUENCE, mem[comm + C.CALLED]!)
      add(comm + C.CALLED, 1)
      set(x + C.PEER, ANY)
    } else {
      set(x + C.CONTEXT, context)
      set(x + C.TAG, ops[row + OP_TAG]!)
      set(x + C.PEER, kind === Kind.SEND || kind === Kind.RECV || kind === Kind.PROBE ? worldRank(rank, group, ops[row + OP_PEER]!) : ANY)
    }
    const waits = register(e, rank, row, oneOf)
    if (request >= 0) set(at.requests[rank]! + request, e)
    if ((flags & BLOCKS) !== 0) set(r + C.BLOCKER, e)
    if (!waits) start(e, rank, t)
  }

  function worldRank(rank: number, group: number, peer: number): number {
    if (peer < 0) return peer
    if (group < 0) return rank
    const job = jobOf[rank]!
    return job.base + job.analysis.groups[group]![peer]!
  }

  /** Has `e` to wait for what it needs? */
  function register(e: number, rank: number, row: number, oneOf: boolean): boolean {
    const { ops, list } = reader
    const n = ops[row + NEEDS]!
    const from = ops[row + LIST]!
    if (oneOf) for (let i = 0; i < n; i++) if (mem[at.requests[rank]! + list[from + i]!] === 0) return false
    let waits = false
    for (let i = 0; i < n; i++) {
      const need = list[from + i]!
      const other = mem[at.requests[rank]! + (need < 0 ? ~need : need)]!
      if (other === 0 || (need < 0 && (mem[other + own + WHAT]! & C.STARTED) !== 0)) continue
      needs.wait(other, e, need < 0)
      waits = true
    }
    return waits
  }

  function settle(rank: number, t: number): void {
    for (;;) {
      if (head < tail) start(queue[head++]!, rank, t)
      else if (!step(rank, t)) break
    }
    head = 0
    tail = 0
  }

  return {
    count,
    start(rank) {
      const job = jobOf[rank]!
      const e = alloc()
      set(e + own + WHAT, C.BEGINS)
      set(e + own + COUNT, 0)
      set(e + LINK, 0)
      add(at.at[rank]! + C.EVENTS, 1)
      wake(e, rank, job.start)
    },
    event(e, rank, t) {
      const what = mem[e + own + WHAT]!
      const role = what & C.ROLE
      if (role >= C.EAGER) {
        trail.arrives(e, rank, t)
        if ((what & LEFT) !== 0) protocol.left(e, rank, t)
        else protocol.arrived(e, rank, t)
      } else if (role === C.BEGINS) {
        trail.begins()
        release(e)
        setLong(at.at[rank]! + C.BEGAN, t)
        control.begin(rank)
      } else {
        trail.resumes(e)
        processor.done(e, rank, t)
      }
      settle(rank, t)
    },
    finished: (rank) => mem[at.at[rank]! + C.FLAGS] === C.DONE,
    digest(rank) {
      let h = 0
      for (const i of TOLD) h = draw(h ^ i, mem[at.at[rank]! + i]!)
      return h
    },
    summary(rank, into, to) {
      for (let i = 0; i < C.FIXED; i++) into[to + i] = mem[at.at[rank]! + i]!
    },
  }
}
