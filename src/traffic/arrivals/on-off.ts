// A bursty source with two states that change by a coin in each cycle (a two-state Markov chain). While on, it sends
// with a coin of the given rate; while off, it is silent. Both states have geometric lengths and therefore no memory:
// an arrival always finds the source on, and no further state is needed. The number of pauses before the next arrival
// is not bounded, so one draw of the source is the key to a separate random stream.
import { complain } from "../../core/complaint.ts"
import type { Factor } from "../../core/logarithm.ts"
import { Draws } from "../../core/rng.ts"
import { cycles, fraction, schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { ArrivalsPlugin } from "../../model/plugin.ts"
import type { Arrivals, Rng } from "../../model/traffic.ts"
import { failures, Never, perTrial } from "../inter-arrival.ts"

type Params = { on: number; share: number }

class OnOff implements Arrivals {
  private readonly share: number
  private readonly leaveOn: Factor
  private readonly leaveOff: Factor
  private readonly arrive: Factor
  private readonly own = new Draws(0x6f6e2d6f)
  constructor(rate: number, { on, share }: Params) {
    this.share = share
    this.leaveOn = perTrial(1 / on)
    this.leaveOff = perTrial(share / (1 - share) / on)
    this.arrive = perTrial(rate / share)
  }
  first(_from: End, rng: Rng): number {
    const own = this.keyed(rng)
    if (this.share === 1 || own.unit() <= this.share) return this.from(0, 1 + failures(this.leaveOn, own))
    return this.from(1 + failures(this.leaveOff, own), 1 + failures(this.leaveOn, own))
  }
  next(_from: End, last: number, rng: Rng): number {
    return this.from(last + 1, failures(this.leaveOn, this.keyed(rng)))
  }
  private keyed(rng: Rng): Draws {
    return this.own.at(rng.bits(), 0)
  }
  /** The first arrival at or after `t`, the source being on for the `left` cycles from t. */
  private from(t: number, left: number): number {
    const own = this.own
    for (;;) {
      const wait = failures(this.arrive, own)
      if (wait < left || this.share === 1) return t + wait
      t += left + 1 + failures(this.leaveOff, own)
      left = 1 + failures(this.leaveOn, own)
    }
  }
}

export default {
  kind: "arrivals",
  name: "on-off",
  about:
    "On-off process: bursts and pauses of geometric length, with a Bernoulli process of rate load / " +
    "share during bursts.",
  params: schema({
    on: cycles({ min: 1, default: "100cycles", about: "Mean length of a burst" }),
    share: fraction({ above: 0, default: 0.5, about: "Fraction of the time that a source is on" }),
  }),
  check(p, on) {
    if (on.rate > 1)
      return [
        complain(
          "name",
          `the load needs ${on.rate} packets per cycle, but a Bernoulli process creates at most 1`,
          "lower the load or send larger packets",
        ),
      ]
    if (on.rate > p.share)
      return [
        complain(
          "share",
          `${p.share} of the time is too little for ${on.rate} packets per cycle`,
          `choose a share of at least ${on.rate}`,
        ),
      ]
    if (p.share < 1 && p.share / (1 - p.share) > p.on)
      return [
        complain(
          "share",
          `pauses would be shorter than a cycle`,
          `choose a share of at most ${p.on / (1 + p.on)}, or longer bursts`,
        ),
      ]
    return []
  },
  make: (p, on) => (on.rate === 0 ? new Never() : new OnOff(on.rate, p)),
} satisfies ArrivalsPlugin<Params>
