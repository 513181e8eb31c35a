// Compiles jobs for the ideal network (engines/ideal). Of the network in the experiment, only the endpoints on which
// ranks are placed and the cycle time matter. With `rules: loggopsim`, the jobs become a schedule.
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { quantity } from "../core/units.ts"
import type { LogGOPS, Processors } from "../engines/ideal/engine.ts"
import { type IdealEngineParams, idealEngine } from "../experiment/engines.ts"
import { workloads } from "../library.ts"
import type { JobSpec, RunSpec } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import type { Schedule } from "../model/schedule.ts"
import type { Stream } from "../model/stream.ts"
import { classesOf, compileNetwork } from "./build-network.ts"
import { guarded } from "./guarded.ts"
import { planJobs, withoutPackets } from "./jobs/jobs.ts"
import type { Network } from "./network.ts"
import { operationRows, probesIn } from "./probes.ts"

export interface IdealCompiled {
  readonly spec: RunSpec
  readonly layer: workloads.MpiLayer
  readonly net: LogGOPS
  readonly processors: Processors
  /** The program of all ranks; present with `rules: loggopsim`. */
  readonly schedule?: Schedule
  readonly network: Network
  /** empty, because the ideal network has no streams */
  readonly streams: readonly Stream[]
}

/** The MPI key of every job that a key of the engine replaces. */
const instead = [
  ["o", "overhead"],
  ["O", "overheadByte"],
  ["S", "eager"],
] as const

/** Compiles a run for the ideal engine. */
export function compileIdeal(spec: RunSpec, host: Host): Checked<IdealCompiled> {
  return guarded(() => compiled(spec, host))
}

function compiled(spec: RunSpec, host: Host): Checked<IdealCompiled> {
  const { name: _, ...given } = spec.engine
  const engine = idealEngine.parse(given, "engine")
  if ("bad" in engine) return engine
  const jobsGiven = spec.jobs ?? []
  const exact = engine.ok.rules === "loggopsim"
  const bad = [
    ...unheard(spec),
    ...twice(jobsGiven, engine.ok),
    ...withoutPackets(jobsGiven, "leave it out"),
    ...(exact ? [...jobsGiven.flatMap((j, i) => unmodelled(j, `jobs.${i}`)), ...unstored(spec)] : []),
  ]
  if (bad.length > 0) return { bad }
  const network = compileNetwork(spec.network, classesOf(spec), spec.seed, host)
  if ("bad" in network) return network
  const { topology, scale } = network.ok
  const measures = { cycle: scale.cycle, flit: scale.flit, byteTime: scale.cycle / scale.flit, packet: 1 }
  // LogGOPSim has no header: a message takes the bytes that the schedule says.
  const least = exact ? { header: "1B" } : {}
  const jobs = spec.jobs!.map((j) => ({ ...j, mpi: { ...least, ...j.mpi, ...costs(engine.ok) } }))
  const planned = planJobs(jobs, { topology, seed: spec.seed, scale, host, measures, units: exact })
  if ("bad" in planned) return planned
  const probes = probesIn(spec, scale)
  const layer = workloads.mpiLayer(planned.ok.plans, planned.ok.place, 0, operationRows(probes))
  if ("bad" in layer) return layer
  const schedule = exact ? workloads.scheduleOf(layer.ok.jobs) : undefined
  if (schedule !== undefined && "bad" in schedule) return schedule
  const shared = exact ? sharing(planned.ok.place) : []
  if (shared.length > 0) return { bad: shared }
  const processors = { o: new Float64Array(layer.ok.ranks), O: new Float64Array(layer.ok.ranks) }
  for (const { base, ranks, params } of layer.ok.jobs) {
    processors.o.fill(params.overhead, base, base + ranks)
    processors.O.fill(params.overheadByte, base, base + ranks)
  }
  const time = (key: "L" | "g" | "G") => Number(quantity(engine.ok[key], "time", scale))
  const net = { L: time("L"), g: time("g"), G: time("G"), o: 0, O: 0 }
  const made = { spec, layer: layer.ok, net, processors, network: network.ok, streams: [] }
  return { ok: schedule === undefined ? made : { ...made, schedule: schedule.ok } }
}

/** Keys of `mpi` that the rules of LogGOPSim apply. */
const modelled: ReadonlySet<string> = new Set([
  "overhead",
  "overheadByte",
  "eager",
  "limit",
  "header",
  "compute",
  "gap",
])

/** Returns a complaint about a probe, because a schedule stores no operations. */
function unstored({ probes }: RunSpec): Complaint[] {
  if (probes.length === 0) return []
  return [complain("probes", "rules: loggopsim stores no operations.", "leave probes or engine.rules out")]
}

/** Returns complaints about keys of a job that the rules of LogGOPSim do not contain. */
function unmodelled({ mpi }: JobSpec, path: string): Complaint[] {
  return Object.keys(mpi)
    .filter((key) => !modelled.has(key))
    .map((key) =>
      complain(
        `${path}.mpi.${key}`,
        `rules: loggopsim does not model it. Of mpi, it applies ${[...modelled].join(", ")}.`,
        "leave the key or engine.rules out",
      ),
    )
}

/** Returns a complaint if two ranks are on one endpoint: the interfaces of a rank are its own in LogGOPSim. */
function sharing(place: Int32Array): Complaint[] {
  const [both] = place.filter((end, r) => place.indexOf(end) !== r)
  if (both === undefined) return []
  const says = `Several ranks are on endpoint ${both}, but with rules: loggopsim each rank has its own interfaces.`
  return [complain("jobs", says, "set each: 1 in every job, or leave engine.rules out")]
}

/** Returns the MPI costs that the engine sets for all jobs. */
function costs(engine: IdealEngineParams): Record<string, string> {
  return Object.fromEntries(
    instead.flatMap(([key, of]) => {
      const value = engine[key]
      return value === undefined ? [] : [[of, value]]
    }),
  )
}

/** Returns complaints about keys that have no effect without a network. */
function unheard({ jobs, traffic, measure, probes }: RunSpec): Complaint[] {
  const bad: Complaint[] = []
  const only = (path: string, what: string, fix: string) => bad.push(complain(path, `engine: ideal ${what}`, fix))
  if (jobs === undefined) only("jobs", "runs jobs, and there are none", "add jobs, or leave engine out")
  if (traffic.length > 0) only("traffic", "has no network for other traffic", "leave traffic out")
  if (probes.some((p) => p.name !== "timeline"))
    only("probes", "has no network, so only the probe timeline works", "leave the other probes out")
  if (jobs !== undefined && measure.until !== "jobs")
    only("measure.until", "lasts until jobs have ended", "set measure: { until: jobs }")
  for (const [i, j] of (jobs ?? []).entries())
    if (j.workload.name === "background" && j.workload["load"] !== 0)
      only(`jobs.${i}.workload`, "has nothing that a background could fill", "leave the job out")
  return bad
}

/** Returns complaints about costs that both the engine and a job give. */
function twice(jobs: readonly JobSpec[], engine: IdealEngineParams): Complaint[] {
  return instead.flatMap(([key, of]) =>
    engine[key] === undefined
      ? []
      : jobs.flatMap((j, i) =>
          j.mpi[of] === undefined
            ? []
            : [complain(`jobs.${i}.mpi.${of}`, `engine.${key} is given as well`, "leave one of the two out")],
        ),
  )
}
