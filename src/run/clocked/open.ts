// One run of a clocked engine, from its specification to its result: compile, build the engine, partition it over
// workers, measure, and collect values and tables. run/open.ts calls it. The file does not depend on Node, because the
// studio runs it in a browser: a caller that has worker threads passes them as `threads`.
import { clockedEngine, mostWorkers, partsFor } from "../../compile/clocked/engine.ts"
import { type Compiled, compile } from "../../compile/compile.ts"
import { offeredIn, sharing } from "../../compile/offered.ts"
import { reported, standingWishes } from "../../compile/probes.ts"
import type { Checked } from "../../core/complaint.ts"
import { Draws } from "../../core/rng.ts"
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { limitedBy } from "../../measure/bottleneck/sentence.ts"
import { evidenceOf } from "../../measure/clocked/evidence.ts"
import { ClockedPort } from "../../measure/clocked/port.ts"
import type { Outcome } from "../../measure/course.ts"
import { type MeasurePlan, planOf } from "../../measure/plan.ts"
import { Measurement } from "../../measure/procedure.ts"
import type { Saved } from "../../measure/saved.ts"
import type { RunResult, RunSpec, Table } from "../../model/experiment.ts"
import type { Host } from "../../model/host.ts"
import { settled } from "../../model/missing.ts"
import { observeClocked } from "../../observe/clocked.ts"
import type { Demand } from "../../observe/limit.ts"
import { jobResults, waitingIn } from "../jobs.ts"
import type { SimulateOptions, Threads } from "../options.ts"
import type { LiveRun } from "../pausable.ts"
import { timesOf } from "../times.ts"
import { readRun, saveRun } from "./saved.ts"
import { countsOf, valuesOf } from "./values.ts"

/** A checked specification with its measurement plan. `folder`: where relative paths of plug-ins and traces start. */
export interface PreparedFlit {
  readonly compiled: Compiled
  readonly plan: MeasurePlan
  readonly folder: string
}

/** Compiles a specification. Returns the findings if it is invalid. */
export function prepareFlit(spec: RunSpec, host: Host): Checked<PreparedFlit> {
  const compiled = compile(spec, host)
  if ("bad" in compiled) return compiled
  const plan = planOf(spec.measure, compiled.ok.network.scale)
  return "bad" in plan ? plan : { ok: { compiled: compiled.ok, plan: plan.ok, folder: host.folder ?? "." } }
}

/**
 * Opens a run at cycle 0, or at the state `saved`. `options.workers` is an upper bound: the result is the same for any
 * number of workers.
 */
export async function openFlit(
  p: PreparedFlit,
  options: SimulateOptions = {},
  saved?: Saved,
  threads?: Threads,
): Promise<LiveRun> {
  const { plan, compiled } = p
  const started = performance.now()
  const was = saved === undefined ? undefined : readRun(saved)
  const apart = options.threads === false ? undefined : threads
  const asked = options.workers ?? 1
  const able = Math.min(asked, apart?.cores ?? asked, mostWorkers(compiled))
  // The columns of a saved run are laid out for its number of workers. If fewer cores are available now, this thread
  // runs all partitions one after the other.
  const workers = was?.workers ?? able
  const layout = { ...partsFor(compiled, workers), horizon: plan.horizon, series: plan.interval }
  const engine = clockedEngine(compiled, layout)
  const { assign } = layout
  // Threads are used only if each worker can have one; `home` stops them.
  const home =
    apart !== undefined && workers > 1 && workers <= able && assign !== undefined
      ? await apart.clocked(engine, { ...layout, assign, spec: compiled.spec, folder: p.folder, size: workers })
      : undefined
  const gathered = (performance.now() - started) / 1000
  const measurement = clockedRun(p, engine, options)
  try {
    // The state is restored only now, because each worker writes the initial state when it builds its engine.
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
    reach: (cycle) => measurement.reach(cycle),
    resume: (state) => measurement.resume(readRun(state).measurement),
    /** The observer reads the columns without synchronisation, so it exists only in single-threaded runs. */
    observation: () =>
      home === undefined ? observeClocked(engine, compiled.network.topology, demandOf(compiled)) : undefined,
    save: () => saveRun(measurement.save(), workers, seconds()),
    async result() {
      const { team } = engine
      const workers = Array.from({ length: team?.size ?? 0 }, (_, w) => team!.busy(w))
      if (team !== undefined)
        options.onTimes?.(timesOf(gathered, (performance.now() - started) / 1000 - gathered, workers))
      await home?.()
      return resultOf(measurement.port, compiled, measurement.result(), seconds())
    },
    async close() {
      await home?.()
    },
  }
}

/**
 * Returns the measurement of a run on the given engine. It computes the offered load in flits and packets per cycle
 * from the specification: the stream loads are per endpoint and relative to the link rate.
 */
export function clockedRun(
  { compiled, plan }: PreparedFlit,
  engine: ClockedEngine,
  options: SimulateOptions,
): Measurement<ClockedPort> {
  const { topology } = compiled.network
  const { spec, streams } = compiled
  const offered = { flits: 0, packets: 0 }
  spec.traffic.forEach((t, i) => {
    const flits = t.load * sharing(compiled, i) * topology.graph.ends
    offered.flits += flits
    offered.packets += flits / streams[i].packet.mean
  })
  const { follow } = spec.measure
  const followed = follow?.map((name) => spec.traffic.findIndex((t) => t.name === name))
  const port = new ClockedPort({
    engine,
    topology,
    interval: plan.interval,
    offered,
    flits: streams.map((s) => s.packet.mean),
    traffic: spec.traffic.length,
    ...(followed === undefined ? {} : { followed }),
    wishes: standingWishes(compiled.probes),
    waiting: () => waitingIn(compiled.ranks?.layer, engine.jobs),
  })
  return new Measurement(port, plan, options)
}

/** Returns the traffic for an observer. The messages of ranks depend on the run, so they have no offered load. */
function demandOf(compiled: Compiled): Demand | undefined {
  const { spec, streams } = compiled
  if (spec.traffic.length === 0) return undefined
  return {
    flits: streams.map((s) => s.packet.mean),
    traffic: spec.traffic.length,
    offered: (from, to) => offeredIn(compiled, from, to),
  }
}

/** Returns the values, tables and fingerprint of a finished run. */
export function resultOf(
  { engine, loads, samples, standing }: ClockedPort,
  c: Compiled,
  o: Outcome,
  seconds: number,
): RunResult {
  const window = { ...o, counts: loads.counted }
  const values = valuesOf(engine, c, window)
  const tables: Record<string, Table> = {}
  const counts = { ...countsOf(engine, c, window), standing: standing.map((l) => l.log()) }
  // Attribution: the mean latency split into its parts, as a table and as columns `time.…`.
  const parts = engine.attribution()
  if (parts !== undefined) {
    tables["attribution"] = { part: Object.keys(parts), cycles: Object.values(parts) }
    for (const [part, cycles] of Object.entries(parts)) values[`time.${part}`] = cycles
  }
  const worst = samples.table(c.network.topology.graph, counts.channel, counts.window)
  if (worst !== undefined) tables["channels-worst"] = worst
  const site = { topology: c.network.topology, vcs: c.network.vcsPerClass, rng: new Draws(c.spec.seed) }
  if (values["saturated"] === 1)
    tables["limited-by"] = limitedBy(evidenceOf(c.network.topology.graph, samples, counts), c.network.topology)
  const report = reported(c.probes, site, counts)
  Object.assign(tables, report.tables)
  Object.assign(values, report.values)
  Object.assign(values, engine.extraValues())
  Object.assign(tables, c.spec.probes.some((p) => p.name === "series") ? engine.extraTables() : {})
  Object.assign(tables, c.spec.probes.some((p) => p.name === "endpoints") ? engine.endTables() : {})
  const jobs =
    c.ranks === undefined ? undefined : jobResults(c.ranks.layer, engine.jobs!.summaries(), c.network.scale.cycle)
  Object.assign(values, jobs?.values)
  Object.assign(tables, jobs?.tables)
  values["seconds"] = seconds
  return {
    why: o.why,
    explains: o.explains + lossOf(engine),
    fingerprint: engine.fingerprint(),
    ...settled(values),
    tables,
  }
}

/**
 * Returns a warning for the stop detail if packets were abandoned, because they are in no latency and no accepted load.
 */
function lossOf(engine: ClockedEngine): string {
  const lost = engine.stat("abandoned")
  if (lost === 0) return ""
  return `, but ${lost} ${lost === 1 ? "packet was" : "packets were"} abandoned after all retries and never arrived`
}
