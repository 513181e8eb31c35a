// The mapping of htsim's scenarios, with a scenario whose times follow from a closed form.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { hostAt } from "../../../experiment/disk/host.ts"
import { plan } from "../../../experiment/plan.ts"
import { plainSource } from "../../../experiment/source.ts"
import { medianOf, validateHtsim } from "../validate/htsim.ts"
import { experimentOf, mappedProtocols, mappedShapes, unmapped } from "./experiments.ts"
import { connections, linksBetween, parseScenarios, returnTime, type Scenario, wireBytes } from "./scenarios.ts"

const folder = mkdtempSync(join(tmpdir(), "lacewing-htsim-test-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** One flow of 8 packets over four links: links, wire time, two stored packets more, and the acknowledgement's way. */
const bytes = 8 * 4032
const alone = 4 * 1 + (8 * 4096 * 8) / 1e5 + (3 * 4096 * 8) / 1e5 + 4 * (1 + (64 * 8) / 1e5)
const single: Scenario = {
  ...{ id: "nscc-single", cc: "nscc", kind: "single", gbps: 100, hop_ns: 1000, mtu: 4096 },
  topology: { shape: "ls16", hosts: 16, tiers: 2, hostsPerLeaf: 4 },
  flows: [[0, 15, 3, bytes]],
  runs: [{ seed: 1, fct_us: [alone], last_us: 3 + alone }],
}

describe("a scenario", () => {
  test("has headers in its bytes, and whole microseconds", () => {
    expect(wireBytes(single, 4032)).toBe(4096)
    expect(wireBytes(single, 4033)).toBe(4033 + 128)
    expect(wireBytes({ ...single, cc: "pfc" }, 4096)).toBe(4160)
    expect(connections(single)).toBe(`Nodes 16\nConnections 1\n0->15 start 3 size ${8 * 4096}\n`)
    expect(connections({ ...single, flows: [[0, 1, 2.7, 64]] })).toContain("0->1 start 2 size 128")
  })
  test("knows the links between two hosts", () => {
    const tree = { ...single, topology: { shape: "ft16", hosts: 16, tiers: 3, hostsPerLeaf: 2 } }
    expect([1, 4, 15].map((dst) => linksBetween(single, 0, dst))).toEqual([2, 4, 4])
    expect([1, 2, 15].map((dst) => linksBetween(tree, 0, dst))).toEqual([2, 4, 6])
    expect(returnTime(single, 0, 15)).toBeCloseTo(4 * 1.00512)
  })
  test("is read line by line", () => {
    expect(parseScenarios(`${JSON.stringify(single)}\n\n${JSON.stringify(single)}\n`)).toEqual([single, single])
  })
})

test("every protocol has an experiment that lacewing accepts, on every network", () => {
  writeFileSync(join(folder, "x.cm"), connections(single))
  for (const cc of mappedProtocols)
    for (const shape of mappedShapes) {
      const s = { ...single, cc, topology: { ...single.topology, shape } }
      expect(unmapped(s)).toBeUndefined()
      const planned = plan({ source: plainSource(s.id, experimentOf(s, "x.cm", 1)), host: hostAt(folder), name: s.id })
      expect("bad" in planned ? planned.bad : []).toEqual([])
    }
  for (const cc of ["dctcp", "eqds", "hpcc", "ndp", "nscc+rccc"])
    expect(unmapped({ ...single, cc })).toMatch(/no protocol|htsim/)
})

test("validate compares the last flow and the median, and skips absent data", async () => {
  writeFileSync(
    join(folder, "own.jsonl"),
    [
      single,
      { ...single, id: "other", cc: "eqds" },
      { ...single, id: "late", runs: [{ seed: 1, fct_us: [alone], last_us: 2 * alone }] },
    ]
      .map((s) => JSON.stringify(s))
      .join("\n"),
  )
  const { rows, pass } = await validateHtsim({ full: false, workers: 1, folder })
  expect(pass).toBe(false)
  expect(rows.map((r) => [r.id, r.pass])).toEqual([
    ["nscc-single", true],
    ["nscc-single", true],
    ["other", "unchecked"],
    ["late", false],
    ["late", true],
    ["aggregate nscc", "unchecked"],
    ["aggregate eqds", "unchecked"],
  ])
  expect(Math.abs(Number(rows[0].value) / (3 + alone) - 1)).toBeLessThan(0.005)
  const none = await validateHtsim({ full: false, folder: join(folder, "none") })
  expect(none.rows.map((r) => [r.pass, r.note])).toEqual([["unchecked", "the reference data are not installed"]])
  expect(medianOf([3, 1, 2, 4])).toBe(2.5)
})
