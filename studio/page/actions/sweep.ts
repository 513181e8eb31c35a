// The sweep: all runs of the plan, several at a time, each in an engine of its own, so that the shown network is not
// disturbed. The curves fill in point by point, and runs can be stopped.
import { effect, untracked } from "@preact/signals"
import type { RunResult } from "../../../src/model/experiment.ts"
import type { Opened } from "../../shared/messages.ts"
import type { Planned, PlannedHere } from "../../shared/planner.ts"
import { Engine } from "../client.ts"
import * as s from "../state.ts"
import { runsCode } from "./code.ts"
import { fail, plainPlanner, trying } from "./common.ts"
import { addFinished } from "./engines.ts"
import { choose } from "./experiment.ts"
import { openRow } from "./results.ts"
import { play } from "./time.ts"

/** Maximum number of engines, and the channels of a network that is too large for more than one. */
const MOST_ENGINES = 8
const LARGE = 100_000

/** [hash] -> stops the engine that simulates this run. */
const stops = new Map<string, () => void>()

// Another plan has other runs.
effect(() => {
  void s.planned.value
  untracked(() => {
    stopSweep()
    s.tasks.value = {}
  })
})

function setTask(hash: string, task: s.Task | undefined): void {
  const { [hash]: _, ...others } = s.tasks.value
  s.tasks.value = task === undefined ? others : { ...others, [hash]: task }
}

/** Simulates all runs of the plan that are not finished, stopped or failed. */
export async function sweep(): Promise<void> {
  const { value: plan } = s.planned
  if (plan === undefined || s.complaints.value.length > 0 || s.sweeping.value) return
  s.sweeping.value = true
  const isLarge = (s.sides.value[0]?.opened.scene.chans ?? 0) > LARGE
  const count = isLarge ? 1 : Math.max(1, Math.min(MOST_ENGINES, navigator.hardwareConcurrency - 1))
  await Promise.all(Array.from({ length: count }, () => work(plan)))
  if (s.planned.value === plan) s.sweeping.value = false
}

async function work(plan: Planned): Promise<void> {
  const seeds = new Map(plan.runs.map(({ seed }) => [seed, 0]))
  // The first seed of every point comes first, so that all curves are seen early.
  for (const [i, seed] of [...seeds.keys()].entries()) seeds.set(seed, i)
  const runs = plan.runs.toSorted((a, b) => seeds.get(a.seed)! - seeds.get(b.seed)!)
  for (;;) {
    const done = new Set(s.finished.value.map((f) => f.hash))
    const run = runs.find(({ hash }) => s.tasks.value[hash] === undefined && !done.has(hash))
    if (run === undefined || !s.sweeping.value || s.planned.value !== plan) return
    await simulate(run)
  }
}

/** Simulates a run in a fresh worker, because a second simulation in the same JavaScript isolate is slower. */
async function simulate(run: PlannedHere): Promise<void> {
  const { hash, spec } = run
  const code = runsCode()
  const engine = new Engine("engine of the sweep", code)
  setTask(hash, { state: "running" })
  let limit = 0
  const result = new Promise<RunResult | undefined>((resolve, reject) => {
    engine.tell = (m) => {
      if (m.kind === "ended") resolve(m.result)
      else if (m.kind === "progress" && stops.has(hash)) setTask(hash, { state: "running", status: m.status, limit })
    }
    engine.died = (why) => reject(new Error(why))
    stops.set(hash, () => {
      stops.delete(hash)
      resolve(undefined)
      engine.close()
    })
  })
  try {
    const started = engine.ask<Opened>({ do: "open", spec, files: s.files.value, code }).then((opened) => {
      limit = opened.limit
      return engine.ask({ do: "sweep" })
    })
    const [ended] = await Promise.all([result, started])
    if (ended === undefined) return
    setTask(hash, undefined)
    addFinished({ ...run, result: ended })
  } catch (e) {
    // A stopped engine rejects its requests.
    if (!stops.has(hash)) return
    setTask(hash, { state: "failed", says: e instanceof Error ? e.message : String(e) })
    fail(e)
  } finally {
    stops.delete(hash)
    engine.close()
  }
}

export function openSweep(): void {
  s.sheet.value = true
  s.tab.value = "run"
}

/** Stops the sweep. Its runs begin again if it is continued. */
export function stopSweep(): void {
  s.sweeping.value = false
  for (const [hash, stop] of stops) {
    stop()
    setTask(hash, undefined)
  }
}

/** Leaves runs out of the sweep, or stops them. */
export function stopRuns(hashes: readonly string[]): void {
  for (const hash of hashes) {
    setTask(hash, { state: "stopped" })
    stops.get(hash)?.()
  }
}

/** Takes a stopped or failed run into the sweep again. */
export async function resumeRun(hash: string): Promise<void> {
  setTask(hash, undefined)
  await sweep()
}

/** Opens a run of the plan or of stored results in the picture of the network, and plays it. */
export async function openPoint(id: string): Promise<void> {
  const index = s.planned.value?.runs.findIndex((run) => run.hash === id) ?? -1
  const row = s.results.value?.rows.find((r) => r.id === id)
  if (index >= 0) await choose(index)
  else if (row !== undefined) await openRow(row)
  s.sheet.value = false
  await play()
}

/** Draws the figures of the finished runs, as the report does. */
export async function drawFigures(): Promise<void> {
  s.figures.value =
    (await trying("drawing …", () =>
      plainPlanner().ask<readonly string[]>({ do: "figures", finished: s.finished.value, dark: false }),
    )) ?? []
}
