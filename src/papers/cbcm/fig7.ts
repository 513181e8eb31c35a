// Figure 7: an example of the weighted degree. Three inputs; the outputs that the fronts of their VCs ask for. Arithmetic of the paper's rule: that the
// switch counts so is a test (switches/parts/sensing.test.ts).
import { definition, type PaperFigure } from "../paper.ts"
import { cites } from "./network.ts"

const inputs = [[0, 1], [0], [0, 0, 1]]
const degree = (output: number): number => inputs.reduce((sum, asks) => sum + asks.filter((o) => o === output).length / asks.length, 0)

export default {
  id: "cbcm/fig7",
  cites,
  title: "The weighted degree of contention",
  claim: "each request counts 1 / v, where v VCs of its input ask",
  rows: () => [
    definition({ claim: "output 0: 1/2 + 1 + 2/3", paper: 13 / 6, value: degree(0), low: 2.1666, high: 2.1667 }),
    definition({ claim: "output 1: 1/2 + 1/3", paper: 5 / 6, value: degree(1), low: 0.8333, high: 0.8334 }),
  ],
} satisfies PaperFigure
