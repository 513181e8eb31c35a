// Bernoulli arrivals at 0.02 packets per cycle: one logarithm for each inter-arrival time, in integers or in doubles,
// or one random bit for each cycle.
import { Draws } from "../../src/core/rng.ts"
import { Bernoulli } from "../../src/traffic/arrivals/bernoulli.ts"
import { race } from "./race.ts"

const P = 0.02
const CYCLES = 200_000
const coin = new Bernoulli(P)
const rng = new Draws(5)
const inverse = 1 / Math.log1p(-P)

await race(
  `arrivals with probability ${P} (per cycle of one source)`,
  CYCLES,
  {
    "one logarithm for each gap": () => {
      let n = 0
      rng.at(1, 0)
      for (let t = coin.first(0, rng); t < CYCLES; t = coin.next(0, t, rng)) n++
      return n
    },
    "the same by Math.log": () => {
      let n = 0
      rng.at(1, 0)
      for (
        let t = Math.floor(Math.log(rng.unit()) * inverse);
        t < CYCLES;
        t += 1 + Math.floor(Math.log(rng.unit()) * inverse)
      )
        n++
      return n
    },
    "a coin in each cycle": () => {
      let n = 0
      rng.at(1, 0)
      for (let t = 0; t < CYCLES; t++) if (rng.unit() <= P) n++
      return n
    },
  },
  false,
)
