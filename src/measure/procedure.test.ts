// The state machine alone, over a network that is a formula: it creates and carries constant amounts per cycle.
import { describe, expect, test } from "vitest"
import { complain } from "../core/complaint.ts"
import type { Phase } from "./course.ts"
import { portIn } from "./packing.ts"
import type { MeasurePlan } from "./plan.ts"
import type { Port, RanksOfRun, WindowLoads } from "./port.ts"
import { Measurement } from "./procedure.ts"
import type { Saved } from "./saved.ts"
import type { Stopped } from "./termination.ts"

const automatic: MeasurePlan = {
  ...{ untilJobs: false, warmup: -1, window: -1, limit: 60_000, precision: 0.02, drain: "measured" },
  ...{ early: true, watch: 0, interval: 256, horizon: 60_000 },
}
const fixed: MeasurePlan = { ...automatic, warmup: 3000, window: 5000, limit: 20_000, early: false }

interface Formula {
  readonly offered: number
  /** most that it carries per cycle */
  readonly capacity: number
  readonly ranks?: RanksOfRun
  readonly stuck?: (now: number) => Stopped | undefined
  readonly late?: number
}

class FormulaPort implements Port {
  now = 0
  advances = 0
  quietAt = -1
  readonly pace = { inspect: 1024, drain: 64, jobs: 1024, anywhere: true }
  readonly watchdog = {
    look: () => undefined,
    ask: () => ({ kind: "moves" }) as const,
    suspects: () => undefined,
  }
  readonly ranks: RanksOfRun | undefined
  /** creation times of measured packets */
  limits = { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY }
  private opened = 0
  private closed = 0
  private readonly f: Formula

  constructor(f: Formula) {
    this.f = f
    this.ranks = f.ranks
  }
  get offered(): number {
    return this.f.offered
  }
  private get carried(): number {
    return Math.min(this.f.offered, this.f.capacity)
  }
  private waiting(at: number): number {
    return (this.f.offered - this.carried) * at
  }
  advance(to: number): void {
    this.advances++
    this.now = to
  }
  sample() {
    const traffic = this.carried * 256
    return { latency: 20, packets: traffic, all: traffic, traffic, waiting: this.waiting(this.now) }
  }
  window(limits: { readonly from?: number; readonly to?: number }): void {
    this.limits = { ...this.limits, ...limits }
  }
  open(): void {
    this.opened = this.now
  }
  close(): void {
    this.closed = this.now
  }
  counts(): WindowLoads {
    const cycles = this.closed - this.opened
    return { created: this.f.offered * cycles, accepted: this.carried * cycles, allCreated: this.f.offered * cycles }
  }
  measured(): number {
    return 1000
  }
  inFlight(to = 0): boolean {
    return this.now < to + (this.f.late ?? 0)
  }
  quiet(): void {
    this.quietAt = this.now
  }
  stuck(): Stopped | undefined {
    return this.f.stuck?.(this.now)
  }
  audit() {
    return this.f.offered < 0 ? [complain("here", "a flit is lost", "find it")] : []
  }
  save(): Saved {
    const { now, opened, closed } = this
    return { state: { now, opened, closed }, columns: {} }
  }
  restore(saved: Saved): void {
    Object.assign(this, portIn<{ now: number; opened: number; closed: number }>(saved))
  }
}

function outcome(f: Formula, plan: MeasurePlan) {
  const port = new FormulaPort(f)
  const m = new Measurement(port, plan)
  expect(m.step(Number.POSITIVE_INFINITY)).toBe(true)
  return { ...m.result(), port }
}
const phaseOf = (m: Measurement) => (m.save().state as { measure: { phase: Phase } }).measure.phase
const deadlock =
  (at: number) =>
  (now: number): Stopped | undefined =>
    now >= at ? { why: "deadlock", explains: "a circle" } : undefined

describe("ends", () => {
  test("a window of given length: exactly its cycles, then the drain in steps of 64", () => {
    // the last packet comes 100 cycles after the window, and the check after that is at 128
    const o = outcome({ offered: 0.5, capacity: 1, late: 100 }, fixed)
    expect([o.why, o.from, o.to, o.port.now, o.port.limits]).toEqual([
      "drained",
      3000,
      8000,
      8128,
      { from: 3000, to: 8000 },
    ])
    expect(o.created).toBe(2500)
  })
  test("a load that is carried ends steady, with packets of the window from a batch boundary on", () => {
    const o = outcome({ offered: 0.5, capacity: 1 }, automatic)
    expect([o.why, o.from % 256, o.half]).toEqual(["steady", 0, 0])
    // the accepted load does not vary
    expect(o.acceptedHalf).toBe(0)
  })
  test("a load above the capacity ends saturated; the window is as long as the time before it", () => {
    const o = outcome({ offered: 0.5, capacity: 0.4 }, automatic)
    expect(o.why).toBe("saturated")
    expect(o.to).toBeGreaterThanOrEqual(2 * o.from)
    expect(o.explains).toContain("20.0 %")
  })
  test("the limit ends it when nothing is known early: 4 of 5 accepted", () => {
    const o = outcome({ offered: 0.5, capacity: 0.4 }, { ...automatic, early: false, limit: 8000 })
    // 31 batches of 256 cycles fit into 8,000
    expect([o.why, o.to, o.explains]).toEqual(["saturated", 7936, "accepts 80.0 % of the offered load"])
  })
  test("jobs: checked every 1,024 cycles, without a created load", () => {
    let now = 0
    const ranks = { ranks: 4, waiting: () => "rank 3 waits", finished: () => (now >= 5000 ? 4 : 3) }
    const port = new FormulaPort({ offered: 0, capacity: 1, ranks, stuck: (t) => void (now = t) })
    const m = new Measurement(port, { ...automatic, untilJobs: true })
    m.step(Number.POSITIVE_INFINITY)
    expect(m.result()).toEqual({ why: "drained", explains: "all 4 ranks have ended by cycle 5120", from: 0, to: 5120 })
  })
})

describe("a run that stops", () => {
  test.each([
    ["warm up", 1000, automatic, { from: 0, to: 1024 }],
    // the window would begin later: what there is was counted from cycle 0
    ["lead", 2000, fixed, { from: 0, to: 2048 }],
    ["window", 5000, fixed, { from: 3000, to: 5048, created: 1024 }],
    ["jobs", 2000, { ...automatic, untilJobs: true }, { from: 0, to: 2048 }],
  ] as const)("in the phase %s has the counters until then", (phase, at, plan, window) => {
    const ranks = { ranks: 1, waiting: () => "", finished: () => 0 }
    const { port, ...o } = outcome({ offered: 0.5, capacity: 1, ranks, stuck: deadlock(at) }, plan)
    expect(o).toEqual({ why: "deadlock", explains: "a circle", ...window })
    const m = new Measurement(new FormulaPort({ offered: 0.5, capacity: 1, ranks }), plan)
    m.reach(at)
    expect(phaseOf(m)).toBe(phase)
  })
  test("while it drains keeps the counters of its window", () => {
    const o = outcome({ offered: 0.5, capacity: 1, late: 9000, stuck: deadlock(9000) }, fixed)
    expect([o.why, o.from, o.to, o.created]).toEqual(["deadlock", 3000, 8000, 2500])
  })
  test("because conservation is violated says where", () => {
    const m = new Measurement(new FormulaPort({ offered: -1, capacity: 1 }), fixed, { audit: true })
    expect(() => m.step(5000)).toThrow("conservation is violated: here: a flit is lost")
  })
})

describe("a run that pauses", () => {
  test("reaches a cycle exactly, and stays where it is when it is there", () => {
    const m = new Measurement(new FormulaPort({ offered: 0.5, capacity: 1 }), fixed)
    for (const cycle of [1, 1023, 1024, 1024, 1500, 1200]) m.reach(cycle)
    expect(m.port.now).toBe(1500)
    expect(m.port.advances).toBe(4)
  })
  test("advances in one call from inspection to inspection", () => {
    const m = new Measurement(new FormulaPort({ offered: 0.5, capacity: 1 }), { ...fixed, drain: "none" })
    m.step(Number.POSITIVE_INFINITY)
    // 3,000 cycles are 2 times 1,024 and a rest, 5,000 are 4 times 1,024 and a rest
    expect(m.port.advances).toBe(3 + 5)
  })
  test.each([
    ["steady", { offered: 0.5, capacity: 1 }, automatic],
    ["saturated", { offered: 0.5, capacity: 0.4 }, automatic],
    ["drained", { offered: 0.5, capacity: 1, late: 300 }, fixed],
  ] as const)("after every 100 cycles and continues in another measurement: %s", (why, f, plan) => {
    const { port, ...straight } = outcome(f, plan)
    expect(straight.why).toBe(why)
    let m = new Measurement(new FormulaPort(f), plan)
    while (!m.step(100)) {
      const saved = JSON.parse(JSON.stringify(m.save().state))
      const { columns } = m.save()
      m = new Measurement(new FormulaPort(f), plan)
      m.resume({ state: saved, columns })
    }
    expect(m.result()).toEqual(straight)
    expect(m.port.now).toBe(port.now)
  })
})
