// Our generators against graphs that others published: sst-elements, networkx, CODES, PolarFly's artifact, netbench.
// The numbers below are facts about those graphs; where the graphs' own invariants lie beside the project (../shared),
// every one of them is compared, spectrum included.
import { existsSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { topologies } from "../../src/library.ts"
import { made } from "../contract/topology-checks.ts"
import { type Invariants, invariants, links, spectrum } from "./invariants.ts"

interface Published {
  readonly graph: string
  readonly name: string
  readonly params: Record<string, unknown>
  readonly triangles: number
  readonly fourCycles: number
  readonly girth: number
  /** ordered pairs at distance 1, 2, … */
  readonly pairs: readonly number[]
}

const table: readonly Published[] = [
  row("hoffman-singleton", "slimfly", { q: 5, p: 1 }, 0, 0, 5, [350, 2100]),
  row("slimfly-q4", "slimfly", { q: 4, p: 1 }, 0, 40, 4, [192, 800]),
  row("slimfly-q5", "slimfly", { q: 5, p: 1 }, 0, 0, 5, [350, 2100]),
  row("slimfly-q7", "slimfly", { q: 7, p: 1 }, 98, 539, 3, [1078, 8428]),
  row("slimfly-q9", "slimfly", { q: 9, p: 1 }, 108, 162, 3, [2106, 23976]),
  row("slimfly-q13", "slimfly", { q: 13, p: 1 }, 676, 2028, 3, [6422, 107484]),
  row("polarfly-q5", "polarfly", { q: 5, p: 1 }, 20, 0, 3, [180, 750]),
  row("polarfly-q7", "polarfly", { q: 7, p: 1 }, 56, 0, 3, [448, 2744]),
  row("dragonflyplus-codes-test", "megafly", { groups: 5, leaves: 4, spines: 4, p: 1 }, 0, 240, 4, [240, 840, 480]),
  row(
    "dragonflyplus-codes-3240",
    "megafly",
    { groups: 10, leaves: 18, spines: 18, p: 1 },
    0,
    245430,
    4,
    [8100, 66060, 55080],
  ),
  row("cray-xc-theta", "cascade", { groups: 9, p: 1 }, 33120, 321192, 3, [19008, 120960, 298944, 306720]),
  row("fattree-k4-netbench", "xgft", { m: "2x2x4", w: "1x2x2" }, 0, 16, 4, [64, 108, 128, 80]),
  row(
    "dragonfly-merlin-R36-d5",
    "dragonfly",
    { p: 1, a: 4, h: 2, arrangement: "relative" },
    36,
    36,
    3,
    [180, 468, 612],
  ),
  row(
    "dragonfly-merlin-R114-d8",
    "dragonfly",
    { p: 1, a: 6, h: 3, arrangement: "relative" },
    380,
    969,
    3,
    [912, 3724, 8246],
  ),
  row(
    "dragonfly-merlin-R264-d11",
    "dragonfly",
    { p: 1, a: 8, h: 4, arrangement: "relative" },
    1848,
    7656,
    3,
    [2904, 15972, 50556],
  ),
  row("dragonfly-codes-dally-72", "dragonfly", { p: 1, a: 4, h: 2, arrangement: "codes" }, 36, 36, 3, [180, 468, 612]),
  row(
    "dragonfly-codes-dally-3078",
    "dragonfly",
    { p: 1, a: 18, h: 9, g: 19, arrangement: "codes" },
    15504,
    201096,
    3,
    [8892, 80028, 27702],
  ),
]

function row(
  graph: string,
  name: string,
  params: Record<string, unknown>,
  triangles: number,
  fourCycles: number,
  girth: number,
  pairs: readonly number[],
): Published {
  return { graph, name, params, triangles, fourCycles, girth, pairs }
}

const file = new URL("../../../shared/traces/topologies/invariants.json", import.meta.url)
type Recorded = Invariants & {
  adjacencySpectrum?: [number, number][]
  adjacencySpectrumExtremes?: [number, number, number]
}
const recorded: Record<string, Recorded> | undefined = existsSync(file)
  ? JSON.parse(readFileSync(file, "utf8"))
  : undefined
if (recorded === undefined)
  console.warn("published invariants are not beside the project: only the numbers kept in this file are compared")

describe("published graphs", () => {
  for (const known of table) {
    const plugin = topologies.find((t) => t.name === known.name)
    it.skipIf(plugin === undefined)(known.graph, () => {
      const { graph } = made(plugin!, known.params)
      const ours = invariants(graph)
      expect(ours).toMatchObject({
        triangles: known.triangles,
        fourCycles: known.fourCycles,
        girth: known.girth,
        connected: true,
      })
      expect(ours.orderedPairsByDistance).toEqual(Object.fromEntries(known.pairs.map((n, i) => [i + 1, n])))
      const theirs = recorded?.[known.graph]
      if (theirs === undefined) return
      const { meanDistance, ...exact } = ours
      expect(theirs).toMatchObject(exact)
      expect(meanDistance).toBeCloseTo(theirs.meanDistance, 8)
      const values = theirs.adjacencySpectrum?.flatMap(([value, times]) => new Array<number>(times).fill(value))
      const extremes = theirs.adjacencySpectrumExtremes
      if (values === undefined && extremes === undefined) return
      const eigen = spectrum(links(graph).simple)
      const worst = (a: readonly number[], b: readonly number[]) => Math.max(...a.map((x, i) => Math.abs(x - b[i])))
      if (values !== undefined) expect(worst(values, eigen)).toBeLessThan(1e-5)
      if (extremes !== undefined) expect(worst(extremes, [eigen[0], eigen[1], eigen.at(-1)!])).toBeLessThan(1e-5)
    })
  }
  it("q = 5 is the Hoffman-Singleton graph: 7-regular on 50, girth 5, eigenvalues 7, 2 (28x), -3 (21x)", () => {
    const { graph } = made(topologies.find((t) => t.name === "slimfly")!, { q: 5, p: 1 })
    const ours = invariants(graph)
    expect(ours).toMatchObject({ routers: 50, degree: { 7: 50 }, diameter: 2, girth: 5 })
    const eigen = spectrum(links(graph).simple).map((v) => Math.round(v * 1e6) / 1e6)
    expect(eigen).toEqual([7, ...new Array(28).fill(2), ...new Array(21).fill(-3)])
  })
})
