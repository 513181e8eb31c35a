// Figures: which are chosen, that what is drawn stands where the scale says, and that files are whole.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseHTML } from "linkedom"
import { describe, expect, test } from "vitest"
import { made, sweep } from "../../../test/fixtures/records.ts"
import { estimate } from "../../results/compare/points.ts"
import { figuresOf } from "./choose.ts"
import { draw } from "./draw.ts"
import type { CellsFigure, Figure, LinesFigure, StackFigure } from "./figure.ts"
import { pngFile, writeFigures } from "./file.ts"
import { duration, shortKey, shown, withInterval } from "./format.ts"
import { picture } from "./picture.ts"
import { colourOf, dark, heat, light } from "./theme.ts"

const records = sweep({ tables: true })
const figures = figuresOf(records)
const byId = <F extends Figure>(id: string, of: readonly Figure[] = figures): F => {
  const found = of.find((f) => f.id === id)
  if (found === undefined) throw new Error(`no figure ${id} among ${of.map((f) => f.id).join(", ")}`)
  return found as F
}

describe("choice", () => {
  test("a sweep of the load with all probes has every kind of figure", () => {
    expect(figures.map((f) => f.id)).toEqual([
      "latency",
      "tail",
      "accepted",
      "peak",
      "cdf",
      "series-accepted",
      "series-latency",
      "attribution-dragonfly.minimal",
      "attribution-dragonfly.ugal-l",
      "channels-dragonfly.minimal",
      "channels-dragonfly.ugal-l",
      "groups-dragonfly.minimal",
      "groups-dragonfly.ugal-l",
    ])
  })
  test("lines hold the estimates, saturated points are off the edge", () => {
    const { lines } = byId<LinesFigure>("latency")
    expect(lines.map((l) => l.name)).toEqual(["dragonfly.minimal", "dragonfly.ugal-l"])
    const runs = records.filter(
      (r) => r.point["network.routing.name"] === "dragonfly.minimal" && r.point["traffic.0.load"] === 0.3,
    )
    expect(lines[0].spots[2].y).toBe(estimate(runs, "latency.mean")!.mean)
    // minimal saturates at 0.62: 0.7 and 0.8 are off
    expect(lines[0].spots.filter((s) => s.off).map((s) => s.x)).toEqual([0.7, 0.8])
  })
  test("a saturated point without a measured packet leaves the figure, too", () => {
    const none = records.map((r) =>
      r.result.why === "saturated"
        ? { ...r, result: { ...r.result, values: { ...r.result.values, "latency.mean": Number.NaN } } }
        : r,
    )
    const { spots } = byId<LinesFigure>("latency", figuresOf(none)).lines[0]
    expect(spots.filter((s) => s.off).map((s) => [s.x, s.facts?.[1]])).toEqual([
      [0.7, ["latency.mean", "missing: saturated"]],
      [0.8, ["latency.mean", "missing: saturated"]],
    ])
  })
  test("accepted load keeps saturated points", () => {
    expect(byId<LinesFigure>("accepted").lines[0].spots.every((s) => s.off === undefined)).toBe(true)
  })
  test("a sweep of words alone becomes bars; of another number, lines over it", () => {
    const words = sweep({ loads: [0.3] }).map((r) => ({ ...r, point: { routing: r.point["network.routing.name"] } }))
    expect(figuresOf(words).map((f) => `${f.kind} ${f.id}`)).toEqual(["bars latency", "bars tail", "bars accepted"])
    const buffers = [16, 32, 64].map((buffer, i) => ({
      ...made({ load: 0.1 * (i + 1) }),
      point: { "network.switch.buffer": buffer },
    }))
    const chosen = byId<LinesFigure>("latency", figuresOf(buffers))
    expect([chosen.title, chosen.x.label, chosen.lines[0].spots.map((s) => s.x)]).toEqual([
      "Latency against buffer",
      "buffer",
      [16, 32, 64],
    ])
  })
  test("one run alone and no run at all", () => {
    expect(figuresOf([{ ...made(), point: {} }]).map((f) => f.kind)).toEqual(["bars", "bars", "bars"])
    expect(figuresOf([])).toEqual([])
  })
  test("the distribution ends at 100 %, parts add up to the mean, the bottleneck is on the map", () => {
    expect(byId<LinesFigure>("cdf").lines[0].spots.at(-1)!.y).toBe(1)
    // minimal saturates at 0.62: a bar for each load up to 0.6, each as long as the mean latency
    const { rows } = byId<StackFigure>("attribution-dragonfly.minimal")
    const runs = records.filter(
      (r) => r.point["network.routing.name"] === "dragonfly.minimal" && r.point["traffic.0.load"] === 0.6,
    )
    expect(rows.map((r) => r.name)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6].map((l) => `load ${l}`))
    expect(rows[5].values.reduce((a, b) => a + b)).toBeCloseTo(estimate(runs, "latency.mean")!.mean, 9)
    const worst = [...byId<CellsFigure>("channels-dragonfly.minimal").cells].sort((a, b) => b.value - a.value)[0]
    // router 7, the first of the global channels after three local ones
    expect([worst.x, worst.y, worst.value]).toEqual([7, 3, 0.97])
  })
  test("5,000 routers share cells, and the busiest of each cell is kept", () => {
    const n = 5000
    const channels = {
      chan: ids(n),
      from: ids(n),
      to: ids(n),
      class: ids(n).map(() => "local"),
      load: ids(n).map((r) => (r === 4321 ? 0.9 : 0.1)),
    }
    const one = { ...made(), result: { ...made().result, tables: { channels } } }
    const map = figuresOf([one]).find((f) => f.kind === "cells") as CellsFigure
    // 5000 / 180 is 28 routers to a cell
    expect(map.columns).toBe(Math.ceil(5000 / 28))
    expect(map.cells.find((c) => c.value === 0.9)!.x).toBe(Math.floor(4321 / 28))
    expect(map.caption).toMatch(/busiest of 28 neighbouring routers/)
  })
})

test(
  "a time series of 100,000 intervals is thinned; intervals without a value, " +
    "one that the end cut short, and counts are left out",
  () => {
    const n = 100_000
    const series = {
      time: ids(n).map((i) => i + 1),
      latency: ids(n).map((i) => (i === 7 ? Number.NaN : 20)),
      packets: ids(n),
    }
    const values = { ...made().result.values, cycles: n - 1 }
    const drawn = figuresOf([{ ...made(), result: { ...made().result, values, tables: { series } } }]).filter((f) =>
      f.id.startsWith("series"),
    )
    expect(drawn.map((f) => f.id)).toEqual(["series-latency"])
    const { spots } = (drawn[0] as LinesFigure).lines[0]
    expect(spots.length).toBeLessThanOrEqual(501)
    expect(spots.at(-1)!.x).toBe(n - 1)
  },
)

const ids = (n: number): number[] => Array.from({ length: n }, (_, i) => i)

const twoAxes: LinesFigure = {
  kind: "lines",
  id: "two",
  title: "Two axes",
  caption: "",
  x: { label: "Time (us)" },
  y: { label: "Flits", min: 0, max: 4 },
  right: { label: "In use", min: 0, max: 1, format: "percent" },
  lines: [
    { name: "load", spots: [0, 2, 4].map((y, x) => ({ x, y })) },
    { name: "stash", spots: [0, 0.5, 1].map((y, x) => ({ x, y })), axis: "right" },
  ],
  markers: false,
}

describe("drawing", () => {
  test.each(figures.map((f) => [f.id, f] as const))(
    "%s is well-formed and has a value to read for each mark",
    (_id, figure) => {
      for (const width of [352, 480, 1040]) {
        const { svg, hits, height } = draw(figure, width)
        const { document } = parseHTML(`<body>${svg}</body>`)
        expect(document.querySelector("svg > title")?.textContent).toBe(figure.title)
        expect(svg).not.toMatch(/NaN|undefined|Infinity/)
        expect(hits.length).toBeGreaterThan(0)
        for (const h of hits) {
          expect(h.x).toBeGreaterThanOrEqual(0)
          expect(h.x + (h.w ?? 0)).toBeLessThanOrEqual(width + 0.01)
          expect(h.y + (h.h ?? 0)).toBeLessThanOrEqual(height)
        }
      }
    },
  )
  test("a spot stands where its axis says: equal loads at equal x, more latency higher", () => {
    const { hits } = draw(byId("latency"), 480)
    const minimal = hits.filter((h) => h.title === "dragonfly.minimal")
    const steps = minimal.slice(1, 6).map((h, i) => h.x - minimal[i].x)
    for (const s of steps) expect(s).toBeCloseTo(steps[0], 1)
    expect(minimal[4].y).toBeLessThan(minimal[0].y)
  })
  test("both sizes say the same values: the page writes them once", () => {
    for (const figure of figures) {
      const [narrow, wide] = [352, 480].map((width) =>
        draw(figure, width).hits.map(({ title, facts }) => [title, facts]),
      )
      expect(narrow).toEqual(wide)
    }
  })
  test(
    "a second axis: half of it is where half of the first is; values " +
      "without facts are read under the names of the axes",
    () => {
      const { hits, svg } = draw(twoAxes, 480)
      const at = (title: string, i: number) => hits.filter((h) => h.title === title)[i]
      // 2 of 4 flits per cycle, and 50 of 100 %
      expect(at("load", 1).y).toBeCloseTo(at("stash", 1).y, 1)
      expect(at("load", 0).y).toBeCloseTo(at("stash", 0).y, 1)
      expect(at("stash", 1).facts).toEqual([
        ["Time (us)", 1],
        ["In use", 0.5],
      ])
      expect(svg).toContain(">100 %<")
      expect(svg).toContain(">In use<")
    },
  )
  test(
    "marks: a cross where both coordinates are known, a rule where one is, " +
      "each with its source; figures grow to show them",
    () => {
      const marks = [
        { x: 2, y: 4, name: "cross", source: "text" },
        { x: 8, name: "upright", source: "text" },
        { y: 3, name: "level", source: "text" },
      ]
      const { hits, svg } = draw({ ...twoAxes, marks }, 480)
      const at = (title: string) => hits.find((h) => h.title === title)!
      expect([at("cross").w, at("upright").w, at("level").h]).toEqual([undefined, 0, 0])
      expect(at("cross").facts[0]).toEqual(["from", "text"])
      expect(at("upright").x).toBeGreaterThan(hits.find((h) => h.title === "load" && h.facts[0][1] === 2)!.x)
      expect(at("upright").x).toBeLessThan(480)
      expect(svg).toContain("numbers in the paper's text")
      expect(svg).not.toMatch(/NaN|undefined|Infinity/)
    },
  )
  test("colours of lines differ, the heat runs from dark to light", () => {
    for (const theme of [light, dark]) expect(new Set([0, 1, 2, 3, 4, 5, 6, 7].map((i) => theme[`c${i}`])).size).toBe(8)
    expect(colourOf(9)).toBe(colourOf(1))
    const grey = (c: string): number =>
      Number.parseInt(c.slice(1, 3), 16) * 0.3 +
      Number.parseInt(c.slice(3, 5), 16) * 0.59 +
      Number.parseInt(c.slice(5, 7), 16) * 0.11
    const steps = Array.from({ length: 21 }, (_, i) => grey(heat(i / 20)))
    for (let i = 1; i < steps.length; i++) expect(steps[i]).toBeGreaterThan(steps[i - 1])
  })
})

describe("files", () => {
  test("an SVG file stands alone; its colours are written out", () => {
    const svg = picture(byId("latency"), { theme: "dark", width: 640 })
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
    expect(svg).not.toContain("var(")
    expect(svg).toContain(dark["c0"])
  })
  test("without resvg a PNG is a complaint", async () => {
    const got = await pngFile(byId("latency"), { theme: "light", width: 640 }, () =>
      Promise.reject(new Error("absent")),
    )
    expect("bad" in got && got.bad[0].says).toBe("resvg is not installed.")
  })
  const resvg = import("@resvg/resvg-js").catch(() =>
    console.warn("resvg is not installed.: PNG files are not tested here"),
  )
  test("PNG files are twice the width", async () => {
    if ((await resvg) === undefined) return
    const folder = mkdtempSync(join(tmpdir(), "lacewing-figures-"))
    const paths = await writeFigures([byId("latency"), byId("channels-dragonfly.minimal")], folder, "png")
    if ("bad" in paths) throw new Error(paths.bad[0].says)
    const bytes = readFileSync(paths.ok[0])
    // the width stands in bytes 16 to 19 of a PNG
    expect([bytes.toString("latin1", 1, 4), bytes.readUInt32BE(16)]).toEqual(["PNG", 1280])
    rmSync(folder, { recursive: true })
  })
})

describe("numbers for people", () => {
  test.each([
    [0, "0"],
    [12.3456, "12.35"],
    [0.1, "0.1"],
    [0.123456, "0.1235"],
    [1234.5, "1235"],
    [1234567, "1\u202f234\u202f567"],
    [-3.5, "−3.5"],
    [1e-7, "1.000e−7"],
    [Number.NaN, "–"],
    [Number.POSITIVE_INFINITY, "∞"],
    [100, "100"],
  ])("%f is %s", (value, text) => expect(shown(value)).toBe(text))
  test("intervals decide the digits", () => {
    expect(withInterval(29.1034, 0.731)).toBe("29.10 ± 0.73")
    expect(withInterval(2401.3, 25.1)).toBe("2401 ± 25")
    expect(withInterval(0.62, 1e-6)).toBe("0.62")
    expect(withInterval(5, Number.NaN)).toBe("5")
  })
  test("keys and durations", () => {
    expect(["network.routing.name", "traffic.0.load", "load"].map(shortKey)).toEqual(["routing", "load", "load"])
    expect([0.2, 90, 600, 9000].map(duration)).toEqual(["200 ms", "90 s", "10 min", "2.5 h"])
  })
})

test("a series of each stream, with a mark where an endpoint is throttled for the first time", () => {
  const time = [100, 200, 300]
  const tables = {
    "victims.series": { time, latency: [20, 60, 30], packets: [1, 1, 1] },
    "hot.series": { time, accepted: [0, 0.5, 1], packets: [0, 1, 1] },
    throttled: { end: [8, 12], first: [150, 999], throttles: [1, 1], cycles: [10, 10] },
  }
  const values = { ...made().result.values, cycles: 300 }
  const drawn = figuresOf([{ ...made(), result: { ...made().result, values, tables } }]).filter(
    (f): f is LinesFigure => f.kind === "lines",
  )
  const shown = drawn.filter((f) => f.id.startsWith("series"))
  expect(shown.map((f) => f.id)).toEqual(["series-victims-latency", "series-hot-accepted"])
  // in the interval that ends in 200; what is behind the last interval is nowhere on the line
  expect(shown.map((f) => f.marks?.map(({ x, y, name }) => [x, y, name]))).toEqual([
    [[150, 60, "endpoint 8"]],
    [[150, 0.5, "endpoint 8"]],
  ])
  expect(draw(shown[0], 600).svg).toContain("an endpoint is throttled for the first time")
})
