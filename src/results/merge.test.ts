// Folders joined, queried, exported and reproduced.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { made, sweep } from "../../test/fixtures/records.ts"
import { exportCsv, exportJson } from "./export.ts"
import { merge } from "./merge.ts"
import { sortRecords } from "./order.ts"
import { readResults } from "./read.ts"
import type { RunRecord } from "./record.ts"
import { findRun, reproduce } from "./reproduce.ts"
import { query } from "./sql.ts"
import { Store } from "./store.ts"

let base: string
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "lacewing-merge-"))
})
afterAll(() => {
  rmSync(base, { recursive: true, force: true })
})

async function folder(name: string, records: readonly RunRecord[], close = true): Promise<string> {
  const store = await Store.open(join(base, name), { version: "0.1.0", about: { title: "shards" }, shardRuns: 8 })
  if ("bad" in store) throw new Error(store.bad[0].says)
  for (const r of records) await store.ok.add(r)
  if (close) await store.ok.close()
  else store.ok.abandon()
  return join(base, name)
}

describe("merge", () => {
  test("two shards of a sweep become the whole sweep", async () => {
    const records = sweep({ tables: true, seeds: 1 })
    const a = await folder(
      "a",
      records.filter((_, i) => i % 2 === 0),
    )
    const b = await folder(
      "b",
      records.filter((_, i) => i % 2 === 1),
    )
    const merged = await merge(join(base, "ab"), [a, b], { version: "0.1.0" })
    expect(merged).toEqual({ ok: { added: 16, known: 0, conflicts: [], said: [] } })
    const read = await readResults(join(base, "ab"))
    expect("ok" in read && read.ok.records).toEqual(sortRecords(records))
    expect("ok" in read && read.ok.about.title).toBe("shards")
    const again = await merge(join(base, "ab"), [a, b], { version: "0.1.0" })
    expect("ok" in again && [again.ok.added, again.ok.known]).toEqual([0, 16])
  })

  test("the same run with another fingerprint is a conflict", async () => {
    const run = made({ seed: 7 })
    const other = { ...run, result: { ...run.result, fingerprint: "other" } }
    const merged = await merge(join(base, "cd"), [await folder("c", [run]), await folder("d", [other])], {
      version: "0.1.0",
    })
    expect("ok" in merged && merged.ok.conflicts[0].says).toBe(
      `Run ${run.hash} has fingerprint other here and ${run.result.fingerprint} in another folder.`,
    )
  })

  test("a folder that is not there stops it before anything is written", async () => {
    const merged = await merge(join(base, "none"), [join(base, "absent")], { version: "0.1.0" })
    expect("bad" in merged && merged.bad[0].says).toBe("does not exist")
    const read = await readResults(join(base, "none"))
    expect("bad" in read && read.bad[0].says).toBe("does not exist")
  })
})

describe("sql", () => {
  test("without DuckDB it says what to install", async () => {
    const got = await query(base, "select 1", () => Promise.reject(new Error("not found")))
    expect("bad" in got && got.bad[0]).toMatchObject({
      says: "DuckDB is not installed.",
      fix: expect.stringContaining("npm install @duckdb/node-api"),
    })
  })

  test("runs and probe tables are views, runs of the journal and runs that were run again included once", async () => {
    const dir = await folder("sql", sweep({ tables: true, seeds: 2 }))
    const again = made({ load: 0.1, seed: 1, slower: 2, tables: true })
    await folder("sql", [again, made({ load: 0.15, seed: 1 })], false)
    const counts = await query(dir, "select count(*) as n, count(distinct hash) as d from runs")
    // 2 routings * 8 loads * 2 seeds, and one more
    expect(counts).toEqual({ ok: { columns: ["n", "d"], rows: [[33, 33]], said: [] } })
    const one = await query(dir, `select "latency.mean" from runs where hash = '${again.hash}'`)
    expect("ok" in one && one.ok.rows).toEqual([[again.result.values["latency.mean"]]])
    const worst = await query(
      dir,
      'select "from", max(load) from channels join runs using (hash) where seed = 2 group by 1 order by 2 desc limit 1',
    )
    expect("ok" in worst && worst.ok.rows[0]).toEqual([7, 0.97])
  })

  test("a mistake in the query is a complaint that lists the tables", async () => {
    const got = await query(await folder("sql2", [made({ tables: true })]), "select nothing from runs")
    expect("bad" in got && got.bad[0].says).toMatch(/nothing/)
    expect("bad" in got && got.bad[0].fix).toMatch(/"runs", "latency\.histogram"/)
  })
})

describe("export", () => {
  test("CSV: one line for each run, texts with commas quoted", () => {
    const records = sortRecords(sweep({ seeds: 1, tables: true }))
    const paths = exportCsv(records, join(base, "csv"))
    expect(paths.map((p) => p.slice(base.length + 5))).toEqual(
      ["runs", "latency.histogram", "series", "channels", "endpoints", "groups", "attribution", "channels-worst"].map(
        (n) => `${n}.csv`,
      ),
    )
    const lines = readFileSync(paths[0], "utf8").split("\r\n")
    expect(lines[0].split(",").slice(0, 5)).toEqual([
      "hash",
      "seed",
      "network.routing.name",
      "traffic.0.load",
      "offered",
    ])
    expect(lines).toHaveLength(1 + 16 + 1)
    expect(Number(lines[1].split(",")[6])).toBe(records[0].result.values["latency.mean"])
    const odd = { ...made(), result: { ...made().result, explains: 'a "b", c' } }
    expect(readFileSync(exportCsv([odd], join(base, "csv2"))[0], "utf8")).toContain('"a ""b"", c"')
  })
  test("JSON: the records themselves, with null and a reason for a missing value", () => {
    const records = sweep({ seeds: 1, tables: true })
    const back = JSON.parse(readFileSync(exportJson(records, join(base, "json"))[0], "utf8")) as typeof records
    const carried = (r: (typeof records)[number]) => r.result.why !== "saturated"
    expect(back.filter(carried)).toEqual(records.filter(carried))
    // minimal saturates at 0.62, ugal-l at 0.78: loads 0.7 and 0.8 of the one, 0.8 of the other
    const saturated = back.filter((r) => !carried(r))
    expect(saturated.map((r) => r.result.values["latency.mean"])).toEqual([null, null, null])
    expect(saturated.map((r) => Reflect.get(r.result.missing!, "latency.mean"))).toEqual([
      "saturated",
      "saturated",
      "saturated",
    ])
    expect(saturated.map((r) => r.result.tables)).toEqual(
      records.filter((r) => !carried(r)).map((r) => r.result.tables),
    )
  })
  test("CSV: an empty cell and a reason for a missing value", () => {
    const [runs] = exportCsv([made({ routing: "dragonfly.minimal", load: 0.7 })], join(base, "csv3"))
    const [head, row] = readFileSync(runs!, "utf8").split("\r\n")
    const at = head!.split(",").indexOf("latency.mean")
    expect(at).toBeGreaterThan(0)
    expect(row!.split(",")[at]).toBe("")
    expect(row).toContain(",latency.mean=saturated; ")
  })
})

describe("reproduce", () => {
  const run = made({ seed: 3 })
  const now = { version: "0.1.0", revisions: "" }
  test("equal but for what the machine decides", async () => {
    const got = await reproduce(
      run,
      async () => ({ ok: { ...run.result, values: { ...run.result.values, seconds: 77 } } }),
      { version: "0.2.0", revisions: "" },
    )
    expect("ok" in got && got.ok).toMatchObject({
      same: true,
      differing: [],
      version: { recorded: "0.1.0", again: "0.2.0" },
    })
  })
  test("another last bit, a value more, another fingerprint", async () => {
    const values = { ...run.result.values, accepted: run.result.values["accepted"] + 2 ** -54, more: 1 }
    const got = await reproduce(run, async () => ({ ok: { ...run.result, fingerprint: "x", values } }), now)
    expect("ok" in got && got.ok.same).toBe(false)
    expect("ok" in got && got.ok.differing.map((d) => d.name)).toEqual(["accepted", "more"])
    const other = await reproduce(run, async () => ({ ok: { ...run.result, fingerprint: "x" } }), now)
    expect("ok" in other && other.ok.same).toBe(false)
  })
  test("a hash may be cut short while it is the only one", () => {
    const runs = [
      { ...run, hash: "abcd1" },
      { ...run, hash: "abcd2" },
      { ...run, hash: "ef" },
    ]
    expect(findRun(runs, "e")).toEqual({ ok: runs[2] })
    const two = findRun(runs, "abc")
    expect("bad" in two && two.bad[0].says).toBe("2 runs have a hash that starts with these characters.")
    const none = findRun(runs, "zz")
    expect("bad" in none && none.bad[0].says).toBe("None of the 3 runs has this hash.")
  })
})
