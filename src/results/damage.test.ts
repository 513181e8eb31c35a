// Results folders that somebody else wrote, damaged or forged: nothing outside is touched, nothing changed is believed,
// nothing hangs.
import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import old from "../../test/fixtures/folder-0.1.0.json" with { type: "json" }
import { made } from "../../test/fixtures/records.ts"
import { memoryDisk } from "../../test/support/memory-disk.mjs"
import { canonical } from "../core/canonical.ts"
import { fileName } from "../experiment/disk/safe-names.ts"
import { replaceDisk } from "./calls.ts"
import { checksumMap, checksumOf } from "./checksum.ts"
import { exportCsv } from "./export.ts"
import { plainDigest } from "./folder/folder.ts"
import { journalPath } from "./journal.ts"
import { merge } from "./merge.ts"
import { sortRecords } from "./order.ts"
import { readResults } from "./read.ts"
import type { RunRecord } from "./record.ts"
import { query } from "./sql.ts"
import { Store } from "./store.ts"

let base: string
let dir: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "lacewing-damage-"))
  dir = join(base, "results")
})
afterEach(() => {
  replaceDisk()
  rmSync(base, { recursive: true, force: true })
})

const run = (seed: number, table = "series"): RunRecord => {
  const { result, ...rest } = made({ seed })
  return {
    ...rest,
    result: {
      ...result,
      values: { "latency.mean": seed },
      tables: { [table]: { time: [1, 2], latency: [seed, 0.5] } },
    },
  }
}

async function filled(records: readonly RunRecord[], at = dir): Promise<void> {
  const store = await Store.open(at, { version: "0.2.0", shardRuns: 2 })
  if ("bad" in store) throw new Error(store.bad[0].says)
  for (const r of records) expect(await store.ok.add(r)).toEqual([])
  expect(await store.ok.close()).toEqual([])
}

async function opened(shardRuns = 2): Promise<Store> {
  const store = await Store.open(dir, { version: "0.2.0", shardRuns })
  if ("bad" in store) throw new Error(store.bad[0].says)
  return store.ok
}

/** Texts of the runs that can be read, and what is said. */
async function readable(at = dir): Promise<{ runs: string[]; said: string[] }> {
  const read = await readResults(at)
  if ("bad" in read) return { runs: [], said: read.bad.map((c) => c.says) }
  return { runs: read.ok.records.map(canonical), said: read.ok.said.map((c) => c.says) }
}

function change(path: string, how: (bytes: Uint8Array) => void): void {
  const bytes = Uint8Array.from(readFileSync(join(dir, path)))
  how(bytes)
  writeFileSync(join(dir, path), bytes)
}

function unpack(files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), Buffer.from(content, "base64"))
  }
}

describe("paths", () => {
  const forged = (table: string, path: string): object => ({
    format: 1,
    version: "0.1.0",
    created: "2026-01-01T00:00:00.000Z",
    about: {},
    next: 2,
    shards: [
      {
        number: 1,
        runs: 1,
        files: [
          { table: "runs", path, bytes: 1, sha256: "0".repeat(64) },
          { table, path, bytes: 1, sha256: "0".repeat(64) },
        ],
      },
    ],
    retired: [],
  })

  test.each(["../victim.txt", "../../victim.txt", "runs/../../victim.txt", "/victim.txt"])(
    "a manifest that names %s moves nothing",
    async (path) => {
      mkdirSync(dir)
      const victim = join(base, "victim.txt")
      for (const [i, table] of ["x", "..", ".", "../..", "a/../../.."].entries()) {
        writeFileSync(victim, "mine")
        writeFileSync(join(base, "0001.parquet"), "mine")
        writeFileSync(join(dir, "manifest.json"), JSON.stringify(forged(table, path === "/victim.txt" ? victim : path)))
        const store = await opened()
        expect(store.said[0].says).toBe("shard 1 is damaged: runs/0001.parquet is missing")
        store.abandon()
        const merged = await merge(join(base, `into${i}`), [dir], { version: "0.2.0" })
        expect("ok" in merged && merged.ok.added).toBe(0)
        expect([readFileSync(victim, "utf8"), readFileSync(join(base, "0001.parquet"), "utf8")]).toEqual([
          "mine",
          "mine",
        ])
      }
    },
  )

  test.runIf(process.platform !== "win32")(
    "folders inside that are links are refused, and what they lead to stays",
    async () => {
      await filled([run(1)])
      const elsewhere = join(base, "elsewhere")
      renameSync(join(dir, "runs"), elsewhere)
      writeFileSync(join(elsewhere, "0099.parquet"), "mine")
      symlinkSync(elsewhere, join(dir, "runs"))
      const got = await Store.open(dir, { version: "0.2.0" })
      expect("bad" in got && got.bad[0].says).toMatch(/^This is a symbolic link/)
      expect(readFileSync(join(elsewhere, "0099.parquet"), "utf8")).toBe("mine")
      expect(existsSync(join(dir, "lock.json"))).toBe(false)
    },
  )

  test("names that are long, foreign, reserved or differ in case only have files of their own", async () => {
    const names = [
      "x".repeat(300),
      "é".repeat(60),
      "A.b",
      "a.b",
      "a b",
      "a/b",
      "..",
      "con",
      "CON",
      "nul.x",
      "",
      "-",
      "😀",
      "a.",
      "toString",
    ]
    expect(new Set(names.map((n) => fileName(n).toLowerCase())).size).toBe(names.length)
    for (const n of names) expect(fileName(n)).toMatch(/^(?!con$|nul\.)[a-z0-9][a-z0-9._-]{0,90}$/)
    expect(fileName("latency.histogram")).toBe("latency.histogram")
    const records = names.map((n, i) => run(i, `${n}.endpoints`))
    await filled(records)
    expect((await readable()).runs).toEqual(sortRecords(records).map(canonical))
    expect(exportCsv(records, join(base, "csv"))).toHaveLength(names.length + 1)
    expect(existsSync(join(dir, "lock.json"))).toBe(false)
  })
})

describe("damage", () => {
  test("no changed byte of a shard is believed, hangs or crashes, with a manifest and without one", async () => {
    const records = [1, 2, 3, 4].map((seed) => run(seed))
    await filled(records)
    const whole = records.map(canonical)
    const manifest = readFileSync(join(dir, "manifest.json"))
    for (const path of ["runs/0001.parquet", "tables/series/0001.parquet"]) {
      const size = statSync(join(dir, path)).size
      // the byte that once made the parser go round for ever, then a spread over the file, its last bytes included
      const spread = Array.from({ length: 24 }, (_, i) => size - 1 - Math.floor((i * i * size) / 600))
      for (const at of [15, ...spread]) {
        change(path, (b) => void (b[at] ^= 2))
        const withManifest = await readable()
        expect(withManifest.runs).toEqual(whole.slice(2))
        expect(withManifest.said).toEqual([`shard 1 is damaged: ${path} differs from what was written`])
        rmSync(join(dir, "manifest.json"))
        const without = await readable()
        expect(without.runs).toEqual(whole.slice(2))
        expect(without.said[0]).toMatch(/^shard 1 is damaged: /)
        writeFileSync(join(dir, "manifest.json"), manifest)
        change(path, (b) => void (b[at] ^= 2))
      }
    }
    expect(await readable()).toEqual({ runs: whole, said: [] })
  })

  test("after a lost manifest and a flipped bit only the damaged shard is set aside and runs again", async () => {
    const records = [1, 2, 3, 4].map((seed) => run(seed))
    await filled(records)
    rmSync(join(dir, "manifest.json"))
    change("runs/0001.parquet", (b) => void (b[15] ^= 2))
    const store = await opened()
    expect(store.said.map((c) => c.says)).toEqual([
      "manifest.json is absent",
      "shard 1 is damaged: runs/0001.parquet differs from what was written",
    ])
    expect(records.map((r) => store.has(r.hash))).toEqual([false, false, true, true])
    for (const r of records.slice(0, 2)) await store.add(r)
    await store.close()
    expect(await readable()).toEqual({ runs: records.map(canonical), said: [] })
    expect(readdirSync(join(dir, "set-aside/1")).sort()).toEqual(["runs", "series"])
  })

  test("a changed run in the journal, a changed plan, a changed manifest", async () => {
    const store = await opened(64)
    await store.add(run(1))
    await store.add({ ...run(3), point: { load: 0.7 } })
    await store.plan([run(1)])
    store.abandon()
    const at = (await readable()).runs
    expect(at).toEqual([canonical(run(1))])
    // one digit of a value
    const path = journalPath(dir, run(1).hash)
    const text = readFileSync(path, "utf8")
    expect(text).toContain('"latency.mean":1')
    writeFileSync(path, text.replace('"latency.mean":1', '"latency.mean":7'))
    expect(await readable()).toEqual({
      runs: [],
      said: ["This file is not a complete run.", "1 of 1 runs are not finished."],
    })
    writeFileSync(path, text)
    change("plan.json", (b) => void (b[b.length - 10] ^= 1))
    expect((await readable()).said).toEqual(["The plan is damaged, so all runs of the folder are used."])
    // a number of the manifest that fits as well as the right one
    writeFileSync(
      join(dir, "manifest.json"),
      readFileSync(join(dir, "manifest.json"), "utf8").replace('"next": ', '"next": 9'),
    )
    const again = await opened()
    expect(again.said[0].says).toBe("manifest.json is damaged")
    again.abandon()
  })

  test("sql on a folder whose only shard is damaged names the shard", async () => {
    await filled([run(1), run(2)])
    change("runs/0001.parquet", (b) => void (b[60] ^= 1))
    const got = await query(dir, "select * from runs")
    expect("bad" in got && got.bad.map((c) => [c.says.split("\n")[0], c.fix])).toEqual([
      [
        "shard 1 is damaged: runs/0001.parquet differs from what was written",
        expect.stringContaining("repeats the lost runs"),
      ],
      [expect.stringContaining("Table with name runs does not exist"), "This folder has no table that can be read."],
    ])
  })

  test("sql answers from whole shards only, and says what it left out", async () => {
    await filled([1, 2, 3, 4].map((seed) => run(seed)))
    for (const at of [60, 200, 400]) {
      change("runs/0001.parquet", (b) => void (b[at] ^= 1))
      const got = await query(dir, 'select "latency.mean" from runs order by 1')
      expect("ok" in got && got.ok.rows).toEqual([[3], [4]])
      expect("ok" in got && got.ok.said.map((c) => c.says)).toEqual([
        "shard 1 is damaged: runs/0001.parquet differs from what was written",
      ])
      change("runs/0001.parquet", (b) => void (b[at] ^= 1))
    }
    rmSync(join(dir, "manifest.json"))
    const all = await query(dir, "select count(*) from runs")
    expect("ok" in all && all.ok.rows).toEqual([[4]])
  })

  test.each([
    "null",
    "[]",
    '{"format":2}',
    '{"format":"2"}',
    '{"format":1,"version":"0.1.0","created":"","about":{},"next":1,"shards":[{"number":1}],"retired":[]}',
    '{"format":1,"version":"0.1.0","created":"","about":{},"next":2,"shards":[{"number":1,"runs":1,"files":[null]}],"retired":[]}',
    '{"format":1,"version":"0.1.0","created":"","about":[],"next":"x","shards":{},"retired":0}',
    JSON.stringify(
      checksumMap(
        {
          format: 2,
          version: "x",
          created: "",
          about: {},
          next: 1,
          shards: [{ number: 5, runs: 1, files: [] }],
          retired: [],
        },
        plainDigest,
      ),
    ),
    "[".repeat(100_000),
    "\u0000",
  ])("a manifest that is none (%#) is set aside, and the shards tell what they hold", async (text) => {
    await filled([run(1), run(2)])
    writeFileSync(join(dir, "manifest.json"), text)
    expect((await readable()).runs).toEqual([run(1), run(2)].map(canonical))
    const store = await opened()
    expect(store.said.map((c) => c.says)).toEqual(["manifest.json is damaged"])
    await store.close()
    expect((await readable()).runs).toEqual([run(1), run(2)].map(canonical))
  })

  test("folders and pipes where files belong are no results, and nobody waits for them", async () => {
    await filled([run(1), run(2)])
    mkdirSync(join(dir, "plan.json"))
    mkdirSync(join(dir, "journal", "x.json"), { recursive: true })
    expect((await readable()).said).toEqual([
      "This file is not a complete run.",
      "The plan is damaged, so all runs of the folder are used.",
    ])
    rmSync(join(dir, "manifest.json"))
    // where there is no mkfifo, a folder has to do
    if (spawnSync("mkfifo", [join(dir, "manifest.json")]).status !== 0) mkdirSync(join(dir, "manifest.json"))
    expect((await readable()).runs).toHaveLength(2)
  })

  test.each([0, -1, 1.5, "1", null])("a lock of process %s is not taken for a living one for ever", async (pid) => {
    await filled([run(1)])
    writeFileSync(join(dir, "lock.json"), JSON.stringify({ pid, host: "here", since: "", born: "" }))
    const got = await Store.open(dir, { version: "0.2.0" })
    expect("bad" in got && got.bad[0].says).toMatch(/^The folder has a lock file that cannot be read/)
  })

  test("a path that no system takes is a complaint", async () => {
    for (const at of [join(base, "x".repeat(300)), `${base}/a\u0000b`]) {
      for (const got of [await Store.open(at, { version: "0.2.0" }), await readResults(at)])
        expect("bad" in got && got.bad).toHaveLength(1)
    }
  })
})

describe("a folder of 0.1.0", () => {
  const texts = (old.records as unknown[]).map(canonical)

  test("is read as it is", async () => {
    unpack(old.files)
    expect(await readable()).toEqual({ runs: texts.slice(1), said: [] })
    const all = await readResults(dir, { everything: true })
    expect("ok" in all && all.ok.records.map(canonical)).toEqual(texts)
    change("tables/series/0001.parquet", (b) => void (b[15] ^= 2))
    expect((await readable()).said[0]).toMatch(/^shard 1 is damaged: tables\/series\/0001\.parquet/)
  })

  test("gets checksums of its own with the next runs, and then needs no manifest", async () => {
    unpack(old.files)
    const store = await opened()
    expect(store.said).toEqual([])
    await store.close()
    for (const name of readdirSync(join(dir, "runs")))
      expect(checksumOf(readFileSync(join(dir, "runs", name)), plainDigest)).toBe("whole")
    rmSync(join(dir, "manifest.json"))
    rmSync(join(dir, "plan.json"))
    expect((await readable()).runs).toEqual(texts)
  })

  test("without its manifest, which had the checksums, nothing of it is believed", async () => {
    unpack(old.files)
    rmSync(join(dir, "manifest.json"))
    const { runs, said } = await readable()
    expect(runs).toHaveLength(1)
    expect(said[0]).toBe("shard 1 is damaged: runs/0001.parquet has no checksum, and the one in manifest.json is lost")
  })
})

test("what is told about a folder comes back, and nothing else that a manifest may say", async () => {
  const about = { title: "a", experiment: "b", file: "c", search: { from: 0.1, to: 1, precision: 0.01, latency: 3 } }
  const store = await Store.open(dir, { version: "0.2.0", about })
  if ("ok" in store) store.ok.abandon()
  const read = await readResults(dir)
  expect("ok" in read && read.ok.about).toEqual(about)
  const { sha256: _, ...raw } = JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8"))
  const forged = { title: 7, file: "c", search: { ...about.search, from: 0 }, more: 1 }
  writeFileSync(join(dir, "manifest.json"), JSON.stringify(checksumMap({ ...raw, about: forged }, plainDigest)))
  const again = await readResults(dir)
  expect("ok" in again && again.ok.about).toEqual({ file: "c" })
})

test("the memory disk of the crash tests is left as a real one", async () => {
  const disk = memoryDisk()
  disk.mkdir("/m")
  const commands = async (at: string): Promise<void> => {
    await filled(
      [1, 2, 3].map((s) => run(s)),
      at,
    )
    await filled([run(3), run(4)], at)
  }
  await commands(dir)
  replaceDisk(disk)
  await commands("/m/results")
  replaceDisk()
  const real = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((p) => statSync(join(dir, p)).isFile())
  const memory = [...disk.files.keys()].map((p) => p.slice("/m/results/".length))
  expect(memory.sort()).toEqual(real.sort())
  for (const p of real.filter((f) => f.endsWith(".parquet"))) {
    expect(Buffer.compare(readFileSync(join(dir, p)), disk.files.get(`/m/results/${p}`)!.data)).toBe(0)
  }
})
