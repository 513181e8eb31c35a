import { describe, expect, it } from "vitest"
import { type Kernel, WAKE } from "../../model/events.ts"
import { layLists, makeLists } from "./credit-lists.ts"
import { Memory } from "./memory.ts"

const SLOT = 0
const LP = 0

/** One slot that holds one chunk; what the process does is written down, and words that it noted can be put back. */
function slotOfOne() {
  const memory = new Memory()
  const at = layLists(memory, 1, 1)
  const mem = memory.allocate()
  const wakes: number[] = []
  const rollbacks: number[] = []
  const log: [at: number, old: number][] = []
  let horizon = 0
  const kernel: Kernel = {
    mem,
    alloc: () => 0,
    release() {},
    push(_e, t, key) {
      expect(key).toBe(WAKE | SLOT)
      wakes.push(t)
    },
    epoch: () => 0,
    since: () => 0,
    undo: true,
    note: (i) => log.push([i, mem[i]]),
    noteRange() {},
  }
  const credits = makeLists(
    kernel,
    at,
    0,
    Uint16Array.of(1),
    { from: 1, by: 0 },
    {
      lpOfSlot: () => LP,
      rollback: (_lp, t) => rollbacks.push(t),
      keeps: () => true,
      horizon: () => horizon,
      gave() {},
      remote: () => false,
    },
  )
  /** A chunk takes the slot, another waits from time 10 on, and the credit of time 20 ends its wait. */
  function waitUntil20(): () => void {
    credits.take(SLOT)
    expect(credits.hasCredits(SLOT, 10)).toBe(false)
    credits.wait(SLOT, 10)
    credits.add(SLOT, 20)
    expect(wakes).toEqual([20])
    const before = log.length
    expect(credits.woken(SLOT, 20)).toBe(true)
    credits.take(SLOT)
    credits.rest(SLOT)
    return () => {
      for (const [i, old] of log.splice(before).reverse()) mem[i] = old
    }
  }
  return {
    credits,
    wakes,
    rollbacks,
    waitUntil20,
    setHorizon(t: number) {
      horizon = t
    },
  }
}

describe("a wait that has ended", () => {
  it("may be undone: a credit that came after its end wakes who waits again", () => {
    const { credits, wakes, waitUntil20 } = slotOfOne()
    const undo = waitUntil20()
    credits.add(SLOT, 25)
    undo()
    credits.drop(SLOT, 20)
    expect(credits.waiting(SLOT)).toBe(true)
    // the wake-up of 20 finds no credit; that of 25 must be there
    expect(credits.woken(SLOT, 20)).toBe(false)
    expect(wakes).toContain(25)
    expect(credits.woken(SLOT, 25)).toBe(true)
  })

  it("would have ended sooner with a credit that comes late", () => {
    const { credits, wakes, waitUntil20 } = slotOfOne()
    waitUntil20()
    // scheduled in the past of the process, which the kernel rolls back for it
    credits.add(SLOT, 15)
    expect(wakes).toContain(15)
  })

  it("a credit after a certain end of the stall wakes no chunk", () => {
    const { credits, wakes, rollbacks, setHorizon, waitUntil20 } = slotOfOne()
    waitUntil20()
    setHorizon(21)
    credits.add(SLOT, 25)
    expect(wakes).toEqual([20])
    expect(rollbacks).toEqual([])
  })
})
