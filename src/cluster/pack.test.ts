import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { pack } from "./pack.ts"

const units = (seconds: readonly number[], megabytes = 100) =>
  seconds.map((s, run) => ({ run, cost: { seconds: s, megabytes } }))
const tasks = (...args: Parameters<typeof pack>) => pack(...args).flatMap((p) => p.tasks)

describe("runs into tasks", () => {
  test("as many as there is work for: 2,000 runs of a quarter of a second are one task of 20 minutes", () => {
    const made = tasks(units(new Array(2000).fill(0.25)), { perTask: 1200, cpus: 1 })
    expect(made).toHaveLength(1)
    // 2,000 x 0.25 s
    expect(made[0].seconds).toBe(500)
    expect(made[0].runs).toHaveLength(2000)
  })
  test("the longest first, each to the task with least to do", () => {
    // 30 s of work, 10 s a task: 3 tasks; 9 | 8 + 2 | 6 + 5
    const made = tasks(units([5, 9, 2, 6, 8]), { perTask: 10, cpus: 1 })
    expect(made.map((t) => t.runs)).toEqual([[3, 0], [4, 2], [1]])
    expect(made.map((t) => t.seconds)).toEqual([11, 10, 9])
  })
  test("a run that is longer than a task gets a separate task; cores share the work of a task", () => {
    expect(tasks(units([100, 1, 1]), { perTask: 10, cpus: 1 }).map((t) => t.runs)).toEqual([[0], [1], [2]])
    expect(tasks(units([10, 10, 10, 10]), { perTask: 10, cpus: 4 })).toHaveLength(1)
  })
  test("runs that need more memory get separate tasks, if there is work for them", () => {
    const small = units(new Array(20).fill(1))
    const large = { run: 20, cost: { seconds: 10, megabytes: 3000 } }
    const made = pack([...small, large], { perTask: 10, cpus: 1 })
    expect(made.map((p) => p.tasks.map((t) => t.runs.length))).toEqual([[10, 10], [1]])
    // 5 s of small runs are no task
    expect(pack([...small.slice(0, 5), large], { perTask: 10, cpus: 1 }).map((p) => p.tasks.length)).toEqual([2])
    expect(pack([...small, large], { perTask: 10, cpus: 1, oneSize: true })).toHaveLength(1)
  })
  test("every run once, never more tasks than requested, than runs, or than work", () => {
    const cost = fc.record({
      seconds: fc.double({ min: 0.001, max: 1e4, noNaN: true }),
      megabytes: fc.double({ min: 1, max: 1e5, noNaN: true }),
    })
    const options = fc.record({
      perTask: fc.integer({ min: 1, max: 4000 }),
      cpus: fc.integer({ min: 1, max: 8 }),
      most: fc.integer({ min: 1, max: 9 }),
    })
    fc.assert(
      fc.property(fc.array(cost, { minLength: 1, maxLength: 60 }), options, (costs, o) => {
        const all = costs.map((c, run) => ({ run, cost: c }))
        const free = tasks(all, { perTask: o.perTask, cpus: o.cpus })
        const total = costs.reduce((s, c) => s + c.seconds, 0)
        // one more for each size of memory
        expect(free.length).toBeLessThanOrEqual(Math.ceil(total / (o.perTask * o.cpus)) + 17)
        const few = tasks(all, o)
        expect(few.length).toBeLessThanOrEqual(Math.min(o.most, costs.length))
        for (const made of [free, few]) {
          expect(made.flatMap((t) => t.runs).sort((a, b) => a - b)).toEqual(all.map((u) => u.run))
          for (const t of made) expect(t.megabytes).toBe(Math.max(...t.runs.map((r) => costs[r].megabytes)))
        }
      }),
      { numRuns: 60 },
    )
  })
})
