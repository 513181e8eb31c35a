// Every probe of the library on a small run: docs/results.md has a row for each table that it leaves, with each of its columns.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect, test } from "vitest"
import { run } from "../../src/index.ts"
import { probes } from "../../src/library.ts"
import { facts } from "../../src/model/facts.ts"
import { built, root } from "../support/build.ts"

beforeAll(() => void built())

test("tables and columns are documented", async () => {
  const got = await run({
    lacewing: 1,
    network: {
      topology: { name: "dragonfly", p: 1, a: 2, h: 1 },
      routing: "dragonfly.minimal",
      switch: { name: "input-queued", vcs: 3 },
    },
    traffic: { pattern: "uniform", load: 0.2, packet: "1flit" },
    measure: { warmup: "100cycles", window: "500cycles", limit: "5kcycles", series: "100cycles" },
    probes: probes.map((p) => p.name),
  })
  if ("bad" in got) throw new Error(got.bad.map((c) => `${c.path} ${c.says}`).join("\n"))
  const { tables } = got.ok.records[0]!.result
  expect(Object.keys(tables).length).toBeGreaterThan(probes.length)
  const rows = readFileSync(join(root, "docs/results.md"), "utf8")
    .split("\n")
    .filter((l) => l.startsWith("| `"))
  const missing = Object.entries(tables).flatMap(([name, table]) => {
    const row = rows.find((l) => l.split("|")[1]!.includes(`\`${name}\``))
    if (row === undefined) return [name]
    return Object.keys(table)
      .filter((column) => !row.includes(`\`${column}\``))
      .map((column) => `${name}.${column}`)
  })
  expect(missing).toEqual([])
})

test("events and what their numbers mean are documented, one row each, in their order", () => {
  const page = readFileSync(join(root, "docs/results.md"), "utf8")
  const rows = Object.entries(facts).map(([name, f]) => `| \`${name}\` | ${f.about} | ${f.ints.join(", ")} |`)
  expect(page).toContain(`${rows.join("\n")}\n\n`)
})
