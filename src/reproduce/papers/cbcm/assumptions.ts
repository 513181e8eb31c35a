// What the paper leaves open, over its range: figures in their quick form, once with the defaults and once with each
// other value. A row says how many rows of these figures answer otherwise then, and which.
import type { Named, NetworkSpec, TrafficSpec } from "../../../model/experiment.ts"
import { packaged } from "../data/packaged.ts"
import { type PaperFigure, type PaperRuns, type Row, sensitivity, unchecked, within, wordOf } from "../paper.ts"
import fig2 from "./fig2.ts"
import fig8a from "./fig8a.ts"
import fig8b from "./fig8b.ts"
import fig9b from "./fig9b.ts"
import fig12 from "./fig12.ts"
import fig13 from "./fig13.ts"
import { cites, routerOf } from "./network.ts"
import table1 from "./table1.ts"
import text2b from "./text-2b.ts"
import text5b from "./text-5b.ts"

/** A plug-in as a module has it, or as a figure file writes it. */
type Written = string | Named
/** A network, or what a variant changes of it. */
type Network = Omit<Partial<NetworkSpec>, "congestion" | "switch"> & {
  readonly congestion?: Written
  readonly switch?: Readonly<Record<string, unknown>>
}
type Experiment = {
  readonly network: Network
  readonly traffic: readonly TrafficSpec[]
  readonly measure: { readonly warmup: string; readonly window: string; readonly limit: string }
  readonly variants?: Readonly<
    Record<string, { readonly network?: Network; readonly traffic?: readonly TrafficSpec[] }>
  >
}
type Change = {
  readonly network?: (n: Network) => Network
  readonly traffic?: (t: TrafficSpec) => TrafficSpec
  readonly experiment?: (e: Experiment) => Experiment
}

const figures: Readonly<Record<string, PaperFigure>> = {
  table1,
  fig2,
  "text-2b": text2b,
  fig3a: packaged("cbcm/fig3a"),
  fig3b: packaged("cbcm/fig3b"),
  fig5a: packaged("cbcm/fig5a"),
  fig5b: packaged("cbcm/fig5b"),
  fig8a,
  fig8b,
  fig9b,
  "text-5b": text5b,
  fig11: packaged("cbcm/fig11"),
  fig12,
  fig13,
  fig14: packaged("cbcm/fig14"),
}

/** Keys of one protocol. */
function protocol(name: string, keys: object): Change {
  return {
    network(n) {
      const of = typeof n.congestion === "string" ? { name: n.congestion } : n.congestion
      return of?.name === name ? { ...n, congestion: { ...of, ...keys } } : n
    },
  }
}
function switches(keys: object): Change {
  return { network: (n) => ({ ...n, switch: { ...n.switch, ...keys } }) }
}
function ugal(keys: object): Change {
  return { network: (n) => (n.routing?.name === "hyperx.ugal-l" ? { ...n, routing: { ...n.routing, ...keys } } : n) }
}
/** Links are those of the network: no variant has its own. */
const ends = (cycles: number): Change => ({
  network: (n) => (n.links === undefined ? n : { ...n, links: { ...n.links, end: `${cycles}cycles` } }),
})
const single: Change = { traffic: (t) => ({ ...t, message: { name: "fixed", size: "1packets" } }) }
/** Of Fig. 3b: 4, 5, 8 and 12 are hot instead of 1, 4, 8 and 12. */
const otherHot: Change = {
  traffic: (t) =>
    t.name === "hot"
      ? { ...t, from: [4, 5, 8, 12] }
      : { ...t, from: (t.from as readonly number[]).map((e) => (e === 5 ? 1 : e)) },
}

const thousands = (time: string): number => Number.parseFloat(time)
/** Victims begin with the hot spot, not after it was alone: the warm-up is shorter by that time. */
const together: Change = {
  experiment({ traffic, measure, ...e }) {
    const first = Math.max(...traffic.map((t) => thousands(t.start)))
    const earlier = (time: string) => `${thousands(time) - first}kcycles`
    return {
      ...e,
      traffic: traffic.map((t) => ({ ...t, start: "0cycles" })),
      measure: { ...measure, warmup: earlier(measure.warmup), limit: earlier(measure.limit) },
    }
  },
}
/** Of Fig. 12: the four senders have fixed shares of the destination from the start, and no protocol throttles them. */
const fixedShares: Change = {
  experiment(e) {
    const share = (load: number) => ({
      network: { ...e.network, congestion: "none", switch: routerOf({ name: "none" }) },
      traffic: e.traffic.map((t) => (t.name === "hot" ? { ...t, load } : t)),
    })
    return { ...e, variants: { ...e.variants, "1/N": share(1 / 4), "0.99/N": share(0.99 / 4) } }
  },
}

/** assumption -> what changes, and the figures in which it shows */
const changes: Readonly<Record<string, readonly [Change, readonly string[]]>> = {
  "epoch of destinations 1000": [
    protocol("cbcm", { epoch: "1000cycles" }),
    ["table1", "fig9b", "fig12", "fig13", "fig14"],
  ],
  "epoch of destinations 2000": [protocol("cbcm", { epoch: "2000cycles" }), ["table1", "fig12", "fig14"]],
  "epoch of destinations 8000": [protocol("cbcm", { epoch: "8000cycles" }), ["table1", "fig8a", "fig12"]],
  "epoch of routers 250": [protocol("cbcm", { routerEpoch: "250cycles" }), ["fig11"]],
  "epoch of routers 500": [protocol("cbcm", { routerEpoch: "500cycles" }), ["fig11"]],
  "routers count by destination": [protocol("cbcm", { counted: "destination" }), ["fig11"]],
  "routers count by destination, epoch 250": [
    protocol("cbcm", { counted: "destination", routerEpoch: "250cycles" }),
    ["fig11"],
  ],
  "epoch of sources 250": [protocol("cbcm", { sourceEpoch: "250cycles" }), ["table1", "fig12"]],
  "epoch of sources 4000": [protocol("cbcm", { sourceEpoch: "4000cycles" }), ["table1", "fig12"]],
  "epoch of sources 4 packets of the share": [
    protocol("cbcm", { sourcePackets: 4 }),
    ["table1", "fig8a", "fig12", "fig13"],
  ],
  "holders count": [protocol("cbcm", { countInTransit: true }), ["table1", "fig12", "fig14"]],
  "weighted degree": [protocol("cbcm", { estimator: "weighted" }), ["table1", "fig12", "fig14"]],
  "exit from HOT at 0.5": [protocol("cbcm", { exit: 0.5 }), ["table1", "fig12", "fig13"]],
  "exit from HOT at 0.9": [protocol("cbcm", { exit: 0.9 }), ["fig12", "fig13"]],
  "queue is full at 16 packets": [protocol("cbcm", { maxQueued: 16 }), ["table1", "fig12"]],
  "queue is full at 64 packets": [protocol("cbcm", { maxQueued: 64 }), ["table1", "fig12"]],
  "threshold of UGAL 0": [ugal({ bias: "0flits" }), ["fig2", "fig3a", "table1"]],
  "threshold of UGAL 32": [ugal({ bias: "32flits" }), ["fig2", "fig3a", "table1"]],
  "detours to any router": [ugal({ candidate: "any" }), ["fig9b", "text-5b"]],
  "VCs of 64 flits": [switches({ buffer: "64flits" }), ["fig2", "text-2b", "fig3a", "fig9b", "fig14", "table1"]],
  "256 flits for each VC and output": [switches({ depth: "each" }), ["fig2", "text-2b", "fig3a"]],
  "one queue for each VC": [switches({ queues: "fifo" }), ["fig2", "text-2b"]],
  "queues for outputs in all VCs": [switches({ queues: "voq" }), ["fig5b", "fig8a"]],
  "no VC allocation": [switches({ vcAllocation: undefined }), ["fig2", "text-2b", "table1"]],
  "output buffers of 128 flits": [switches({ outputPackets: undefined }), ["fig2", "fig5b"]],
  "output buffers of 2 packets": [switches({ outputPackets: 2 }), ["fig2", "fig5b"]],
  "adaptive routing counts data only": [switches({ loads: undefined }), ["fig5b", "fig8a"]],
  "space is free with the tail": [switches({ release: "tail" }), ["fig2", "fig3a", "text-2b"]],
  "ECN at 0.7": [protocol("ecn-delay", { threshold: 0.7 }), ["fig3a", "fig3b"]],
  "ECN at 0.97": [protocol("ecn-delay", { threshold: 0.97 }), ["fig3a", "fig3b"]],
  "ECN by VC": [protocol("ecn-delay", { base: "vc" }), ["fig3a", "fig3b"]],
  "links of endpoints 4 cycles": [ends(4), ["fig2", "fig5a", "table1"]],
  "routers of 4 cycles": [switches({ route: "3cycles" }), ["fig2", "fig5a", "table1"]],
  "transfers that cannot run dry": [switches({ start: "dry" }), ["fig2", "fig5a", "table1"]],
  "messages of one packet": [single, ["fig2"]],
  "4, 5, 8 and 12 are hot": [otherHot, ["fig3b"]],
  "the hot spot is never alone": [together, ["fig8b", "fig9b"]],
  "fixed shares of 1/N": [fixedShares, ["fig12"]],
  "SRP waits 1000 cycles": [protocol("srp", { budget: "1000cycles" }), ["fig5b"]],
  "SRP waits 500 cycles": [protocol("srp", { budget: "500cycles" }), ["fig5a", "fig5b"]],
}

const DEFAULT = "defaults"

/** Names of experiments are folders. */
const key = (assumption: string, figure: string, name: string): string =>
  `${assumption.replaceAll(/[^a-zA-Z0-9]+/g, "-")}.${figure}.${name}`

function changed(given: Experiment, change: Change): Experiment {
  const experiment = change.experiment?.(given) ?? given
  const network = change.network ?? ((n: Network) => n)
  const traffic = (all: readonly TrafficSpec[]) => (change.traffic === undefined ? all : all.map(change.traffic))
  const variant = (v: { readonly network?: Network; readonly traffic?: readonly TrafficSpec[] }) => ({
    ...v,
    ...(v.network === undefined ? {} : { network: network(v.network) }),
    ...(v.traffic === undefined ? {} : { traffic: traffic(v.traffic) }),
  })
  const variants = Object.fromEntries(Object.entries(experiment.variants ?? {}).map(([name, v]) => [name, variant(v)]))
  return { ...experiment, network: network(experiment.network), traffic: traffic(experiment.traffic), variants }
}

function experiments(): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const [id, figure] of Object.entries(figures))
    for (const [name, experiment] of Object.entries(figure.quick!.experiments))
      made[key(DEFAULT, id, name)] = experiment
  for (const [assumption, [change, ids]] of Object.entries(changes))
    for (const id of ids)
      for (const [name, experiment] of Object.entries(figures[id].quick!.experiments))
        made[key(assumption, id, name)] = changed(experiment as Experiment, change)
  return made
}

/** The rows of a figure under an assumption; none without runs. */
function rowsOf(runs: PaperRuns, assumption: string, id: string): readonly Row[] {
  const names = Object.keys(figures[id].quick!.experiments)
  const own = Object.fromEntries(names.map((name) => [name, runs[key(assumption, id, name)] ?? []]))
  return Object.values(own).some((r) => r.length === 0) ? [] : figures[id].rows(own, "quick", () => Number.NaN)
}

function rows(runs: PaperRuns): Row[] {
  const judged = Object.entries(changes).map(([assumption, [, ids]]) => {
    let count = 0
    const otherwise = ids.flatMap((id) => {
      const [before, after] = [rowsOf(runs, DEFAULT, id), rowsOf(runs, assumption, id)]
      count += after.length
      return after.flatMap((row, i) =>
        wordOf(row) === wordOf(before[i])
          ? []
          : [
              `${id}, ${row.claim}: ${row.value.toPrecision(3)} instead of ` +
                `${before[i].value.toPrecision(3)} ${wordOf(row)}`,
            ],
      )
    })
    return sensitivity(
      within({
        claim: `${assumption}: rows of ${ids.join(", ")} that answer otherwise`,
        paper: "",
        value: count === 0 ? Number.NaN : otherwise.length,
        low: 0,
        high: 0,
        ...(otherwise.length === 0 ? {} : { note: otherwise.join("; ") }),
      }),
    )
  })
  const lacking = {
    "wormhole switching": "the switch moves whole packets",
    "the VC with most credits": "VCs are taken round-robin",
    "budgets of SRP that count the propagation time": "routers count the time that a packet waits",
  }
  return [...judged, ...Object.entries(lacking).map(([claim, why]) => unchecked(claim, "not in the paper", why))]
}

export default {
  id: "cbcm/assumptions",
  number: "What the paper leaves open",
  cites,
  title: "Assumptions over their ranges",
  claim: "which rows of the figures depend on what was assumed",
  quick: { experiments: experiments(), scaled: "the figures in their quick form" },
  rows: (runs) => rows(runs),
} satisfies PaperFigure
