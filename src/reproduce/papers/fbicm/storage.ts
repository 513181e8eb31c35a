// Figures 5.4a and 5.4b: storage traffic, at two compressions of time. The traces of the paper (cello, 1999) are not
// available, so a generator replaces them: 23 hosts, bursts, and 80 % of the requests for a fifth of the disks. If the
// environment variable LACEWING_BLOCK_TRACE names a block trace (such as a week of a workstation of 1992), every host
// replays that, too.
//
// The load is an assumption for both figures together, because the paper names none. The schemes can only differ if the
// network congests. At compression 40, requests for the preferred disks are as much as the links of these disks carry
// in one direction; at compression 20 they are half of it, and only bursts congest.
import {
  type Mode,
  ours,
  type PaperFigure,
  type PaperPlan,
  type PaperRuns,
  type Row,
  sensitivity,
  unchecked,
  within,
} from "../paper.ts"
import { lineOver, meanOf } from "../stashing/runs.ts"
import { cites, measured, type SchemeName, stream, treeNetwork, variantsOf } from "./network.ts"

const names: readonly SchemeName[] = ["DBBM", "VOQsw", "VOQnet", "FBICM"]
const HOSTS = 23
const DISKS = 64 - HOSTS
const trace = process.env["LACEWING_BLOCK_TRACE"]

const ends = Array.from({ length: 64 }, (_, e) => e)
const hosts = Array.from({ length: HOSTS }, (_, i) => Math.floor((i * 64) / HOSTS))
/** one of each leaf switch before the next of any: the first ones are preferred */
const disks = ends.filter((e) => !hosts.includes(e)).sort((a, b) => (a % 4) - (b % 4) || a - b)

/** Requests, as the generator has them by default: half read, 80 % go to a fifth of the disks. */
const [READS, SKEW, HOT] = [0.5, 0.8, 0.2]
const preferred = Math.round(HOT * DISKS)
/** Load of a host at compression 1: 40 times of it fill the links of the preferred disks. */
const AT_ONE = preferred / (40 * HOSTS * READS * SKEW)

/** microseconds */
const times = { full: [500, 2500], quick: [50, 150] } as const

type Pattern = Readonly<Record<string, unknown>> & { name: string }

function experiment(factor: number, mode: Mode, pattern: Pattern) {
  return {
    lacewing: 1,
    title: `storage traffic, compressed ${factor} times`,
    network: treeNetwork(3),
    traffic: stream("storage", AT_ONE * factor, { pattern: { hosts, disks, ...pattern } }),
    measure: measured(times[mode][0], times[mode][1]),
    probes: ["series"],
    variants: variantsOf(["1Q", ...names]),
    seeds: mode === "full" ? 3 : 1,
  }
}

/** The same without injection queues: stopped packets wait in the admittance queues of the adapters. */
function without(e: ReturnType<typeof experiment>) {
  const endpoint = { ...e.network.endpoint, injection: "none" }
  return { ...e, network: { ...e.network, endpoint }, variants: variantsOf(names) }
}

function planOf(factor: number, mode: Mode): PaperPlan {
  const generator = experiment(factor, mode, { name: "storage", reads: READS, skew: SKEW, hot: HOT })
  return {
    experiments: {
      generator,
      "no injection queues": without(generator),
      // a short window sees next to nothing of a week
      ...(trace === undefined || mode === "quick"
        ? {}
        : { trace: experiment(factor, mode, { name: "block-trace", file: trace }) }),
    },
    ...(mode === "quick" ? { scaled: "50 + 150 us instead of 500 + 2500, one seed instead of three" } : {}),
  }
}

const claims = [
  ["FBICM over VOQnet", "VOQnet", "similar"],
  ["FBICM over DBBM", "DBBM", "slightly better"],
  ["FBICM over VOQsw", "VOQsw", "slightly better"],
] as const

const meansOf = (runs: PaperRuns, what: string) => (name: string) =>
  meanOf(
    (runs[what] ?? []).filter((r) => r.point["variant"] === name),
    "accepted",
  )

/** "Similar" is within 2 %; "slightly better" is more than equal. */
function compared(runs: PaperRuns, what: string): Row[] {
  const of = meansOf(runs, what)
  const note = names.map((n) => `${n} ${of(n).toFixed(4)}`).join(", ")
  return claims.map(([claim, other, paper]) =>
    within({
      claim: `${what}: ${claim}`,
      paper,
      value: of("FBICM") / of(other),
      low: other === "VOQnet" ? 0.98 : 1 + Number.EPSILON,
      high: other === "VOQnet" ? 1.02 : Number.POSITIVE_INFINITY,
      note: other === "VOQnet" ? `tolerance 2 %; ${note}` : note,
    }),
  )
}

/** Without congestion, all schemes carry the same and the rows say nothing. */
function congests(runs: PaperRuns, what: string): Row {
  const of = meansOf(runs, what)
  const note = `1Q ${of("1Q").toFixed(4)}; schemes must differ by more than the tolerance`
  const claim = `${what}: the load congests (VOQnet over 1Q)`
  return ours(
    within({ claim, paper: "", value: of("VOQnet") / of("1Q"), low: 1.02, high: Number.POSITIVE_INFINITY, note }),
  )
}

function traceRows(runs: PaperRuns, mode: Mode): Row[] {
  if (mode === "full" && trace !== undefined) return compared(runs, "trace")
  const why =
    mode === "quick"
      ? "too short for a trace"
      : "skipped: no block trace; name one (SRT, CSV, MSR, SPC, blkparse or five numbers a line) in LACEWING_BLOCK_TRACE"
  return claims.map(([claim, , paper]) => unchecked(`trace: ${claim}`, paper, why))
}

export function storageFigure(id: string, number: string, factor: number): PaperFigure {
  return {
    id,
    number,
    cites,
    title: `Throughput over time, storage traffic, compression ${factor}`,
    claim: "FBICM carries as much as VOQnet, and slightly more than DBBM and VOQsw",
    quick: planOf(factor, "quick"),
    full: planOf(factor, "full"),
    rows: (runs, mode) => [
      ...compared(runs, "generator"),
      congests(runs, "generator"),
      ...compared(runs, "no injection queues").map(sensitivity),
      ...traceRows(runs, mode),
    ],
    figures: (runs) =>
      Object.keys(runs).map((what) => ({
        kind: "lines",
        id: what,
        title: `Normalized throughput over time, ${what}`,
        caption: "Bytes that arrived in each 10 us, mean of the seeds, over what all endpoint links carry.",
        x: { label: "Time (us)" },
        y: { label: "Normalized throughput" },
        lines: names.map((name) =>
          lineOver(
            name,
            (runs[what] ?? []).filter((r) => r.point["variant"] === name),
            "series",
            "accepted",
          ),
        ),
        markers: false,
      })),
  }
}
