// What led to what: the way back from the last rank that ended, message by message. Every event of a rank has a cause: its beginning, a message that came, or
// an operation that had the processor, which has the cause of whatever started it. A message that caused anything is a *step* of its rank, written into a ring:
// when it came, from whom, when it was handed over there, and the sender's step at that time, which the message carries. Whoever reads the rings backwards
// from the end has the critical path, as far as the rings reach.
import { FROM, type RankHost } from "../../model/workload.ts"
import { CAUSE, HANDED, OP_CAUSE, type RankColumns, STEP_WORDS, STEPS, STEPS_KEPT, TRAIL } from "./columns.ts"
import type { Words } from "./words.ts"

/** Words of a step. */
export const CAME = 0 // time
export const SENT = 2 // time
export const FROM_RANK = 4
export const FROM_STEP = 5

export interface Trail {
  /** The event is the beginning of its rank. */
  begins(): void
  /** It is operation `e`, which had the processor. */
  resumes(e: number): void
  /** It is message `m`, at time t. */
  arrives(m: number, rank: number, t: number): void
  /** The step that caused what happens now; 0: the beginning of the rank. */
  step(): number
}

export function makeTrail({ mem, own }: RankHost, words: Words, at: RankColumns): Trail {
  const { set, setLong } = words
  let step = 0
  /** the message is no step yet */
  let open = false
  let rank = 0
  let time = 0
  let sent = 0
  let from = 0
  let fromStep = 0

  /** It has caused something. */
  function write(): void {
    const r = at.at[rank]!
    step = mem[r + STEPS]! + 1
    const s = r + TRAIL + (step % STEPS_KEPT) * STEP_WORDS
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
      step = mem[e + own + OP_CAUSE]!
      open = false
    },
    arrives(m, to, t) {
      const y = m + own
      open = true
      rank = to
      time = t
      sent = words.long(y + HANDED)
      from = mem[y + FROM]!
      fromStep = mem[y + CAUSE]!
    },
    step() {
      if (open) write()
      return step
    },
  }
}
