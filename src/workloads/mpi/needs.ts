// Dependencies between the operations of one rank. A running operation stores the operation that waits for it. Most
// have at most one dependent, so DEPENDENT is that record itself. With a second dependent, or with one that waits for
// the start, it becomes a list of edge records (flag MANY). An operation counts its open needs in PENDING and is passed
// to `go` when the count reaches 0.
import { LINK, type RankHost, WHAT } from "../../model/workload.ts"
import { DEPENDENT, EDGE, FIRST_OF, MANY, PARENT, PENDING, STARTED, TO_START } from "./columns.ts"
import type { Words } from "./words.ts"

export interface Needs {
  /** Operation `by` waits for the end of `e`, or for its start. */
  wait(e: number, by: number, forStart: boolean): void
  /** Operation `by` no longer waits for `e`. */
  forget(e: number, by: number): void
  /** `e` has started or finished: calls `go` for each dependent that has no other open need. */
  started(e: number): void
  finished(e: number): void
}

export function makeNeeds(host: RankHost, words: Words, go: (e: number) => void): Needs {
  const { mem, own, alloc, release } = host
  const { set, add } = words

  /** Converts the single dependent of the operation at `x` into a list with one edge. */
  function toList(x: number): void {
    if ((mem[x + WHAT] & MANY) !== 0) return
    const only = mem[x + DEPENDENT]
    set(x + WHAT, mem[x + WHAT] | MANY)
    if (only !== 0) set(x + DEPENDENT, edge(only, 0, 0))
  }
  function edge(by: number, flags: number, next: number): number {
    const e = alloc()
    set(e + own + WHAT, EDGE | flags)
    set(e + own + PARENT, by)
    set(e + LINK, next)
    return e
  }
  /** One need of operation `by` is satisfied. */
  function satisfy(by: number): void {
    const x = by + own
    const left = mem[x + PENDING] - 1
    set(x + PENDING, left)
    if ((mem[x + WHAT] & FIRST_OF) !== 0) {
      // Waitany: the first need starts it, later ones are ignored. STARTED records that it was passed to `go`.
      if ((mem[x + WHAT] & STARTED) !== 0) return
      set(x + WHAT, mem[x + WHAT] | STARTED)
      go(by)
    } else if (left === 0) go(by)
  }

  return {
    wait(e, by, forStart) {
      const x = e + own
      add(by + own + PENDING, 1)
      if (!forStart && mem[x + DEPENDENT] === 0 && (mem[x + WHAT] & MANY) === 0) {
        set(x + DEPENDENT, by)
        return
      }
      toList(x)
      set(x + DEPENDENT, edge(by, forStart ? TO_START : 0, mem[x + DEPENDENT]))
    },
    forget(e, by) {
      const x = e + own
      if ((mem[x + WHAT] & MANY) === 0) {
        if (mem[x + DEPENDENT] === by) set(x + DEPENDENT, 0)
        return
      }
      for (let d = mem[x + DEPENDENT], before = 0; d !== 0; before = d, d = mem[d + LINK]) {
        if (mem[d + own + PARENT] !== by) continue
        if (before === 0) set(x + DEPENDENT, mem[d + LINK])
        else set(before + LINK, mem[d + LINK])
        release(d)
        return
      }
    },
    started(e) {
      const x = e + own
      if ((mem[x + WHAT] & MANY) === 0) return
      for (let d = mem[x + DEPENDENT], before = 0; d !== 0; ) {
        const next = mem[d + LINK]
        if ((mem[d + own + WHAT] & TO_START) === 0) before = d
        else {
          if (before === 0) set(x + DEPENDENT, next)
          else set(before + LINK, next)
          satisfy(mem[d + own + PARENT])
          release(d)
        }
        d = next
      }
    },
    finished(e) {
      const x = e + own
      if ((mem[x + WHAT] & MANY) === 0) {
        if (mem[x + DEPENDENT] !== 0) satisfy(mem[x + DEPENDENT])
        return
      }
      for (let d = mem[x + DEPENDENT]; d !== 0; ) {
        const next = mem[d + LINK]
        satisfy(mem[d + own + PARENT])
        release(d)
        d = next
      }
    },
  }
}
