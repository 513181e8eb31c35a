// Dry run of a program, without time and without a network: every message arrives when it is sent. An operation that
// waits forever here waits forever on every network, and a message that remains has no partner. So the dry run finds
// deadlocks and unmatched operations of a trace before the simulation. A normal send finishes at once (unlimited
// buffers), a synchronous one with its receive. A collective blocks those members that need data of others.
//
// `lacewing trace check` and the workload `trace` call it. Limit: it follows one order of the matching of wildcard
// receives, so it can miss a deadlock that depends on timing.
import {
  ANY,
  amount,
  BLOCKS,
  CALL,
  COMM,
  isCollective,
  JUMP,
  KIND,
  Kind,
  kindNames,
  kindOf,
  LIST,
  NEEDS,
  ONE_OF,
  PEER,
  type Program,
  type RankSource,
  REQUEST,
  SYNCHRONOUS,
  TAG,
  type Window,
  WORDS,
} from "../program.ts"
import { type Communicator, Following, makesCommunicator, type Resolved } from "./communicators.ts"

/** An operation that was issued. */
interface Op {
  readonly rank: number
  /** Its number in the stream. */
  readonly at: number
  readonly kind: number
  readonly call: string
  readonly flags: number
  readonly comm: Communicator | undefined
  readonly peer: number
  readonly tag: number
  readonly bytes: number
  /** Number of needs that have not finished; 0: it can start. */
  left: number
  started: boolean
  done: boolean
  readonly waiters: Op[]
  readonly starters: Op[]
  /** The operations that it needs, to explain why it waits. */
  readonly needs: Op[]
}
interface RankState {
  readonly source: RankSource
  readonly comms: Following
  readonly requests: Map<number, Op>
  readonly loops: { readonly first: number; left: number }[]
  window: Window | undefined
  at: number
  blocked: Op | undefined
  ended: boolean
}
interface Collective {
  readonly kind: number
  readonly comm: Communicator
  readonly arrived: Map<number, Op>
}

/**
 * The operation in which a rank waits, and the rank for which it waits (undefined: unknown, or one that never arrives).
 */
export interface Waiting {
  readonly rank: number
  readonly op: number
  readonly call: string
  readonly for: number | undefined
  readonly says: string
}
export interface Loose {
  readonly rank: number
  readonly peer: number
  readonly tag: number
  readonly bytes: number
  readonly call: string
  readonly op: number
}
export interface DryRun {
  readonly operations: number
  readonly unmatchedSends: readonly Loose[]
  readonly unmatchedReceives: readonly Loose[]
  /** Ranks that did not reach their end. */
  readonly waiting: readonly Waiting[]
  /** A cycle: each rank waits for the next one, and the last for the first. */
  readonly circle: readonly Waiting[]
  /** Invalid calls, such as a different collective than the other members call. */
  readonly wrong: readonly {
    readonly rank: number
    readonly op: number
    readonly call: string
    readonly says: string
  }[]
  /** true: the dry run stopped after the maximum number of operations, and found nothing for certain. */
  readonly cut: boolean
}

/** Operations of a rank before the next rank continues, so that queues of unmatched messages stay short. */
const turn = 256
const rooted = new Set<number>([Kind.BCAST, Kind.SCATTER, Kind.SCATTERV])
const gathered = new Set<number>([Kind.REDUCE, Kind.GATHER, Kind.GATHERV])

export function dryRun(program: Program, resolved: Resolved, most = 20_000_000): DryRun {
  const ranks = Array.from({ length: program.ranks }, (_, r): RankState => {
    const source = program.rank(r)
    return {
      source,
      comms: new Following(resolved, r),
      requests: new Map(),
      loops: [],
      window: undefined,
      at: 0,
      blocked: undefined,
      ended: false,
    }
  })
  const ready = ranks.map((_, r) => r)
  /**
   * Unexpected messages by destination, communicator and source, in order of arrival; posted receives by destination
   * and communicator.
   */
  const arrived = ranks.map(() => new Map<number, Map<number, Op[]>>())
  const posted = ranks.map(() => new Map<number, Op[]>())
  const collectives = new Map<string, Collective>()
  const turns = ranks.map(() => new Map<number, number>())
  /** Operations whose last need has just finished. */
  const todo: Op[] = []
  const wrong: DryRun["wrong"][number][] = []
  let operations = 0
  for (let next = 0; next < ready.length && operations < most; next++) {
    play(ready[next])
    // Drop the entries that were processed, to bound the memory of the queue.
    if (next === 65_536) {
      ready.splice(0, next + 1)
      next = -1
    }
  }
  const cut = operations >= most
  return {
    operations,
    wrong,
    cut,
    ...(cut ? { unmatchedSends: [], unmatchedReceives: [], waiting: [], circle: [] } : left()),
  }

  function refuse(op: Op, says: string): void {
    if (wrong.length < 100) wrong.push({ rank: op.rank, op: op.at, call: op.call, says })
  }

  /** Executes up to `turn` operations of rank r, until it blocks. */
  function play(r: number): void {
    const s = ranks[r]
    for (let n = 0; n < turn && s.blocked === undefined; n++) {
      if (s.window === undefined || s.at < s.window.first || s.at >= s.window.first + s.window.count)
        s.window = s.source.at(s.at)
      if (s.window === undefined) {
        s.ended = true
        return
      }
      operations++
      const { ops } = s.window
      const row = (s.at - s.window.first) * WORDS
      const kind = kindOf(ops[row + KIND])
      if (kind === Kind.LOOP) {
        const turns = amount(ops, row)
        if (turns > 0) s.loops.push({ first: s.at + 1, left: turns })
        s.at += turns > 0 ? 1 : ops[row + JUMP]
      } else if (kind === Kind.END) {
        const loop = s.loops.at(-1)!
        if (--loop.left > 0) s.at = loop.first
        else {
          s.loops.pop()
          s.at++
        }
      } else {
        issue(s, r, s.window, row)
        s.at++
      }
    }
    if (s.blocked === undefined) ready.push(r)
  }

  /** Issues one operation: registers its needs and starts it if there are none. */
  function issue(s: RankState, rank: number, w: Window, row: number): void {
    const { ops, list } = w
    const kind = kindOf(ops[row + KIND])
    const op: Op = {
      rank,
      at: s.at,
      kind,
      call: program.calls[ops[row + CALL]] ?? kindNames[kind] ?? String(kind),
      flags: ops[row + KIND],
      comm: s.comms.get(ops[row + COMM]),
      peer: ops[row + PEER],
      tag: ops[row + TAG],
      bytes: amount(ops, row),
      left: 0,
      started: false,
      done: false,
      waiters: [],
      starters: [],
      needs: [],
    }
    if (makesCommunicator(kind)) s.comms.make(op.peer)
    let satisfied = false
    for (let i = 0; i < ops[row + NEEDS]; i++) {
      const need = list[ops[row + LIST] + i]
      const target = s.requests.get(need < 0 ? ~need : need)
      if (target === undefined || target.done || (need < 0 && target.started)) {
        satisfied = true
        continue
      }
      ;(need < 0 ? target.starters : target.waiters).push(op)
      op.needs.push(target)
      op.left++
    }
    if ((op.flags & ONE_OF) !== 0) op.left = satisfied || op.left === 0 ? 0 : 1
    if (ops[row + REQUEST] >= 0) s.requests.set(ops[row + REQUEST], op)
    if ((op.flags & BLOCKS) !== 0) s.blocked = op
    if (op.left > 0) return
    start(op)
    // A loop instead of recursion, because a chain of operations may be longer than the stack.
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) start(next)
  }

  function satisfy(op: Op): void {
    if (--op.left === 0) todo.push(op)
  }

  function start(op: Op): void {
    op.started = true
    for (const s of op.starters) satisfy(s)
    if (op.kind === Kind.SEND) send(op)
    else if (op.kind === Kind.RECV || op.kind === Kind.PROBE) receive(op)
    else if (isCollective(op.kind) || (makesCommunicator(op.kind) && op.kind !== Kind.COMM_DEFINE)) matchCollective(op)
    else finish(op)
  }

  function finish(op: Op): void {
    if (op.done) return
    op.done = true
    for (const w of op.waiters) satisfy(w)
    const s = ranks[op.rank]
    if (s.blocked === op) {
      s.blocked = undefined
      // The rank that `play` executes at present continues there; all others are queued.
      if (s.at > op.at) ready.push(op.rank)
    }
  }

  function matches(receive: Op, message: Op): boolean {
    return (
      (receive.peer === ANY || receive.comm!.members[receive.peer] === message.rank) &&
      (receive.tag === ANY || receive.tag === message.tag)
    )
  }

  /** Matches a send with a posted receive, or stores it as an unexpected message. */
  function send(op: Op) {
    const to = op.comm?.members[op.peer]
    if (to === undefined || to >= ranks.length) {
      refuse(
        op,
        op.comm === undefined
          ? "on a communicator whose members are not known"
          : `to rank ${op.peer}, expected one below ${op.comm.members.length}`,
      )
      return finish(op)
    }
    if ((op.flags & SYNCHRONOUS) === 0) finish(op)
    const waiting = posted[to].get(op.comm!.id)
    if (waiting !== undefined)
      for (let i = 0; i < waiting.length; i++) {
        const r = waiting[i]
        if (!matches(r, op)) continue
        waiting.splice(i--, 1)
        finish(r)
        if (r.kind === Kind.PROBE) continue
        return finish(op)
      }
    let boxes = arrived[to].get(op.comm!.id)
    if (boxes === undefined) arrived[to].set(op.comm!.id, (boxes = new Map()))
    const box = boxes.get(op.rank)
    if (box === undefined) boxes.set(op.rank, [op])
    else box.push(op)
  }

  /** Matches a receive with an unexpected message, or posts it. Probes leave the message in its queue. */
  function receive(op: Op) {
    if (op.comm === undefined || (op.peer !== ANY && op.comm.members[op.peer] === undefined)) {
      refuse(
        op,
        op.comm === undefined
          ? "on a communicator whose members are not known"
          : `from rank ${op.peer}, expected one below ${op.comm.members.length}`,
      )
      return finish(op)
    }
    const boxes = arrived[op.rank].get(op.comm.id)
    const from = op.peer === ANY ? [...(boxes?.keys() ?? [])] : [op.comm.members[op.peer]]
    for (const source of from) {
      const box = boxes?.get(source)
      const at = box?.findIndex((m) => matches(op, m)) ?? -1
      if (box === undefined || at < 0) continue
      finish(op)
      if (op.kind === Kind.PROBE) return
      const [message] = box.splice(at, 1)
      if (box.length === 0) boxes!.delete(source)
      return finish(message!)
    }
    const list = posted[op.rank].get(op.comm.id)
    if (list === undefined) posted[op.rank].set(op.comm.id, [op])
    else list.push(op)
  }

  /**
   * The k-th collective of each member on a communicator belongs to the same call. A broadcast needs the root only, a
   * reduction lets all but the root continue, the others need all members.
   */
  function matchCollective(op: Op) {
    const { comm } = op
    if (comm === undefined) {
      refuse(op, "on a communicator whose members are not known")
      return finish(op)
    }
    const own = turns[op.rank]
    const time = own.get(comm.id) ?? 0
    own.set(comm.id, time + 1)
    const key = `${comm.id} ${time}`
    let m = collectives.get(key)
    if (m === undefined) collectives.set(key, (m = { kind: op.kind, comm, arrived: new Map() }))
    m.arrived.set(op.rank, op)
    if (m.kind !== op.kind)
      refuse(op, `another member of its communicator calls ${kindNames[m.kind]} at the same place`)
    const all = m.arrived.size === comm.members.length
    const root = comm.members[op.peer]
    if (rooted.has(op.kind)) {
      if (op.rank === root) for (const other of m.arrived.values()) finish(other)
      else if (root === undefined || m.arrived.has(root)) finish(op)
    } else if (gathered.has(op.kind)) {
      if (op.rank !== root) finish(op)
      const first = root === undefined ? undefined : m.arrived.get(root)
      if (all && first !== undefined) finish(first)
    } else if (all) for (const other of m.arrived.values()) finish(other)
    if (all) collectives.delete(key)
  }

  /** Returns the operations without a partner and the ranks that wait, after no rank can make progress. */
  function left(): Pick<DryRun, "unmatchedSends" | "unmatchedReceives" | "waiting" | "circle"> {
    const loose = (o: Op, peer: number): Loose => ({
      rank: o.rank,
      peer,
      tag: o.tag,
      bytes: o.bytes,
      call: o.call,
      op: o.at,
    })
    const sends = arrived.flatMap((boxes, to) =>
      [...boxes.values()].flatMap((b) => [...b.values()].flat().map((m) => loose(m, to))),
    )
    const receives = posted.flatMap((lists) =>
      [...lists.values()].flat().map((r) => loose(r, r.peer === ANY ? ANY : r.comm!.members[r.peer])),
    )
    const waiting = ranks.flatMap((s, r) => (s.ended || s.blocked === undefined ? [] : [stands(r, s.blocked)]))
    const next = new Map(waiting.map((w) => [w.rank, w]))
    return { unmatchedSends: sends, unmatchedReceives: receives, waiting, circle: circleOf(waiting, next) }
  }

  /** Returns the operation that a rank waits for: follows the first unfinished need until an operation has none. */
  function stands(rank: number, from: Op): Waiting {
    let op = from
    for (let deep = 0; deep < 1000; deep++) {
      const open = op.needs.find((n) => !n.done)
      if (open === undefined) break
      op = open
    }
    const of = `${from.call}${op === from ? "" : ` (for ${op.call}, operation ${op.at})`}`
    if (op.kind === Kind.RECV || op.kind === Kind.PROBE) {
      const source = op.peer === ANY ? undefined : op.comm!.members[op.peer]
      return {
        rank,
        op: from.at,
        call: from.call,
        for: source,
        says:
          `${of} waits for a message ` +
          `${source === undefined ? "from any rank" : `from rank ${source}`}${op.tag === ANY ? "" : ` with tag ${op.tag}`}`,
      }
    }
    if (op.kind === Kind.SEND) {
      const to = op.comm!.members[op.peer]
      return { rank, op: from.at, call: from.call, for: to, says: `${of} waits until rank ${to} receives` }
    }
    const collective = [...collectives.values()].find((m) => m.arrived.get(rank) === op)
    const missing = collective?.comm.members.find((m) => !collective.arrived.has(m))
    return {
      rank,
      op: from.at,
      call: from.call,
      for: missing,
      says: `${of} waits for ${missing === undefined ? "the others" : `rank ${missing}`} to call it`,
    }
  }
}

/**
 * Returns the first cycle in the graph "rank waits for rank", or an empty list. Each rank waits for one other at most,
 * so following the edges from each unvisited rank finds every cycle.
 */
function circleOf(waiting: readonly Waiting[], next: ReadonlyMap<number, Waiting>): Waiting[] {
  const seen = new Set<number>()
  for (const w of waiting) {
    const trail: Waiting[] = []
    const place = new Map<number, number>()
    for (
      let at: Waiting | undefined = w;
      at !== undefined && !seen.has(at.rank);
      at = at.for === undefined ? undefined : next.get(at.for)
    ) {
      const before = place.get(at.rank)
      if (before !== undefined) return trail.slice(before)
      place.set(at.rank, trail.length)
      trail.push(at)
    }
    for (const t of trail) seen.add(t.rank)
  }
  return []
}
