// Loads of streams that rise together are one axis; what streams get is held against their part of the scheduler's
// weights.
import { expect, test } from "vitest"
import { made } from "../../../test/fixtures/records.ts"
import type { RunRecord } from "../../results/record.ts"
import { figuresOf } from "./choose.ts"
import { draw } from "./draw.ts"
import type { AreasFigure, StackFigure } from "./figure.ts"

/** NC asks for 0.1 and gets it; BK and BE ask for equal loads and get what is said. */
function run(
  load: number,
  bk: number,
  be: number,
  qos: unknown = { name: "dtable", table: "0:5,1:1,0:3,2:1" },
): RunRecord {
  const r = made({ load })
  const stream = (name: string, c: number, of: number) => ({ ...r.spec.traffic[0], name, class: c, load: of })
  const of = (name: string, offered: number, accepted: number) => ({
    [`${name}.offered`]: offered,
    [`${name}.accepted`]: accepted,
    [`${name}.latency.mean`]: 50,
  })
  const all = { offered: 0.1 + 2 * load, accepted: 0.1 + bk + be }
  const values = { ...r.result.values, ...all, ...of("NC", 0.1, 0.1), ...of("BK", load, bk), ...of("BE", load, be) }
  return {
    ...r,
    spec: {
      ...r.spec,
      network: { ...r.spec.network, qos },
      traffic: [stream("NC", 0, 0.1), stream("BK", 1, load), stream("BE", 2, load)],
    } as RunRecord["spec"],
    point: { "traffic.1.load": load, "traffic.2.load": load },
    result: { ...r.result, values },
  }
}

const stacks = (records: readonly RunRecord[]) =>
  figuresOf(records).filter((f): f is StackFigure => f.kind === "stack" && f.id.startsWith("promise"))

test("two loads of one zip are one curve, along what is offered in all", () => {
  const [figure, ...more] = figuresOf([run(0.2, 0.2, 0.2), run(0.1, 0.1, 0.1)]).filter(
    (f): f is AreasFigure => f.kind === "areas",
  )
  expect(more).toEqual([])
  expect(figure!.at[0]).toBeCloseTo(0.3, 12)
  expect(figure!.at[1]).toBeCloseTo(0.5, 12)
})

test("loads that are swept apart are not", () => {
  const crossed = [
    [0.1, 0.1],
    [0.1, 0.2],
    [0.2, 0.1],
  ].map(([a, b]) => ({ ...run(a!, a!, a!), point: { "traffic.1.load": a!, "traffic.2.load": b! } }))
  expect(stacks(crossed).map((f) => f.id)).toEqual(["promise-load 0.1", "promise-load 0.2"])
})

test("weights 8, 1 and 1 of 10: NC asks for less than 0.8, BK gets 0.04 of 0.1, BE 0.25", () => {
  for (const table of ["0:5,1:1,0:3,2:1", ["0:5", "1:1", "0:3", "2:1"]]) {
    const [figure] = stacks([run(0.1, 0.1, 0.1, { table }), run(0.4, 0.04, 0.25, { table })])
    expect(figure!.title).toBe("Received against guaranteed share: load 0.9 in all")
    const rows = Object.fromEntries(figure!.rows.map((r) => [r.name, r.values.map((v) => Math.round(v * 1e9) / 1e9)]))
    expect(rows).toEqual({ NC: [0.1, 0, 0], BK: [0.04, 0.06, 0], BE: [0.1, 0, 0.15] })
  }
})

test("without shares there is no promise", () => {
  expect(stacks([run(0.1, 0.1, 0.1, { name: "strict" }), run(0.2, 0.2, 0.2, { name: "strict" })])).toEqual([])
})

test("the dotted line of all that is offered stays in the figure where loads begin high", () => {
  const figure = figuresOf([run(0.25, 0.25, 0.25), run(0.4, 0.3, 0.3)]).find((f) => f.id === "accepted")!
  const { svg, width } = draw(figure, 400)
  const [, path] = /stroke-dasharray="1 3"[\s\S]*? d="([^"]*)"/.exec(svg)!
  const xs = [...path!.matchAll(/[ML]([\d.-]+)/g)].map((m) => Number(m[1]))
  expect(xs.length).toBe(2)
  expect(Math.min(...xs)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...xs)).toBeLessThanOrEqual(width)
})
