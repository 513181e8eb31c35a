// The command `lacewing interference`: it runs each job alone, each pair of jobs, and all jobs together, always on the
// same endpoints, and compares their times. It also lists the channels that several jobs use when they run alone. A
// background job has no end. Alone, it runs as long as the longest other job, so that flits can be compared.
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { plainScale } from "../core/units.ts"
import { scaleOf } from "../experiment/fields.ts"
import { type JobSpec, type MeasureSpec, namesOfCopies, type RunResult, type RunSpec } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import type { Prepared } from "../run/open.ts"

export interface JobTimes {
  readonly name: string
  readonly ranks: number
  /** cycles from its start to the end of its last rank; NaN: it has no end, or did not reach it */
  readonly alone: number
  readonly together: number
  readonly slowdown: number
}

export interface SharedChannel {
  readonly chan: number
  readonly at: string
  readonly to: string
  readonly class: string
  /** [job] -> flits that it sends there when it runs alone */
  readonly flits: readonly number[]
}

export interface Interference {
  /** ps of a cycle */
  readonly cycle: number
  readonly jobs: readonly JobTimes[]
  /**
   * [job][other job] -> its time together with the other, relative to its time alone; 1 on the diagonal, NaN without
   * times
   */
  readonly matrix: readonly (readonly number[])[]
  /** sorted by contended flits, the most contended channel first */
  readonly shared: readonly SharedChannel[]
  /** how the run of all jobs ended */
  readonly why: string
  readonly explains: string
}

interface Machine {
  prepare(spec: RunSpec, host: Host): Checked<Prepared>
  simulate(p: Prepared): Promise<RunResult>
}

/** number of channels in the report */
const NAMED = 10

/** Runs all combinations. `say` reports which jobs run now. */
export async function interferenceOf(
  spec: RunSpec,
  host: Host,
  machine: Machine,
  say: (what: string) => void,
): Promise<Checked<Interference>> {
  const jobs = spec.jobs ?? []
  if (jobs.length < 2) return { bad: [complain("jobs", "This command needs at least two jobs.", "add a job")] }
  if (spec.measure.until !== "jobs")
    return {
      bad: [complain("measure.until", "The run must last until all jobs have ended.", "set measure: { until: jobs }")],
    }
  const whole = machine.prepare(spec, host)
  if ("bad" in whole) return whole
  // The placement of the run of all jobs is frozen, and all other runs read it from virtual files.
  const seats = seatsOf(whole.ok, jobs)
  const bad: Complaint[] = []
  const played = async (which: readonly number[], measure = spec.measure): Promise<RunResult | undefined> => {
    const chosen = which.map((i): JobSpec => ({ ...jobs[i], placement: "file", file: seatFile(i) }))
    say(chosen.map((j) => j.name).join(" and "))
    const probes = [{ name: "channels" }]
    const ready = machine.prepare({ ...spec, jobs: chosen, measure, probes }, seated(host, seats))
    if ("bad" in ready) {
      bad.push(...ready.bad)
      return undefined
    }
    return machine.simulate(ready.ok)
  }
  const all = jobs.map((_, i) => i)
  const background = all.map((i) => isBackground(jobs[i]))
  const alone: (RunResult | undefined)[] = []
  for (const i of all) alone.push(background[i] ? undefined : await played([i]))
  const times = all.map((i) => timeOf(alone[i], jobs[i]))
  const longest = Math.ceil(Math.max(0, ...times.filter((t) => !Number.isNaN(t))))
  if (longest > 0) for (const i of all) if (background[i]) alone[i] = await played([i], windowOf(spec.measure, longest))
  const matrix = all.map((i) => all.map((j) => (i === j ? times[i] / times[i] : Number.NaN)))
  for (const i of all)
    for (const j of all.slice(i + 1)) {
      // Two background jobs would never end.
      if (background[i] && background[j]) continue
      const pair = await played([i, j])
      matrix[i][j] = timeOf(pair, jobs[i]) / times[i]
      matrix[j][i] = timeOf(pair, jobs[j]) / times[j]
    }
  const together = await played(all)
  if (bad.length > 0) return { bad }
  return {
    ok: {
      cycle: scaleOf(spec.network, plainScale).cycle,
      jobs: jobs.map((job, i) => {
        const time = timeOf(together, job)
        return { name: job.name, ranks: seats[i].length, alone: times[i], together: time, slowdown: time / times[i] }
      }),
      matrix,
      shared: sharedChannels(alone),
      why: together?.why ?? "",
      explains: together?.explains ?? "",
    },
  }
}

/** Returns a measurement of one window of this many cycles from cycle 0 on, without drain and without early end. */
function windowOf({ until: _, ...measure }: MeasureSpec, cycles: number): MeasureSpec {
  const time = `${cycles}cycles`
  return { ...measure, warmup: "0cycles", window: time, limit: time, drain: "none", saturation: "never" }
}

const isBackground = (j: JobSpec): boolean => j.workload.name === "background"
const seatFile = (i: number): string => `\0endpoints of job ${i}`

/** Returns the host with a virtual file for each job that lists its endpoints. */
function seated(host: Host, seats: readonly (readonly number[])[]): Host {
  return {
    ...host,
    read(path) {
      const i = seats.findIndex((_, k) => seatFile(k) === path)
      return i >= 0 ? seats[i].join(" ") : host.read(path)
    },
  }
}

/** Returns [job][rank] -> endpoint, as in the run of all jobs. */
function seatsOf({ compiled }: Prepared, jobs: readonly JobSpec[]): number[][] {
  const layer = "processors" in compiled ? compiled.layer : "engine" in compiled ? compiled.jobs : compiled.ranks?.layer
  return jobs.map((job) => {
    if (isBackground(job)) {
      return [...compiled.streams.find((s) => s.name === job.name)!.seats!]
    }
    const names = namesOfCopies(job)
    return layer!.jobs
      .filter((j) => names.includes(j.name))
      .flatMap(({ base, ranks }) => Array.from(layer!.place.subarray(base, base + ranks)))
  })
}

/** Returns the cycles of a job, of its longest copy; NaN if it has not ended. */
function timeOf(result: RunResult | undefined, job: JobSpec): number {
  const table = result?.tables["jobs"]
  const names = table?.["job"] as readonly string[] | undefined
  const times = namesOfCopies(job).map((name) => {
    const i = names?.indexOf(name) ?? -1
    if (table === undefined || i < 0 || table["ended"][i] !== table["ranks"][i]) return Number.NaN
    return Number(table["end"][i]) - Number(table["began"][i])
  })
  return Math.max(...times)
}

/**
 * Returns the channels that several jobs use, sorted by contended flits: all flits except those of the largest user.
 */
function sharedChannels(alone: readonly (RunResult | undefined)[]): SharedChannel[] {
  const first = alone.find((r) => r !== undefined)?.tables["channels"]
  if (first === undefined) return []
  const flits = alone.map((r) => {
    const load = r?.tables["channels"]?.["load"] as readonly number[] | undefined
    return load?.map((l) => Math.round(l * r!.values["cycles"])) ?? []
  })
  const text = (column: string, i: number) => String(first[column][i])
  const found = (first["chan"] as readonly number[]).map((chan, i) => {
    const each = flits.map((f) => f[i] ?? 0)
    const contended = each.reduce((a, b) => a + b, 0) - Math.max(...each)
    return { contended, channel: { chan, at: text("at", i), to: text("to", i), class: text("class", i), flits: each } }
  })
  return found
    .filter((c) => c.contended > 0)
    .sort((a, b) => b.contended - a.contended || a.channel.chan - b.channel.chan)
    .slice(0, NAMED)
    .map((c) => c.channel)
}
