// Results with several streams bring a figure of stacked areas for each curve; others bring none.
import { expect, test } from "vitest"
import { sweep } from "../../../test/fixtures/records.ts"
import { figuresOf } from "./choose.ts"
import type { AreasFigure } from "./figure.ts"

/** A third of what is accepted is one stream's, the rest another's. */
const records = sweep({ loads: [0.1, 0.3, 0.2], seeds: 1 }).map((r) => {
  const { values } = r.result
  const of = (name: string, part: number) => ({
    [`${name}.accepted`]: values.accepted! * part,
    [`${name}.latency.mean`]: values["latency.mean"],
  })
  return { ...r, result: { ...r.result, values: { ...values, ...of("NC", 1 / 3), ...of("BK", 2 / 3) } } }
})

test("a layer for each stream, by load, adding up to what is accepted", () => {
  const found = figuresOf(records).filter((f): f is AreasFigure => f.kind === "areas")
  expect(found.map((f) => f.id)).toEqual(["bandwidth-dragonfly.minimal", "bandwidth-dragonfly.ugal-l"])
  const [figure] = found
  expect(figure!.at).toEqual([0.1, 0.2, 0.3])
  expect(figure!.layers.map((l) => l.name)).toEqual(["NC", "BK"])
  const accepted = [0.1, 0.2, 0.3].map(
    (load) => records.find((r) => r.point["traffic.0.load"] === load)!.result.values.accepted!,
  )
  for (const [i, all] of accepted.entries()) {
    expect(figure!.layers[0].values[i]).toBeCloseTo(all / 3, 12)
    expect(figure!.layers[1].values[i]).toBeCloseTo((2 * all) / 3, 12)
  }
})

test("one stream has no stack", () => {
  expect(figuresOf(sweep({ seeds: 1 })).some((f) => f.kind === "areas")).toBe(false)
})
