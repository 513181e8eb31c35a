// lacewing bench [suite]: speed beside a peer, measured if its program is at hand, else against its recorded figures.
import type { Command } from "commander"
import { Exit, exit, type Io } from "../command.ts"
import { duration, pattern, positive, ratio, workerCount } from "../options.ts"
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
  command
    .argument("[suite]", "booksim2, growth, codes, phold, parallel, check or workloads; tiled only with --against", "booksim2")
    .option("--against <build>", "beside another build of lacewing: a checkout that is built, its folder dist, or a commit")
    .option("--pairs <n>", "--against: runs of both builds in turn", positive, 20)
    .option("--least <ratio>", "--against: the ratio that the interval must lie above", ratio, 0.97)
    .option("--match <pattern>", "only configurations whose name matches", pattern)
    .option(
      "--tries <n>",
      "booksim2 (3 unless given), codes, phold (1): the best of so many runs counts; workloads (3): the median of so many pairs",
      positive,
    )
    .option("--simai <file>", "workloads: a list of layers of SimAI, of which one step is played on the ideal network")
    .option("--workers <n>", "parallel: most workers; the cores at hand unless given", workerCount)
    .option("--time <us>", "parallel: simulated microseconds; as many as suit each network unless given", positive)
    .option("--credit <time>", "parallel: latency of credits in the packet engine", duration, "90ns")
    .option("--optimism <time>", "parallel: how far optimistic workers run ahead", duration, "100ns")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      `
BOOKSIM2=/path/to/booksim, CODES=/path/to/codes/build/src and ROSS=/path/to/phold run those programs in between (suites booksim2, codes, phold), on the
same configurations.`,
    )
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
          `there is no bench "${name}"\n  fix: choose booksim2, growth, codes, phold, parallel, check or workloads`,
        )
      }
      const { benchBookSim2 } = await import("../../peers/bench/booksim2.ts")
      const booksim = process.env["BOOKSIM2"]
      if (o.json !== true)
        io.out(
          booksim !== undefined
            ? `beside ${booksim}, run in between`
            : "beside recorded figures of BookSim2 on another machine: set BOOKSIM2 to its program to measure both here",
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
                `${"".padEnd(32)} with cut-through and packet hold: ${m(r.held.flits)} flit by flit, ${m(r.held.packets)} in one piece: ${(r.held.packets / r.held.flits).toFixed(1)}x`,
              )
          },
        }),
      )
      const mean = Math.exp(rows.reduce((s, r) => s + Math.log(r.ratio), 0) / rows.length)
      if (o.json === true) io.out(JSON.stringify({ rows, geometricMean: mean, least: Math.min(...rows.map((r) => r.ratio)) }))
      else io.out(`geometric mean ${mean.toFixed(1)}x, least ${Math.min(...rows.map((r) => r.ratio)).toFixed(1)}x`)
    })
}

async function growth(io: Io, json: boolean): Promise<void> {
  const { benchGrowth } = await import("../../peers/bench/growth.ts")
  const rows = benchGrowth((r) => {
    if (json) return
    const waited = r.waited.length === 0 ? "" : `, waited ${r.waited.map((w) => `${(100 * w).toFixed(0)} %`).join(", ")} of it`
    io.out(
      `torus of ${r.endpoints} endpoints, ${r.workers} workers: ${r.nanoseconds.toFixed(0)} ns of CPU a flit-hop, ${r.wallSeconds.toFixed(2)} s${waited}, ${r.rss} MiB, fingerprint ${r.fingerprint}`,
    )
  })
  const [small, , large, two, four] = rows
  const grows = large!.nanoseconds / small!.nanoseconds
  const speedUp = large!.wallSeconds / two!.wallSeconds
  const same = two!.fingerprint === large!.fingerprint && four!.fingerprint === large!.fingerprint
  if (json) io.out(JSON.stringify({ rows, grows, speedUp, same }))
  else
    io.out(`from smallest to largest ${grows.toFixed(2)}x; two workers ${speedUp.toFixed(2)}x; fingerprints ${same ? "equal" : "DIFFER"}`)
  if (!same) throw new Exit(exit.failed)
}

async function check(io: Io, o: Options): Promise<void> {
  const { benchCheck, mostSeconds } = await import("../../peers/bench/check.ts")
  const rows = benchCheck(o.match ?? /(?:)/, (r) => {
    if (o.json === true) return
    const vcs = `${r.vcs} VC${r.vcs === 1 ? "" : "s"} enough`
    io.out(
      `${r.name.padEnd(28)} ${String(r.endpoints).padStart(5)} endpoints, free by ${r.by}, ${vcs}: ${r.cpuSeconds.toFixed(1)} s of CPU, ${r.rss} MiB`,
    )
  })
  const slowest = Math.max(...rows.map((r) => r.cpuSeconds))
  if (o.json === true) io.out(JSON.stringify({ rows, slowest, most: mostSeconds }))
  else io.out(`slowest ${slowest.toFixed(1)} s, ${mostSeconds} s are allowed`)
  if (slowest > mostSeconds) throw new Exit(exit.failed)
}

async function workloads(io: Io, o: Options): Promise<void> {
  const { benchWorkloads } = await import("../../peers/bench/workloads.ts")
  const rows = benchWorkloads({
    ...(o.match !== undefined ? { match: o.match } : {}),
    ...(o.tries !== undefined ? { tries: o.tries } : {}),
    ...(o.simai !== undefined ? { simai: o.simai } : {}),
    onRow(r) {
      if (o.json !== true) io.out(`${r.name.padEnd(8)} ${r.text}${r.pass === false ? "; NOT what is asked" : ""}`)
    },
  })
  if (o.json === true) io.out(JSON.stringify({ rows }))
  if (rows.some((r) => r.pass === false)) throw new Exit(exit.failed)
}
