// Constant bit rate: packet i is generated at phase + ceil(i * period). The period is stored as a fraction (to 2^-31 of
// a cycle), so the mean rate is exact.
import { choice, schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { ArrivalsPlugin } from "../../model/plugin.ts"
import type { Arrivals, Rng } from "../../model/traffic.ts"
import { Never, ONE } from "../inter-arrival.ts"

type Params = { phase: "random" | "none" }

class Periodic implements Arrivals {
  private readonly whole: number
  private readonly part: number
  private readonly phases: number
  constructor(rate: number, phase: Params["phase"]) {
    const period = 1 / rate
    this.whole = Math.floor(period)
    // rounded down, because ceil() would otherwise add a cycle where i * period is a whole number
    this.part = Math.floor((period - this.whole) * ONE)
    this.phases = phase === "random" ? Math.max(1, Math.round(period)) : 1
  }
  first(_from: End, rng: Rng): number {
    return rng.below(this.phases)
  }
  /** `state` holds by how much the last packet was late by rounding up: ceil(i * period) - i * period. */
  next(_from: End, last: number, _rng: Rng, state: Int32Array, i: number): number {
    const part = this.part - state[i]
    state[i] = part > 0 ? ONE - part : -part
    return last + (part > 0 ? this.whole + 1 : this.whole)
  }
}

export default {
  kind: "arrivals",
  name: "periodic",
  aliases: ["cbr"],
  about: "Equal inter-arrival times (constant bit rate).",
  params: schema({
    phase: choice(["random", "none"], {
      default: "random",
      about: "Start of an endpoint: at a random time of its first period (random), or at cycle 0 (none)",
    }),
  }),
  make: (p, on) => (on.rate === 0 ? new Never() : new Periodic(on.rate, p.phase)),
} satisfies ArrivalsPlugin<Params>
