// Figures 5.4a and 5.4b: storage traffic, at two compressions of time. The traces of the paper (cello, 1999) are not
// available, so a generator replaces them. If the environment variable LACEWING_BLOCK_TRACE names a block trace (such
// as a week of a workstation of 1992), every host replays that, too. There are 23 hosts. The load at a factor of 1 is
// an assumption: 0.01 of a host's link.
import { type Mode, type PaperFigure, type PaperPlan, type PaperRuns, type Row, unchecked, within } from "../paper.ts"
import { lineOver, meanOf } from "../stashing/runs.ts"
import { cites, measured, type SchemeName, stream, treeNetwork, variantsOf } from "./network.ts"

const names: readonly SchemeName[] = ["DBBM", "VOQsw", "VOQnet", "FBICM"]
const HOSTS = 23
const AT_ONE = 0.01
const trace = process.env["LACEWING_BLOCK_TRACE"]

const ends = Array.from({ length: 64 }, (_, e) => e)
const hosts = Array.from({ length: HOSTS }, (_, i) => Math.floor((i * 64) / HOSTS))
/** one of each leaf switch before the next of any: the first ones are preferred */
const disks = ends.filter((e) => !hosts.includes(e)).sort((a, b) => (a % 4) - (b % 4) || a - b)

/** microseconds */
const times = { full: [500, 2500], quick: [50, 150] } as const

function experiment(factor: number, mode: Mode, pattern: Readonly<Record<string, unknown>> & { name: string }) {
  return {
    lacewing: 1,
    title: `storage traffic, compressed ${factor} times`,
    network: treeNetwork(3),
    traffic: stream("storage", AT_ONE * factor, { pattern: { hosts, disks, ...pattern } }),
    measure: measured(times[mode][0], times[mode][1]),
    probes: ["series"],
    variants: variantsOf(names),
    seeds: mode === "full" ? 3 : 1,
  }
}

function planOf(factor: number, mode: Mode): PaperPlan {
  return {
    experiments: {
      generator: experiment(factor, mode, { name: "storage" }),
      // a short window sees next to nothing of a week
      ...(trace === undefined || mode === "quick"
        ? {}
        : { trace: experiment(factor, mode, { name: "block-trace", file: trace }) }),
    },
    ...(mode === "quick" ? { scaled: "50 + 150 us instead of 500 + 2500, one seed instead of three" } : {}),
  }
}

function rowsOf(runs: PaperRuns, what: "generator" | "trace", mode: Mode): Row[] {
  const claims = [
    ["FBICM over VOQnet", "VOQnet", "similar"],
    ["FBICM over DBBM", "DBBM", "slightly better"],
    ["FBICM over VOQsw", "VOQsw", "slightly better"],
  ] as const
  if (what === "trace" && mode === "quick")
    return claims.map(([claim, , paper]) => unchecked(`${what}: ${claim}`, paper, "too short for a trace"))
  if (what === "trace" && trace === undefined)
    return claims.map(([claim, , paper]) =>
      unchecked(
        `${what}: ${claim}`,
        paper,
        "skipped: no block trace; name one (SRT, CSV or five numbers a line) in LACEWING_BLOCK_TRACE",
      ),
    )
  const of = (name: string) =>
    meanOf(
      (runs[what] ?? []).filter((r) => r.point["variant"] === name),
      "accepted",
    )
  const note = `tolerance 2 %; ${names.map((n) => `${n} ${of(n).toFixed(4)}`).join(", ")}`
  return claims.map(([claim, other, paper]) =>
    within({
      claim: `${what}: ${claim}`,
      paper,
      value: of("FBICM") / of(other),
      low: 0.98,
      high: other === "VOQnet" ? 1.02 : Number.POSITIVE_INFINITY,
      note,
    }),
  )
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
    rows: (runs, mode) => [...rowsOf(runs, "generator", mode), ...rowsOf(runs, "trace", mode)],
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
