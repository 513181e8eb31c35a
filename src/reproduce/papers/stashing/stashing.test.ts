// Modules of the stashing paper: those that need no long simulation agree with the paper; the others plan what they
// say.
import { describe, expect, test } from "vitest"
import type { Figure } from "../../../draw/figure/figure.ts"
import { hostAt } from "../../../experiment/disk/host.ts"
import { plan } from "../../../experiment/plan.ts"
import { plainSource } from "../../../experiment/source.ts"
import type { NetworkSpec, TrafficSpec } from "../../../model/experiment.ts"
import { packaged } from "../data/packaged.ts"
import { claimsOf, type PaperFigure, type PaperPlan, readerOf, wordOf } from "../paper.ts"
import assumptions from "./assumptions.ts"
import fig1 from "./fig1.ts"
import fig2 from "./fig2.ts"
import fig3 from "./fig3.ts"
import fig4 from "./fig4.ts"
import fig7a from "./fig7a.ts"
import fig7b from "./fig7b.ts"
import fig8 from "./fig8.ts"
import fig9 from "./fig9.ts"
import { endsOf, placement, ranges } from "./network.ts"

const [table1, fig5a, fig5b] = [packaged("stashing/table1"), packaged("stashing/fig5a"), packaged("stashing/fig5b")]

describe("structure", () => {
  const figures: readonly PaperFigure[] = [table1, fig1, fig2, fig3, fig4]
  test.each(figures.map((f) => [f.id, f] as const))("%s", (_id, figure) => {
    const rows = figure.rows({}, "full", readerOf(figure.inspect?.() ?? {}))
    expect(rows.filter((r) => r.pass !== true)).toEqual([])
    // arithmetic of the paper's own numbers: all of table I, and the rule of the banks in figure 4
    expect(rows.filter((r) => wordOf(r) === "definition").length).toBe(
      { "stashing/table1": 4, "stashing/fig4": 1 }[figure.id] ?? 0,
    )
  })
})

describe("plans", () => {
  const runs = (p: PaperPlan | undefined) =>
    Object.entries(p?.experiments ?? {}).map(([name, experiment]) => {
      const planned = plan({ source: plainSource(name, experiment), host: hostAt("."), name })
      return "bad" in planned ? planned.bad : planned.ok.runs.length
    })
  test("figure 5: four networks at six loads, and at two for three seeds", () => {
    expect(runs(fig5b.full)).toEqual([24, 24])
    expect(runs(fig5b.quick)).toEqual([16, 8])
  })
  test("figures 7 and 8: four networks, three seeds; one seed of each assumption, with a calm network if the switch differs", () => {
    expect(runs(fig7a.full)).toEqual([12])
    expect(runs(fig7a.quick)).toEqual([4])
    expect(runs(assumptions.full)).toEqual([4, 3, 3, 3, 3, 4, 4])
  })
  test("figures 7 and 8: twelve windows for each sink in both forms, which count flits; no `direct`", () => {
    for (const plan of [fig7a.full, fig7a.quick]) {
      const { traffic, network } = plan.experiments["judged"] as { traffic: TrafficSpec[]; network: NetworkSpec }
      const { sinks, sources, each } = traffic[1]!.pattern as unknown as Record<"sinks" | "sources", number[]> & {
        each: number
      }
      expect((sources.length * each) / sinks.length).toBe(12)
      expect(network.congestion).toEqual({ name: "ecn-window" })
    }
  })
  test("figure 9: three networks, six message sizes, three seeds", () => {
    expect(runs(fig9.full)).toEqual([54])
    expect(runs(fig9.quick)).toEqual([12])
  })
})

describe("bounds: section 9 of the fact sheet, none wider", () => {
  const boundsOf = (figure: PaperFigure) => claimsOf(figure, "full").map((r) => [r.low, r.high])
  const [over, under] = [1 + Number.EPSILON, 1 - Number.EPSILON / 2]
  test(
    "figure 5: 5 %, 0.65 to 0.95 us; 0.90 ± 0.04, 0.02 of the baseline, 0.78 ± " +
      "0.05, 0.04 below Little's bound, no decay above 0.02",
    () => {
      const near = [-0.02, 0.02]
      expect(boundsOf(fig5a)).toEqual([...Array(2).fill([1 / 1.05, 1.05]), [0.65, 0.95]])
      const plateaus = [...Array(4).fill([-1, 0.02]), ...Array(4).fill(near)]
      expect(boundsOf(fig5b)).toEqual([
        ...Array(3).fill([0.86, 0.94]),
        ...Array(4).fill(near),
        [0.73, 0.83],
        [-0.04, 0.2],
        ...plateaus,
      ])
    },
  )
  test("figure 7: a worse network is worse, never equal; a visible but small rise; back at 60 ± 15 us; 2 to 4.5 times, and twice that", () => {
    const [worse, clearly] = [over, 1.01].map((low) => [low, Number.POSITIVE_INFINITY])
    const order = [worse, clearly, worse, clearly]
    expect(boundsOf(fig7a)).toEqual([...order, [1.05, 2], [0, under / 2], [45, 75]])
    expect(boundsOf(fig7b)).toEqual([...order, [2, 4.5], [2, Number.POSITIVE_INFINITY]])
  })
  test("figure 8: 4 ± 0.5 in 22..30 us, below 3 at 32 ± 4 us, 1 ± 0.2, above half, below 5 %", () => {
    const half = [0.5 + Number.EPSILON, 1]
    expect(boundsOf(fig8)).toEqual([[3.5, 4.5], [28, 36], [0.8, 1.2], half, [0, 0.05 - Number.EPSILON]])
  })
  test("figure 9: 0.40 ± 0.01, below the baseline at every size, peak at 128 to 512, half the spread", () => {
    const bounds = boundsOf(fig9)
    expect(bounds[0].map((v) => v.toFixed(4))).toEqual(["0.3900", "0.4100"])
    expect(bounds.slice(1)).toEqual([...Array(4).fill([0, under]), [128, 512], ...Array(2).fill([0, under / 2])])
  })
})

describe("pictures, from recorded curves", () => {
  const lines = (id: string, names: Record<string, [number, number][]>): Figure => ({
    kind: "lines",
    id,
    title: id,
    caption: "",
    x: { label: "" },
    y: { label: "" },
    lines: Object.entries(names).map(([name, spots]) => ({ name, spots: spots.map(([x, y]) => ({ x, y })) })),
    markers: false,
  })
  test(
    "figure 7b is a cumulative distribution of the paper's four networks, " +
      "with three times the calm maximum marked",
    () => {
      const tail = lines("tail", {
        baseline: [
          [600, 0.75],
          [9000, 0.25],
        ],
        "0 %": [[600, 0.5]],
        "no aggressors": [
          [600, 0.5],
          [1000, 0.25],
        ],
      })
      const [drawn, tails] = fig7b.plots([tail])
      expect(drawn).toMatchObject({
        id: "cumulative",
        lines: [
          {
            name: "baseline",
            spots: [
              { x: 600, y: 0.25 },
              { x: 9000, y: 0.75 },
            ],
          },
          { name: "no aggressors" },
        ],
        marks: [{ x: 3000 }],
      })
      expect(tails?.title).toContain("not in the paper")
    },
  )
  test("figure 8 is one picture with two axes; its rows follow from the recorded curves", () => {
    const load: [number, number][] = [
      [21, 4],
      [25, 4],
      [29, 3.6],
      [33, 2.9],
      [70, 1.1],
    ]
    const use: [number, number][] = [
      [31, 0.6],
      [49, 0.51],
      [81, 0.04],
    ]
    const recorded = [lines("offered", { baseline: [], "100 %": load }), lines("stash", { "100 %": use, "50 %": [] })]
    const [drawn] = fig8.plots(recorded)
    expect(drawn).toMatchObject({
      lines: [{ spots: [{ x: 21, y: 4 }, {}, {}, {}, {}] }, { axis: "right" }],
      right: { max: 1 },
    })
    const rows = fig8.again(recorded)
    // (4 + 3.6) / 2; the first time below 3; one value in 65..75 us
    expect(rows.map((r) => [r.value, wordOf(r)])).toEqual([
      [3.8, "agrees"],
      [33, "agrees"],
      [1.1, "agrees"],
      [0.51, "agrees"],
      [0.04, "agrees"],
    ])
    const early = [
      lines("offered", {
        "100 %": [
          [21, 4],
          [24, 2.9],
          [29, 0.5],
          [70, 1.1],
        ],
      }),
      recorded[1],
    ]
    expect(fig8.again(early).map(wordOf)).toEqual(["fails", "fails", "agrees", "agrees", "agrees"])
  })
})

describe("networks", () => {
  test("3,080, 462 and 110 endpoints", () => {
    expect([endsOf("full"), endsOf("mid"), endsOf("small")]).toEqual([3080, 462, 110])
  })
  test("12 sinks, 48 sources, 3,020 victims", () => {
    const { sources, sinks, victims } = placement("full", 12)
    expect([sinks.length, sources.length, victims.length]).toEqual([12, 48, 3020])
    expect(new Set([...sinks, ...sources, ...victims]).size).toBe(3080)
  })
  test("lists of endpoints as ranges", () => {
    expect(ranges([1, 2, 3, 7, 9, 10])).toEqual(["1-3", 7, "9-10"])
    expect(ranges([])).toEqual([])
  })
})
