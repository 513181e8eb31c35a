// Parallel programs on a packet network: their messages are a stream of their own, which creates nothing by itself.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { below, draw, streamOf } from "../../core/rng.ts"
import { quantity, type Scale } from "../../core/units.ts"
import { find, prefixed } from "../../experiment/find.ts"
import { programs, workloads } from "../../library.ts"
import type { JobSpec } from "../../model/experiment.ts"
import type { Host } from "../../model/host.ts"
import type { Stream } from "../../model/stream.ts"
import type { Sizes } from "../../model/traffic.ts"
import type { PacketNetwork } from "./machine.ts"

const one: Sizes = { mean: 1, max: 1, fixed: 1, size: () => 1 }
const never = { first: () => Number.POSITIVE_INFINITY, next: () => Number.POSITIVE_INFINITY }

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

export type WithJobs = PacketNetwork & { readonly ranks: workloads.MpiLayer }

/** `place`: [rank of all jobs] -> endpoint. */
export function withJobs(n: PacketNetwork, plans: readonly workloads.JobPlan[], place: Int32Array): Checked<WithJobs> {
  const layer = workloads.mpiLayer(plans, place, n.streams.length)
  if ("bad" in layer) return layer
  return { ok: { ...n, streams: [...n.streams, jobStream], ranks: layer.ok } }
}

/** The jobs of a specification: their programs are read, and their ranks get endpoints that no other job has. */
export function jobsOn(n: PacketNetwork, jobs: readonly JobSpec[], seed: number, scale: Scale, host: Host): Checked<WithJobs> {
  const bad: Complaint[] = []
  const plans: workloads.JobPlan[] = []
  const taken = new Uint8Array(n.topology.graph.ends)
  const place: number[] = []
  jobs.forEach((job, i) => {
    const plan = planOf(job, i, seed, scale)
    if ("bad" in plan) {
      bad.push(...plan.bad)
      return
    }
    const seats = placed(n, job, plan.ok.program.ranks, taken, streamOf(seed, PLACES + i), host)
    if ("bad" in seats) bad.push(...prefixed(`jobs.${i}`, seats.bad))
    else place.push(...seats.ok)
    plans.push(plan.ok)
  })
  return bad.length > 0 ? { bad } : withJobs(n, plans, Int32Array.from(place))
}

const PLACES = 0x504c4143

function planOf(job: JobSpec, i: number, seed: number, scale: Scale): Checked<workloads.JobPlan> {
  const path = `jobs.${i}`
  const found = find(programs, job.workload, `${path}.workload`, scale)
  if ("bad" in found) return found
  const { plugin, params } = found.ok
  const wrong = prefixed(`${path}.workload`, plugin.check?.(params as never, undefined as never) ?? [])
  if (wrong.length > 0) return { bad: wrong }
  const program = plugin.make(params as never, undefined as never) as workloads.Program
  const mpi = workloads.mpiParams.parse(job.mpi, `${path}.mpi`, scale)
  if ("bad" in mpi) return mpi
  const analysis = workloads.analyse(program, `${path}.workload`)
  if ("bad" in analysis) return analysis
  const start = quantity(job.start, "time", scale)
  if (typeof start === "string") return { bad: [complain(`${path}.start`, start, "write a time such as 20us")] }
  return { ok: { name: job.name, program, analysis: analysis.ok, params: mpi.ok, start: Math.round(start), seed } }
}

/** An endpoint for each rank, none that is taken. */
function placed(n: PacketNetwork, job: JobSpec, ranks: number, taken: Uint8Array, word: number, host: Host): Checked<number[]> {
  const { ends } = n.topology.graph
  const order = orderOf(n, job, word, host)
  if ("bad" in order) return order
  const free = order.ok.filter((e) => taken[e] === 0)
  const wanted = Math.ceil(ranks / job.each)
  if (free.length < wanted) {
    const says = `${ranks} ranks want ${wanted} endpoints; of ${ends}, ${free.length} are free`
    return { bad: [complain("workload", says, "choose fewer ranks, more ranks of each endpoint (each), or a larger network")] }
  }
  for (let i = 0; i < wanted; i++) taken[free[i]!] = 1
  return { ok: Array.from({ length: ranks }, (_, r) => free[Math.floor(r / job.each)]!) }
}

/** All endpoints, or those of a file, in the order in which ranks take them. */
function orderOf(n: PacketNetwork, { place, file }: JobSpec, word: number, host: Host): Checked<number[]> {
  const { topology } = n
  const { graph } = topology
  const all = Array.from({ length: graph.ends }, (_, e) => e)
  const router = (e: number) => graph.routerOf[graph.entry[e * graph.rails]!]!
  if (place === "contiguous") return { ok: all }
  if (place === "routers") return { ok: inTurn(all, router) }
  if (place === "groups") {
    const { group } = topology
    if (group === undefined)
      return { bad: [complain("place", "the network has no groups", "choose contiguous, random, routers, or a file")] }
    return { ok: inTurn(all, (e) => group[router(e)]!) }
  }
  if (place === "random") {
    for (let i = all.length - 1; i > 0; i--) {
      const j = below(draw(word, i), i + 1)
      const e = all[i]!
      all[i] = all[j]!
      all[j] = e
    }
    return { ok: all }
  }
  if (file === undefined) return { bad: [complain("file", "is missing", "name a text with an endpoint for each rank")] }
  return listed(file, graph.ends, host)
}

/** One of each kind in turn, within a kind in order. */
function inTurn(all: readonly number[], kindOf: (e: number) => number): number[] {
  const seen = new Map<number, number>()
  const turn = all.map((e) => {
    const k = seen.get(kindOf(e)) ?? 0
    seen.set(kindOf(e), k + 1)
    return k
  })
  return [...all].sort((a, b) => turn[a]! - turn[b]! || a - b)
}

function listed(file: string, ends: number, host: Host): Checked<number[]> {
  const text = host.read(file)
  const words = text.split(/\s+/).filter((w) => w !== "")
  const wrong = words.find((w) => !/^\d+$/.test(w) || Number(w) >= ends)
  if (wrong !== undefined)
    return { bad: [complain("file", `${file}: "${wrong}" is no endpoint of 0 to ${ends - 1}`, "write an endpoint for each rank")] }
  return { ok: [...new Set(words.map(Number))] }
}
