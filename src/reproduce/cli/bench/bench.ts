// lacewing bench [suite]: compares the speed with another simulator. If its program is available, both are measured;
// otherwise its recorded figures are used.
import type { Command } from "commander"
import { Exit, exit, type Io } from "../../../cli/command.ts"
import { describe } from "../../../cli/help.ts"
import { duration, pattern, positive, ratio, workerCount } from "../../../cli/options.ts"
import { benchAgainstCommand } from "./against.ts"
import { parallel } from "./parallel.ts"
import { codes, phold, withPeer } from "./peers.ts"

type Options = {
  against?: string
  pairs: number
  least: number
  json?: boolean
  match?: RegExp
  workers?: number
  time?: number
  credit?: string
  optimism?: string
  tries?: number
  simai?: string
}

export default function (command: Command, io: Io): void {
  describe(command, {
    notes:
      "Without a variable, suites that compare with another simulator use its recorded figures. With a variable, they also run that simulator on the same configurations: BOOKSIM2=/path/to/booksim, CODES=/path/to/codes/build/src, ROSS=/path/to/phold.",
    lists: {
      Suites: [
        ["booksim2", "Speed compared with BookSim2"],
        ["codes", "Speed and memory compared with CODES"],
        ["phold", "PHOLD benchmark compared with ROSS"],
        ["parallel", "Speed-up with several workers"],
        ["growth", "Time per flit-hop as the network grows"],
        ["check", "CPU time and memory of `lacewing check`"],
        ["workloads", "Speed of workloads and trace readers"],
        ["tiled", "Speed of the tiled switch, only with --against"],
      ],
    },
    examples: [
      "lacewing bench booksim2 --match mesh",
      "lacewing bench parallel --workers 4",
      "lacewing bench booksim2 --against HEAD~1 --pairs 20",
    ],
    exits: { 1: "too slow, or the results differ" },
  })
  command
    .argument("[suite]", "Suite, see below", "booksim2")
    .optionsGroup("What to measure")
    .option("--match <pattern>", "Only configurations whose name matches this regular expression", pattern)
    .option(
      "--tries <n>",
      "Runs per configuration, the best counts (default: 3 booksim2, workloads; 1 codes, phold)",
      positive,
    )
    .option("--simai <file>", "workloads: SimAI list of layers, of which one step is run on the ideal network")
    .option("--json", "Print one JSON object")
    .optionsGroup("Compare with another build")
    .option("--against <build>", "Other build of lacewing: a built checkout, its dist folder, or a commit")
    .option("--pairs <n>", "Number of alternating runs of both builds", positive, 20)
    .option("--least <ratio>", "Speed ratio that the confidence interval must exceed", ratio, 0.97)
    .optionsGroup("Suite parallel")
    .option("--workers <n>", "Maximum number of workers (default: all cores)", workerCount)
    .option("--time <us>", "Simulated microseconds (default: chosen for each network)", positive)
    .option("--credit <time>", "Latency of credits in the packet engine", duration, "90ns")
    .option("--optimism <time>", "Maximum time that optimistic workers run ahead", duration, "100ns")
    .action(async (name: string, o: Options) => {
      const { against } = o
      if (against !== undefined) return benchAgainstCommand(name, { ...o, against }, io)
      if (name === "growth") return growth(io, o.json === true)
      if (name === "codes") return codes(io, o)
      if (name === "phold") return phold(io, o)
      if (name === "check") return check(io, o)
      if (name === "parallel") return parallel(io, o)
      if (name === "workloads") return workloads(io, o)
      if (name !== "booksim2") {
        throw new Exit(
          exit.wrongInput,
          `There is no suite "${name}".\n  fix: choose booksim2, growth, codes, phold, parallel, check or workloads`,
        )
      }
      const { benchBookSim2 } = await import("../../peers/bench/booksim2.ts")
      const booksim = process.env["BOOKSIM2"]
      if (o.json !== true)
        io.out(
          booksim !== undefined
            ? `Compared with ${booksim}, run alternately`
            : "Compared with recorded figures of BookSim2 on another machine. Set BOOKSIM2 to its program to measure both here.",
        )
      const rows = await withPeer("BOOKSIM2", "a program that runs this configuration", () =>
        benchBookSim2({
          booksim,
          ...(o.tries !== undefined ? { tries: o.tries } : {}),
          ...(o.match !== undefined ? { match: o.match } : {}),
          onRow(r) {
            if (o.json === true) return
            const m = (x: number) => `${(x / 1e6).toFixed(2)} M`
            io.out(
              `${r.name.padEnd(32)} ${m(r.rate)} flit-hops/s, BookSim2 ${m(r.peerRate)}: ${r.ratio.toFixed(1)}x; BookSim-length run, whole process ${r.shortRatio.toFixed(1)}x; ${r.rss} MiB`,
            )
            if (r.held !== undefined)
              io.out(
                `${"".padEnd(32)} with cut-through and packet hold: ${m(r.held.flits)} flit by flit, ${m(r.held.packets)} packet by packet: ${(r.held.packets / r.held.flits).toFixed(1)}x`,
              )
          },
        }),
      )
      const mean = Math.exp(rows.reduce((s, r) => s + Math.log(r.ratio), 0) / rows.length)
      if (o.json === true)
        io.out(JSON.stringify({ rows, geometricMean: mean, least: Math.min(...rows.map((r) => r.ratio)) }))
      else io.out(`geometric mean ${mean.toFixed(1)}x, minimum ${Math.min(...rows.map((r) => r.ratio)).toFixed(1)}x`)
    })
}

async function growth(io: Io, json: boolean): Promise<void> {
  const { benchGrowth } = await import("../../peers/bench/growth.ts")
  const rows = benchGrowth((r) => {
    if (json) return
    const waited =
      r.waited.length === 0 ? "" : `, waited ${r.waited.map((w) => `${(100 * w).toFixed(0)} %`).join(", ")} of it`
    io.out(
      `torus of ${r.endpoints} endpoints, ${r.workers} workers: ${r.nanoseconds.toFixed(0)} ns of CPU per flit-hop, ${r.wallSeconds.toFixed(2)} s${waited}, ${r.rss} MiB, fingerprint ${r.fingerprint}`,
    )
  })
  const [small, , large, two, four] = rows
  const grows = large!.nanoseconds / small!.nanoseconds
  const speedUp = large!.wallSeconds / two!.wallSeconds
  const same = two!.fingerprint === large!.fingerprint && four!.fingerprint === large!.fingerprint
  if (json) io.out(JSON.stringify({ rows, grows, speedUp, same }))
  else
    io.out(
      `Largest against smallest network: ${grows.toFixed(2)}x; speed-up of two workers: ${speedUp.toFixed(2)}x; fingerprints ${same ? "equal" : "DIFFER"}`,
    )
  if (!same) throw new Exit(exit.failed)
}

async function check(io: Io, o: Options): Promise<void> {
  const { benchCheck, mostSeconds } = await import("../../peers/bench/check.ts")
  const rows = benchCheck(o.match ?? /(?:)/, (r) => {
    if (o.json === true) return
    const vcs = `${r.vcs} VC${r.vcs === 1 ? "" : "s"} sufficient`
    io.out(
      `${r.name.padEnd(28)} ${String(r.endpoints).padStart(5)} endpoints, deadlock-free by ${r.by}, ${vcs}: ${r.cpuSeconds.toFixed(1)} s of CPU, ${r.rss} MiB`,
    )
  })
  const slowest = Math.max(...rows.map((r) => r.cpuSeconds))
  if (o.json === true) io.out(JSON.stringify({ rows, slowest, most: mostSeconds }))
  else io.out(`Slowest: ${slowest.toFixed(1)} s (limit ${mostSeconds} s)`)
  if (slowest > mostSeconds) throw new Exit(exit.failed)
}

async function workloads(io: Io, o: Options): Promise<void> {
  const { benchWorkloads } = await import("../../peers/bench/workloads.ts")
  const rows = benchWorkloads({
    ...(o.match !== undefined ? { match: o.match } : {}),
    ...(o.tries !== undefined ? { tries: o.tries } : {}),
    ...(o.simai !== undefined ? { simai: o.simai } : {}),
    onRow(r) {
      if (o.json !== true) io.out(`${r.name.padEnd(8)} ${r.text}${r.pass === false ? "; MISSES its goal" : ""}`)
    },
  })
  if (o.json === true) io.out(JSON.stringify({ rows }))
  if (rows.some((r) => r.pass === false)) throw new Exit(exit.failed)
}
