// Checkpoint format of a packet run between two advances: a JSON object and a set of typed arrays (columns).
// Columns of worker i are named "i.machine.", "i.sums." and "i.open"; those of the measurement "measure.". simulate.ts
// calls this file; run/checkpoint.ts writes the data to disk.
import type { PartState } from "../../engines/packet/state.ts"
import type { SyncStats } from "../../engines/packet/sync.ts"
import { asJson, columnIn, type JsonValue, named, type Saved, under } from "../../measure/saved.ts"
import type { RunSpec } from "../../model/experiment.ts"
import { refuseOther } from "../difference.ts"
import type { RunLayout, RunState } from "./run.ts"

/** A whole run. */
export interface PacketParts {
  /** `open`: for each worker, the messages that its collector has not seen complete */
  readonly run: RunState & { readonly open: readonly Float64Array[] }
  /** sums of the collector of each worker */
  readonly sums: readonly PartState[]
  /** begin and end of the window in ps, as the collectors read it */
  readonly window: Float64Array
  readonly measurement: Saved
  /** wall-clock seconds of the run so far */
  readonly seconds: number
}

/** The JSON part of a saved run. */
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
  const words: PacketWords = {
    engine: "packet",
    spec: asJson(spec),
    layout,
    epochs,
    workers,
    measurement: measurement.state,
    seconds,
  }
  return {
    state: asJson(words),
    columns: Object.assign(
      { window: window.slice(), ...named("measure.", measurement.columns) },
      ...run.workers.map((w, i) => ({
        ...named(`${i}.machine.`, w.machine.columns),
        ...named(`${i}.sums.`, sums[i].columns),
        [`${i}.open`]: run.open[i],
      })),
    ),
  }
}

/**
 * Returns the parts of a saved run. Throws, with the first difference, if it belongs to another specification. The
 * layout is compared later, by the simulation that is built from it.
 */
export function readPacket(saved: Saved, spec: RunSpec): PacketParts {
  const words = JSON.parse(JSON.stringify(saved.state)) as Partial<PacketWords> | null
  if (words?.engine !== "packet")
    throw new Error("this is not a saved run of the packet engine; continue from one, or start again")
  refuseOther(words.spec, asJson(spec), "")
  const { layout, epochs, workers, measurement, seconds } = words as PacketWords
  return {
    run: {
      layout,
      epochs,
      workers: workers.map(({ numbers, sync }, i) => ({
        machine: { numbers, columns: intColumns(saved, `${i}.machine.`) },
        sync,
      })),
      open: workers.map((_, i) => columnIn(saved, `${i}.open`, Float64Array)),
    },
    sums: workers.map((_, i) => ({ numbers: {}, columns: intColumns(saved, `${i}.sums.`) })),
    window: columnIn(saved, "window", Float64Array, 2),
    measurement: { state: measurement, columns: under("measure.", saved.columns) },
    seconds,
  }
}

/** Returns all columns with this prefix. They contain 32-bit words. */
function intColumns(saved: Saved, prefix: string): PartState["columns"] {
  const names = Object.keys(under(prefix, saved.columns))
  return Object.fromEntries(names.map((name) => [name, columnIn(saved, prefix + name, Int32Array)]))
}
