// The kit: everything that a custom plug-in may use, in one record. A module whose default export is a function
// receives it, so that the module needs no imports and runs in any folder, in threads and in a page. The kit is a
// promise: members are only added, and `version` says since when. If a change here alters results of a custom plug-in,
// raise the part "kit" in experiment/identity/revisions.ts.

import { CONTROL_CLASS, CONTROLLED, FIRST, HOT_CLASS, LAST } from "./congestion/control.ts"
import { eachFlow, makeFlows } from "./congestion/flows.ts"
import { checkMarks, marksFields } from "./congestion/marks.ts"
import { fitted, roundTripField, valueOr } from "./congestion/round-trip.ts"
import { confirmation, confirmedFlits, FLIT_BITS, makeWindows, OWN_WORD, SCALE } from "./congestion/windows.ts"
import { lowest } from "./core/bitset.ts"
import { complain } from "./core/complaint.ts"
import { below, draw, streamOf } from "./core/rng.ts"
import type { Schema } from "./core/schema.ts"
import * as fields from "./core/schema.ts"
import type { SwitchPlugin } from "./fabric/switch-model.ts"
import type { CongestionPlugin } from "./model/congestion.ts"
import { type EndpointPlugin, plainEndpoint } from "./model/endpoint.ts"
import { GraphBuilder } from "./model/graph.ts"
import { distances } from "./model/neighbours.ts"
import type { ArrivalsPlugin, PatternPlugin, RoutingPlugin, SizesPlugin, TopologyPlugin } from "./model/plugin.ts"
import type { ProbePlugin } from "./model/probe.ts"
import { DIRECT_CLASS, KIND, OWN_CLASS, PLAIN_CLASS, packVcClass, UNTIL_WOKEN } from "./model/protocol.ts"
import type { SchedulerPlugin } from "./model/scheduler.ts"
import { smallestTag } from "./qos/tags.ts"
import { sharesOf, weighted, weightsComplaints, weightsField } from "./qos/weights.ts"
import { nextPort } from "./switches/combined/arbiter.ts"
import { checkStages, composed, stageAbilities, stageFields } from "./switches/combined/composed.ts"
import type { TraceReaderPlugin, WorkloadPlugin } from "./workloads/api.ts"
import { ANY, BLOCKS, Kind, NONE, ONE_OF, SYNCHRONOUS } from "./workloads/program.ts"
import { RankWriter, written } from "./workloads/writer.ts"

const { schema, int, real, fraction, cycles, flits, time, bytes, rate } = fields
const { choice, flag, text, list, maybe, auto, nested } = fields

type Parameterless = Readonly<Record<never, never>>
/** Without parameters no schema is needed. */
type Open<Plugin, P> = Plugin extends unknown ? Omit<Plugin, "params"> & { readonly params?: Schema<P> } : never

/** The default export of a module that an experiment names under `plugins`: one of these, or a list of them. */
export type OutsidePlugin<P = Parameterless> = Open<
  | RoutingPlugin<P>
  | TopologyPlugin<P>
  | PatternPlugin<P>
  | ArrivalsPlugin<P>
  | SizesPlugin<P>
  | ProbePlugin<P>
  | CongestionPlugin<P>
  | SchedulerPlugin<P>
  | SwitchPlugin<P>
  | EndpointPlugin<P>
  | WorkloadPlugin<P>
  | TraceReaderPlugin<P>,
  P
>

/**
 * Returns the plug-in, with types by its kind and by the schema of its parameters, so that an editor completes and
 * checks it.
 */
export function definePlugin<P = Parameterless>(plugin: OutsidePlugin<P>): OutsidePlugin<P> {
  return plugin
}

export const kit = {
  /** raised when members are added */
  version: 4,
  /** Returns its argument, with types by the kind of the plug-in and the schema of its parameters. */
  plugin: definePlugin,
  /** Fields of parameters. Each has a unit, a range and a default. */
  ...{ schema, int, real, fraction, cycles, flits, time, bytes, rate, choice, flag, text, list, maybe, auto, nested },
  /** Creates an error with a path, a message and a fix; for `check`. */
  complain,
  /** Random numbers by stream and counter, for values that must be equal in every run with the same seed. */
  random: { streamOf, draw, below },
  /** Builds the graph of a topology, and counts the links between its routers. */
  ...{ GraphBuilder, distances },
  /** Constants of endpoint protocols: packet kinds, VC classes, and requirements that most protocols have. */
  protocol: {
    ...{ KIND, OWN_CLASS, DIRECT_CLASS, PLAIN_CLASS, UNTIL_WOKEN, packVcClass },
    ...{ CONTROLLED, CONTROL_CLASS, HOT_CLASS, FIRST, LAST },
  },
  /** The active flows of each endpoint, in columns. */
  flows: { make: makeFlows, each: eachFlow },
  /** Flows with a congestion window. */
  windows: { make: makeWindows, confirmation, confirmedFlits, FLIT_BITS, OWN_WORD, SCALE },
  /** Marking by output queues: parameters and their check. */
  marks: { fields: marksFields, check: checkMarks },
  /** Parameters that depend on the round trip of the network. */
  roundTrip: { field: roundTripField, fitted, valueOr },
  /** Programs of ranks. */
  program: { written, RankWriter, Kind, BLOCKS, SYNCHRONOUS, ONE_OF, ANY, NONE },
  /** A switch of public stages around an arbiter: parameters and their check, abilities, and the model. */
  switching: {
    fields: stageFields,
    check: checkStages,
    abilities: stageAbilities,
    compose: composed,
    nextPort,
    lowest,
  },
  /** Returns an endpoint model that differs from the simplest one in these members. */
  endpoint: plainEndpoint,
  /** Weights and tags of schedulers. */
  scheduling: { weightsField, weightsComplaints, weighted, sharesOf, smallestTag },
} as const

export type Kit = typeof kit
