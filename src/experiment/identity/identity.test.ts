// The name of a run takes the revisions of what the run uses, and of nothing else.
import { describe, expect, test } from "vitest"
import { library } from "../../library.ts"
import { Catalog } from "../catalog.ts"
import { type PlannedRun, plan } from "../plan.ts"
import { plainSource } from "../source.ts"
import { hashOf } from "./identity.ts"
import { revisionsIn, revisionsOf } from "./revisions.ts"
import { build, buildIn, buildVersion, packageVersion } from "./version.ts"

const mesh = { topology: { name: "mesh", sides: "4x4" }, routing: "mesh.dimension-order" }

function named(network: object, more: object = {}, catalog = new Catalog()): PlannedRun {
  const tree = { lacewing: 1, network: { ...mesh, ...network }, traffic: { load: 0.1 }, ...more }
  const got = plan({ source: plainSource("e", tree), host: { read: () => "" }, name: "e" }, { catalog })
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return got.ok.runs[0]
}
/** The library with one plug-in of a higher revision. */
function raised(kind: string, name: string): Catalog {
  return new Catalog(
    library.map((p) => (p.kind === kind && p.name === name ? { ...p, revision: (p.revision ?? 1) + 1 } : p)),
  )
}
const uses = (run: PlannedRun) => [...revisionsIn(run.revisions).keys()]

describe("revisions", () => {
  const [tiled, combined] = [{ switch: "tiled" }, { switch: "combined" }]
  test("a raised revision of a switch renames its own runs and leaves those of others alone", () => {
    const later = raised("switch", "combined")
    expect(named(combined, {}, later).hash).not.toBe(named(combined).hash)
    expect(named(tiled, {}, later).hash).toBe(named(tiled).hash)
  })
  test.each([
    ["topology", "mesh"],
    ["pattern", "uniform"],
    ["arrivals", "bernoulli"],
    ["sizes", "fixed"],
    ["congestion", "none"],
    ["endpoint", "simple"],
  ])("%s %s is used although the file does not name it, or by default", (kind, name) => {
    expect(named({}, {}, raised(kind, name)).hash).not.toBe(named({}).hash)
  })
  test("a composed routing uses those that it names, in the words of the library", () => {
    const composed = { routing: { name: "any.valiant", first: "mesh.dimension-order" } }
    expect(uses(named(composed))).toEqual(
      expect.arrayContaining(["routing any.valiant", "routing mesh.dimension-order"]),
    )
    expect(uses(named({ routing: "mesh.dor" }))).toContain("routing mesh.dimension-order")
  })
  test("the scheduler of a switch that has one is used where none is named; the engines use their own parts", () => {
    expect(uses(named({ switch: "infiniband" }))).toContain("qos round-robin")
    expect(uses(named(combined)).filter((what) => what.startsWith("qos"))).toEqual([])
    const packet = uses(named({ switch: "chunk", endpoint: "rails" }, { engine: "packet" }))
    expect(packet).toEqual(expect.arrayContaining(["engine packet", "measure", "switch chunk", "endpoint rails"]))
    expect(packet).not.toContain("engine flit")
  })
  test("are one text with each part once, sorted", () => {
    expect(named({}).revisions).toBe(
      [
        ...[
          "arrivals bernoulli 1",
          "congestion none 1",
          "endpoint simple 1",
          "engine flit 1",
          "interval 1",
          "measure 3",
          "pattern uniform 1",
        ],
        ...["routing mesh.dimension-order 1", "sizes fixed 1", "switch input-queued 2", "topology mesh 1"],
      ].join(", "),
    )
    expect([...revisionsIn("")]).toEqual([])
  })
  test("do not depend on plug-ins from outside, which count by the content of their module", () => {
    const { spec } = named({})
    expect(revisionsOf(spec, new Catalog([]))).toBe("engine flit 1, interval 1, measure 3")
  })
})

describe("a build", () => {
  test("is part of the name: another model code, another name; a release has none", () => {
    const run = named({})
    const names = [hashOf(run, "88aff481a8df"), hashOf(run, "88aff481a8de"), hashOf(run, "")]
    expect(new Set(names).size).toBe(3)
    expect(hashOf(run)).toBe(hashOf(run, build))
  })
  test("from sources has the name of its model code", () => {
    expect(build).toMatch(/^[0-9a-f]{12}$/)
    expect(buildVersion).toBe(`${packageVersion}+${build}`)
    expect([buildIn(buildVersion), buildIn("0.2.0")]).toEqual([build, ""])
  })
})
