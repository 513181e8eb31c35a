// Section V-D: memory of a router. Arithmetic of the paper's own numbers: nothing here can disagree.
import { definition, type PaperFigure } from "../paper.ts"
import { cites } from "./network.ts"

const [PORTS, SAMPLES, BOUNDS, BITS] = [64, 100, 2 * 10, 6]

export default {
  id: "cbcm/overhead",
  number: "Section V-D",
  cites,
  title: "Memory of contention sensing",
  claim: "about 5.6 KB for a router of 64 ports",
  rows: () => [
    definition({
      claim: "samples of a router (B)",
      paper: 5760,
      value: (PORTS * (SAMPLES + BOUNDS) * BITS) / 8,
      low: 5760,
      high: 5760,
      note: "64 ports x (100 + 10 + 10) samples x 6 bits",
    }),
  ],
} satisfies PaperFigure
