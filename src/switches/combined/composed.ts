// A switch of the stages of `combined`, with an arbiter from outside: the part of a switch that most studies change.
// Inputs with virtual output queues, the crossbar, output buffers, congestion management and the audit stay as they
// are.
import type { Complaint } from "../../core/complaint.ts"
import type { SwitchRules, TransferSwitchModel } from "../../fabric/switch-model.ts"
import type { Ability } from "../../model/abilities.ts"
import type { Graph } from "../../model/graph.ts"
import { type MakeTestedArbiter, type OutsideArbiter, readingArbiter } from "./arbiter-reads.ts"
import { checkCombined } from "./check.ts"
import { combinedModel } from "./model.ts"
import { type CombinedParams, params } from "./params.ts"
import combined from "./plugin.ts"

const { allocator: _allocator, iterations: _iterations, ...fields } = params.fields
export type StageParams = Omit<CombinedParams, "allocator" | "iterations">

export interface ComposedModel extends TransferSwitchModel {
  /** so that the contract can test it by itself */
  readonly arbiter: MakeTestedArbiter
}

/** Parameters of the stages; a plug-in may list some of them among its own. */
export const stageFields = fields

/** Abilities of the stages. */
export const stageAbilities: readonly Ability[] = combined.can

/** Returns the parameters of all stages: those that are given, and the defaults. */
function stagesOf(given: Partial<StageParams>): CombinedParams {
  const defaults = params.parse({}, "")
  if ("bad" in defaults) throw new Error("every parameter of the stages has a default")
  const known = Object.entries(given).filter(([key, value]) => Object.hasOwn(fields, key) && value !== undefined)
  return { ...defaults.ok, ...Object.fromEntries(known) }
}

/** Returns errors of the parameters of stages on a network. */
export function checkStages(given: Partial<StageParams>, graph: Graph): Complaint[] {
  return checkCombined(stagesOf(given), graph)
}

/**
 * Returns the model of a switch of these stages. `reads`: what its arbiter reads of packets; `rules`: further rules
 * about the other parts of the experiment.
 */
export function composed(
  given: Partial<StageParams>,
  graph: Graph,
  own: OutsideArbiter & { readonly rules?: SwitchRules },
): ComposedModel {
  const model = combinedModel(stagesOf(given), graph, own)
  return { ...model, rules: joined(model.rules, own.rules), arbiter: (...site) => readingArbiter(own, ...site) }
}

function joined(one: SwitchRules = {}, other: SwitchRules = {}): SwitchRules {
  return {
    congestion: [one.congestion ?? [], other.congestion ?? []].flat(),
    routing: [one.routing ?? [], other.routing ?? []].flat(),
    traffic: [one.traffic ?? [], other.traffic ?? []].flat(),
  }
}
