// Which message belongs to which receive: by context, source and tag; receives in the order they were posted, messages in the order they came.
import { FROM, LINK, type RankHost } from "../../model/workload.ts"
import { ANY } from "../program.ts"
import { CONTEXT, EARLY, HELD, PAIR, PEER, PLACE, POSTED, type RankColumns, TAG } from "./columns.ts"
import type { Words } from "./words.ts"

export interface Matching {
  /** The first receive or probe that message `m` fits, taken out of those posted; 0 = none. */
  receiveFor(rank: number, m: number): number
  /** The first message that fits receive `e`; taken out unless it is only looked at. 0 = none. */
  messageFor(rank: number, e: number, take: boolean): number
  post(rank: number, e: number): void
  /** A message that nobody waits for. */
  keep(rank: number, m: number): void
  /** Is it the turn of message `m` among those of its sender? If not it is held. */
  inTurn(rank: number, m: number): boolean
  /** Message `m` had its turn: the next one that was held, taken out, or 0. */
  next(rank: number, m: number): number
}

export function makeMatching(host: RankHost, words: Words, at: RankColumns): Matching {
  const { mem, own } = host
  const { append, remove, add } = words

  function fits(e: number, m: number): boolean {
    const x = e + own
    const y = m + own
    if (mem[x + CONTEXT] !== mem[y + CONTEXT]) return false
    const peer = mem[x + PEER]!
    if (peer !== ANY && peer !== mem[y + FROM]) return false
    const tag = mem[x + TAG]!
    return tag === ANY || tag === mem[y + TAG]
  }

  return {
    receiveFor(rank, m) {
      const list = at.at[rank]! + POSTED
      for (let e = mem[list]!, before = 0; e !== 0; before = e, e = mem[e + LINK]!) {
        if (!fits(e, m)) continue
        remove(list, e, before)
        return e
      }
      return 0
    },
    messageFor(rank, e, take) {
      const list = at.at[rank]! + EARLY
      for (let m = mem[list]!, before = 0; m !== 0; before = m, m = mem[m + LINK]!) {
        if (!fits(e, m)) continue
        if (take) remove(list, m, before)
        return m
      }
      return 0
    },
    post: (rank, e) => append(at.at[rank]! + POSTED, e),
    keep: (rank, m) => append(at.at[rank]! + EARLY, m),
    inTurn(rank, m) {
      const pair = mem[m + own + PAIR]!
      if (pair < 0 || mem[m + own + PLACE] === mem[at.matched + pair]) return true
      append(at.at[rank]! + HELD, m)
      return false
    },
    next(rank, m) {
      const pair = mem[m + own + PAIR]!
      if (pair < 0) return 0
      add(at.matched + pair, 1)
      const list = at.at[rank]! + HELD
      for (let h = mem[list]!, before = 0; h !== 0; before = h, h = mem[h + LINK]!) {
        if (mem[h + own + PAIR] !== pair || mem[h + own + PLACE] !== mem[at.matched + pair]) continue
        remove(list, h, before)
        return h
      }
      return 0
    },
  }
}
