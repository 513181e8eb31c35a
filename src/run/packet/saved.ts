// A packet run between two common times, as plain data: a few words for JSON, the rest columns.
import type { PartState } from "../../engines/packet/state.ts"
import type { SyncStats } from "../../engines/packet/sync.ts"
import type { Batch } from "../../engines/steady.ts"
import type { RunSpec } from "../../model/experiment.ts"
import { refuseOther } from "../difference.ts"
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
import { columnIn, type JsonValue, named, type Saved, under } from "../pausable.ts"
import type { PacketOutcome } from "./outcome.ts"
import type { RunLayout, RunState } from "./run.ts"
import type { Sent } from "./watchdog.ts"

/** What a measurement knows; times in cycles. */
export interface State {
  phase: Phase
  now: number
  /** the cycle that the simulation was run on to since then, to be looked at */
  reached?: number
  /** when the phase goes on */
  goal: number
  /** the window; the batch that it begins with */
  from: number
  to: number
  begin: number
  /** why it seems to be overloaded */
  says: string
  /** a growing backlog ends the run; not again once it has turned out to be none */
  early: boolean
  /** bytes of the streams in all batches so far */
  arrived: number
  /** bytes that the streams had created when the window was opened */
  created: number
  /** when packets that have not arrived are given up */
  last: number
}

export interface MeasurementParts {
  readonly state: State
  readonly batches: readonly Batch[]
  readonly before: Uint32Array
  readonly outcome: PacketOutcome | undefined
  readonly looks: Remembered<Sent>
}

interface Words {
  readonly measure: State
  readonly ended: EndWords | null
}

export function saveMeasurement({ state, batches, before, outcome: o, looks }: MeasurementParts): Saved {
  const words: Words = { measure: { ...state }, ended: o === undefined ? null : endWords(o) }
  return {
    state: asJson(words),
    columns: {
      batches: batchWords(batches),
      before: before.slice(),
      ...lookColumns(
        looks,
        (l) => [l.at, l.underWay],
        "sent",
        (l) => l.sent,
      ),
      ...(o === undefined ? {} : { "outcome.channels": o.channels.slice(), "outcome.halves": halvesOf(o) }),
    },
  }
}

export function readMeasurement(saved: Saved, chans: number): MeasurementParts & { batches: Batch[] } {
  const { measure, ended } = JSON.parse(JSON.stringify(saved.state)) as Words
  const channels = () => columnIn(saved, "outcome.channels", Uint32Array, chans).slice()
  return {
    state: measure,
    batches: batchesIn(saved),
    before: columnIn(saved, "before", Uint32Array).slice(),
    looks: looksIn<Sent>(saved, { count: 2, name: "sent", length: chans }, ([at, underWay], sent) => ({
      ...{ at: at!, underWay: underWay!, sent },
    })),
    outcome: ended === null ? undefined : { ...outcomeIn(saved, ended), channels: channels() },
  }
}

/** A whole run. */
export interface PacketParts {
  /** `open`: of every worker, the messages that its collector has not seen complete */
  readonly run: RunState & { readonly open: readonly Float64Array[] }
  /** of every worker */
  readonly sums: readonly PartState[]
  /** begin and end of the window, as the collectors read it */
  readonly window: Float64Array
  readonly measurement: Saved
  /** that it took so far */
  readonly seconds: number
}

interface PacketWords {
  readonly engine: "packet"
  readonly spec: JsonValue
  readonly layout: RunLayout
  readonly epochs: number
  readonly workers: readonly { readonly numbers: PartState["numbers"]; readonly sync: SyncStats }[]
  readonly measurement: JsonValue
  readonly seconds: number
}

export function savePacket(spec: RunSpec, { run, sums, window, measurement, seconds }: PacketParts): Saved {
  const { layout, epochs } = run
  const workers = run.workers.map((w) => ({ numbers: w.machine.numbers, sync: w.sync }))
  const words: PacketWords = { engine: "packet", spec: asJson(spec), layout, epochs, workers, measurement: measurement.state, seconds }
  return {
    state: asJson(words),
    columns: Object.assign(
      { window: window.slice(), ...named("measure.", measurement.columns) },
      ...run.workers.map((w, i) => ({
        ...named(`${i}.machine.`, w.machine.columns),
        ...named(`${i}.sums.`, sums[i]!.columns),
        [`${i}.open`]: run.open[i]!,
      })),
    ),
  }
}

/** Refused, with the first difference, if it is of another specification; what is built of it compares its layout. */
export function readPacket(saved: Saved, spec: RunSpec): PacketParts {
  const words = JSON.parse(JSON.stringify(saved.state)) as Partial<PacketWords> | null
  if (words?.engine !== "packet") throw new Error("this is no saved run of the packet engine: go on from one, or begin anew")
  refuseOther(words.spec, asJson(spec), "")
  const { layout, epochs, workers, measurement, seconds } = words as PacketWords
  return {
    run: {
      layout,
      epochs,
      workers: workers.map(({ numbers, sync }, i) => ({ machine: { numbers, columns: intColumns(saved, `${i}.machine.`) }, sync })),
      open: workers.map((_, i) => columnIn(saved, `${i}.open`, Float64Array)),
    },
    sums: workers.map((_, i) => ({ numbers: {}, columns: intColumns(saved, `${i}.sums.`) })),
    window: columnIn(saved, "window", Float64Array, 2),
    measurement: { state: measurement, columns: under("measure.", saved.columns) },
    seconds,
  }
}

/** All columns under a name, which hold words. */
function intColumns(saved: Saved, prefix: string): PartState["columns"] {
  const names = Object.keys(under(prefix, saved.columns))
  return Object.fromEntries(names.map((name) => [name, columnIn(saved, prefix + name, Int32Array)]))
}
