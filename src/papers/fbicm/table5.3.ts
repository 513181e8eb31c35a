// Table 5.3: bytes of a port's CAM. Arithmetic of the paper's own numbers: nothing here can disagree.
import { definition, type PaperFigure } from "../paper.ts"
import { cites } from "./network.ts"

const LINES = 8
/** destinations of a list, bytes of the table */
const whole = [
  [64, 1072],
  [256, 4144],
  [1024, 16432],
] as const

const bytes = (destinations: number): number => LINES * (6 + 2 * destinations)

export default {
  id: "fbicm/table5.3",
  number: "Table 5.3",
  cites,
  title: "Memory of the CAM of a port, in bytes",
  claim: "1,072, 4,144 and 16,432 bytes with whole lists of 64, 256 and 1,024 endpoints; 176 with lists of 8",
  rows: () => [
    ...whole.map(([n, paper]) =>
      definition({
        claim: `version 1, ${n} endpoints`,
        paper,
        value: bytes(n),
        low: paper,
        high: paper,
        note: "8 lines of 6 + 2 bytes for each endpoint",
      }),
    ),
    definition({
      claim: "version 2, any number of endpoints",
      paper: 176,
      value: bytes(8),
      low: 176,
      high: 176,
      note: "8 lines of 6 + 2 x 8 bytes",
    }),
  ],
} satisfies PaperFigure
