// One reading of a program before it runs: which ranks form which communicators, who sends to whom, how deep loops go, how many requests there are;
// and what is wrong with it. Communicators are resolved without time: the k-th creation on a communicator is the same call at all of its members.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import {
  ANY,
  amount,
  BLOCKS,
  COMM,
  FIRST_COMM,
  forEachOp,
  isCollective,
  KIND,
  Kind,
  kindNames,
  kindOf,
  LIST,
  LOW,
  NEEDS,
  NONE,
  ONE_OF,
  PEER,
  type Program,
  REQUEST,
  SELF,
  TAG,
  VALUES,
  type Window,
  WORLD,
} from "../program.ts"

/** Where an operation that makes a communicator leads: its number in Analysis.groups (-1: none for this rank) and the rank in it. */
export interface Made {
  readonly group: number
  readonly me: number
}

export interface Analysis {
  readonly ranks: number
  /** [group][rank in it] -> rank of the world. 0 is the world; SELF is none of them */
  readonly groups: readonly Int32Array[]
  /** [rank]: operation -> what it makes */
  readonly made: readonly ReadonlyMap<number, Made>[]
  /** pairs that exchange messages of their own (not those of collectives): sendsTo[first[rank] …], ascending; its index is the pair's number */
  readonly first: Int32Array
  readonly sendsTo: Int32Array
  /** [rank] -> requests, communicators (numbers of its own), deepest loop */
  readonly requests: Int32Array
  readonly comms: Int32Array
  readonly depth: Int32Array
  /** operations written, loops counted once */
  readonly ops: number
}

/** An operation that makes a communicator, as one rank writes it. */
interface Maker {
  readonly op: number
  readonly kind: number
  /** the operation that made its parent; WORLD_OP or SELF_OP */
  readonly parent: number
  readonly color: number
  readonly key: number
  readonly members: readonly number[]
}

const WORLD_OP = -1
const SELF_OP = -2
/** messages at least this long do not fit a word */
const LONGEST = Number.MAX_SAFE_INTEGER
const MOST_COMPLAINTS = 8

interface RankFacts {
  readonly makers: Maker[]
  /** operation that made the communicator -> ranks in it that are sent to, with an operation that does */
  readonly peers: Map<number, Map<number, number>>
  requests: number
  comms: number
  depth: number
  ops: number
}

export function analyse(program: Program, path = "workload"): Checked<Analysis> {
  const { ranks } = program
  const bad: Complaint[] = []
  const facts: RankFacts[] = []
  for (let r = 0; r < ranks && bad.length < MOST_COMPLAINTS; r++) facts.push(readRank(program, r, path, bad))
  if (bad.length > 0) return { bad }
  const resolved = resolve(facts, ranks, path)
  if ("bad" in resolved) return resolved
  const { groups, made } = resolved.ok
  const targets = facts.map((f, r) => targetsOf(f, r, groups, made[r]!, path, bad))
  if (bad.length > 0) return { bad: bad.slice(0, MOST_COMPLAINTS) }
  const first = new Int32Array(ranks + 1)
  for (let r = 0; r < ranks; r++) first[r + 1] = first[r]! + targets[r]!.length
  const sendsTo = new Int32Array(first[ranks]!)
  for (let r = 0; r < ranks; r++) sendsTo.set(targets[r]!, first[r]!)
  return {
    ok: {
      ranks,
      groups,
      made,
      first,
      sendsTo,
      requests: Int32Array.from(facts, (f) => f.requests),
      comms: Int32Array.from(facts, (f) => f.comms),
      depth: Int32Array.from(facts, (f) => f.depth),
      ops: facts.reduce((n, f) => n + f.ops, 0),
    },
  }
}

function readRank(program: Program, r: number, path: string, bad: Complaint[]): RankFacts {
  const f: RankFacts = { makers: [], peers: new Map(), requests: 0, comms: FIRST_COMM, depth: 0, ops: 0 }
  const madeBy = new Map<number, number>([
    [WORLD, WORLD_OP],
    [SELF, SELF_OP],
  ])
  let depth = 0
  const wrong = (op: number, kind: number, says: string, fix: string) => {
    if (bad.length < MOST_COMPLAINTS) bad.push(complain(path, `rank ${r}, operation ${op} (${kindNames[kind] ?? kind}): ${says}`, fix))
  }
  f.ops = forEachOp(program.rank(r), (w, row, op) => {
    const { ops } = w
    const kind = kindOf(ops[row + KIND]!)
    if (kindNames[kind] === undefined)
      wrong(op, kind, `${kind} is no kind of operation`, "read the trace again with a reader that knows it")
    if (kind === Kind.LOOP) f.depth = Math.max(f.depth, ++depth)
    if (kind === Kind.END) depth--
    const request = ops[row + REQUEST]!
    if (request >= 0) f.requests = Math.max(f.requests, request + 1)
    for (let i = 0; i < ops[row + NEEDS]!; i++) {
      const need = w.list[ops[row + LIST]! + i]!
      f.requests = Math.max(f.requests, (need < 0 ? ~need : need) + 1)
    }
    if (amount(ops, row) > LONGEST || (ops[row + LOW]! >>> 0 !== amount(ops, row) && kind >= Kind.COMM_DUP && kind <= Kind.COMM_FREE))
      wrong(op, kind, "its amount does not fit", "write at most 2^53 - 1")
    if ((ops[row + KIND]! & (ONE_OF | BLOCKS)) === ONE_OF)
      wrong(op, kind, "waits for one of several and does not block", "write it with BLOCKS")
    const by = madeBy.get(ops[row + COMM]!)
    if (by === undefined) {
      wrong(op, kind, `communicator ${ops[row + COMM]} is unknown`, "create it first: comm-dup, comm-split, comm-create or comm-define")
      return
    }
    if (kind === Kind.SEND || kind === Kind.RECV || kind === Kind.PROBE) notePeer(f, by, ops[row + PEER]!, op, kind)
    if (isCollective(kind)) notePeer(f, by, ops[row + PEER]!, op, kind)
    if (kind >= Kind.COMM_DUP && kind <= Kind.COMM_DEFINE) {
      const name = ops[row + PEER]!
      if (name < FIRST_COMM && name !== NONE) wrong(op, kind, `it names its communicator ${name}`, `numbers from ${FIRST_COMM} on are free`)
      f.comms = Math.max(f.comms, name + 1)
      f.makers.push({ op, kind, parent: by, color: ops[row + TAG]!, key: ops[row + LOW]!, members: valuesOf(w, row) })
      madeBy.set(name, op)
    }
    if (kind === Kind.COMM_FREE && ops[row + COMM]! >= FIRST_COMM) madeBy.delete(ops[row + COMM]!)
  })
  if (depth !== 0) bad.push(complain(path, `rank ${r}: ${depth} loops are not closed`, "write END for every LOOP"))
  return f
}

/** Kinds whose PEER is a root. */
const rooted: ReadonlySet<number> = new Set([Kind.BCAST, Kind.REDUCE, Kind.GATHER, Kind.SCATTER, Kind.GATHERV, Kind.SCATTERV])
/** Stored beside the operation: only sends make pairs. */
const SENDS = 0x4000_0000

function notePeer(f: RankFacts, by: number, peer: number, op: number, kind: number): void {
  if (isCollective(kind) && !rooted.has(kind)) return
  if (peer === NONE && !isCollective(kind)) return
  if (peer === ANY && kind !== Kind.SEND && !isCollective(kind)) return
  const at = f.peers.get(by) ?? new Map<number, number>()
  f.peers.set(by, at)
  if (kind === Kind.SEND) at.set(peer, (op % SENDS) | SENDS)
  else if (!at.has(peer)) at.set(peer, op % SENDS)
}

function valuesOf(w: Window, row: number): number[] {
  const from = w.ops[row + LIST]! + w.ops[row + NEEDS]!
  return Array.from(w.list.subarray(from, from + w.ops[row + VALUES]!))
}

function targetsOf(
  f: RankFacts,
  r: number,
  groups: readonly Int32Array[],
  made: ReadonlyMap<number, Made>,
  path: string,
  bad: Complaint[],
): number[] {
  const to = new Set<number>()
  for (const [by, peers] of f.peers) {
    const group = by === WORLD_OP ? 0 : by === SELF_OP ? -1 : (made.get(by)?.group ?? -1)
    const size = group >= 0 ? groups[group]!.length : by === SELF_OP ? 1 : 0
    for (const [peer, seen] of peers) {
      if (peer < 0 || peer >= size) {
        const what = size === 0 ? "this rank is no member of the communicator" : `rank ${peer} of a communicator of ${size}`
        bad.push(complain(path, `rank ${r}, operation ${seen % SENDS}: ${what}`, "name a rank of the communicator"))
      } else if ((seen & SENDS) !== 0) to.add(group >= 0 ? groups[group]![peer]! : r)
    }
  }
  return [...to].sort((a, b) => a - b)
}

function resolve(facts: readonly RankFacts[], ranks: number, path: string): Checked<{ groups: Int32Array[]; made: Map<number, Made>[] }> {
  const groups = [Int32Array.from({ length: ranks }, (_, r) => r)]
  const made = facts.map(() => new Map<number, Made>())
  const defined = new Map<string, number>()
  const next = new Int32Array(ranks)
  /** [group] -> members that have come to a creation on it */
  const waiting = new Map<number, number[]>()
  const queue = Array.from({ length: ranks }, (_, r) => r)
  const groupOf = (r: number, by: number) => (by === WORLD_OP ? 0 : by === SELF_OP ? -1 : (made[r]!.get(by)?.group ?? -1))
  const put = (r: number, m: Maker, members: Int32Array, group: number) => made[r]!.set(m.op, { group, me: members.indexOf(r) })
  const add = (members: readonly number[]): number => groups.push(Int32Array.from(members)) - 1

  /** All members of a group stand at a creation on it. */
  function create(group: number, at: readonly number[]): Complaint | undefined {
    const makers = new Map(at.map((r) => [r, facts[r]!.makers[next[r]!]!]))
    const parent = groups[group]!
    const kind = makers.get(at[0]!)!.kind
    for (const r of at)
      if (makers.get(r)!.kind !== kind)
        return complain(path, `ranks ${at[0]} and ${r} call different operations on one communicator`, "check that the trace is whole")
    const sets = new Map<string, number[]>()
    for (const r of parent) {
      const m = makers.get(r)!
      const name = kind === Kind.COMM_SPLIT ? String(m.color) : kind === Kind.COMM_CREATE ? m.members.join(" ") : ""
      const set = sets.get(name) ?? []
      sets.set(name, set)
      if (kind === Kind.COMM_SPLIT ? m.color !== NONE : kind !== Kind.COMM_CREATE || m.members.some((i) => parent[i] === r)) set.push(r)
    }
    for (const [name, set] of sets) {
      if (kind === Kind.COMM_SPLIT) set.sort((a, b) => makers.get(a)!.key - makers.get(b)!.key || parent.indexOf(a) - parent.indexOf(b))
      if (kind === Kind.COMM_CREATE) set.splice(0, set.length, ...name.split(" ").flatMap((i) => (i === "" ? [] : [parent[Number(i)]!])))
      if (set.length === 0) continue
      const members = Int32Array.from(set)
      const made = add(set)
      for (const r of set) put(r, makers.get(r)!, members, made)
    }
    return undefined
  }

  while (queue.length > 0) {
    const r = queue.pop()!
    const m = facts[r]!.makers[next[r]!]
    if (m === undefined) continue
    const parent = groupOf(r, m.parent)
    if (m.kind === Kind.COMM_DEFINE || parent < 0) {
      // nobody else takes part: a list of members, or a communicator of the rank alone
      const members = m.kind === Kind.COMM_DEFINE ? m.members : m.color === NONE && m.kind === Kind.COMM_SPLIT ? [] : [r]
      const before = facts[r]!.makers.slice(0, next[r]!).filter((o) => o.members.join(" ") === m.members.join(" ")).length
      const name = `${members.join(" ")} #${before}`
      const group = members.length === 0 ? -1 : (defined.get(name) ?? add(members))
      defined.set(name, group)
      if (group >= 0) put(r, m, groups[group]!, group)
      next[r]!++
      queue.push(r)
      continue
    }
    const at = waiting.get(parent) ?? []
    waiting.set(parent, at)
    at.push(r)
    if (at.length < groups[parent]!.length) continue
    waiting.delete(parent)
    const bad = create(parent, at)
    if (bad !== undefined) return { bad: [bad] }
    for (const x of at) {
      next[x]!++
      queue.push(x)
    }
  }
  const stuck = facts.findIndex((f, r) => next[r]! < f.makers.length)
  if (stuck < 0) return { ok: { groups, made } }
  const m = facts[stuck]!.makers[next[stuck]!]!
  const lacking = [...groups[groupOf(stuck, m.parent)]!].find((r) => next[r]! >= facts[r]!.makers.length)
  return {
    bad: [
      complain(
        path,
        `rank ${stuck}, operation ${m.op}: ${lacking === undefined ? "other members never come" : `rank ${lacking} never comes`} to this ${kindNames[m.kind]}`,
        "check that the trace is whole",
      ),
    ],
  }
}
