import { describe, expect, test } from "vitest"
import { classifyStall, type Look, type StalledState, stallLimitOf } from "./verdict.ts"

const patience = stallLimitOf(10)
const still: Look = { cycles: patience, moved: 0, before: true }
const full: StalledState = { underWay: 12, waiting: 6, onLinks: 0, timers: 0 }

test("the limit is 4,096 cycles, or four traversals of the longest link plus its timers", () => {
  expect(stallLimitOf(10)).toBe(4096)
  expect(stallLimitOf(20_000)).toBe(80_000)
  expect(stallLimitOf(20_000, 50_000)).toBe(130_000)
})

describe("a network in which nothing moves", () => {
  test("is deadlocked, in words, when buffers are full, no link is in use and no timer is due", () => {
    const verdict = classifyStall(full, still, patience)
    expect(verdict).toMatchObject({ kind: "deadlock" })
    expect("words" in verdict && verdict.words).toContain(
      "no flit moved for 4096 cycles while 12 packets were in flight",
    )
    expect("words" in verdict && verdict.words).toContain("6 buffers hold packets")
  })
  test("only waits while something is on a link, or a timer is due", () => {
    expect(classifyStall({ ...full, onLinks: 1 }, still, patience)).toMatchObject({ kind: "waits" })
    expect(classifyStall({ ...full, timers: 1 }, still, patience)).toMatchObject({ kind: "waits" })
  })
  test("is starved, not deadlocked, when no buffer holds a packet", () => {
    expect(classifyStall({ ...full, waiting: 0 }, still, patience)).toMatchObject({ kind: "starved" })
  })
  test("is not judged before its time, nor for packets that were only just created, nor when it is empty", () => {
    expect(classifyStall(full, { ...still, cycles: patience - 1 }, patience).kind).toBe("moves")
    expect(classifyStall(full, { ...still, before: false }, patience).kind).toBe("moves")
    expect(classifyStall({ ...full, underWay: 0, waiting: 0 }, still, patience).kind).toBe("moves")
  })
})

test("a cycle of packets is a deadlock at once, although other packets move and links are in use", () => {
  const circle = ["deadlock: 4 packets wait for one another in a cycle"]
  const verdict = classifyStall({ ...full, onLinks: 5, circle }, { cycles: 100, moved: 250, before: true }, patience)
  expect(verdict).toEqual({
    kind: "deadlock",
    words: `12 packets were in flight, and in the 100 cycles before, 2.50 flits per cycle moved\n${circle[0]}`,
  })
})
