// Chunks that wait for credits in chunk routers, for the deadlock diagnosis. It is called at global synchronisation
// points only, when all workers have reached the same time.
import { DST, NEXT, SRC, UP, WAIT } from "../../model/events.ts"

/**
 * Returns rows of WAIT for the waiting lists of `slots` slots. Their first chunks are `step` words apart from `waiting`
 * on.
 */
export function waitsIn(mem: Int32Array, waiting: number, step: number, slots: number, cold: number): Int32Array {
  const rows: number[] = []
  for (let slot = 0; slot < slots; slot++) {
    const rowOf = new Map<number, number>()
    for (let c = mem[waiting + slot * step]; c !== 0; c = mem[c + NEXT]) {
      const up = mem[c + UP]
      const row = rowOf.get(up)
      if (row !== undefined) rows[row + WAIT.count]++
      else {
        rowOf.set(up, rows.length)
        rows.push(slot, up, 1, mem[c + cold + SRC], mem[c + DST])
      }
    }
  }
  return Int32Array.from(rows)
}

/** Visits all chunks in the waiting lists and output queues of `slots` slots. */
export function queuesIn(
  mem: Int32Array,
  at: { readonly waiting: number; readonly queues: number },
  step: number,
  slots: number,
  visit: (chunk: number, slot: number, waits: boolean) => void,
): void {
  for (let slot = 0; slot < slots; slot++) {
    for (let c = mem[at.waiting + slot * step]; c !== 0; c = mem[c + NEXT]) visit(c, slot, true)
    for (let c = mem[at.queues + slot * step]; c !== 0; c = mem[c + NEXT]) visit(c, slot, false)
  }
}
