// A job is a program with its MPI cost parameters, its start time and its interval of global ranks. `makeJobs` numbers
// the ranks of all jobs consecutively (`base`), and likewise the pairs of ranks that exchange point-to-point messages.
// `chosen` selects the algorithm of a collective: the one that the experiment names, or the one of the selection table
// (choose.ts).
import { type Checked, type Complaint, complain, nearest } from "../../core/complaint.ts"
import { algorithms, choose } from "../collectives/choose.ts"
import type { Algorithm, Call } from "../collectives/schedule.ts"
import { kindNames, type Program } from "../program.ts"
import type { Analysis } from "./analysis.ts"
import type { MpiParams } from "./params.ts"

export interface Job {
  readonly name: string
  readonly program: Program
  readonly analysis: Analysis
  readonly params: MpiParams
  /** Time in ps at which its ranks start. */
  readonly start: number
  /** Seed of the random delays of its messages. */
  readonly seed: number
  /** Global number of its rank 0. */
  readonly base: number
  readonly ranks: number
  /** [kind] -> the algorithm that the experiment names for this collective. */
  readonly named: ReadonlyMap<number, Algorithm>
  /** Returns the number of an ordered pair of ranks (global numbers) that exchange point-to-point messages. */
  pair(from: number, to: number): number
}

export interface JobPlan {
  readonly name: string
  readonly program: Program
  readonly analysis: Analysis
  readonly params: MpiParams
  readonly start: number
  readonly seed: number
}

/** Creates the jobs in order and numbers their ranks and pairs consecutively. */
export function makeJobs(plans: readonly JobPlan[]): Checked<Job[]> {
  const bad: Complaint[] = []
  const jobs: Job[] = []
  let base = 0
  let pairs = 0
  for (const plan of plans) {
    const { first, sendsTo, ranks } = plan.analysis
    const [from0, pair0] = [base, pairs]
    jobs.push({
      ...plan,
      base,
      ranks,
      named: namedAlgorithms(plan, bad),
      pair(from, to) {
        const target = to - from0
        // Binary search in the ascending destinations of `from`. The analysis has listed every pair, so the search
        // always finds one.
        let low = first[from - from0]
        let high = first[from - from0 + 1] - 1
        while (low < high) {
          const middle = (low + high) >> 1
          if (sendsTo[middle] < target) low = middle + 1
          else high = middle
        }
        return pair0 + low
      },
    })
    base += ranks
    pairs += sendsTo.length
  }
  return bad.length > 0 ? { bad } : { ok: jobs }
}

function namedAlgorithms(plan: JobPlan, bad: Complaint[]): Map<number, Algorithm> {
  const named = new Map<number, Algorithm>()
  for (const [collective, name] of Object.entries(plan.params.algorithms)) {
    const path = `${plan.name}.mpi.algorithms.${collective}`
    const kind = kindNames.indexOf(collective)
    const list = algorithms.get(kind)
    if (list === undefined) {
      const known = [...algorithms.keys()].map((k) => kindNames[k])
      bad.push(complain(path, "is no collective", `did you mean "${nearest(collective, known) ?? known[0]}"?`))
      continue
    }
    const found = list.find((a) => a.name === name)
    if (found === undefined)
      bad.push(complain(path, `"${name}" is not known`, `choose one of ${list.map((a) => a.name).join(", ")}`))
    else named.set(kind, found)
  }
  return named
}

/**
 * Returns the algorithm of a collective call, or undefined if collectives are free or the communicator has one rank.
 */
export function chosen(job: Job, kind: number, call: Call): Algorithm | undefined {
  const { collectives } = job.params
  if (collectives === "free" || call.p === 1) return undefined
  return job.named.get(kind) ?? choose(kind, call, collectives)
}
