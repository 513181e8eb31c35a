// Runs into tasks: the longest first, each to the task with least to do, in as many tasks as there is work for. Runs that need more memory than others get tasks of their
// own, as all tasks of an array are given the same.
import { Heap } from "../../core/heap.ts"
import type { TaskPlan } from "./job.ts"

export interface Cost {
  /** of one core */
  readonly seconds: number
  readonly megabytes: number
}

export interface PackOptions {
  /** seconds that a task should take */
  readonly perTask: number
  readonly cpus: number
  readonly most?: number
  /** the memory of a task is given: all of them are alike */
  readonly oneSize?: boolean
}

/** Tasks of one size of memory, the longest first. */
export interface Packed {
  readonly tasks: readonly TaskPlan[]
}

/** `units`: places of the runs in the plan, beside what each costs. */
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
  // what is not worth a task of its own goes with those that need more
  const joined: (typeof sorted)[] = []
  let small: typeof sorted = []
  for (const [i, group] of groups.entries()) {
    const all = [...small, ...group]
    small = i < groups.length - 1 && sum(all) < work ? all : []
    if (small.length === 0) joined.push(all)
  }
  const counts = joined.map((group) => Math.max(1, Math.min(group.length, Math.ceil(sum(group) / work))))
  const most = o.most ?? Infinity
  // each size keeps one task at least: with fewer tasks than sizes all are alike
  if (joined.length > most) return pack(units, { ...o, oneSize: true })
  for (let over = counts.reduce((a, b) => a + b, 0) - most; over > 0; over--) counts[counts.indexOf(Math.max(...counts))]!--
  return joined.map((group, i) => ({ tasks: dealt(group, counts[i]!) }))
}

function sum(of: readonly { readonly cost: Cost }[]): number {
  return of.reduce((total, u) => total + u.cost.seconds, 0)
}

function dealt(units: readonly { readonly run: number; readonly cost: Cost }[], count: number): TaskPlan[] {
  const runs: number[][] = Array.from({ length: count }, () => [])
  const seconds = new Float64Array(count)
  const megabytes = new Float64Array(count)
  const least = new Heap(count)
  for (let i = 0; i < count; i++) least.push(0, 0, i)
  for (const { run, cost } of [...units].sort((a, b) => b.cost.seconds - a.cost.seconds || a.run - b.run)) {
    const at = least.pop()
    runs[at]!.push(run)
    seconds[at]! += cost.seconds
    megabytes[at] = Math.max(megabytes[at]!, cost.megabytes)
    // microseconds: times of the heap are whole numbers
    least.push(Math.round(seconds[at]! * 1e6), 0, at)
  }
  return runs
    .map((list, i) => ({ runs: list, seconds: seconds[i]!, megabytes: megabytes[i]! }))
    .filter((t) => t.runs.length > 0)
    .sort((a, b) => b.seconds - a.seconds)
}
