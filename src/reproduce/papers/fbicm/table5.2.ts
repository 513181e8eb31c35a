// Table 5.2: the synthetic traffic, read off the experiments of figures 5.1 to 5.3.
import { exactly, type Facts, type PaperFigure } from "../paper.ts"
import { type Event, eventTraffic, hotOf } from "./events.ts"
import { cites } from "./network.ts"

/** case of the table: endpoints 4^n, event, hot destination */
const cases = [
  [2, 3, "single", 32],
  [3, 3, "stage0", undefined],
  [5, 4, "single", 123],
  [6, 4, "stage1", undefined],
] as const

const microseconds = (text: string): number => Number.parseFloat(text)

function of(number: number, n: number, event: Event): Facts {
  const [cold, hot] = eventTraffic(event, n, "full")
  const share = (from: unknown): number => (Array.isArray(from) ? from.length : 0) / 4 ** n
  return {
    [`case ${number}: random sources (%)`]: 100 * share(cold!.from),
    [`case ${number}: their rate (%)`]: 100 * cold!.load,
    [`case ${number}: hot-spot sources (%)`]: 100 * share(hot!.from),
    [`case ${number}: rate of the hot spot (%)`]: 100 * hot!.load,
    [`case ${number}: start (us)`]: microseconds(hot!.start),
    [`case ${number}: end (us)`]: microseconds(hot!.stop),
    [`case ${number}: hot destinations`]: hotOf(event, n).set.length,
    [`case ${number}: the first of them`]: hotOf(event, n).set[0],
  }
}

const inspect = (): Facts => Object.assign({}, ...cases.map(([number, n, event]) => of(number, n, event))) as Facts

export default {
  id: "fbicm/table5.2",
  number: "Table 5.2",
  cites,
  title: "Synthetic traffic",
  claim:
    "75 % of the endpoints send to random destinations, 25 % to hot ones from 1000 to 1300 us, all at the full rate",
  inspect,
  rows: (_runs, _mode, read) =>
    cases.flatMap(([number, , , to]) => {
      const row = (name: string, paper: number) =>
        exactly(`case ${number}: ${name}`, paper, read(`case ${number}: ${name}`))
      return [
        row("random sources (%)", 75),
        row("their rate (%)", 100),
        row("hot-spot sources (%)", 25),
        row("rate of the hot spot (%)", 100),
        row("start (us)", 1000),
        row("end (us)", 1300),
        ...(to === undefined ? [] : [row("hot destinations", 1), row("the first of them", to)]),
      ]
    }),
} satisfies PaperFigure
