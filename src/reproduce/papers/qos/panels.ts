// Figures 5 and 6: latency (panels a, c, e, g) and throughput (b, d, f, h) of each service level against the load;
// InfiniBand and Omni-Path on one network are four panels that share their runs. Bounds are those of the acceptance
// table: 35 % of the paper's latencies after one calibration, ratios ± 0.12, orders as its text says.
import type { Figure } from "../../../draw/figure/figure.ts"
import { type Mode, type PaperFigure, type PaperRuns, type Row, unchecked, within } from "../paper.ts"
import { cites, NS, names, planOf, type Switch, switches } from "./network.ts"
import { type Network, networks } from "./networks.ts"
import { FIRST, LAST, Read } from "./read.ts"

export const quickTotals = [FIRST, 0.7, 0.9, LAST]
export const fullTotals = [FIRST, 0.6, 0.65, 0.7, 0.8, 0.9, 0.95, LAST]
/** nothing is full there */
const below = [FIRST, 0.6, 0.65, 0.7]
const titles: Readonly<Record<Switch, string>> = { infiniband: "InfiniBand", "omni-path": "Omni-Path" }

/** Pairs of which the first must be lower; NC may be 5 % above VO, whose packets are shorter. */
const orders: Readonly<Record<Switch, readonly (readonly [string, string])[]>> = {
  "omni-path": [
    ["NC", "VO"],
    ["VO", "VI"],
    ["VO", "CL"],
    ["VI", "EE"],
    ["CL", "EE"],
    ["EE", "BE"],
    ["BE", "BK"],
  ],
  infiniband: [
    ["NC", "VO"],
    ["EE", "BE"],
    ["BE", "BK"],
  ],
}

const most = (claim: string, paper: string, value: number, high: number, note: string): Row =>
  within({ claim, paper, value, low: Number.NEGATIVE_INFINITY, high, note })
const least = (claim: string, paper: string, value: number, low: number, note: string): Row =>
  within({ claim, paper, value, low, high: Number.POSITIVE_INFINITY, note })

interface Given {
  readonly net: Network
  readonly read: Read
  readonly mode: Mode
}

/** Levels of point-to-point connections. */
const connected = ["VO", "VI", "CL"]

/** Returns the largest ratio of the latencies at the last and at the first load. */
function largestTimes(read: Read, sw: Switch, of: readonly string[]): number {
  return Math.max(...of.map((name) => read.times(sw, name)))
}

/** The growth of NC in nanoseconds, which the text prints for each network and switch. */
function grownBy(sw: Switch, { net, read, mode }: Given): Row {
  const paper = net.growth[switches.indexOf(sw)]
  const claim = "growth of NC from the first to the last load (ns)"
  return mode === "quick" && net.quick.small
    ? unchecked(claim, paper, "another network: latencies follow from its size")
    : within({
        claim,
        paper,
        value: read.growth(sw, "NC"),
        low: paper / 2,
        high: paper * 2,
        note: "within a factor of two",
      })
}

/** Rows about the latencies of one switch alone. */
function ofOne(sw: Switch, { net, read, mode }: Given): Row[] {
  const nc = net.nc[switches.indexOf(sw)]
  const claim = `NC at 0.7, ${titles[sw]} (ns)`
  const worst = orders[sw].map(
    ([a, b]) => read.latency(sw, 0.9, a) / read.latency(sw, 0.9, b) / (b === "VO" ? 1.05 : 1),
  )
  const pairs = orders[sw].map(([a, b]) => `${a} < ${b}`).join(", ")
  return [
    mode === "quick" && net.quick.small
      ? unchecked(claim, nc, "another network: latencies follow from its size")
      : within({
          claim,
          paper: nc,
          value: read.latency(sw, 0.7, "NC"),
          low: nc * 0.65,
          high: nc * 1.35,
          note: "within 35 %, link latency calibrated once",
        }),
    grownBy(sw, { net, read, mode }),
    ...(sw === "infiniband"
      ? [
          least(
            "connections against low priority: largest last / first of VO, VI, CL over that of EE, BE",
            "connections are more penalized",
            largestTimes(read, sw, connected) / largestTimes(read, sw, ["EE", "BE"]),
            1,
            "above 1",
          ),
        ]
      : []),
    most("order of the levels at 0.9: worst of the pairs", pairs, Math.max(...worst), 1, "below 1; NC < 1.05 VO"),
    ...(net.bk ? [least("BK, last load / first", "large increase", read.times(sw, "BK"), 5, "at least 5")] : []),
    ...(net.drastic && sw === "infiniband"
      ? ["VO", "VI"].map((n) =>
          least(`${n}, last load / first`, "increases drastically", read.times(sw, n), 2, "at least 2"),
        )
      : []),
  ]
}

/** Rows about both switches; they stand with Omni-Path. */
function ofBoth({ net, read, mode }: Given): Row[] {
  const grown = (level: string) => read.growth("infiniband", level) / read.growth("omni-path", level)
  const paper = net.growth[0] / net.growth[1]
  const ratio = net.nc[1] / net.nc[0]
  const lower = [0.7, 0.9].flatMap((t) =>
    names.map((n) => read.latency("omni-path", t, n) / read.latency("infiniband", t, n)),
  )
  const claim = "NC at 0.7, Omni-Path / InfiniBand"
  return [
    mode === "quick" && net.quick.small
      ? unchecked(claim, ratio, "another network: latencies follow from its size")
      : within({
          claim,
          paper: ratio,
          value: read.latency("omni-path", 0.7, "NC") / read.latency("infiniband", 0.7, "NC"),
          low: ratio - 0.12,
          high: Math.min(ratio + 0.12, 1),
          note: "± 0.12, below 1",
        }),
    most(
      "connections, Omni-Path / InfiniBand: largest last / first of VO, VI, CL",
      "less penalized on Omni-Path",
      largestTimes(read, "omni-path", connected) / largestTimes(read, "infiniband", connected),
      1,
      "below 1",
    ),
    most("growth of NC, Omni-Path / InfiniBand", "lower on Omni-Path", 1 / grown("NC"), 1, "below 1"),
    within({
      claim: "growth of NC, InfiniBand / Omni-Path",
      paper,
      value: grown("NC"),
      low: paper / 2,
      high: 2 * paper,
      note: "within a factor of two",
    }),
    ...["EE", "BE"].map((level) =>
      least(`growth of ${level}, InfiniBand / Omni-Path`, "more quickly on InfiniBand", grown(level), 1, "above 1"),
    ),
    most(
      "Omni-Path / InfiniBand, worst of all levels at 0.7 and 0.9",
      "lower on Omni-Path",
      Math.max(...lower),
      1,
      "below 1",
    ),
  ]
}

function throughput(sw: Switch, { net, read, mode }: Given): Row[] {
  const kept = ["NC", "VO", "VI", "CL"].map((name) => {
    const claim = `${name}, accepted of offered at 0.9935`
    const value = read.share(sw, LAST, name)
    if (!net.losing[sw].includes(name)) return least(claim, "all of it", value, 0.97, "at least 0.97")
    return within({ claim, paper: "a bit lower", value, low: 0.9, high: 0.99, note: "loses 1 to 10 %" })
  })
  const others = Math.min(...names.filter((n) => n !== "BK").map((n) => read.share(sw, LAST, n)))
  const claim = "VO, VI and CL, accepted of offered up to 0.7: farthest from 1"
  const off = below.flatMap((t) => ["VO", "VI", "CL"].map((n) => Math.abs(read.share(sw, t, n) - 1)))
  return [
    mode === "quick"
      ? unchecked(claim, "equals injection", "a short window counts packets that were made before it")
      : most(
          claim,
          "equals injection",
          Math.max(...off),
          0.01,
          "within 1 %; the other levels are drawn at random, by more than that",
        ),
    ...kept,
    ...(net.losing[sw].length > 0
      ? []
      : [
          most(
            "BK loses most at 0.9935: its part / least part of the others",
            "BK is reduced",
            read.share(sw, LAST, "BK") / others,
            1,
            "below 1",
          ),
        ]),
  ]
}

/** All rows of the four panels of a network, under names that distinguish the switches. */
export function rowsOf(net: Network, runs: PaperRuns, mode: Mode): Row[] {
  const given = { net, read: new Read(runs), mode }
  const named = (sw: Switch, all: readonly Row[]) =>
    all.map((row) => ({ ...row, claim: `${row.claim}, ${titles[sw]}` }))
  return [...switches.flatMap((sw) => named(sw, [...ofOne(sw, given), ...throughput(sw, given)])), ...ofBoth(given)]
}

const x = { label: "Total load (fraction of an endpoint channel)" }
const totalsOf = (mode: Mode) => (mode === "quick" ? quickTotals : fullTotals)

function latencyFigure(sw: Switch, read: Read, mode: Mode): Figure {
  return {
    kind: "lines",
    id: `latency-${sw}`,
    title: `Latency of each level, ${titles[sw]}`,
    caption: "Mean from creation to the arrival of the tail; mean of the seeds and its 95 % interval.",
    x,
    y: { label: "Latency (ns)" },
    lines: names.map((name) => ({
      name,
      spots: totalsOf(mode).map((t) => read.spot(sw, t, `${name}.latency.mean`, NS)),
    })),
    markers: true,
  }
}

function throughputFigures(sw: Switch, read: Read, mode: Mode): Figure[] {
  const totals = totalsOf(mode)
  return [
    {
      kind: "areas",
      id: `throughput-${sw}`,
      title: `Throughput of each level, ${titles[sw]}`,
      caption: "Accepted flits per cycle and endpoint, one level on the other; mean of the seeds.",
      x,
      y: { label: "Accepted load" },
      at: totals,
      layers: names.map((name) => ({ name, values: totals.map((t) => read.accepted(sw, t, name)) })),
    },
    {
      kind: "lines",
      id: `accepted-${sw}`,
      title: `Accepted load of each level, ${titles[sw]}`,
      caption: "Mean of the seeds and its 95 % interval.",
      x,
      y: { label: "Accepted load" },
      lines: names.map((name) => ({ name, spots: totals.map((t) => read.spot(sw, t, `${name}.accepted`, 1)) })),
      markers: true,
    },
  ]
}

function panel(net: Network, letter: string, sw: Switch, what: "latency" | "throughput"): PaperFigure {
  // what compares both switches needs the runs of both
  const which: readonly Switch[] = what === "latency" && sw === "omni-path" ? switches : [sw]
  const given = (runs: PaperRuns, mode: Mode): Given => ({ net, read: new Read(runs), mode })
  const rows = (g: Given): Row[] => {
    if (what === "throughput") return throughput(sw, g)
    return sw === "infiniband" ? ofOne(sw, g) : [...ofOne(sw, g), ...ofBoth(g)]
  }
  return {
    id: `qos/fig${net.figure}${letter}`,
    shares: `qos/${net.name.replace(/^an? /, "").replaceAll(" ", "-")}`,
    cites,
    title: `${what === "latency" ? "Latency" : "Throughput"} of seven service levels on ${net.name}, ${titles[sw]}`,
    claim:
      what === "latency"
        ? "network control and voice keep a low latency when best effort overloads the network; Omni-Path is faster"
        : "every level gets what it injects until the network is full; then background traffic is cut first",
    quick: planOf(which, net.quick, quickTotals, net.quick.scaled),
    full: planOf(which, net.full, fullTotals),
    rows: (runs, mode) => rows(given(runs, mode)),
    figures: (runs, mode) => {
      const { read } = given(runs, mode)
      return what === "latency" ? [latencyFigure(sw, read, mode)] : throughputFigures(sw, read, mode)
    },
  }
}

export const panels: readonly PaperFigure[] = networks.flatMap((net) => {
  const letter = (n: number) => String.fromCharCode(net.first.charCodeAt(0) + n)
  return [
    panel(net, letter(0), "infiniband", "latency"),
    panel(net, letter(1), "infiniband", "throughput"),
    panel(net, letter(2), "omni-path", "latency"),
    panel(net, letter(3), "omni-path", "throughput"),
  ]
})
