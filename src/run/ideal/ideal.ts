// One run of jobs on the ideal network (LogGOPS: contention only at the interfaces of sender and receiver), from its
// specification to its result. The engine processes events of ranks in time order; times are ps. run/open.ts calls it.
import { compileIdeal, type IdealCompiled } from "../../compile/ideal.ts"
import type { Checked } from "../../core/complaint.ts"
import { hash3 } from "../../core/hash.ts"
import { IdealPort } from "../../measure/ideal/port.ts"
import { type MeasurePlan, planOf } from "../../measure/plan.ts"
import { Measurement } from "../../measure/procedure.ts"
import { asJson, type JsonValue, type Saved } from "../../measure/saved.ts"
import type { RunResult, RunSpec } from "../../model/experiment.ts"
import type { Host } from "../../model/host.ts"
import { settled } from "../../model/missing.ts"
import type { Values } from "../../model/values.ts"
import { jobResults, waitingIn } from "../jobs.ts"
import type { SimulateOptions } from "../options.ts"
import type { PausableRun } from "../pausable.ts"
import { machineOf } from "./machine.ts"

export interface PreparedIdeal {
  readonly compiled: IdealCompiled
  readonly plan: MeasurePlan
  readonly folder: string
}

export function prepareIdeal(spec: RunSpec, host: Host): Checked<PreparedIdeal> {
  const compiled = compileIdeal(spec, host)
  if ("bad" in compiled) return compiled
  const plan = planOf(spec.measure, compiled.ok.network.scale)
  return "bad" in plan ? plan : { ok: { compiled: compiled.ok, plan: plan.ok, folder: host.folder ?? "." } }
}

/** Opens a run at time 0, or at a state that was saved by a run of the same specification. */
export function openIdeal(
  { compiled: c, plan }: PreparedIdeal,
  options: SimulateOptions = {},
  saved?: Saved,
): PausableRun {
  const started = performance.now()
  const { cycle } = c.network.scale
  const machine = machineOf(c)
  const waiting = () => waitingIn(c.layer, machine)
  const port = new IdealPort({ machine, ranks: c.layer.ranks, cycle, waiting })
  const measurement = new Measurement(port, plan, options)
  const was = saved === undefined ? undefined : readRun(saved)
  if (was !== undefined) measurement.resume(was.measurement)
  const seconds = () => (was?.seconds ?? 0) + (performance.now() - started) / 1000
  return {
    get now() {
      return port.now
    },
    step: (budget) => measurement.step(budget),
    save: () => saveRun(measurement.save(), seconds()),
    async result(): Promise<RunResult> {
      const { why, explains } = measurement.result()
      const jobs = jobResults(c.layer, machine.summaries(), cycle)
      const { events, messages, bytes } = machine.counts
      const own: Values = {
        cycles: Math.ceil(port.now),
        "engine.events": events,
        "engine.memory": (machine.words * 4) / 2 ** 20,
      }
      const hash = hash3(messages, bytes | 0, Math.floor(bytes / 2 ** 32)) >>> 0
      return {
        ...{ why, explains },
        fingerprint: jobs.fingerprint + hash.toString(16).padStart(8, "0"),
        ...settled({ ...own, ...jobs.values, seconds: seconds() }),
        tables: jobs.tables,
      }
    },
    async close() {},
  }
}

/** The JSON part of a saved run. */
interface Words {
  readonly engine: "ideal"
  readonly seconds: number
  readonly measurement: JsonValue
}

function saveRun({ state, columns }: Saved, seconds: number): Saved {
  const words: Words = { engine: "ideal", seconds, measurement: state }
  return { state: asJson(words), columns }
}

/** Returns the measurement and the wall-clock seconds of a saved run. */
function readRun({ state, columns }: Saved): { measurement: Saved; seconds: number } {
  const words = state as Words | null
  if (words?.engine !== "ideal")
    throw new Error("this is not a saved run of the ideal network; continue from one, or start again")
  return { measurement: { state: words.measurement, columns }, seconds: words.seconds }
}
