// A source that generates several packets in the same cycle. A coin in each cycle decides whether a burst begins.
import { complain } from "../../core/complaint.ts"
import type { Factor } from "../../core/logarithm.ts"
import { int, schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { ArrivalsPlugin } from "../../model/plugin.ts"
import type { Arrivals, Rng } from "../../model/traffic.ts"
import { failures, Never, perTrial } from "../inter-arrival.ts"

class Burst implements Arrivals {
  private readonly count: number
  private readonly trials: Factor
  constructor(rate: number, count: number) {
    this.count = count
    this.trials = perTrial(rate / count)
  }
  first(_from: End, rng: Rng): number {
    return failures(this.trials, rng)
  }
  /** `state` counts the packets of this burst after its first. */
  next(_from: End, last: number, rng: Rng, state: Int32Array, i: number): number {
    if (++state[i] < this.count) return last
    state[i] = 0
    return last + 1 + failures(this.trials, rng)
  }
}

export default {
  kind: "arrivals",
  name: "burst",
  about: "Several packets (messages) in the same cycle; a Bernoulli process starts the bursts.",
  limits:
    "each packet of a burst draws its own destination; for a burst to one destination send messages of several packets",
  params: schema({ count: int({ min: 1, default: 4, about: "Number of packets (messages) in a burst" }) }),
  check: (p, on) =>
    on.rate <= p.count
      ? []
      : [
          complain(
            "count",
            `bursts of ${p.count} cannot give ${on.rate} packets per cycle`,
            `choose at least ${Math.ceil(on.rate)}`,
          ),
        ],
  make: (p, on) => (on.rate === 0 ? new Never() : new Burst(on.rate, p.count)),
} satisfies ArrivalsPlugin<{ count: number }>
