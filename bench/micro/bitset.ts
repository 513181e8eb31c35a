// Sets of active routers: in each of 64 cycles the active ones of 4096 routers are visited, become inactive, and
// activate others.
import { BitSet, lowest } from "../../src/core/bitset.ts"
import { Draws } from "../../src/core/rng.ts"
import { race } from "./race.ts"

const N = 4096
const CYCLES = 64
const met = new Int32Array(N)
/** A permutation, so the number of active ones is constant. */
const wakes = (i: number): number => (5 * i + 1) & (N - 1)

for (const share of [0.05, 0.5]) {
  const rng = new Draws(1)
  const start = Array.from({ length: N }, (_, i) => i).filter(() => rng.unit() <= share)
  await race(`visit, delete, add: ${100 * share} % of ${N} (per member and cycle)`, start.length * CYCLES, {
    "words, lowest bit, clear it": () => {
      const { words } = filled(start)
      let sum = 0
      for (let t = 0; t < CYCLES; t++) {
        let n = 0
        for (let w = 0; w < words.length; w++) {
          for (let m = words[w]; m !== 0; m &= m - 1) met[n++] = (w << 5) + lowest(m)
          words[w] = 0
        }
        for (let k = 0; k < n; k++) {
          const i = wakes(met[k])
          sum += met[k]
          words[i >>> 5] |= 1 << (i & 31)
        }
      }
      return sum
    },
    "BitSet.next(), delete(), add()": () => {
      const bits = filled(start)
      let sum = 0
      for (let t = 0; t < CYCLES; t++) {
        let n = 0
        for (let i = bits.next(0); i >= 0; i = bits.next(i + 1)) {
          met[n++] = i
          bits.delete(i)
        }
        for (let k = 0; k < n; k++) {
          sum += met[k]
          bits.add(wakes(met[k]))
        }
      }
      return sum
    },
    "scan of a byte for each": () => {
      const flags = new Uint8Array(N)
      for (const i of start) flags[i] = 1
      let sum = 0
      for (let t = 0; t < CYCLES; t++) {
        let n = 0
        for (let i = 0; i < N; i++) {
          if (flags[i] === 0) continue
          met[n++] = i
          flags[i] = 0
        }
        for (let k = 0; k < n; k++) {
          sum += met[k]
          flags[wakes(met[k])] = 1
        }
      }
      return sum
    },
    "Set of numbers": () => {
      const set = new Set(start)
      let sum = 0
      for (let t = 0; t < CYCLES; t++) {
        let n = 0
        for (const i of set) met[n++] = i
        set.clear()
        for (let k = 0; k < n; k++) {
          sum += met[k]
          set.add(wakes(met[k]))
        }
      }
      return sum
    },
  })
}

function filled(start: readonly number[]): BitSet {
  const bits = new BitSet(N)
  for (const i of start) bits.add(i)
  return bits
}

// The index of the lowest bit: by a named function, or inlined.
const masks = Int32Array.from({ length: 4096 }, (_, i) => Math.imul(i + 1, 0x9e3779b1))
await race("number of each bit that is set, 4096 words (per word)", masks.length, {
  "lowest(m), kept in a local": () => {
    const bit = lowest
    let sum = 0
    for (let i = 0; i < masks.length; i++) for (let m = masks[i]; m !== 0; m &= m - 1) sum = (sum + (bit(m) ^ i)) | 0
    return sum
  },
  "31 - Math.clz32(m & -m)": () => {
    let sum = 0
    for (let i = 0; i < masks.length; i++)
      for (let m = masks[i]; m !== 0; m &= m - 1) sum = (sum + ((31 - Math.clz32(m & -m)) ^ i)) | 0
    return sum
  },
  "lowest(m), imported": () => {
    let sum = 0
    for (let i = 0; i < masks.length; i++) for (let m = masks[i]; m !== 0; m &= m - 1) sum = (sum + (lowest(m) ^ i)) | 0
    return sum
  },
})
