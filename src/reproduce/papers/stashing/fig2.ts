// Figure 2: the path of a packet through a tiled switch with three VCs: input buffer, row bus, row buffer, tile
// crossbar, column buffer, multiplexer, output buffer, link. The core runs at the link's clock here, so that every
// stage is one cycle.
import { exactly, type Facts, type PaperFigure, type Read } from "../paper.ts"
import { benchOf, busy, single } from "./one-switch.ts"
import { cites } from "./runs.ts"

const stages = ["busBusy", "tileOutBusy", "muxUntil", "linkUntil", "storeUntil"] as const

function inspect(): Facts {
  const bench = benchOf(12, { rows: 2, columns: 3, speed: 1, vcs: 3 }, [single(1, 10)])
  const seen = busy(bench, stages, 100)
  return Object.fromEntries(
    stages.flatMap((name) => [
      [name, seen[name].first],
      [`${name}.cycles`, seen[name].cycles],
    ]),
  )
}

function rows(first: Read) {
  return [
    exactly(
      "cycles from the row bus to the tile crossbar",
      1,
      first("tileOutBusy") - first("busBusy"),
      "through the row buffer",
    ),
    exactly(
      "cycles from the tile crossbar to the output multiplexer",
      1,
      first("muxUntil") - first("tileOutBusy"),
      "through the column buffer",
    ),
    exactly(
      "cycles from the multiplexer to the link",
      1,
      first("linkUntil") - first("muxUntil"),
      "through the output buffer",
    ),
    exactly("cycles that 24 flits hold the row bus", 24, first("busBusy.cycles")),
    exactly("cycles that 24 flits hold the tile crossbar's output", 24, first("tileOutBusy.cycles")),
    exactly("cycles of storage multiplexers that a switch without a stash uses", 0, first("storeUntil.cycles")),
  ]
}

export default {
  id: "stashing/fig2",
  cites,
  title: "Path of a packet through a tiled switch",
  claim: "row bus, tile crossbar and output multiplexer are independent steps with buffers of every VC between them",
  inspect,
  rows: (_runs, _mode, read) => rows(read),
} satisfies PaperFigure
