// Random selection from 1000 weights.
import { Draws } from "../../src/core/rng.ts"
import { Alias } from "../../src/traffic/alias.ts"
import { race } from "./race.ts"

const N = 1000
const DRAWS = 50_000
const rng = new Draws(2)
const weights = Float64Array.from({ length: N }, (_, i) => rng.at(0, i).unit() ** 2)
const alias = new Alias(N)
alias.set(0, weights)
const sums = new Float64Array(N)
weights.reduce((sum, w, i) => {
  sums[i] = sum + w
  return sum + w
}, 0)
const total = sums[N - 1]

await race(
  `draw from ${N} weights (per draw)`,
  DRAWS,
  {
    "alias table": () => {
      let sum = 0
      rng.at(1, 0)
      for (let i = 0; i < DRAWS; i++) sum += alias.draw(0, N, rng)
      return sum
    },
    "binary search in the sums": () => {
      let sum = 0
      rng.at(1, 0)
      for (let i = 0; i < DRAWS; i++) {
        const x = rng.unit() * total
        let low = 0
        let high = N - 1
        while (low < high) {
          const middle = (low + high) >> 1
          if (sums[middle] < x) low = middle + 1
          else high = middle
        }
        sum += low
      }
      return sum
    },
    "walk along the weights": () => {
      let sum = 0
      rng.at(1, 0)
      for (let i = 0; i < DRAWS; i++) {
        let x = rng.unit() * total
        let k = 0
        while ((x -= weights[k]) > 0 && k < N - 1) k++
        sum += k
      }
      return sum
    },
  },
  false,
)
