// Ranks of parallel programs in the flit engine. An endpoint sends the messages of its ranks one after the other,
// divided into packets. This file lays out their columns; transfers/rank-adapter.ts has the logic.
import { type Columns, i32, type Marks } from "../../fabric/columns.ts"
import type { Layout } from "../../fabric/layout.ts"
import { countOf, type RankState, total } from "./clocked.ts"
import type { RankAdapter } from "./transfers/rank-adapter.ts"
import { layRankColumns, type RankPlan, type RankRequest, rankMarks } from "./transfers/rank-columns.ts"

export type FlitRankColumns = ReturnType<typeof layRankColumns>["columns"] & {
  /**
   * [endpoint] -> the message that it is sending, its flits that are not in a packet yet, the cycle in which it started
   */
  readonly message: Int32Array
  readonly rest: Int32Array
  readonly began: Int32Array
}

export interface FlitRanks {
  readonly plan: RankPlan
  readonly columns: FlitRankColumns
  /** number of their stream; flits of the packets that messages are divided into */
  readonly stream: number
  readonly packet: number
}

/** Lays out the columns. The flit engine needs one message record, because an endpoint sends one message at a time. */
export function layFlitRanks(l: Layout, wish: RankRequest, flitBytes: number): FlitRanks {
  const { plan, columns } = layRankColumns(l, wish, flitBytes, 1)
  const own = { message: i32(l.ends), rest: i32(l.ends), began: i32(l.ends) }
  return { plan, columns: { ...columns, ...own }, stream: wish.layer.stream, packet: wish.packet }
}

export function flitRankMarks(l: Layout, { plan }: FlitRanks, columns: Columns): Marks {
  return rankMarks(l, plan, columns, "rank.")
}

/** Returns the view of the ranks that a run needs. */
export function rankState(
  { layer }: RankRequest,
  rankAdapter: RankAdapter,
  { pending, headOf, message }: FlitRankColumns,
): RankState {
  return {
    ranks: layer.ranks,
    finished: () => countOf(layer.ranks, (r) => rankAdapter.ranks.finished(r)),
    pending: () => total(pending) + countOf(headOf.length, (e) => headOf[e] !== 0 || message[e] !== 0),
    summaries() {
      const words = new Int32Array(layer.ranks * layer.summary)
      for (let r = 0; r < layer.ranks; r++) rankAdapter.ranks.summary(r, words, r * layer.summary)
      return words
    },
  }
}
