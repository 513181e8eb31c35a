import { complain } from "../../core/complaint.ts"
import type { Factor } from "../../core/logarithm.ts"
import { schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { ArrivalsPlugin } from "../../model/plugin.ts"
import type { Arrivals, Rng } from "../../model/traffic.ts"
import { failures, Never, perTrial } from "../gaps.ts"

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
  about: "A coin in each cycle: at most one packet (message) per cycle, geometric gaps.",
  params: schema({}),
  check: (_p, on) =>
    on.rate <= 1
      ? []
      : [
          complain(
            "name",
            `${on.rate} packets per cycle are asked for; a coin gives at most 1`,
            "lower the load, send larger packets, or choose poisson",
          ),
        ],
  make: (_p, on) => (on.rate === 0 ? new Never() : new Bernoulli(on.rate)),
} satisfies ArrivalsPlugin<Record<never, never>>
