// Ranks of a training job in groups, and a program that all ranks share but for who is in their groups.
import { FIRST_COMM, Kind, type Program, type Window } from "../../program.ts"
import { RankWriter } from "../../writer.ts"

/** Ranks that are `stride` apart, `size` of them. */
export interface Grouping {
  readonly stride: number
  readonly size: number
}

export function membersOf(rank: number, g: Grouping): number[] {
  const first = rank - g.stride * (Math.floor(rank / g.stride) % g.size)
  return Array.from({ length: g.size }, (_, i) => first + i * g.stride)
}

/** Whether the groups fill all ranks. */
export function fills(ranks: number, g: Grouping): boolean {
  return g.size >= 1 && g.stride >= 1 && ranks % (g.stride * g.size) === 0
}

/** Collectives whose bytes are those of all blocks together: each rank has its part. */
const divided = new Set<Kind>([Kind.ALLGATHER, Kind.REDUCE_SCATTER, Kind.ALLTOALL])

/** One step that every rank takes alike: written once, in one window for all; before it each rank defines its own groups. */
export class SharedStep {
  readonly #groups: Grouping[] = []
  readonly #ops: ((to: RankWriter) => void)[] = []

  /** A collective among the ranks of a group; alone nobody talks. */
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
      for (const [i, g] of groups.entries()) to.op(Kind.COMM_DEFINE, { peer: FIRST_COMM + i, values: membersOf(rank, g) })
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
