// Adds the state of a QoS scheduler to fingerprints. The fingerprints of switches and endpoints call it.
import type { QosScheduler } from "../model/scheduler.ts"

const real = new Float64Array(1)
const words = new Int32Array(real.buffer)

/** Returns 32 bits of a number, because tags of fair queueing are not integers. */
function bits(x: number): number {
  real[0] = x
  return words[0] ^ Math.imul(words[1], 0x9e3779b1)
}

/** Adds all words of one of `rows` rows: number of the column, number of the word, its bits. */
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
    for (let i = 0; i < width; i++) add(n, i, bits(column[row * width + i]))
  })
}
