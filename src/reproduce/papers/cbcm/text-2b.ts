// Text of section II-B: the hot spot of Fig. 2 with traffic from each router to the next one. The paper gives only the
// order, no numbers.
import { type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { narrowed, saturation } from "./curves.ts"
import { besideHotSpot, single } from "./hot-spot.ts"
import { cites, shifted } from "./network.ts"

const hot = [0, 5, 8, 12]
const sink = 4
const loads = [0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
const curve = { of: "curve", stream: "victims.", reference: "Ideal(UGAL)" }
const variants = ["Baseline(MIN)", "Baseline(UGAL)", "Ideal(MIN)", "Ideal(UGAL)"]
const protocols = { Baseline: { name: "none" }, Ideal: { name: "ideal", to: [sink] } }

const experiment = (warm: number, window: number, seeds: number) =>
  besideHotSpot(
    {
      title: "adversarial traffic with a hot spot",
      protocols,
      hot,
      sink,
      victims: () => shifted,
      loads,
      more: single,
    },
    [warm, window],
    seeds,
  )

function rows(runs: PaperRuns): Row[] {
  const sat = (variant: string) => saturation(runs, curve, variant)
  return [
    within({
      claim: "saturation, Ideal(UGAL) over Ideal(MIN)",
      paper: "a significant improvement",
      value: sat("Ideal(UGAL)") / sat("Ideal(MIN)"),
      low: 1.1,
      high: Number.POSITIVE_INFINITY,
      note: "no number is given: 10 % at least",
    }),
    within({
      claim: "saturation, Baseline(UGAL) over Baseline(MIN)",
      paper: "degradation",
      value: sat("Baseline(UGAL)") / sat("Baseline(MIN)"),
      low: 0,
      high: 1 - Number.EPSILON,
    }),
  ]
}

export default {
  id: "cbcm/text-2b",
  number: "Section II-B",
  cites,
  title: "Adversarial traffic with a hot spot",
  claim: "detours help where hot traffic is apart, and harm where it is not",
  quick: {
    ...narrowed({ experiments: { curve: experiment(5, 10, 1) } }, { ...curve, variants }),
    scaled: "5,000 + 10,000 cycles and one seed instead of 50,000 + 100,000 and three",
  },
  full: narrowed({ experiments: { curve: experiment(50, 100, 3) } }, { ...curve, variants }),
  rows: (runs) => rows(runs),
} satisfies PaperFigure
