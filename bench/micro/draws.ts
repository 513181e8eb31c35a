// Random numbers: pure functions of (stream, counter) compared with generators that have state.
import { hash3 } from "../../src/core/hash.ts"
import { below, Draws, draw, streamOf } from "../../src/core/rng.ts"
import { race } from "./race.ts"

const N = 100_000
const rng = new Draws(1)
const words = Int32Array.from({ length: 64 }, (_, e) => streamOf(1, e))

await race(
  "draw below 72 (per draw)",
  N,
  {
    "two multiplications, word at hand": () => {
      let sum = 0
      for (let i = 0; i < N; i++) sum += below(draw(words[i & 63], i >> 6), 72)
      return sum
    },
    "the same, word folded for each": () => {
      let sum = 0
      for (let i = 0; i < N; i++) sum += below(draw(streamOf(1, i & 63), i >> 6), 72)
      return sum
    },
    "the same through Draws": () => {
      let sum = 0
      for (let i = 0; i < N; i++) sum += rng.at(i & 63, i >> 6).below(72)
      return sum
    },
    "MurmurHash3 of three words": () => {
      let sum = 0
      for (let i = 0; i < N; i++) sum += below(hash3(1, i & 63, i >> 6), 72)
      return sum
    },
    "xorshift32, one state": () => {
      let sum = 0
      let x = 1
      for (let i = 0; i < N; i++) {
        x ^= x << 13
        x ^= x >>> 17
        x ^= x << 5
        sum += below(x, 72)
      }
      return sum
    },
    "Math.random()": () => {
      let sum = 0
      for (let i = 0; i < N; i++) sum += Math.floor(Math.random() * 72)
      return sum
    },
  },
  false,
)
