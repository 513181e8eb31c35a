// Groups of ranks in a training job, and a program that is equal for all ranks except for the members of their groups.
// simai.ts and aicb.ts use it.
import { FIRST_COMM, Kind, type Program, type Window } from "../../program.ts"
import { RankWriter } from "../../writer.ts"

/** `size` ranks that are `stride` apart. */
export interface Grouping {
  readonly stride: number
  readonly size: number
}

export function membersOf(rank: number, g: Grouping): number[] {
  const first = rank - g.stride * (Math.floor(rank / g.stride) % g.size)
  return Array.from({ length: g.size }, (_, i) => first + i * g.stride)
}

/** Returns true if the groups cover all ranks. */
export function fills(ranks: number, g: Grouping): boolean {
  return g.size >= 1 && g.stride >= 1 && ranks % (g.stride * g.size) === 0
}

/** Collectives whose byte count is the sum of all blocks: each rank has one part. */
const divided = new Set<Kind>([Kind.ALLGATHER, Kind.REDUCE_SCATTER, Kind.ALLTOALL])

/**
 * A step that all ranks execute identically. Its operations are written once into a window that all ranks share. Before
 * it, each rank has a prologue that defines its groups.
 */
export class SharedStep {
  readonly #groups: Grouping[] = []
  readonly #ops: ((to: RankWriter) => void)[] = []

  /** Adds a collective among the ranks of a group. A group of one rank sends nothing. */
  collective(kind: Kind, bytes: number, group: Grouping): void {
    if (group.size === 1) return
    let at = this.#groups.findIndex((g) => g.size === group.size && g.stride === group.stride)
    if (at < 0) at = this.#groups.push(group) - 1
    const amount = divided.has(kind) ? Math.ceil(bytes / group.size) : bytes
    const rooted = kind === Kind.BCAST || kind === Kind.REDUCE
    this.#ops.push((to) => to.collective(kind, amount, { comm: FIRST_COMM + at, ...(rooted ? { peer: 0 } : {}) }))
  }
  compute(picoseconds: number): void {
    if (picoseconds > 0) this.#ops.push((to) => to.compute(picoseconds))
  }

  program(ranks: number): Program {
    const groups = this.#groups
    const prologue = (rank: number): RankWriter => {
      const to = new RankWriter()
      for (const [i, g] of groups.entries())
        to.op(Kind.COMM_DEFINE, { peer: FIRST_COMM + i, values: membersOf(rank, g) })
      return to
    }
    let body: Window | undefined
    const shared = (): Window => {
      if (body !== undefined) return body
      const to = prologue(0)
      to.take()
      for (const op of this.#ops) op(to)
      return (body = to.take())
    }
    return {
      ranks,
      calls: [],
      rank: (r) => {
        const own = prologue(r).take()
        return {
          at: (op) => {
            if (op < own.count) return own
            const w = shared()
            return op < w.first + w.count ? w : undefined
          },
        }
      },
    }
  }
}
