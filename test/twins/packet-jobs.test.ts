// Ranks in the packet engine: messages take the time of their way, and one result comes of every synchronisation, with
// 1 to 8 workers, and after a save.
import { describe, expect, it } from "vitest"
import { PacketWorkers } from "../../src/run/packet/run.ts"
import { Kind } from "../../src/workloads/program.ts"
import { written } from "../../src/workloads/writer.ts"
import { hashes, type JobsRun, type JobWish, jobNetwork, reportOf, runJobs } from "../support/packet-jobs.ts"

const ring = (p: number, bytes: number, laps: number) =>
  written(p, (r, w) =>
    w.loop(laps, () => {
      if (r === 0) w.send(1, bytes)
      w.recv((r + p - 1) % p, bytes)
      if (r > 0) w.send((r + 1) % p, bytes)
    }),
  )
/** Neighbours in a ring of p, collectives and computing in between. */
const busy = (p: number, bytes: number, turns: number) =>
  written(p, (r, w) =>
    w.loop(turns, () => {
      w.compute(100_000 * (1 + (r % 3)))
      for (const [i, d] of [1, 5, p - 1, p - 5].entries()) {
        w.irecv((r + p - d) % p, bytes, i, 2 * i)
        w.isend((r + d) % p, bytes, i, 2 * i + 1)
      }
      w.wait([0, 1, 2, 3, 4, 5, 6, 7])
      w.collective(Kind.ALLREDUCE, 8)
    }),
  )

const us = 1e6

describe("times", () => {
  it("one message of one chunk: interface, link, router, link", () => {
    const n = jobNetwork({
      programs: [written(2, (r, w) => (r === 0 ? w.send(1, 4096) : w.recv(0, 4096)))],
      rails: { nic: "10ns" },
    })
    const { jobs, chunks } = runJobs(n, { sync: "sequential" }, 10 * us)
    expect(chunks).toBe(1)
    // same router: 10 ns, a chunk on the way in, a chunk on the way out, 90 ns of the router, a cycle (1 ns) for each
    // link
    const chunk = Math.round(4096 * (8e12 / (12.5 * 2 ** 30 * 8)))
    expect(jobs[0].ends[1]).toBe(10_000 + 2 * chunk + 90_000 + 2 * 1000)
    expect(jobs[0].ends[0]).toBe(0)
  })
  it("many chunks are one message; an empty one travels as its header; a send is over when it has left", () => {
    const n = jobNetwork({
      mpi: { eager: "1MiB", sends: "left" },
      programs: [
        written(2, (r, w) => {
          if (r === 0) {
            w.send(1, 100_000)
            w.send(1, 0)
          } else {
            w.recv(0, 100_000)
            w.recv(0, 0)
          }
        }),
      ],
      place: [0, 100],
    })
    const { jobs, chunks } = runJobs(n, { sync: "sequential" }, 100 * us)
    expect(chunks).toBe(26)
    expect(jobs[0].finished).toBe(2)
    expect(jobs[0].ends[0]).toBeGreaterThan(100_000 * 74)
    expect(jobs[0].sizes.map((s) => [s.bytes, s.messages])).toEqual([
      [1, 1],
      [131072, 1],
    ])
  })
  it("several ranks of one endpoint, and messages to oneself", () => {
    const n = jobNetwork({ programs: [busy(12, 20_000, 2)], place: [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3] })
    expect(runJobs(n, { sync: "sequential" }, 500 * us).jobs[0].finished).toBe(12)
  })
  it("computing of seconds, far beyond an epoch of the clock", () => {
    const n = jobNetwork({
      programs: [
        written(2, (r, w) => {
          w.compute(5e9)
          if (r === 0) w.send(1, 8)
          else w.recv(0, 8)
        }),
      ],
    })
    const { jobs } = runJobs(n, { sync: "sequential" }, 6e9)
    expect(jobs[0].finished).toBe(2)
    expect(jobs[0].ends[0]).toBe(5e9)
    expect(jobs[0].ends[1]).toBeGreaterThan(5e9)
  })
  it("two that wait for each other: nothing is left to happen, and they have not finished", () => {
    const n = jobNetwork({ programs: [written(2, (r, w) => w.recv(1 - r, 8))] })
    const { jobs, crew } = runJobs(n, { sync: "sequential" }, 10 * us)
    expect([jobs[0].finished, crew.idle()]).toEqual([0, true])
  })
})

const scenes: readonly (readonly [name: string, w: JobWish, until: number])[] = [
  ["ring of 8", { programs: [ring(8, 32768, 3)], place: [0, 20, 40, 60, 80, 100, 120, 140] }, 200 * us],
  [
    "40 ranks, eager and collectives",
    { programs: [busy(40, 3000, 4)], place: Array.from({ length: 40 }, (_, r) => (r * 7) % 200) },
    60 * us,
  ],
  [
    "40 ranks, rendezvous, beside traffic",
    {
      programs: [busy(40, 30_000, 2)],
      place: Array.from({ length: 40 }, (_, r) => (r * 7) % 200),
      traffic: [{ load: 0.1, arrivals: { name: "poisson" }, flits: 512 }],
      mpi: { sends: "left" },
    },
    60 * us,
  ],
  [
    "two rails",
    {
      topology: { name: "fitfly", q: 5, p: 4, rails: 2 },
      routing: { name: "slimfly.ugal-l" },
      programs: [busy(20, 30_000, 2), ring(5, 100, 4)],
      place: Array.from({ length: 25 }, (_, r) => (r * 7) % 200),
    },
    60 * us,
  ],
]

function plain(r: JobsRun): object {
  return { hash: r.hash, chunks: r.chunks, jobs: r.jobs }
}

describe.each(scenes)("%s", (_, w, until) => {
  const n = jobNetwork(w)
  const first = runJobs(n, { sync: "sequential" }, until)
  it("ends", () => {
    for (const j of first.jobs) expect([j.name, j.finished]).toEqual([j.name, j.ranks])
  })
  it.each([
    ["windows", 2],
    ["nulls", 3],
    ["optimistic", 1],
    ["optimistic", 4],
    ["optimistic", 8],
  ] as const)("%s, %i workers: the same", (sync, workers) => {
    const mode = { sync, workers, ...(sync === "optimistic" ? { optimism: { window: 400_000, interval: 300 } } : {}) }
    const again = runJobs(n, mode, until)
    expect(plain(again)).toEqual(plain(first))
    if (sync === "optimistic" && workers === 8) expect(again.rollbacks).toBeGreaterThan(0)
  })
  it.each([["sequential"], ["optimistic"]] as const)("saved in the middle, %s: the same", (sync) => {
    const mode =
      sync === "sequential"
        ? ({ sync } as const)
        : ({ sync, workers: 3, optimism: { window: 400_000, interval: 300 } } as const)
    const sums = hashes()
    const before = new PacketWorkers(n, mode, () => sums.drain)
    before.advance(until / 7)
    const after = new PacketWorkers(n, mode, () => sums.drain, { from: before.save() })
    after.advance(until)
    expect({ hash: sums.hash, chunks: sums.chunks, jobs: reportOf(n, after) }).toEqual(plain(first))
  })
})

describe("rehearsal: every event undone once, memory compared, and run again", () => {
  it.each([
    ["one rail", { topology: { name: "mesh", sides: "2x2" }, routing: { name: "mesh.dimension-order" } }],
    ["two rails", { topology: { name: "fitfly", q: 3, p: 1, rails: 2 }, routing: { name: "slimfly.minimal" } }],
  ])("%s", (_, w) => {
    const programs = [busy(6, 5000, 1), ring(3, 20_000, 1)]
    const n = {
      ...jobNetwork({ ...w, programs, place: [0, 1, 2, 3, 0, 1, 2, 3, 0], mpi: { sends: "left", overhead: "20ns" } }),
      records: 500,
    }
    const mode = { sync: "optimistic", workers: 2, optimism: { window: 100_000, interval: 300 } } as const
    const again = runJobs(n, mode, 40 * us, { rollbackCheck: true })
    const first = runJobs(n, { sync: "sequential" }, 40 * us)
    expect(first.jobs.map((j) => j.finished)).toEqual([6, 3])
    expect(plain(again)).toEqual(plain(first))
  })
})
