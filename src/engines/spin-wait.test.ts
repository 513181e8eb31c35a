// The number of polls before a worker sleeps, counted at Atomics.load: each poll loads two words.
import { afterEach, expect, test, vi } from "vitest"
import { SpinWait } from "./spin-wait.ts"

afterEach(() => vi.restoreAllMocks())

/** Polls of each of `times` waits for a word that does not change. */
function polls(wait: SpinWait, times: number): number[] {
  const words = new Int32Array(2)
  const load = vi.spyOn(Atomics, "load")
  const counts = Array.from({ length: times }, () => {
    load.mockClear()
    expect(wait.look(words, 0, 0, 1, 0)).toBe(false)
    return load.mock.calls.length / 2
  })
  load.mockRestore()
  return counts
}

test("a worker with a core of its own polls 20,000 times, and half as long after each unsuccessful poll", () => {
  expect(polls(new SpinWait(false), 6)).toEqual([20_000, 10_000, 5000, 2500, 2000, 2000])
})

test("a successful poll extends the next one by an eighth", () => {
  const wait = new SpinWait(false)
  polls(wait, 4)
  // 2000 polls are next; the word differs at once, so they become 2250
  expect(wait.look(Int32Array.of(7, 0), 0, 0, 1, 0)).toBe(true)
  expect(polls(wait, 1)).toEqual([2250])
})

test("a worker of a group with more workers than cores polls once, however often it succeeds", () => {
  const wait = new SpinWait(true)
  expect(polls(wait, 3)).toEqual([1, 1, 1])
  for (let i = 0; i < 20; i++) expect(wait.look(Int32Array.of(7, 0), 0, 0, 1, 0)).toBe(true)
  expect(polls(wait, 1)).toEqual([1])
})
