// Reads Chakra execution traces (S. Sridharan, T. Heo, L. Feng et al., "Chakra: Advancing Performance Benchmarking and
// Co-design using Standardized Execution Traces", 2023). There is a file NAME.RANK.et for each rank, whose nodes form a
// dependency graph.
import { complain } from "../../../core/complaint.ts"
import { inMemory, type RankSource } from "../../program.ts"
import { RankWriter } from "../../writer.ts"
import { Complaints } from "../bytes/bad.ts"
import { few, mostRanks, type ReadOptions, type Trace, type TraceFormat, type TraceReader } from "../trace.ts"
import { ChakraRank } from "./rank.ts"

const empty = inMemory(new Int32Array(0), 0, new Int32Array(0))

export const chakra: TraceFormat = {
  name: "chakra",
  about: "Chakra execution traces: NAME.RANK.et, protocol buffers",
  accepts: (name) => name.endsWith(".et"),
  read: (trace, options) => new ChakraReader(trace, options),
}

class ChakraReader implements TraceReader {
  readonly #trace: string
  readonly #options: ReadOptions
  readonly #files: ChakraRank[] = []
  constructor(trace: string, options: ReadOptions) {
    this.#trace = trace
    this.#options = options
  }
  file(name: string): ChakraRank {
    const rank = new ChakraRank(name)
    this.#files.push(rank)
    return rank
  }

  finish(): Trace {
    const bad = new Complaints()
    const notes = []
    const byRank = new Map<number, ChakraRank>()
    this.#files.forEach((f, i) => {
      const rank = f.rank ?? i
      const other = byRank.get(rank)
      if (rank >= mostRanks) bad.add(f.name, `rank ${rank}, expected ranks below ${mostRanks}`, "rename the file")
      else if (other !== undefined)
        bad.add(f.name, `a second file of rank ${rank}, in addition to ${other.name}`, "leave one of them out")
      else byRank.set(rank, f)
    })
    const peers = this.#files.flatMap((f) =>
      f.nodes.flatMap((n) => [n.attributes.get("comm_dst"), n.attributes.get("comm_src")]),
    )
    const named = peers.reduce<number>(
      (most, p) => (typeof p === "number" && p < mostRanks ? Math.max(most, p + 1) : most),
      0,
    )
    const ranks = Math.max(this.#options.ranks ?? 0, named, ...[...byRank.keys()].map((r) => r + 1), 1)
    const sources = new Map<number, RankSource>()
    for (const [rank, f] of byRank) {
      const to = new RankWriter()
      f.write(ranks, to, bad)
      sources.set(rank, to.source())
    }
    const missing = Array.from({ length: ranks }, (_, r) => r).filter((r) => byRank.get(r)?.done !== true)
    if (missing.length > 0)
      notes.push(
        complain(
          this.#trace,
          `${missing.length} of ${ranks} ranks are missing: ${few(missing)}; expected a file for each`,
          "add the files; a trace with missing ranks can be looked at, not run",
        ),
      )
    const single = this.#files.length === 1
    if (single && ranks === 1 && this.#files[0].nodes.some((n) => n.type === 7))
      notes.push(
        complain(
          this.#trace,
          "one file alone does not say how many ranks take part in its collectives",
          "add the files of the other ranks",
        ),
      )
    const files = [...byRank].sort(([a], [b]) => a - b).map(([, f]) => f.summary())
    return {
      format: "chakra",
      ranks,
      missing,
      summary: single ? (files[0] ?? {}) : { files },
      program: { ranks, calls: [], rank: (r) => sources.get(r) ?? empty },
      notes,
      bad: bad.told(this.#trace),
    }
  }
}
