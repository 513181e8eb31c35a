// Before a sweep: how many runs, about how long, about how much memory. Rough on purpose; measured seconds of known runs replace the guess.
import { plainScale, quantity } from "../core/units.ts"
import { topologies } from "../library.ts"
import type { RunSpec } from "../model/experiment.ts"
import { scaleOf } from "./fields.ts"

/** flit-hops in a second of one core, and what a run costs before its first cycle; of this order on a laptop of 2025 */
const flitHopsPerSecond = 5e6
const startSeconds = 0.25
const usualCycles = 20_000
const usualHops = 4

export interface Estimate {
  readonly ends: number
  readonly routers: number
  readonly flitHops: number
  readonly flitHopsPerCycle: number
  readonly seconds: number
  readonly megabytes: number
}

export function estimateRun(spec: RunSpec): Estimate {
  const { topology: named, switch: sw } = spec.network
  const scale = scaleOf(spec.network, plainScale)
  const plugin = topologies.find((t) => t.name === named.name)
  const { name: _, ...params } = named
  const parsed = plugin?.params.parse(params, "network.topology", scale)
  const size = plugin !== undefined && parsed !== undefined && "ok" in parsed ? plugin.size(parsed.ok) : { ends: 0, routers: 0, chans: 0 }
  const load = spec.traffic.reduce((sum, t) => sum + t.load, 0)
  const cycles = Math.min(
    durationOr(spec.measure.warmup, usualCycles / 2) + durationOr(spec.measure.window, usualCycles),
    durationOr(spec.measure.limit, Infinity),
  )
  const vcs = typeof sw["vcs"] === "number" ? sw["vcs"] : 4
  const buffer = quantity(sw["buffer"] ?? "8flits", "flits", scale)
  const slots = size.chans * vcs * (typeof buffer === "number" ? buffer : 8)
  const flitHopsPerCycle = size.ends * load * usualHops
  const flitHops = flitHopsPerCycle * cycles
  return {
    ends: size.ends,
    routers: size.routers,
    flitHops,
    flitHopsPerCycle,
    seconds: startSeconds + flitHops / flitHopsPerSecond,
    megabytes: 30 + (slots * 8 + size.chans * vcs * 64 + size.ends * 512) / 2 ** 20,
  }
}

function durationOr(raw: string, otherwise: number): number {
  const got = quantity(raw, "cycles")
  return typeof got === "number" ? got : otherwise
}
