// Figure 4: port memory as two interleaved banks: flit i of a packet goes to bank (start + i) mod 2. Two writers (or two readers) that are active at once
// start on banks that differ, so each bank serves one write and one read per cycle; partitions end at pairs of flits.
import { exactly, type PaperFigure } from "../../lab/paper.ts"
import { benchOf, single } from "./one-switch.ts"
import { cites } from "./runs.ts"

/** Flits that a pool counts for a packet of so many. */
function counted(flits: number): number {
  const bench = benchOf(12, { rows: 2, columns: 3, stash: { end: 0.875 }, reliability: true }, [single(1, 10, flits)])
  // in its pool by then; the acknowledgement takes longer
  bench.engine.advance(12 + flits)
  const pools = bench.column("poolFree")
  return Array.from({ length: 12 }, (_, q) => 1728 - pools[q]!).reduce((a, b) => Math.max(a, b), 0)
}

/** Most writes of one bank in one cycle, for two writers of 24 flits and all their offsets: the second one to start takes the bank that is free then. */
function mostWrites(): number {
  let most = 0
  for (let offset = 0; offset < 24; offset++) {
    const taken = new Map<string, number>()
    const write = (start: number, bank: number) => {
      for (let i = 0; i < 24; i++) {
        const key = `${start + i} ${(bank + i) % 2}`
        taken.set(key, (taken.get(key) ?? 0) + 1)
        most = Math.max(most, taken.get(key)!)
      }
    }
    write(0, 0)
    // the first writer is on bank `offset mod 2` now
    write(offset, (offset + 1) % 2)
  }
  return most
}

function rows() {
  return [
    ...[1, 2, 23, 24].map((flits) =>
      exactly(`flits of a pool for a packet of ${flits}`, 2 * Math.ceil(flits / 2), counted(flits), "in pairs: both banks grow alike"),
    ),
    exactly("writes of one bank in one cycle, two writers, worst of all offsets", 1, mostWrites(), "reads alike: no stalls are modelled"),
  ]
}

export default {
  id: "stashing/fig4",
  cites,
  title: "Port memory as two interleaved banks",
  claim: "four ports share two banks at a granularity of two flits, without conflicts",
  rows,
} satisfies PaperFigure
