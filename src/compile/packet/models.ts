// The packet engine's own switch and endpoints, by name from the library: as given, or in place of those of the flit engine.
import { type Checked, complain } from "../../core/complaint.ts"
import { plainScale, type Scale } from "../../core/units.ts"
import type { RailsModel } from "../../endpoints/rails/plugin.ts"
import { find, prefixed } from "../../experiment/find.ts"
import * as library from "../../library.ts"
import type { ChunkModel } from "../../switches/chunk/plugin.ts"

/** What the packet engine moves chunks with, whatever was named. */
export const standIns = {
  switch: library.switches.find((p) => p.name === "chunk")!,
  endpoint: library.endpoints.find((p) => p.name === "rails")!,
}

type Raw = Readonly<Record<string, unknown>>

export function isChunk(model: unknown): model is ChunkModel {
  return typeof model === "object" && model !== null && "engine" in model && model.engine === "packet" && "build" in model
}

export function isRails(model: unknown): model is RailsModel {
  return typeof model === "object" && model !== null && "engine" in model && model.engine === "packet" && "single" in model
}

function model<M>(
  among: typeof library.switches,
  name: string,
  raw: Raw,
  path: string,
  scale: Scale,
  is: (m: unknown) => m is M,
): Checked<M> {
  const found = find(among, { ...raw, name }, path, scale)
  if ("bad" in found) return found
  const { plugin, params } = found.ok
  const bad = prefixed(path, plugin.check?.(params as never, undefined as never) ?? [])
  if (bad.length > 0) return { bad }
  const made: unknown = plugin.make(params as never, undefined as never)
  return is(made) ? { ok: made } : { bad: [complain(path, `"${name}" is not of the packet engine`, "set engine: flit")] }
}

export function chunkModel(raw: Raw, path: string, scale: Scale = plainScale): Checked<ChunkModel> {
  return model(library.switches, "chunk", raw, path, scale, isChunk)
}

export function railsModel(raw: Raw, path: string, scale: Scale = plainScale): Checked<RailsModel> {
  return model(library.endpoints, "rails", raw, path, scale, isRails)
}
