// Predicts the work of a run before it starts: accepted share, hops, cycles, flit-hops and bytes. estimate.ts turns
// this into seconds and megabytes. The network is built as for the run (shape.ts) and sampled with packets (walks.ts).
import { compileIdeal } from "../compile/ideal.ts"
import { plainScale } from "../core/units.ts"
import { placedOnce } from "../experiment/cross-checks.ts"
import { hostAt } from "../experiment/disk/host.ts"
import { scaleOf } from "../experiment/fields.ts"
import { faultOf } from "../experiment/outside/fault.ts"
import { outsideOf, topologiesFor } from "../experiment/outside/known.ts"
import type { PlannedRun } from "../experiment/plan.ts"
import type { Placed } from "../experiment/source.ts"
import { type MeasurePlan, planOf } from "../measure/plan.ts"
import type { RunSpec } from "../model/experiment.ts"
import { cyclesOf, SHORT, slack } from "./cycles.ts"
import type { Ways } from "./round.ts"
import { type Moves, type Shape, shapeOf } from "./shape.ts"

export interface Predicted {
  /** true if packets were sent through the network; false if only its size is known */
  readonly sampled: boolean
  readonly ends: number
  readonly routers: number
  readonly chans: number
  readonly cycles: number
  readonly saturated: boolean
  /** mean latency in cycles, roughly */
  readonly latency: number
  /** routers visited by a packet */
  readonly hops: number
  readonly flitHops: number
  /** unit that the engine moves, and hops of these units */
  readonly moves: Moves
  readonly pieceHops: number
  /** of all columns, and the part that is likely to be touched */
  readonly bytes: number
  readonly touched: number
}

/** Returns undefined for a run that cannot be built or is too large to be built for a prediction. */
export function predictRun(spec: RunSpec, folder: string, steps?: number): Predicted | undefined {
  // The work of jobs is not predicted.
  if (tooLarge(spec) || spec.jobs !== undefined) return undefined
  const shape = shapeOf(spec, folder)
  const plan = planOf(spec.measure, scaleOf(spec.network, plainScale))
  if ("bad" in shape || "bad" in plan) return undefined
  try {
    return predicted(shape.ok, spec, plan.ok, steps)
  } catch (e) {
    // A custom routing that throws has no paths to sample. The run itself will report the error.
    if (faultOf(e) === undefined) throw e
    return undefined
  }
}

/** Returns complaints about runs that cannot be built. */
export function unbuildable(runs: readonly PlannedRun[], folder: string): Placed[] {
  return placedOnce(runs, ({ spec }) => {
    // The ideal network has no switches, so a prediction has no shape of it.
    if (spec.engine.name === "ideal") {
      const made = compileIdeal(spec, hostAt(folder, spec.plugins))
      return "bad" in made ? made.bad : []
    }
    const shape = tooLarge(spec) ? undefined : shapeOf(spec, folder)
    return shape !== undefined && "bad" in shape ? shape.bad : []
  })
}

/** Returns true if the network is too large to build it for a prediction. */
function tooLarge(spec: RunSpec): boolean {
  const { chans, routers } = sizeOf(spec)
  const tables = spec.network.routing.name.startsWith("any.") ? routers ** 2 : 0
  return chans > MOST_CHANS || tables > MOST_PAIRS
}

/** Limit of the channels of a network that is built for a prediction. */
const MOST_CHANS = 6_000_000
/** Limit of the pairs of routers, for routings with a table of all pairs. */
const MOST_PAIRS = 100_000_000
/**
 * Waiting time at a router is that of M/D/1, length x load / (2 x free capacity), reduced because not all routers are
 * as busy as the busiest one.
 */
const WAITING = 0.375
/** A saturated network contains this many times the packets. */
const OVERLOAD = 4
/** approximate bytes of a packet's records */
const RECORD = 128

function predicted(shape: Shape, spec: RunSpec, plan: MeasurePlan, steps?: number): Predicted {
  const loads = spec.traffic.map((t) => t.load)
  const ways = shape.ways(loads, steps)
  const flow = ways.streams.map((w, i) => flowOf(w, shape, i, loads[i]))
  const sum = (of: (f: Flow) => number) => flow.reduce((total, f) => total + of(f), 0)
  const offered = sum((f) => f.offered)
  const hops = offered === 0 ? 0 : sum((f) => f.offered * f.hops) / offered
  const wires = offered === 0 ? 0 : sum((f) => f.offered * f.wires) / offered
  const packets = sum((f) => f.packets)
  const length = packets === 0 ? 0 : offered / packets
  const latency = hops * shape.pause + wires + shape.piece / shape.rate
  const passes = offered === 0 ? 1 : sum((f) => f.offered * f.passes) / offered
  const saturated = passes < SHORT
  const worst = flow.reduce((least, f) => Math.min(least, f.worst), 1)
  const stop = Math.max(...shape.streams.map((s) => s.stop))
  const waits = (WAITING * hops * length * Math.min(1, ways.busiest)) / slack(ways) / shape.rate
  const cycles = cyclesOf(plan, { passes, worst, busiest: ways.busiest, latency, waits, packets, stop })
  // The first packets take half a latency to fill the network.
  const flitHops = sum(
    (f) => f.offered * f.passes * f.hops * f.answered * full(Math.min(cycles, f.stop) - f.start - latency / 2, f.burst),
  )
  const underway = packets * (latency + waits) * (saturated ? OVERLOAD : 1)
  const touched = ({ columns, records }: ReturnType<Shape["bytes"]>) =>
    columns - records + Math.min(records, RECORD * underway)
  return {
    sampled: true,
    ends: shape.ends,
    routers: shape.routers,
    chans: shape.chans,
    cycles,
    saturated,
    latency: latency + waits,
    hops,
    flitHops,
    moves: shape.moves,
    pieceHops: flitHops / shape.piece,
    get bytes() {
      return shape.bytes().columns
    },
    get touched() {
      return touched(shape.bytes())
    },
  }
}

/**
 * Returns the equivalent cycles of full load. Long messages start one after the other, so load rises linearly at first.
 */
function full(cycles: number, burst: number): number {
  if (cycles <= 0) return 0
  return cycles < burst ? cycles ** 2 / (2 * burst) : cycles - burst / 2
}

type Flow = ReturnType<typeof flowOf>

/** Returns one stream in flits per cycle. */
function flowOf(w: Ways["streams"][number], shape: Shape, i: number, load: number) {
  const stream = shape.streams[i]
  const offered = load * w.senders * shape.rate
  return {
    ...w,
    offered,
    packets: offered / stream.packet.mean,
    /** cycles that an endpoint needs to send one message */
    burst: (stream.packet.mean * stream.message.mean) / shape.rate,
    answered: 1 + shape.answers[i],
    start: stream.start,
    stop: stream.stop,
  }
}

/** Returns endpoints, routers and channels, without building the network. */
export function sizeOf(spec: RunSpec): { ends: number; routers: number; chans: number } {
  const { name, ...params } = spec.network.topology
  const plugin = topologiesFor({ outside: outsideOf(spec.plugins) }).find((t) => t.name === name)
  const parsed = plugin?.params.parse(params, "network.topology", scaleOf(spec.network, plainScale))
  return plugin !== undefined && parsed !== undefined && "ok" in parsed
    ? plugin.size(parsed.ok)
    : { ends: 0, routers: 0, chans: 0 }
}
