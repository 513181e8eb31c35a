// Figure 5a: latency against load with end-to-end reliability.

import { marked } from "../drawn.ts"
import type { PaperFigure, PaperRuns, Row } from "../paper.ts"
import { within } from "../paper.ts"
import { cites, farthest, SECTION_A } from "./runs.ts"
import { at, curves, full, loadsOf, quick } from "./uniform.ts"

function rows(runs: PaperRuns): Row[] {
  const low = loadsOf(runs).filter((load) => load <= 0.85)
  const worst = (variant: string) =>
    farthest(
      1,
      low.map((load) => at(runs, variant, load, "latency.mean") / at(runs, "baseline", load, "latency.mean")),
      (ratio) => Math.abs(Math.log(ratio)),
    )
  return [
    ...["100 %", "50 %"].map((variant) =>
      within({
        claim: `${variant} of the stash: mean latency over that of the baseline, worst of loads up to 0.85`,
        paper: "nearly identical",
        value: worst(variant),
        low: 1 / 1.05,
        high: 1.05,
        note: "within 5 %",
      }),
    ),
    within({
      claim: "mean latency at load 0.75, just before 25 % of the stash saturates (us)",
      paper: 0.8,
      value: at(runs, "baseline", 0.75, "latency.mean") / 1000,
      low: 0.65,
      high: 0.95,
      note: "0.8 ± 0.15; a packet's wires (573 ns at paper size) and its tail (24 ns) are the same in the small network",
    }),
  ]
}

export default {
  id: "stashing/fig5a",
  shares: "stashing/uniform",
  cites,
  title: "Latency against load, with copies in the stash",
  claim: "with 100 and 50 % of the stash, end-to-end reliability costs no latency; with 25 % the network saturates early",
  quick,
  full,
  rows,
  figures: (runs) => [
    {
      kind: "lines",
      id: "latency",
      title: "Mean latency against offered load",
      caption: "From creation to the arrival of the tail, mean of the seeds. An open marker on the edge: saturated.",
      x: { label: "Offered load (fraction of an endpoint channel)" },
      y: { label: "Mean latency (ns)" },
      lines: curves(runs, "latency.mean", 2000),
      markers: true,
    },
  ],
  // the text gives the load at which 25 % saturates, and the latency just before
  plots: (figures) =>
    marked(figures, "latency", [
      { y: 800, name: "about 0.8 us just before 25 % saturates", source: SECTION_A },
      { x: 0.78, name: "25 % saturates at about 78 %", source: SECTION_A },
    ]),
} satisfies PaperFigure
