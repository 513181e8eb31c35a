import { describe, expect, test } from "vitest"
import { type ChannelFacts, judgeStanding, type Look, patienceOf, type Standing, standingChannels } from "./verdict.ts"

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

/** Routers 0 to 3 in a ring, channel c from c to c + 1; channel 4 leads from router 0 to an endpoint, 5 from 4 into router 0. */
function ring(wanted: readonly number[], moving: readonly number[]): ChannelFacts {
  const from = [0, 1, 2, 3, 0, 4]
  const to = [1, 2, 3, 0, -1, 0]
  return {
    wanted,
    moved: (c) => moving.includes(c),
    routerOf: (c) => from[c]!,
    leadsTo: (c) => to[c]!,
    label: (c) => `channel ${c}`,
  }
}

describe("channels that wait for one another", () => {
  test("a full ring, and one that waits to enter it", () => {
    const words = standingChannels(ring([0, 1, 2, 3, 5], []), 5000)
    expect(words?.[0]).toBe("deadlock: 4 channels wait for one another in a circle, 5 have sent nothing for 5000 cycles and never will")
    expect(words).toHaveLength(5)
    expect(words).toContain("channel 3 waits for room behind it, where packets wait for channel 0")
  })
  test("told in the order of the network, in whatever order its buffers are looked at", () => {
    expect(standingChannels(ring([5, 2, 0, 3, 2, 1], []), 5000)).toEqual(standingChannels(ring([0, 1, 2, 3, 5], []), 5000))
  })
  test("one channel of the ring moves: it, and then all others, are excused", () => {
    expect(standingChannels(ring([0, 1, 2, 3], [2]), 5000)).toBeUndefined()
  })
  test("a tree behind a slow endpoint is none: endpoints always take what comes", () => {
    expect(standingChannels(ring([3, 4, 5], []), 5000)).toBeUndefined()
  })
  test("nor is a ring with a router in which nothing stands: what went there is still on its way", () => {
    expect(standingChannels(ring([0, 1, 3], []), 5000)).toBeUndefined()
  })
})
