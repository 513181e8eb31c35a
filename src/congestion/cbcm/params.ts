// Parameters of contention-based congestion management. Values that the paper does not give are chosen to reproduce its
// four cases (docs/guide/congestion-control.md).
import { choice, cycles, flag, fraction, int, real, schema } from "../../core/schema.ts"

export const params = schema({
  samples: int({
    about: "Window of the moving average of the requests for an output, in cycles",
    min: 1,
    max: 1000,
    default: 100,
  }),
  interval: int({
    about: "Interval over which the largest and the smallest sample of an output are taken, in cycles",
    min: 1,
    max: 1000,
    default: 10,
  }),
  estimator: choice(["random", "weighted"], {
    about: "Count one random output of the requests of an input, or all its requested outputs by their shares",
    default: "random",
  }),
  countInTransit: flag({
    aliases: ["holders"],
    about: "Count virtual channels whose packet is crossing the crossbar as requests, too",
    default: false,
  }),
  threshold: real({
    about: "Mark packets at an output while its contention metric is above this value",
    min: 0,
    max: 1e6,
    default: 1,
  }),
  epoch: cycles({
    about: "Number of cycles in which all packets to a destination must be marked before it throttles their sources",
    min: 1,
    max: 1e6,
    default: "4000cycles",
  }),
  minPackets: int({
    aliases: ["least"],
    about: "Ignore an epoch in which fewer packets than this arrived; it is extended once",
    min: 1,
    max: 1000,
    default: 4,
  }),
  eps: real({
    about: "Rate of throttle packets: a destination sends throttles to D sources D / eps cycles apart",
    above: 0,
    max: 1,
    default: 0.05,
  }),
  exit: fraction({
    about:
      "Stop throttling at a destination whose channel was less busy than this over an epoch; 0 = only " +
      "when its list is empty",
    default: 0,
  }),
  sourceEpoch: cycles({
    about: "Release a source that creates less than its share in this many cycles",
    min: 1,
    max: 1e6,
    default: "1000cycles",
  }),
  sourcePackets: int({
    about: "Minimum length of a source epoch, in packets at the source's share; 0 = always sourceEpoch",
    min: 0,
    max: 100,
    default: 0,
  }),
  maxQueued: int({
    aliases: ["full"],
    about: "Keep a flow throttled while more than this many packets are queued for its destination",
    min: 1,
    max: 1e6,
    default: 32,
  }),
  rate: fraction({ about: "Fraction of 1 / D at which each of D throttled sources sends", default: 1 }),
  hot: choice(["own", "shared"], {
    about: "VCs of throttled flows: a separate VC with lower priority than all others, or the VCs of data",
    default: "own",
  }),
  detect: choice(["destination", "router"], {
    about:
      "Where congestion is detected: only at destinations, or also at routers, which count contention " +
      "for each output and destination",
    default: "destination",
  }),
  routerEpoch: cycles({
    about:
      "Number of cycles in which all packets to a destination must meet contention before a router " +
      "throttles; for detect: router",
    min: 1,
    max: 1e6,
    default: "1000cycles",
  }),
  counted: choice(["output", "destination"], {
    about:
      "Count contention for each output and destination, or for each destination over all outputs; for detect: router",
    default: "output",
  }),
  pairs: int({
    about:
      "Number of pairs of output and destination that a router watches, rounded up to a power of two; " +
      "for detect: router",
    min: 1,
    max: 4096,
    default: 64,
  }),
  throttle: flag({ about: "Let destinations throttle their sources; false = mark packets only", default: true }),
  flows: int({
    about: "Maximum number of sources on the list of a destination, and of destinations that throttle one source",
    min: 2,
    max: 4096,
    default: 256,
  }),
})

export type CbcmParams = typeof params extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never
