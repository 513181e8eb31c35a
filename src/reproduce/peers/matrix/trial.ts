// Runs one configuration in all its modes and reports the first difference.

import type { Complaint } from "../../../core/complaint.ts"
import type { RunResult, RunSpec } from "../../../model/experiment.ts"
import type { Host } from "../../../model/host.ts"
import { prepare, simulate } from "../../../run/simulate.ts"
import { differencesOf, type Mode, specFor } from "./modes.ts"

const host: Host = { read: (path) => `no file ${path}` }

/** more are not rehearsed: each copies all memory */
const FEW_EVENTS = 3000

export interface Difference {
  readonly way: Mode
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
export async function tryOut(spec: RunSpec, ways: readonly Mode[]): Promise<Trial> {
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
