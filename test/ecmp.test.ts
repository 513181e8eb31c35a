// ECMP by hash on Clos networks and fat trees: every flow keeps one path, flows collide as balls in bins do, and the
// channel dependencies have no cycle. A flow is a pair of endpoints.
import { describe, expect, test } from "vitest"
import { check } from "../src/api.ts"
import { classesOf, compileNetwork } from "../src/compile/build-network.ts"
import { subjectOf } from "../src/compile/subject.ts"
import { Draws } from "../src/core/rng.ts"
import { defineExperiment } from "../src/index.ts"
import type { RunResult, RunSpec } from "../src/model/experiment.ts"
import { prove } from "../src/proof/prove.ts"
import { prepare, simulate } from "../src/run/simulate.ts"

type Tree = Record<string, unknown>
type Pair = readonly [from: number, to: number]

const ecmp = { name: "any.up-down", levels: "ends", spread: "hash" }

async function specOf(topology: Tree, routing: Tree, traffic: Tree, vcs = 4): Promise<RunSpec> {
  const got = await check(
    defineExperiment({
      lacewing: 1,
      network: { topology, routing, switch: { name: "input-queued", vcs, buffer: "64flits" } },
      traffic: { load: 0.05, packet: "1flit", arrivals: { name: "periodic", phase: "none" }, ...traffic },
      measure: { warmup: "200cycles", window: "2000cycles", limit: "2200cycles", drain: "none", saturation: "never" },
      probes: ["channels"],
    } as never),
  )
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return got.ok.runs[0].spec
}

async function run(spec: RunSpec): Promise<RunResult> {
  const made = prepare(spec, { read: () => "" })
  if ("bad" in made) throw new Error(made.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return simulate(made.ok, { threads: false })
}

/** Returns the load of every channel from a leaf to a spine, by leaf, in flows of one flit in 20 cycles. */
async function uplinks(topology: Tree, pairs: readonly Pair[], routing: Tree = ecmp): Promise<number[][]> {
  const { tables } = await run(await specOf(topology, routing, { pattern: { name: "fixed", pairs } }))
  const { from, to, load } = tables["channels"]!
  const leaves = topology["leaves"] as number
  const found = Array.from({ length: leaves }, () => [] as number[])
  for (const [i, leaf] of (from ?? []).entries())
    if (Number(leaf) < leaves && !String(to![i]).startsWith("endpoint"))
      found[Number(leaf)]!.push(Number(load![i]) * 20)
  return found
}

/**
 * Returns the expected maximum of n balls in k bins. At most m balls in each bin: n! / k^n times the coefficient of x^n
 * in (sum over j <= m of x^j / j!)^k.
 */
function expectedMaximum(n: number, k: number): number {
  const factorial = (i: number): number => (i < 2 ? 1 : i * factorial(i - 1))
  let mean = 0
  for (let m = 0; m < n; m++) {
    let product = [1]
    for (let bin = 0; bin < k; bin++) {
      const next = Array(n + 1).fill(0) as number[]
      for (const [i, a] of product.entries()) for (let j = 0; j <= m && i + j <= n; j++) next[i + j] += a / factorial(j)
      product = next
    }
    // P(maximum > m)
    mean += 1 - (factorial(n) / k ** n) * product[n]
  }
  return mean
}

test("the closed form by hand: two balls in two bins, three in three", () => {
  expect(expectedMaximum(2, 2)).toBeCloseTo(1.5, 12)
  // of 27 throws, 6 have a maximum of 1, 18 of 2, and 3 of 3
  expect(expectedMaximum(3, 3)).toBeCloseTo((6 + 2 * 18 + 3 * 3) / 27, 12)
})

describe("flows on the uplinks of a leaf", () => {
  const size = { leaves: 33, spines: 8, p: 8 }
  /** Endpoint e sends to a random endpoint of another leaf; no endpoint receives twice. */
  const permutation = (seed: number): Pair[] => {
    const rng = new Draws(seed)
    const shift = 1 + rng.below(size.leaves - 1)
    const turn = Array.from({ length: size.leaves }, () => rng.below(size.p))
    return Array.from({ length: size.leaves * size.p }, (_, e) => {
      const [leaf, i] = [Math.floor(e / size.p), e % size.p]
      const to = (leaf + shift) % size.leaves
      return [e, to * size.p + ((i + turn[to]) % size.p)] as const
    })
  }
  test("every flow has one path: loads are whole numbers of flows, 8 on each leaf", async () => {
    for (const leaf of await uplinks({ name: "clos", ...size }, permutation(1))) {
      expect(leaf.length).toBe(8)
      for (const load of leaf) expect(load).toBeCloseTo(Math.round(load), 9)
      expect(leaf.reduce((a, b) => a + b, 0)).toBeCloseTo(8, 9)
    }
  })
  test("the largest load is that of balls in bins", async () => {
    const largest: number[] = []
    for (let seed = 1; seed <= 10; seed++)
      for (const leaf of await uplinks({ name: "clos", ...size }, permutation(seed))) largest.push(Math.max(...leaf))
    const mean = largest.reduce((a, b) => a + b, 0) / largest.length
    const variance = largest.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (largest.length - 1)
    expect(largest.length).toBe(330)
    // 8 flows on 8 uplinks; three standard errors of 330 leaves
    expect(Math.abs(mean - expectedMaximum(8, 8))).toBeLessThan(3 * Math.sqrt(variance / largest.length))
  })
  test("packets that are sprayed load all uplinks alike", async () => {
    const random = { ...ecmp, spread: "random" }
    const leaf = (await uplinks({ name: "clos", ...size }, permutation(1), random))[0]
    // 800 flits on 8 uplinks: 100 each, five standard deviations of 9.4
    for (const load of leaf) expect(Math.abs(load * 100 - 100)).toBeLessThan(47)
  })
})

describe("two flows on two uplinks", () => {
  const size = { name: "clos", leaves: 3, spines: 2, p: 2 }
  const targets = [2, 3, 4, 5]
  test("at full load, both carry 1 on separate uplinks and 1/2 on a shared one", async () => {
    const seen = new Set<boolean>()
    for (const a of targets)
      for (const b of targets) {
        if (a === b) continue
        const pairs: Pair[] = [
          [0, a],
          [1, b],
        ]
        const shared = Math.max(...(await uplinks(size, pairs))[0]) > 1.5
        if (seen.has(shared)) continue
        seen.add(shared)
        const { tables } = await run(
          await specOf(size, ecmp, { load: 1, packet: "16flits", pattern: { name: "fixed", pairs } }),
        )
        const { from, to, load } = tables["channels"]!
        const into = (end: number) =>
          Number(load![[...to!].findIndex((t, i) => t === `endpoint ${end}` && Number(from![i]) > 0)])
        for (const end of [a, b]) expect(into(end)).toBeCloseTo(shared ? 0.5 : 1, 2)
      }
    expect(seen).toEqual(new Set([true, false]))
  })
})

describe("freedom of deadlock with one VC", () => {
  test.each([
    ["clos, 2:1", { name: "clos", leaves: 8, spines: 4, p: 8 }],
    ["clos with parallel links", { name: "clos", leaves: 4, spines: 2, p: 4, links: 2 }],
    ["fat tree of two levels", { name: "xgft", m: [4, 4], w: [1, 4] }],
    ["fat tree of three levels, 2:1 at each", { name: "xgft", m: [4, 4, 4], w: [1, 2, 2] }],
  ])("%s: up and then down, by an order of the channels", async (_, topology) => {
    for (const spread of ["hash", "random", "least-queued"]) {
      const spec = await specOf(topology, { ...ecmp, spread }, { pattern: "uniform" }, 1)
      const network = compileNetwork(spec.network, classesOf(spec), 1, { read: () => "" }, true)
      if ("bad" in network) throw new Error("bad")
      const proof = prove(subjectOf(network.ok))
      expect(proof).toMatchObject({ free: true, by: "order", faults: [] })
    }
  })
})
