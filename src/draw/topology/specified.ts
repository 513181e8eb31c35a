// The network of a run, built again for a picture. Undefined where a file or a plug-in from outside would be needed.
import { Draws } from "../../core/rng.ts"
import { plainScale } from "../../core/units.ts"
import { topologies } from "../../library.ts"
import type { RunSpec } from "../../model/experiment.ts"
import type { Topology } from "../../model/topology.ts"

/** Larger pictures are black squares. */
const MOST_ENDS = 1024

export function topologyOf({ network, seed }: Pick<RunSpec, "network" | "seed">): Topology | undefined {
  const { name, ...raw } = network.topology
  const plugin = topologies.find((t) => t.name === name)
  const params = plugin?.params.parse(raw, "", plainScale)
  if (plugin === undefined || params === undefined || "bad" in params || "file" in raw) return undefined
  if (plugin.size(params.ok).ends > MOST_ENDS) return undefined
  // the same seed as the run's: random networks are the same network
  return plugin.make(params.ok, { rng: new Draws(seed ^ 0x746f) })
}
