// References of a run with jobs: the same jobs on the idle network and on the ideal network. `references` of an
// experiment adds them to the plan, and results/references.ts computes slowdowns from them.
import { type Complaint, complain } from "../../core/complaint.ts"
import { plainScale, quantity } from "../../core/units.ts"
import type { EngineSpec, JobSpec, RunSpec } from "../../model/experiment.ts"
import { scaleOf } from "../fields.ts"

export const referenceNames = ["idle", "ideal"] as const
export type Reference = (typeof referenceNames)[number]

/** Returns the list that the key `references` of an experiment names. */
export function referencesIn(raw: unknown, search: boolean, bad: Complaint[]): Reference[] {
  if (raw === undefined || raw === null) return []
  const given: readonly unknown[] = Array.isArray(raw) ? raw : [raw]
  const wrong = given.find((g) => !referenceNames.some((name) => name === g))
  if (wrong !== undefined)
    bad.push(
      complain("references", `"${String(wrong)}" is not a reference`, `choose from ${referenceNames.join(", ")}`),
    )
  if (search)
    bad.push(
      complain(
        "references",
        "A search varies the load of traffic, which references do not have.",
        "remove one of the two",
      ),
    )
  return referenceNames.filter((name) => given.includes(name))
}

/** Returns a complaint if a run has nothing to compare with a reference. */
export function unreferenced({ jobs, measure }: Omit<RunSpec, "seed">): Complaint[] {
  if (jobs !== undefined && measure.until === "jobs") return []
  const says = "A slowdown compares the communication times of jobs, and this run does not last until its jobs end."
  return [complain("references", says, "add jobs and measure: { until: jobs }, or remove references")]
}

/** The key of a point that names the reference of a run. */
export const REFERENCE = "reference"

/**
 * Returns the reference of a run. Background jobs stay with load 0, because the other jobs keep their endpoints then.
 */
export function referenceOf(spec: RunSpec, which: Reference): RunSpec {
  const jobs = (spec.jobs ?? []).map(quiet)
  if (which === "idle") return { ...spec, jobs, traffic: [] }
  return { ...spec, jobs: jobs.map(({ packet: _, ...job }) => job), traffic: [], probes: [], engine: idealOf(spec) }
}

function quiet(job: JobSpec): JobSpec {
  return job.workload.name === "background" ? { ...job, workload: { ...job.workload, load: 0 } } : job
}

/** The ideal network has no latency and no contention: only the bandwidth of the endpoints remains. */
function idealOf({ network, engine }: RunSpec): EngineSpec {
  const scale = scaleOf(network, plainScale)
  const bandwidth = engine.name === "packet" ? quantity(network.switch["bandwidth"], "rate", scale) : undefined
  const perByte = typeof bandwidth === "number" ? 8e12 / bandwidth : scale.cycle / scale.flit
  const rails = Number(network.topology["rails"] ?? 1)
  return { name: "ideal", L: "0ns", g: "0ns", G: `${perByte / rails}ps` }
}
