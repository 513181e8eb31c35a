// Debug mode of the optimistic synchronisation. Before an event counts, it is executed and undone, and all memory is
// compared with the previous contents, word by word. It is then executed and undone again, and must have had the same
// effect. This finds unlogged writes, random draws that depend on history, and incomplete undo, each at its first
// event. ROSS has a similar mode ("sequential rollback check"). It is meant for small networks, because each event
// copies all memory. kernel.ts calls it.
import { KEY, NEXT } from "../../model/events.ts"
import type { History } from "./history.ts"

export interface RollbackCheckPlan {
  /** offsets from a record to the columns of its words; offset of the memory after these columns */
  readonly halves: readonly number[]
  readonly rest: number
  /** Performs optional clean-up now, because its timing must not make two runs differ. */
  tidy(): void
  /** Clears the parts of a memory copy that undoing need not restore. */
  settle(copy: Int32Array): void
}

export type RollbackCheck = (e: number, t: number, key: number, lp: number) => void

/** `fresh()`: offset after the last record that was ever used. */
export function makeRollbackCheck(
  mem: Int32Array,
  stride: number,
  fresh: () => number,
  plan: RollbackCheckPlan,
  handle: (e: number, t: number, key: number) => void,
  history: History,
): RollbackCheck {
  const { halves, rest } = plan
  const before = new Int32Array(mem.length)
  const first = new Int32Array(mem.length)
  const after = new Int32Array(mem.length)

  /** Copies memory. Free records, records from `end` on, and the link of the running record are cleared. */
  function copy(into: Int32Array, running: number, end: number): void {
    const to = fresh()
    for (const half of halves) into.set(mem.subarray(half, half + to), half)
    into.set(mem.subarray(rest), rest)
    plan.settle(into)
    into[running + NEXT] = 0
    for (let e = stride; e < to; e += stride) {
      if (mem[e + KEY] !== -1 && e < end) continue
      // For a few words, a loop is faster than fill().
      for (const half of halves) for (let i = e + half; i < e + half + stride; i++) into[i] = 0
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

  /**
   * Executes and undoes the event. Returns false if other events had to be undone for it; the comparison is then
   * invalid.
   */
  function once(e: number, t: number, key: number, lp: number, result: Int32Array): boolean {
    const { rolledBack } = history.counts
    run(e, t, key, lp)
    copy(result, e, fresh())
    history.takeBack(lp)
    return history.counts.rolledBack === rolledBack
  }

  return function rollbackCheck(e, t, key, lp) {
    for (;;) {
      // A record that is used for the first time has undefined contents; the next iteration compares it.
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
  for (let i = from; i < to; i++)
    if (a[i] !== b[i]) throw new Error(`${says} word ${i} at ${b[i]}, where it was ${a[i]}`)
}
