import { schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { ArrivalsPlugin } from "../../model/plugin.ts"
import type { Arrivals, Rng } from "../../model/traffic.ts"
import { Never, ONE } from "../gaps.ts"

class Poisson implements Arrivals {
  private readonly mean: number
  constructor(rate: number) {
    this.mean = 1 / rate
  }
  first(_from: End, rng: Rng): number {
    return Math.floor(-Math.log(rng.unit()) * this.mean)
  }
  /** `state` holds the fraction of the last arrival's time, so that gaps are exponential, not rounded. */
  next(_from: End, last: number, rng: Rng, state: Int32Array, i: number): number {
    const gap = state[i]! / ONE - Math.log(rng.unit()) * this.mean
    const whole = Math.floor(gap)
    state[i] = (gap - whole) * ONE
    return last + whole
  }
}

export default {
  kind: "arrivals",
  name: "poisson",
  about: "Exponential gaps; several packets (messages) may be created in one cycle.",
  params: schema({}),
  make: (_p, on) => (on.rate === 0 ? new Never() : new Poisson(on.rate)),
} satisfies ArrivalsPlugin<Record<never, never>>
