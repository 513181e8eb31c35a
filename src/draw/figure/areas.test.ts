// Stacked areas: every layer lies on the sum of those below it, and the picture's edges stand where the scale says.
import { parseHTML } from "linkedom"
import { describe, expect, test } from "vitest"
import { drawAreas, slicesOf } from "./areas.ts"
import { draw } from "./draw.ts"
import type { AreasFigure } from "./figure.ts"
import { picture } from "./picture.ts"
import { colourOf } from "./theme.ts"

const figure: AreasFigure = {
  id: "levels",
  kind: "areas",
  title: "Bandwidth of levels",
  caption: "",
  x: { label: "offered load" },
  y: { label: "accepted" },
  at: [0.5, 0.7, 1],
  layers: [
    { name: "NC", values: [0.1, 0.1, 0.1] },
    { name: "VO", values: [0.2, 0.3, 0.4] },
    { name: "BK", values: [0.2, 0.3, 0] },
  ],
}

describe("stacked areas", () => {
  test("layers add up: the second at 0.7 lies from 0.1 to 0.4 of 0.7", () => {
    const slices = slicesOf(figure)
    expect(slices.length).toBe(9)
    const vo = slices.find((s) => s.layer === 1 && s.x === 0.7)!
    expect([vo.from, vo.to, vo.value]).toEqual([0.1, 0.4, 0.3])
    expect(vo.total).toBeCloseTo(0.7, 12)
    // the upper edge of the last layer is the sum
    for (const s of slices.filter((s) => s.layer === 2)) expect(s.to).toBeCloseTo(s.total, 12)
  })
  test("one closed path for each layer, in its colour, and where the scale says", () => {
    const { svg, hits } = drawAreas(figure, 600)
    const { document } = parseHTML(`<html><body>${svg}</body></html>`)
    const paths = [...document.querySelectorAll("path")].filter((p) => p.getAttribute("d")?.endsWith("Z"))
    const fills = paths.map((p) => p.getAttribute("fill"))
    expect(figure.layers.map((_, i) => fills.filter((f) => f === colourOf(i)).length)).toEqual([1, 1, 1])
    // the points of a path: the upper edge forth, the lower back; of the first layer the lower edge is one height, the
    // axis
    const [, ...points] = /^M(.*)Z$/
      .exec(paths[fills.indexOf(colourOf(0))].getAttribute("d")!)![1]
      .split("L")
      .reverse()
    const numbers = points.map((p) => p.split(",").map(Number))
    const back = numbers.slice(0, 2).map(([, y]) => y)
    expect(back[0]).toBe(back[1])
    // 0.1 of what the axis shows: heights are in proportion to values
    const at = (name: string, x: number) => hits.find((h) => h.title === name && h.facts[0][1] === x)!
    const unit = (at("NC", 0.5).y - at("VO", 0.5).y) / 0.15 // middles: 0.05 and 0.2
    expect((at("VO", 0.7).y - at("BK", 0.7).y) / unit).toBeCloseTo(0.3, 6) // middles: 0.25 and 0.55
  })
  test("every value can be read under the pointer, with the whole that it is part of", () => {
    const { hits } = draw(figure, 600)
    expect(hits.length).toBe(9)
    expect(hits.find((h) => h.title === "VO" && h.facts[0][1] === 1)!.facts).toEqual([
      ["offered load", 1],
      ["accepted", 0.4],
      ["of", 0.5],
    ])
  })
  test("as a file it is whole: title, legend, no variables left", () => {
    const text = picture(figure)
    for (const word of ["Bandwidth of levels", "NC", "VO", "BK", "offered load", "accepted"])
      expect(text).toContain(word)
    expect(text).not.toContain("NaN")
  })
})
