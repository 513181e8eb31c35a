// The commands over finished results, as a person or a script calls them: what they print, and their exit codes.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { sweep } from "../../test/fixtures/records.ts"
import { built, fakeSimulator } from "../../test/support/build.ts"
import { paperCommand } from "../reproduce/cli/paper/paper.ts"
import { exactly, type PaperFigure, within } from "../reproduce/papers/paper.ts"
import { readResults } from "../results/read.ts"
import type { RunRecord } from "../results/record.ts"
import { Store } from "../results/store.ts"
import { plainPaint } from "../terminal/paint.ts"
import { Exit, type Io } from "./command.ts"
import { main } from "./program.ts"

let base: string
let a: string
beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), "lacewing-cli-"))
  a = await folder("a", sweep({ tables: true }))
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

async function folder(name: string, records: readonly RunRecord[]): Promise<string> {
  const store = await Store.open(join(base, name), { version: "0.1.0", about: { title: name } })
  if ("bad" in store) throw new Error(store.bad[0].says)
  for (const r of records) await store.ok.add(r)
  await store.ok.close()
  return join(base, name)
}

function recorder(): Io & { readonly said: string[]; readonly errors: string[] } {
  const said: string[] = []
  const errors: string[] = []
  return {
    said,
    errors,
    out: (t) => said.push(t),
    err: (t) => errors.push(t),
    raw: () => {},
    paint: plainPaint,
    live: false,
    width: 100,
  }
}
async function call(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = recorder()
  const code = await main(args, io)
  return { code, out: io.said.join("\n"), err: io.errors.join("\n") }
}

describe("report", () => {
  test("writes the page, tables and figures, and says where", async () => {
    const out = join(base, "files")
    const got = await call("report", a, "--out", out, "--export", "csv", "svg", "json", "--json")
    expect(got.code).toBe(0)
    const told = JSON.parse(got.out)
    expect(told.runs).toBe(48)
    expect(told.warnings[0].title).toBe("3 of 16 points are saturated")
    for (const path of told.files) expect(existsSync(path)).toBe(true)
    expect(told.files).toContain(join(out, "report.html"))
    expect(readFileSync(join(out, "csv/runs.csv"), "utf8").split("\r\n")).toHaveLength(50)
  })
  test("a folder that is not there: exit code 2 and the way out", async () => {
    const got = await call("report", join(base, "nothing"))
    expect(got.code).toBe(2)
    expect(got.err).toMatch(/does not exist\n {2}fix:/)
  })
})

describe("compare", () => {
  test("exit code 0 when nothing is worse, 1 when something is, 2 when nothing matches", async () => {
    const b = await folder("b", sweep({ slower: 1.2 }))
    const same = await call("compare", a, a)
    expect([same.code, same.out]).toEqual([
      0,
      "16 points in both: 0 values better, 0 worse, 48 the same, 0 not decided",
    ])
    const worse = await call("compare", a, b, "--value", "latency.mean")
    expect(worse.code).toBe(1)
    expect(worse.out).toMatch(/dragonfly\.minimal, load 0\.1 +latency\.mean .* worse/)
    const better = JSON.parse((await call("compare", b, a, "--json")).out)
    expect(better.worse).toBe(false)
    const c = await folder("c", sweep({ loads: [0.05] }))
    expect((await call("compare", a, c)).code).toBe(2)
    expect((await call("compare", a, b, "--tolerance", "120%")).code).toBe(2)
  })
})

describe("sql and merge", () => {
  test("an answer as table, CSV, Markdown and JSON", async () => {
    const ask = "select seed, count(*) as n from runs group by seed order by seed"
    if ((await import("@duckdb/node-api").catch(() => undefined)) === undefined) {
      console.warn("DuckDB is not installed: only its message is tested")
      expect((await call("sql", a, ask)).err).toContain("npm install @duckdb/node-api")
      return
    }
    expect(JSON.parse((await call("sql", a, ask, "--json")).out)).toEqual([1, 2, 3].map((seed) => ({ seed, n: 16 })))
    expect((await call("sql", a, ask, "--format", "csv")).out).toBe("seed,n\r\n1,16\r\n2,16\r\n3,16")
    expect((await call("sql", a, ask, "--format", "markdown")).out).toBe(
      "| seed | n |\n| --- | --- |\n| 1 | 16 |\n| 2 | 16 |\n| 3 | 16 |",
    )
    expect((await call("sql", a, ask)).out).toContain("3 rows")
    expect((await call("sql", a, "selekt")).code).toBe(2)
  })
  test("two halves into a new folder", async () => {
    const all = sweep({ seeds: 1 })
    const [x, y] = [await folder("x", all.slice(0, 5)), await folder("y", all.slice(5))]
    const got = await call("merge", join(base, "xy"), x, y)
    expect([got.code, got.out]).toEqual([0, `${join(base, "xy")}: added 16 runs, 0 already stored.`])
    const z = await folder("z", [{ ...all[0], result: { ...all[0].result, fingerprint: "other" } }])
    expect((await call("merge", join(base, "xy"), z)).code).toBe(1)
  })
})

const experiment = {
  lacewing: 1,
  network: { topology: { name: "mesh", sides: "4x4" }, routing: "mesh.dimension-order" },
  traffic: { load: 0.1 },
  sweep: { "traffic.load": [0.1, 0.2, 0.3] },
}
const figure: PaperFigure = {
  id: "mesh/fig1",
  title: "A curve",
  cites: "A paper, An Author, 2000",
  claim: "Latency rises.",
  quick: { experiments: { curve: experiment }, scaled: "4x4 instead of 8x8" },
  rows: ({ curve = [] }) => [
    exactly("points", 3, curve.length),
    // the stand-in simulator: 10 + load / (2 (1 - load / 0.7001)) + 0.01 at load 0.2 and seed 1
    within({
      claim: "latency at 0.2",
      paper: 10.1,
      value: curve[1]?.result.values["latency.mean"] ?? Number.NaN,
      low: 10.1,
      high: 10.2,
    }),
  ],
}

describe("paper and reproduce, with a simulator that answers by formula", () => {
  const options = () => ({
    workers: 2,
    out: join(base, "runs"),
    papers: join(base, "papers"),
    simulator: fakeSimulator,
  })
  beforeAll(() => void built())

  test("runs, prints each row against the paper, draws, records, lists; a failing row is exit code 1", async () => {
    const io = recorder()
    await paperCommand("mesh/fig1", { ...options(), run: true, record: true }, io, [figure])
    const text = io.said.join("\n")
    expect(text).toContain("scaled down: 4x4 instead of 8x8")
    expect(text).toMatch(/points +3 +3 +3 +agrees/)
    expect(text).toMatch(/agrees with the paper \(quick, 3 runs, .* in total\)/)
    expect(text).toContain("mesh/fig1: Figure 1. A curve")
    expect(existsSync(join(base, "runs/mesh/fig1/quick/figures/latency.svg"))).toBe(true)
    expect(readFileSync(join(base, "papers/mesh.html"), "utf8")).toContain("Latency rises.")
    const list = recorder()
    await paperCommand(undefined, options(), list, [figure])
    expect(list.said.join("\n")).toMatch(/mesh\/fig1 +A curve +quick: agrees/)
    const known = recorder()
    await paperCommand("mesh/fig1", options(), known, [figure])
    expect(known.said.join("\n")).toMatch(/agrees with the paper \(quick, 3 runs[\s\S]*recorded \d{4}-/)
    const failing = { ...figure, rows: () => [exactly("points", 4, 3)] }
    const json = recorder()
    await expect(paperCommand("mesh", { ...options(), run: true, json: true }, json, [failing])).rejects.toThrow(Exit)
    expect(JSON.parse(json.said[0])).toMatchObject({ id: "mesh/fig1", pass: false, runs: 3 })
    await expect(paperCommand("mesh/fig2", options(), recorder(), [figure])).rejects.toThrow(
      /did you mean "mesh\/fig1"/,
    )
  })

  test("a form that a figure has not is refused and not recorded; among others it is left out", async () => {
    const o = {
      ...options(),
      full: true,
      record: true,
      papers: join(base, "papers-full"),
      out: join(base, "runs-full"),
    }
    await expect(paperCommand("mesh/fig1", o, recorder(), [figure])).rejects.toThrow(
      /This figure has no full version, only a quick one\.[\s\S]*run it with --quick/,
    )
    expect(existsSync(o.papers)).toBe(false)
    const { quick, ...rest } = figure
    const large: PaperFigure = { ...rest, id: "mesh/fig2", full: quick! }
    const io = recorder()
    await paperCommand("mesh", o, io, [figure, large])
    expect(io.errors).toContain("mesh/fig1: skipped, because it has no full version")
    expect([1, 2].map((n) => existsSync(join(o.papers, `mesh/fig${n}.recorded.json`)))).toEqual([false, true])
    const none = recorder()
    await paperCommand("mesh/fig1", { ...options(), papers: o.papers }, none, [figure])
    expect(none.said).toEqual(["mesh/fig1 is not recorded. Run it with: lacewing paper mesh/fig1 --run"])
    await expect(paperCommand("mesh/fig2", { ...options(), quick: true }, recorder(), [large])).rejects.toThrow(
      /This figure has no quick version/,
    )
  })

  test("a run of it is reproduced to the last bit; a changed record is found out", async () => {
    const dir = join(base, "runs/mesh/fig1/quick/curve")
    const read = await readResults(dir)
    if ("bad" in read) throw new Error(read.bad[0].says)
    const one = read.ok.records[0]
    const same = await call("reproduce", one.hash.slice(0, 10), "--in", dir, "--simulator", fakeSimulator)
    expect([same.code, same.out]).toEqual([
      0,
      `the same: fingerprint ${one.result.fingerprint} and all values, to the last bit`,
    ])
    const changed = await folder("changed", [
      { ...one, result: { ...one.result, values: { ...one.result.values, accepted: 0.5 } } },
    ])
    const other = await call("reproduce", one.hash, "--in", changed, "--simulator", fakeSimulator, "--json")
    expect(other.code).toBe(1)
    expect(JSON.parse(other.out).differing).toEqual([
      { name: "accepted", recorded: 0.5, again: one.result.values["accepted"] },
    ])
    expect((await call("reproduce", "ffff", "--in", dir)).code).toBe(2)
  })
})
