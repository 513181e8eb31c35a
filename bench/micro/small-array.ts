// Small typed arrays. V8 stores arrays of up to 64 bytes in its own heap, where they can move, so it cannot embed their
// address in machine code. The scratch memory of a kernel is therefore never that small (fabric/columns.ts, scratch).
import { race } from "./race.ts"

const ROUNDS = 4096

/** The text of a factory. Each evaluation is a new function to V8, with one closure. */
const source = `
  return function make(clock) {
    return function step() {
      for (let i = 0; i < 8; i++) clock[i] = i
      for (let i = 0; i < ${ROUNDS}; i++) clock[i & 7] = (clock[(i + 3) & 7] + i) | 0
      return clock[0]
    }
  }`
let copies = 0
const fresh = (): ((clock: Int32Array) => () => number) => new Function(`${source} // copy ${copies++}`)()

await race("a clock of eight words (per access)", ROUNDS, {
  "in an array of 32 words": fresh()(new Int32Array(32)),
  "in an array of 8 words": fresh()(new Int32Array(8)),
})
