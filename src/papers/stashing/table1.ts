// Table I: how much of a general-purpose switch's port memory short links leave idle. Arithmetic of the paper's own numbers: nothing here can disagree.
import { definition, type PaperFigure } from "../paper.ts"
import { cites } from "./runs.ts"

/** link, share of the ports, longest link (m), printed idle part (%); memory is sized for the longest of all */
const links = [
  ["endpoint", 0.25, 1, 99],
  ["intra-group", 0.5, 5, 95],
  ["inter-group", 0.25, 100, 0],
] as const

function rows() {
  const idle = links.map(([, , metres]) => 1 - metres / 100)
  const sum = links.reduce((all, [, share], i) => all + share * idle[i]!, 0)
  return [
    ...links.map(([name, , metres, paper], i) =>
      definition({
        claim: `${name} links: idle part of a port's memory (%)`,
        paper,
        value: 100 * idle[i]!,
        low: paper,
        high: paper,
        note: `1 - ${metres} m / 100 m`,
      }),
    ),
    definition({
      claim: "idle part of all port memory of the switch (%)",
      paper: 72,
      value: 100 * sum,
      low: 72.2,
      high: 72.3,
      note: "0.25 x 99 + 0.5 x 95",
    }),
  ]
}

export default {
  id: "stashing/table1",
  number: "Table I",
  cites,
  title: "Asymmetry of links at a dragonfly switch",
  claim: "about 72 % of the port memory is not needed for links",
  rows,
} satisfies PaperFigure
