// Mean and variance of 65,536 values, far from zero.

import { draw, unit } from "../../src/core/rng.ts"
import { Moments } from "../../src/core/stats.ts"
import { race } from "./race.ts"

const values = Float64Array.from({ length: 65_536 }, (_, i) => 1000 + unit(draw(1, i)))

await race(
  "mean and variance (per value)",
  values.length,
  {
    "one pass, merging (Welford)": () => new Moments().addAll(values).variance,
    "two passes": () => {
      let sum = 0
      for (let i = 0; i < values.length; i++) sum += values[i]
      const mean = sum / values.length
      let squares = 0
      for (let i = 0; i < values.length; i++) squares += (values[i] - mean) ** 2
      return squares / (values.length - 1)
    },
    "sums of x and x^2 (loses digits)": () => {
      let sum = 0
      let squares = 0
      for (let i = 0; i < values.length; i++) {
        sum += values[i]
        squares += values[i] ** 2
      }
      return (squares - sum ** 2 / values.length) / (values.length - 1)
    },
  },
  false,
)
