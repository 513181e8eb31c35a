// Checkpoint format of the port of a clocked engine. The columns are the snapshot of the engine ("engine."), the queue
// samples ("samples."), the samplers of blocked queues ("standing"), the memory of the watchdog ("looks") and the
// counters of the window ("opened.", "closed."). They are copies, because the run continues after a save.
import type { ClockedEngine, Snapshot } from "../../engines/flit/clocked.ts"
import type { Column } from "../../fabric/columns.ts"
import { lookColumns, looksIn, portIn } from "../packing.ts"
import type { Remembered } from "../progress-watchdog.ts"
import { asJson, columnIn, named, type Saved, type TypedArray, under } from "../saved.ts"
import type { WindowCounts } from "./counts.ts"
import type { WindowState } from "./load-window.ts"
import type { Movement } from "./watchdog.ts"

/** Everything that the port remembers, apart from the engine. */
export interface PortParts {
  readonly window: WindowState
  readonly looks: Remembered<Movement>
  readonly samples: { readonly looks: number; readonly columns: Readonly<Record<string, TypedArray>> }
}

/** The JSON part. `sampled`: number of queue samples. */
interface Words {
  readonly now: number
  readonly sampled: number
  readonly window: Pick<WindowState, "backlog" | "loads"> & { readonly opened: boolean; readonly closed: boolean }
}

export function savePort(engine: ClockedEngine, { window, looks, samples }: PortParts): Saved {
  const { now, columns } = engine.snapshot()
  const { backlog, loads, opened, closed } = window
  const words: Words = {
    now,
    sampled: samples.looks,
    window: { backlog, loads, opened: opened !== undefined, closed: closed !== undefined },
  }
  const flits = lookColumns(
    looks,
    (l) => [l.at, l.delivered, l.underWay],
    "portFlits",
    (l) => l.portFlits,
  )
  return {
    state: asJson(words),
    columns: {
      ...named("engine.", columns),
      ...samples.columns,
      ...flits,
      ...(opened === undefined ? {} : named("opened.", copied(opened))),
      ...(closed === undefined ? {} : named("closed.", copied(closed))),
    },
  }
}

/**
 * Returns what `savePort` stored, checked against the sizes of this engine. The columns of the snapshot are the saved
 * arrays, not copies, because ClockedEngine.restore copies them anyway.
 */
export function readPort(engine: ClockedEngine, saved: Saved) {
  const { now, sampled, window } = portIn<Words>(saved)
  const { endIn, endOut, portFlits } = engine.columns
  const counts = (prefix: string): WindowCounts => ({
    endIn: columnIn(saved, `${prefix}.endIn`, Uint32Array, endIn.length).slice(),
    endOut: columnIn(saved, `${prefix}.endOut`, Uint32Array, endOut.length).slice(),
    portFlits: columnIn(saved, `${prefix}.portFlits`, Uint32Array, portFlits.length).slice(),
  })
  const snapshot: Snapshot = { now, columns: engineColumns(saved) }
  const loads: WindowState = {
    ...window,
    opened: window.opened ? counts("opened") : undefined,
    closed: window.closed ? counts("closed") : undefined,
  }
  const looks = looksIn<Movement>(
    saved,
    { count: 3, name: "portFlits", length: portFlits.length },
    ([at, delivered, underWay], flits) => ({ at, delivered, underWay, portFlits: flits }),
  )
  return { snapshot, sampled, window: loads, looks }
}

/** Returns the columns of the engine. Rejects types that no engine uses: the file was damaged or made by hand. */
function engineColumns(saved: Saved): Record<string, Column> {
  const found: Record<string, Column> = {}
  for (const [name, c] of Object.entries(under("engine.", saved.columns))) {
    if (c instanceof Int8Array || c instanceof Int16Array || c instanceof Float32Array)
      throw new Error(`column ${name}: ${c.constructor.name} is not a column type of an engine`)
    found[name] = c
  }
  return found
}

function copied({ endIn, endOut, portFlits }: WindowCounts): Record<string, TypedArray> {
  return { endIn: endIn.slice(), endOut: endOut.slice(), portFlits: portFlits.slice() }
}
