// Records of four ints, written one by one and read in batches of 256.
import { Ring } from "../../src/core/ring.ts"
import { race } from "./race.ts"

type Fact = { a: number; b: number; c: number; d: number }
const RECORDS = 65_536
const BATCH = 256
const ring = new Ring(BATCH, 4)
const batch = new Int32Array(4 * BATCH)

await race("append and drain records of 4 ints (per record)", RECORDS, {
  "ring of rows": () => {
    let sum = 0
    for (let i = 0; i < RECORDS; i++) {
      const at = ring.append()
      const { data } = ring
      data[at] = i
      data[at + 1] = i & 7
      data[at + 2] = i & 63
      data[at + 3] = 1
      if (!ring.full) continue
      const n = ring.drain(batch)
      for (let k = 0; k < n; k++) sum += batch[4 * k] + batch[4 * k + 2]
    }
    return sum
  },
  "array of objects, shift()": () => {
    const queue: Fact[] = []
    let sum = 0
    for (let i = 0; i < RECORDS; i++) {
      queue.push({ a: i, b: i & 7, c: i & 63, d: 1 })
      if (queue.length < BATCH) continue
      while (queue.length > 0) {
        const r = queue.shift()!
        sum += r.a + r.c
      }
    }
    return sum
  },
  "five listeners called for each": () => {
    let sum = 0
    const listeners = [
      (r: Fact) => (sum += r.a),
      (r: Fact) => (sum += r.c),
      (r: Fact) => (sum += r.d - 1),
      (r: Fact) => (sum -= r.b >> 3),
      (r: Fact) => (sum += r.b >> 3),
    ]
    for (let i = 0; i < RECORDS; i++) for (const listen of listeners) listen({ a: i, b: i & 7, c: i & 63, d: 1 })
    return sum
  },
})
