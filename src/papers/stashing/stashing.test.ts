// Modules of the stashing paper: those that need no long simulation agree with the paper; the others plan what they say.
import { describe, expect, test } from "vitest"
import { plan } from "../../lab/experiment.ts"
import type { PaperFigure, PaperPlan } from "../../lab/paper.ts"
import { plainSource } from "../../lab/source.ts"
import fig1 from "./fig1.ts"
import fig2 from "./fig2.ts"
import fig3 from "./fig3.ts"
import fig4 from "./fig4.ts"
import fig5b from "./fig5b.ts"
import fig7a from "./fig7a.ts"
import fig9 from "./fig9.ts"
import { endsOf, placement, ranges } from "./network.ts"
import table1 from "./table1.ts"

describe("structure", () => {
  const figures: readonly PaperFigure[] = [table1, fig1, fig2, fig3, fig4]
  test.each(figures.map((f) => [f.id, f] as const))("%s", (_id, figure) => {
    expect(figure.rows({}, "full").filter((r) => r.pass !== true)).toEqual([])
  })
})

describe("plans", () => {
  const runs = (p: PaperPlan | undefined) =>
    Object.entries(p?.experiments ?? {}).map(([name, experiment]) => {
      const planned = plan({ source: plainSource(name, experiment), folder: ".", name })
      return "bad" in planned ? planned.bad : planned.ok.runs.length
    })
  test("figure 5: four networks at six loads, and at two for three seeds", () => {
    expect(runs(fig5b.full)).toEqual([24, 24])
    expect(runs(fig5b.quick)).toEqual([16, 8])
  })
  test("figures 7 and 8: seven networks, three seeds; four with windows of packets", () => {
    expect(runs(fig7a.full)).toEqual([21, 4])
    expect(runs(fig7a.quick)).toEqual([7, 4])
  })
  test("figure 9: three networks, six message sizes", () => {
    expect(runs(fig9.full)).toEqual([18])
    expect(runs(fig9.quick)).toEqual([12])
  })
})

describe("networks", () => {
  test("3,080, 462 and 110 endpoints", () => {
    expect([endsOf("full"), endsOf("mid"), endsOf("small")]).toEqual([3080, 462, 110])
  })
  test("12 sinks with four sources each; 3,020 victims", () => {
    const { pairs, sinks, victims } = placement("full", 12)
    expect([sinks.length, pairs.length, victims.length]).toEqual([12, 48, 3020])
    expect(new Set([...sinks, ...pairs.map(([from]) => from), ...victims]).size).toBe(3080)
    for (const sink of sinks) expect(pairs.filter(([, to]) => to === sink)).toHaveLength(4)
  })
  test("lists of endpoints as ranges", () => {
    expect(ranges([1, 2, 3, 7, 9, 10])).toEqual(["1-3", 7, "9-10"])
    expect(ranges([])).toEqual([])
  })
})
