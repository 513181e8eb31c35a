// Figure 1: a tiled switch of 12 ports as 2 x 3 tiles of 6 x 4. One packet for each pair of ports; which tile it
// crosses is read off the running switch.
import { exactly, type Facts, type PaperFigure, type Read } from "../paper.ts"
import { benchOf, single, touched } from "./one-switch.ts"
import { cites } from "./runs.ts"

const P = 12
const R = 2
const C = 3

function inspect(): Facts {
  const tiles = new Set<number>()
  const channels = new Set<string>()
  const heard = new Map<number, Set<number>>()
  const feeding = new Map<number, Set<number>>()
  let right = 0
  let crossed = 0
  for (let from = 0; from < P; from++) {
    for (let to = 0; to < P; to++) {
      if (from === to) continue
      const through = touched(benchOf(P, { rows: R, columns: C, speed: 1 }, [single(from, to)]), "tileOutBusy", 60)
      crossed += through.length
      for (const tile of through) {
        tiles.add(tile)
        channels.add(`${tile}-${to}`)
        heard.set(from, (heard.get(from) ?? new Set()).add(tile))
        feeding.set(to, (feeding.get(to) ?? new Set()).add(tile))
      }
      if (through.includes(Math.floor(from / 6) * C + Math.floor(to / 4))) right++
    }
  }
  const all = (sets: Iterable<Set<number>>, size: number) => [...sets].filter((s) => s.size === size).length
  return {
    tiles: tiles.size,
    buses: all(heard.values(), C),
    outputs: all(feeding.values(), R),
    channels: channels.size,
    crossed: crossed / (P * (P - 1)),
    right,
  }
}

function rows(read: Read) {
  return [
    exactly("tiles that carry packets", 6, read("tiles"), "R x C = 2 x 3"),
    exactly("row buses that all three tiles of their row receive", 12, read("buses"), "one for each input"),
    exactly("outputs that a 2-to-1 multiplexer feeds", 12, read("outputs"), "one column channel from each row"),
    exactly("column channels", 24, read("channels"), "R x C x O = R x P: twice the radix"),
    exactly("tiles that one packet crosses", 1, read("crossed")),
    exactly(
      "pairs of ports whose packet crosses the tile in row floor(in / I), column floor(out / O)",
      P * (P - 1),
      read("right"),
      "I = 6, O = 4; ports do not send to themselves",
    ),
  ]
}

export default {
  id: "stashing/fig1",
  cites,
  title: "A tiled switch: P = 12, R = 2, C = 3, I = 6, O = 4",
  claim: "P = R x I = C x O; row buses received by all tiles of a row, column channels merged by R-to-1 multiplexers",
  inspect,
  rows: (_runs, _mode, read) => rows(read),
} satisfies PaperFigure
