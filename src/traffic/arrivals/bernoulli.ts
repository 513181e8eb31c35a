// A Bernoulli source: in every cycle it generates a packet with a fixed probability, independently of other cycles. The
// gap to the next packet is geometric and is drawn at once (inter-arrival.ts).
import { complain } from "../../core/complaint.ts"
import type { Factor } from "../../core/logarithm.ts"
import { schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { ArrivalsPlugin } from "../../model/plugin.ts"
import type { Arrivals, Rng } from "../../model/traffic.ts"
import { failures, Never, perTrial } from "../inter-arrival.ts"

/** P(gap = k) = p (1 - p)^(k - 1), k = 1, 2, … */
export class Bernoulli implements Arrivals {
  private readonly trials: Factor
  constructor(p: number) {
    this.trials = perTrial(p)
  }
  first(_from: End, rng: Rng): number {
    return failures(this.trials, rng)
  }
  next(_from: End, last: number, rng: Rng): number {
    return last + 1 + failures(this.trials, rng)
  }
}

export default {
  kind: "arrivals",
  name: "bernoulli",
  about: "Bernoulli process: at most one packet (message) per cycle, with geometric inter-arrival times.",
  params: schema({}),
  check: (_p, on) =>
    on.rate <= 1
      ? []
      : [
          complain(
            "name",
            `the load needs ${on.rate} packets per cycle, but a Bernoulli process creates at most 1`,
            "lower the load, send larger packets, or choose poisson",
          ),
        ],
  make: (_p, on) => (on.rate === 0 ? new Never() : new Bernoulli(on.rate)),
} satisfies ArrivalsPlugin<Record<never, never>>
