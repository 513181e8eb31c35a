// Random access to records in a memory larger than all caches, where each record refers to another one (an output, its
// head packet). Variants: one after another, and with a loop before that touches both, so that memory accesses overlap
// (src/switches/parts/ready-sets.ts, `gather`).
import { race } from "./race.ts"

const RECORDS = 1 << 18
const WORDS = 32
const VISITS = 700
const ROUNDS = 32
const outputs = new Int32Array(RECORDS * WORDS)
const packets = new Int32Array(RECORDS * WORDS)
for (let i = 0; i < RECORDS; i++) outputs[i * WORDS] = Math.imul(i, 0x9e3779b1) >>> 14
const list = new Int32Array(VISITS)
const touched = new Int32Array(32)

function gather(round: number): void {
  for (let k = 0; k < VISITS; k++) list[k] = Math.imul(round * VISITS + k, 0x85ebca6b) >>> 14
}

/** The work of a visit: a chain of dependent decisions. */
function visit(i: number, before: number): number {
  const at = (outputs[i * WORDS] + (before & 1)) & (RECORDS - 1)
  const p = at * WORDS
  packets[p + 1] ^= i
  return (before + packets[p] + outputs[i * WORDS + 16] + i) | 0
}

function visits(): number {
  let sum = 0
  for (let k = 0; k < VISITS; k++) sum = visit(list[k], sum)
  return sum
}

function touch(): void {
  let all = 0
  for (let k = 0; k < VISITS; k++) all |= outputs[list[k] * WORDS] | outputs[list[k] * WORDS + 16]
  for (let k = 0; k < VISITS; k++) all |= packets[outputs[list[k] * WORDS] * WORDS]
  touched[0] = all
}

await race("visits to records that are far away (per visit)", VISITS * ROUNDS, {
  "touched together, then visited": () => {
    let sum = 0
    for (let round = 0; round < ROUNDS; round++) {
      gather(round)
      touch()
      sum = (sum + visits()) | 0
    }
    return sum
  },
  "one after the other": () => {
    let sum = 0
    for (let round = 0; round < ROUNDS; round++) {
      gather(round)
      sum = (sum + visits()) | 0
    }
    return sum
  },
})
