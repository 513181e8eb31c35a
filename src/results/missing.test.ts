// A results folder of format 2 marks missing values by NaN and by -0.001: it opens, its values are missing with their
// reasons, and nothing prints a mark.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import old from "../../test/fixtures/folder-format-2.json" with { type: "json" }
import { main } from "../cli/program.ts"
import { plainPaint } from "../terminal/paint.ts"
import { compare, usual } from "./compare/compare.ts"
import { readResults } from "./read.ts"
import type { RunRecord } from "./record.ts"
import { reproduce } from "./reproduce.ts"
import { query } from "./sql.ts"
import { judge, summarise } from "./summary.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-missing-"))
let records: readonly RunRecord[]
beforeAll(async () => {
  for (const [path, text] of Object.entries(old.files)) {
    mkdirSync(join(dir, dirname(path)), { recursive: true })
    writeFileSync(join(dir, path), Buffer.from(text, "base64"))
  }
  const read = await readResults(dir)
  if ("bad" in read) throw new Error(read.bad[0].says)
  expect(read.ok.said).toEqual([])
  records = read.ok.records
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

describe("a folder of format 2", () => {
  test("missing values have reasons: no packet at load 0, saturation at load 1, an unfinished job everywhere", () => {
    const rows = summarise(records)
    expect(rows.map((r) => [r.point["load"], r.missing["latency.mean"], r.missing["jobs.time"]])).toEqual([
      [0, "no packet", "did not end"],
      [0.1, undefined, "did not end"],
      [1, "saturated", "did not end"],
    ])
    expect(rows[1].values["latency.mean"].mean).toBeCloseTo(13.79, 2)
  })

  test("tables have no negative marks", () => {
    for (const r of records) expect(r.result.tables["jobs"]["end"]).toEqual([Number.NaN])
    const cells = records.flatMap((r) => Object.values(r.result.tables).flatMap((t) => Object.values(t).flat()))
    expect(cells.filter((c) => typeof c === "number" && (c < 0 || Math.abs(c) === Number.POSITIVE_INFINITY))).toEqual(
      [],
    )
  })

  test("an expectation about a missing value fails and says why and where, whatever its operator", () => {
    const about = (value: string, operator: "<" | "!=") => ({ text: "", value, at: {}, operator, limit: 1e9 })
    const verdicts = judge([about("jobs.time", "<"), about("latency.mean", "!=")], summarise(records))
    expect(verdicts.map((v) => v.holds)).toEqual([false, false])
    expect(verdicts[0].failures[1]).toBe("jobs.time is missing (did not end) at load=0.1 (drained)")
    expect(verdicts[1].failures).toEqual([
      "latency.mean is missing (no packet) at load=0 (drained)",
      "latency.mean is missing (saturated) at load=1 (drained (saturated))",
    ])
  })

  test("sql sees null and the reason", async () => {
    const sql =
      `select load, "latency.mean" is null, "jobs.time" is null, missing like ` +
      "'%jobs.time=did not end%' from runs order by load"
    const got = await query(dir, sql)
    expect("ok" in got && got.ok.rows).toEqual([
      [0, true, true, true],
      [0.1, false, true, true],
      [1, true, true, true],
    ])
    const ends = await query(dir, `select count(*), count("end") from jobs`)
    expect("ok" in ends && ends.ok.rows).toEqual([[3, 0]])
  })

  test("a comparison and the command line print no mark", async () => {
    const got = compare(records, records, { ...usual, values: ["latency.mean", "jobs.time"] })
    if ("bad" in got) throw new Error(got.bad[0].says)
    expect(got.ok.rows.map((r) => [r.a === null, r.verdict])).toEqual([
      [true, "unsure"],
      [true, "same"],
      [false, "same"],
      [true, "same"],
      [true, "same"],
      [true, "same"],
    ])
    for (const more of [["--all"], ["--json"]]) {
      let out = ""
      const io = {
        out: (s: string) => void (out += s),
        err: () => {},
        raw: () => {},
        paint: plainPaint,
        live: false,
        width: 200,
      }
      expect(await main(["compare", dir, dir, "--value", "latency.mean,jobs.time,hops.mean", ...more], io)).toBe(0)
      expect(out).toContain("no packet")
      expect(out).not.toMatch(/NaN|Infinity|-0\.001|undefined/)
    }
  })

  test("a mark and a missing value with the same reason are the same when a run is reproduced", async () => {
    const record = records[0]
    const { "jobs.time": mark, ...values } = record.result.values
    expect(mark).toBe(-0.001)
    const again = { ...record.result, values, missing: [...(record.result.missing ?? []), "jobs.time"] }
    const got = await reproduce(record, async () => ({ ok: again }), { version: "0.1.0", revisions: "" })
    expect("ok" in got && [got.ok.same, got.ok.differing]).toEqual([true, []])
  })
})
