// A packet run between two common times, as plain data: a few words for JSON, the rest columns.
import type { PartState } from "../../engines/packet/state.ts"
import type { SyncStats } from "../../engines/packet/sync.ts"
import type { Batch } from "../../engines/steady.ts"
import type { RunSpec, StopReason } from "../../model/experiment.ts"
import { refuseOther } from "../difference.ts"
import type { Remembered } from "../looks.ts"
import { columnIn, type JsonValue, named, type Saved, under } from "../pausable.ts"
import type { PacketOutcome } from "./outcome.ts"
import type { RunLayout, RunState } from "./run.ts"
import type { Sent } from "./watchdog.ts"

export type Phase = "start" | "warm up" | "jobs" | "lead" | "window" | "precise" | "overloaded" | "drain" | "ended"

/** What a measurement knows; times in cycles. */
export interface State {
  phase: Phase
  now: number
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
  /** bytes in all batches so far */
  arrived: number
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
  readonly ended: { why: StopReason; explains: string; from: number; to: number; halves: boolean[] } | null
}

const BATCH_WORDS = ["latency", "offered", "accepted", "backlog"] as const
/** judged; then for each look: when, chunks under way */
const LOOK_WORDS = 2

export function saveMeasurement({ state, batches, before, outcome: o, looks }: MeasurementParts): Saved {
  const words: Words = {
    measure: { ...state },
    ended: o === undefined ? null : { ...texts(o), halves: [o.half !== undefined, o.acceptedHalf !== undefined] },
  }
  const { seen } = looks
  const sent = new Uint32Array(seen.reduce((n, s) => n + s.sent.length, 0))
  for (const [i, s] of seen.entries()) sent.set(s.sent, i * s.sent.length)
  return {
    state: asJson(words),
    columns: {
      // batches without a packet have no latency, which JSON has no word for
      batches: Float64Array.from(batches.flatMap((b) => BATCH_WORDS.map((w) => b[w]))),
      before: before.slice(),
      looks: Float64Array.from([looks.judged, ...seen.flatMap((s) => [s.at, s.underWay])]),
      "looks.sent": sent,
      ...(o === undefined
        ? {}
        : { "outcome.channels": o.channels.slice(), "outcome.halves": Float64Array.of(o.half ?? 0, o.acceptedHalf ?? 0) }),
    },
  }
}

export function readMeasurement(saved: Saved, chans: number): MeasurementParts & { batches: Batch[] } {
  const { measure, ended: e } = JSON.parse(JSON.stringify(saved.state)) as Words
  const looks = columnIn(saved, "looks", Float64Array)
  const count = (looks.length - 1) / LOOK_WORDS
  const sent = columnIn(saved, "looks.sent", Uint32Array, count * chans)
  const seen = Array.from({ length: count }, (_, i) => ({
    at: looks[1 + i * LOOK_WORDS]!,
    underWay: looks[2 + i * LOOK_WORDS]!,
    sent: sent.slice(i * chans, (i + 1) * chans),
  }))
  const words = columnIn(saved, "batches", Float64Array)
  const batches = Array.from({ length: words.length / BATCH_WORDS.length }, (_, i) => {
    const [latency, offered, accepted, backlog] = words.subarray(i * BATCH_WORDS.length)
    return { latency: latency!, offered: offered!, accepted: accepted!, backlog: backlog! }
  })
  return {
    state: measure,
    batches,
    before: columnIn(saved, "before", Uint32Array).slice(),
    looks: { seen, judged: looks[0]! },
    outcome: e === null ? undefined : outcomeIn(saved, e, chans),
  }
}

function texts({ why, explains, from, to }: PacketOutcome): Pick<PacketOutcome, "why" | "explains" | "from" | "to"> {
  return { why, explains, from, to }
}

function outcomeIn(saved: Saved, e: NonNullable<Words["ended"]>, chans: number): PacketOutcome {
  const [half, acceptedHalf] = columnIn(saved, "outcome.halves", Float64Array, 2)
  return {
    ...{ why: e.why, explains: e.explains, from: e.from, to: e.to },
    channels: columnIn(saved, "outcome.channels", Uint32Array, chans).slice(),
    ...(e.halves[0] === true ? { half: half! } : {}),
    ...(e.halves[1] === true ? { acceptedHalf: acceptedHalf! } : {}),
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

function asJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue
}
