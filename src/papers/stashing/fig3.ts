// Figure 3: what stashing adds: a storage and a retrieval VC inside the switch, a multiplexer of its own into each pool, pools made of what input and
// output buffer leave.
import { exactly, type PaperFigure, within } from "../../lab/paper.ts"
import { stream } from "./network.ts"
import { benchOf, busy, single } from "./one-switch.ts"
import { cites } from "./runs.ts"

const stash = { stash: { end: 0.875 } }
/** a packet injected at cycle 0 is in its pool by then, and its acknowledgement not yet back */
const BEFORE_ACK = 36
const grid = { rows: 2, columns: 3, speed: 1 }

/** Six sources for one sink, and windows that notice late: the stash takes what is blocked. */
function absorbing() {
  const pairs = [0, 1, 2, 3, 4, 5].map((from) => [from, 11])
  const hot = stream("hot", 1, { pattern: { name: "fixed", pairs }, arrivals: { name: "backlogged" }, from: [0, 1, 2, 3, 4, 5] })
  const bench = benchOf(12, { ...grid, ...stash, absorb: true }, [hot], "ecn-window")
  bench.engine.advance(10_000)
  return bench.engine.sw.values(10_000)
}

function rows() {
  const plain = busy(benchOf(12, grid, [single(1, 10)]), ["busBusy"], 100)
  const bench = benchOf(12, { ...grid, ...stash, reliability: true }, [single(1, 10)])
  const copied = busy(bench, ["busBusy"], BEFORE_ACK)
  const pools = bench.column("poolFree")
  const held = Array.from({ length: 12 }, (_, q) => 1728 - pools[q]!).filter((flits) => flits > 0)
  bench.engine.advance(200)
  const values = absorbing()
  const buses = (seen: typeof plain) => seen["busBusy"]?.cycles ?? 0
  return [
    exactly("VCs inside the switch beside those of its links", 2, bench.innerVcs, "storage S and retrieval R"),
    exactly("cycles of row bus for a packet and its copy", 24, buses(copied), "heard by normal and storage VC at once"),
    exactly("the same without a copy", 24, buses(plain)),
    exactly("pools that hold a copy of one packet", 1, held.length, "a multiplexer of its own, no output link"),
    exactly("flits of that copy", 24, held[0] ?? 0),
    exactly("flits of an end port's pool", 1750, 2 * 1000 * 0.875, "7/8 of input and output buffer; 72 whole packets: 1,728"),
    exactly("copies left after the acknowledgement", 0, copiesIn(bench)),
    within({
      claim: "packets of a congested input that were stashed",
      paper: "S",
      value: values["stash.absorbed"]!,
      low: 1,
      high: Number.POSITIVE_INFINITY,
    }),
    within({
      claim: "use of the pools' way back over the row bus",
      paper: "R",
      value: values["stash.retrieval.use"]!,
      low: 1e-6,
      high: 1,
      note: "flits for each pool and core step",
    }),
  ]
}

function copiesIn(bench: ReturnType<typeof benchOf>): number {
  const v = bench.engine.sw.values(bench.engine.now)
  return v["stash.copied"]! - v["stash.deleted"]!
}

export default {
  id: "stashing/fig3",
  cites,
  title: "Way of a packet through a stashing switch",
  claim: "two VCs more inside, a separate multiplexer into each port's pool, copies at no cost of row bus",
  rows,
} satisfies PaperFigure
