// A clocked measurement between two steps, as plain data: a few words for JSON, the rest columns, beside the snapshot of its engine.
import type { ClockedEngine, Snapshot } from "../../engines/flit/clocked.ts"
import type { Batch } from "../../engines/steady.ts"
import type { Column } from "../../fabric/columns.ts"
import type { StopReason } from "../../model/experiment.ts"
import type { Remembered } from "../looks.ts"
import { columnIn, type JsonValue, named, type Saved, type TypedArray, under } from "../pausable.ts"
import type { Outcome, WindowCounts } from "./counts.ts"
import type { Movement } from "./watchdog.ts"

export type Phase = "start" | "warm up" | "lead" | "window" | "precise" | "overloaded" | "drain" | "ended"

export interface State {
  phase: Phase
  /** the cycle at which the phase goes on; the next one at which the run is looked at */
  goal: number
  look: number
  /** the window begins at this cycle, which is this batch */
  from: number
  begin: number
  /** why it seems to be overloaded */
  says: string
  /** a growing backlog ends the run; not again once it has turned out to be none */
  early: boolean
  /** flits in all batches so far */
  arrived: number
  /** the cycle at which packets that have not arrived are given up */
  last: number
}

export interface Parts {
  readonly state: State
  readonly batches: readonly Batch[]
  readonly counted: WindowCounts | undefined
  readonly outcome: Outcome | undefined
  readonly looks: Remembered<Movement>
  readonly samples: { readonly looks: number; readonly columns: Readonly<Record<string, TypedArray>> }
}

/** What JSON carries of it. */
interface Words {
  readonly now: number
  readonly measure: State
  readonly sampled: number
  readonly counted: boolean
  readonly ended: { why: StopReason; explains: string; from: number; to: number; halves: boolean[] } | null
}

/** A run is its measurement, the workers that its columns are laid out for, and the time that it has taken so far. */
export function saveRun({ state, columns }: Saved, workers: number, seconds: number): Saved {
  return { state: { workers, seconds, measurement: state }, columns }
}

export function readRun({ state, columns }: Saved): { workers: number; seconds: number; measurement: Saved } {
  const { workers, seconds, measurement } = state as { workers?: unknown; seconds?: unknown; measurement?: JsonValue }
  if (typeof workers !== "number" || typeof seconds !== "number" || measurement === undefined)
    throw new Error("this is no saved run of a clocked engine")
  return { workers, seconds, measurement: { state: measurement, columns } }
}

const BATCH_WORDS = ["latency", "offered", "accepted", "backlog"] as const
const MOVEMENT = 3

export function saveMeasurement(engine: ClockedEngine, p: Parts): Saved {
  const { now, columns } = engine.snapshot()
  const { outcome: o, counted, looks } = p
  const words: Words = {
    now,
    measure: { ...p.state },
    sampled: p.samples.looks,
    counted: counted !== undefined,
    ended:
      o === undefined
        ? null
        : { why: o.why, explains: o.explains, from: o.from, to: o.to, halves: [o.half !== undefined, o.acceptedHalf !== undefined] },
  }
  return {
    state: asJson(words),
    columns: {
      ...named("engine.", columns),
      ...p.samples.columns,
      // batches without a packet have no latency, which JSON has no word for
      batches: Float64Array.from(p.batches.flatMap((b) => BATCH_WORDS.map((w) => b[w]))),
      looks: Float64Array.from([looks.judged, ...looks.seen.flatMap((s) => [s.at, s.delivered, s.underWay])]),
      "looks.portFlits": joined(looks.seen.map((s) => s.portFlits)),
      ...(counted === undefined ? {} : named("counted.", copied(counted))),
      ...(o === undefined
        ? {}
        : { ...named("outcome.", copied(o.counts)), "outcome.halves": Float64Array.of(o.half ?? 0, o.acceptedHalf ?? 0) }),
    },
  }
}

/** What a measurement of this engine takes over; the columns of the snapshot are the saved ones, not copies. */
export function readMeasurement(engine: ClockedEngine, saved: Saved) {
  const { now, measure, sampled, counted, ended } = wordsIn(saved.state)
  const { endIn, endOut, portFlits } = engine.columns
  const counts = (prefix: string): WindowCounts => ({
    endIn: columnIn(saved, `${prefix}.endIn`, Uint32Array, endIn.length).slice(),
    endOut: columnIn(saved, `${prefix}.endOut`, Uint32Array, endOut.length).slice(),
    portFlits: columnIn(saved, `${prefix}.portFlits`, Uint32Array, portFlits.length).slice(),
  })
  const outcome = (e: NonNullable<Words["ended"]>): Outcome => {
    const halves = columnIn(saved, "outcome.halves", Float64Array, 2)
    return {
      ...{ why: e.why, explains: e.explains, from: e.from, to: e.to, counts: counts("outcome") },
      ...(e.halves[0] === true ? { half: halves[0]! } : {}),
      ...(e.halves[1] === true ? { acceptedHalf: halves[1]! } : {}),
    }
  }
  const snapshot: Snapshot = { now, columns: engineColumns(saved) }
  return {
    snapshot,
    sampled,
    state: { ...measure },
    batches: batchesIn(columnIn(saved, "batches", Float64Array)),
    counted: counted ? counts("counted") : undefined,
    outcome: ended === null ? undefined : outcome(ended),
    looks: looksIn(saved, portFlits.length),
  }
}

function batchesIn(words: Float64Array): Batch[] {
  return Array.from({ length: words.length / BATCH_WORDS.length }, (_, i) => {
    const [latency, offered, accepted, backlog] = words.subarray(i * BATCH_WORDS.length)
    return { latency: latency!, offered: offered!, accepted: accepted!, backlog: backlog! }
  })
}

function looksIn(saved: Saved, ports: number): Remembered<Movement> {
  const words = columnIn(saved, "looks", Float64Array)
  const n = (words.length - 1) / MOVEMENT
  const flits = columnIn(saved, "looks.portFlits", Uint32Array, n * ports)
  const seen = Array.from({ length: n }, (_, i) => {
    const [at, delivered, underWay] = words.subarray(1 + i * MOVEMENT)
    return { at: at!, delivered: delivered!, underWay: underWay!, portFlits: flits.slice(i * ports, (i + 1) * ports) }
  })
  return { seen, judged: words[0]! }
}

function engineColumns(saved: Saved): Record<string, Column> {
  const found: Record<string, Column> = {}
  for (const [name, c] of Object.entries(under("engine.", saved.columns))) {
    if (c instanceof Int8Array || c instanceof Int16Array || c instanceof Float32Array)
      throw new Error(`column ${name}: ${c.constructor.name} is no kind that an engine has`)
    found[name] = c
  }
  return found
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((n, p) => n + p.length, 0))
  parts.reduce((at, p) => {
    all.set(p, at)
    return at + p.length
  }, 0)
  return all
}

function copied({ endIn, endOut, portFlits }: WindowCounts): Record<string, TypedArray> {
  return { endIn: endIn.slice(), endOut: endOut.slice(), portFlits: portFlits.slice() }
}

function asJson(words: Words): JsonValue {
  return JSON.parse(JSON.stringify(words)) as JsonValue
}

function wordsIn(state: JsonValue): Words {
  if (typeof state !== "object" || state === null || !("measure" in state))
    throw new Error("this is no saved measurement of a clocked engine")
  return JSON.parse(JSON.stringify(state)) as Words
}
