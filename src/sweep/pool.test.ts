import { afterEach, beforeAll, describe, expect, test } from "vitest"
import { built, fakeSimulator } from "../../test/support/build.ts"
import type { RunSpec } from "../model/experiment.ts"
import { type Outcome, Pool, type PoolOptions } from "./pool.ts"

beforeAll(() => void built())

function job(name: string, seed = 1) {
  const spec = { traffic: [{ name, load: 0.5 }], seed } as unknown as RunSpec
  return { spec, folder: ".", workers: 1, audit: false }
}
function why(outcome: Outcome): string {
  return "result" in outcome ? outcome.result.why : "refused" in outcome ? "refused" : "interrupted"
}

const pools: Pool[] = []
function poolOf(options: Omit<PoolOptions, "simulator">): Pool {
  const pool = new Pool({ ...options, simulator: fakeSimulator })
  pools.push(pool)
  return pool
}
afterEach(() => {
  for (const pool of pools.splice(0)) pool.interrupt()
})

describe("the pool", () => {
  test("misbehaving runs end alone and say how; the others are not disturbed", async () => {
    const pool = poolOf({ workers: 2, megabytes: 64 })
    const names = ["ok", "crash", "exit", "eat", "array", "refuse", "ok", "deadlock"]
    const outcomes = await Promise.all(names.map((name) => pool.run(job(name))))
    expect(outcomes.map(why)).toEqual([
      "steady",
      "crashed",
      "crashed",
      "memory",
      "memory",
      "refused",
      "steady",
      "deadlock",
    ])
    const says = (i: number) => (outcomes[i] as { result: { explains: string } }).result.explains
    expect(says(1)).toMatch(/^This is a bug in lacewing, .*: TypeError: something is undefined at /)
    expect(says(2)).toMatch(/^the worker ended unexpectedly with code 7/)
  })
  test("a run that hangs is ended at its time limit", async () => {
    const outcome = await poolOf({ workers: 1, seconds: 0.5 }).run(job("hang"))
    expect(why(outcome)).toBe("time")
    expect((outcome as { result: { explains: string } }).result.explains).toMatch(
      /^the run reached the time limit of 0\.5 s/,
    )
  })
  // the run would take a minute; a machine with other work may take the whole 0.7 s to start the worker, and then the
  // run gets more
  test("progress comes while the run computes, and a stop flag ends it early", async () => {
    const seen: number[] = []
    for (let seconds = 0.7; seen.length < 2 && seconds < 50; seconds *= 4) {
      seen.length = 0
      const pool = poolOf({ workers: 1, seconds })
      // what it says when it ends does not count
      expect(why(await pool.run(job("slow"), { progress: (fraction) => fraction < 1 && seen.push(fraction) }))).toBe(
        "time",
      )
    }
    expect(seen.length).toBeGreaterThan(1)
  })
  test("runs foreseen to be long that were short leave no more threads behind than workers", async () => {
    const pool = poolOf({ workers: 2 })
    const most: number[] = []
    for (let i = 0; i < 6; i++) {
      await pool.run({ ...job("ok", i), long: i % 2 === 1 })
      most.push(pool.threads)
    }
    expect(most).toEqual([1, 2, 2, 2, 2, 2])
  })
  test("never more runs at once than workers", async () => {
    const pool = poolOf({ workers: 2 })
    let running = 0
    let most = 0
    const one = async (seed: number) => {
      const outcome = await pool.run(job("work", seed), { started: () => (most = Math.max(most, ++running)) })
      running--
      return why(outcome)
    }
    expect(await Promise.all([1, 2, 3, 4, 5].map(one))).toEqual(Array(5).fill("steady"))
    expect(most).toBe(2)
  })
  test("an interrupt answers for the running and the waiting", async () => {
    const pool = poolOf({ workers: 1 })
    const all = Promise.all([pool.run(job("hang")), pool.run(job("ok"))])
    setTimeout(() => pool.interrupt(), 300)
    expect((await all).map(why)).toEqual(["interrupted", "interrupted"])
    expect(why(await pool.run(job("ok")))).toBe("interrupted")
  })
})
