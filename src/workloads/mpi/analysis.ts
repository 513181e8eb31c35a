// Reads a program once before it runs. The analysis finds the members of each communicator, the pairs of ranks that
// exchange messages, the nesting depth of loops and the number of requests, so that the state of ranks has a fixed size
// (columns.ts). It also reports the errors of a program. Communicators are resolved without simulated time: the k-th
// creation on a communicator is the same call at all of its members (check/communicators.ts).
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

/**
 * The communicator that an operation creates: its number in Analysis.groups (-1: none for this rank) and the rank in
 * it.
 */
export interface Made {
  readonly group: number
  readonly me: number
}

export interface Analysis {
  readonly ranks: number
  /** [group][rank in it] -> rank of the world. Group 0 is the world; SELF is not among them. */
  readonly groups: readonly Int32Array[]
  /** [rank]: operation -> the communicator that it creates. */
  readonly made: readonly ReadonlyMap<number, Made>[]
  /**
   * Pairs that exchange point-to-point messages (not those of collectives): sendsTo[first[rank] …], ascending. The
   * index in sendsTo is the number of the pair.
   */
  readonly first: Int32Array
  readonly sendsTo: Int32Array
  /** [rank] -> number of requests, number of communicators, deepest nesting of loops. */
  readonly requests: Int32Array
  readonly comms: Int32Array
  readonly depth: Int32Array
  /** Number of operations written; the body of a loop counts once. */
  readonly ops: number
}

const WORLD_OP = -1
const SELF_OP = -2
/** Largest byte count that two words can hold. */
const LONGEST = Number.MAX_SAFE_INTEGER
const MOST_COMPLAINTS = 8

interface RankState {
  /** Operations that create communicators. */
  readonly makers: number[]
  /**
   * Operation that created the communicator -> its ranks that this rank names as a peer, each with one such operation.
   */
  readonly peers: Map<number, Map<number, number>>
  requests: number
  comms: number
  depth: number
  ops: number
}

/**
 * Analyses a program: reads each rank, resolves communicators, then checks the peers, which need the sizes of the
 * groups.
 */
export function analyse(program: Program, path = "workload"): Checked<Analysis> {
  const { ranks } = program
  const bad: Complaint[] = []
  const rankStates: RankState[] = []
  for (let r = 0; r < ranks && bad.length < MOST_COMPLAINTS; r++) rankStates.push(readRank(program, r, path, bad))
  if (bad.length > 0) return { bad }
  const resolved = groupsOf(program, rankStates, path)
  if ("bad" in resolved) return resolved
  const { groups, made } = resolved.ok
  const targets = rankStates.map((f, r) => targetsOf(f, r, groups, made[r], path, bad))
  if (bad.length > 0) return { bad: bad.slice(0, MOST_COMPLAINTS) }
  const first = new Int32Array(ranks + 1)
  for (let r = 0; r < ranks; r++) first[r + 1] = first[r] + targets[r].length
  const sendsTo = new Int32Array(first[ranks])
  for (let r = 0; r < ranks; r++) sendsTo.set(targets[r], first[r])
  return {
    ok: {
      ranks,
      groups,
      made,
      first,
      sendsTo,
      requests: Int32Array.from(rankStates, (f) => f.requests),
      comms: Int32Array.from(rankStates, (f) => f.comms),
      depth: Int32Array.from(rankStates, (f) => f.depth),
      ops: rankStates.reduce((n, f) => n + f.ops, 0),
    },
  }
}

/** Reads the operations of rank r and collects its sizes. Appends errors to `bad`. */
function readRank(program: Program, r: number, path: string, bad: Complaint[]): RankState {
  const f: RankState = { makers: [], peers: new Map(), requests: 0, comms: FIRST_COMM, depth: 0, ops: 0 }
  const madeBy = new Map<number, number>([
    [WORLD, WORLD_OP],
    [SELF, SELF_OP],
  ])
  let depth = 0
  const wrong = (op: number, kind: number, says: string, fix: string) => {
    if (bad.length < MOST_COMPLAINTS)
      bad.push(complain(path, `rank ${r}, operation ${op} (${kindNames[kind] ?? kind}): ${says}`, fix))
  }
  f.ops = forEachOp(program.rank(r), (w, row, op) => {
    const { ops } = w
    const kind = kindOf(ops[row + KIND])
    if (kindNames[kind] === undefined)
      wrong(op, kind, `${kind} is no kind of operation`, "read the trace again with a reader that knows it")
    if (kind === Kind.LOOP) f.depth = Math.max(f.depth, ++depth)
    if (kind === Kind.END) depth--
    const request = ops[row + REQUEST]
    if (request >= 0) f.requests = Math.max(f.requests, request + 1)
    for (let i = 0; i < ops[row + NEEDS]; i++) {
      const need = w.list[ops[row + LIST] + i]
      f.requests = Math.max(f.requests, (need < 0 ? ~need : need) + 1)
    }
    if (
      amount(ops, row) > LONGEST ||
      (ops[row + LOW] >>> 0 !== amount(ops, row) && kind >= Kind.COMM_DUP && kind <= Kind.COMM_FREE)
    )
      wrong(op, kind, "its amount does not fit", "write at most 2^53 - 1")
    if ((ops[row + KIND] & (ONE_OF | BLOCKS)) === ONE_OF)
      wrong(op, kind, "waits for one of several and does not block", "write it with BLOCKS")
    // The same communicator number may denote different communicators over time; `madeBy` is the one that is valid
    // here.
    const by = madeBy.get(ops[row + COMM])
    if (by === undefined) {
      wrong(
        op,
        kind,
        `communicator ${ops[row + COMM]} is unknown`,
        "create it first: comm-dup, comm-split, comm-create or comm-define",
      )
      return
    }
    if (kind === Kind.SEND || kind === Kind.RECV || kind === Kind.PROBE) notePeer(f, by, ops[row + PEER], op, kind)
    if (isCollective(kind)) notePeer(f, by, ops[row + PEER], op, kind)
    if (kind >= Kind.COMM_DUP && kind <= Kind.COMM_DEFINE) {
      const name = ops[row + PEER]
      if (name < FIRST_COMM && name !== NONE)
        wrong(op, kind, `it names its communicator ${name}`, `numbers from ${FIRST_COMM} on are free`)
      f.comms = Math.max(f.comms, name + 1)
      f.makers.push(op)
      madeBy.set(name, op)
    }
    if (kind === Kind.COMM_FREE && ops[row + COMM] >= FIRST_COMM) madeBy.delete(ops[row + COMM])
  })
  if (depth !== 0) bad.push(complain(path, `rank ${r}: ${depth} loops are not closed`, "write END for every LOOP"))
  return f
}

/** Kinds whose PEER is a root. */
const rooted: ReadonlySet<number> = new Set([
  Kind.BCAST,
  Kind.REDUCE,
  Kind.GATHER,
  Kind.SCATTER,
  Kind.GATHERV,
  Kind.SCATTERV,
])
/** Flag next to the operation number: only sends make pairs. */
const SENDS = 0x4000_0000

/** Records a peer for the check against the size of its communicator, which is known only later. */
function notePeer(f: RankState, by: number, peer: number, op: number, kind: number): void {
  if (isCollective(kind) && !rooted.has(kind)) return
  if (peer === NONE && !isCollective(kind)) return
  if (peer === ANY && kind !== Kind.SEND && !isCollective(kind)) return
  const at = f.peers.get(by) ?? new Map<number, number>()
  f.peers.set(by, at)
  if (kind === Kind.SEND) at.set(peer, (op % SENDS) | SENDS)
  else if (!at.has(peer)) at.set(peer, op % SENDS)
}

/** Returns the ranks of the world to which rank r sends, ascending. Reports peers outside their communicator. */
function targetsOf(
  f: RankState,
  r: number,
  groups: readonly Int32Array[],
  made: ReadonlyMap<number, Made>,
  path: string,
  bad: Complaint[],
): number[] {
  const to = new Set<number>()
  for (const [by, peers] of f.peers) {
    const group = by === WORLD_OP ? 0 : by === SELF_OP ? -1 : (made.get(by)?.group ?? -1)
    const size = group >= 0 ? groups[group].length : by === SELF_OP ? 1 : 0
    for (const [peer, seen] of peers) {
      if (peer < 0 || peer >= size) {
        const what =
          size === 0 ? "this rank is no member of the communicator" : `rank ${peer} of a communicator of ${size}`
        bad.push(complain(path, `rank ${r}, operation ${seen % SENDS}: ${what}`, "name a rank of the communicator"))
      } else if ((seen & SENDS) !== 0) to.add(group >= 0 ? groups[group][peer] : r)
    }
  }
  return [...to].sort((a, b) => a - b)
}

/** Returns the communicators that check/communicators.ts resolves, numbered, or the first error among them. */
function groupsOf(
  program: Program,
  rankStates: readonly RankState[],
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
  if (open !== undefined) return { bad: [neverComes(open, rankStates, resolved, path)] }
  const groups = [resolved.world.members]
  const numbers = new Map<number, number>([[resolved.world.id, 0]])
  const numberOf = ({ id, members }: Communicator): number => {
    const known = numbers.get(id)
    if (known !== undefined) return known
    numbers.set(id, groups.length)
    return groups.push(members) - 1
  }
  const made = rankStates.map((f, r) => {
    const own = new Map<number, Made>()
    for (const [i, communicator] of resolved.made(r).entries()) {
      const me = communicator?.members.indexOf(r) ?? -1
      if (me >= 0) own.set(f.makers[i], { group: numberOf(communicator!), me })
    }
    return own
  })
  return { ok: { groups, made } }
}

/**
 * Returns the complaint about a communicator that can never be created because a member does not call the operation.
 */
function neverComes(
  { rank, making, of }: Open,
  rankStates: readonly RankState[],
  resolved: Resolved,
  path: string,
): Complaint {
  const op = rankStates[rank].makers[making]
  const lacking = of?.members.find((r) => r !== rank && resolved.made(r).length >= rankStates[r].makers.length)
  const who =
    of === undefined
      ? "this rank is no member of the communicator"
      : lacking === undefined
        ? "other members never come"
        : `rank ${lacking} never comes`
  return complain(
    path,
    `rank ${rank}, operation ${op}: ${who}${of === undefined ? "" : " to this call"}`,
    "check that the trace is whole",
  )
}
