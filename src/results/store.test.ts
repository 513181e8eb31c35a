// The results folder: what goes in comes out bit for bit, whatever happens in between.
import { spawn, spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { made, sweep } from "../../test/fixtures/records.ts"
import { built } from "../../test/support/build.ts"
import { settled } from "../model/missing.ts"
import { disk, replaceDisk } from "./calls.ts"
import { entries } from "./disk.ts"
import { journalPath } from "./journal.ts"
import { sortRecords } from "./order.ts"
import { readResults } from "./read.ts"
import type { RunRecord } from "./record.ts"
import { query } from "./sql.ts"
import { Store } from "./store.ts"

let dir: string
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), "lacewing-store-")), "results")
})
afterEach(() => {
  replaceDisk()
  rmSync(join(dir, ".."), { recursive: true, force: true })
})

async function opened(at = dir, shardRuns = 8): Promise<Store> {
  const store = await Store.open(at, { version: "0.1.0", about: { title: "a test" }, shardRuns })
  if ("bad" in store) throw new Error(store.bad.map((c) => c.says).join("; "))
  return store.ok
}
async function filled(records: readonly RunRecord[], shardRuns = 8): Promise<void> {
  const store = await opened(dir, shardRuns)
  for (const r of records) expect(await store.add(r)).toEqual([])
  expect(await store.close()).toEqual([])
}
async function read(at = dir): Promise<readonly RunRecord[]> {
  const results = await readResults(at)
  if ("bad" in results) throw new Error(results.bad.map((c) => c.says).join("; "))
  expect(results.ok.said).toEqual([])
  return results.ok.records
}
const files = (): string[] =>
  ["runs", "tables/series", "journal"].flatMap((f) => entries(join(dir, f)).map((n) => `${f}/${n}`))

describe("round trip", () => {
  test("records with tables come back equal, in the order of their points", async () => {
    const records = sweep({ tables: true, seeds: 2 })
    await filled([...records].reverse())
    expect(await read()).toEqual(sortRecords(records))
  })

  test("numbers are kept to the last bit; one that is none becomes the name of a missing value", async () => {
    const odd = { a: 0.1 + 0.2, d: 5e-324, "traffic.0.load": 9, hash: 7, toString: 8 }
    const tables = { empty: { x: [], y: [] }, t: { x: [Number.NaN, 1], n: ["NaN", ""] } }
    const result = { ...made().result, tables }
    const record = { ...made(), result: { ...result, values: { ...odd, b: Number.NaN, c: Number.POSITIVE_INFINITY } } }
    await filled([record, made({ seed: 2, tables: true })])
    const back = (await read()).find((r) => r.hash === record.hash)
    expect(back).toEqual({ ...record, result: { ...result, values: odd, missing: ["b", "c"] } })
  })

  test("the latency of a saturated run is kept, and null for every reader of the files", async () => {
    const saturated = made({ routing: "dragonfly.minimal", load: 0.7, tables: true })
    await filled([saturated])
    expect(await read()).toEqual([saturated])
    const got = await query(dir, `select "latency.mean", accepted, missing from runs`)
    if ("bad" in got) throw new Error(got.bad[0].says)
    const [latency, accepted, missing] = got.ok.rows[0]
    expect([latency, accepted]).toEqual([null, saturated.result.values["accepted"]])
    expect(missing).toContain("latency.mean=saturated; ")
  })

  test("any values and tables survive journal and shard", async () => {
    const name = fc.string({ minLength: 1, maxLength: 8 }).filter((s) => s !== "__proto__")
    const table = fc
      .integer({ min: 0, max: 4 })
      .chain((n) =>
        fc.dictionary(
          name,
          fc.oneof(
            fc.array(fc.double(), { minLength: n, maxLength: n }),
            fc.array(fc.string(), { minLength: n, maxLength: n }),
          ),
          { minKeys: 1, maxKeys: 3, noNullPrototype: true },
        ),
      )
    const result = fc.record({
      values: fc.dictionary(
        name,
        fc.double().map((x) => x + 0),
        { maxKeys: 4, noNullPrototype: true },
      ),
      tables: fc.dictionary(name, table, { maxKeys: 3, noNullPrototype: true }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(result, { minLength: 1, maxLength: 4 }), async (results) => {
        rmSync(dir, { recursive: true, force: true })
        const records = results.map((r, i) => ({ ...made({ seed: i + 1 }), result: { ...made().result, ...r } }))
        const store = await opened()
        for (const r of records) await store.add(r)
        const before = await store.records()
        await store.close()
        const kept = records.map((r) => ({
          ...r,
          result: { ...r.result, missing: undefined, ...settled(r.result.values) },
        }))
        expect("ok" in before && plain(before.ok)).toEqual(plain(kept))
        expect(plain(await read())).toEqual(plain(kept))
      }),
      // a table may be called like a property of every object
      { numRuns: 25, examples: [[[{ values: {}, tables: { toString: { " ": [] } } }]]] },
    )
  })

  test("the manifest names every shard and what it holds", async () => {
    await filled(sweep({ seeds: 1, tables: true }), 8)
    const manifest = JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8"))
    // 16 runs in shards of 8
    expect(manifest.shards.map((s: { runs: number }) => s.runs)).toEqual([8, 8])
    expect(manifest.about.title).toBe("a test")
    expect(entries(join(dir, "journal"))).toEqual([])
    expect(entries(join(dir, "tables"))).toEqual([
      "attribution",
      "channels",
      "channels-worst",
      "endpoints",
      "groups",
      "latency.histogram",
      "series",
    ])
    expect(existsSync(join(dir, "lock.json"))).toBe(false)
  })

  test("a second opening adds; small shards are joined, none lies about twice", async () => {
    const [a, b, c] = [made({ seed: 1 }), made({ seed: 2 }), made({ seed: 3 })]
    await filled([a])
    await filled([b])
    await filled([c])
    expect(files()).toEqual(["runs/0003.parquet"])
    expect(await read()).toEqual([a, b, c])
  })

  test("a run that is run again replaces the old one everywhere", async () => {
    const old = sweep({ seeds: 1, loads: [0.1, 0.2, 0.3, 0.4] })
    await filled(old, 4)
    const again = { ...old[5], provenance: { ...old[5].provenance, seconds: 99 } }
    await filled([again], 4)
    const back = await read()
    expect(back).toHaveLength(8)
    expect(back.filter((r) => r.provenance.seconds === 99)).toEqual([again])
  })

  test("adds that overlap are kept all", async () => {
    const records = sweep({ seeds: 3 })
    const store = await opened(dir, 5)
    await Promise.all(records.map((r) => store.add(r)))
    await store.close()
    expect(await read()).toEqual(sortRecords(records))
  })
})

describe("plan", () => {
  test("runs that left the experiment stay stored but are not shown; labels are those of the plan", async () => {
    const [old, kept, added] = [made({ load: 0.1 }), made({ load: 0.2 }), made({ load: 0.3 })]
    await filled([old, kept])
    const store = await opened()
    expect(
      await store.plan([kept, added].map((r) => ({ hash: r.hash, point: { load: r.point["traffic.0.load"] } }))),
    ).toEqual([])
    const before = await readResults(dir)
    expect("ok" in before && before.ok.said[0].says).toBe("1 of 2 runs are not finished.")
    await store.add({ ...added, point: { load: 0.3 } })
    await store.close()
    expect((await read()).map((r) => [r.hash, r.point])).toEqual([
      [kept.hash, { load: 0.2 }],
      [added.hash, { load: 0.3 }],
    ])
    const all = await readResults(dir, { everything: true })
    expect("ok" in all && all.ok.records).toHaveLength(3)
  })
  test("without a plan the newest of equal point and seed counts", async () => {
    const older = made()
    const newer = { ...older, hash: "newer", provenance: { ...older.provenance, started: "2026-02-01T00:00:00.000Z" } }
    await filled([newer, older])
    const got = await readResults(dir)
    expect("ok" in got && got.ok.records.map((r) => r.hash)).toEqual(["newer"])
    expect("ok" in got && got.ok.said[0].says).toBe("1 older run with the same point and seed is ignored.")
  })
})

/** -0 and 0 are one number to a store; NaN columns of text stay text. */
function plain(records: readonly RunRecord[]): unknown {
  const text = JSON.stringify(sortRecords(records), (k, v: unknown) => {
    if (k === "missing" && Array.isArray(v)) return v.toSorted()
    return typeof v === "number" ? v + 0 : v
  })
  return JSON.parse(text)
}

/** Runs a program and kills it `delay` ms after its n-th line, unless it is done before; the lines it got out. */
async function killedAfter(
  program: string,
  n: number,
  delay: number,
): Promise<{ said: string[]; status: number | null }> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  let out = ""
  child.stdout.on("data", (chunk: Buffer) => {
    const before = out.split("\n").length - 1
    out += chunk.toString()
    if (before < n && out.split("\n").length - 1 >= n) setTimeout(() => child.kill("SIGKILL"), delay)
  })
  const status = await new Promise<number | null>((done) => child.on("close", done))
  return { said: out.split("\n").slice(0, -1), status }
}

describe("interruption", () => {
  // SIGKILL a few milliseconds after every second promise: inside journal writes, shard writes, the commit and the
  // removals after it
  test("a kill at any instant loses nothing that add() had promised", async () => {
    const list = join(dir, "..", "records.json")
    const records = sweep({ tables: true, seeds: 1 })
    writeFileSync(list, JSON.stringify(records))
    const program = `
      import { readFileSync, writeSync } from "node:fs"
      import { Store } from ${JSON.stringify(pathToFileURL(join(built(), "results/store.js")).href)}
      const { ok: store } = await Store.open(${JSON.stringify(dir)}, { version: "0.1.0", shardRuns: 4 })
      for (const r of JSON.parse(readFileSync(${JSON.stringify(list)}, "utf8"))) {
        if (store.has(r.hash)) continue
        await store.add(r)
        writeSync(1, r.hash + "\\n")
      }
      await store.close()`
    const promised = new Set<string>()
    let kills = 0
    for (let finished = false; !finished; ) {
      const { said, status } = await killedAfter(program, 2, (kills * 5) % 13)
      for (const hash of said) {
        expect(promised.has(hash), `${hash} was run twice`).toBe(false)
        promised.add(hash)
      }
      const now = new Set((await read()).map((r) => r.hash))
      for (const hash of promised) expect(now.has(hash), `${hash} was lost`).toBe(true)
      finished = status === 0
      if (!finished) kills++
    }
    expect(kills).toBeGreaterThan(3)
    expect(await read()).toEqual(sortRecords(records))
  })

  test("what a killed compaction leaves is put right", async () => {
    const records = sweep({ seeds: 1, loads: [0.1, 0.2] })
    await filled(records)
    // an unfinished temporary file, a shard no manifest names, and a journal entry that is in a shard already
    mkdirSync(join(dir, "journal"), { recursive: true })
    writeFileSync(join(dir, "journal", "x.json.77.tmp"), "{")
    writeFileSync(join(dir, "runs", "0002.parquet"), "half")
    writeFileSync(journalPath(dir, records[0].hash), JSON.stringify(records[0]))
    const store = await opened()
    expect(store.said).toEqual([])
    expect(records.every((r) => store.has(r.hash))).toBe(true)
    await store.close()
    expect(files()).toEqual(["runs/0002.parquet"])
    expect(await read()).toEqual(sortRecords(records))
  })

  test("a truncated shard is set aside, its points are unknown again, and that is said", async () => {
    const records = sweep({ seeds: 1, tables: true })
    await filled(records)
    truncateSync(join(dir, "runs/0001.parquet"), 100)
    const reading = await readResults(dir)
    expect("ok" in reading && reading.ok.records.length).toBe(8)
    expect("ok" in reading && reading.ok.said[0]?.says).toMatch(
      /shard 1 is damaged: runs\/0001\.parquet has 100 of \d+ bytes/,
    )
    const store = await opened()
    expect(store.said).toHaveLength(1)
    expect(store.said[0].fix).toMatch(/moved it to .*set-aside and repeats its 8 runs/)
    const missing = records.filter((r) => !store.has(r.hash))
    expect(missing).toHaveLength(8)
    for (const r of missing) await store.add(r)
    await store.close()
    expect(await read()).toEqual(sortRecords(records))
    expect(entries(join(dir, "set-aside/1"))).toContain("runs")
  })

  test("a flipped bit in the table of a probe is found", async () => {
    await filled(sweep({ seeds: 1, tables: true }))
    const path = join(dir, "tables/series/0002.parquet")
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1] ^= 1
    writeFileSync(path, bytes)
    const store = await opened()
    expect(store.said[0].says).toBe("shard 2 is damaged: tables/series/0002.parquet differs from what was written")
    store.abandon()
  })

  test("a lost or damaged manifest is rebuilt from the shards", async () => {
    const records = sweep({ seeds: 1, tables: true })
    await filled(records)
    rmSync(join(dir, "manifest.json"))
    expect(await read()).toEqual(sortRecords(records))
    writeFileSync(join(dir, "manifest.json"), '{"format": 1, "sha')
    const store = await opened()
    expect(store.said[0].says).toBe("manifest.json is damaged")
    await store.close()
    expect(await read()).toEqual(sortRecords(records))
  })

  test("a damaged journal entry is set aside", async () => {
    const store = await opened()
    await store.add(made())
    store.abandon()
    truncateSync(journalPath(dir, made().hash), 50)
    const again = await opened()
    expect(again.has(made().hash)).toBe(false)
    expect(again.said[0].says).toBe("This file is not a complete run.")
    again.abandon()
    expect(readdirSync(join(dir, "set-aside"))).toHaveLength(1)
  })
})

describe("refusals", () => {
  test("results of a newer format are refused and not touched", async () => {
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, "manifest.json"), '{"format":5,"version":"9.0.0"}')
    for (const got of [await Store.open(dir, { version: "0.1.0" }), await readResults(dir)]) {
      expect("bad" in got && got.bad[0].says).toBe(
        "The results have format 5 (written by lacewing 9.0.0), but this version reads formats up to 4.",
      )
      expect("bad" in got && got.bad[0].fix).toMatch(/install lacewing 9\.0\.0 or newer/)
    }
    expect(readdirSync(dir)).toEqual(["manifest.json"])
  })

  test("a second process on the folder is refused, one that died is not respected", async () => {
    const store = await opened()
    const second = await Store.open(dir, { version: "0.1.0" })
    expect("bad" in second && second.bad[0].says).toMatch(
      new RegExp(`^Process ${process.pid} on .* has been writing to this folder since`),
    )
    store.abandon()
    const dead = spawnSync(process.execPath, ["-e", ""]).pid
    writeFileSync(
      join(dir, "lock.json"),
      JSON.stringify({ pid: dead, host: hostname(), since: "2026-01-01", born: "1" }),
    )
    const third = await opened()
    third.abandon()
    // the same number given to another process: alive, but born at another time
    writeFileSync(
      join(dir, "lock.json"),
      JSON.stringify({ pid: process.pid, host: hostname(), since: "2026-01-01", born: "1" }),
    )
    if (existsSync("/proc/self/stat")) (await opened()).abandon()
    // another machine that was heard of a moment ago
    writeFileSync(join(dir, "lock.json"), JSON.stringify({ pid: 1, host: "elsewhere", since: "2026-01-01", born: "" }))
    const fourth = await Store.open(dir, { version: "0.1.0" })
    expect("bad" in fourth && fourth.bad[0].says).toMatch(/Process 1 on elsewhere .*last seen 0 s ago/)
  })

  // what is written goes to /dev/full, so the error is the kernel's own
  test.runIf(existsSync("/dev/full"))("a full disk is a complaint and leaves nothing half-written", async () => {
    const store = await opened()
    await store.add(made({ seed: 1 }))
    const record = made({ seed: 2 })
    const real = disk
    const fullAt = (part: string): void =>
      replaceDisk({ ...real, create: (path) => (path.includes(part) ? openSync("/dev/full", "w") : real.create(path)) })
    fullAt(record.hash)
    const bad = await store.add(record)
    expect(bad).toEqual([
      {
        path: expect.any(String),
        says: "the disk is full",
        fix: "free some space and run the same command again: finished runs are kept",
      },
    ])
    expect(store.has(record.hash)).toBe(false)
    expect(entries(join(dir, "journal"))).toHaveLength(1)
    // and while a shard is written: the journal keeps everything
    fullAt("manifest.json")
    expect((await store.close())[0].says).toBe("the disk is full")
    replaceDisk()
    expect(files().filter((f) => f.startsWith("runs"))).toEqual([])
    expect(await read()).toEqual([made({ seed: 1 })])
    await filled([record])
    expect(await read()).toEqual([made({ seed: 1 }), record])
  })

  test.runIf(process.platform !== "win32")("a read-only folder is a complaint", async () => {
    await filled([made()])
    chmodSync(join(dir, ".."), 0o755)
    chmodSync(dir, 0o555)
    const root = process.getuid?.() === 0
    if (root) process.seteuid?.(65534)
    try {
      const got = await Store.open(dir, { version: "0.1.0" })
      expect("bad" in got && got.bad[0].says).toBe("permission denied")
      expect(await read()).toEqual([made()])
    } finally {
      if (root) process.seteuid?.(0)
      chmodSync(dir, 0o755)
    }
  })

  test("a folder without results, and one that is not there", async () => {
    const none = await readResults(dir)
    expect("bad" in none && none.bad[0].says).toBe("does not exist")
    mkdirSync(dir, { recursive: true })
    const empty = await readResults(dir)
    expect("bad" in empty && empty.bad[0].says).toBe("This folder contains no results.")
  })
})
