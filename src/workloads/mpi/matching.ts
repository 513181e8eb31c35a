// MPI message matching: context, source and tag. Posted receives match in the order of posting, and unexpected messages
// in the order of arrival. The lists are linked through records (LINK), so a search is linear, as in most MPI
// implementations. protocol.ts calls it.
//
// With `matching: ordered`, messages of one pair of ranks are matched in the order of their sends, as MPI demands. A
// message that overtook an earlier one of its pair waits in the list HELD until its sequence number (PLACE) is next.
import { FROM, LINK, type RankHost } from "../../model/workload.ts"
import { ANY } from "../program.ts"
import { CONTEXT, EARLY, HELD, PAIR, PEER, PLACE, POSTED, type RankColumns, TAG } from "./columns.ts"
import type { Words } from "./words.ts"

export interface Matching {
  /** Removes and returns the first posted receive or probe that matches message `m`; 0: there is none. */
  receiveFor(rank: number, m: number): number
  /**
   * Returns the first unexpected message that matches receive `e`, and removes it if `take` is true. 0: there is none.
   */
  messageFor(rank: number, e: number, take: boolean): number
  post(rank: number, e: number): void
  /** Appends an unexpected message, for which no receive is posted. */
  keep(rank: number, m: number): void
  /** Returns true if message `m` is the next of its pair in sequence; otherwise puts it into the list HELD. */
  inTurn(rank: number, m: number): boolean
  /**
   * Counts message `m` as matched. Removes and returns the next message of its pair from HELD; 0: it has not arrived.
   */
  next(rank: number, m: number): number
}

export function makeMatching(host: RankHost, words: Words, at: RankColumns): Matching {
  const { mem, own } = host
  const { append, remove, add } = words

  function fits(e: number, m: number): boolean {
    const x = e + own
    const y = m + own
    if (mem[x + CONTEXT] !== mem[y + CONTEXT]) return false
    const peer = mem[x + PEER]
    if (peer !== ANY && peer !== mem[y + FROM]) return false
    const tag = mem[x + TAG]
    return tag === ANY || tag === mem[y + TAG]
  }

  return {
    receiveFor(rank, m) {
      const list = at.at[rank] + POSTED
      for (let e = mem[list], before = 0; e !== 0; before = e, e = mem[e + LINK]) {
        if (!fits(e, m)) continue
        remove(list, e, before)
        return e
      }
      return 0
    },
    messageFor(rank, e, take) {
      const list = at.at[rank] + EARLY
      for (let m = mem[list], before = 0; m !== 0; before = m, m = mem[m + LINK]) {
        if (!fits(e, m)) continue
        if (take) remove(list, m, before)
        return m
      }
      return 0
    },
    post: (rank, e) => append(at.at[rank] + POSTED, e),
    keep: (rank, m) => append(at.at[rank] + EARLY, m),
    inTurn(rank, m) {
      const pair = mem[m + own + PAIR]
      if (pair < 0 || mem[m + own + PLACE] === mem[at.matched + pair]) return true
      append(at.at[rank] + HELD, m)
      return false
    },
    next(rank, m) {
      const pair = mem[m + own + PAIR]
      if (pair < 0) return 0
      add(at.matched + pair, 1)
      const list = at.at[rank] + HELD
      for (let h = mem[list], before = 0; h !== 0; before = h, h = mem[h + LINK]) {
        if (mem[h + own + PAIR] !== pair || mem[h + own + PLACE] !== mem[at.matched + pair]) continue
        remove(list, h, before)
        return h
      }
      return 0
    },
  }
}
