// One reading of a program before it runs: which ranks form which communicators, who sends to whom, how deep loops go, how many requests there are;
// and what is wrong with it. Communicators are resolved without time: the k-th creation on a communicator is the same call at all of its members.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { type Communicator, type Open, type Resolved, resolve } from "../check/communicators.ts"
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

const WORLD_OP = -1
const SELF_OP = -2
/** messages at least this long do not fit a word */
const LONGEST = Number.MAX_SAFE_INTEGER
const MOST_COMPLAINTS = 8

interface RankFacts {
  /** operations that make communicators */
  readonly makers: number[]
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
  const resolved = groupsOf(program, facts, path)
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
      f.makers.push(op)
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

/** Communicators as check/communicators.ts finds them, numbered; what cannot be run is said. */
function groupsOf(
  program: Program,
  facts: readonly RankFacts[],
  path: string,
): Checked<{ groups: Int32Array[]; made: Map<number, Made>[] }> {
  const resolved = resolve(program)
  const [mixed] = resolved.mixed
  if (mixed !== undefined)
    return {
      bad: [
        complain(
          path,
          `ranks ${mixed.other} and ${mixed.rank} call different operations on one communicator`,
          "check that the trace is whole",
        ),
      ],
    }
  const [open] = resolved.open
  if (open !== undefined) return { bad: [neverComes(open, facts, resolved, path)] }
  const groups = [resolved.world.members]
  const numbers = new Map<number, number>([[resolved.world.id, 0]])
  const numberOf = ({ id, members }: Communicator): number => {
    const known = numbers.get(id)
    if (known !== undefined) return known
    numbers.set(id, groups.length)
    return groups.push(members) - 1
  }
  const made = facts.map((f, r) => {
    const own = new Map<number, Made>()
    for (const [i, communicator] of resolved.made(r).entries()) {
      const me = communicator?.members.indexOf(r) ?? -1
      if (me >= 0) own.set(f.makers[i]!, { group: numberOf(communicator!), me })
    }
    return own
  })
  return { ok: { groups, made } }
}

function neverComes({ rank, making, of }: Open, facts: readonly RankFacts[], resolved: Resolved, path: string): Complaint {
  const op = facts[rank]!.makers[making]!
  const lacking = of?.members.find((r) => r !== rank && resolved.made(r).length >= facts[r]!.makers.length)
  const who =
    of === undefined
      ? "this rank is no member of the communicator"
      : lacking === undefined
        ? "other members never come"
        : `rank ${lacking} never comes`
  return complain(path, `rank ${rank}, operation ${op}: ${who}${of === undefined ? "" : " to this call"}`, "check that the trace is whole")
}
