// `lacewing run --trace worst` in Chromium, from disk: the page replays the end of the run with the bits of Node.js.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test as plain } from "vitest"
import { REPLAYED } from "../../src/cli/studio/trace.ts"
import { loadPlan } from "../../src/experiment/load.ts"
import { plan } from "../../src/experiment/plan.ts"
import { plainSource } from "../../src/experiment/source.ts"
import { hostOf } from "../../src/model/host.ts"
import { openLive } from "../../studio/engine/open.ts"
import type * as actions from "../../studio/page/actions.ts"
import type * as state from "../../studio/page/state.ts"
import { inChromium, launch, pageOf } from "../browsers.ts"
import { built } from "../support/build.ts"
import { said } from "../support/cli.ts"

declare const studio: { actions: typeof actions; state: typeof state }

const test = plain.skipIf(!inChromium)
let folder: string
let browser: Browser

beforeAll(async () => {
  built()
  folder = mkdtempSync(join(tmpdir(), "lacewing-trace-"))
  if (inChromium) browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs an experiment with `--trace worst`. Returns what the command says of it, and the address of the page. */
async function traced(name: string, text: string): Promise<{ path: string; says: string; url: string }> {
  const path = join(folder, `${name}.yaml`)
  writeFileSync(path, text)
  const out = join(folder, name)
  const { err } = await said(["run", path, "--out", out, "--trace", "worst", "--no-report"])
  const says = err.split("\n").find((line) => line.startsWith("trace: ")) ?? err
  return { path, says, url: pathToFileURL(join(out, "trace.html")).href }
}

/** The fingerprint of a run of the experiment at a cycle, in Node.js. */
async function printAt(path: string, run: number, cycle: number): Promise<string> {
  const loaded = await loadPlan(path)
  if ("bad" in loaded) throw new Error(JSON.stringify(loaded.bad))
  const opened = await openLive(loaded.ok.runs[run].spec, {})
  if ("bad" in opened) throw new Error(opened.bad.join("\n"))
  opened.ok.live.seek(cycle)
  return opened.ok.live.observation.fingerprint()
}

describe("a page from disk", () => {
  test("shows the first cycle of a deadlock, with the bits of Node.js", async () => {
    const { path, says, url } = await traced(
      "ugal",
      `lacewing: 1
title: Three VCs for UGAL
network:
  topology: { name: dragonfly, p: 2, a: 4, h: 2, arrangement: absolute }
  routing: { name: dragonfly.booksim-ugal, bias: 0flits }
  switch: { name: input-queued, vcs: 3, buffer: 4flits }
  endpoint: { name: simple, vc: random }
  links: { local: 1cycle, global: 1cycle }
traffic: { pattern: group-adversarial, load: 1.0, packet: 16flits }
measure: { warmup: 3kcycles, window: 40kcycles, limit: 80kcycles, saturation: never, drain: none, deadlock: watch }
`,
    )
    const found = /Replays cycles ([\d,]+) to ([\d,]+) of the run seed=1 \(ended by: deadlock\)/.exec(says)
    const [from, end] = (found ?? []).slice(1).map((n) => Number(n.replaceAll(",", "")))
    expect(from, says).toBe(Math.max(0, end - REPLAYED))
    const page = await pageOf(browser, {})
    await page.goto(url)
    await page.waitForFunction(() => typeof studio === "object" && studio.state.answer.value !== undefined)
    const [{ cycle, fingerprint }] = await page.evaluate(() => studio.actions.fingerprints())
    expect(cycle).toBeGreaterThanOrEqual(from)
    expect(cycle).toBeLessThanOrEqual(end)
    expect(fingerprint).toBe(await printAt(path, 0, cycle))
    expect(await page.evaluate(() => studio.state.said.value)).toBe(says.slice(says.indexOf("Replays")))
    expect(await page.locator("h1").textContent()).toContain("Three VCs for UGAL")
    await page.close()
  })

  test("plays to the end of the run that saturates at the lowest load", async () => {
    const { says, url } = await traced(
      "mesh",
      `lacewing: 1
title: A mesh
network:
  topology: { name: mesh, sides: 4x4 }
  routing: mesh.dimension-order
  switch: { name: input-queued, vcs: 2, buffer: 8flits }
traffic: { pattern: uniform, packet: 2flits }
sweep: { traffic.load: [0.1, 0.7, 0.9] }
measure: { warmup: 200cycles, window: 800cycles, limit: 2kcycles }
`,
    )
    const found = /Replays cycles 0 to ([\d,]+) of the run load=0.7 seed=1 \(saturated\)/.exec(says)
    expect(found, says).not.toBeNull()
    const end = Number(found?.[1].replaceAll(",", ""))
    const page = await pageOf(browser, {})
    await page.goto(url)
    await page.waitForFunction(() => typeof studio === "object" && studio.state.running.value)
    await page.evaluate(() => studio.actions.seek(100_000))
    expect(await page.evaluate(() => studio.state.pictures.value.A.status)).toMatchObject({ cycle: end, ended: true })
    await page.close()
  })
})

/** What the page of a run contains. */
function inside(name: string): { experiment: string; files: string[]; contents: Record<string, string> } {
  const html = readFileSync(join(folder, name, "trace.html"), "utf8")
  const json = /data-file="given.json">(.*?)<\/script>/s.exec(html)?.[1] ?? "{}"
  return JSON.parse(json)
}

/** Plans the experiment of a page with only the files of the page, as the page does. */
function plannedInside(name: string): string[] {
  const { experiment, contents } = inside(name)
  const texts = Object.fromEntries(Object.entries(contents).map(([f, c]) => [f, Buffer.from(c, "base64")]))
  const source = plainSource(experiment, JSON.parse(texts[experiment].toString()))
  const planned = plan({ source, host: hostOf(texts), name })
  return "bad" in planned ? planned.bad.map((c) => `${c.path}: ${c.says}`) : []
}

plain("a run with jobs alone", async () => {
  const { says } = await traced(
    "jobs",
    `lacewing: 1
title: </script> "Jobs"
network: { topology: { name: mesh, sides: 2x2 }, routing: mesh.dimension-order, switch: { name: input-queued, vcs: 1 }, flit: 32B }
jobs: { workload: { name: ring, ranks: 4, bytes: 1KiB } }
measure: { until: jobs, limit: 100kcycles }
`,
  )
  expect(says).toContain("(the slowest)")
  expect(plannedInside("jobs")).toEqual([])
})

plain("files of a search, one with the name of the experiment", async () => {
  writeFileSync(join(folder, "searched.json"), "0 1 link 1\nend 0 2\nend 1 2\n")
  await traced(
    "searched",
    `lacewing: 1
title: Searched
network:
  topology: { name: graph, file: searched.json, form: edges }
  routing: any.shortest
  switch: { name: input-queued, vcs: 2, buffer: 8flits }
traffic: { pattern: uniform, packet: 2flits }
search: { name: saturation, precision: 20% }
measure: { warmup: 200cycles, window: 400cycles, limit: 1kcycles }
`,
  )
  expect(inside("searched").files).toEqual(["searched.json"])
  expect(plannedInside("searched")).toEqual([])
})

plain("runs of the ideal engine have no replay, and submitted runs are refused", async () => {
  const path = join(folder, "ideal.yaml")
  writeFileSync(
    path,
    `lacewing: 1
title: Ideal
network: { topology: { name: mesh, sides: 2x2 }, routing: mesh.dimension-order, switch: { name: chunk, bandwidth: 1GB/s }, endpoint: rails }
engine: ideal
jobs: { workload: { name: ring, ranks: 4, bytes: 1KiB } }
measure: { until: jobs, limit: 1ms }
`,
  )
  const done = await said(["run", path, "--out", join(folder, "ideal"), "--trace", "worst", "--no-report"])
  expect(done.err).toContain("no trace: the studio cannot replay runs of the ideal engine")
  const refused = await said(["run", path, "--on", "slurm", "--trace", "worst"])
  expect(refused.code).toBe(2)
  expect(refused.err).toContain("--trace does not apply to submitted runs")
})
