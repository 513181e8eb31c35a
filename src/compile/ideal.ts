// Jobs on the ideal network: of the network that the experiment names only its endpoints count, where ranks sit, and the length of its cycle.
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { quantity } from "../core/units.ts"
import type { LogGOPS, Processors } from "../engines/ideal/engine.ts"
import { type IdealEngineParams, idealEngine } from "../experiment/engines.ts"
import { workloads } from "../library.ts"
import type { JobSpec, RunSpec } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import type { Stream } from "../model/stream.ts"
import { classesOf, compileNetwork } from "./compile.ts"
import { guarded } from "./guarded.ts"
import { planJobs, withoutPackets } from "./jobs/jobs.ts"
import type { Network } from "./network.ts"

export interface IdealCompiled {
  readonly spec: RunSpec
  readonly layer: workloads.MpiLayer
  readonly net: LogGOPS
  readonly processors: Processors
  readonly network: Network
  /** none: the ideal network has no streams */
  readonly streams: readonly Stream[]
}

/** What a key of the engine takes the place of in every job. */
const instead = { o: "overhead", O: "overheadByte", S: "eager" } as const

export function compileIdeal(spec: RunSpec, host: Host): Checked<IdealCompiled> {
  return guarded(() => compiled(spec, host))
}

function compiled(spec: RunSpec, host: Host): Checked<IdealCompiled> {
  const { name: _, ...given } = spec.engine
  const engine = idealEngine.parse(given, "engine")
  if ("bad" in engine) return engine
  const jobsGiven = spec.jobs ?? []
  const bad = [...unheard(spec), ...twice(jobsGiven, engine.ok), ...withoutPackets(jobsGiven, "leave it out")]
  if (bad.length > 0) return { bad }
  const network = compileNetwork(spec.network, classesOf(spec), spec.seed, host)
  if ("bad" in network) return network
  const { topology, scale } = network.ok
  const measures = { cycle: scale.cycle, flit: scale.flit, byteTime: scale.cycle / scale.flit, packet: 1 }
  const jobs = spec.jobs!.map((j) => ({ ...j, mpi: { ...j.mpi, ...costs(engine.ok) } }))
  const planned = planJobs(jobs, { topology, seed: spec.seed, scale, host, measures })
  if ("bad" in planned) return planned
  const layer = workloads.mpiLayer(planned.ok.plans, planned.ok.place)
  if ("bad" in layer) return layer
  const processors = { o: new Float64Array(layer.ok.ranks), O: new Float64Array(layer.ok.ranks) }
  for (const { base, ranks, params } of layer.ok.jobs) {
    processors.o.fill(params.overhead, base, base + ranks)
    processors.O.fill(params.overheadByte, base, base + ranks)
  }
  const time = (key: "L" | "g" | "G") => Number(quantity(engine.ok[key], "time", scale))
  const net = { L: time("L"), g: time("g"), G: time("G"), o: 0, O: 0 }
  return { ok: { spec, layer: layer.ok, net, processors, network: network.ok, streams: [] } }
}

function costs(engine: IdealEngineParams): Record<string, string> {
  return Object.fromEntries(
    Object.entries(instead).flatMap(([key, of]) => {
      const value = engine[key as keyof typeof instead]
      return value === undefined ? [] : [[of, value]]
    }),
  )
}

/** What would be said of a network that is not there. */
function unheard({ jobs, traffic, measure, probes }: RunSpec): Complaint[] {
  const bad: Complaint[] = []
  const only = (path: string, what: string, fix: string) => bad.push(complain(path, `engine: ideal ${what}`, fix))
  if (jobs === undefined) only("jobs", "runs jobs, and there are none", "add jobs, or leave engine out")
  if (traffic.length > 0) only("traffic", "has no network for other traffic", "leave traffic out")
  if (probes.length > 0) only("probes", "has nothing for a probe to look at", "leave probes out")
  if (jobs !== undefined && measure.until !== "jobs") only("measure.until", "lasts until jobs have ended", "set measure: { until: jobs }")
  for (const [i, j] of (jobs ?? []).entries())
    if (j.workload.name === "background") only(`jobs.${i}.workload`, "has nothing that a background could fill", "leave the job out")
  return bad
}

/** A cost that both the engine and a job give. */
function twice(jobs: readonly JobSpec[], engine: IdealEngineParams): Complaint[] {
  return Object.entries(instead).flatMap(([key, of]) =>
    engine[key as keyof typeof instead] === undefined
      ? []
      : jobs.flatMap((j, i) =>
          j.mpi[of] === undefined ? [] : [complain(`jobs.${i}.mpi.${of}`, `engine.${key} is given as well`, "leave one of the two out")],
        ),
  )
}
