// Accepted load, latency and blocked flits of both sides over time, with the events below them. All share one time
// axis, which is also the slider of time.
import { h } from "preact"
import { useEffect, useRef } from "preact/hooks"
import * as actions from "./actions.ts"
import { clock, painters, redraw } from "./film/clock.ts"
import type { Counters, FilmEvent } from "./film/reel.ts"
import { type Ink, inkOf } from "./network/colours.ts"
import { isDark } from "./network.ts"
import * as s from "./state.ts"
import { axisOf, type Box, drawRow, type Row } from "./strips/row.ts"

const ROWS: readonly Row[] = [
  { name: "Accepted", unit: "flits/endpoint/cycle", of: (c: Counters) => c.accepted, log: false, digits: 3 },
  { name: "Latency", unit: "cycles, log scale", of: (c: Counters) => c.latency, log: true, digits: 0 },
  { name: "Blocked", unit: "flits", of: (c: Counters) => c.blocked, log: false, digits: 0 },
]
/** Height of the track of events, and the shortest time axis. */
const TRACK = 32
const SHORTEST = 600
/** Frames between two drawings of the strips. */
const EACH = 4
/** Keys on the slider and the cycles that they move. */
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -10, ArrowRight: 10, PageUp: -100, PageDown: 100 }
const eventNames: Readonly<Record<FilmEvent["kind"], string>> = { saturated: "Saturated", deadlock: "Deadlock" }

export function Strips() {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => (canvas.current === null ? undefined : show(canvas.current)), [])
  const cycle = s.pictures.value["A"]?.status.cycle ?? 0
  const limit = Math.max(s.sides.value[0]?.opened.limit ?? 0, cycle, 1)
  return h(
    "div",
    { class: "strips" },
    h("canvas", {
      ref: canvas,
      id: "time",
      tabIndex: 0,
      role: "slider",
      "aria-label": "Time",
      "aria-valuemin": 0,
      "aria-valuemax": limit,
      "aria-valuenow": cycle,
      "aria-valuetext": `cycle ${cycle.toLocaleString("en")}`,
    }),
    h(
      "ul",
      { class: "hidden", id: "events", "aria-label": "Events" },
      s.sides.value.flatMap(({ name, reel }) =>
        reel.events.map((e) =>
          h("li", { key: name + e.kind }, `${eventNames[e.kind]} ${name}, cycle ${e.cycle.toLocaleString("en")}`),
        ),
      ),
    ),
  )
}

function show(element: HTMLCanvasElement): () => void {
  const g = element.getContext("2d")!
  let box: Box = { left: 0, right: 1, end: SHORTEST, narrow: false }
  let turn = 0

  function paint(): void {
    const { clientWidth: width, clientHeight: height } = element
    if (width === 0 || (s.running.value && turn++ % EACH !== 0)) return
    const ratio = Math.min(2, globalThis.devicePixelRatio || 1)
    if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) {
      element.width = Math.round(width * ratio)
      element.height = Math.round(height * ratio)
    }
    g.setTransform(ratio, 0, 0, ratio, 0, 0)
    g.clearRect(0, 0, width, height)
    const ink = inkOf(isDark())
    const { value: sides } = s.sides
    box = axisOf(width, Math.max(SHORTEST, clock.t, ...sides.map(({ reel }) => reel.cycles.at(-1) ?? 0)))
    const each = (height - TRACK - 4) / ROWS.length
    for (const [i, row] of ROWS.entries())
      drawRow(g, ink, row, sides, box, { top: 4 + i * each, height: each, width, first: i === 0 })
    track(g, ink, sides, width, height)
  }

  /** Draws the track of events with the slider. */
  function track(g: CanvasRenderingContext2D, ink: Ink, sides: readonly s.Side[], width: number, height: number): void {
    const { left, right, end, narrow } = box
    const X = (cycle: number) => left + (cycle / end) * (right - left)
    const y = height - TRACK / 2 + 3
    const bar = (to: number, colour: string) => {
      g.fillStyle = colour
      g.fillRect(left, y - 1.5, to - left, 3)
    }
    bar(right, ink.line)
    bar(X(clock.t), ink.accent)
    g.font = "11px system-ui, sans-serif"
    g.textBaseline = "middle"
    g.textAlign = "left"
    g.fillStyle = ink.faint
    if (!narrow) {
      g.fillText("Events", 18, y)
      g.fillText(`${Math.round(end).toLocaleString("en")} cycles`, right + 14, y)
    }
    let written = Number.NEGATIVE_INFINITY
    const events = sides.flatMap(({ name, reel }) => reel.events.map((e) => ({ ...e, name })))
    for (const { cycle, kind, name } of events.sort((a, b) => a.cycle - b.cycle)) {
      const x = X(cycle)
      const colour = kind === "deadlock" ? ink.dead : ink.warn
      g.strokeStyle = colour
      g.fillStyle = colour
      g.lineWidth = 1.5
      g.setLineDash([3, 3])
      g.beginPath()
      g.moveTo(x, 4)
      g.lineTo(x, y)
      g.stroke()
      g.setLineDash([])
      g.beginPath()
      if (kind === "deadlock") {
        g.moveTo(x, y - 8)
        g.lineTo(x + 8, y + 6)
        g.lineTo(x - 8, y + 6)
      } else g.rect(x - 5, y - 5, 10, 10)
      g.fill()
      const says = `${eventNames[kind]} ${name}`
      if (x + 11 < written) continue
      g.font = "650 11.5px system-ui, sans-serif"
      const wide = g.measureText(says).width
      const at = x + 11 + wide > width - 4 ? x - 11 - wide : x + 11
      g.fillText(says, at, y - 8)
      written = at + wide
    }
    g.fillStyle = ink.strong
    g.fillRect(X(clock.t) - 0.75, 4, 1.5, y - 4)
    g.beginPath()
    g.arc(X(clock.t), y, 6.5, 0, 7)
    g.fill()
    g.textBaseline = "alphabetic"
  }

  const on = new AbortController()
  const { signal } = on
  const goTo = (e: PointerEvent) => {
    const x = e.clientX - element.getBoundingClientRect().left
    const reached = Math.max(0, ...s.sides.value.map(({ reel }) => reel.cycles.at(-1) ?? 0))
    const cycle = Math.round(((x - box.left) / (box.right - box.left)) * box.end)
    void actions.seek(Math.max(0, Math.min(reached, cycle)))
  }
  let dragging = false
  element.addEventListener(
    "pointerdown",
    (e) => {
      dragging = true
      element.setPointerCapture(e.pointerId)
      goTo(e)
    },
    { signal },
  )
  element.addEventListener("pointermove", (e) => void (dragging && goTo(e)), { signal })
  element.addEventListener("pointerup", () => void (dragging = false), { signal })
  element.addEventListener("pointercancel", () => void (dragging = false), { signal })
  element.addEventListener(
    "keydown",
    (e) => {
      const by = STEPS[e.key]
      if (by === undefined) return
      e.preventDefault()
      void actions.step(by)
    },
    { signal },
  )
  const sized = new ResizeObserver(redraw)
  sized.observe(element)
  painters.add(paint)
  redraw()
  return () => {
    painters.delete(paint)
    sized.disconnect()
    on.abort()
  }
}
