// What the phases of a clocked measurement share: the machine, the plan, and all that is known so far.
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { type Batch, throughput } from "../../engines/steady.ts"
import { ended } from "../ends.ts"
import type { MeasurePlan } from "../measure-plan.ts"
import { copyCounts, flitsOut, type Outcome, since, type WindowCounts } from "./counts.ts"
import type { State } from "./saved.ts"
import type { watchdog } from "./watchdog.ts"

export interface Course {
  readonly engine: ClockedEngine
  readonly plan: MeasurePlan
  /** flits per cycle that all sources together create on average, by their specification */
  readonly offered: number
  /** [stream] -> mean flits of a packet */
  readonly flits: readonly number[]
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
  const waiting = backlogOf(m)
  const before = m.batches.at(-1)?.waiting ?? 0
  m.s.arrived += flits
  return {
    latency: packets === 0 ? Number.NaN : latency / packets,
    packets,
    offered: m.offered,
    created: (flits + waiting - before) / length,
    accepted: flits / length,
    backlog: m.offered * (i + 1) * length - m.s.arrived,
    waiting,
  }
}

/** Flits of all packets that were created and have not arrived, at their sources or on their way. */
export function backlogOf({ engine, flits }: Course): number {
  let sum = 0
  for (let s = 0; s < engine.constants.streams; s++) sum += flits[s]! * engine.backlog(s)
  return sum
}

/** The window is open from now on: what was counted before is not its. */
export function openWindow(m: Course): void {
  m.counted = copyCounts(m.engine)
  m.s.backlog = backlogOf(m)
}

/** What was counted in the window so far. */
export function countedIn(m: Course): { counts: WindowCounts; created: number } {
  const counts = since(m.engine, m.counted)
  return { counts, created: flitsOut(counts) + backlogOf(m) - m.s.backlog }
}

/** What was created and what arrived in a window that ends with the cycle `to`. */
export function loadsOf(
  m: Course,
  o: { readonly from: number; readonly to: number; readonly counts: WindowCounts; readonly created?: number },
) {
  const cycles = Math.max(1, o.to - o.from)
  const accepted = flitsOut(o.counts) / cycles
  return {
    offered: m.offered,
    created: o.created === undefined ? accepted : o.created / cycles,
    accepted,
    packets: m.engine.stat("measured"),
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
