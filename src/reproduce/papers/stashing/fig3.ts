// Figure 3: what stashing adds: a storage and a retrieval VC inside the switch, a multiplexer of its own into each
// pool, pools made of what input and output buffer leave.
import { exactly, type Facts, type PaperFigure, type Read, within } from "../paper.ts"
import { stream } from "./network.ts"
import { benchOf, busy, heldBy, poolsOf, single } from "./one-switch.ts"
import { cites } from "./runs.ts"

const stash = { stash: { end: 0.875 } }
/** a packet injected at cycle 0 is in its pool by then, and its acknowledgement not yet back */
const BEFORE_ACK = 36
const grid = { rows: 2, columns: 3, speed: 1 }

/** Six sources for one sink, and windows that notice late: the stash takes what is blocked. */
function absorbing() {
  const pairs = [0, 1, 2, 3, 4, 5].map((from) => [from, 11])
  const hot = stream("hot", 1, {
    pattern: { name: "fixed", pairs },
    arrivals: { name: "backlogged" },
    from: [0, 1, 2, 3, 4, 5],
  })
  const bench = benchOf(12, { ...grid, ...stash, absorb: true }, [hot], "ecn-window")
  bench.engine.advance(10_000)
  return bench.engine.sw.values(10_000)
}

function inspect(): Facts {
  const plain = busy(benchOf(12, grid, [single(1, 10)]), ["busBusy"], 100)
  const bench = benchOf(12, { ...grid, ...stash, reliability: true }, [single(1, 10)])
  const empty = poolsOf(bench)
  const copied = busy(bench, ["busBusy"], BEFORE_ACK)
  const held = heldBy(bench, empty)
  bench.engine.advance(200)
  const values = absorbing()
  return {
    innerVcs: bench.innerVcs,
    copied: copied["busBusy"].cycles,
    plain: plain["busBusy"].cycles,
    holders: held.length,
    held: held[0] ?? 0,
    // 24 flits are a packet
    packets: Math.min(...empty) / 24,
    pools: empty.filter((flits) => flits > 0).length,
    left: copiesIn(bench),
    absorbed: values["stash.absorbed"],
    retrieval: values["stash.retrieval.utilisation"],
  }
}

function rows(read: Read) {
  return [
    exactly(
      "VCs inside the switch in addition to those of its links",
      2,
      read("innerVcs"),
      "storage S and retrieval R",
    ),
    exactly(
      "cycles of row bus for a packet and its copy",
      24,
      read("copied"),
      "received by normal and storage VC at once",
    ),
    exactly("the same without a copy", 24, read("plain")),
    exactly("pools that hold a copy of one packet", 1, read("holders"), "a separate multiplexer, no output link"),
    exactly("flits of that copy", 24, read("held")),
    exactly("ports that have a pool, of 12", 12, read("pools"), "all are end ports here"),
    exactly(
      "whole packets that an end port's empty pool takes",
      Math.floor((0.875 * 2 * 1000) / 24),
      read("packets"),
      "7/8 of an input and an output buffer of 1,000 flits: 1,750 flits, 72 packets of 24",
    ),
    exactly("copies left after the acknowledgement", 0, read("left")),
    within({
      claim: "packets of a congested input that were stashed",
      paper: "S",
      value: read("absorbed"),
      low: 1,
      high: Number.POSITIVE_INFINITY,
    }),
    within({
      claim: "utilisation of the pools' return path over the row bus",
      paper: "R",
      value: read("retrieval"),
      low: 1e-6,
      high: 1,
      note: "flits for each pool and core step",
    }),
  ]
}

function copiesIn(bench: ReturnType<typeof benchOf>): number {
  const v = bench.engine.sw.values(bench.engine.now)
  return v["stash.copied"] - v["stash.deleted"]
}

export default {
  id: "stashing/fig3",
  cites,
  title: "Path of a packet through a stashing switch",
  claim: "two VCs more inside, a separate multiplexer into each port's pool, copies at no cost of row bus",
  inspect,
  rows: (_runs, _mode, read) => rows(read),
} satisfies PaperFigure
