// What a run will do, before it does it: how much of its traffic gets through, over how many hops, for how many cycles.
import { plainScale } from "../../core/units.ts"
import { scaleOf } from "../../experiment/fields.ts"
import { faultOf } from "../../experiment/outside/fault.ts"
import { outsideOf, topologiesFor } from "../../experiment/outside/known.ts"
import type { PlannedRun } from "../../experiment/plan.ts"
import { placedOnce } from "../../experiment/sense.ts"
import type { Placed } from "../../experiment/source.ts"
import type { RunSpec } from "../../model/experiment.ts"
import { type MeasurePlan, planOf } from "../measure-plan.ts"
import { cyclesOf, SHORT, slack } from "./cycles.ts"
import type { Ways } from "./round.ts"
import { type Moves, type Shape, shapeOf } from "./shape.ts"

export interface Predicted {
  /** by packets sent through the network; false: only sizes are known */
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
  /** hops of what the engine moves at once */
  readonly moves: Moves
  readonly pieceHops: number
  /** of all columns, and what of them is likely to be touched */
  readonly bytes: number
  readonly touched: number
}

/** Undefined for a run that cannot be built, or that is too large to look at. */
export function predictRun(spec: RunSpec, folder: string, steps?: number): Predicted | undefined {
  if (tooLarge(spec)) return undefined
  const shape = shapeOf(spec, folder)
  const plan = planOf(spec.measure, scaleOf(spec.network, plainScale))
  if ("bad" in shape || "bad" in plan) return undefined
  try {
    return predicted(shape.ok, spec, plan.ok, steps)
  } catch (e) {
    // a routing from outside that throws has no ways to be walked; the run will say so
    if (faultOf(e) === undefined) throw e
    return undefined
  }
}

/** Complaints about runs that cannot be built, as far as they are looked at. */
export function unbuildable(runs: readonly PlannedRun[], folder: string): Placed[] {
  return placedOnce(runs, ({ spec }) => {
    const shape = tooLarge(spec) ? undefined : shapeOf(spec, folder)
    return shape !== undefined && "bad" in shape ? shape.bad : []
  })
}

/** No network is built only to look at it when it is this large. */
function tooLarge(spec: RunSpec): boolean {
  const { chans, routers } = sizeOf(spec)
  const tables = spec.network.routing.name.startsWith("any.") ? routers ** 2 : 0
  return chans > MOST_CHANS || tables > MOST_PAIRS
}

/** Channels beyond which no network is built to look at it. */
const MOST_CHANS = 6_000_000
/** Pairs of routers beyond which no routing that keeps a table of them is. */
const MOST_PAIRS = 100_000_000
/** Half of what a packet waits for another at a router (M/D/1: length x load / (2 x what is left)), and not all routers are as busy as the busiest. */
const WAITING = 0.375
/** In a saturated network so many times the packets are on their way. */
const OVERLOAD = 4
/** bytes of a packet's records, about */
const RECORD = 128

function predicted(shape: Shape, spec: RunSpec, plan: MeasurePlan, steps?: number): Predicted {
  const loads = spec.traffic.map((t) => t.load)
  const ways = shape.ways(loads, steps)
  const flow = ways.streams.map((w, i) => flowOf(w, shape, i, loads[i]!))
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
  // the first packets take their time to fill the network
  const flitHops = sum((f) => f.offered * f.passes * f.hops * f.answered * full(Math.min(cycles, f.stop) - f.start - latency / 2, f.burst))
  const underway = packets * (latency + waits) * (saturated ? OVERLOAD : 1)
  const touched = ({ columns, records }: ReturnType<Shape["bytes"]>) => columns - records + Math.min(records, RECORD * underway)
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

/** Cycles of full load that so many cycles from the first message on are worth: long messages begin one by one. */
function full(cycles: number, burst: number): number {
  if (cycles <= 0) return 0
  return cycles < burst ? cycles ** 2 / (2 * burst) : cycles - burst / 2
}

type Flow = ReturnType<typeof flowOf>

/** One stream in flits per cycle. */
function flowOf(w: Ways["streams"][number], shape: Shape, i: number, load: number) {
  const stream = shape.streams[i]!
  const offered = load * w.senders * shape.rate
  return {
    ...w,
    offered,
    packets: offered / stream.packet.mean,
    /** cycles that an endpoint sends one message for */
    burst: (stream.packet.mean * stream.message.mean) / shape.rate,
    answered: 1 + shape.answers[i]!,
    start: stream.start,
    stop: stream.stop,
  }
}

/** Endpoints, routers and channels, without building anything. */
export function sizeOf(spec: RunSpec): { ends: number; routers: number; chans: number } {
  const { name, ...params } = spec.network.topology
  const plugin = topologiesFor({ outside: outsideOf(spec.plugins) }).find((t) => t.name === name)
  const parsed = plugin?.params.parse(params, "network.topology", scaleOf(spec.network, plainScale))
  return plugin !== undefined && parsed !== undefined && "ok" in parsed
    ? plugin.size(parsed.ok as never)
    : { ends: 0, routers: 0, chans: 0 }
}
