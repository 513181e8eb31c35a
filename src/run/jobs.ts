// Results of the jobs of a run: values of all jobs, tables for each job, and a description of the ranks that wait. All
// engines call it with the summary words of their ranks (workloads/).
import { draw } from "../core/rng.ts"
import { workloads } from "../library.ts"
import type { Table } from "../model/experiment.ts"

export interface JobResults {
  readonly values: Record<string, number>
  readonly tables: Record<string, Table>
  /** hash of the end time of every rank */
  readonly fingerprint: string
}

/** Number of ranks that the message about a blocked run lists. */
const NAMED = 8

/** Returns values and tables, with times in cycles. `words`: the summaries of all ranks; `cycle`: ps per cycle. */
export function jobResults(layer: workloads.MpiLayer, words: Int32Array, cycle: number): JobResults {
  const jobs = workloads.reportJobs(
    layer.jobs,
    (rank) => words.subarray(rank * layer.summary, (rank + 1) * layer.summary),
    layer.rows,
  )
  const times = jobs.flatMap((j) => [...j.communication].filter((t) => t >= 0))
  const ended = jobs.reduce((n, j) => n + j.finished, 0)
  const mean = (list: readonly number[]) =>
    list.length === 0 ? Number.NaN : list.reduce((a, b) => a + b, 0) / list.length
  const most = (list: readonly number[]) => list.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const least = (list: readonly number[]) => list.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const endOf = (j: workloads.JobReport) => (j.finished === j.ranks ? j.ended : Number.NaN)
  const own = (j: workloads.JobReport) => [...j.communication].filter((t) => t >= 0)
  const slow = jobs.map((j) => workloads.stragglersOf(j.communication, j.computing))
  let hash = 0
  for (const [i, { ends }] of jobs.entries())
    for (const [r, t] of ends.entries())
      hash = (hash + draw(Math.floor(t / 4096) ^ (i << 20), (t % 4096) ^ (r << 12))) | 0
  return {
    values: {
      "jobs.time": most(jobs.map(endOf)) / cycle,
      "jobs.ended": ended / layer.ranks,
      "jobs.communication.mean": mean(times) / cycle,
      "jobs.communication.max": times.length === 0 ? Number.NaN : most(times) / cycle,
      ...stragglerValues(jobs, slow),
      ...bandwidthOf(layer, jobs),
      ...(layer.rows === 0 ? {} : { "timeline.lost": jobs.reduce((n, j) => n + j.lost, 0) }),
    },
    tables: {
      jobs: {
        job: jobs.map((j) => j.name),
        ranks: jobs.map((j) => j.ranks),
        ended: jobs.map((j) => j.finished),
        began: jobs.map((j) => j.began / cycle),
        end: jobs.map((j) => endOf(j) / cycle),
        "communication.min": jobs.map((j) => (own(j).length === 0 ? Number.NaN : least(own(j)) / cycle)),
        "communication.mean": jobs.map((j) => mean(own(j)) / cycle),
        "communication.max": jobs.map((j) => (own(j).length === 0 ? Number.NaN : most(own(j)) / cycle)),
        exposed: slow.map((s) => s.exposed),
        straggler: slow.map((s) => s.rank),
        "straggler.excess": slow.map((s) => s.excess),
        "time.p50": slow.map((s) => s.p50 / cycle),
        "time.p99": slow.map((s) => s.p99 / cycle),
        tail: slow.map((s) => s.tail),
      },
      "jobs-calls": {
        job: jobs.flatMap((j) => j.calls.map(() => j.name)),
        call: jobs.flatMap((j) => j.calls.map((c) => c.call)),
        calls: jobs.flatMap((j) => j.calls.map((c) => c.calls)),
        min: jobs.flatMap((j) => j.calls.map((c) => c.least / cycle)),
        mean: jobs.flatMap((j) => j.calls.map((c) => c.mean / cycle)),
        max: jobs.flatMap((j) => j.calls.map((c) => c.most / cycle)),
      },
      "jobs-sizes": {
        job: jobs.flatMap((j) => j.sizes.map(() => j.name)),
        bytes: jobs.flatMap((j) => j.sizes.map((s) => s.bytes)),
        messages: jobs.flatMap((j) => j.sizes.map((s) => s.messages)),
        mean: jobs.flatMap((j) => j.sizes.map((s) => s.mean / cycle)),
        max: jobs.flatMap((j) => j.sizes.map((s) => s.most / cycle)),
      },
      ...(jobs.some((j) => j.flows.some((f) => f.start >= 0)) ? { "jobs-flows": flowsTable(jobs, cycle) } : {}),
      "jobs-ranks": {
        job: jobs.flatMap((j) => Array.from(j.ends, () => j.name)),
        rank: jobs.flatMap((j) => Array.from(j.ends, (_, r) => r)),
        end: jobs.flatMap((j) => Array.from(j.ends, (t) => (t < 0 ? Number.NaN : t / cycle))),
        communication: jobs.flatMap((j) => Array.from(j.communication, (t) => (t < 0 ? Number.NaN : t / cycle))),
        computing: jobs.flatMap((j) => Array.from(j.computing, (t) => t / cycle)),
      },
      "jobs-path": pathTable(jobs, cycle),
      "jobs-timeline": timelineTable(jobs, cycle),
      ...(layer.rows === 0 ? {} : { "jobs-operations": operationsTable(jobs, cycle) }),
    },
    fingerprint: (hash >>> 0).toString(16).padStart(8, "0"),
  }
}

/** Returns exposed communication over all ranks, and the worst straggler and tail of all jobs. */
function stragglerValues(
  jobs: readonly workloads.JobReport[],
  slow: readonly workloads.Stragglers[],
): Record<string, number> {
  const flat = (of: (j: workloads.JobReport) => Float64Array) => Float64Array.from(jobs.flatMap((j) => [...of(j)]))
  const { exposed } = workloads.stragglersOf(
    flat((j) => j.communication),
    flat((j) => j.computing),
  )
  const ended = jobs.every((j) => j.finished === j.ranks)
  const worst = (of: (s: workloads.Stragglers) => number) =>
    slow.reduce((a, s) => (of(s) > a ? of(s) : a), Number.NEGATIVE_INFINITY)
  const computes = jobs.some((j) => j.computing.some((t) => t > 0))
  const values: readonly (readonly [string, number])[] = [
    ["jobs.exposed", exposed],
    ...(computes ? [["jobs.straggler", worst((s) => s.excess)] as const] : []),
    ["jobs.tail", worst((s) => s.tail)],
  ]
  // Jobs that take no time at all, such as free collectives, have no shares of time.
  return Object.fromEntries(
    ended ? values.filter(([, v]) => Number.isFinite(v)) : values.map(([name]) => [name, Number.NaN]),
  )
}

/** Returns the algorithm and bus bandwidth in GB/s of the first job that repeats one collective, if it takes time. */
function bandwidthOf({ jobs }: workloads.MpiLayer, reports: readonly workloads.JobReport[]): Record<string, number> {
  const i = jobs.findIndex((j) => j.program.volume !== undefined)
  if (i < 0) return {}
  const { bytes, bus } = jobs[i].program.volume!
  const { began, ended, finished, ranks } = reports[i]
  // Free collectives (mpi.collectives) take no time, so they have no bandwidth.
  if (finished === ranks && ended === began) return {}
  const algorithm = finished === ranks ? (1000 * bytes) / (ended - began) : Number.NaN
  return { "jobs.bandwidth.algorithm": algorithm, "jobs.bandwidth.bus": bus * algorithm }
}

/** Returns the times of each flow of the jobs that list their flows. */
function flowsTable(jobs: readonly workloads.JobReport[], cycle: number): Table {
  const rows = jobs.flatMap(({ name, flows }) => flows.map((flow, number) => ({ name, number, ...flow })))
  const time = (t: number) => (t < 0 ? Number.NaN : t / cycle)
  return {
    job: rows.map((r) => r.name),
    flow: rows.map((r) => r.number),
    src: rows.map((r) => r.from),
    dst: rows.map((r) => r.to),
    bytes: rows.map((r) => r.bytes),
    start: rows.map((r) => time(r.start)),
    finish: rows.map((r) => time(r.finish)),
  }
}

/** Returns the critical path of each job, first step first. */
function pathTable(jobs: readonly workloads.JobReport[], cycle: number): Table {
  const rows = jobs.flatMap(({ name, path }) => path.map((step) => ({ name, ...step })))
  const time = (t: number) => (t < 0 ? Number.NaN : t / cycle)
  return {
    job: rows.map((r) => r.name),
    rank: rows.map((r) => r.rank),
    // The first recorded step has no sender.
    from: rows.map((r) => (r.from < 0 ? Number.NaN : r.from)),
    sent: rows.map((r) => time(r.sent)),
    came: rows.map((r) => time(r.came)),
    until: rows.map((r) => time(r.until)),
  }
}

/** Returns the stored operations, rank by rank in order of their ends. */
function operationsTable(jobs: readonly workloads.JobReport[], cycle: number): Table {
  const rows = jobs.flatMap(({ name, operations }) => operations.map((o) => ({ name, ...o })))
  return {
    job: rows.map((r) => r.name),
    rank: rows.map((r) => r.rank),
    call: rows.map((r) => r.call),
    state: rows.map((r) => r.state),
    from: rows.map((r) => r.since / cycle),
    until: rows.map((r) => r.until / cycle),
    peer: rows.map((r) => (r.peer < 0 ? Number.NaN : r.peer)),
    bytes: rows.map((r) => r.bytes),
  }
}

/** Returns the time slices of each rank, or of each group of ranks, up to the last one with activity. */
function timelineTable(jobs: readonly workloads.JobReport[], cycle: number): Table {
  const rows = jobs.flatMap(({ name, timeline, ended }) => {
    const { length, pieces, ranks, heldBack, computing } = timeline
    const last = Math.min(pieces, ended < 0 ? pieces : Math.ceil(ended / length))
    return heldBack.flatMap((held, g) =>
      Array.from(
        { length: last },
        (_, i) => [name, g * ranks, (i * length) / cycle, held[i], computing[g][i]] as const,
      ),
    )
  })
  return {
    job: rows.map((r) => r[0]),
    rank: rows.map((r) => r[1]),
    time: rows.map((r) => r[2]),
    held: rows.map((r) => r[3]),
    computing: rows.map((r) => r[4]),
  }
}

/** Describes the first ranks that have not finished, and the message or operation that each waits for. */
export function waitingIn(layer: workloads.MpiLayer | undefined, run: { summaries(): Int32Array } | undefined): string {
  if (layer === undefined || run === undefined) return ""
  const words = run.summaries()
  const { summary, jobs } = layer
  return workloads.waitingRanks(jobs, (rank) => words.subarray(rank * summary, (rank + 1) * summary), NAMED).join("\n")
}
