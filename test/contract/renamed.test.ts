// Old names of version 0.1: each still works, is noted once, and gives the same run as its new name.
import { describe, expect, test } from "vitest"
import { Catalog } from "../../src/experiment/catalog.ts"
import { editorSchema } from "../../src/experiment/editor-schema.ts"
import { keysOf } from "../../src/experiment/keys.ts"
import { oldNameLine } from "../../src/experiment/old-names.ts"
import { type Plan, plan } from "../../src/experiment/plan.ts"
import { plainSource, yamlSource } from "../../src/experiment/source.ts"
import { values } from "../../src/experiment/values/list.ts"
import { library } from "../../src/library.ts"
import type { RunResult } from "../../src/model/experiment.ts"
import {
  newPath,
  newRecord,
  newSpec,
  oldPart,
  oldResult,
  renamedPlugins,
  renamedValues,
  renamedKeys as table,
} from "../../src/model/renamed.ts"
import { recordOf, recordText } from "../../src/results/json.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"
import { host } from "../effects/plugin-scenes.ts"
import { changed, flit, type Tree } from "../effects/scenes.ts"
import { renamedKeys } from "./renamed-cases.ts"

function planned(tree: object, set: readonly string[] = []): Plan {
  const got = plan({ source: plainSource("e", tree), host, name: "e" }, { set })
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return got.ok
}
function complaints(tree: object): string[] {
  const got = plan({ source: plainSource("e", tree), host, name: "e" })
  return "bad" in got ? got.bad.map((c) => `${c.path}: ${c.says}`) : []
}
async function played(tree: Tree): Promise<RunResult> {
  const ready = prepare(planned(tree).runs[0].spec, host)
  if ("bad" in ready) throw new Error(JSON.stringify(ready.bad))
  return await simulate(ready.ok)
}

describe.each(renamedKeys.map((c) => [`${c.at}.${c.was} ${c.plugin ?? ""}`, c] as const))("%s", (_, c) => {
  test("gives the same run as its new name, and is noted", () => {
    const [old, now] = [planned(c.of(c.was)), planned(c.of(c.now))]
    expect(old.runs.map((r) => r.hash)).toEqual(now.runs.map((r) => r.hash))
    expect(old.runs[0].spec).toEqual(now.runs[0].spec)
    expect(old.renamed.map((n) => n.says)).toEqual([
      expect.stringMatching(new RegExp(`\\b${c.was} is now called ${c.now}\\. The old name works until 0\\.3\\.$`)),
    ])
    expect(now.renamed).toEqual([])
  })
})

test("old and new names give the same fingerprint", async () => {
  for (const c of renamedKeys.filter(({ kind }) => kind !== "workload")) {
    const fits = c.was === "again" ? { "network.switch.rows": 1, "network.switch.columns": 5 } : {}
    const [old, now] = [await played(changed(c.of(c.was), fits)), await played(changed(c.of(c.now), fits))]
    expect(old.fingerprint, `${c.at}.${c.was}`).toBe(now.fingerprint)
  }
})

describe("the table", () => {
  test("agrees with the aliases of the schemas", () => {
    const declared = [
      ...library.flatMap((p) =>
        Object.entries(p.params.fields).flatMap(([now, f]) =>
          (f.info.aliases ?? []).map((was) => `${p.kind} ${p.name} ${was} ${now}`),
        ),
      ),
      ...Object.entries(keysOf(new Catalog()).job.fields).flatMap(([now, f]) =>
        (f.info.aliases ?? []).map((was) => `job ${was} ${now}`),
      ),
    ]
    const listed = table.flatMap((r) =>
      r.kind === "job" ? [`job ${r.was} ${r.now}`] : r.plugins.map((p) => `${r.kind} ${p} ${r.was} ${r.now}`),
    )
    expect(listed.sort()).toEqual(declared.sort())
    const names = library.flatMap((p) => (p.formerly ?? []).map((was) => ({ kind: p.kind, was, now: p.name })))
    expect(renamedPlugins).toEqual(names)
  })
  test("has every key of the cases, and every case is in it", () => {
    const of = (r: { was: string; now: string }) => `${r.was} ${r.now}`
    expect([...new Set([...table, ...renamedPlugins].map(of))].sort()).toEqual([...new Set(renamedKeys.map(of))].sort())
  })
  test("names values that exist", () => {
    expect(Object.values(renamedValues).filter((now) => values[now] === undefined)).toEqual([])
    expect(Object.keys(renamedValues).filter((was) => values[was] !== undefined)).toEqual([])
  })
  test("maps specifications there and back", () => {
    for (const c of renamedKeys) {
      const { spec } = planned(c.of(c.now)).runs[0]
      const old = Object.fromEntries(Object.entries(spec).map(([k, part]) => [k, oldPart(k, part)]))
      expect(old).not.toEqual(spec)
      expect(newSpec(old as never)).toEqual(spec)
    }
  })
})

describe("a file", () => {
  const text = (body: string) => `lacewing: 1
network:
  topology: { name: hyperx, sides: "3", p: 3 }
  routing: hyperx.ugal-l
  switch: { name: combined, vcs: 6 }
  endpoint: { name: queue-pairs, ack: 0flits }
  congestion:
    name: rccc
    free: 12flits
traffic: { load: 0.1 }
${body}`
  function read(body = "", set: readonly string[] = []) {
    const source = yamlSource("rccc.yaml", text(body))
    if ("bad" in source) throw new Error(JSON.stringify(source.bad))
    const got = plan({ source: source.ok, host, name: "e" }, { set })
    if ("bad" in got) throw new Error(JSON.stringify(got.bad))
    return got.ok
  }
  test("gets one line for each old name, however many runs use it", () => {
    expect(read("sweep: { traffic.load: [0.1, 0.2, 0.3] }").renamed.map(oldNameLine)).toEqual([
      "rccc.yaml:9 network.congestion.free is now called initialCredit. The old name works until 0.3.",
    ])
  })
  test("with both names of a key is refused", () => {
    const both = changed(flit, { "network.congestion": { name: "rccc", free: "1flit", initialCredit: "2flits" } })
    expect(complaints(both)).toEqual([
      "network.congestion.free: This key is an older name of initialCredit, which is also given.",
    ])
  })
  test("may be overridden by --set with the other name", () => {
    const { runs } = read("", ["network.congestion.initialCredit=24flits"])
    expect(runs[0].spec.network.congestion).toMatchObject({ initialCredit: "24flits" })
    expect(runs[0].spec.network.congestion).not.toHaveProperty("free")
  })
  test("may sweep an old name: the column has the new one, and thresholds may use either", () => {
    const made = read(`sweep: { network.congestion.free: [0flits, 8flits] }
expect: ["time.wires at free=8flits < 100cycles", "time.propagation at initialCredit=0flits < 100cycles"]`)
    expect([...made.points.keys()]).toEqual(["initialCredit"])
    expect(made.expect.map((e) => [e.value, e.at])).toEqual([
      ["time.propagation", { initialCredit: "8flits" }],
      ["time.propagation", { initialCredit: "0flits" }],
    ])
    expect(made.renamed.map((n) => n.says.split(" ")[0])).toEqual(["network.congestion.free", "time.wires"])
    expect(
      read("sweep: { network.congestion.free: [0flits, 8flits] }", ["network.congestion.initialCredit=1flit"]).runs,
    ).toHaveLength(1)
  })
  test("may use old names in variants and zip", () => {
    const variants = read("variants: { a: { network: { congestion: { free: 2flits } } } }")
    expect(variants.runs[0].spec.network.congestion).toMatchObject({ initialCredit: "2flits" })
    const zip = read("zip: { network.congestion.free: [2flits, 3flits], traffic.load: [0.1, 0.2] }")
    expect(zip.runs.map((r) => r.point["initialCredit"])).toEqual(["2flits", "3flits"])
  })
  test("may name events by their old names", () => {
    const events = (kind: string) =>
      changed(flit, {
        "network.switch": { name: "queue-scheme", scheme: "fbicm-2" },
        "network.endpoint": "adapter",
        probes: [{ name: "events", kinds: [kind] }],
      })
    const [old, now] = [planned(events("lineBorn")), planned(events("lineAllocated"))]
    expect(old.runs[0].hash).toBe(now.runs[0].hash)
    expect(old.renamed.map((n) => n.says)).toEqual([
      "event lineBorn is now called lineAllocated. The old name works until 0.3.",
    ])
  })
})

test("paths of old keys are found without their plug-in where only one name replaced them", () => {
  expect(newPath("network.congestion.again")).toBe("network.congestion.retransmitFrom")
  expect(newPath("network.congestion.least")).toBe("network.congestion.least")
  expect(newPath("network.congestion.least", "dcqcn")).toBe("network.congestion.minRate")
  expect(newPath("jobs.1.place")).toBe("jobs.1.placement")
  expect(newPath("traffic.load")).toBe("traffic.load")
})

test("the schema for editors accepts old names and marks them", () => {
  const text = JSON.stringify(editorSchema(new Catalog()))
  expect(text).toContain('"description":"Older name of retransmitFrom. Use retransmitFrom.","deprecated":true')
  expect(text).toContain('"standing"')
})

test("a record of version 0.1 is read with the names of today", async () => {
  const c = renamedKeys.find((k) => k.was === "standing")!
  const run = planned(c.of(c.now)).runs[0]
  const result = await played(c.of(c.now))
  const spec = Object.fromEntries(Object.entries(run.spec).map(([k, part]) => [k, oldPart(k, part)]))
  const provenance = { version: "0.1.0", node: "v20", host: "h", started: "2026-01-01", seconds: 1 }
  const old = { hash: run.hash, spec, point: {}, seed: 1, result: { ...result, ...oldResult(result) }, provenance }
  expect(old.result.why).toBe("cycles")
  expect(Object.keys(old.result.values)).toEqual(expect.arrayContaining(["standing.max", "time.wires"]))
  const read = recordOf(recordText(old as never))!
  expect(read.spec).toEqual(run.spec)
  expect(read.result.why).toBe("limit")
  expect(read.result.values).toEqual(result.values)
  expect(Object.keys(read.result.tables).sort()).toEqual(Object.keys(result.tables).sort())
  expect(newRecord(read)).toEqual(read)
})
