// The endpoint plug-in `rails` of the packet engine: its keys and the functions that build endpoints with one or
// several rails. compile/packet selects one of them.
import { bytes, choice, int, maybe, schema, time } from "../../core/schema.ts"
import type { Plugin } from "../../model/plugin.ts"
import { layRails } from "./columns.ts"
import { makeMulti } from "./multi.ts"
import type { Metric, Select } from "./select.ts"
import { makeSingle } from "./single.ts"

const selects = ["path", "congestion", "random", "dedicated"] as const satisfies readonly Select[]
const metrics = ["port", "queue"] as const satisfies readonly Metric[]

const params = schema({
  rails: maybe(
    int({
      about:
        "Number of rails of each endpoint, which must equal the number of planes of the network (default: that number)",
      min: 1,
      max: 64,
      needed: false,
    }),
  ),
  select: choice(selects, {
    about: "Rail of a packet: the one with the shorter path, the emptier one, a random one, or always the same",
    default: "congestion",
  }),
  metric: choice(metrics, {
    about: "Measure of the emptier rail: chunks sent and not credited, or chunks that wait in the interface",
    default: "port",
  }),
  packet: bytes({ about: "Maximum size of a packet, into which messages are divided", min: 1, default: "4KiB" }),
  nic: time({ about: "Time that the interface needs for each message", default: "10ns" }),
  queue: bytes({
    about: "Amount of data in the send queue of a rail from which it gets no more packets",
    min: 1,
    default: "64KiB",
  }),
  pace: choice(["rails", "link"], {
    about: "Rate at which packets enter the send queues: that of all rails together, or that of one link",
    default: "rails",
  }),
  since: choice(["started", "handed"], {
    about: "Start of the network latency: when a chunk starts on its link, or when its packet enters the send queue",
    default: "started",
  }),
})

export type RailsParams = typeof params extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never

export interface RailsModel {
  readonly engine: "packet"
  readonly params: RailsParams
  /** Reserves the columns; `single` and `multi` build endpoints with one or several rails on them. */
  readonly lay: typeof layRails
  readonly single: typeof makeSingle
  readonly multi: typeof makeMulti
}

export default {
  kind: "endpoint",
  name: "rails",
  about:
    "Interface of the packet engine, which divides messages into packets and has one rail for each " +
    "plane of the network.",
  cites: "Fit Fly: a case study on interconnect innovation through parallel simulation, N. McGlohon et al., 2019",
  limits: "packet engine only; an endpoint accepts arriving packets at once",
  can: ["classes"],
  rules: {
    "codes-2019": [{ on: ["slimfly", "fitfly", "megafly"], keys: { since: "handed" } }],
  },
  params,
  make: (p: RailsParams): RailsModel => ({
    engine: "packet",
    params: p,
    lay: layRails,
    single: makeSingle,
    multi: makeMulti,
  }),
} satisfies Plugin<RailsParams, RailsModel, unknown>
