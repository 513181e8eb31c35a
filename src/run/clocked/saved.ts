// A clocked measurement between two steps, as plain data: a few words for JSON, the rest columns, beside the snapshot of its engine.
import type { ClockedEngine, Snapshot } from "../../engines/flit/clocked.ts"
import type { Batch } from "../../engines/steady.ts"
import type { Column } from "../../fabric/columns.ts"
import type { Remembered } from "../looks.ts"
import {
  asJson,
  batchesIn,
  batchWords,
  type EndWords,
  endWords,
  halvesOf,
  lookColumns,
  looksIn,
  outcomeIn,
  type Phase,
} from "../packing.ts"
import { columnIn, type JsonValue, named, type Saved, type TypedArray, under } from "../pausable.ts"
import type { Outcome, WindowCounts } from "./counts.ts"
import type { Movement } from "./watchdog.ts"

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
  /** flits that were created and had not arrived when the window was opened */
  backlog: number
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
  readonly ended: EndWords | null
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

export function saveMeasurement(engine: ClockedEngine, p: Parts): Saved {
  const { now, columns } = engine.snapshot()
  const { outcome: o, counted, looks } = p
  const words: Words = {
    now,
    measure: { ...p.state },
    sampled: p.samples.looks,
    counted: counted !== undefined,
    ended: o === undefined ? null : endWords(o),
  }
  return {
    state: asJson(words),
    columns: {
      ...named("engine.", columns),
      ...p.samples.columns,
      batches: batchWords(p.batches),
      ...lookColumns(
        looks,
        (l) => [l.at, l.delivered, l.underWay],
        "portFlits",
        (l) => l.portFlits,
      ),
      ...(counted === undefined ? {} : named("counted.", copied(counted))),
      ...(o === undefined ? {} : { ...named("outcome.", copied(o.counts)), "outcome.halves": halvesOf(o) }),
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
  const snapshot: Snapshot = { now, columns: engineColumns(saved) }
  return {
    snapshot,
    sampled,
    state: { ...measure },
    batches: batchesIn(saved),
    counted: counted ? counts("counted") : undefined,
    outcome: ended === null ? undefined : { ...outcomeIn(saved, ended), counts: counts("outcome") },
    looks: looksIn<Movement>(saved, { count: 3, name: "portFlits", length: portFlits.length }, ([at, delivered, underWay], flits) => ({
      ...{ at: at!, delivered: delivered!, underWay: underWay!, portFlits: flits },
    })),
  }
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

function copied({ endIn, endOut, portFlits }: WindowCounts): Record<string, TypedArray> {
  return { endIn: endIn.slice(), endOut: endOut.slice(), portFlits: portFlits.slice() }
}

function wordsIn(state: JsonValue): Words {
  if (typeof state !== "object" || state === null || !("measure" in state))
    throw new Error("this is no saved measurement of a clocked engine")
  return JSON.parse(JSON.stringify(state)) as Words
}
