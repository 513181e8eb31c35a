// Access to the words of ranks and records. Each write first notes the old value if the engine can roll back (`undo`),
// so all writes of the MPI layer go through this file. Times and byte counts are pairs of words, exact up to 2^53. The
// lists are intrusive: LINK of a record is the next one.
import { LINK, type RankHost } from "../../model/workload.ts"

const HIGH = 0x1_0000_0000

export interface Words {
  set(i: number, v: number): void
  add(i: number, v: number): void
  /** Returns a pair of words as a number up to 2^53. */
  long(i: number): number
  setLong(i: number, v: number): void
  addLong(i: number, v: number): void
  /** Appends `e` to a list: mem[i] is its first record, mem[i + 1] its last; 0: empty. */
  append(i: number, e: number): void
  /** Removes `e`, which follows `before` (0: `e` is the first). */
  remove(i: number, e: number, before: number): void
}

export function makeWords(host: Pick<RankHost, "mem" | "undo" | "note">): Words {
  const { mem, undo, note } = host
  function set(i: number, v: number): void {
    if (undo) note(i)
    mem[i] = v
  }
  function long(i: number): number {
    return mem[i + 1] * HIGH + (mem[i] >>> 0)
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
    add: (i, v) => set(i, mem[i] + v),
    long,
    setLong,
    addLong: (i, v) => setLong(i, long(i) + v),
    append(i, e) {
      set(e + LINK, 0)
      if (mem[i] === 0) set(i, e)
      else set(mem[i + 1] + LINK, e)
      set(i + 1, e)
    },
    remove(i, e, before) {
      const next = mem[e + LINK]
      if (before === 0) set(i, next)
      else set(before + LINK, next)
      if (mem[i + 1] === e) set(i + 1, before)
    },
  }
}
