// A rank: issues its operations in order, gives them the processor one after the other, and lets them go when what they need has finished.
import { draw } from "../../core/rng.ts"
import { COUNT, LEFT, LINK, type RankHost, type Ranks, WHAT } from "../../model/workload.ts"
import type { Call } from "../collectives/schedule.ts"
import { Moves } from "../collectives/schedule.ts"
import {
  ANY,
  amount,
  BLOCKS,
  COMM,
  isCollective,
  JUMP,
  KIND,
  Kind,
  kindOf,
  LIST,
  NEEDS,
  NONE,
  ONE_OF,
  PEER as OP_PEER,
  TAG as OP_TAG,
  type RankSource,
  REQUEST,
  SELF,
  SYNCHRONOUS,
  VALUES,
  type Window,
  WORDS,
  WORLD,
} from "../program.ts"
import * as C from "./columns.ts"
import { chosen, type Job } from "./job.ts"
import { makeMatching } from "./matching.ts"
import { makeNeeds } from "./needs.ts"
import { makeProtocol } from "./protocol.ts"
import { makeWords } from "./words.ts"

/** context of a collective's messages: beside those of its communicator */
const OF_COLLECTIVE = 1 << 30
/** bits of a tag for the messages of one collective; above them its number on the communicator */
const TAG_BITS = 18
/** context of SELF: above all groups */
const SELF_CONTEXT = (1 << 29) - 1

/** words of a rank that name no records */
const TOLD = [C.PC, C.FLAGS, C.EVENTS, C.MESSAGES, C.ACTIVE, C.BEGAN, C.ENDED, C.ENDED + 1, C.COMPUTED, C.DEPTH] as const

export function makeRanks(jobs: readonly Job[], at: C.RankColumns, host: RankHost): Ranks {
  const { mem, own, alloc, release, wake } = host
  const words = makeWords(host)
  const { set, add, long, setLong, addLong } = words
  const count = jobs.reduce((n, j) => n + j.ranks, 0)
  const jobOf: Job[] = jobs.flatMap((j) => Array.from({ length: j.ranks }, () => j))
  // what was read last for each rank: a cache, no state
  const sources: (RankSource | undefined)[] = new Array(count).fill(undefined)
  const windows: (Window | undefined)[] = new Array(count).fill(undefined)
  /** operations that may go on in this event */
  let queue = new Int32Array(64)
  let head = 0
  let tail = 0
  let ops = new Int32Array(0)
  let list = ops
  const moves = new Moves()
  const call: Call = { p: 1, me: 0, root: 0, bytes: 0, node: 1, values: ops, at: 0, count: 0 }

  function go(e: number): void {
    if (tail === queue.length) {
      const more = new Int32Array(2 * queue.length)
      more.set(queue)
      queue = more
    }
    queue[tail++] = e
  }

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
    sent: (e, rank, t) => finish(e, rank, t),
    found: (e, rank, t) => finish(e, rank, t),
    received(e, rank, t) {
      if (durationOf(e, rank) > 0) occupy(e, rank, t)
      else finish(e, rank, t)
    },
  })

  /** Row of an operation in `ops` (its list in `list`), or -1 behind the last. */
  function read(rank: number, op: number): number {
    let w = windows[rank]
    if (w === undefined || op < w.first || op >= w.first + w.count) {
      const job = jobOf[rank]!
      const source = sources[rank] ?? job.program.rank(rank - job.base)
      sources[rank] = source
      w = source.at(op)
      if (w === undefined) return -1
      windows[rank] = w
    }
    ops = w.ops as Int32Array<ArrayBuffer>
    list = w.list as Int32Array<ArrayBuffer>
    return (op - w.first) * WORDS
  }

  /** Processor time of an operation. */
  function durationOf(e: number, rank: number): number {
    const p = jobOf[rank]!.params
    const role = mem[e + own + WHAT]! & C.ROLE
    const bytes = long(e + own + C.BYTES)
    if (role === C.COMPUTES) return bytes <= p.gap ? 0 : Math.round(bytes * p.compute)
    return Math.round(p.overhead + Math.max(0, bytes - 1) * p.overheadByte)
  }

  /** `e` needs the processor: at once, or when those before it have had it. */
  function occupy(e: number, rank: number, t: number): void {
    const r = at.at[rank]!
    if (mem[r + C.RUNNING] !== 0) {
      words.append(r + C.TASKS, e)
      return
    }
    const x = e + own
    const start = (mem[x + WHAT]! & C.ROLE) === C.SENDS ? host.ready(rank, t) : t
    set(r + C.RUNNING, e)
    set(x + COUNT, mem[r + C.EVENTS]!)
    add(r + C.EVENTS, 1)
    wake(e, rank, start + durationOf(e, rank))
  }

  /** The processor is done with `e`. */
  function done(e: number, rank: number, t: number): void {
    const r = at.at[rank]!
    set(r + C.RUNNING, 0)
    const next = mem[r + C.TASKS]!
    if (next !== 0) {
      words.remove(r + C.TASKS, next, 0)
      occupy(next, rank, t)
    }
    const role = mem[e + own + WHAT]! & C.ROLE
    if (role === C.SENDS) protocol.send(e, rank, t)
    else {
      if (role === C.COMPUTES) addLong(r + C.COMPUTED, durationOf(e, rank))
      finish(e, rank, t)
    }
  }

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
    const row = read(rank, mem[e + own + C.OP]!)
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
        const row = read(rank, mem[x + C.OP]!)
        addLong(r + C.CALLS + C.CALL_WORDS * kindOf(ops[row + KIND]!) + 1, took)
      }
    }
    const request = mem[x + C.REQ]!
    if (request >= 0 && mem[at.requests[rank]! + request] === e) set(at.requests[rank]! + request, 0)
    needs.finished(e)
    add(r + C.ACTIVE, -1)
    release(e)
  }

  /** The next round of a collective, or its end. */
  function nextRound(e: number, rank: number, t: number): void {
    const x = e + own
    const job = jobOf[rank]!
    const row = read(rank, mem[x + C.OP]!)
    const kind = kindOf(ops[row + KIND]!)
    const comm = at.comms[rank]! + C.COMM_WORDS * ops[row + COMM]!
    const group = mem[comm + C.GROUP]!
    call.p = group < 0 ? 1 : job.analysis.groups[group]!.length
    call.me = mem[comm + C.ME]!
    call.root = ops[row + OP_PEER]!
    call.bytes = amount(ops, row)
    call.node = job.params.node
    call.values = list
    call.at = ops[row + LIST]! + ops[row + NEEDS]!
    call.count = ops[row + VALUES]!
    const algorithm = chosen(job, kind, call)
    const rounds = algorithm === undefined ? 0 : algorithm.rounds(call)
    for (;;) {
      const k = mem[x + C.ROUND]!
      if (k >= rounds) {
        finish(e, rank, t)
        return
      }
      set(x + C.ROUND, k + 1)
      moves.n = 0
      algorithm!.round(call, k, moves)
      if (moves.n > 0) break
    }
    // one more, so that it does not end while its messages are begun
    set(x + C.PENDING, moves.n + 1)
    const members = job.analysis.groups[group]!
    const tag = (mem[x + C.SEQUENCE]! & 0xfff) << TAG_BITS
    const context = mem[x + C.CONTEXT]!
    const n = moves.n
    for (let i = 0; i < n; i++) {
      const part = slot(moves.sends[i] === 1 ? C.SENDS : C.RECEIVES)
      const y = part + own
      set(y + C.PARENT, e)
      set(y + C.PEER, job.base + members[moves.peer[i]!]!)
      set(y + C.TAG, tag | moves.tag[i]!)
      set(y + C.CONTEXT, context)
      setLong(y + C.BYTES, moves.bytes[i]!)
      if (moves.sends[i] === 1) launch(part, rank, t)
      else protocol.receive(part, rank, t)
    }
    const left = mem[x + C.PENDING]! - 1
    set(x + C.PENDING, left)
    if (left === 0) go(e)
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
    const row = read(rank, op)
    if (row < 0) {
      if (mem[r + C.ACTIVE] !== 0) return false
      set(r + C.FLAGS, C.DONE)
      setLong(r + C.ENDED, t)
      return false
    }
    const kind = kindOf(ops[row + KIND]!)
    if (kind === Kind.LOOP) enterLoop(rank, r, op, row)
    else if (kind === Kind.END) turnLoop(rank, r, op, row)
    else {
      set(r + C.PC, op + 1)
      add(r + C.CALLS + C.CALL_WORDS * kind, 1)
      if (kind >= Kind.COMM_DUP && kind <= Kind.COMM_FREE) makeComm(rank, op, kind, row)
      else issue(rank, r, op, kind, row, t)
    }
    return true
  }

  function enterLoop(rank: number, r: number, op: number, row: number): void {
    const turns = amount(ops, row)
    if (turns < 1) {
      set(r + C.PC, op + ops[row + JUMP]!)
      return
    }
    setLong(at.loops[rank]! + 2 * mem[r + C.DEPTH]!, turns)
    add(r + C.DEPTH, 1)
    set(r + C.PC, op + 1)
  }

  function turnLoop(rank: number, r: number, op: number, row: number): void {
    const turns = at.loops[rank]! + 2 * (mem[r + C.DEPTH]! - 1)
    const left = long(turns) - 1
    setLong(turns, left)
    if (left > 0) {
      set(r + C.PC, op + ops[row + JUMP]!)
      return
    }
    add(r + C.DEPTH, -1)
    set(r + C.PC, op + 1)
  }

  /** Communicators cost nothing; who belongs to them is known beforehand. */
  function makeComm(rank: number, op: number, kind: number, row: number): void {
    const name = ops[row + OP_PEER]!
    if (kind === Kind.COMM_FREE || name < 0) return
    const job = jobOf[rank]!
    const made = job.analysis.made[rank - job.base]!.get(op)
    putComm(rank, name, made?.group ?? -1, made?.me ?? 0)
  }
  function putComm(rank: number, name: number, group: number, me: number): void {
    const c = at.comms[rank]! + C.COMM_WORDS * name
    set(c + C.GROUP, group)
    set(c + C.ME, me)
    set(c + C.CALLED, 0)
  }

  const roleOf = (kind: number) =>
    isCollective(kind)
      ? C.COLLECTIVE
      : kind === Kind.COMPUTE
        ? C.COMPUTES
        : kind === Kind.SEND
          ? C.SENDS
          : kind === Kind.RECV
            ? C.RECEIVES
            : kind === Kind.PROBE
              ? C.PROBES
              : C.WAITS

  function issue(rank: number, r: number, op: number, kind: number, row: number, t: number): void {
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
      if ((what & LEFT) !== 0) protocol.left(e, rank, t)
      else if (role >= C.EAGER) protocol.arrived(e, rank, t)
      else if (role === C.BEGINS) {
        release(e)
        setLong(at.at[rank]! + C.BEGAN, t)
        putComm(rank, WORLD, 0, rank - jobOf[rank]!.base)
        putComm(rank, SELF, -1, 0)
      } else done(e, rank, t)
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
