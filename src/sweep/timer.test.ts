import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { after } from "./timer.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test("3,000,000 s, which is more than 2^31 ms: not before, and then once", () => {
  let fired = 0
  after(3e9, () => fired++)
  vi.advanceTimersByTime(3e9 - 1)
  expect(fired).toBe(0)
  vi.advanceTimersByTime(1)
  expect(fired).toBe(1)
  vi.advanceTimersByTime(6e9)
  expect(fired).toBe(1)
})

test("cancelled in its second turn it never fires", () => {
  let fired = 0
  const cancel = after(2500, () => fired++, 1000)
  vi.advanceTimersByTime(1500)
  cancel()
  vi.advanceTimersByTime(5000)
  expect([fired, vi.getTimerCount()]).toEqual([0, 0])
})
