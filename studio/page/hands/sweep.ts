// All runs of the plan, and figures of those that have ended.
import type { RunResult } from "../../../src/model/experiment.ts"
import { Engine } from "../client.ts"
import * as s from "../state.ts"
import { atDesk, fail, trying } from "./common.ts"
import { addFinished } from "./engines.ts"

/** All runs of the plan, one after the other, in an engine of its own: the curve fills in point by point. */
export async function sweep(): Promise<void> {
  const plan = s.planned.value
  if (plan === undefined || s.complaints.value.length > 0 || s.sweeping.value) return
  s.sweeping.value = true
  try {
    for (const run of plan.runs) {
      if (!s.sweeping.value || s.planned.value !== plan) break
      if (s.finished.value.some((f) => f.hash === run.hash)) continue
      // a fresh isolate: a second machine in one is slower
      const engine = new Engine("engine of the sweep")
      const result = new Promise<RunResult>((resolve, reject) => {
        engine.tell = (m) => void (m.kind === "ended" && resolve(m.result))
        engine.died = (why) => reject(new Error(why))
      })
      const started = engine
        .ask({ do: "open", spec: run.spec, files: s.files.value, code: false })
        .then(() => engine.ask({ do: "run", speed: Number.POSITIVE_INFINITY }))
      // an engine that dies answers nothing any more: whatever it owes ends here
      const [ended] = await Promise.all([result, started]).finally(() => engine.close())
      addFinished({ ...run, result: ended })
    }
  } catch (e) {
    fail(e)
  } finally {
    s.sweeping.value = false
  }
}

export async function drawFigures(): Promise<void> {
  s.figures.value =
    (await trying("drawing …", () => atDesk().ask<readonly string[]>({ do: "figures", finished: s.finished.value, dark: false }))) ?? []
}
