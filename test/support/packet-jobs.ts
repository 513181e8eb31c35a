// Parallel programs on a packet network, for tests: the same run under any synchronisation.
import { compilePacket } from "../../src/compile/packet/compile.ts"
import { type WithJobs, withJobs } from "../../src/compile/packet/jobs.ts"
import { hashOf, RECORD } from "../../src/engines/packet/delivery-records.ts"
import type { RunSpec } from "../../src/model/experiment.ts"
import { type Mode, PacketWorkers, type WorkersOptions } from "../../src/run/packet/run.ts"
import { analyse } from "../../src/workloads/mpi/analysis.ts"
import { mpiParams } from "../../src/workloads/mpi/params.ts"
import { type JobReport, RANK_WORDS, reportJobs } from "../../src/workloads/mpi/report.ts"
import type { Program } from "../../src/workloads/program.ts"
import { specOf, type Wish } from "./machine.ts"

export interface JobWish extends Wish {
  readonly rails?: Readonly<Record<string, unknown>>
  readonly mpi?: Readonly<Record<string, unknown>>
  readonly programs: readonly Program[]
  readonly place?: readonly number[]
}

export function jobNetwork(w: JobWish): WithJobs {
  const spec: RunSpec = {
    ...specOf({
      topology: { name: "slimfly", q: 5, p: 4 },
      routing: { name: "slimfly.ugal-l" },
      endpoint: { name: "rails", ...w.rails },
      traffic: [],
      ...w,
      switch: { name: "chunk", bandwidth: "12.5GiB/s", ...w.switch },
    }),
    engine: { name: "packet" },
  }
  const c = compilePacket(spec, { read: () => "" })
  if ("bad" in c) throw new Error(c.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  const params = mpiParams.parse(w.mpi ?? {}, "mpi")
  if ("bad" in params) throw new Error(params.bad[0].says)
  const plans = w.programs.map((program, i) => {
    const analysis = analyse(program)
    if ("bad" in analysis) throw new Error(analysis.bad[0].says)
    return { name: `job${i}`, program, analysis: analysis.ok, params: params.ok, start: 0, seed: 1 }
  })
  const ranks = plans.reduce((n, p) => n + p.program.ranks, 0)
  const got = withJobs(c.ok.network, plans, Int32Array.from(w.place ?? Array.from({ length: ranks }, (_, r) => r)))
  if ("bad" in got) throw new Error(got.bad[0].says)
  return got.ok
}

export interface JobsRun {
  readonly hash: number
  readonly chunks: number
  readonly jobs: readonly JobReport[]
  readonly rollbacks: number
  readonly crew: PacketWorkers
}

export function hashes(): { drain: (rows: Int32Array, count: number) => void; hash: number; chunks: number } {
  const sums = {
    hash: 0,
    chunks: 0,
    drain(rows: Int32Array, count: number) {
      for (let i = 0; i < count; i++) sums.hash = (sums.hash + hashOf(rows, i * RECORD.words)) | 0
      sums.chunks += count
    },
  }
  return sums
}

export function reportOf(n: WithJobs, crew: PacketWorkers): JobReport[] {
  const words = crew.summaries()
  return reportJobs(n.ranks.jobs, (rank) => words.subarray(rank * RANK_WORDS, (rank + 1) * RANK_WORDS))
}

/** Runs to `until` ps. */
export function runJobs(n: WithJobs, mode: Mode, until: number, o: WorkersOptions = {}): JobsRun {
  const sums = hashes()
  const crew = new PacketWorkers(n, mode, () => sums.drain, o)
  crew.advance(until)
  return { hash: sums.hash, chunks: sums.chunks, jobs: reportOf(n, crew), rollbacks: crew.stats().rollbacks, crew }
}
