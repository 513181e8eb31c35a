// One run, from specification to result.
import type { Checked } from "../core/complaint.ts"
import type { RunResult, RunSpec } from "../model/experiment.ts"
import { type Compiled, compile, type Host } from "./compile.ts"
import { flitEngine } from "./flit-engine.ts"
import { type MeasurePlan, measureFlit, planOf } from "./measure-flit.ts"
import { transferEngine } from "./transfer-engine.ts"

export interface Prepared {
  readonly compiled: Compiled
  readonly plan: MeasurePlan
}

export interface SimulateOptions {
  onProgress?(fraction: number, text: string): void
  shouldStop?(): boolean
  readonly workers?: number
  readonly audit?: boolean
}

export function prepare(spec: RunSpec, host: Host): Checked<Prepared> {
  const compiled = compile(spec, host)
  if ("bad" in compiled) return compiled
  const plan = planOf(spec.measure, compiled.ok.network.scale)
  return "bad" in plan ? plan : { ok: { compiled: compiled.ok, plan: plan.ok } }
}

export async function simulate(p: Prepared, options: SimulateOptions = {}): Promise<RunResult> {
  const { plan } = p
  const sizes = { horizon: plan.limit + plan.limit, seriesShift: plan.seriesShift }
  const engine = p.compiled.network.switch.moves === "packets" ? transferEngine(p.compiled, sizes) : flitEngine(p.compiled, sizes)
  return measureFlit(engine, p.compiled, plan, options)
}
