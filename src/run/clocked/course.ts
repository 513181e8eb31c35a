// What the phases of a clocked measurement share: the machine, the plan, and all that is known so far.
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { type Batch, throughput } from "../../engines/steady.ts"
import { ended } from "../ends.ts"
import type { MeasurePlan } from "../measure-plan.ts"
import type { Outcome, WindowCounts } from "./counts.ts"
import type { State } from "./saved.ts"
import type { watchdog } from "./watchdog.ts"

export interface Course {
  readonly engine: ClockedEngine
  readonly plan: MeasurePlan
  /** flits per cycle that all sources together create on average */
  readonly offered: number
  readonly looks: ReturnType<typeof watchdog>
  s: State
  batches: Batch[]
  /** counters at the begin of the window */
  counted: WindowCounts | undefined
  outcome: Outcome | undefined
  /** what ranks wait for, in words */
  waiting(): string
}

export function batch(m: Course, i: number): Batch {
  const { engine } = m
  const { seriesCount, seriesLatency, seriesFlits } = engine.columns
  const { streams, seriesLength } = engine.constants
  let packets = 0
  let latency = 0
  let flits = 0
  for (let s = 0; s < streams * engine.parts; s++) {
    packets += seriesCount[s * seriesLength + i]!
    latency += seriesLatency[s * seriesLength + i]!
    flits += seriesFlits[s * seriesLength + i]!
  }
  const length = m.plan.interval
  m.s.arrived += flits
  return {
    latency: packets === 0 ? Number.NaN : latency / packets,
    offered: m.offered,
    accepted: flits / length,
    backlog: m.offered * (i + 1) * length - m.s.arrived,
  }
}

export function acceptedIn(m: Course, batches: readonly Batch[], begin: number): { acceptedHalf?: number } {
  const known = throughput(batches, begin)
  return known === undefined ? {} : { acceptedHalf: known.half / m.offered }
}

/** Whatever else ended it: a network that stands still, or a part of it that does, is never called anything better. */
export function finish(m: Course, o: Outcome): void {
  m.outcome = ended(o, m.looks, m.engine.now)
  m.s.phase = "ended"
}
