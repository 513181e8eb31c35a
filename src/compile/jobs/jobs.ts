// Compiles the jobs of a specification: reads and analyses their programs, places their ranks on endpoints that no
// other job uses, and converts background jobs to streams. The compilers of all engines call `planJobs`.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { streamOf } from "../../core/rng.ts"
import { quantity, type Scale } from "../../core/units.ts"
import { find, prefixed } from "../../experiment/find.ts"
import { workloadsFor } from "../../experiment/outside/known.ts"
import { workloads } from "../../library.ts"
import { type JobSpec, namesOfCopies } from "../../model/experiment.ts"
import type { Host } from "../../model/host.ts"
import type { Stream } from "../../model/stream.ts"
import type { Topology } from "../../model/topology.ts"
import type { Sizes } from "../../model/traffic.ts"
import { backgroundStream, type Measures, never } from "./background.ts"
import { placed } from "./place.ts"

const one: Sizes = { mean: 1, max: 1, fixed: 1, size: () => 1 }

/** The messages of ranks count as a separate stream, which creates nothing by itself. */
export const jobStream: Stream = {
  name: "jobs",
  pattern: { dest: () => -1 },
  arrivals: never,
  packet: one,
  message: one,
  start: 0,
  stop: Number.POSITIVE_INFINITY,
  priority: 0,
  vcFirst: 0,
  vcCount: 0,
  reply: 0,
  replyStream: -1,
}

export interface Planned {
  readonly plans: readonly workloads.JobPlan[]
  /** [rank of all programs] -> endpoint */
  readonly place: Int32Array
  /** backgrounds */
  readonly streams: readonly Stream[]
}

export interface JobSite {
  readonly topology: Topology
  readonly seed: number
  readonly scale: Scale
  readonly host: Host
  readonly measures: Measures
  /** The engine has several processors and interfaces for each rank. */
  readonly units?: boolean
}

const PLACES = 0x504c4143

/** Rejects the key `packet` for engines without packets of flits. */
export function withoutPackets(jobs: readonly JobSpec[], fix: string): Complaint[] {
  return jobs.flatMap((j, i) =>
    j.packet === undefined ? [] : [complain(`jobs.${i}.packet`, "this engine has no packets of flits", fix)],
  )
}

/** Plans all jobs. Endpoints are assigned in the order of the file, so an earlier job has the first choice. */
export function planJobs(jobs: readonly JobSpec[], site: JobSite): Checked<Planned> {
  const { topology, seed, host } = site
  const bad: Complaint[] = []
  const plans: workloads.JobPlan[] = []
  const streams: Stream[] = []
  const taken = new Uint8Array(topology.graph.ends)
  const place: number[] = []
  jobs.forEach((job, i) => {
    const path = `jobs.${i}`
    const made = workloadOf(job, path, site)
    if ("bad" in made) {
      bad.push(...made.bad)
      return
    }
    const { work, start } = made.ok
    const copies = namesOfCopies(job)
    if ("background" in work && copies.length > 1) {
      bad.push(complain(`${path}.copies`, "a background workload has no copies", "leave it out, or add ranks"))
      return
    }
    const seats = placed(topology, job, work.ranks, copies.length, taken, streamOf(seed, PLACES + i), host)
    if ("bad" in seats) bad.push(...prefixed(path, seats.bad))
    else if ("background" in work) {
      if (job.each > 1)
        bad.push(complain(`${path}.each`, "a background workload has one rank on each endpoint", "leave it out"))
      streams.push(backgroundStream(job.name, work, seats.ok, start, topology, site.measures))
    } else {
      const plan = planOf(job, work, start, path, site)
      if ("bad" in plan) bad.push(...plan.bad)
      else plans.push(...copies.map((name, k) => ({ ...plan.ok, name, seed: plan.ok.seed + k })))
      place.push(...seats.ok)
    }
  })
  return bad.length > 0 ? { bad } : { ok: { plans, place: Int32Array.from(place), streams } }
}

/** Returns the program or background of a job, and its start time (ps). */
function workloadOf(
  job: JobSpec,
  path: string,
  { scale, host }: JobSite,
): Checked<{ work: workloads.Program | workloads.Background; start: number }> {
  const found = find(workloadsFor(host), job.workload, `${path}.workload`, scale)
  if ("bad" in found) return found
  const { plugin, params } = found.ok
  const wrong = prefixed(`${path}.workload`, plugin.check?.(params, undefined) ?? [])
  if (wrong.length > 0) return { bad: wrong }
  const start = quantity(job.start, "time", scale)
  if (typeof start === "string") return { bad: [complain(`${path}.start`, start, "write a time such as 20us")] }
  const loaded = plugin.load?.(params, host)
  if (loaded !== undefined && "bad" in loaded) return { bad: prefixed(`${path}.workload`, loaded.bad) }
  const work = loaded?.ok ?? plugin.make(params, undefined)
  return { ok: { work, start: Math.round(start) } }
}

/** Parses the MPI costs of a job and analyses its program. */
function planOf(
  job: JobSpec,
  program: workloads.Program,
  start: number,
  path: string,
  { scale, seed, units = false }: JobSite,
): Checked<workloads.JobPlan> {
  const other = units ? undefined : workloads.namedUnit(program)
  if (other !== undefined) return { bad: [withoutUnits(`${path}.workload`, other)] }
  const mpi = workloads.mpiParams.parse(job.mpi, `${path}.mpi`, scale)
  if ("bad" in mpi) return mpi
  const analysis = workloads.analyse(program, `${path}.workload`)
  if ("bad" in analysis) return analysis
  return { ok: { name: job.name, program, analysis: analysis.ok, params: mpi.ok, start, seed } }
}

/** Rejects a schedule with several processors or interfaces, because its times would differ without them. */
function withoutUnits(path: string, { rank, unit }: { readonly rank: number; readonly unit: string }): Complaint {
  return complain(
    path,
    `Rank ${rank} of the schedule uses ${unit}, but a rank has one processor and one network interface here.`,
    "set engine: { name: ideal, rules: loggopsim }, or remove the numbers of cpu and nic",
  )
}
