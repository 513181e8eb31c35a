// A round is a set of tasks that are created and submitted together. The first round contains all runs to do; each
// further one contains those that are missing.
import type { Plan, PlannedRun } from "../experiment/plan.ts"
import type { RunRecord } from "../results/record.ts"
import { costsOf } from "./costs.ts"
import { type Executor, settled } from "./executor.ts"
import type { Asked } from "./frozen.ts"
import type { Piece, Round, TaskPlan } from "./job.ts"
import { type Cost, type Packed, pack } from "./pack.ts"

export interface RoundOptions {
  readonly plan: Plan
  readonly asked: Asked
  readonly executor: Executor
  readonly job: string
  /** number of the round, and of its first task */
  readonly number: number
  readonly first: number
  /** indices in the plan of the runs to do; those of `alone` were active when a task was lost and get separate tasks */
  readonly units: readonly number[]
  readonly alone?: ReadonlySet<number>
  known(hash: string): RunRecord | undefined
  /** (default: predicted by costs.ts) */
  readonly cost?: ((run: PlannedRun) => Cost) | undefined
}

/** Megabytes of a process in addition to its runs, and the safety factor of memory predictions. */
const PROCESS_MB = 256
const DOUBT = 1.5
const STEP_MB = 64

/** Returns the megabytes of each task. */
export function memoryOf(tasks: readonly TaskPlan[], asked: Asked, cpus: number): number {
  const largest = tasks.reduce((most, t) => Math.max(most, t.megabytes), 0)
  return Math.ceil(asked.cluster.mem ?? STEP_MB * Math.ceil((PROCESS_MB + DOUBT * cpus * largest) / STEP_MB))
}

/** Packs the runs into tasks, and the tasks into pieces of at most the array size that the scheduler allows. */
export async function makeRound(o: RoundOptions): Promise<Round> {
  const { plan, asked, executor, alone = new Set() } = o
  const { perTask, cpus } = settled(asked.cluster, asked.on)
  const cost = o.cost ?? costsOf(plan, o.known).of
  const units = o.units.map((run) => ({ run, cost: cost(plan.runs[run]) }))
  const { maxTasks, mem } = asked.cluster
  const together = units.filter((u) => !alone.has(u.run))
  const packed: Packed[] = [
    ...(together.length === 0
      ? []
      : pack(together, {
          perTask,
          cpus,
          ...(maxTasks === undefined ? {} : { most: maxTasks }),
          oneSize: mem !== undefined,
        })),
    ...units.filter((u) => alone.has(u.run)).map(({ run, cost }) => ({ tasks: [{ runs: [run], ...cost }] })),
  ]
  const most = await executor.most()
  const pieces: Piece[] = []
  let first = o.first
  for (const { tasks, memory } of joined(packed, asked, cpus))
    for (let at = 0; at < tasks; at += most) {
      const count = Math.min(most, tasks - at)
      pieces.push({ name: `lacewing-${o.job}-${o.number}-${pieces.length + 1}`, first, count, memory })
      first += count
    }
  return { number: o.number, made: new Date().toISOString(), tasks: packed.flatMap((p) => p.tasks), pieces }
}

/** Joins neighbouring tasks with the same memory into one array. */
function joined(packed: readonly Packed[], asked: Asked, cpus: number): { tasks: number; readonly memory: number }[] {
  const made: { tasks: number; readonly memory: number }[] = []
  for (const { tasks } of packed) {
    const memory = memoryOf(tasks, asked, cpus)
    const last = made.at(-1)
    if (last?.memory === memory) last.tasks += tasks.length
    else made.push({ tasks: tasks.length, memory })
  }
  return made
}
