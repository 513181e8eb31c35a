// Ranks of parallel programs on switches that move flits: an endpoint sends the messages that its ranks have handed over one after the other, in packets.
import { type Columns, i32, type Marks } from "../../fabric/columns.ts"
import type { Layout } from "../../fabric/layout.ts"
import { countOf, type RankState, total } from "./clocked.ts"
import { layRankColumns, type RankPlan, type RankWish, rankMarks } from "./transfers/rank-columns.ts"
import type { RankSeat } from "./transfers/seat.ts"

export type FlitRankColumns = ReturnType<typeof layRankColumns>["columns"] & {
  /** [endpoint] -> the message that it is sending, flits of it that are in no packet yet, when it began */
  readonly message: Int32Array
  readonly rest: Int32Array
  readonly began: Int32Array
}

export interface FlitRanks {
  readonly plan: RankPlan
  readonly columns: FlitRankColumns
  /** number of their stream; flits of the packets that messages are cut into */
  readonly stream: number
  readonly packet: number
}

export function layFlitRanks(l: Layout, wish: RankWish, flitBytes: number): FlitRanks {
  const { plan, columns } = layRankColumns(l, wish, flitBytes, 1)
  const own = { message: i32(l.ends), rest: i32(l.ends), began: i32(l.ends) }
  return { plan, columns: { ...columns, ...own }, stream: wish.layer.stream, packet: wish.packet }
}

export function flitRankMarks(l: Layout, { plan }: FlitRanks, columns: Columns): Marks {
  return rankMarks(l, plan, columns, "rank.")
}

/** What a run asks of its ranks. */
export function rankState({ layer }: RankWish, seat: RankSeat, { pending, headOf, message }: FlitRankColumns): RankState {
  return {
    ranks: layer.ranks,
    finished: () => countOf(layer.ranks, (r) => seat.ranks.finished(r)),
    pending: () => total(pending) + countOf(headOf.length, (e) => headOf[e] !== 0 || message[e] !== 0),
    summaries() {
      const words = new Int32Array(layer.ranks * layer.summary)
      for (let r = 0; r < layer.ranks; r++) seat.ranks.summary(r, words, r * layer.summary)
      return words
    },
  }
}
