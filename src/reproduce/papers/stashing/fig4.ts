// Figure 4: port memory as two interleaved banks: flit i of a packet goes to bank (start + i) mod 2. Two writers (or
// two readers) that are active at once start on banks that differ, so each bank serves one write and one read per
// cycle; partitions end at pairs of flits.
import { definition, exactly, type PaperFigure, type Read } from "../paper.ts"
import { benchOf, heldBy, poolsOf, single } from "./one-switch.ts"
import { cites } from "./runs.ts"

const sizes = [1, 2, 23, 24]

/** Flits that a pool counts for a packet of this many flits. */
function counted(flits: number): number {
  const bench = benchOf(12, { rows: 2, columns: 3, stash: { end: 0.875 }, reliability: true }, [single(1, 10, flits)])
  const empty = poolsOf(bench)
  // in its pool by then; the acknowledgement takes longer
  bench.engine.advance(12 + flits)
  return Math.max(0, ...heldBy(bench, empty))
}

/** Most writes of one bank in one cycle, for two writers of 24 flits and all their offsets: the second one to start
 *  takes the bank that is free then. */
function mostWrites(): number {
  const WRITER = 24
  let most = 0
  for (let offset = 0; offset < WRITER; offset++) {
    // the first writer is on bank `offset mod 2` when the second one starts on the other
    for (let i = 0; i + offset < WRITER; i++) most = Math.max(most, (offset + i) % 2 === (offset + 1 + i) % 2 ? 2 : 1)
  }
  return most
}

function rows(read: Read) {
  return [
    ...sizes.map((flits) =>
      exactly(
        `flits of a pool for a packet of ${flits}`,
        2 * Math.ceil(flits / 2),
        read(`packet ${flits}`),
        "in pairs: both banks grow alike",
      ),
    ),
    definition({
      claim: "writes of one bank in one cycle, two writers, worst of all offsets",
      paper: 1,
      value: mostWrites(),
      low: 1,
      high: 1,
      note: "by the rule of the banks alone; reads alike. The model has no banks, because none ever stalls",
    }),
  ]
}

export default {
  id: "stashing/fig4",
  cites,
  title: "Port memory as two interleaved banks",
  claim: "four ports share two banks at a granularity of two flits, without conflicts",
  inspect: () => Object.fromEntries(sizes.map((flits) => [`packet ${flits}`, counted(flits)])),
  rows: (_runs, _mode, read) => rows(read),
} satisfies PaperFigure
