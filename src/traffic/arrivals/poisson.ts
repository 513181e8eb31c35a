// A Poisson source: gaps between packets are exponential. The fraction of a cycle is carried over to the next gap, so
// rounding does not change the distribution.
import { Factor, minusLog2 } from "../../core/logarithm.ts"
import { schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { ArrivalsPlugin } from "../../model/plugin.ts"
import type { Arrivals, Rng } from "../../model/traffic.ts"
import { Never, ONE } from "../inter-arrival.ts"

class Poisson implements Arrivals {
  /** gaps in parts of ONE to the cycle */
  private readonly gap: Factor
  constructor(rate: number) {
    this.gap = new Factor((Math.LN2 / rate) * ONE)
  }
  first(_from: End, rng: Rng): number {
    return Math.floor(this.gap.times(minusLog2(rng.bits())) / ONE)
  }
  /** `state` holds the fraction of the last arrival's time, so that gaps are exponential, not rounded. */
  next(_from: End, last: number, rng: Rng, state: Int32Array, i: number): number {
    const gap = this.gap.times(minusLog2(rng.bits()))
    const whole = Math.floor(gap / ONE)
    const part = gap - whole * ONE + state[i]
    state[i] = part < ONE ? part : part - ONE
    return part < ONE ? last + whole : last + whole + 1
  }
}

export default {
  kind: "arrivals",
  name: "poisson",
  about: "Poisson process: exponential inter-arrival times; several packets (messages) may be created in one cycle.",
  params: schema({}),
  make: (_p, on) => (on.rate === 0 ? new Never() : new Poisson(on.rate)),
} satisfies ArrivalsPlugin<Record<never, never>>
