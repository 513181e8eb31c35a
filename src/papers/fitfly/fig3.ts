// Figure 3: accepted against offered load of Slim Fly and of Fit Fly with 2, 4 and 8 rails. The paper sweeps the mean time between packets of a
// fixed size; offered and accepted load are fractions of one link of 12.5 GiB/s.
import type { Figure } from "../../draw/figure/figure.ts"
import { type PaperFigure, type PaperPlan, type PaperRuns, type Row, within } from "../paper.ts"
import { cites } from "./networks.ts"

const rails = [1, 2, 4, 8] as const

function half(rails: number, share: number): number {
  return Number(((share * rails) / 2).toFixed(4))
}

/** `share`: offered load of each rail. */
function plan(q: number, p: number, shares: readonly number[], times: { warmup: string; window: string }, seeds: number): PaperPlan {
  const experiment = (r: number) => ({
    lacewing: 1,
    title: `Slim Fly q = ${q}, ${r} rail${r > 1 ? "s" : ""}`,
    network: {
      topology: r === 1 ? { name: "slimfly", q, p } : { name: "fitfly", q, p, rails: r },
      routing: "slimfly.ugal-l",
      switch: { name: "chunk", vcs: 4, chunk: "4KiB", buffer: "64KiB", bandwidth: "12.5GiB/s", delay: "90ns", credit: "90ns" },
      endpoint: { name: "rails", select: "congestion" },
      links: { end: "0ns", local: "0ns", global: "0ns" },
      cycle: "1ns",
      flit: "64B",
    },
    engine: "packet",
    // two streams, each half of the load: together they may offer more than the rails carry
    traffic: ["a", "b"].map((name) => ({ name, pattern: "uniform", arrivals: "poisson", packet: "4KiB", load: half(r, shares[0]!) })),
    measure: { ...times, limit: "1ms", drain: "none" },
    seeds,
    zip: Object.fromEntries([0, 1].map((i) => [`traffic.${i}.load`, shares.map((s) => half(r, s))])),
  })
  return { experiments: Object.fromEntries(rails.map((r) => [`rails-${r}`, experiment(r)])) }
}

const full = [0.25, 0.5, 0.75, 1, 1.25, 1.5]
const quick = [0.25, 0.5, 1.5]

/** Accepted load at an offered one, both fractions of one link. */
function accepted(runs: PaperRuns, r: number, offered: number): number {
  const found = (runs[`rails-${r}`] ?? []).filter((run) => Math.abs(run.result.values["offered"]! - offered) < 1e-6)
  return found.reduce((sum, run) => sum + run.result.values["accepted"]!, 0) / found.length
}

function rows(runs: PaperRuns): Row[] {
  const top = Math.max(...full)
  const plateau = (r: number) => accepted(runs, r, top * r)
  return [
    ...rails.slice(1).map((r) =>
      within({
        claim: `accepted load of ${r} rails over that of one, all offered ${100 * top} % of each rail`,
        paper: "proportional to the number of rails",
        value: plateau(r) / plateau(1),
        low: r * 0.9,
        high: r * 1.1,
        note: "within a tenth of the number of rails",
      }),
    ),
    ...rails.map((r) =>
      within({
        claim: `${r} rail${r > 1 ? "s" : ""}: accepted over offered load at 25 % of each`,
        paper: "all is accepted while the load is low",
        value: accepted(runs, r, 0.25 * r) / (0.25 * r),
        low: 0.97,
        high: 1.03,
      }),
    ),
  ]
}

function figures(runs: PaperRuns): Figure[] {
  const spots = (r: number) => {
    const loads = new Set((runs[`rails-${r}`] ?? []).map((run) => run.result.values["offered"]!))
    return [...loads].sort((a, b) => a - b).map((x) => ({ x, y: accepted(runs, r, x) }))
  }
  return [
    {
      kind: "lines",
      id: "accepted",
      title: "Accepted against offered load",
      caption: "Uniform traffic, adaptive routing, rails by congestion; mean of the seeds.",
      x: { label: "Offered load (of a link of 12.5 GiB/s)", format: "percent" },
      y: { label: "Accepted load (of a link)", format: "percent" },
      lines: rails.map((r) => ({ name: `${r} rail${r > 1 ? "s" : ""}`, spots: spots(r) })),
      diagonal: true,
      markers: true,
    },
  ]
}

export default {
  id: "fitfly/fig3",
  cites,
  title: "Accepted against offered load for 1, 2, 4 and 8 rails",
  claim: "the accepted load is proportional to the number of rails",
  quick: {
    ...plan(5, 4, quick, { warmup: "5us", window: "40us" }, 1),
    scaled: "q = 5 instead of 13, three loads instead of six, one seed instead of three",
  },
  full: plan(13, 9, full, { warmup: "6us", window: "12us" }, 3),
  rows,
  figures,
} satisfies PaperFigure
