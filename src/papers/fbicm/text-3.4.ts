// Section 3.4: what it would cost to keep the lists in the routing table instead. Arithmetic of the paper's own numbers: nothing here can disagree.
import { definition, type PaperFigure } from "../paper.ts"
import { cites } from "./network.ts"

export default {
  id: "fbicm/text-3.4",
  number: "Section 3.4",
  cites,
  title: "Lists in the routing table",
  claim: "44 more bits in each of 48 K entries",
  rows: () => [
    definition({
      claim: "bytes more in a table of 48 K entries",
      paper: 270336,
      value: (48 * 1024 * 44) / 8,
      low: 270336,
      high: 270336,
      note: "49,152 x 44 / 8",
    }),
  ],
} satisfies PaperFigure
