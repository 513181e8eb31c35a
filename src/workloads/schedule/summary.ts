// The words of ranks that reports read (mpi/columns.ts), computed from what an engine did with a schedule. Computing
// time is the time in which at least one processor of the rank calculates.
import { CALC, type Executed, RECV, type Schedule, SEND } from "../../model/schedule.ts"
import * as C from "../mpi/columns.ts"
import { CAME, FROM_RANK, FROM_STEP, SENT } from "../mpi/critical-path.ts"
import { sizeClass } from "../mpi/protocol.ts"
import { makeTimeline } from "../mpi/timeline.ts"
import { makeWords, type Words } from "../mpi/words.ts"
import { Kind } from "../program.ts"

/**
 * `freeFrom` returns the time from which all processors of a rank are free, `G` is the time of each further byte.
 * `size`: words of each rank, at least FIXED.
 */
export function scheduleSummary(
  schedule: Schedule,
  done: Executed,
  freeFrom: (rank: number) => number,
  G: number,
  size: number,
): Int32Array {
  const { ranks, first, kind, amount, start } = schedule
  const mem = new Int32Array(ranks * size)
  const words = makeWords({ mem, undo: false, note: () => {} })
  const at = Int32Array.from({ length: ranks }, (_, r) => r * size)
  const timeline = makeTimeline(mem, words, { at })
  for (let r = 0; r < ranks; r++) {
    const open = first[r + 1] - first[r] - done.ended[r]
    words.set(at[r] + C.FLAGS, open === 0 ? C.DONE : 0)
    words.set(at[r] + C.ACTIVE, open)
    words.setLong(at[r] + C.BEGAN, start[r])
    words.setLong(at[r] + C.ENDED, freeFrom(r))
    const calculations: number[] = []
    for (let i = first[r]; i < first[r + 1]; i++) {
      if (done.started[i] < 0) continue
      words.add(at[r] + C.CALLS + C.CALL_WORDS * callOf[kind[i]], 1)
      if (kind[i] === CALC) calculations.push(i)
      if (kind[i] === SEND) words.add(at[r] + C.MESSAGES, 1)
      if (kind[i] === SEND && done.arrived[i] >= 0) latency(words, at, schedule, done, i, r, G)
    }
    let until = 0
    for (const i of calculations.sort((a, b) => done.started[a] - done.started[b])) {
      const from = Math.max(until, done.started[i])
      until = Math.max(until, done.started[i] + amount[i])
      if (until <= from) continue
      words.addLong(at[r] + C.COMPUTED, until - from)
      timeline.add(r, C.BUSY, from, until)
    }
  }
  criticalPaths(words, mem, at, schedule, done)
  return mem
}

/** [kind of a schedule] -> the kind of a program */
const callOf: Readonly<Record<number, number>> = { [SEND]: Kind.SEND, [RECV]: Kind.RECV, [CALC]: Kind.COMPUTE }

/** Adds the latency of a message, from the sender's network interface to its last byte at the receiver. */
function latency(
  words: Words,
  at: Int32Array,
  { amount, peer, o }: Schedule,
  done: Executed,
  send: number,
  rank: number,
  G: number,
): void {
  const s = at[peer[send]] + C.SIZES + C.SIZE_WORDS * sizeClass(amount[send])
  const took = Math.round(done.arrived[send] + (amount[send] - 1) * G - done.started[send] - o[rank])
  words.add(s, 1)
  words.addLong(s + 1, took)
  if (took > words.long(s + 3)) words.setLong(s + 3, took)
}

/** Writes the messages that led to an action of their receiver, and the last action of each rank (critical-path.ts). */
function criticalPaths(words: Words, mem: Int32Array, at: Int32Array, schedule: Schedule, done: Executed): void {
  const { ranks, first, peer } = schedule
  const { cause, last, started, arrived } = done
  const led = new Uint8Array(cause.length)
  const sender = new Int32Array(cause.length)
  for (let r = 0; r < ranks; r++) {
    if (last[r] >= 0) led[last[r]] = 1
    sender.fill(r, first[r], first[r + 1])
  }
  for (const [i, by] of cause.entries()) if (by >= 0 && started[i] >= 0) led[by] = 1
  const sends: number[] = []
  for (const [i, yes] of led.entries()) if (yes === 1) sends.push(i)
  sends.sort((a, b) => arrived[a] - arrived[b] || a - b)
  /** [send] -> number of the step that its message is at the receiver, 0: none */
  const step = new Int32Array(cause.length)
  for (const i of sends) {
    const r = at[peer[i]]
    words.add(r + C.STEPS, 1)
    step[i] = mem[r + C.STEPS]
  }
  for (const i of sends) {
    const r = at[peer[i]]
    if (mem[r + C.STEPS] - step[i] >= C.STEPS_KEPT) continue
    const s = r + C.CRITICAL_PATH + (step[i] % C.STEPS_KEPT) * C.STEP_WORDS
    words.setLong(s + CAME, arrived[i])
    words.setLong(s + SENT, started[i] + schedule.o[sender[i]])
    words.set(s + FROM_RANK, sender[i])
    words.set(s + FROM_STEP, cause[i] < 0 ? 0 : step[cause[i]])
  }
  for (let r = 0; r < ranks; r++) words.set(at[r] + C.LAST_STEP, last[r] < 0 ? 0 : step[last[r]])
}
