// Runs a small experiment in one, two and three partitions, one after the other in this thread. The final states must
// be identical bit by bit. It also checks the reports of probes.
import { hostAt } from "../../experiment/disk/host.ts"
import { faultOf } from "../../experiment/outside/fault.ts"
import type { LoadedModule } from "../../experiment/outside/module.ts"
import { plan } from "../../experiment/plan.ts"
import { plainSource } from "../../experiment/source.ts"
import type { RunResult } from "../../model/experiment.ts"
import { prepare, simulate } from "../../run/simulate.ts"
import { type Contract, contracts, type Finding } from "./finding.ts"

export type Raw = Readonly<Record<string, unknown>>

export interface Bits {
  readonly findings: readonly Finding[]
  /** networks of the test, if it chooses them itself */
  readonly on?: readonly string[]
  /** why nothing was tested */
  readonly left?: string
  /** why it was not run */
  readonly unrun?: string
  /** contracts that could not be tested, and why */
  readonly untried?: readonly Untried[]
}

export interface Untried {
  readonly contract: Contract
  readonly why: string
}

/** `parts`: network, traffic and probes of an experiment, if they differ from the defaults. */
export async function sameBits(
  parts: { network: Raw; traffic?: Raw | readonly Raw[]; probes?: readonly Raw[] },
  modules: readonly LoadedModule[],
): Promise<Bits> {
  const experiment = {
    lacewing: 1,
    plugins: modules.map((m) => m.file),
    measure: { warmup: "100cycles", window: "300cycles", limit: "4kcycles", drain: "none" },
    ...parts,
    traffic: isList(parts.traffic) ? parts.traffic : { load: 0.2, ...parts.traffic },
  }
  const planned = plan(
    { source: plainSource("contract", experiment), host: hostAt("."), name: "contract" },
    { outside: modules },
  )
  if ("bad" in planned) return { findings: [], unrun: toldAll(planned.bad) }
  const { spec } = planned.ok.runs[0]
  const done: RunResult[] = []
  try {
    for (const workers of [1, 2, 3]) {
      // Built again each time: this detects a plug-in that keeps state between runs.
      const prepared = prepare(spec, hostAt(".", spec.plugins))
      if ("bad" in prepared) return { findings: [], unrun: toldAll(prepared.bad) }
      done.push(await simulate(prepared.ok, { workers, threads: false }))
    }
  } catch (e) {
    const fault = faultOf(e)
    if (fault === undefined) throw e
    return { findings: [{ contract: contracts.throws, says: fault.says }] }
  }
  const other = done.findIndex(
    (r) => r.fingerprint !== done[0].fingerprint || r.values["latency.mean"] !== done[0].values["latency.mean"],
  )
  const differ = {
    contract: contracts.bits,
    says: `a run in ${other + 1} partitions ends in another state than a run in one`,
  }
  const findings = [...(other > 0 ? [differ] : []), ...reported(done[0])]
  return { findings: findings.length > 0 || parts.probes === undefined ? findings : sameReports(done) }
}

/** The report of a probe must be the same in all partitions, too. */
function sameReports(done: readonly RunResult[]): Finding[] {
  const [first, ...others] = done.map(
    ({ tables, values: { seconds: _, ...values } }): Readonly<Record<string, unknown>> => ({ ...tables, values }),
  )
  for (const [i, report] of others.entries())
    for (const name of Object.keys(first))
      if (JSON.stringify(report[name]) !== JSON.stringify(first[name])) {
        const what = name === "values" ? "values" : `table "${name}"`
        return [
          { contract: contracts.bits, says: `the ${what} of a run in ${i + 2} partitions differ from those in one` },
        ]
      }
  return []
}

function reported({ tables, values }: RunResult): Finding[] {
  const says: string[] = []
  for (const [name, table] of Object.entries(tables))
    if (new Set(Object.values(table).map((column) => column.length)).size > 1)
      says.push(`columns of table "${name}" differ in length`)
  for (const [name, value] of Object.entries(values))
    if (typeof value !== "number") says.push(`value "${name}" is no number`)
  // A figure of a column that is not in its table would be left out of the report.
  const figures = tables["figures"] ?? {}
  for (const [i, table] of (figures["table"] ?? []).entries())
    for (const axis of ["x", "y", "value", "by"]) {
      const column = String(figures[axis]?.[i] ?? "")
      const columns = Object.keys(tables[table] ?? {})
      if (column !== "" && !columns.includes(column))
        says.push(`a figure draws the column "${column}", but table "${table}" has ${columns.join(", ")}`)
    }
  return says.slice(0, 1).map((s) => ({ contract: contracts.report, says: s }))
}

function toldAll(bad: readonly { readonly path: string; readonly says: string }[]): string {
  return bad.map((c) => `${c.path}: ${c.says}`).join("; ")
}

function isList(traffic: Raw | readonly Raw[] | undefined): traffic is readonly Raw[] {
  return Array.isArray(traffic)
}
