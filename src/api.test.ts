import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { built, fakeSimulator } from "../test/support/build.ts"
import { check, defineExperiment, run } from "./index.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-api-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
beforeAll(() => void built())

const ring = defineExperiment({
  lacewing: 1,
  network: { topology: { name: "torus", sides: "4x4" }, routing: "torus.dimension-order" },
  traffic: { pattern: "uniform", load: 0.1, packet: "1flit" },
  measure: { warmup: "100cycles", window: "500cycles", limit: "5kcycles" },
  seeds: 2,
  expect: "latency.mean < 50cycles",
})

test("an object runs in memory on the real engine; the same runs again are known in a folder", async () => {
  const got = await run(ring, { workers: 2 })
  if ("bad" in got) throw new Error(got.bad.map((c) => `${c.path} ${c.says}`).join("\n"))
  expect(got.ok.records.map((r) => r.seed)).toEqual([1, 2])
  expect(got.ok.rows[0].values["accepted"].mean).toBeCloseTo(0.1, 1)
  // 4x4 torus: 1 + mean distance 2 routers and a few more cycles; far below 50
  expect(got.ok.verdicts.map((v) => v.holds)).toEqual([true])
  const out = join(dir, "out")
  const first = await run(ring, { workers: 2, out })
  const second = await run(ring, { workers: 2, out })
  if ("bad" in first || "bad" in second) throw new Error("refused")
  expect([first.ok.known, second.ok.known]).toEqual([0, 2])
  const prints = (all: readonly { result: { fingerprint: string } }[]) => all.map((r) => r.result.fingerprint)
  expect(prints(second.ok.records)).toEqual(prints(got.ok.records))
})

test("a module with defineExperiment is an experiment file", async () => {
  const path = join(dir, "sweep.mjs")
  writeFileSync(
    path,
    `export default ${JSON.stringify({ ...ring, expect: [], sweep: { "traffic.load": [0.1, 0.2] } })}\n`,
  )
  const got = await run(path, { simulator: fakeSimulator })
  expect("ok" in got && got.ok.rows.map((r) => r.point)).toEqual([{ load: 0.1 }, { load: 0.2 }])
})

test("wrong input comes back as complaints, and nothing is run", async () => {
  const wrong = await check({ ...ring, network: { ...(ring.network as object), routing: "dragonfly.minimal" } })
  expect("bad" in wrong && wrong.bad[0].path).toMatch(/^network\.routing/)
  const typo = await run({ ...ring, traffic: { pattern: "unifrom", load: 0.1 } })
  expect("bad" in typo && typo.bad[0].fix).toBe('did you mean "uniform"?')
})
