// Figure 5b: accepted against offered load with end-to-end reliability, and what overload does in the long run.

import { marked } from "../drawn.ts"
import { type Mode, type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { nets } from "./network.ts"
import { cites, SECTION_A } from "./runs.ts"
import { acceptedBetween, at, capacities, curves, full, overload, partOf, plateau, quick } from "./uniform.ts"

/** Flits of stash for each endpoint of a switch: 1,750 on each of its p end ports, 1,500 on each of its a - 1 local ones. */
function stashOfEndpoint(mode: Mode, part: number): number {
  const { p, a } = nets[mode === "full" ? "full" : "mid"]
  return (part * (1750 * p + 1500 * (a - 1))) / p
}

function rows(runs: PaperRuns, mode: Mode): Row[] {
  const accepted = (variant: string, load: number) => at(runs, variant, load, "accepted")
  const saturation = (variant: string): Row =>
    within({
      claim: `${variant}: accepted of offered 1`,
      paper: 0.9,
      value: accepted(variant, 1),
      low: 0.86,
      high: mode === "full" ? 0.94 : 24 / 25,
      note: mode === "full" ? "0.90 ± 0.04" : "0.90 - 0.04 up to 24/25, what acknowledgements leave: the small network has fewer conflicts",
    })
  const near = (variant: string, load: number): Row =>
    within({
      claim: `${variant}: accepted less than the baseline, offered ${load}`,
      paper: "nearly identical",
      value: accepted("baseline", load) - accepted(variant, load),
      low: -0.02,
      high: 0.02,
      note: "within 0.02",
    })
  // copies live for a round trip: twice the one-way latency just before saturation
  const little = stashOfEndpoint(mode, partOf("25 %")) / (2 * at(runs, "25 %", 0.75, "latency.mean"))
  return [
    ...["baseline", "100 %", "50 %"].map(saturation),
    ...["100 %", "50 %"].flatMap((variant) => plateau.map((load) => near(variant, load))),
    within({ claim: "25 %: accepted of offered 1", paper: 0.78, value: accepted("25 %", 1), low: 0.73, high: 0.83, note: "0.78 ± 0.05" }),
    within({
      claim: "25 %: accepted above Little's bound from our own latency",
      paper: 0.03,
      value: accepted("25 %", 1) - little,
      low: -0.04,
      high: 0.2,
      note: `${stashOfEndpoint(mode, 0.25)} flits for each endpoint over two latencies at load 0.75: ${little.toFixed(3)}; at least 0.04 below it`,
    }),
    ...capacities.map((variant) =>
      within({
        claim: `${variant}: accepted of offered 1 less than of 0.9 (an overload plateau does not decay)`,
        paper: "plateaus",
        value: accepted(variant, 0.9) - accepted(variant, 1),
        low: -1,
        high: 0.02,
        note: "at most 0.02",
      }),
    ),
    ...capacities.map((variant) =>
      within({
        claim: `${variant}: accepted in 20..30 us less than in 50..60 us, offered 1`,
        paper: "plateaus",
        value: acceptedBetween(runs, variant, 20, 30) - acceptedBetween(runs, variant, 50, 60),
        low: -0.02,
        high: 0.02,
        note: "steady within 0.02",
      }),
    ),
  ]
}

export default {
  id: "stashing/fig5b",
  shares: "stashing/uniform",
  cites,
  title: "Accepted against offered load, with copies in the stash",
  claim: "90 % saturation for the baseline and for 100 and 50 % of the stash, about 78 % for 25 %, close to Little's law",
  quick,
  full,
  rows,
  figures: (runs) => [
    {
      kind: "lines",
      id: "accepted",
      title: "Accepted against offered load",
      caption: "Mean of the seeds. Dotted: all that is offered is accepted.",
      x: { label: "Offered load (fraction of an endpoint channel)" },
      y: { label: "Accepted load" },
      lines: curves(runs, "accepted"),
      diagonal: true,
      markers: true,
    },
    overload(runs),
  ],
  plots: (figures) =>
    marked(figures, "accepted", [
      { y: 0.9, name: "baseline, 100 and 50 %: 90 % saturation throughput", source: SECTION_A },
      { y: 0.78, name: "25 %: approximately 78 %", source: SECTION_A },
    ]),
} satisfies PaperFigure
