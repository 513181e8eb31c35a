// Packs runs into tasks: longest run first, each into the task with the least work (LPT scheduling), with as many tasks
// as the work needs. Runs that need more memory get separate tasks, because all tasks of an array have the same memory.
import { Heap } from "../core/heap.ts"
import type { TaskPlan } from "./job.ts"

export interface Cost {
  /** CPU seconds of one core */
  readonly seconds: number
  readonly megabytes: number
}

export interface PackOptions {
  /** target seconds of a task */
  readonly perTask: number
  readonly cpus: number
  readonly most?: number
  /** the memory of a task is given: all tasks are equal */
  readonly oneSize?: boolean
}

/** Tasks of one memory size, the longest first. */
export interface Packed {
  readonly tasks: readonly TaskPlan[]
}

/** Returns the tasks by memory size (powers of two). `units`: indices of the runs in the plan, with their costs. */
export function pack(units: readonly { readonly run: number; readonly cost: Cost }[], o: PackOptions): Packed[] {
  const work = o.perTask * o.cpus
  const sorted = [...units].sort((a, b) => b.cost.seconds - a.cost.seconds || a.run - b.run)
  const sizes = new Map<number, typeof sorted>()
  for (const unit of sorted) {
    const size = o.oneSize === true ? 0 : Math.max(9, Math.ceil(Math.log2(unit.cost.megabytes)))
    const there = sizes.get(size)
    if (there === undefined) sizes.set(size, [unit])
    else there.push(unit)
  }
  const groups = [...sizes].sort(([a], [b]) => a - b).map(([, group]) => group)
  // A size with too little work for a task is joined with the next larger size.
  const joined: (typeof sorted)[] = []
  let small: typeof sorted = []
  for (const [i, group] of groups.entries()) {
    const all = [...small, ...group]
    small = i < groups.length - 1 && sum(all) < work ? all : []
    if (small.length === 0) joined.push(all)
  }
  const counts = joined.map((group) => Math.max(1, Math.min(group.length, Math.ceil(sum(group) / work))))
  const most = o.most ?? Infinity
  // Each size needs at least one task. With fewer tasks than sizes, all tasks get the same memory.
  if (joined.length > most) return pack(units, { ...o, oneSize: true })
  for (let over = counts.reduce((a, b) => a + b, 0) - most; over > 0; over--)
    counts[counts.indexOf(Math.max(...counts))]--
  return joined.map((group, i) => ({ tasks: dealt(group, counts[i]) }))
}

function sum(of: readonly { readonly cost: Cost }[]): number {
  return of.reduce((total, u) => total + u.cost.seconds, 0)
}

/** Distributes the runs over `count` tasks with a heap of their total seconds. */
function dealt(units: readonly { readonly run: number; readonly cost: Cost }[], count: number): TaskPlan[] {
  const runs: number[][] = Array.from({ length: count }, () => [])
  const seconds = new Float64Array(count)
  const megabytes = new Float64Array(count)
  const least = new Heap(count)
  for (let i = 0; i < count; i++) least.push(0, 0, i)
  for (const { run, cost } of [...units].sort((a, b) => b.cost.seconds - a.cost.seconds || a.run - b.run)) {
    const at = least.pop()
    runs[at].push(run)
    seconds[at] += cost.seconds
    megabytes[at] = Math.max(megabytes[at], cost.megabytes)
    // The heap needs integers, so seconds become microseconds.
    least.push(Math.round(seconds[at] * 1e6), 0, at)
  }
  return runs
    .map((list, i) => ({ runs: list, seconds: seconds[i], megabytes: megabytes[i] }))
    .filter((t) => t.runs.length > 0)
    .sort((a, b) => b.seconds - a.seconds)
}
