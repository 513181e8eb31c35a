// Section 4: a level with 32 entries of weight 2 and one with 16 entries of weight 4 have the same bandwidth, and the first a lower latency. Two runs: all
// backlogged for the shares; for latencies a third level keeps the link busy and both have one rate below their share.
import { tableText } from "../../model/arbitration.ts"
import type { TableEntry } from "../../model/scheduler.ts"
import { type Mode, type PaperFigure, type PaperPlan, type PaperRuns, type Row, within } from "../paper.ts"
import { meanOf } from "../stashing/runs.ts"
import { cites, NS } from "./network.ts"

/** Even places 0:2, every fourth 1:4, the rest 2:2. */
const table: readonly TableEntry[] = Array.from({ length: 64 }, (_, i) =>
  i % 2 === 0 ? { queue: 0, weight: 2 } : i % 4 === 1 ? { queue: 1, weight: 4 } : { queue: 2, weight: 2 },
)
/** of the link, each of both; their shares are 64 of 160 credits */
const loads = [0.2, 0.3, 0.35]

function experiment(load: readonly number[], busy: boolean, window: number, seeds: number) {
  const source = (c: number) => ({
    name: `SL${c}`,
    class: c,
    from: [String(c + 1)],
    pattern: { name: "to-set", set: [0] },
    packet: "128B",
    load: busy || c === 2 ? 1 : load[0],
    arrivals: busy || c === 2 ? "backlogged" : "poisson",
  })
  return {
    lacewing: 1,
    title: "equal weights, other distances",
    network: {
      topology: { name: "crossbar", n: 4 },
      routing: "crossbar.direct",
      // all queues of the output stay filled
      switch: { name: "infiniband", vcs: 3, speed: 4 },
      endpoint: "service-levels",
      qos: { name: "dtable", table: tableText(table) },
      links: { end: "1cycle" },
      cycle: `${NS}ns`,
      flit: "64B",
    },
    traffic: [0, 1, 2].map(source),
    measure: { warmup: "5000cycles", window: `${window}cycles`, limit: `${window + 5000}cycles`, drain: "none", saturation: "never" },
    ...(busy ? {} : { zip: { "traffic.0.load": load, "traffic.1.load": load } }),
    seeds,
  }
}

function planOf(window: number, seeds: number, scaled?: string): PaperPlan {
  const experiments = { shares: experiment([1], true, window, seeds), latency: experiment(loads, false, window, seeds) }
  return { experiments, ...(scaled === undefined ? {} : { scaled }) }
}

function rows(runs: PaperRuns, _mode: Mode): Row[] {
  const accepted = (c: number) => meanOf(runs["shares"] ?? [], `SL${c}.accepted`)
  const latency = (load: number, c: number) =>
    meanOf(
      (runs["latency"] ?? []).filter((r) => Number(r.point["traffic.0.load"]) === load),
      `SL${c}.latency.mean`,
    )
  return [
    within({
      claim: "bandwidth, 32 entries of 2 / 16 of 4, all backlogged",
      paper: 1,
      value: accepted(0) / accepted(1),
      low: 0.99,
      high: 1.01,
      note: "within 1 %",
    }),
    ...loads.map((load) =>
      within({
        claim: `latency at ${load} of the link each, 32 entries of 2 / 16 of 4`,
        paper: "lower",
        value: latency(load, 0) / latency(load, 1),
        low: 0,
        high: 1,
        note: "below 1",
      }),
    ),
  ]
}

export default {
  id: "qos/text-4",
  number: "Section 4",
  cites,
  title: "Entries nearer to each other",
  claim: "levels of equal weight get the same bandwidth; the one whose entries are nearer to each other has the lower latency",
  quick: planOf(20_000, 1, "0.1 ms, one seed"),
  full: planOf(200_000, 6),
  rows,
} satisfies PaperFigure
