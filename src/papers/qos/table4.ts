// Table 4: the arbitration table of the evaluation, from the shares, distances and MTUs by the method of section 4.4. It must be the paper's to the last credit.
import { exactly, type Facts, type PaperFigure } from "../paper.ts"
import { cites, configuration, names } from "./network.ts"

/** Total weights, and entries as [weight, how many of them]. */
const printed: Readonly<Record<string, readonly [number, readonly (readonly [number, number])[]]>> = {
  NC: [
    101,
    [
      [3, 27],
      [4, 5],
    ],
  ],
  VO: [176, [[11, 16]]],
  VI: [
    322,
    [
      [40, 6],
      [41, 2],
    ],
  ],
  CL: [
    375,
    [
      [93, 1],
      [94, 3],
    ],
  ],
  EE: [
    43,
    [
      [21, 1],
      [22, 1],
    ],
  ],
  BE: [39, [[39, 1]]],
  BK: [17, [[17, 1]]],
}

function inspect(): Facts {
  const c = configuration()
  const facts: Record<string, number> = { k: c.k10 / 10, w: c.w10 / 10, "all weights": c.total }
  for (const { level, total, weights } of c.levels) {
    facts[`${level.name}: weight`] = total
    for (const [weight] of printed[level.name]![1])
      facts[`${level.name}: entries of ${weight}`] = weights.filter((w) => w === weight).length
  }
  return facts
}

export default {
  id: "qos/table4",
  cites,
  title: "Arbitration table of seven service levels",
  claim: "k = 0.5 and w = 3 give entries of 1,073 credits in all",
  inspect,
  rows: (_runs, _mode, read) => [
    exactly("k", 0.5, read("k")),
    exactly("w", 3, read("w")),
    exactly("all weights", 1073, read("all weights")),
    ...names.flatMap((name) => {
      const [total, entries] = printed[name]!
      return [
        exactly(`${name}: weight`, total, read(`${name}: weight`)),
        ...entries.map(([weight, count]) => exactly(`${name}: entries of ${weight}`, count, read(`${name}: entries of ${weight}`))),
      ]
    }),
  ],
} satisfies PaperFigure
