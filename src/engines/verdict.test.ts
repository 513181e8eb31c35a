import { describe, expect, test } from "vitest"
import { judgeStanding, type Look, patienceOf, type Standing } from "./verdict.ts"

const patience = patienceOf(10)
const still: Look = { cycles: patience, moved: 0, before: true }
const full: Standing = { underWay: 12, waiting: 6, onWires: 0, timers: 0 }

test("patience: 4,096 cycles, or four crossings of the longest link and its timers", () => {
  expect(patienceOf(10)).toBe(4096)
  expect(patienceOf(20_000)).toBe(80_000)
  expect(patienceOf(20_000, 50_000)).toBe(130_000)
})

describe("a network in which nothing moves", () => {
  test("is deadlocked, in words, when buffers are full, no wire carries anything and no timer is due", () => {
    const verdict = judgeStanding(full, still, patience)
    expect(verdict).toMatchObject({ kind: "deadlock" })
    expect("words" in verdict && verdict.words).toContain("no flit moved for 4096 cycles while 12 packets were on their way")
    expect("words" in verdict && verdict.words).toContain("6 buffers hold packets")
  })
  test("only waits while something is on a wire, or a timer is due", () => {
    expect(judgeStanding({ ...full, onWires: 1 }, still, patience)).toMatchObject({ kind: "waits" })
    expect(judgeStanding({ ...full, timers: 1 }, still, patience)).toMatchObject({ kind: "waits" })
  })
  test("is starved, not deadlocked, when no buffer holds what is under way", () => {
    expect(judgeStanding({ ...full, waiting: 0 }, still, patience)).toMatchObject({ kind: "starved" })
  })
  test("is not judged before its time, nor for packets that were only just created, nor when it is empty", () => {
    expect(judgeStanding(full, { ...still, cycles: patience - 1 }, patience).kind).toBe("moves")
    expect(judgeStanding(full, { ...still, before: false }, patience).kind).toBe("moves")
    expect(judgeStanding({ ...full, underWay: 0, waiting: 0 }, still, patience).kind).toBe("moves")
  })
})

test("a circle is a deadlock although other packets move, at once and whatever is on wires", () => {
  const circle = ["deadlock: 4 packets wait for one another in a circle"]
  const verdict = judgeStanding({ ...full, onWires: 5, circle }, { cycles: 100, moved: 250, before: true }, patience)
  expect(verdict).toEqual({
    kind: "deadlock",
    words: `only 2.50 flits a cycle moved for 100 cycles while 12 packets were on their way\n${circle[0]}`,
  })
})
