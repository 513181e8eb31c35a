// Parameters of contention-based congestion management. What the paper does not give is chosen so that its four cases come out (docs/congestion.md).
import { choice, cycles, flag, fraction, int, real, schema } from "../../core/schema.ts"

export const params = schema({
  samples: int({ about: "cycles of the moving average of what an output is asked for", min: 1, max: 1000, default: 100 }),
  interval: int({ about: "cycles of an interval for the largest and the smallest sample", min: 1, max: 1000, default: 10 }),
  estimator: choice(["random", "weighted"], {
    about: "an input asks for one output drawn from its requests, or for all of them by their shares",
    default: "random",
  }),
  holders: flag({ about: "VCs whose packet is crossing ask still", default: false }),
  threshold: real({ about: "outputs mark packets while the metric is above this", min: 0, max: 1e6, default: 1 }),
  epoch: cycles({ about: "a destination throttles if all packets in so many cycles were marked", min: 1, max: 1e6, default: "4000cycles" }),
  least: int({ about: "packets of an epoch without which it is not believed (it is extended once)", min: 1, max: 1000, default: 4 }),
  eps: real({ about: "throttles to D sources are D / eps cycles apart", above: 0, max: 1, default: 0.05 }),
  exit: fraction({
    about: "a destination gives up throttling when its channel was less busy than this over an epoch; 0 = only when its list is empty",
    default: 0,
  }),
  sourceEpoch: cycles({
    about: "a source that creates less than its share in so many cycles is free again",
    min: 1,
    max: 1e6,
    default: "1000cycles",
  }),
  sourcePackets: int({
    about: "such an epoch lasts for so many packets of its share at least; 0 = for sourceEpoch, however small the share is",
    min: 0,
    max: 100,
    default: 0,
  }),
  full: int({ about: "but not while more packets than this wait for the destination", min: 1, max: 1e6, default: 32 }),
  rate: fraction({ about: "D sources send at this part of 1 / D each", default: 1 }),
  hot: choice(["own", "shared"], {
    about: "throttled flows have a VC of their own, behind all others, or share those of data",
    default: "own",
  }),
  detect: choice(["destination", "router"], {
    about: "destinations decide alone, or routers on the way too, which count contention for each output and destination",
    default: "destination",
  }),
  routerEpoch: cycles({
    about: "detect: router: a router throttles if all packets to a destination were contended for in so many cycles",
    min: 1,
    max: 1e6,
    default: "1000cycles",
  }),
  counted: choice(["output", "destination"], {
    about: "detect: router: contention is counted for each output and destination, or for each destination whatever the outputs",
    default: "output",
  }),
  pairs: int({
    about: "detect: router: pairs of an output and a destination that a router watches (rounded up to a power of two)",
    min: 1,
    max: 4096,
    default: 64,
  }),
  throttle: flag({ about: "destinations throttle; else packets are marked and nothing more", default: true }),
  flows: int({ about: "sources on the list of a destination, destinations that throttle one source", min: 2, max: 4096, default: 256 }),
})

export type CbcmParams = typeof params extends { parse(raw: unknown, path: string): infer C } ? Extract<C, { ok: unknown }>["ok"] : never
