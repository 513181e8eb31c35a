// Table 5.1: the two networks.
import { measure } from "../../proof/measures.ts"
import { exactly, type Facts, type PaperFigure } from "../paper.ts"
import { cites, treeOf } from "./network.ts"

/** endpoints, ports of a switch, switches, stages */
const printed = { 3: [64, 8, 48, 3], 4: [256, 8, 256, 4] } as const
const what = ["endpoints", "ports of a switch", "switches", "stages"] as const

function inspect(): Facts {
  const facts: Record<string, number> = {}
  for (const n of [3, 4] as const) {
    const m = measure(treeOf(n), { bisection: false })
    // up to the top and down again
    const read = [m.endpoints, m.radix, m.routers, m.diameter / 2 + 1]
    what.forEach((name, i) => {
      facts[`4-ary ${n}-tree: ${name}`] = read[i]!
    })
  }
  return facts
}

export default {
  id: "fbicm/table5.1",
  number: "Table 5.1",
  cites,
  title: "Networks",
  claim: "a 4-ary 3-tree of 64 and a 4-ary 4-tree of 256 endpoints, switches of 8 ports",
  inspect,
  rows: (_runs, _mode, read) =>
    ([3, 4] as const).flatMap((n) =>
      what.map((name, i) => exactly(`4-ary ${n}-tree: ${name}`, printed[n][i]!, read(`4-ary ${n}-tree: ${name}`))),
    ),
} satisfies PaperFigure
