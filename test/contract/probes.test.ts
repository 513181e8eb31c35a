// Every probe of the library on small runs: model/tables.ts, from which the manual is made, lists each table that a run
// leaves with each of its columns, and no others.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { exit } from "../../src/cli/command.ts"
import { run } from "../../src/index.ts"
import { exitCodes } from "../../src/inspect/glossary/exit-codes.ts"
import { probes } from "../../src/library.ts"
import { runColumns, type TableInfo, tables } from "../../src/model/tables.ts"
import { RUNS, sheetsOf } from "../../src/results/columns.ts"
import { built } from "../support/build.ts"

const folder = mkdtempSync(join(tmpdir(), "lacewing-probes-"))
beforeAll(() => void built())
afterAll(() => rmSync(folder, { recursive: true }))

const measure = { warmup: "100cycles", window: "500cycles", limit: "5kcycles", series: "100cycles" }
const dragonfly = { name: "dragonfly", p: 1, a: 2, h: 1 }
const traffic = { pattern: "uniform", load: 0.2, packet: "1flit" }
const listed: Readonly<Record<string, TableInfo>> = tables

async function recordsOf(experiment: Record<string, unknown>) {
  const got = await run({ lacewing: 1, ...experiment } as Parameters<typeof run>[0])
  if ("bad" in got) throw new Error(got.bad.map((c) => `${c.path} ${c.says}`).join("\n"))
  return got.ok.records
}

const everyProbe = () =>
  recordsOf({
    network: { topology: dragonfly, routing: "dragonfly.minimal", switch: { name: "input-queued", vcs: 3 } },
    traffic,
    measure,
    probes: probes.map((p) => p.name),
  })

/** Names of tables and TABLE.COLUMN that are in the runs. */
async function namesOf(records: Awaited<ReturnType<typeof recordsOf>>): Promise<string[]> {
  return records.flatMap((r) =>
    Object.entries(r.result.tables).flatMap(([name, t]) => [name, ...Object.keys(t).map((c) => `${name} ${c}`)]),
  )
}

const known = new Set(
  Object.entries(listed).flatMap(([name, t]) => [name, ...Object.keys(t.columns).map((c) => `${name} ${c}`)]),
)

test("each table and column of a run with every probe is listed", async () => {
  const names = await namesOf(await everyProbe())
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter((n) => !known.has(n))).toEqual([])
})

test("each table and column that is listed is in some run", async () => {
  const vls = {
    network: {
      topology: { name: "tree", k: 2, n: 2 },
      routing: "tree.nearest-ancestor",
      switch: { name: "infiniband" },
    },
    traffic: { ...traffic, packet: "8flits" },
    measure,
    probes: [
      { name: "occupancy", perVl: true },
      { name: "channels", overTime: true },
    ],
  }
  const blocked = {
    network: { topology: dragonfly, routing: "dragonfly.minimal", switch: { name: "input-queued", vcs: 3 } },
    traffic: { ...traffic, load: 0.9 },
    measure,
    probes: [{ name: "blocked", router: 0 }],
  }
  const jobs = {
    network: { topology: dragonfly, routing: "dragonfly.minimal", switch: { name: "input-queued", vcs: 3 } },
    jobs: [{ name: "token", workload: { name: "ring", ranks: 4 } }],
    probes: ["timeline"],
    measure: { until: "jobs", limit: "100kcycles" },
  }
  const stash = {
    network: {
      topology: dragonfly,
      routing: "dragonfly.minimal",
      switch: {
        name: "tiled",
        vcs: 4,
        rows: 3,
        columns: 1,
        packet: "24flits",
        stash: { end: 0.875 },
        reliability: true,
      },
      endpoint: { name: "queue-pairs", ack: "1flit" },
    },
    traffic: { ...traffic, packet: "8flits" },
    measure,
    probes: ["series"],
  }
  const lines = {
    network: {
      topology: { name: "tree", k: 2, n: 2 },
      routing: "tree.destination-digit",
      switch: { name: "queue-scheme", scheme: "fbicm-2" },
      endpoint: "adapter",
    },
    traffic: { ...traffic, packet: "8flits" },
    measure,
    probes: ["series"],
  }
  const throttled = {
    network: {
      topology: { name: "mesh", sides: "2x2" },
      routing: "mesh.dimension-order",
      switch: { name: "combined", vcs: 6 },
      endpoint: { name: "queue-pairs", ack: "0flits", active: 1024 },
      congestion: "cbcm",
    },
    traffic: { ...traffic, packet: "8flits" },
    measure,
    probes: ["endpoints"],
  }
  writeFileSync(join(folder, "one.cm"), "Nodes 4\nConnections 1\n0->3 start 0 size 512\n")
  const flows = { ...jobs, jobs: [{ name: "flows", workload: { name: "trace", file: join(folder, "one.cm") } }] }
  const names = new Set(await namesOf(await everyProbe()))
  for (const e of [vls, blocked, jobs, flows, stash, lines, throttled])
    for (const n of await namesOf(await recordsOf(e))) names.add(n)
  expect([...known].filter((n) => !names.has(n))).toEqual([])
})

test("the columns of runs are listed in their order; KEY and VALUE stand for several", async () => {
  const sheet = sheetsOf(await everyProbe()).find((s) => s.name === RUNS)!
  const fixed = sheet.columns.map((c) => c.name).filter((n) => Object.hasOwn(runColumns, n))
  expect(fixed).toEqual(Object.keys(runColumns).filter((n) => n !== "KEY" && n !== "VALUE"))
})

test("exit codes are those of the program", () => {
  expect(Object.keys(exitCodes).map(Number)).toEqual(Object.values(exit).sort((a, b) => a - b))
})
