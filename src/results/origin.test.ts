// Runs of several builds or revisions: found, named, and never averaged.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { made, sweep } from "../../test/fixtures/records.ts"
import { warningsOf } from "../draw/report/warnings.ts"
import { Catalog } from "../experiment/catalog.ts"
import { partRevisions, revisionsOf } from "../experiment/identity/revisions.ts"
import { buildVersion } from "../experiment/identity/version.ts"
import { merge } from "./merge.ts"
import { buildsAndRevisions, othersAmong, whyOther } from "./origin.ts"
import { readResults } from "./read.ts"
import type { RunRecord } from "./record.ts"
import { reproduce } from "./reproduce.ts"
import { Store } from "./store.ts"

const base = mkdtempSync(join(tmpdir(), "lacewing-origin-"))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const catalog = new Catalog()
/** A run as this program would have made it, or another one. */
function run(o: { load?: number; version?: string; raised?: string; started?: string } = {}): RunRecord {
  const { version = buildVersion, raised, started = "2026-01-02T03:04:05.000Z" } = o
  const record = made({ load: o.load ?? 0.1, version: `${version} ${raised}` })
  const revisions = revisionsOf(record.spec, catalog).replace(new RegExp(`${raised} \\d+`), `${raised} 0`)
  return { ...record, provenance: { ...record.provenance, version, revisions, started } }
}
const bare = ({ provenance: { revisions: _, ...provenance }, ...record }: RunRecord): RunRecord => ({
  ...record,
  provenance,
})

async function folder(name: string, records: readonly RunRecord[]): Promise<string> {
  const store = await Store.open(join(base, name), { version: buildVersion })
  if ("bad" in store) throw new Error(store.bad[0].says)
  for (const r of records) await store.ok.add(r)
  await store.ok.plan(records)
  await store.ok.close()
  return join(base, name)
}

describe("a run is of this program", () => {
  test("when its revisions and its build are those of now", () => expect(whyOther(run(), catalog)).toBeUndefined())
  test("or is of other revisions, with both numbers", () => {
    const older = run({ raised: "switch input-queued" })
    expect(whyOther(older, catalog)).toBe("of other revisions: switch input-queued 0 (now 2)")
  })
  test("or is older than a part that has a revision of its own today", () => {
    const now = run()
    const revisions = now.provenance.revisions!.replace(/interval \d+, /, "")
    const older = { ...now, provenance: { ...now.provenance, revisions } }
    expect(whyOther(older, catalog)).toBe(`of other revisions: interval none (now ${partRevisions.interval})`)
  })
  test("or is of another build, with both names", () => {
    expect(whyOther(run({ version: "0.1.0+abc" }), catalog)).toBe(
      `of another build (0.1.0+abc; this is ${buildVersion})`,
    )
  })
  test("or is of a version that recorded none", () => {
    expect(whyOther(bare(run()), catalog)).toBe("of a version that recorded no revisions")
    const told = othersAmong(
      "here",
      [run(), bare(run({ load: 0.2 })), bare(run({ load: 0.3 }))],
      catalog,
      "run it again",
    )
    expect(told).toEqual([
      { path: "here", says: "2 of 3 runs are of a version that recorded no revisions", fix: "run it again" },
    ])
  })
})

describe("sets of runs that meet", () => {
  test("are not mentioned when one model made them; two releases with the same revisions are one model", () => {
    expect(
      buildsAndRevisions([{ name: "A", records: [run({ version: "0.1.0" }), run({ version: "0.2.0", load: 0.2 })] }]),
    ).toEqual([])
    expect(warningsOf([run(), run({ load: 0.2 })])).toEqual([])
  })
  test("are told apart part by part", () => {
    const a = [run({ version: "0.1.0+one" }), bare(run({ version: "0.1.0+one", load: 0.2 }))]
    const b = [run({ version: "0.1.0+two", raised: "engine flit" })]
    expect(
      buildsAndRevisions([
        { name: "A", records: a },
        { name: "B", records: b },
      ]),
    ).toEqual([
      "builds: 0.1.0+one in A, 0.1.0+two in B",
      "revisions: recorded for 1 of 2 runs in A, recorded for 1 of 1 runs in B",
      "engine flit: revision 1 in A, revision 0 in B",
    ])
  })
  test("head the warnings of a report", () => {
    const [first] = warningsOf([run(), run({ load: 0.2, raised: "measure" })])
    expect([first!.level, first!.title]).toEqual(["bad", "Runs of several builds or revisions are shown together"])
    expect(first!.text).toContain(`measure: revision 0 and ${partRevisions.measure} in these results`)
  })
})

describe("a merged folder", () => {
  test("says which models meet, and shows the newest of runs that ask the same", async () => {
    const [old, now] = [
      [0.1, 0.2].map((load) => run({ load, version: "0.1.0+old" })),
      [0.1, 0.2].map((load) => run({ load, started: "2026-02-02T03:04:05.000Z" })),
    ]
    const from = [await folder("old", old), await folder("now", now)]
    const merged = await merge(join(base, "both"), from, { version: buildVersion })
    if ("bad" in merged) throw new Error(merged.bad[0].says)
    expect(merged.ok.added).toBe(4)
    expect(merged.ok.said.map((c) => c.says)).toEqual([
      `The folder now contains runs of several builds or revisions: builds: 0.1.0+old in ${from[0]}, ${buildVersion} in ${from[1]}.`,
    ])
    const read = await readResults(join(base, "both"))
    if ("bad" in read) throw new Error(read.bad[0].says)
    expect(read.ok.records.map((r) => r.hash).sort()).toEqual(now.map((r) => r.hash).sort())
    expect(read.ok.said.map((c) => c.says)).toEqual([
      "2 older runs of other builds or revisions with the same specification are ignored.",
    ])
    // nothing is lost
    const all = await readResults(join(base, "both"), { everything: true })
    expect("ok" in all && all.ok.records).toHaveLength(4)
  })
})

describe("a stored run", () => {
  test("keeps its revisions; one that was stored without them is read as before", async () => {
    const records = [run(), bare(run({ load: 0.2 }))]
    const read = await readResults(await folder("kept", records))
    expect("ok" in read && read.ok.records).toEqual(records)
  })
  test("that is reproduced names the revisions that meet", async () => {
    const older = run({ raised: "switch input-queued" })
    const now = { version: buildVersion, revisions: revisionsOf(older.spec, catalog) }
    const again = async (r: RunRecord) => {
      const got = await reproduce(r, async () => ({ ok: r.result }), now)
      return "ok" in got ? got.ok.revised : got.bad
    }
    expect(await again(older)).toEqual(["switch input-queued: the record has revision 0, this version has revision 2"])
    expect(await again(run())).toEqual([])
    expect(await again(bare(run()))).toEqual([
      "The record has no revisions, because an earlier version of lacewing stored it.",
    ])
  })
  test("of a folder from before there were revisions is shown, and named as such", async () => {
    const records = sweep({ seeds: 1 })
    const read = await readResults(await folder("before", records))
    if ("bad" in read) throw new Error(read.bad[0].says)
    expect(read.ok.records).toHaveLength(16)
    expect(othersAmong("before", read.ok.records, catalog, "").map((c) => c.says)).toEqual([
      "16 of 16 runs are of a version that recorded no revisions",
    ])
  })
})
