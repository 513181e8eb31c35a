// Text of section II-B: the hot spot of Fig. 2 beside traffic from each router to the next one. The paper gives no numbers, only the order.
import { type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { at, cites, measured, network, routings, shifted, stream, to, without } from "./network.ts"

const hot = [0, 5, 8, 12]
const sink = 4
const rest = without(16, [sink, ...hot])
const loads = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
const protocols = { Baseline: { name: "none" }, Ideal: { name: "ideal", to: [sink] } }
const single = { packet: { name: "fixed", size: "1flit" } }

function experiment(warm: number, window: number, seeds: number) {
  return {
    lacewing: 1,
    title: "adversarial traffic beside a hot spot",
    network: network(),
    traffic: [stream("victims", loads[0]!, shifted, rest, single), stream("hot", 1, to([sink]), hot, single)],
    measure: measured(warm, window),
    probes: [],
    variants: Object.fromEntries(
      Object.entries(protocols).flatMap(([name, c]) =>
        Object.entries(routings).map(([short, routing]) => [`${name}(${short})`, { network: network(c, routing) }] as const),
      ),
    ),
    sweep: { "traffic.0.load": loads },
    seeds,
  }
}

function rows(runs: PaperRuns): Row[] {
  const most = (variant: string) => Math.max(...loads.map((load) => at(runs, "curve", { variant, load }, "victims.accepted")))
  return [
    within({
      claim: "most accepted load, Ideal(UGAL) over Ideal(MIN)",
      paper: "a significant improvement",
      value: most("Ideal(UGAL)") / most("Ideal(MIN)"),
      low: 1.1,
      high: Number.POSITIVE_INFINITY,
      note: "no number is given: 10 % at least",
    }),
    within({
      claim: "most accepted load, Baseline(UGAL) over Baseline(MIN)",
      paper: "degradation",
      value: most("Baseline(UGAL)") / most("Baseline(MIN)"),
      low: 0,
      high: 1 - Number.EPSILON,
    }),
  ]
}

export default {
  id: "cbcm/text-2b",
  number: "Section II-B",
  cites,
  title: "Adversarial traffic beside a hot spot",
  claim: "detours help where hot traffic is apart, and harm where it is not",
  quick: {
    experiments: { curve: experiment(5, 10, 1) },
    scaled: "5,000 + 10,000 cycles and one seed instead of 50,000 + 100,000 and three",
  },
  full: { experiments: { curve: experiment(50, 100, 3) } },
  rows: (runs) => rows(runs),
} satisfies PaperFigure
