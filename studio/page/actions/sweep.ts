// Runs all runs of the plan in the browser, and draws figures of the finished ones.
import type { RunResult } from "../../../src/model/experiment.ts"
import { Engine } from "../client.ts"
import * as s from "../state.ts"
import { runsCode } from "./code.ts"
import { fail, plainPlanner, trying } from "./common.ts"
import { addFinished } from "./engines.ts"

/**
 * Runs the plan one run after another in a separate engine, so that the shown network is not disturbed. The curve fills
 * in point by point.
 */
export async function sweep(): Promise<void> {
  const plan = s.planned.value
  if (plan === undefined || s.complaints.value.length > 0 || s.sweeping.value) return
  const code = runsCode()
  s.sweeping.value = true
  try {
    for (const run of plan.runs) {
      if (!s.sweeping.value || s.planned.value !== plan) break
      if (s.finished.value.some((f) => f.hash === run.hash)) continue
      // A fresh worker for each run, because a second simulation in the same JavaScript isolate is slower.
      const engine = new Engine("engine of the sweep", code)
      const result = new Promise<RunResult>((resolve, reject) => {
        engine.tell = (m) => void (m.kind === "ended" && resolve(m.result))
        engine.died = (why) => reject(new Error(why))
      })
      const started = engine
        .ask({ do: "open", spec: run.spec, files: s.files.value, code })
        .then(() => engine.ask({ do: "run" }))
      // An engine that crashes never replies, so its pending promises are rejected here.
      const [ended] = await Promise.all([result, started]).finally(() => engine.close())
      addFinished({ ...run, result: ended })
    }
  } catch (e) {
    fail(e)
  } finally {
    s.sweeping.value = false
  }
}

/** Draws the figures of the finished runs, as the report does. */
export async function drawFigures(): Promise<void> {
  s.figures.value =
    (await trying("drawing …", () =>
      plainPlanner().ask<readonly string[]>({ do: "figures", finished: s.finished.value, dark: false }),
    )) ?? []
}
