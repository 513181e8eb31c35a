// Sizes of a training step by hand, and closed forms of collectives: alpha-beta and the bandwidths of nccl-tests.
import { describe, expect, it } from "vitest"
import { play } from "../../../test/support/ideal.ts"
import { programs } from "../../library.ts"
import { sizesOf, transformerWorkload } from "./transformer.ts"

const parsed = (raw: object) => {
  const got = transformerWorkload.params.parse(raw, "")
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return got.ok
}

describe("a step of a model with 70 billion parameters on 1,024 GPUs", () => {
  const p = parsed({ layers: 80, hidden: 8192, batch: 128, gpus: 1024, tensor: 8, pipeline: 8, flops: 5e14 })

  it("has the sizes of its layers", () => {
    const s = sizesOf(p)
    // 1,024 / 64 = 16 data-parallel ranks, 128 / 16 micro-batches of one sequence
    expect([s.data, s.batches]).toEqual([16, 8])
    // 4,096 tokens of 8,192 numbers of 2 bytes
    expect(s.activation).toBe(4096 * 8192 * 2)
    // 12 h^2 parameters of 2 bytes on 8 ranks: 80 layers have 64.4 billion, the rest are embeddings
    expect(s.gradient).toBe((12 * 8192 ** 2 * 2) / 8)
    expect(80 * 12 * 8192 ** 2).toBeCloseTo(64.4e9, -8)
    // 24 s h^2 + 4 s^2 h = 6.6e12 + 0.55e12 operations, on 8 ranks of 5e14 per second: 1.787 ms
    expect(s.forward / 1e9).toBeCloseTo((24 * 4096 * 8192 ** 2 + 4 * 4096 ** 2 * 8192) / 8 / 5e14 / 1e-3, 3)
  })
  it("rejects GPUs and batches that cannot be divided", () => {
    const bad = (raw: object) => transformerWorkload.check!(parsed(raw), undefined).map((c) => c.path)
    expect(bad({ gpus: 60, tensor: 8 })).toEqual(["gpus"])
    expect(bad({ gpus: 64, tensor: 8, pipeline: 2, batch: 6 })).toEqual(["batch"])
    expect(bad({ gpus: 64, tensor: 8, pipeline: 8, layers: 4, batch: 64 })).toEqual(["pipeline"])
  })
})

describe("closed forms on idle hardware, within 1 %", () => {
  /** alpha: 1 us, beta: 20 ps per byte, which are 50 GB/s */
  const net = { L: 1_000_000, o: 0, g: 0, G: 20, O: 0 }
  const of = (raw: object) => programs.find((w) => w.name === "collective")!.make(raw as never, undefined) as never
  const time = (raw: object, mpi: object) =>
    play(of({ iterations: 1, skew: 0, ...raw }), net, { eager: "1TiB", ...mpi }).ended
  const MiB = 2 ** 20

  it("ring: 2 (p - 1) (alpha + m / p beta); its bus bandwidth is that of a link", () => {
    const [p, m] = [8, 64 * MiB]
    const t = time({ call: "allreduce", ranks: p, bytes: m }, { algorithms: { allreduce: "ring" } })
    const form = 2 * (p - 1) * (net.L + (m / p) * net.G)
    expect(t / form).toBeGreaterThan(0.99)
    expect(t / form).toBeLessThan(1.01)
    // algorithm bandwidth m / t, times 2 (p - 1) / p: 50 GB/s but for alpha
    const bus = ((2 * (p - 1)) / p) * (m / t) * 1000
    expect(bus / 50).toBeGreaterThan(0.99)
    expect(bus / 50).toBeLessThan(1)
  })
  it("ring with channels: the same, because all channels share one interface here", () => {
    const [p, m] = [16, 64 * MiB]
    const raw = { call: "allreduce", ranks: p, bytes: m }
    const one = time(raw, { algorithms: { allreduce: "ring" } })
    const four = time(raw, { algorithms: { allreduce: "ring-channels" }, node: 4 })
    expect(four / one).toBeGreaterThan(0.99)
    expect(four / one).toBeLessThan(1.01)
  })
  it("double binary tree of two ranks: 2 x 32 segments; its bus bandwidth is that of a link", () => {
    const [p, m] = [2, 512 * MiB]
    // each rank is a leaf of one tree: it sends 32 segments of half the vector up, and receives 32 down
    const t = time({ call: "allreduce", ranks: p, bytes: m }, { algorithms: { allreduce: "tree" } })
    const form = 2 * 32 * (net.L + (m / 64) * net.G)
    expect(t / form).toBeGreaterThan(0.99)
    expect(t / form).toBeLessThan(1.01)
    const bus = ((2 * (p - 1)) / p) * (m / t) * 1000
    expect(bus / 50).toBeGreaterThan(0.99)
    expect(bus / 50).toBeLessThan(1)
  })
  it("all-to-all: (p - 1) (alpha + m beta); skewed blocks end with the hottest expert", () => {
    const [p, m] = [8, 8 * MiB]
    const t = time({ call: "alltoall", ranks: p, bytes: m }, { algorithms: { alltoall: "pairwise" } })
    const form = (p - 1) * (net.L + m * net.G)
    expect(t / form).toBeGreaterThan(0.99)
    expect(t / form).toBeLessThan(1.01)
    // skew 1: rank 0 receives p m / H_8 from each of 7 others, H_8 = 2.718
    const hot = play(of({ call: "alltoall", ranks: p, bytes: m, iterations: 1, skew: 1 }), net, {
      eager: "1TiB",
      algorithms: { alltoallv: "direct" },
    })
    expect(hot.sizes.reduce((n, s) => n + s.messages, 0)).toBe(p * (p - 1))
  })
})
