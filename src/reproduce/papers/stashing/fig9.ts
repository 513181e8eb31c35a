// Figure 9: tail latency of victims that share the network with an aggressor of growing burstiness. Even endpoints are
// victims (uniform among themselves, 40 %). Odd ones send messages of 1 to 512 packets among themselves at full rate:
// the packets of a message one after the other, and another message when the window of the one before is closed. All
// endpoints start at once with open windows. That transient, which takes some 40 us, is left out.

import { RELATIVE_ERROR } from "../../../core/histogram.ts"
import type { NetworkSpec, RunSpec } from "../../../model/experiment.ts"
import { marked } from "../drawn.ts"
import { type Mode, type PaperFigure, type PaperPlan, type PaperRuns, type Row, within } from "../paper.ts"
import { absorbing } from "./hotspots.ts"
import {
  endsOf,
  figureNetwork,
  measured,
  type Net,
  type NetworkOptions,
  stashingNetwork,
  stream,
  windows,
} from "./network.ts"
import { cites, farthest, meanOf, SECTION_B } from "./runs.ts"

const networks = ["baseline", "100 %", "50 %"]
/** The most below 1: equal does not outperform. */
const LESS = 1 - Number.EPSILON / 2
/** A smaller difference of the ratio of two percentiles is lost in the bins of their histograms. */
const RESOLUTION = 2 * RELATIVE_ERROR
const sizes = [1, 16, 64, 128, 256, 512]

function parts(net: Net, network: NetworkSpec, times: readonly [number, number]) {
  const half = (odd: number) => Array.from({ length: endsOf(net) / 2 }, (_, i) => 2 * i + odd)
  const among = (set: readonly number[]) => ({ pattern: { name: "to-set", set }, from: set })
  return {
    network,
    traffic: [
      stream("victims", 0.4, among(half(0))),
      stream("aggressors", 1, { ...among(half(1)), arrivals: { name: "periodic", phase: "random" } }),
    ],
    measure: measured(...times),
  }
}

const messages = (packets: number) => ({ name: "fixed", size: `${packets}packets` })

/** One size of messages, with the defaults of the plug-ins but for what is given; the first half of `until` (us) is
 *  warm-up. */
export function burstRun(o: NetworkOptions & { seed: number; packets: number; until: number }): RunSpec {
  const network = stashingNetwork({ congestion: windows, ...o })
  const { traffic, ...rest } = parts(o.net, network, [o.until / 2, o.until / 2])
  const [victims, aggressors] = traffic
  return {
    ...rest,
    engine: { name: "flit" },
    traffic: [victims!, { ...aggressors!, message: messages(o.packets) }],
    probes: [],
    seed: o.seed,
  }
}

function experiment(net: Net, packets: readonly number[], times: readonly [number, number], seeds: number) {
  return {
    lacewing: 1,
    title: `bursts among ${endsOf(net)} endpoints`,
    ...parts(net, figureNetwork({ net, congestion: windows }), times),
    probes: [],
    variants: { baseline: {}, "100 %": absorbing(1), "50 %": absorbing(0.5) },
    sweep: { "traffic.1.message": packets.map(messages) },
    seeds,
  }
}

const quick: PaperPlan = {
  experiments: { bursts: experiment("mid", [1, 16, 128, 512], [50, 50], 1) },
  scaled: "462 endpoints instead of 3,080, four message sizes instead of six, one seed instead of three",
}
const full: PaperPlan = { experiments: { bursts: experiment("full", sizes, [50, 50], 3) } }

function sizeOf(run: PaperRuns[string][number]): number {
  return Number.parseInt(String(run.spec.traffic[1]?.message["size"]), 10)
}

function at(runs: PaperRuns, variant: string, packets: number, value: string): number {
  return meanOf(
    (runs["bursts"] ?? []).filter((r) => r.point["variant"] === variant && sizeOf(r) === packets),
    value,
  )
}

const sizesOf = (runs: PaperRuns): number[] => [...new Set((runs["bursts"] ?? []).map(sizeOf))].sort((a, b) => a - b)

function rows(runs: PaperRuns, mode: Mode): Row[] {
  const all = sizesOf(runs)
  const p90 = (variant: string) => all.map((n) => at(runs, variant, n, "victims.network.p90"))
  const base = p90("baseline")
  const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values)
  // half of the endpoints are victims
  const accepted = networks.flatMap((v) => all.map((n) => 2 * at(runs, v, n, "victims.accepted")))
  const worst = farthest(0.4, accepted, (x) => Math.abs(x - 0.4))
  const noise = 0.01 * Math.sqrt(3080 / endsOf(mode === "full" ? "full" : "mid"))
  const list = (values: readonly number[]) => values.map((v) => v.toFixed(0)).join(", ")
  const stashed = ["100 %", "50 %"]
  return [
    within({
      claim: "victims' accepted load, the farthest from 0.4 of all networks and sizes",
      paper: 0.4,
      value: worst,
      low: 0.4 - noise,
      high: 0.4 + noise,
      note: mode === "full" ? "0.40 ± 0.01" : "0.40 ± 0.01 x sqrt(3080 / 462): fewer endpoints, larger fluctuations",
    }),
    ...stashed.map((variant) =>
      within({
        claim: `p90 of the victims, ${variant} over baseline, largest of all sizes above 1`,
        paper: "always outperforms",
        value: Math.max(...all.flatMap((n, i) => (n > 1 ? [p90(variant)[i] / base[i]] : []))),
        low: 0,
        high: LESS,
        note: `${all.join(", ")} packets: baseline ${list(base)}; ${variant} ${list(p90(variant))} ns`,
      }),
    ),
    ...stashed.map((variant) => ({
      ...within({
        claim: `p90 of the victims, ${variant} over baseline, messages of one packet`,
        paper: "always outperforms",
        value: at(runs, variant, 1, "victims.network.p90") / at(runs, "baseline", 1, "victims.network.p90"),
        low: 0,
        high: LESS,
        note: "nothing is congested for long",
      }),
      resolution: RESOLUTION,
    })),
    within({
      claim: "message size of the baseline's highest p90 (packets)",
      paper: 256,
      value: all[base.indexOf(Math.max(...base))] ?? Number.NaN,
      low: 128,
      high: 512,
      note: mode === "full" ? "128, 256 or 512" : "the two largest sizes that are run",
    }),
    ...stashed.map((variant) =>
      within({
        claim: `spread of p90 over the sizes, ${variant} over baseline`,
        paper: "very little perturbation",
        value: spread(p90(variant)) / spread(base),
        low: 0,
        high: LESS / 2,
        note: "less than half",
      }),
    ),
  ]
}

export default {
  id: "stashing/fig9",
  cites,
  title: "Victims' tail latency against burstiness of an aggressor",
  claim:
    "stashing always beats the baseline, whose 90th percentile peaks at about 256 " +
    "packets per message; victims always get their 40 %",
  quick,
  full,
  rows,
  figures: (runs) => [
    {
      kind: "lines",
      id: "p90",
      title: "90th percentile of victims' network latency",
      caption: "Against the aggressor's message size.",
      x: { label: "Packets of an aggressor's message", log: true },
      y: { label: "90th percentile (ns)" },
      lines: networks.map((variant) => ({
        name: variant,
        spots: sizesOf(runs).map((x) => ({ x, y: at(runs, variant, x, "victims.network.p90") })),
      })),
      markers: true,
    },
  ],
  plots: (figures) =>
    marked(figures, "p90", [{ x: 256, name: "the baseline peaks at 256 packets per message", source: SECTION_B }]),
} satisfies PaperFigure
