// One run on a clocked engine, from specification to result. Nothing here knows Node: who has threads to give hands them in.
import { clockedEngine, mostWorkers, partsFor } from "../../compile/clocked/engine.ts"
import { type Compiled, compile } from "../../compile/compile.ts"
import { sharing } from "../../compile/offered.ts"
import { reported, standingWishes } from "../../compile/probes.ts"
import type { Checked } from "../../core/complaint.ts"
import { Draws } from "../../core/rng.ts"
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import type { RunResult, RunSpec, Table } from "../../model/experiment.ts"
import type { Host } from "../../model/host.ts"
import { settled } from "../../model/missing.ts"
import { jobResults, waitingIn } from "../jobs.ts"
import { type MeasurePlan, planOf } from "../measure-plan.ts"
import type { SimulateOptions, Threads } from "../options.ts"
import type { LiveRun, Saved } from "../pausable.ts"
import { clockedSight } from "../sight/clocked.ts"
import { timesOf } from "../times.ts"
import type { Outcome } from "./counts.ts"
import { Measurement } from "./measure.ts"
import { readRun, saveRun } from "./saved.ts"
import { countsOf, valuesOf } from "./values.ts"

export interface PreparedFlit {
  readonly compiled: Compiled
  readonly plan: MeasurePlan
  readonly folder: string
}

export function prepareFlit(spec: RunSpec, host: Host): Checked<PreparedFlit> {
  const compiled = compile(spec, host)
  if ("bad" in compiled) return compiled
  const plan = planOf(spec.measure, compiled.ok.network.scale)
  return "bad" in plan ? plan : { ok: { compiled: compiled.ok, plan: plan.ok, folder: host.folder ?? "." } }
}

export async function openFlit(p: PreparedFlit, options: SimulateOptions = {}, saved?: Saved, threads?: Threads): Promise<LiveRun> {
  const { plan, compiled } = p
  const started = performance.now()
  const was = saved === undefined ? undefined : readRun(saved)
  const apart = options.threads === false ? undefined : threads
  const asked = options.workers ?? 1
  const able = Math.min(asked, apart?.cores ?? asked, mostWorkers(compiled))
  // the columns of a saved run are laid out for its workers: where there are fewer now, they take turns
  const workers = was?.workers ?? able
  const layout = { ...partsFor(compiled, workers), horizon: plan.horizon, series: plan.interval }
  const engine = clockedEngine(compiled, layout)
  const { assign } = layout
  const home =
    apart !== undefined && workers > 1 && workers <= able && assign !== undefined
      ? await apart.clocked(engine, { ...layout, assign, spec: compiled.spec, folder: p.folder, size: workers })
      : undefined
  const gathered = (performance.now() - started) / 1000
  const measurement = clockedRun(p, engine, options)
  try {
    // not before the others have built their machines: that writes the initial state anew
    if (was !== undefined) measurement.resume(was.measurement)
  } catch (e) {
    await home?.()
    throw e
  }
  const seconds = () => (was?.seconds ?? 0) + (performance.now() - started) / 1000
  return {
    get now() {
      return engine.now
    },
    step: (budget) => measurement.step(budget),
    reach: (cycle) => measurement.step(cycle - engine.now),
    resume: (state) => measurement.resume(readRun(state).measurement),
    sight: () => (home === undefined ? clockedSight(engine, compiled.network.topology) : undefined),
    save: () => saveRun(measurement.save(), workers, seconds()),
    async result() {
      const { team } = engine
      const workers = Array.from({ length: team?.size ?? 0 }, (_, w) => team!.busy(w))
      if (team !== undefined) options.onTimes?.(timesOf(gathered, (performance.now() - started) / 1000 - gathered, workers))
      await home?.()
      return resultOf(engine, compiled, measurement.result(), measurement, seconds())
    },
    async close() {
      await home?.()
    },
  }
}

/** The measurement of a run on its machine. */
export function clockedRun({ compiled, plan }: PreparedFlit, engine: ClockedEngine, options: SimulateOptions): Measurement {
  const { ends } = compiled.network.topology.graph
  const offered = { flits: 0, packets: 0, each: compiled.streams.map((s) => s.packet.mean) }
  compiled.spec.traffic.forEach((t, i) => {
    const flits = t.load * sharing(compiled, i) * ends
    offered.flits += flits
    offered.packets += flits / compiled.streams[i]!.packet.mean
  })
  const waiting = () => waitingIn(compiled.ranks?.layer, engine.jobs)
  return new Measurement(engine, compiled.network.topology, plan, offered, options, waiting, standingWishes(compiled.probes))
}

/** What was looked at while it ran. */
type Seen = Pick<Measurement, "samples" | "standing">

export function resultOf(engine: ClockedEngine, c: Compiled, o: Outcome, { samples, standing }: Seen, seconds: number): RunResult {
  const values = valuesOf(engine, c, o)
  const tables: Record<string, Table> = {}
  const counts = { ...countsOf(engine, c, o), standing: standing.map((l) => l.log()) }
  const parts = engine.attribution()
  if (parts !== undefined) {
    tables["attribution"] = { part: Object.keys(parts), cycles: Object.values(parts) }
    for (const [part, cycles] of Object.entries(parts)) values[`time.${part}`] = cycles
  }
  const worst = samples.table(c.network.topology.graph, counts.channel, counts.window)
  if (worst !== undefined) tables["channels-worst"] = worst
  const site = { topology: c.network.topology, vcs: c.network.vcsPerClass, rng: new Draws(c.spec.seed) }
  const report = reported(c.probes, site, counts)
  Object.assign(tables, report.tables)
  Object.assign(values, report.values)
  Object.assign(values, engine.extraValues())
  Object.assign(tables, c.spec.probes.some((p) => p.name === "series") ? engine.extraTables() : {})
  Object.assign(tables, c.spec.probes.some((p) => p.name === "endpoints") ? engine.endTables() : {})
  const jobs = c.ranks === undefined ? undefined : jobResults(c.ranks.layer, engine.jobs!.summaries(), c.network.scale.cycle)
  Object.assign(values, jobs?.values)
  Object.assign(tables, jobs?.tables)
  values["seconds"] = seconds
  return { why: o.why, explains: o.explains + lossOf(engine), fingerprint: engine.fingerprint(), ...settled(values), tables }
}

/** What a reader must know whatever ended the run: packets that were given up are in no latency and in no accepted load. */
function lossOf(engine: ClockedEngine): string {
  const lost = engine.stat("abandoned")
  if (lost === 0) return ""
  return `, but ${lost} ${lost === 1 ? "packet was" : "packets were"} abandoned after all retries and never arrived`
}
