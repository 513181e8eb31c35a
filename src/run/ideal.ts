// One run of jobs on the ideal network, from specification to result.
import { compileIdeal, type IdealCompiled } from "../compile/ideal.ts"
import type { Checked } from "../core/complaint.ts"
import { hash3 } from "../core/hash.ts"
import { type Ideal, type IdealState, makeIdeal } from "../engines/ideal/engine.ts"
import type { RunResult, RunSpec } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import { settled } from "../model/missing.ts"
import type { Values } from "../model/values.ts"
import type { Stopped } from "./ends.ts"
import { jobResults, waitingIn } from "./jobs.ts"
import { type MeasurePlan, planOf } from "./measure-plan.ts"
import type { SimulateOptions } from "./options.ts"
import { asJson } from "./packing.ts"
import { columnIn, type PausableRun, type Saved } from "./pausable.ts"

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

/** events between two looks whether somebody wants it to stop */
const EVENTS = 1 << 16

/** A run at its beginning, or where one of the same specification was saved. */
export function openIdeal({ compiled: c, plan }: PreparedIdeal, options: SimulateOptions = {}, saved?: Saved): PausableRun {
  const started = performance.now()
  const { cycle } = c.network.scale
  const limit = plan.limit * cycle
  const ideal = makeIdeal(c.layer, c.net, c.processors)
  const before = saved === undefined ? { now: 0, seconds: 0 } : restored(ideal, saved)
  const machine = { summaries: () => summaries(ideal, c) }
  let { now } = before
  let end: Stopped | undefined
  const finished = () => {
    let n = 0
    for (let r = 0; r < c.layer.ranks; r++) if (ideal.ranks.finished(r)) n++
    return n
  }

  function ended(): Stopped {
    const { ranks } = c.layer
    const done = finished()
    if (done === ranks) return { why: "drained", explains: `all ${ranks} ranks have ended by cycle ${Math.ceil(now)}` }
    const waiting = waitingIn(c.layer, machine)
    if (ideal.pending() === 0)
      return { why: "waiting", explains: `${ranks - done} of ${ranks} ranks wait for what nobody sends; the network is empty; ${waiting}` }
    return { why: "cycles", explains: `reached the limit of ${plan.limit} cycles; ${done} of ${ranks} ranks have ended; ${waiting}` }
  }

  const seconds = () => before.seconds + (performance.now() - started) / 1000
  return {
    get now() {
      return now
    },
    step(budget) {
      const until = Math.min(limit, (now + Math.max(1, budget)) * cycle)
      while (end === undefined) {
        const events = ideal.counts.events
        now = ideal.run(until, EVENTS) / cycle
        options.onProgress?.(Math.min(1, now / plan.limit), `cycle ${Math.floor(now)}`)
        if (options.shouldStop?.()) end = { why: "time", explains: `was stopped at cycle ${Math.floor(now)}` }
        else if (ideal.counts.events - events < EVENTS) {
          if (ideal.pending() === 0 || until >= limit) end = ended()
          else {
            now = until / cycle
            return false
          }
        }
      }
      return true
    },
    save: () => savedOf(ideal.save(), now, seconds()),
    async result(): Promise<RunResult> {
      const jobs = jobResults(c.layer, machine.summaries(), cycle)
      const { events, messages, bytes } = ideal.counts
      const own: Values = { cycles: Math.ceil(now), "engine.events": events, "engine.memory": (ideal.mem.length * 4) / 2 ** 20 }
      const hash = hash3(messages, bytes | 0, Math.floor(bytes / 2 ** 32)) >>> 0
      return {
        ...(end ?? { why: "time", explains: `was left at cycle ${Math.floor(now)}` }),
        fingerprint: jobs.fingerprint + hash.toString(16).padStart(8, "0"),
        ...settled({ ...own, ...jobs.values, seconds: seconds() }),
        tables: jobs.tables,
      }
    },
    async close() {},
  }
}

function summaries(ideal: Ideal, { layer }: IdealCompiled): Int32Array {
  const all = new Int32Array(layer.ranks * layer.summary)
  for (let r = 0; r < layer.ranks; r++) ideal.ranks.summary(r, all, r * layer.summary)
  return all
}

function savedOf({ numbers, columns }: IdealState, now: number, seconds: number): Saved {
  const words: Words = { engine: "ideal", numbers, now, seconds }
  return { state: asJson(words), columns: { ...columns } }
}

interface Words {
  readonly engine: "ideal"
  readonly numbers: IdealState["numbers"]
  readonly now: number
  readonly seconds: number
}

/** Takes over what was saved: where it stood, and the seconds that it took. */
function restored(ideal: Ideal, saved: Saved): Words {
  const words = JSON.parse(JSON.stringify(saved.state)) as Words | null
  if (words?.engine !== "ideal") throw new Error("this is no saved run of the ideal network: go on from one, or begin anew")
  ideal.restore({
    numbers: words.numbers,
    columns: {
      records: columnIn(saved, "records", Int32Array),
      rest: columnIn(saved, "rest", Int32Array),
      times: columnIn(saved, "times", Float64Array),
      ties: columnIn(saved, "ties", Float64Array),
      items: columnIn(saved, "items", Int32Array),
    },
  })
  return words
}
