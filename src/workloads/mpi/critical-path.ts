// Records the causes of events, from which report.ts computes the critical path: the chain of messages that leads to
// the end of the last rank. Every event of a rank has a cause: the start of the rank, an arrived message, or an
// operation that occupied the processor (which has the cause of its own start). A message that causes an action is a
// *step* of its rank. A step is written into a ring of STEPS_KEPT entries: the arrival time, the sender, the time of
// sending, and the sender's step at that time, which the message carries. The path is reconstructed backwards through
// the rings, as far as they reach.
import { FROM, type RankHost } from "../../model/workload.ts"
import { CAUSE, CRITICAL_PATH, HANDED, OP_CAUSE, type RankColumns, STEP_WORDS, STEPS, STEPS_KEPT } from "./columns.ts"
import type { Words } from "./words.ts"

/** Words of a step; CAME and SENT are times (two words). */
export const CAME = 0 // time
export const SENT = 2 // time
export const FROM_RANK = 4
export const FROM_STEP = 5

export interface CriticalPath {
  /** The current event is the start of its rank. */
  begins(): void
  /** The current event is the end of operation `e` on the processor. */
  resumes(e: number): void
  /** The current event is the arrival of message `m` at time t. */
  arrives(m: number, rank: number, t: number): void
  /** Returns the step that causes the current action; 0: the start of the rank. */
  step(): number
}

export function makeCriticalPath({ mem, own }: RankHost, words: Words, at: RankColumns): CriticalPath {
  const { set, setLong } = words
  let step = 0
  /** The message of the current event has not caused an action yet, so it is not in the ring. */
  let open = false
  let rank = 0
  let time = 0
  let sent = 0
  let from = 0
  let fromStep = 0

  /**
   * Writes the message of the current event into the ring. Called for its first action only, so idle messages use no
   * entry.
   */
  function write(): void {
    const r = at.at[rank]
    step = mem[r + STEPS] + 1
    const s = r + CRITICAL_PATH + (step % STEPS_KEPT) * STEP_WORDS
    set(r + STEPS, step)
    setLong(s + CAME, time)
    setLong(s + SENT, sent)
    set(s + FROM_RANK, from)
    set(s + FROM_STEP, fromStep)
    open = false
  }

  return {
    begins() {
      step = 0
      open = false
    },
    resumes(e) {
      step = mem[e + own + OP_CAUSE]
      open = false
    },
    arrives(m, to, t) {
      const y = m + own
      open = true
      rank = to
      time = t
      sent = words.long(y + HANDED)
      from = mem[y + FROM]
      fromStep = mem[y + CAUSE]
    },
    step() {
      if (open) write()
      return step
    },
  }
}
