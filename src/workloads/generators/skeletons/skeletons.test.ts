// Skeletons of applications: how many ranks the published ones have, who sends how much to whom by hand, and that all
// of them come to an end.
import { describe, expect, it } from "vitest"
import { play } from "../../../../test/support/ideal.ts"
import { programs } from "../../../library.ts"
import { amount, forEachOp, KIND, Kind, kindOf, PEER, type Program } from "../../program.ts"
import { training } from "../training.ts"
import { scattered } from "./amr.ts"
import { bigfft, cns, fillBoundary } from "./boxes.ts"
import { boxlib } from "./boxlib.ts"
import { around, gridOf, ranksOf, scaled } from "./grid.ts"
import { skeletons } from "./plugins.ts"
import { amg, hilo, minife, multigrid, nekbone } from "./solvers.ts"

const mesh = (...grid: number[]) => ({ grid, iterations: 1, byteScale: 1 })
const free = { collectives: "free", eager: "1GiB" }
/** Bytes of all messages: [size class, messages]. */
const sizes = (p: Program) => play(p, undefined, free).sizes.map((s) => [s.bytes, s.messages])

describe("grids", () => {
  it("neighbours of a middle, a corner and a closed grid; ways back", () => {
    expect(around([3, 3, 3], 13).length).toBe(26)
    expect(
      around([3, 3, 3], 0)
        .map((n) => n.off)
        .sort(),
    ).toEqual([1, 1, 1, 2, 2, 2, 3])
    expect(around([3, 3, 3], 0, 1, true).length).toBe(26)
    // two ways to the same rank, none to itself
    expect(
      around([2, 1, 1], 0, 1, true)
        .filter((n) => n.off === 1)
        .map((n) => n.rank),
    ).toEqual([1, 1])
    for (const n of around([4, 3, 5], 30))
      expect(around([4, 3, 5], n.rank).find((b) => b.direction === 26 - n.direction)?.rank).toBe(30)
    expect([gridOf("2x3", 3), gridOf("0x1x1", 3), gridOf("4x4", 2)]).toEqual([undefined, undefined, [4, 4]])
    expect(scaled(1 / 16)(8)).toBe(1)
  })
})

describe("what they send", () => {
  it("ranks of the published runs", () => {
    const ranks = Object.fromEntries(
      skeletons.map((s) => [
        s.name,
        ranksOf(
          gridOf(s.params.fields["grid"].info.fallback as string, s.name === "hilo" || s.name === "bigfft" ? 2 : 3)!,
        ),
      ]),
    )
    expect(ranks).toMatchObject({
      bigfft: 1024,
      "fill-boundary": 1000,
      multigrid: 1000,
      amg: 1728,
      amr: 1728,
      minife: 1152,
    })
  })
  it("minife on 2 x 2 x 2: three faces of 8 KiB, three edges of 512 B, a corner of 8 B for each of 8", () => {
    expect(sizes(minife(mesh(2, 2, 2)))).toEqual([
      [8, 8],
      [512, 24],
      [8192, 24],
    ])
    expect(sizes(nekbone(mesh(2, 2, 2)))).toEqual([
      [8, 8],
      [256, 24],
      [4096, 24],
    ])
  })
  it("amg on 3 x 1 x 1: four faces at distance 1, two at distance 2, three exchanges each", () => {
    expect(sizes(amg(mesh(3, 1, 1)))).toEqual([
      [8192, 6],
      [32768, 12],
    ])
  })
  it("multigrid on 2 x 1 x 1: sides 64 to 2, six exchanges of four faces at each", () => {
    // side^2 * 8 bytes: 32 KiB, 8 KiB, 2 KiB, 512, 128, 32
    expect(sizes(multigrid(mesh(2, 1, 1)))).toEqual([32, 128, 512, 2048, 8192, 32768].map((b) => [b, 6 * 4]))
  })
  it("boxlib-multigrid on 5 x 5 x 5: rank 0 sends what the trace of rank 0 of 125 holds", () => {
    const peers = new Set<number>()
    let [turns, messages, bytes, reductions] = [1, 0, 0, 0]
    const loops: number[] = []
    forEachOp(boxlib(mesh(5, 5, 5)).rank(0), ({ ops }, row) => {
      const kind = kindOf(ops[row + KIND])
      if (kind === Kind.LOOP) loops.push(amount(ops, row))
      if (kind === Kind.END) loops.pop()
      turns = loops.reduce((a, b) => a * b, 1)
      if (kind === Kind.ALLREDUCE) reductions += turns
      if (kind !== Kind.SEND) return
      peers.add(ops[row + PEER])
      messages += turns
      bytes += turns * amount(ops, row)
    })
    // 52 exchanges with 3 faces inside the domain, and 3 faces, 9 edges and 7 corners across its boundary
    expect([messages, peers.size, reductions]).toEqual([52 * 22, 22, 12])
    // 6 faces of 8 n^2, 9 edges of 8 n and 7 corners of 8 bytes; 12, 9, 9, 9, 9 and 4 exchanges at sides n of 64 to 2
    expect(bytes).toBe(3_045_248)
  })
  it("fill-boundary on 3 x 3 x 3: 24 exchanges, half of them to faces alone", () => {
    const all = sizes(fillBoundary(mesh(3, 3, 3))).reduce((n, [, m]) => n + m!, 0)
    expect(all).toBe(27 * 12 * (6 + 26))
  })
  it("bigfft on 4 x 2: all-to-all in rows and columns, twice each", () => {
    // 16^3 * 16 bytes over 8 ranks: 8 KiB of each, in four or two blocks
    const p = bigfft({ ...mesh(4, 2), points: 16 })
    expect(play(p).sizes.map((s) => [s.bytes, s.messages])).toEqual([
      [2048, 2 * 8 * 3],
      [4096, 2 * 8],
    ])
  })
  it("hilo on 3 x 2: along rows and columns, there and back; cns: three stages", () => {
    expect(sizes(hilo(mesh(3, 2)))).toEqual([[1024, 2 * (2 * 2 + 3)]])
    expect(sizes(cns({ ...mesh(3, 3, 3), byteScale: 1 / 16 })).reduce((n, [, m]) => n + m!, 0)).toBe(3 * 27 * 26)
  })
  it("amr: sizes around 4 KiB, half of them below", () => {
    const list = Array.from({ length: 2000 }, (_, i) => scattered(i * 7919)).sort((a, b) => a - b)
    expect(list[1000] / 4096).toBeGreaterThan(0.9)
    expect(list[1000] / 4096).toBeLessThan(1.1)
    expect(list[0]).toBeGreaterThan(256)
    expect(list[1999]).toBeLessThan(65536)
  })
})

describe("all of them end", () => {
  const small: Record<string, object> = { hilo: { grid: "3x3" }, bigfft: { grid: "3x3", points: 24 } }
  it.each(skeletons.map((s) => [s.name, s] as const))("%s", (name, s) => {
    const params = s.params.parse({ grid: "3x3x3", iterations: 2, byteScale: 0.01, ...small[name] }, name)
    if ("bad" in params) throw new Error(params.bad[0].says)
    const program = s.make(params.ok as never, undefined)
    if (!("rank" in program)) throw new Error("no program")
    const got = play(program, undefined, { eager: "100B" })
    expect([got.finished, got.waiting]).toEqual([program.ranks, []])
  })
  it("every workload of the library has a default that is one, but a trace, which must be named", () => {
    for (const p of programs)
      expect([p.name, "bad" in p.params.parse({}, p.name)]).toEqual([p.name, p.name === "trace"])
  })
})

describe("training", () => {
  const size = {
    data: 2,
    tensor: 2,
    pipeline: 3,
    expert: 1,
    layers: 6,
    batches: 5,
    steps: 1,
    activation: 1000,
    gradient: 4000,
    dispatch: 10,
    forward: 1e6,
  }
  const calls = (p: Program) => Object.fromEntries(play(p).calls.map((c) => [c.call, c.calls]))
  it("counts: activations forward and back, sums of layers, sums of gradients", () => {
    const got = calls(training(size))
    // 2 x 2 pipelines, five batches, two boundaries, there and back
    expect([got["send"], got["recv"]]).toEqual([2 * 2 * 5 * 2 * 2, 2 * 2 * 5 * 2 * 2])
    // 12 ranks with two layers: two sums a layer forward and back for each batch, one sum of gradients a layer
    expect(got["allreduce"]).toBe(12 * 2 * (5 * 2 * 2 + 1))
    expect(calls(training({ ...size, expert: 2 }))["alltoall"]).toBe(12 * 2 * 5 * 2 * 2)
  })
  it("one forward, one backward: the bubble is that of stages less one", () => {
    const { ends } = play(training({ ...size, data: 1, tensor: 1, activation: 0 }), { L: 0, o: 0, g: 0, G: 0, O: 0 })
    // a batch takes a stage 2 layers * (1 + 2) us; five of them, and two stages to fill and empty
    expect(Math.max(...ends)).toBe((5 + 2) * 6e6)
  })
})
