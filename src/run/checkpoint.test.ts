// Tests when states are saved, and which seconds they count, with a simulated clock.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import type { Saved } from "../measure/saved.ts"
import { Checkpoints } from "./checkpoint.ts"
import { checkpointedRun } from "./checkpointed-run.ts"
import type { PausableRun } from "./pausable.ts"

const out = mkdtempSync(join(tmpdir(), "lacewing-clock-"))
afterAll(() => rmSync(out, { recursive: true, force: true }))

/** Returns a run of `steps` steps with a clock that only its steps and the saving of its states advance. */
function clockwork(steps: number, step: (i: number) => number, take: number) {
  let now = 5000
  let killed = steps
  /** when states were taken, and when they were written */
  const states: { taken: number; written: number }[] = []
  const runFrom = (done: number): PausableRun => ({
    get now() {
      return done
    },
    step() {
      now += step(done)
      if (done >= killed) throw dead
      return ++done >= steps
    },
    save() {
      states.push({ taken: now, written: now + take })
      now += take
      return { state: { done }, columns: {} }
    },
    result: async () => ({ why: "limit", explains: "", fingerprint: String(done), values: {}, tables: {} }),
    close: async () => undefined,
  })
  return {
    states,
    clock: () => now,
    wait: (ms: number) => (now += ms),
    /** the process is killed at the end of the step from this one on */
    kill: (at: number) => (killed = at),
    open: async (_: unknown, saved?: Saved) => runFrom((saved?.state as { done: number } | undefined)?.done ?? 0),
  }
}
const dead = new Error("killed")
const nobody = () => undefined
const order = (name: string, every: number) => ({ dir: join(out, name), hash: "aa", every })

describe("at most one interval is lost", () => {
  // step, taking and writing of a state, in ms, for an interval of 1 s
  const cases: [string, number, (i: number) => number, number][] = [
    ["short steps", 500, () => 10, 5],
    ["steps of another length each", 200, (i) => [20, 25, 40, 33][i % 4], 50],
    ["long steps and long writing", 50, () => 100, 300],
  ]
  test.each(cases)("%s", async (name, steps, step, take) => {
    const w = clockwork(steps, step, take)
    const began = w.clock()
    await checkpointedRun(w.open, {}, new Checkpoints(order(name, 1), () => false, nobody, { now: w.clock }))
    const { states } = w
    expect(states.length).toBeGreaterThan(3)
    // killed just before a state is written, a run has lost what it did since the one before was taken: at most the
    // interval
    const lost = states.map(({ written }, i) => written - (states[i - 1]?.taken ?? began))
    // how long the first state takes is known once it was taken
    expect(lost.slice(1).filter((ms) => ms > 1000)).toEqual([])
    expect(lost[0]).toBeLessThanOrEqual(1000 + take)
    // and it is not written much more often than requested: two steps and the writing before the interval ends, at most
    // one step more early
    expect(lost.slice(1).filter((ms) => ms < 1000 - 3 * Math.max(...[0, 1, 2, 3].map(step)))).toEqual([])
  })

  test("where writing takes longer than the interval, half of the time is the run's own", async () => {
    const w = clockwork(1000, () => 10, 2000)
    await checkpointedRun(w.open, {}, new Checkpoints(order("slow", 1), () => false, nobody, { now: w.clock }))
    // 10 s of steps: the first state after at most 1 s, then 2 s of writing and 2 s of steps alternately
    expect(w.states.length).toBeGreaterThanOrEqual(4)
    expect(w.states.length).toBeLessThanOrEqual(5)
  })
})

test("seconds are those of all processes, each up to the state from which the next one continues", async () => {
  const w = clockwork(10, () => 1000, 0)
  const said: string[] = []
  /** A process that began 500 ms before its run, and is killed in the step that begins at this cycle. */
  const process = async (until: number) => {
    w.kill(until)
    w.wait(60_000)
    const started = w.clock()
    w.wait(500)
    const keeper = new Checkpoints(
      order("sum", 0.001),
      () => false,
      (text) => said.push(text),
      { now: w.clock, started },
    )
    const result = await checkpointedRun(w.open, {}, keeper).catch((e) => (e === dead ? undefined : Promise.reject(e)))
    return { result: result?.fingerprint, seconds: keeper.seconds }
  }
  // a state after every step of 1 s: the killed ones have done one more, which no later process counts
  expect(await process(3)).toEqual({ result: undefined, seconds: 0.5 + 4 })
  expect(await process(6)).toEqual({ result: undefined, seconds: 0.5 + 3 + 0.5 + 4 })
  expect(await process(10)).toEqual({ result: "10", seconds: 0.5 + 3 + 0.5 + 3 + 0.5 + 4 })
  expect(said).toEqual([3, 6].map((cycle) => `Run aa continues from its checkpoint at cycle ${cycle}.`))
})
