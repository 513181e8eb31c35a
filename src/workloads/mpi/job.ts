// A job: a program, what MPI costs it, when it starts, and which of all ranks are its own.
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
  /** ps at which its ranks begin */
  readonly start: number
  /** of its draws */
  readonly seed: number
  readonly base: number
  readonly ranks: number
  /** [kind] -> the algorithm that the experiment names */
  readonly named: ReadonlyMap<number, Algorithm>
  /** Number of a pair of ranks that exchange messages of their own. */
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

/** Jobs one after the other: ranks and pairs are numbered through. */
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
        let low = first[from - from0]!
        let high = first[from - from0 + 1]! - 1
        while (low < high) {
          const middle = (low + high) >> 1
          if (sendsTo[middle]! < target) low = middle + 1
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
      const known = [...algorithms.keys()].map((k) => kindNames[k]!)
      bad.push(complain(path, "is no collective", `did you mean "${nearest(collective, known) ?? known[0]}"?`))
      continue
    }
    const found = list.find((a) => a.name === name)
    if (found === undefined) bad.push(complain(path, `"${name}" is not known`, `choose one of ${list.map((a) => a.name).join(", ")}`))
    else named.set(kind, found)
  }
  return named
}

/** The algorithm of a call; none where collectives are free. */
export function chosen(job: Job, kind: number, call: Call): Algorithm | undefined {
  const { collectives } = job.params
  if (collectives === "free" || call.p === 1) return undefined
  return job.named.get(kind) ?? choose(kind, call, collectives)
}
