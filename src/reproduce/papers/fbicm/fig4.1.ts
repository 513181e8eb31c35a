// Figure 4.1: lists of two destinations, four congested destinations of one port: two lines for one congested point.
import { exactly, type Facts, type PaperFigure } from "../paper.ts"
import { cites } from "./network.ts"
import { portOf } from "./one-port.ts"

const destinations = [0, 4, 8, 12]

function inspect(): Facts {
  const port = portOf({ list: 2 })
  for (let n = 0; n < 4; n++) for (const d of destinations) port.arrive(d)
  const lists = port.lists()
  return {
    lines: lists.length,
    listed: new Set(lists.flat()).size,
    longest: Math.max(...lists.map((l) => l.length)),
    "same output": port.line("lineOut", 0) === port.line("lineOut", 1) ? 1 : 0,
  }
}

export default {
  id: "fbicm/fig4.1",
  number: "Figure 4.1",
  cites,
  title: "One congested point in several lines",
  claim: "a list that is full continues in another line of the same point",
  inspect,
  rows: (_runs, _mode, read) => [
    exactly("lines", 2, read("lines"), "four destinations, two in each list"),
    exactly("destinations listed", 4, read("listed")),
    exactly("longest list", 2, read("longest")),
    exactly("lines of the same output", 1, read("same output"), "1 = yes"),
  ],
} satisfies PaperFigure
