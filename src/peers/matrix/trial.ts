// One configuration, run in all its ways.

import { clockedEngine, mostWorkers, partsFor } from "../../compile/clocked/engine.ts"
import type { Complaint } from "../../core/complaint.ts"
import { CONTROL } from "../../fabric/flit.ts"
import type { RunResult, RunSpec } from "../../model/experiment.ts"
import type { Host } from "../../model/host.ts"
import { prepare, prepareFlit, simulate } from "../../run/simulate.ts"
import { differencesOf, specFor, type Way } from "./ways.ts"

const host: Host = { read: (path) => `no file ${path}` }

/** more are not rehearsed: each copies all memory */
const FEW_EVENTS = 3000

export interface Difference {
  readonly way: Way
  readonly says: readonly string[]
}

export interface Trial {
  /** the plan says no */
  readonly refused: readonly Complaint[]
  readonly runs: number
  /** packets that were measured */
  readonly packets: number
  readonly difference?: Difference
}

/** Ends at the first difference; one that fails is one. */
export async function tryOut(spec: RunSpec, ways: readonly Way[]): Promise<Trial> {
  let truth: RunResult | undefined
  let runs = 0
  const packets = () => truth?.values["packets"] ?? 0
  for (const way of ways) {
    if (way.options.rehearse === true && (truth?.values["engine.events"] ?? 0) > FEW_EVENTS) continue
    const prepared = prepare(specFor(spec, way), host)
    if ("bad" in prepared) return { refused: prepared.bad, runs, packets: packets() }
    runs++
    const got = await simulate(prepared.ok, way.options).catch((e: unknown) => e)
    if (!isResult(got)) return { refused: [], runs, packets: packets(), difference: { way, says: [thrown(got)] } }
    truth ??= got
    const says = differencesOf(truth, got)
    if (says.length > 0) return { refused: [], runs, packets: packets(), difference: { way, says } }
  }
  return { refused: [], runs, packets: packets() }
}

function isResult(got: unknown): got is RunResult {
  return typeof got === "object" && got !== null && "fingerprint" in got
}

function thrown(e: unknown): string {
  return e instanceof Error ? (e.stack ?? e.message) : String(e)
}

/** A clocked machine that is copied in the middle, goes on, is put back and goes on again; by another of its kind as well. What it did wrong. */
export function copied(spec: RunSpec, workers: number, middle: number, end: number): string[] {
  const prepared = prepareFlit(spec, host)
  if ("bad" in prepared) return []
  const { compiled } = prepared.ok
  const layout = { ...partsFor(compiled, Math.min(workers, mostWorkers(compiled))), horizon: 2 * end, series: 256 }
  const build = () => {
    const engine = clockedEngine(compiled, layout)
    engine.columns.control[CONTROL.from] = 0
    return engine
  }
  const engine = build()
  engine.advance(middle)
  const snapshot = engine.snapshot()
  engine.advance(end)
  const says = engine.audit().map((c) => `${c.path}: ${c.says}`)
  const straight = engine.fingerprint()
  engine.restore(snapshot)
  engine.advance(end)
  if (engine.fingerprint() !== straight) says.push(`put back to cycle ${middle}, it comes to another state at ${end}`)
  const other = build()
  other.advance(Math.floor(middle / 2))
  other.restore(snapshot)
  other.advance(end)
  if (other.fingerprint() !== straight) says.push(`another machine that takes over at cycle ${middle} comes to another state at ${end}`)
  return says
}
