// The four networks of the paper on service levels: what a trunk member carries under uniform traffic, and that bubble,
// dateline and Valiant are proved free of deadlock on them. The largest is proved by hand only (`npx lacewing check`,
// some 10 s); here its smaller siblings are.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { main } from "../../src/cli/program.ts"
import { plainPaint } from "../../src/terminal/paint.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-qos-networks-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

async function cli(...args: string[]): Promise<string> {
  let text = ""
  const keep = (s: string) => void (text += `${s}\n`)
  const code = await main(args, { out: keep, err: keep, raw: () => {}, paint: plainPaint, live: false, width: 100 })
  expect(code, text).toBe(0)
  return text
}

function check(
  topology: string,
  routing: string,
  o: { vcs?: number; classes?: number; load?: number } = {},
): Promise<string> {
  const classes = o.classes ?? 1
  const streams = Array.from(
    { length: classes },
    (_, i) => `  - { pattern: uniform, load: ${(o.load ?? 0.9935) / classes}, packet: 2flits, class: ${i} }`,
  )
  const path = join(dir, "experiment.yaml")
  writeFileSync(
    path,
    `lacewing: 1
title: A network
network:
  topology: ${topology}
  routing: ${routing}
  switch: { name: input-queued, vcs: ${o.vcs ?? 1}, buffer: 64flits, flow: cut-through }
traffic:
${streams.join("\n")}
measure: { warmup: 10cycles, window: 50cycles, limit: 200cycles }
`,
  )
  return cli("check", path)
}

describe("uniform load 0.9935", () => {
  // ports between routers are 4 * 10 (6 * 4); a packet makes 2 hops in each dimension of 8, and goes to one of the
  // others
  test("8x8 torus, 8 endpoints, trunks of 10: 8 * 0.9935 * (512 / 511) / 10 = 0.796 on a trunk member", async () => {
    const args = ["topology", "torus", "sides=8x8", "p=8", "trunk=10", "--no-bisection", "--load", "0.9935"]
    expect(JSON.parse(await cli(...args, "--json")).linkLoad).toBeCloseTo((8 * 0.9935 * 512) / 511 / 10, 12)
    const text = await cli(...args)
    expect(text).toContain("uniform traffic at 0.9935 puts 0.796 on a channel between routers")
    expect(text).toMatch(/endpoints +512\n/)
    // 64 * 2 * 10
    expect(text).toMatch(/links +1,280 between routers/)
  })
  test("8x8x8 torus, 4 endpoints, trunks of 4: 0.9935 * 2048 / 2047 = 0.994", async () => {
    const args = ["topology", "torus", "sides=8x8x8", "p=4", "trunk=4", "--no-bisection", "--load", "99.35%"]
    const r = JSON.parse(await cli(...args, "--json"))
    expect(r.linkLoad).toBeCloseTo((0.9935 * 2048) / 2047, 12)
    expect([r.endpoints, r.links]).toEqual([2048, 512 * 3 * 4])
    expect(await cli(...args)).toContain("puts 0.994 on a channel")
  })
  test("4-ary 3-tree and 24-ary 2-tree: 48 switches each, never more than an endpoint's rate on a link", async () => {
    for (const [k, n, ends] of [
      [4, 3, 64],
      [24, 2, 576],
    ] as const) {
      const r = JSON.parse(
        await cli("topology", "tree", `k=${k}`, `n=${n}`, "--no-bisection", "--load", "0.9935", "--json"),
      )
      expect([r.endpoints, r.routers]).toEqual([ends, 48])
      expect(r.linkLoad).toBeLessThan(0.9935)
    }
  })
})

describe("free of deadlock", () => {
  test("bubble on a torus with trunks: every member is a ring of its own", async () => {
    // 6 rows and 6 columns, two directions, three members: 72 rings
    const text = await check("{ name: torus, sides: 6x6, p: 1, trunk: 3 }", "torus.bubble")
    expect(text).toContain("free of deadlock: each of 72 rings keeps free space for one packet")
    // mean links 3 * 36 / 35 from 36 endpoints over 36 * 12 channels, times the load
    expect(text).toContain("at the largest load of the experiment, 0.9935, if it were uniform: link links mean 0.255")
  })
  test("bubble in three dimensions", async () => {
    // 25 lines in each of three dimensions, two directions; a side of 4 would have no ring to close: half way is 2
    // links, and parity sends them apart
    expect(await check("{ name: torus, sides: 5x5x5, p: 1 }", "torus.bubble")).toContain(
      "free of deadlock: each of 150 rings",
    )
  })
  test("dateline on 14 VLs: a pair for each of seven levels; one VL is not enough", async () => {
    const text = await check(
      "{ name: torus, sides: 8x8, p: 1, trunk: 2 }",
      "{ name: torus.dimension-order, dateline: crossing, tie: parity }",
      {
        vcs: 14,
        classes: 7,
      },
    )
    expect(text).toContain("free of deadlock: every packet takes its (channel, VC) pairs in increasing order")
    expect(text).toContain("2 VCs are enough; 2 declared, 2 given (tried 2 VCs: deadlock-free, 1 VC: can deadlock)")
  })
  test("Valiant on a tree: up before down, one VL for each level", async () => {
    for (const root of ["nearest", "top"])
      expect(await check("{ name: tree, k: 3, n: 3 }", `{ name: tree.valiant, root: ${root} }`)).toContain(
        "free of deadlock: every packet",
      )
  })
})
