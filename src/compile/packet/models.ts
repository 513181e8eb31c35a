// The switch and endpoint models of the packet engine, from the library: as given in the experiment, or as replacement
// of flit-engine models.
import { type Checked, complain } from "../../core/complaint.ts"
import { plainScale, type Scale } from "../../core/units.ts"
import type { RailsModel } from "../../endpoints/rails/plugin.ts"
import { bind } from "../../experiment/bind.ts"
import * as library from "../../library.ts"
import type { EndpointModel } from "../../model/endpoint.ts"
import type { Named } from "../../model/experiment.ts"
import type { Plugin } from "../../model/plugin.ts"
import type { Topology } from "../../model/topology.ts"
import type { ChunkModel } from "../../switches/chunk/plugin.ts"

/** Returns the plug-ins that the packet engine uses, whichever the experiment names. */
export function standIns(): { switch: library.AnySwitch; endpoint: library.AnyEndpoint } {
  return {
    switch: library.switches.find((p) => p.name === "chunk")!,
    endpoint: library.endpoints.find((p) => p.name === "rails")!,
  }
}

type Raw = Readonly<Record<string, unknown>>

export function isChunk(model: library.AnySwitchModel): model is ChunkModel {
  return model.moves === "chunks"
}

export function isRails(model: EndpointModel | RailsModel): model is RailsModel {
  return "engine" in model
}

/** Finds a plug-in by name, checks its parameters and creates its model for the packet engine. */
function model<Made, On, M extends Made>(
  among: readonly Plugin<unknown, Made, On>[],
  named: Named,
  path: string,
  on: On,
  scale: Scale,
  is: (m: Made) => m is M,
): Checked<M> {
  const found = bind(among, named, path, scale)
  if ("bad" in found) return found
  const bad = found.ok.check(on)
  if (bad.length > 0) return { bad }
  const made = found.ok.make(on)
  return is(made)
    ? { ok: made }
    : { bad: [complain(path, `"${named.name}" does not support the packet engine`, "set engine: flit")] }
}

export function chunkModel(raw: Raw, path: string, topology: Topology, scale: Scale = plainScale): Checked<ChunkModel> {
  return model(library.switches, { ...raw, name: "chunk" }, path, { topology }, scale, isChunk)
}

export function railsModel(raw: Raw, path: string, scale: Scale = plainScale): Checked<RailsModel> {
  return model(library.endpoints, { ...raw, name: "rails" }, path, undefined, scale, isRails)
}
