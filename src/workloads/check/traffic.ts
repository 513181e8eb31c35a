// Computes the traffic matrix of a program: messages by sender and destination as the program writes them, and its
// collectives by kind. The messages of a collective depend on its algorithm and are not counted; the bytes that the
// ranks contribute are. `lacewing trace` prints it.
import {
  amount,
  COMM,
  forEachOp,
  isCollective,
  KIND,
  Kind,
  kindNames,
  kindOf,
  LIST,
  NEEDS,
  PEER,
  type Program,
  type RankSource,
  VALUES,
  type Window,
} from "../program.ts"
import { Following, makesCommunicator, type Resolved } from "./communicators.ts"

/** The messages of a rank to one destination. */
export interface Flow {
  readonly to: number
  messages: number
  bytes: number
}

/** Collectives of one kind, summed over all ranks. */
export interface CollectiveSum {
  readonly name: string
  /** Calls of ranks: one collective of p ranks counts as p calls. */
  calls: number
  /** Bytes that the ranks contribute, in all calls together. */
  bytes: number
}

export interface Traffic {
  /** [rank] -> its flows, by destination. */
  readonly flows: readonly (readonly Flow[])[]
  /** In the order of Kind. */
  readonly collectives: readonly CollectiveSum[]
  /** Number of messages on communicators whose members are unknown. */
  readonly unknown: number
}

const nobody: readonly Flow[] = []

export function trafficOf(program: Program, resolved: Resolved): Traffic {
  let unknown = 0
  const sums: CollectiveSum[] = []
  const flows: (readonly Flow[])[] = new Array(program.ranks).fill(nobody)
  for (let rank = 0; rank < program.ranks; rank++) {
    const source = program.rank(rank)
    if (source.at(0) !== undefined) flows[rank] = flowsOf(source, rank)
  }
  return { flows, collectives: sums.filter((s) => s !== undefined), unknown }

  function flowsOf(source: RankSource, rank: number): Flow[] {
    const to = new Map<number, Flow>()
    const comms = new Following(resolved, rank)
    // Product of the iterations of the enclosing loops: each operation of a body counts this often.
    const turns: number[] = [1]
    forEachOp(source, (window, row) => {
      const { ops } = window
      const kind = kindOf(ops[row + KIND])
      if (kind < Kind.SEND || kind === Kind.RECV) return
      if (kind === Kind.LOOP) turns.push(turns.at(-1)! * amount(ops, row))
      else if (kind === Kind.END) turns.pop()
      else if (makesCommunicator(kind)) comms.make(ops[row + PEER])
      else if (isCollective(kind)) {
        sums[kind] ??= { name: kindNames[kind], calls: 0, bytes: 0 }
        sums[kind].calls += turns.at(-1)!
        const members = comms.get(ops[row + COMM])?.members.length ?? 0
        sums[kind].bytes += turns.at(-1)! * contributed(window, row, members)
      } else if (kind === Kind.SEND) {
        const times = turns.at(-1)!
        const dest = comms.get(ops[row + COMM])?.members[ops[row + PEER]]
        if (dest === undefined) {
          unknown += times
          return
        }
        let flow = to.get(dest)
        if (flow === undefined) to.set(dest, (flow = { to: dest, messages: 0, bytes: 0 }))
        flow.messages += times
        flow.bytes += times * amount(ops, row)
      }
    })
    return [...to.values()].sort((a, b) => a.to - b.to)
  }
}

/**
 * Returns the bytes that one rank of `members` contributes to one collective call: a vector, a block, or a block for
 * each rank.
 */
function contributed({ ops, list }: Window, row: number, members: number): number {
  const kind = kindOf(ops[row + KIND])
  const values = ops[row + VALUES]
  if (values === 0) return amount(ops, row) * (forEachRank.has(kind) ? members : 1)
  const first = ops[row + LIST] + ops[row + NEEDS]
  const sum = (n: number) => list.subarray(first, first + n).reduce((a, b) => a + b, 0)
  // The first half are the blocks to send, the second half those to receive.
  if (kind === Kind.ALLTOALLV) return sum(values / 2)
  if (kind === Kind.REDUCE_SCATTER) return sum(values)
  // Each rank has the list with the blocks of all ranks, so it counts for a fraction of it.
  if (kind === Kind.ALLGATHERV) return sum(values) / members
  return amount(ops, row)
}

/** Collectives whose byte count is one block, of which a rank has one for each rank of the communicator. */
const forEachRank: ReadonlySet<number> = new Set([Kind.ALLTOALL, Kind.REDUCE_SCATTER])
