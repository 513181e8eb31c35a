// Random numbers: a function of (seed, entity, counter) against generators that keep state.
import { below, Draws, draw } from "../../src/core/rng.ts"
import { race } from "./race.ts"

const N = 100_000
const rng = new Draws(1)

await race(
  "draw below 72 (per draw)",
  N,
  {
    "function of three ints": () => {
      let sum = 0
      for (let i = 0; i < N; i++) sum += below(draw(1, i & 63, i >> 6), 72)
      return sum
    },
    "the same through Draws": () => {
      let sum = 0
      for (let i = 0; i < N; i++) sum += rng.at(i & 63, i >> 6).below(72)
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
