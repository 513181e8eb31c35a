// Figure 8: one hot spot's switch during the congestion event: what its four sources inject, and how full its stash is. The sources generate 4 flits
// per cycle all the time (they are backlogged). Windows of 4,096 flits let four sources inject 16,384 flits and then what the sink has drained, so 4 flits
// per cycle can last 16,384 / 3 = 5.5 us at most: a plateau of 12 us cannot be one of injected load, and only the order of events is judged.
import { type Mode, type PaperFigure, type PaperRuns, type Row, within } from "../../lab/paper.ts"
import { full, offered, quick, START, stashUse, type Unit, units } from "./hotspots.ts"
import { cites } from "./runs.ts"

type Over = { readonly time: readonly number[]; readonly value: readonly number[] }

const between = ({ time, value }: Over, from: number, to: number): number[] =>
  value.filter((_, i) => time[i]! > from * 1000 && time[i]! <= to * 1000)
const mean = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0) / all.length

function rowsOf(runs: PaperRuns, mode: Mode, unit: Unit): Row[] {
  const load = offered(runs, "100 %", unit, mode)
  const stash = stashUse(runs, "100 %", unit, mode)
  const first = load.time.findIndex((t, i) => t > (START + 2) * 1000 && load.value[i]! < 3)
  const fell = load.time[first]! / 1000
  const filled = stash.time[stash.value.indexOf(Math.max(...stash.value))]! / 1000
  const of = (claim: string) => `windows in ${unit}: ${claim}`
  return [
    within({
      claim: of("injected by the four sources at the onset (flits per cycle)"),
      paper: 4,
      value: Math.max(...between(load, START, START + 4)),
      low: 3.5,
      high: 4.05,
      note: "near 4 before ECN answers; they generate 4 throughout",
    }),
    within({
      claim: of("injected load falls below 3 at (us)"),
      paper: 32,
      value: fell,
      low: START,
      high: 37,
      note: "after the onset, by 32 + 5",
    }),
    within({
      claim: of("the stash is fullest at (us)"),
      paper: "while ECN converges",
      value: filled,
      low: START,
      high: 60,
      note: `between the onset and 60; ${(100 * Math.max(...stash.value)).toFixed(0)} % of the switch's stash`,
    }),
    within({
      claim: of("injected in 65..75 us (flits per cycle)"),
      paper: 1,
      value: mean(between(load, 65, 75)),
      low: 0.8,
      high: 1.2,
      note: "what the sink can drain",
    }),
    within({
      claim: of("part of the switch's stash in use after 80 us, most"),
      paper: "near zero",
      value: Math.max(0, ...between(stash, 80, 1000)),
      low: 0,
      high: 0.05,
      note: "below 5 %",
    }),
  ]
}

export default {
  id: "stashing/fig8",
  shares: "stashing/hotspots",
  cites,
  title: "A hot spot's switch during congestion",
  claim: "offered load shoots up to 4 flits per cycle and the stash fills; ECN brings it down to 1 by about 60 us and the stash empties",
  quick,
  full,
  rows: (runs, mode) => units.flatMap((unit) => rowsOf(runs, mode, unit)),
  figures: (runs, mode) =>
    units.flatMap((unit) => {
      const line = (name: string, { time, value }: Over) => ({
        name,
        spots: time.map((t, i) => ({
          x: t / 1000,
          y: value[i]!,
          facts: [
            ["time (us)", t / 1000],
            [name, value[i]!],
          ] as const,
        })),
      })
      const common = { kind: "lines" as const, x: { label: "Time (us)" }, markers: false, caption: "Mean of the seeds." }
      return [
        {
          ...common,
          id: `offered-${unit}`,
          title: `Injected by a hot spot's four sources, windows of 4,096 ${unit}`,
          y: { label: "Flits per cycle" },
          lines: ["baseline", "100 %"].map((v) => line(v, offered(runs, v, unit, mode))),
        },
        {
          ...common,
          id: `stash-${unit}`,
          title: `Stash of the hot spot's switch, windows of 4,096 ${unit}`,
          y: { label: "Part in use" },
          lines: ["100 %", "50 %"].map((v) => line(v, stashUse(runs, v, unit, mode))),
        },
      ]
    }),
} satisfies PaperFigure
