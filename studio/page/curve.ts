// The chart of latency over load: a line for each combination of the other parameters, and a mark for each point,
// averaged over its seeds. It is drawn directly as SVG, because it is updated after each run.
import { h } from "preact"
import { reasonMissing, valueIn } from "../../src/model/missing.ts"
import type { Finished } from "../shared/planner.ts"
import * as s from "./state.ts"

const W = 330
const H = 220
const LEFT = 36
const BOTTOM = 34
const TOP = 26
const shapes = ["●", "▲", "■", "◆", "▼", "★"]

interface Point {
  readonly load: number
  readonly latency: number
  readonly saturated: boolean
  /** true: one of its runs ended in a deadlock. */
  readonly deadlock: boolean
  readonly n: number
}

export function curvesOf(finished: readonly Finished[]): { name: string; points: Point[] }[] {
  const lines = new Map<string, Map<number, { sum: number; n: number; saturated: boolean; deadlock: boolean }>>()
  for (const { point, spec, result } of finished) {
    const load = Number(point["load"] ?? spec.traffic[0]?.load ?? 0)
    const name = Object.entries(point)
      .filter(([k]) => k !== "load")
      // A number needs the name of its key.
      .map(([k, v]) => (typeof v === "number" ? `${k} ${v}` : v))
      .join(" ")
    const line = lines.get(name) ?? new Map()
    const at = line.get(load) ?? { sum: 0, n: 0, saturated: false, deadlock: false }
    const reason = reasonMissing(result, "latency.mean")
    // A run without packets has no place on the curve.
    if (reason === "no packet" || reason === "not measured") continue
    line.set(load, {
      sum: at.sum + (valueIn(result, "latency.mean") ?? 0),
      n: at.n + 1,
      saturated: at.saturated || reason !== undefined,
      deadlock: at.deadlock || result.why === "deadlock",
    })
    lines.set(name, line)
  }
  return [...lines].map(([name, points]) => ({
    name: name === "" ? "this experiment" : name,
    points: [...points]
      .map(([load, p]) => ({ load, latency: p.sum / p.n, saturated: p.saturated, deadlock: p.deadlock, n: p.n }))
      .sort((a, b) => a.load - b.load),
  }))
}

/** Returns how a point ended, if it has no latency. */
const endOf = (p: Point): string | undefined => (p.deadlock ? "deadlock" : p.saturated ? "saturated" : undefined)

export function Curve() {
  const curves = curvesOf(s.finished.value)
  if (curves.length === 0) return h("p", { class: "about" }, "The latency curve appears here as runs finish.")
  const steady = curves.flatMap((c) => c.points).filter((p) => endOf(p) === undefined && p.latency > 0)
  const lowest = Math.min(...steady.map((p) => p.latency), 50)
  const top = Math.max(10, Math.min(Math.max(...steady.map((p) => p.latency), 0) * 1.15, lowest * 8))
  const right = Math.max(0.1, ...curves.flatMap((c) => c.points.map((p) => p.load))) * 1.05
  const grid = [ticks(top), ticks(right)] as const
  const x = (load: number) => LEFT + (load / right) * (W - LEFT - 8)
  const y = (latency: number) => H - BOTTOM - (Math.min(latency, top) / top) * (H - BOTTOM - TOP)
  const says = curves
    .map((c) => `${c.name}: ${c.points.map((p) => `${p.load} ${endOf(p) ?? p.latency.toFixed(1)}`).join(", ")}`)
    .join("; ")
  const still = curves.some((c) => c.points.some((p) => p.deadlock))
  return h(
    "svg",
    {
      id: "curve",
      class: "curve",
      viewBox: `0 0 ${W} ${H + 16 * (curves.length + (still ? 1 : 0))}`,
      role: "img",
      "aria-label": `Mean latency in cycles against offered load. ${says}`,
    },
    grid[0].map((t) =>
      h(
        "g",
        { key: `y${t}` },
        h("line", { class: "grid", x1: LEFT, x2: W - 8, y1: y(t), y2: y(t) }),
        h("text", { x: LEFT - 5, y: y(t) + 4, "text-anchor": "end" }, t),
      ),
    ),
    grid[1].map((t) => h("text", { key: `x${t}`, x: x(t), y: H - BOTTOM + 15, "text-anchor": "middle" }, t)),
    h("text", { x: (W + LEFT) / 2, y: H - 5, "text-anchor": "middle" }, "offered load"),
    h("text", { x: 2, y: 10 }, "mean latency (cycles)"),
    still
      ? h("text", { key: "still", class: "name", x: LEFT, y: H + 10 + 16 * curves.length }, "✖ deadlock")
      : undefined,
    curves.map((c, i) => {
      const whole = c.points.filter((p) => endOf(p) === undefined)
      return h("g", { key: c.name, class: `line${i % 6}` }, [
        h("polyline", {
          key: "l",
          points: whole.map((p) => `${x(p.load).toFixed(1)},${y(p.latency).toFixed(1)}`).join(" "),
        }),
        ...c.points.map((p) =>
          h(
            "text",
            {
              key: p.load,
              class: "mark",
              x: x(p.load),
              y: (endOf(p) === undefined ? y(p.latency) : TOP - 6) + 4,
              "text-anchor": "middle",
            },
            p.deadlock ? "✖" : shapes[i % 6],
            h("title", null, `${c.name}, load ${p.load}: ${endOf(p) ?? `${p.latency.toFixed(1)} cycles`} (${p.n})`),
          ),
        ),
        h(
          "text",
          { key: "n", class: "name", x: LEFT, y: H + 10 + 16 * i },
          h("tspan", null, shapes[i % 6]),
          ` ${c.name}`,
        ),
      ])
    }),
  )
}

/** Returns about five round numbers from 0 to `top`. */
function ticks(top: number): number[] {
  const unit = 10 ** Math.floor(Math.log10(top / 5))
  const step = unit * ([1, 2, 5].find((m) => top / (m * unit) <= 6) ?? 10)
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(6)))
}
