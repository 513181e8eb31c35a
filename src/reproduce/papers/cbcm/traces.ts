// Applications with other traffic on the line of 256 endpoints: the common part of Fig. 10 and the text of section V-C.
// The paper replays traces. Here are skeletons of the same applications (docs/guide/workloads.md), with messages
// shortened by one factor and without computing time. The other traffic has separate ranks, dealt round-robin to the
// routers, and runs for a while before the application begins (the paper: 500,000 cycles). The application's ranks fill
// the other endpoints in order.
import type { Named } from "../../../model/experiment.ts"
import type { RunRecord } from "../../../results/record.ts"
import type { Mode, PaperRuns } from "../paper.ts"
import { network, routings } from "./network.ts"

export const apps = ["hilo", "cns", "nekbone", "multigrid", "fill-boundary", "bigfft"] as const
export type App = (typeof apps)[number]
export const appNames: Readonly<Record<App, string>> = {
  hilo: "HILO",
  cns: "CNS",
  nekbone: "NB",
  multigrid: "MG",
  "fill-boundary": "FB",
  bigfft: "BigFFT",
}
export const SCALE = 1 / 64
/** Name of the variant without congestion management of its own, to which the others are compared. */
export const IDEAL = "Ideal(UGAL)"

/** Ranks in each direction, turns. */
const sizes: Readonly<Record<Mode, (app: App) => object>> = {
  full: (app) => (app === "hilo" || app === "bigfft" ? { grid: "8x16" } : { grid: "8x4x4" }),
  quick: (app) => (app === "hilo" || app === "bigfft" ? { grid: "4x7" } : { grid: "4x7x1" }),
}
const turns: Readonly<Record<App, number>> = {
  hilo: 10,
  cns: 10,
  nekbone: 20,
  multigrid: 2,
  "fill-boundary": 1,
  bigfft: 1,
}

/** Variants of protocols, alone or with background traffic that starts early enough to fill the network. */
export function experiment(
  mode: Mode,
  app: App,
  protocols: Readonly<Record<string, Named>>,
  background?: Named,
): object {
  const net = mode === "full" ? "line" : "smallLine"
  const points = app === "bigfft" && mode === "quick" ? { points: 192 } : {}
  const start = background === undefined ? "0us" : mode === "full" ? "200us" : "60us"
  return {
    lacewing: 1,
    title: `${appNames[app]}, bytes scaled by ${SCALE}`,
    network: network({ name: "none" }, routings.UGAL, net),
    jobs: [
      ...(background === undefined ? [] : [{ name: "beside", workload: background, placement: "routers" }]),
      {
        name: "app",
        workload: { name: app, ...sizes[mode](app), iterations: turns[app], ...points, byteScale: SCALE },
        start,
        packet: "32flits",
        mpi: { eager: "16KiB", collectives: "sst", sends: "left", compute: 0 },
      },
    ],
    measure: { until: "jobs", limit: mode === "full" ? "4ms" : "2ms" },
    variants: Object.fromEntries(
      Object.entries(protocols).map(([name, c]) => [name, { network: network(c, routings.UGAL, net) }]),
    ),
    seeds: mode === "full" ? 3 : 1,
  }
}

function runsOf(runs: PaperRuns, name: string, variant: string): RunRecord[] {
  return (runs[name] ?? []).filter((r) => r.point["variant"] === variant)
}

/**
 * Mean over the seeds of the mean latency of the application's packets with the other traffic, divided by that alone.
 */
export function slower(runs: PaperRuns, app: App, variant: string): number {
  // alone the application's is the only stream
  return (
    meanOf(runsOf(runs, `${app}-beside`, variant), "jobs.latency.mean") /
    meanOf(runsOf(runs, `${app}-alone`, variant), "latency.mean")
  )
}

/** The same, divided by that of the ideal with the same other traffic: what a protocol itself costs. The hot spot
 *  alone also delays the application's packets where they share a router with its senders. */
export function overIdeal(runs: PaperRuns, app: App, variant: string): number {
  const of = (name: string) => meanOf(runsOf(runs, `${app}-beside`, name), "jobs.latency.mean")
  return of(variant) / of(IDEAL)
}

function meanOf(records: readonly RunRecord[], value: string): number {
  return records.reduce((sum, r) => sum + (r.result.values[value] ?? Number.NaN), 0) / records.length
}

/** Mean bytes of the application's messages, from their classes of sizes. */
export function meanBytes(runs: PaperRuns, app: App, variant: string): number {
  const table = runsOf(runs, `${app}-alone`, variant)[0]?.result.tables["jobs-sizes"]
  const [bytes, messages] = [(table?.["bytes"] ?? []).map(Number), (table?.["messages"] ?? []).map(Number)]
  const count = messages.reduce((a, b) => a + b, 0)
  return bytes.reduce((sum, b, i) => sum + b * messages[i], 0) / count
}

/** Runs in which every rank ended, of all. */
export function endedOf(runs: PaperRuns): number {
  const all = Object.values(runs).flat()
  return all.filter((r) => r.result.values["jobs.ended"] === 1).length / all.length
}
