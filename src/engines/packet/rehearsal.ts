// The debug mode of the optimistic synchronisation: before an event counts, it is run, undone, and all memory is compared with what it was, word by
// word; run again and undone again, it must have done the same. A write without a note, a draw that is not a function of its place, a log that
// restores too little: each fails at its first event. ROSS has such a mode ("sequential rollback check"). For small networks: every event copies
// all memory.
import { KEY, NEXT } from "../../model/events.ts"
import type { History } from "./history.ts"

export interface RehearsalPlan {
  /** offsets from a record to the columns that its words lie in; where the words behind these columns begin */
  readonly halves: readonly number[]
  readonly rest: number
  /** Does now what may be done at any time: how far it has come must not tell two runs apart. */
  tidy(): void
  /** Makes equal in a copy of memory what undoing need not restore. */
  settle(copy: Int32Array): void
}

export type Rehearse = (e: number, t: number, key: number, lp: number) => void

/** `fresh()`: one past the last record that was ever used. */
export function makeRehearsal(
  mem: Int32Array,
  stride: number,
  fresh: () => number,
  plan: RehearsalPlan,
  handle: (e: number, t: number, key: number) => void,
  history: History,
): Rehearse {
  const { halves, rest } = plan
  const before = new Int32Array(mem.length)
  const first = new Int32Array(mem.length)
  const after = new Int32Array(mem.length)

  /** Copies memory: without free records, those from `end` on, and the link of the running one. */
  function copy(into: Int32Array, running: number, end: number): void {
    const to = fresh()
    for (const half of halves) into.set(mem.subarray(half, half + to), half)
    into.set(mem.subarray(rest), rest)
    plan.settle(into)
    into[running + NEXT] = 0
    for (let e = stride; e < to; e += stride) {
      if (mem[e + KEY] !== -1 && e < end) continue
      for (const half of halves) into.fill(0, e + half, e + half + stride)
    }
  }

  function compare(a: Int32Array, b: Int32Array, says: string): void {
    for (const half of halves) same(a, b, half, half + fresh(), says)
    same(a, b, rest, a.length, says)
  }

  function run(e: number, t: number, key: number, lp: number): void {
    history.begin(e, t, key, lp)
    handle(e, t, key)
    history.finish()
  }

  /** Runs and undoes the event; false if others had to be undone for it. */
  function once(e: number, t: number, key: number, lp: number, result: Int32Array): boolean {
    const { rolledBack } = history.counts
    run(e, t, key, lp)
    copy(result, e, fresh())
    history.takeBack(lp)
    return history.counts.rolledBack === rolledBack
  }

  return function rehearse(e, t, key, lp) {
    for (;;) {
      // a record that is used for the first time holds nothing that counts: the next round compares it
      const end = fresh()
      plan.tidy()
      copy(before, e, end)
      if (!once(e, t, key, lp, first)) continue
      copy(after, e, end)
      compare(before, after, `event of key ${key} at ${t} ps of LP ${lp}, undone, leaves`)
      if (fresh() !== end || !once(e, t, key, lp, after)) continue
      compare(first, after, `event of key ${key} at ${t} ps of LP ${lp}, run again, makes`)
      return
    }
  }
}

function same(a: Int32Array, b: Int32Array, from: number, to: number, says: string): void {
  for (let i = from; i < to; i++) if (a[i] !== b[i]) throw new Error(`${says} word ${i} at ${b[i]}, where it was ${a[i]}`)
}
