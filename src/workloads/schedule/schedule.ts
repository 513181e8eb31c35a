// Makes the schedule of all jobs for the LogGOPSim rules (model/schedule.ts), or says what such a schedule cannot
// express. Nothing is left out of a program.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { CALC, type Lists, RECV, type Schedule, SEND } from "../../model/schedule.ts"
import { resolve } from "../check/communicators.ts"
import type { Job } from "../mpi/job.ts"
import { forEachOp, Kind, LINE_WORDS } from "../program.ts"
import { inexpressible, type RankSchedule, rankSchedule } from "./rank-schedule.ts"

/** Maximum number of operations, because loops are unrolled. */
const MOST = 20_000_000

export function scheduleOf(jobs: readonly Job[]): Checked<Schedule> {
  const bad = jobs.flatMap((job, i) => refusals(job, `jobs.${i}.workload`))
  if (bad.length > 0) return { bad }
  const ranks: RankSchedule[] = []
  const owner: Job[] = []
  let count = 0
  for (const [i, job] of jobs.entries()) {
    const resolved = resolve(job.program)
    for (let r = 0; r < job.ranks; r++) {
      const rank = rankSchedule(job.program, resolved, r, MOST + 1 - count)
      count += rank.ops.length
      if (count > MOST)
        return {
          bad: [
            complain(
              `jobs.${i}.workload`,
              `The schedule has more than ${MOST} operations, because rules: loggopsim unrolls loops.`,
              "run fewer iterations, or leave engine.rules out",
            ),
          ],
        }
      ranks.push(rank)
      owner.push(job)
    }
  }
  return { ok: columnsOf(ranks, owner, count) }
}

/** Returns a complaint for the first operation of a job that a schedule cannot express. */
function refusals({ program, ranks }: Job, path: string): Complaint[] {
  for (let r = 0; r < ranks; r++) {
    let why: string | undefined
    forEachOp(program.rank(r), ({ ops }, row, op) => {
      const says = inexpressible(ops, row)
      if (says !== undefined) why ??= `rank ${r}, operation ${op}: ${says}`
    })
    if (why !== undefined)
      return [
        complain(
          path,
          `rules: loggopsim executes sends, receives and calculations only (${why}).`,
          "leave engine.rules out, or use a GOAL schedule in which messages replace this operation",
        ),
      ]
  }
  return []
}

function columnsOf(ranks: readonly RankSchedule[], owner: readonly Job[], count: number): Schedule {
  const first = new Int32Array(ranks.length + 1)
  for (const [r, { ops }] of ranks.entries()) first[r + 1] = first[r] + ops.length
  const perRank = (of: (job: Job) => number) => Float64Array.from(owner, of)
  const schedule = {
    ranks: ranks.length,
    first,
    kind: new Uint8Array(count),
    peer: new Int32Array(count),
    tag: new Int32Array(count),
    context: new Int32Array(count),
    amount: new Float64Array(count),
    cpu: new Int32Array(count),
    nic: new Int32Array(count),
    needs: new Int32Array(count),
    start: perRank((j) => j.start),
    o: perRank((j) => j.params.overhead),
    O: perRank((j) => j.params.overheadByte),
    S: perRank((j) => j.params.eager - (j.params.limit === "below" ? 1 : 0)),
  }
  for (const [r, { ops, lines }] of ranks.entries()) {
    const { base, params } = owner[r]
    for (const [i, op] of ops.entries()) {
      const at = first[r] + i
      const calc = op.kind === Kind.COMPUTE
      schedule.kind[at] = calc ? CALC : op.kind === Kind.SEND ? SEND : RECV
      schedule.peer[at] = op.peer < 0 || calc ? op.peer : base + op.peer
      schedule.tag[at] = op.tag
      schedule.context[at] = op.comm
      schedule.cpu[at] = op.cpu
      schedule.nic[at] = op.nic
      if (!calc) schedule.amount[at] = Math.max(op.amount, params.header)
      else if (op.amount > params.gap) schedule.amount[at] = Math.round(op.amount * params.compute)
    }
    for (let l = 0; l < lines.length; l += LINE_WORDS) schedule.needs[first[r] + lines[l]]++
  }
  return {
    ...schedule,
    started: listsOf(ranks, first, 1),
    done: listsOf(ranks, first, 0),
    cpus: 1 + schedule.cpu.reduce((a, b) => Math.max(a, b), 0),
    nics: 1 + schedule.nic.reduce((a, b) => Math.max(a, b), 0),
  }
}

/** Returns the operations that each operation frees when it starts (1) or ends (0), in the order of the lines. */
function listsOf(ranks: readonly RankSchedule[], base: Int32Array, which: number): Lists {
  const first = new Int32Array(base[ranks.length] + 1)
  const each = (of: (from: number, to: number) => void) => {
    for (const [r, { lines }] of ranks.entries())
      for (let l = 0; l < lines.length; l += LINE_WORDS)
        if (lines[l + 2] === which) of(base[r] + lines[l + 1], base[r] + lines[l])
  }
  each((from) => first[from + 1]++)
  for (let i = 1; i < first.length; i++) first[i] += first[i - 1]
  const items = new Int32Array(first[first.length - 1])
  const next = first.slice()
  each((from, to) => {
    items[next[from]++] = to
  })
  return { first, items }
}
