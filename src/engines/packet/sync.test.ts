// One model, three synchronisations, any number of workers, any order of stepping: the same state in the end. PHOLD.
import { describe, expect, it } from "vitest"
import { Draws } from "../../core/rng.ts"
import { shareChannels } from "./channels.ts"
import { EPOCH } from "./memory.ts"
import { type PholdParams, pholdLoop, TICK } from "./phold.ts"
import { stepAll } from "./single-thread.ts"
import { noStats, nulls, optimistic, type Sync, windows } from "./sync.ts"
import type { WorkerLoop } from "./worker.ts"

const base: PholdParams = { lps: 64, starts: 2, remote: 0.4, lookahead: 0.1, seed: 5 }

function alone(p: PholdParams, until: number): { hash: number; events: number } {
  const loop = pholdLoop(p)
  loop.start()
  loop.run((until >> loop.shift) << loop.shift)
  return { hash: loop.hash(), events: loop.events() }
}

interface Storm {
  readonly window?: number
  readonly interval?: number
  readonly batch?: number
  readonly seed?: number
  readonly logWords?: number
  readonly ringWords?: number
  /** keeps a log of every event, also of those that the look-ahead makes certain */
  readonly all?: boolean
}

function crew(p: PholdParams, until: number, sync: Sync, workers: number, storm: Storm = {}) {
  const owner = Uint8Array.from({ length: p.lps }, (_, lp) => Math.floor((lp * workers) / p.lps))
  const channels = shareChannels(workers, storm.ringWords ?? 1 << 12)
  const optimist = sync === "optimistic"
  const loops = Array.from({ length: workers }, (_, me) =>
    pholdLoop(p, { me, owner, channels, ...(optimist ? { logWords: storm.logWords ?? 1 << 10 } : {}) }),
  )
  const stats = noStats()
  const shift = loops[0].shift
  const end = (until >> shift) << shift
  const ahead = (Math.round(p.lookahead * TICK) >> shift) << shift
  const steps = loops.map((loop) => {
    const w = loop as WorkerLoop<unknown>
    if (sync === "windows") return windows(w, end, ahead, stats)
    if (sync === "nulls") return nulls(w, end, new Array(workers).fill(ahead), ahead, stats)
    const { window = 2 * TICK, interval = 500, batch = 4, all = false } = storm
    return optimistic(w, end, { window, interval, batch, ahead: all ? 0 : ahead }, stats)
  })
  for (const l of loops) l.start()
  const rng = new Draws(storm.seed ?? 1)
  stepAll(steps, storm.seed === undefined ? undefined : (n) => rng.below(n))
  const counts = loops.map((l) => l.history?.counts)
  return {
    hash: loops.reduce((h, l) => (h + l.hash()) >>> 0, 0),
    events: optimist ? counts.reduce((n, c) => n + c!.committed, 0) : loops.reduce((n, l) => n + l.events(), 0),
    rolledBack: counts.reduce((n, c) => n + (c?.rolledBack ?? 0), 0),
    cancels: loops.reduce((n, l) => n + (l as WorkerLoop<unknown>).channels.cancels, 0),
    stats,
  }
}

describe("PHOLD", () => {
  const until = 20 * TICK
  const truth = alone(base, until)

  it("executes about one event for each start and mean delay", () => {
    // 128 pending events, each replaced after 1.0 on average, for 20
    expect(truth.events / (128 * 20)).toBeCloseTo(1, 1)
  })

  for (const sync of ["windows", "nulls", "optimistic"] as const) {
    for (const workers of [1, 2, 3, 4, 8]) {
      it(`${sync} on ${workers}: the same`, () => {
        const got = crew(base, until, sync, workers)
        expect([got.hash, got.events]).toEqual([truth.hash, truth.events])
        if (sync === "optimistic" && workers > 1) {
          expect(got.rolledBack).toBeGreaterThan(0)
          expect(got.cancels).toBeGreaterThan(0)
        }
      })
    }
  }

  it("where all events tie", () => {
    const tied = { ...base, lookahead: 1 }
    const one = alone(tied, until)
    for (const sync of ["windows", "nulls", "optimistic"] as const)
      expect(crew(tied, until, sync, 4).hash).toBe(one.hash)
  })

  it("another seed is another state", () => {
    expect(alone({ ...base, seed: 6 }, until).hash).not.toBe(truth.hash)
  })

  it("rollback storms change nothing", () => {
    // tiny rings, logs and intervals, far optimism, workers stepped at random so that some lag far behind
    for (let seed = 1; seed <= 12; seed++) {
      const storm = {
        seed,
        window: [0.05, 1, 10][seed % 3] * TICK,
        interval: [1, 7, 100][seed % 3],
        batch: 1 + (seed % 5),
        logWords: 64,
        ringWords: 64,
        all: seed % 2 === 1,
      }
      const got = crew(base, until, "optimistic", 2 + (seed % 4), storm)
      expect([got.hash, got.events]).toEqual([truth.hash, truth.events])
    }
  })

  it("an epoch passes", () => {
    const long = alone({ ...base, lps: 4 }, 1000 * TICK)
    const loop = pholdLoop({ ...base, lps: 4 })
    loop.start()
    let t = 0
    for (const part of [300, 500, 700, 1000]) {
      t = part * TICK
      loop.run((t >> loop.shift) << loop.shift)
    }
    expect(loop.hash()).toBe(long.hash)
    expect(t).toBeLessThan(EPOCH)
  })
})
