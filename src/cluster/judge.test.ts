// Files are the truth, the scheduler is advice.
import { describe, expect, test } from "vitest"
import type { Look, Seen } from "./executor.ts"
import { Judge } from "./judge.ts"
import type { TaskFiles } from "./task-state.ts"

const none: TaskFiles = { begun: false, writer: "none", silent: Infinity, stored: 0, failed: 0 }
const alive: TaskFiles = { ...none, begun: true, writer: "alive", silent: 3 }
const silent: TaskFiles = { ...none, begun: true, writer: "alive", silent: 300 }
const gone: TaskFiles = { ...none, begun: true, writer: "gone", silent: 3 }
const over: TaskFiles = { ...gone, ended: { why: "done", seconds: 1, says: [] } }
const row = (state: Seen["state"], word = "", reason = ""): Look => new Map([[7, { state, word, reason }]])
const empty: Look = new Map()

/** States after looks at these seconds. */
function judged(e: TaskFiles, looks: readonly (Look | undefined)[], every = 10, blind = false): string[] {
  const judge = new Judge({ blind }, 60)
  return looks.map((look, i) => judge.judge(e, 7, look, i * every).state)
}

describe("a task", () => {
  test("that has said its last word is over, whatever the queue says", () => {
    expect(judged(over, [row("running"), row("ended", "FAILED"), empty, undefined])).toEqual([
      "done",
      "done",
      "done",
      "done",
    ])
  })
  test("that shows life is running, whatever the queue says", () => {
    expect(
      judged(alive, [
        row("ended", "NODE_FAIL"),
        row("ended", "NODE_FAIL"),
        row("waiting"),
        undefined,
        ...new Array(9).fill(empty),
      ]),
    ).toEqual(new Array(13).fill("running"))
  })
  test("is lost when the scheduler says twice that it has ended, and no last word is there", () => {
    expect(judged(gone, [row("ended", "FAILED"), row("ended", "FAILED")])).toEqual(["running", "lost"])
    // a node that is gone cannot release its lock
    expect(judged(silent, [row("ended", "NODE_FAIL"), row("ended", "NODE_FAIL")])).toEqual(["running", "lost"])
    // started again in between
    expect(judged(none, [row("ended", "PREEMPTED"), row("waiting"), row("ended", "PREEMPTED")])).toEqual([
      "running",
      "waiting",
      "running",
    ])
    expect(new Judge({}, 60, 1).judge(gone, 7, row("ended", "TIMEOUT", "TimeLimit"), 0)).toEqual({
      state: "lost",
      reason: "TIMEOUT, TimeLimit",
    })
  })
  test("is not lost because the scheduler does not respond", () => {
    expect(judged(none, new Array(50).fill(undefined))).toEqual(new Array(50).fill("waiting"))
    expect(judged(silent, new Array(50).fill(undefined))).toEqual(new Array(50).fill("running"))
  })
  test("is not lost because the queue is empty for a moment, but when it stays so", () => {
    // limit of 60 s, a poll every 10 s: the first at 0 s
    expect(judged(none, new Array(8).fill(empty))).toEqual([...new Array(6).fill("waiting"), "lost", "lost"])
    expect(judged(none, [empty, empty, empty, row("waiting"), empty, empty, empty, empty])).toEqual(
      new Array(8).fill("waiting"),
    )
    // two looks far apart are no proof
    expect(judged(none, [empty, empty], 600)).toEqual(["waiting", "waiting"])
  })
  test("without a poll command is lost when its writer is certainly gone", () => {
    expect(judged(gone, [undefined], 10, true)).toEqual(["lost"])
    expect(judged(none, new Array(20).fill(undefined), 10, true)).toEqual(new Array(20).fill("waiting"))
  })
})
