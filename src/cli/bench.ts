// lacewing bench [suite]: speed beside a peer, measured if its program is at hand, else against its recorded figures.
import type { Command } from "commander"
import { Exit, exit, type Io } from "./command.ts"

type Options = { json?: boolean; match?: string }

export default function (command: Command, io: Io): void {
  command
    .argument("[suite]", "booksim2, growth, codes or phold", "booksim2")
    .option("--match <pattern>", "only configurations whose name matches")
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nBOOKSIM2=/path/to/booksim runs that program in between, on the same configurations.")
    .action(async (name: string, o: Options) => {
      if (name === "growth") return growth(io, o.json === true)
      if (name === "codes") return codes(io, o)
      if (name === "phold") return phold(io, o)
      if (name !== "booksim2") {
        io.err(`there is no bench "${name}"; choose booksim2, growth, codes or phold`)
        throw new Exit(exit.wrongInput)
      }
      const { benchBookSim2 } = await import("../lab/bench-booksim2.ts")
      const booksim = process.env["BOOKSIM2"]
      if (o.json !== true)
        io.out(
          booksim !== undefined
            ? `beside ${booksim}, run in between`
            : "beside recorded figures of BookSim2 on another machine: set BOOKSIM2 to its program to measure both here",
        )
      const rows = benchBookSim2({
        booksim,
        ...(o.match !== undefined ? { match: new RegExp(o.match) } : {}),
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
      })
      const mean = Math.exp(rows.reduce((s, r) => s + Math.log(r.ratio), 0) / rows.length)
      if (o.json === true) io.out(JSON.stringify({ rows, geometricMean: mean, least: Math.min(...rows.map((r) => r.ratio)) }))
      else io.out(`geometric mean ${mean.toFixed(1)}x, least ${Math.min(...rows.map((r) => r.ratio)).toFixed(1)}x`)
    })
}

async function growth(io: Io, json: boolean): Promise<void> {
  const { benchGrowth } = await import("../lab/bench-growth.ts")
  const rows = benchGrowth((r) => {
    if (!json)
      io.out(
        `torus of ${r.endpoints} endpoints, ${r.workers} workers: ${r.nanoseconds.toFixed(0)} ns of CPU a flit-hop, ${r.wallSeconds.toFixed(2)} s, ${r.rss} MiB, fingerprint ${r.fingerprint}`,
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

async function codes(io: Io, o: Options): Promise<void> {
  const { benchCodes, median } = await import("../lab/bench-codes.ts")
  if (o.json !== true) io.out("beside recorded figures of CODES on another machine, in chunk-hops per CPU second")
  const rows = await benchCodes({
    ...(o.match !== undefined ? { match: new RegExp(o.match) } : {}),
    onRow(r) {
      if (o.json !== true)
        io.out(
          `${r.name.padEnd(32)} ${(r.rate / 1e3).toFixed(0)} k/s, CODES ${(r.peerRate / 1e3).toFixed(0)} k/s: ${r.ratio.toFixed(1)}x; ${r.memory} MiB, CODES ${r.peerMemory} MiB`,
        )
    },
  })
  const ratios = rows.map((r) => r.ratio)
  if (o.json === true) io.out(JSON.stringify({ rows, median: median(ratios), least: Math.min(...ratios) }))
  else io.out(`median ${median(ratios).toFixed(1)}x, least ${Math.min(...ratios).toFixed(1)}x`)
}

async function phold(io: Io, o: Options): Promise<void> {
  const { benchPhold } = await import("../lab/bench-phold.ts")
  const rows = benchPhold({
    ...(o.match !== undefined ? { match: new RegExp(o.match) } : {}),
    onRow(r) {
      if (o.json !== true)
        io.out(
          `${r.name.padEnd(48)} ${(r.rate / 1e6).toFixed(2)} M events/s, ROSS ${(r.peerRate / 1e6).toFixed(2)} M: ${r.ratio.toFixed(1)}x`,
        )
    },
  })
  const least = Math.min(...rows.map((r) => r.ratio))
  if (o.json === true) io.out(JSON.stringify({ rows, least }))
  else io.out(`least ${least.toFixed(1)}x`)
}
