// One run, from specification to result.
import { availableParallelism } from "node:os"
import { clockedEngine, mostWorkers, partsFor } from "../compile/clocked/engine.ts"
import { type Compiled, compile } from "../compile/compile.ts"
import { sharing } from "../compile/offered.ts"
import type { Checked } from "../core/complaint.ts"
import { Draws } from "../core/rng.ts"
import type { ClockedEngine } from "../engines/flit/clocked.ts"
import { find } from "../experiment/find.ts"
import * as library from "../library.ts"
import type { RunResult, RunSpec, Table } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import { Measurement, type MeasurePlan, type Outcome, planOf } from "./clocked/measure.ts"
import { gather } from "./clocked/team.ts"
import { countsOf, valuesOf } from "./clocked/values.ts"
import type { QueueSamples } from "./clocked/worst-channels.ts"
import type { SimulateOptions } from "./options.ts"
import { type PreparedPacket, preparePacket, simulatePacket } from "./packet/simulate.ts"

/** A run of either engine, ready. */
export type Prepared = PreparedFlit | PreparedPacket

export interface PreparedFlit {
  readonly compiled: Compiled
  readonly plan: MeasurePlan
  readonly folder: string
}

export function prepare(spec: RunSpec, host: Host): Checked<Prepared> {
  return spec.engine.name === "packet" ? preparePacket(spec, host) : prepareFlit(spec, host)
}

export async function simulate(p: Prepared, options: SimulateOptions = {}): Promise<RunResult> {
  return "engine" in p.compiled
    ? simulatePacket({ ...p, compiled: p.compiled }, options)
    : simulateFlit({ ...p, compiled: p.compiled }, options)
}

export function prepareFlit(spec: RunSpec, host: Host): Checked<PreparedFlit> {
  const compiled = compile(spec, host)
  if ("bad" in compiled) return compiled
  const plan = planOf(spec.measure, compiled.ok.network.scale)
  return "bad" in plan ? plan : { ok: { compiled: compiled.ok, plan: plan.ok, folder: host.folder ?? "." } }
}

async function simulateFlit(p: PreparedFlit, options: SimulateOptions): Promise<RunResult> {
  const { plan, compiled } = p
  const started = performance.now()
  const apart = options.threads !== false
  const asked = options.workers ?? 1
  const workers = Math.min(asked, apart ? availableParallelism() : asked, mostWorkers(compiled))
  const layout = { ...partsFor(compiled, workers), horizon: plan.horizon, series: plan.interval }
  const engine = clockedEngine(compiled, layout)
  const { assign } = layout
  const home =
    apart && workers > 1 && assign !== undefined
      ? await gather(engine, { ...layout, assign, spec: compiled.spec, folder: p.folder, size: workers })
      : undefined
  const { ends } = compiled.network.topology.graph
  const offered = { flits: 0, packets: 0 }
  compiled.spec.traffic.forEach((t, i) => {
    const flits = t.load * sharing(compiled, i) * ends
    offered.flits += flits
    offered.packets += flits / compiled.streams[i]!.packet.mean
  })
  const measurement = new Measurement(engine, compiled.network.topology, plan, offered, options)
  const outcome = measurement.run()
  await home?.()
  return resultOf(engine, compiled, outcome, measurement.samples, (performance.now() - started) / 1000)
}

function resultOf(engine: ClockedEngine, c: Compiled, o: Outcome, samples: QueueSamples, seconds: number): RunResult {
  const values = valuesOf(engine, c, o)
  const tables: Record<string, Table> = {}
  const counts = countsOf(engine, c, o)
  const parts = engine.attribution()
  if (parts !== undefined) {
    tables["attribution"] = { part: Object.keys(parts), cycles: Object.values(parts) }
    for (const [part, cycles] of Object.entries(parts)) values[`time.${part}`] = cycles
  }
  const worst = samples.table(c.network.topology.graph, counts.channel, counts.window)
  if (worst !== undefined) tables["channels-worst"] = worst
  const site = { topology: c.network.topology, vcs: c.network.vcsPerClass, rng: new Draws(c.spec.seed) }
  for (const named of c.spec.probes) {
    const found = find(library.probes, named, "probes", c.network.scale)
    if ("bad" in found) continue
    const report = found.ok.plugin.make(found.ok.params, site).report(counts)
    Object.assign(tables, report.tables)
    Object.assign(values, report.values)
  }
  Object.assign(values, engine.extraValues())
  Object.assign(tables, c.spec.probes.some((p) => p.name === "series") ? engine.extraTables() : {})
  values["seconds"] = seconds
  return { why: o.why, explains: o.explains + lossOf(engine), fingerprint: engine.fingerprint(), values, tables }
}

/** What a reader must know whatever ended the run: packets that were given up are in no latency and in no accepted load. */
function lossOf(engine: ClockedEngine): string {
  const lost = engine.stat("abandoned")
  if (lost === 0) return ""
  return `, but ${lost} ${lost === 1 ? "packet was" : "packets were"} abandoned after all retries and never arrived`
}
