// lacewing bench [suite]: speed beside a peer, measured if its program is at hand, else against its recorded figures.
import type { Command } from "commander"
import { Exit, exit, type Io } from "./command.ts"

type Options = { json?: boolean; match?: string }

export default function (command: Command, io: Io): void {
  command
    .argument("[suite]", "booksim2 or growth", "booksim2")
    .option("--match <pattern>", "only configurations whose name matches")
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nBOOKSIM2=/path/to/booksim runs that program in between, on the same configurations.")
    .action(async (name: string, o: Options) => {
      if (name === "growth") return growth(io, o.json === true)
      if (name !== "booksim2") {
        io.err(`there is no bench "${name}"; choose booksim2 or growth`)
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
