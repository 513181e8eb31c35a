// The chart of a sweep: a line for each combination of the other parameters, and a mark for each point. A click on a
// mark opens its run. It is drawn directly as SVG, because it is updated while runs are simulated.
import { h } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { axisOf, type Curve, curvesOf, measures, type Point, type Row } from "./points.ts"

const LEFT = 46
const BOTTOM = 36
const TOP = 28
const RIGHT = 12
/** Width of a name in the list of lines. */
const NAME = 250
const shapes = ["●", "▲", "■", "◆", "▼", "★"]

const hasNoValue = (p: Point): boolean => p.n > 0 && p.y === undefined

/** Says how a point ended, or its value. */
function valueText(p: Point): string {
  if (p.state === "waiting" || p.state === "stopped") return p.state
  const value = p.y === undefined ? "" : p.y < 2 ? p.y.toFixed(3) : p.y.toFixed(1)
  return [p.state === "done" ? "" : p.state, value].filter(Boolean).join(", ")
}

interface Props {
  readonly rows: readonly Row[]
  readonly measure: string
  readonly open?: ((id: string) => unknown) | undefined
}

/** The chart in the width of its container. */
export function Chart({ rows, measure, open }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(560)
  useEffect(() => {
    const sized = new ResizeObserver(() => setWidth(container.current?.clientWidth ?? 560))
    sized.observe(container.current!)
    return () => sized.disconnect()
  }, [])
  return h("div", { class: "chart", ref: container }, h(Picture, { rows, measure, width, open }))
}

export function Picture({ rows, measure, width, open }: Props & { readonly width: number }) {
  const axis = axisOf(rows)
  const curves = curvesOf(rows, measure, axis)
  const all = curves.flatMap((c) => c.points)
  if (all.length === 0) return h("p", { class: "about" }, "The curve appears here as runs finish.")
  const height = width > 480 ? 340 : 240
  const isLatency = measure.startsWith("latency")
  const known = all.filter((p) => p.n > 0 && p.y !== undefined && p.state === "done").map((p) => p.y!)
  const placed = known.length > 0 ? known : all.flatMap((p) => p.y ?? [])
  const lowest = Math.min(...placed, isLatency ? 50 : Number.POSITIVE_INFINITY)
  const most = Math.max(...placed, 0) * 1.15
  const top = isLatency ? Math.max(10, Math.min(most, lowest * 8)) : most > 0 ? most : 1
  const right = Math.max(0.1, ...all.map((p) => p.x)) * 1.05
  const columns = Math.max(1, Math.floor((width - LEFT) / NAME))
  const lines = Math.ceil((curves.length + (all.some((p) => p.state === "deadlock") ? 1 : 0)) / columns)
  const x = (v: number) => LEFT + (v / right) * (width - LEFT - RIGHT)
  const y = (v: number) => height - BOTTOM - (Math.min(v, top) / top) * (height - BOTTOM - TOP)
  const words = curves.map((c) => `${c.name}: ${c.points.map((p) => `${p.x} ${valueText(p)}`).join(", ")}`).join("; ")
  const line = (i: number) => ({ x: LEFT + (i % columns) * NAME, y: height + 14 + 18 * Math.floor(i / columns) })
  return h(
    "svg",
    {
      id: "curve",
      class: "curve",
      viewBox: `0 0 ${width} ${height + 8 + 18 * lines}`,
      role: "img",
      "aria-label": `${measures[measure] ?? measure} against ${axis}. ${words}`,
    },
    ticks(top).map((t) =>
      h(
        "g",
        { key: `y${t}` },
        h("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(t), y2: y(t) }),
        h("text", { x: LEFT - 6, y: y(t) + 4, "text-anchor": "end" }, t),
      ),
    ),
    ticks(right).map((t) => h("text", { key: `x${t}`, x: x(t), y: height - BOTTOM + 16, "text-anchor": "middle" }, t)),
    h(
      "text",
      { x: (width + LEFT) / 2, y: height - 4, "text-anchor": "middle" },
      axis === "load" ? "offered load" : axis,
    ),
    h("text", { x: 2, y: 11 }, measures[measure] ?? measure),
    all.some(hasNoValue)
      ? h("text", { x: width - RIGHT, y: 11, "text-anchor": "end" }, "above the line: saturated")
      : null,
    all.some(hasNoValue) ? h("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: TOP + 4, y2: TOP + 4 }) : null,
    all.some((p) => p.state === "deadlock") ? h("text", { class: "name", ...line(curves.length) }, "✖ deadlock") : null,
    curves.map((curve, i) =>
      h(
        "g",
        { key: curve.name, class: `line${i % 6}` },
        h("polyline", { points: lineOf(curve, x, y) }),
        curve.points.map((p) => h(Mark, { key: p.x, p, x: x(p.x), y, shape: shapes[i % 6], name: curve.name, open })),
        h("text", { class: "name", ...line(i) }, h("tspan", null, shapes[i % 6]), ` ${curve.name}`),
      ),
    ),
  )
}

const lineOf = ({ points }: Curve, x: (v: number) => number, y: (v: number) => number): string =>
  points
    .filter((p) => p.n > 0 && p.y !== undefined)
    .map((p) => `${x(p.x).toFixed(1)},${y(p.y!).toFixed(1)}`)
    .join(" ")

interface MarkProps {
  readonly p: Point
  readonly x: number
  readonly y: (v: number) => number
  readonly shape: string
  readonly name: string
  readonly open: Props["open"]
}

/** A point without a value is at the upper border, and one that has not begun is on the axis. */
function Mark({ p, x, y, shape, name, open }: MarkProps) {
  const at = hasNoValue(p) ? TOP - 6 : y(p.y ?? 0)
  const title = h("title", null, `${name}, ${p.x}: ${valueText(p)}${p.n > 1 ? ` (${p.n} runs)` : ""}`)
  const onClick = open === undefined ? undefined : () => void open(p.id)
  return p.n === 0
    ? h("circle", { class: `ghost ${p.state}`, cx: x, cy: at, r: 4.5, onClick }, title)
    : h(
        "text",
        { class: "mark", x, y: at + 4, "text-anchor": "middle", onClick },
        p.state === "deadlock" ? "✖" : shape,
        title,
      )
}

/** Returns about five round numbers from 0 to `top`. */
function ticks(top: number): number[] {
  const unit = 10 ** Math.floor(Math.log10(top / 5))
  const step = unit * ([1, 2, 5].find((m) => top / (m * unit) <= 6) ?? 10)
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(6)))
}
