// Layout of the columns that hold ranks of parallel programs in the clocked engines. engine.ts and ../ranks.ts call it;
// rank-adapter.ts has the logic.
import { type Columns, i32, type Marks } from "../../../fabric/columns.ts"
import type { Layout } from "../../../fabric/layout.ts"
import type { Reserve } from "../../../model/events.ts"
import { OWN_WORDS, type RankHost, type RankLayer, type Ranks } from "../../../model/workload.ts"

/** words of a record: six of the engine, and those of ranks */
export const RANK_RECORD = 6 + OWN_WORDS + 2
/** slots of the timing wheel; later events stay for further laps */
export const WHEEL = 4096
/** concurrent operations and messages of a rank for which memory is reserved */
const EACH = 1024
const MOST_WORDS = 2 ** 29

export interface RankRequest {
  readonly layer: RankLayer
  /** ps of a cycle */
  readonly cycle: number
  /** flits of the packets that messages are divided into */
  readonly packet: number
}

export interface RankPlan {
  readonly cycle: number
  readonly flitBytes: number
  /** records of one partition: the number that the partition with the most ranks needs */
  readonly capacity: number
  /** words of all records and ranks together */
  readonly words: number
  /** [rank] -> endpoint of the network */
  readonly place: Int32Array
  make(host: RankHost): Ranks
}

export type RankColumns = ReturnType<typeof columnsOf>

class Words implements Reserve {
  words: number
  constructor(words: number) {
    this.words = words
  }
  reserve(count: number): number {
    const at = this.words
    this.words += count
    return at
  }
  times(): void {
    // Cycles since the start need no epoch.
  }
}

/** `messages`: number of message records of all endpoints. */
export function layRankColumns(
  l: Layout,
  { layer, cycle }: RankRequest,
  flitBytes: number,
  messages: number,
): { plan: RankPlan; columns: RankColumns } {
  const capacity = Math.floor(Math.min(4096 + EACH * mostRanks(l, layer.place), MOST_WORDS / RANK_RECORD / l.parts))
  const words = new Words(l.parts * capacity * RANK_RECORD)
  const { make } = layer.lay(words)
  return {
    plan: { cycle, flitBytes, capacity, words: words.words, place: layer.place, make },
    columns: columnsOf(l, words.words, messages),
  }
}

/** Returns the number of ranks in the partition that has the most. */
function mostRanks(l: Layout, place: Int32Array): number {
  const partOf = new Int32Array(l.graph.ends)
  for (let p = 0; p < l.parts; p++)
    for (let e = l.firstEnd[p]; e < l.firstEnd[p + 1]; e++) if (l.outerEnd[e] >= 0) partOf[l.outerEnd[e]] = p
  const ranks = new Int32Array(l.parts)
  for (const end of place) ranks[partOf[end]]++
  return ranks.reduce((a, b) => Math.max(a, b), 0)
}

function columnsOf(l: Layout, words: number, messages: number) {
  return {
    mem: i32(words),
    // [partition, cycle] -> events; free records; records ever used; pending events
    wheel: i32(l.parts * WHEEL),
    free: i32(l.parts),
    fresh: i32(l.parts),
    pending: i32(l.parts),
    homeHead: i32(2 * l.parts * l.parts),
    homeTail: i32(2 * l.parts * l.parts),
    // [endpoint] -> messages that its ranks have passed to it
    headOf: i32(l.ends),
    tailOf: i32(l.ends),
    // [message in a queue] -> the rank's message; flits of its last packet
    jobOf: i32(messages),
    lastOf: i32(messages),
  }
}

/** Returns the used part of the records, and everything after them. */
export function rankMarks(l: Layout, { capacity, words }: RankPlan, columns: Columns, prefix: string): Marks {
  const size = capacity * RANK_RECORD
  const first = Array.from({ length: l.parts + 1 }, (_, p) => p * size)
  const used = Array.from({ length: l.parts }, (_, p) => (columns[`${prefix}fresh`][p] + 1) * RANK_RECORD)
  return { [`${prefix}mem`]: { capacity: first, used: [...used, words - l.parts * size] } }
}
