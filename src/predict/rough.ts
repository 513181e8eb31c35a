// A rough prediction for runs that cannot be built, or whose network is too large to build it for a prediction. Sizes
// are closed forms; the other numbers are typical values.
import { plainScale } from "../core/units.ts"
import { scaleOf } from "../experiment/fields.ts"
import { planOf } from "../measure/plan.ts"
import type { RunSpec } from "../model/experiment.ts"
import { cyclesOf } from "./cycles.ts"
import { type Predicted, sizeOf } from "./run.ts"

const PER_HOP = 5
/** bytes of columns for each channel, measured with four VCs */
const PER_CHANNEL = 1500

/** Returns the prediction, assuming that the network is not saturated. */
export function roughly(spec: RunSpec): Predicted {
  const { ends, routers, chans } = sizeOf(spec)
  const hops = hopsOf(spec, routers, chans)
  const load = spec.traffic.reduce((sum, t) => sum + t.load, 0)
  const latency = hops * PER_HOP
  const plan = planOf(spec.measure, scaleOf(spec.network, plainScale))
  const outlook = {
    passes: 1,
    worst: 1,
    busiest: 0,
    latency,
    waits: 0,
    packets: Math.max(1e-9, ends * load),
    stop: Number.POSITIVE_INFINITY,
  }
  const cycles = "bad" in plan ? 0 : cyclesOf(plan.ok, outlook)
  const flitHops = ends * load * hops * cycles
  const bytes = chans * PER_CHANNEL
  const moves = spec.engine.name === "packet" ? "chunks" : "flits"
  return {
    sampled: false,
    ends,
    routers,
    chans,
    cycles,
    saturated: false,
    latency,
    hops,
    flitHops,
    moves,
    pieceHops: flitHops,
    bytes,
    touched: bytes,
  }
}

/** Returns the mean hops of a grid from its sides, or those of a tree of such routers. */
function hopsOf(spec: RunSpec, routers: number, chans: number): number {
  const { name, sides } = spec.network.topology
  const given = typeof sides === "string" ? sides.split("x").map(Number) : []
  if (given.length > 0 && given.every((k) => k > 0))
    return 1 + given.reduce((sum, k) => sum + k / (name === "torus" ? 4 : 3), 0)
  return routers < 2 ? 1 : 1 + Math.log(routers) / Math.log(Math.max(2, chans / routers / 2))
}
