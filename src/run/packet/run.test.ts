// The mode matrix: every synchronisation, 1 to 8 workers, any order of stepping: the same deliveries to the last bit.
// Each network has two of the four numbers of workers and of the four rollback storms (LACEWING_WHOLE=1: all).
import { describe, expect, it } from "vitest"
import { sampled } from "../../../test/support/sample.ts"
import { type PacketNetwork, packetMachine } from "../../compile/packet/machine.ts"
import { Draws } from "../../core/rng.ts"
import { hashOf, RECORD } from "../../engines/packet/delivery-records.ts"
import { stepAll } from "../../engines/packet/single-thread.ts"
import { noStats } from "../../engines/packet/sync.ts"
import { codesEntries, codesNetwork } from "../../reproduce/peers/codes/experiments.ts"
import type { Quirk } from "../../reproduce/peers/codes/network.ts"
import { type Mode, PacketWorkers, sideOf, stepsOf, type WorkersOptions, wholeBuckets, workersPlan } from "./run.ts"

function entry(id: string) {
  return codesEntries().find((e) => e.id === id)!
}

function outcome(n: PacketNetwork, mode: Mode, until: number, o: WorkersOptions = {}) {
  let hash = 0
  let count = 0
  let latest = 0
  const run = new PacketWorkers(
    n,
    mode,
    () => (rows, rowCount) => {
      for (let i = 0, at = 0; i < rowCount; i++, at += RECORD.words) {
        hash = (hash + hashOf(rows, at)) | 0
        latest = Math.max(latest, rows[at])
        count++
      }
    },
    o,
  )
  run.advance(until / 2)
  run.advance(until)
  return { hash, count, latest, stats: run.stats() }
}

/** The same with machines that warm up for half of the time; `played`: what each of them delivered then. */
function warmed(n: PacketNetwork, mode: Exclude<Mode, { sync: "sequential" }>, until: number) {
  let hash = 0
  let count = 0
  const drain = (rows: Int32Array, rowCount: number) => {
    for (let i = 0, at = 0; i < rowCount; i++, at += RECORD.words) hash = (hash + hashOf(rows, at)) | 0
    count += rowCount
  }
  const plan = workersPlan(n, mode, 256)
  const machines = Array.from({ length: mode.workers }, (_, me) => packetMachine(n, drain, sideOf(plan, me)))
  const played: number[][] = []
  for (const m of machines) {
    m.warmUp(wholeBuckets(until / 2, m.shift), Number.POSITIVE_INFINITY)
    played.push([hash, count])
    hash = 0
    count = 0
    expect([m.events(), m.inUse(), m.pending()]).toEqual([0, 0, 0])
    m.start()
  }
  stepAll(machines.map((m) => stepsOf(plan, m, wholeBuckets(until, m.shift), noStats())))
  for (const m of machines) m.flush()
  return { hash, count, played }
}

const networks: Record<string, () => PacketNetwork> = {
  "Slim Fly, adaptive, credits of 0.6 ns": () => codesNetwork(entry("sf50_adaptive_u0.7"), 1),
  "Slim Fly, minimal, credits of 90 ns": () =>
    codesNetwork(entry("sf50_minimal_u0.9"), 1, new Set<Quirk>(["credits", "jitter", "order"])),
  "Fit Fly, two rails": () => codesNetwork({ ...entry("sf50_adaptive_u0.9"), rails: 2, load: 1.6 }, 4),
  "Fit Fly, three rails by path, 90 ns": () =>
    codesNetwork(
      { ...entry("sf50_minimal_u0.9"), rails: 3, load: 2, select: "path" },
      5,
      new Set<Quirk>(["credits", "endRate"]),
    ),
  "dragonfly, VCs round-robin": () => codesNetwork(entry("dfd72_prog-adaptive_u0.7"), 2),
  "dragonfly+, early commit": () => codesNetwork(entry("dfp80_non-minimal-leaf_u0.7"), 3),
}

describe("modes of the packet engine agree", () => {
  const until = 4_000_000
  for (const [row, [name, network]] of Object.entries(networks).entries()) {
    const truth = outcome(network(), { sync: "sequential" }, until)
    const first = outcome(network(), { sync: "sequential" }, until / 2)
    const half = [first.hash, first.count]
    it(`${name}: something happens`, () => expect(truth.count).toBeGreaterThan(100))
    for (const [column, sync] of (["windows", "nulls", "optimistic"] as const).entries()) {
      for (const workers of sampled([1, 2, 4, 8], 2, row + column)) {
        it(`${name}: ${sync} on ${workers}`, () => {
          // optimistic: far beyond any look-ahead, so that it errs
          const got = outcome(network(), { sync, workers, optimism: { window: 500_000 } }, until)
          expect([got.hash, got.count, got.latest]).toEqual([truth.hash, truth.count, truth.latest])
          if (sync === "optimistic" && workers > 1) {
            expect(got.stats.rolledBack).toBeGreaterThan(0)
            expect(got.stats.cancels).toBeGreaterThan(0)
            expect(got.stats.committed).toBe(got.stats.events - got.stats.rolledBack)
          }
        })
      }
    }
    for (const sync of ["windows", "nulls", "optimistic"] as const)
      it(`${name}: ${sync} on 3 whose machines have played all of it alone before`, () => {
        const got = warmed(network(), { sync, workers: 3, optimism: { window: 500_000 } }, until)
        expect(got.played).toEqual([half, half, half])
        expect([got.hash, got.count]).toEqual([truth.hash, truth.count])
      })
    it(`${name}: rollback storms`, () => {
      for (const seed of sampled([1, 2, 3, 4], 2, row)) {
        const rng = new Draws(seed)
        const optimism = {
          window: [20_000, 300_000, 1_500_000, 600_000][seed - 1],
          interval: [1, 50, 1000, 7][seed - 1],
          batch: seed * seed,
        }
        const got = outcome(network(), { sync: "optimistic", workers: 1 + seed, optimism }, until, {
          pick: (n) => rng.below(n),
          ringWords: 256,
          logWords: 256,
        })
        expect([got.hash, got.count]).toEqual([truth.hash, truth.count])
      }
    })
  }

  it("dragonfly+ with early commit and last chunks of one byte frees channels within a local latency", () => {
    const network = () => codesNetwork({ ...entry("dfp80_non-minimal-leaf_u0.7"), chunk: 1024, payload: 2049 }, 3)
    const truth = outcome(network(), { sync: "sequential" }, 1_500_000)
    expect(truth.count).toBeGreaterThan(100)
    for (const sync of ["windows", "nulls", "optimistic"] as const) {
      const got = outcome(network(), { sync, workers: 2, optimism: { window: 100_000 } }, 1_500_000)
      expect([got.hash, got.count, got.latest]).toEqual([truth.hash, truth.count, truth.latest])
    }
  })

  it("one altered draw changes the hash", () => {
    const n = networks["dragonfly, VCs round-robin"]()
    expect(outcome({ ...n, seed: 3 }, { sync: "sequential" }, until).hash).not.toBe(
      outcome(n, { sync: "sequential" }, until).hash,
    )
  })
})
