// Parameters of endpoints with one or several rails.
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
    int({ about: "rails of each endpoint; must be the planes of the network, which it is if left out", min: 1, max: 64, needed: false }),
  ),
  select: choice(selects, { about: "rail of a packet: the shorter way, the emptier rail, any, or always the same", default: "congestion" }),
  metric: choice(metrics, { about: "emptier: fewer chunks sent and not credited, or fewer waiting in the interface", default: "port" }),
  packet: bytes({ about: "messages are cut into packets of at most this size", min: 1, default: "4KiB" }),
  nic: time({ about: "time that the interface takes for each message", default: "10ns" }),
  queue: bytes({ about: "a rail whose send queue holds this much gets no more packets", min: 1, default: "64KiB" }),
  pace: choice(["rails", "link"], {
    about: "packets are handed over as fast as all rails together carry them, or as one link does",
    default: "rails",
  }),
  since: choice(["started", "handed"], {
    about: "network latency begins when a chunk starts on its link, or when its packet is handed over to the send queue",
    default: "started",
  }),
})

export type RailsParams = typeof params extends { parse(raw: unknown, path: string): infer C } ? Extract<C, { ok: unknown }>["ok"] : never

export interface RailsModel {
  readonly engine: "packet"
  readonly params: RailsParams
  /** Reserves the columns; makes endpoints with one rail, or with several, on them. */
  readonly lay: typeof layRails
  readonly single: typeof makeSingle
  readonly multi: typeof makeMulti
}

export default {
  kind: "endpoint",
  name: "rails",
  about: "Interface of the packet engine: messages cut into packets, one rail for each plane of the network.",
  cites: "Fit Fly: a case study on interconnect innovation through parallel simulation, N. McGlohon et al., 2019",
  limits: "packet engine only; an endpoint takes what arrives at once",
  can: ["classes"],
  params,
  make: (p: RailsParams): RailsModel => ({ engine: "packet", params: p, lay: layRails, single: makeSingle, multi: makeMulti }),
} satisfies Plugin<RailsParams, RailsModel, unknown>
