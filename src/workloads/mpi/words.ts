// Reading and writing words of ranks and records, old values kept where the engine asks for it; times and byte counts are pairs of words.
import { LINK, type RankHost } from "../../model/workload.ts"

const HIGH = 0x1_0000_0000

export interface Words {
  set(i: number, v: number): void
  add(i: number, v: number): void
  /** a pair of words as a number up to 2^53 */
  long(i: number): number
  setLong(i: number, v: number): void
  addLong(i: number, v: number): void
  /** Lists: mem[i] is the first record, mem[i + 1] the last; 0 = none. */
  append(i: number, e: number): void
  /** Takes out `e`, which follows `before` (0: it is the first). */
  remove(i: number, e: number, before: number): void
}

export function makeWords(host: RankHost): Words {
  const { mem, undo, note } = host
  function set(i: number, v: number): void {
    if (undo) note(i)
    mem[i] = v
  }
  function long(i: number): number {
    return mem[i + 1]! * HIGH + (mem[i]! >>> 0)
  }
  function setLong(i: number, v: number): void {
    if (undo) {
      note(i)
      note(i + 1)
    }
    const high = Math.floor(v / HIGH)
    mem[i] = v - high * HIGH
    mem[i + 1] = high
  }
  return {
    set,
    add: (i, v) => set(i, mem[i]! + v),
    long,
    setLong,
    addLong: (i, v) => setLong(i, long(i) + v),
    append(i, e) {
      set(e + LINK, 0)
      if (mem[i] === 0) set(i, e)
      else set(mem[i + 1]! + LINK, e)
      set(i + 1, e)
    },
    remove(i, e, before) {
      const next = mem[e + LINK]!
      if (before === 0) set(i, next)
      else set(before + LINK, next)
      if (mem[i + 1] === e) set(i + 1, before)
    },
  }
}
