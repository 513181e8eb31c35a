// The state of a scheduler in fingerprints.
import type { QosScheduler } from "../model/scheduler.ts"

const real = new Float64Array(1)
const words = new Int32Array(real.buffer)

/** Tags of fair queueing are no whole numbers. */
function bits(x: number): number {
  real[0] = x
  return words[0]! ^ Math.imul(words[1]!, 0x9e3779b1)
}

/** All words of one of `rows` rows: number of the column, number of the word, its bits. */
export function digestScheduler(
  { columns, digest }: QosScheduler,
  add: (column: number, i: number, bits: number) => void,
  row: number,
  rows: number,
): void {
  if (digest !== undefined) {
    digest(row, (n, i, value) => add(n, i, bits(value)))
    return
  }
  Object.values(columns).forEach((column, n) => {
    const width = column.length / rows
    for (let i = 0; i < width; i++) add(n, i, bits(column[row * width + i]!))
  })
}
