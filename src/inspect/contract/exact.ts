// The exact tests of a plug-in that takes part in a clocked machine: nothing is lost, a copy of the machine continues
// alike, and any partition ends in the same state, on two threads too. Switches, endpoints and congestion control share
// them.
import { hostAt } from "../../experiment/disk/host.ts"
import type { RunResult, RunSpec } from "../../model/experiment.ts"
import { prepare, simulate } from "../../run/simulate.ts"
import type { Bits } from "./bits.ts"
import { copied, wrongWhenEmptied } from "./emptied.ts"
import { contracts, looked } from "./finding.ts"

/** Cycles of the exact tests: sources are on; the copy is made. */
const [BUSY, MIDDLE] = [400, 200]

/** `spec`: a specification, or why there is none. */
export function exact(spec: RunSpec | string, title: string): Bits {
  if (typeof spec === "string") return { findings: [], left: spec }
  const host = hostAt(".", spec.plugins)
  const possible = prepare(spec, host)
  if ("bad" in possible) return { findings: [], left: possible.bad.map((c) => `${c.path}: ${c.says}`).join("; ") }
  const findings = looked((found) => {
    for (const says of wrongWhenEmptied(spec, BUSY, undefined, host) ?? [])
      found(says.startsWith("1, 2 and 4") ? contracts.bits : contracts.keeps, `${title}: ${says}`)
    for (const says of copied(spec, 2, MIDDLE, BUSY, host)) found(contracts.columns, `${title}: ${says}`)
  })
  return { findings }
}

/** Two threads build the plug-in twice, so state outside its columns shows here. */
export async function threaded(spec: RunSpec | string, title: string): Promise<Bits> {
  if (import.meta.url.endsWith(".ts"))
    return { findings: [], untried: [{ contract: contracts.threads, why: "only the built program starts threads" }] }
  const [single, double] = [await ranOnce(spec, false), await ranOnce(spec, true)]
  const same = typeof single === "string" || typeof double === "string" || single.fingerprint === double.fingerprint
  return {
    findings: same
      ? []
      : [{ contract: contracts.threads, says: `${title}: two threads end in another state than one` }],
  }
}

/** Runs a specification in this thread, or in two threads. Returns why it is refused otherwise. */
export async function ranOnce(spec: RunSpec | string, threads: boolean): Promise<RunResult | string> {
  if (typeof spec === "string") return spec
  const prepared = prepare(spec, hostAt(".", spec.plugins))
  if ("bad" in prepared) return prepared.bad.map((c) => `${c.path}: ${c.says}`).join("; ")
  return simulate(prepared.ok, threads ? { workers: 2 } : { workers: 1, threads: false, audit: true })
}
