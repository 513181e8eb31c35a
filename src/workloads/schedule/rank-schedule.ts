// The schedule of one rank: its operations with their processors and interfaces, and its dependencies in the order of
// the file. A GOAL program gives both; for another program they follow from the stream.
import type { Resolved } from "../check/communicators.ts"
import {
  amount,
  BLOCKS,
  isCollective,
  KIND,
  Kind,
  kindNames,
  kindOf,
  NEEDS,
  ONE_OF,
  PEER,
  type Program,
  SYNCHRONOUS,
  TAG,
  WORDS,
} from "../program.ts"
import { unrolled } from "./unrolled.ts"

export interface ScheduledOp {
  readonly kind: number
  readonly peer: number
  readonly tag: number
  readonly comm: number
  readonly amount: number
  readonly cpu: number
  readonly nic: number
}

export interface RankSchedule {
  readonly ops: readonly ScheduledOp[]
  /** LINE_WORDS ints for each dependency, as in RankGraph */
  readonly lines: ArrayLike<number>
}

/** Returns the schedule of rank r with at most `most` operations. */
export function rankSchedule(program: Program, resolved: Resolved, r: number, most: number): RankSchedule {
  const graph = program.graph?.(r)
  if (graph === undefined) {
    const ops: ScheduledOp[] = []
    const lines: number[] = []
    for (const { asks, ...op } of unrolled(program, resolved, r, most)) {
      for (const [of, started] of asks) lines.push(ops.length, of, started ? 1 : 0)
      ops.push({ ...op, cpu: 0, nic: 0 })
    }
    return { ops, lines }
  }
  const source = program.rank(r)
  const ops = Array.from(graph.place, (place, i): ScheduledOp => {
    const window = source.at(place)!
    const row = (place - window.first) * WORDS
    const { ops } = window
    return {
      kind: kindOf(ops[row + KIND]),
      peer: ops[row + PEER],
      tag: ops[row + TAG],
      comm: 0,
      amount: amount(ops, row),
      cpu: graph.cpu[i],
      nic: graph.nic[i],
    }
  })
  return { ops, lines: graph.lines }
}

/** Returns what a schedule cannot express about an operation of a stream; undefined: nothing. */
export function inexpressible(ops: Int32Array, row: number): string | undefined {
  const flags = ops[row + KIND]
  const kind = kindOf(flags)
  const name = kindNames[kind] ?? String(kind)
  if (isCollective(kind)) return `${name} is a collective, and a schedule has only messages`
  if (kind === Kind.PROBE) return "a probe does not receive its message"
  if (kind === Kind.SEND && (flags & SYNCHRONOUS) !== 0) return "a synchronous send"
  if ((flags & (ONE_OF | BLOCKS)) === (ONE_OF | BLOCKS) && ops[row + NEEDS] > 1) return "a wait for one of several"
  return undefined
}
