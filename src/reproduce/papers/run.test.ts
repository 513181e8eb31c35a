// Papers are run like any sweep: what is interrupted goes on from the state that was written down.
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as after } from "node:timers/promises"
import { afterAll, expect, test } from "vitest"
import { CHECKPOINTS } from "../../results/checkpoints.ts"
import type { RunExperiment } from "./paper.ts"
import { experimentRunner } from "./run.ts"

const folder = mkdtempSync(join(tmpdir(), "paper-run-"))
afterAll(() => rmSync(folder, { recursive: true }))

const experiment = {
  lacewing: 1,
  network: {
    topology: { name: "mesh", sides: "8x8" },
    routing: { name: "mesh.dimension-order" },
    switch: { name: "input-queued", vcs: 2, buffer: "8flits" },
  },
  traffic: [{ pattern: "uniform", load: 0.3, packet: "1flits" }],
  measure: { warmup: "100cycles", window: "25000cycles" },
}
const states = (out: string): readonly string[] =>
  existsSync(join(out, CHECKPOINTS)) ? readdirSync(join(out, CHECKPOINTS)) : []

/** A run in an empty folder, stopped as soon as it has written a state down. */
async function interrupted(out: string): ReturnType<RunExperiment> {
  rmSync(out, { recursive: true, force: true })
  const stop = new AbortController()
  const run = experimentRunner({ workers: 1, checkpoint: "1ms", signal: stop.signal })(experiment, out)
  const ended = run.then(() => true)
  while (!(await Promise.race([ended, after(1, false)]))) if (states(out).length > 0) stop.abort()
  return run
}

test("an interrupted run goes on from its state, and ends as one that was never stopped", async () => {
  const whole = await experimentRunner({ workers: 1 })(experiment, join(folder, "whole"))
  const out = join(folder, "parts")
  let stopped = await interrupted(out)
  // where nobody looked before the run had ended, it is run again
  while ("ok" in stopped) stopped = await interrupted(out)
  expect(stopped).toMatchObject({ bad: [{ says: "interrupted" }] })
  expect(states(out)).toHaveLength(1)
  const ended = await experimentRunner({ workers: 1 })(experiment, out)
  expect(states(out)).toHaveLength(0)
  if ("bad" in whole || "bad" in ended) throw new Error(JSON.stringify([whole, ended]))
  expect(ended.ok.map((r) => r.result.fingerprint)).toEqual(whole.ok.map((r) => r.result.fingerprint))
})
