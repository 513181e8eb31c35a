// Further runs halve the interval around each saturation load until it is narrow enough.
import { expect, test } from "vitest"
import { further, type Halving, kneeIn } from "./bisect.ts"
import type { PaperRuns } from "./paper.ts"

const halving: Halving = {
  ...{ of: "curve", key: "traffic.0.load", stream: "victims.", precision: 0.02 },
  ...{ reference: "ideal", variants: ["ideal", "other"] },
}
const experiment = { variants: { ideal: {}, other: { seeds: 2 } }, sweep: { "traffic.0.load": [0.1, 0.5, 0.9] } }

/** `ideal` carries all; `other` saturates at load 0.6. */
function runsOf(name: string, variant: string, loads: readonly number[]): PaperRuns {
  const records = loads.map((load) => {
    const slow = variant === "other" && load > 0.6
    const values = { "victims.latency.mean": slow ? 700 : 100, "victims.accepted": load, "victims.offered": load }
    return { point: { variant, load }, seed: 1, result: { values, tables: {} } }
  })
  return { [name]: records } as unknown as PaperRuns
}

test("bisection of a curve whose reference carries everything", () => {
  const grid = [0.1, 0.5, 0.9]
  const both = [...runsOf("curve", "ideal", grid)["curve"], ...runsOf("curve", "other", grid)["curve"]]
  let runs: PaperRuns = { curve: both }
  const asked: number[] = []
  for (;;) {
    const more = further(runs, { curve: experiment }, [halving])
    const [name] = Object.keys(more)
    if (name === undefined) break
    const made = more[name] as typeof experiment
    // only the curve that saturates needs more runs
    expect(made.variants).toEqual({ other: { seeds: 2 } })
    const [load] = made.sweep["traffic.0.load"]
    asked.push(load)
    runs = { ...runs, ...runsOf(name, "other", [load]) }
  }
  // (0.5 + 0.9) / 2 = 0.7 fails, then (0.5 + 0.7) / 2 = 0.6 passes, and so on until 0.6 and 0.6125
  expect(asked).toEqual([0.7, 0.6, 0.65, 0.625, 0.6125])
  expect(kneeIn(runs, halving, "other")).toEqual({ low: 0.6, high: 0.6125, found: true })
  expect(kneeIn(runs, halving, "ideal")).toEqual({ low: 0.9, high: 0.9, found: false })
})
