import { expect, test } from "vitest"
import { hasFailed, isSaturated, isShort } from "./saturation.ts"

test("with an interval: short by more than four standard errors (twice the half width) and by more than 0.5 %", () => {
  expect(isShort({ offered: 0.5, accepted: 0.49, half: 0.004 })).toBe(true)
  expect(isShort({ offered: 0.5, accepted: 0.49, half: 0.006 })).toBe(false)
  expect(isShort({ offered: 0.5, accepted: 0.498, half: 0.0001 })).toBe(false)
  expect(isShort({ offered: 0.5, accepted: 0.51, half: 0.001 })).toBe(false)
})

test("without one: short by more than 5 %, and by more than the noise of a count, 4 / sqrt(packets)", () => {
  expect(isShort({ offered: 0.5, accepted: 0.47 })).toBe(true)
  expect(isShort({ offered: 0.5, accepted: 0.48 })).toBe(false)
  // 4 / sqrt(400) = 20 %
  expect(isShort({ offered: 0.5, accepted: 0.41, packets: 400 })).toBe(false)
  expect(isShort({ offered: 0.5, accepted: 0.39, packets: 400 })).toBe(true)
})

test("nothing offered, or no number: not short", () => {
  expect(isShort({ offered: 0, accepted: 0 })).toBe(false)
  expect(isShort({ offered: 0.5, accepted: Number.NaN })).toBe(false)
})

test("a run that drained a window of which 0.031 of 0.081 was accepted is saturated, whatever ended it", () => {
  const values = { offered: 0.081, accepted: 0.031, packets: 10_000 }
  for (const why of ["drained", "cycles", "saturated"]) expect(isSaturated(why, values)).toBe(true)
})

test("a network that stands still is not saturated; it has failed, and so has one that gave packets up", () => {
  const values = { offered: 0.9, accepted: 0, packets: 0 }
  expect([isSaturated("deadlock", values), hasFailed("deadlock", values)]).toEqual([false, true])
  expect([isSaturated("starved", values), hasFailed("starved", values)]).toEqual([false, true])
  const lossy = { offered: 0.2, accepted: 0.2, packets: 1e6, abandoned: 3 }
  expect([isSaturated("steady", lossy), hasFailed("steady", lossy)]).toEqual([false, true])
})

test("few measured packets do not hide that most of the load was created and has not arrived", () => {
  // 0.7 of 0.9 is missing: 4 / sqrt(5) = 1.8 standard errors would allow 1.6.
  expect(isShort({ offered: 0.9, created: 0.9, accepted: 0.2, packets: 5 })).toBe(true)
  // 0.3 of 0.9 is less than half, and five packets say nothing about it.
  expect(isShort({ offered: 0.9, created: 0.9, accepted: 0.6, packets: 5 })).toBe(false)
  // No packet of the window arrived, so it may be too short; or the created load is not known.
  expect(isShort({ offered: 0.9, created: 0.9, accepted: 0.2, packets: 0 })).toBe(false)
  expect(isShort({ offered: 0.9, accepted: 0.2, packets: 5 })).toBe(false)
})
