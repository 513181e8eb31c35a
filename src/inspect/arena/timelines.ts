// The victims' latency over time for each participant side by side: small panels with common axes. The axis of the
// latency is logarithmic, because participants differ by orders of magnitude.
import type { RunRecord } from "../../results/record.ts"
import { gridOf, type Judged } from "./judged.ts"
import { bandOf, movingMean, type Series, seriesOf } from "./settling.ts"
import { IDEAL } from "./standings.ts"

export interface Timeline {
  readonly participant: string
  /** [interval] -> moving mean of the latency over the seeds; NaN: no victim arrived */
  readonly latency: readonly number[]
}

export interface Timelines {
  readonly point: RunRecord["point"]
  /** cycles of an interval, and of the start of the hot flows */
  readonly interval: number
  readonly onset: number
  /** latency below which the victims count as settled */
  readonly band: number | undefined
  readonly lines: readonly Timeline[]
}

/** Returns the time lines of the last grid point; undefined if no hot flows start there later. */
export function timelinesOf(records: readonly Judged[], order: readonly string[]): Timelines | undefined {
  const at = gridOf(records).at(-1)
  if (at === undefined) return undefined
  const found = order.flatMap((participant) => {
    const series = [...(at.runs.get(participant)?.values() ?? [])].flatMap((run) => seriesOf(run) ?? [])
    return series.length === 0 ? [] : [{ participant, series }]
  })
  const [first] = found
  if (first === undefined) return undefined
  const { interval, onset } = first.series[0]
  const still = found.find((f) => f.participant === IDEAL)
  return {
    point: at.point,
    interval,
    onset: onset * interval,
    band: still === undefined ? undefined : bandOf(still.series),
    lines: found.map(({ participant, series }) => ({ participant, latency: meanOver(series) })),
  }
}

function meanOver(series: readonly Series[]): number[] {
  return series[0].latency.map((_, i) => {
    const there = series.map((s) => movingMean(s, i)).filter((v) => !Number.isNaN(v))
    return there.reduce((a, b) => a + b, 0) / there.length
  })
}

const [WIDTH, HEIGHT] = [220, 120]
const [LEFT, TOP, BOTTOM] = [34, 6, 18]

/** Returns the panels as SVG, in the order of the lines. */
export function panelsOf(t: Timelines): string[] {
  const values = t.lines.flatMap((l) => l.latency).filter((v) => v > 0)
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)))
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values, (t.band ?? 0) * 1.01)))
  const count = Math.max(...t.lines.map((l) => l.latency.length))
  const x = (cycles: number) => LEFT + (cycles / (count * t.interval)) * (WIDTH - LEFT - 4)
  const y = (v: number) => TOP + (1 - Math.log10(v / low) / Math.log10(high / low)) * (HEIGHT - TOP - BOTTOM)
  const ticks: number[] = []
  for (let v = low; v <= high * 1.001; v *= 10) ticks.push(v)
  const grid = ticks
    .map(
      (v) =>
        `<path d="M${LEFT} ${y(v).toFixed(1)}H${WIDTH - 4}" stroke="var(--grid)"/>` +
        `<text x="${LEFT - 4}" y="${(y(v) + 3).toFixed(1)}" text-anchor="end">${thousands(v)}</text>`,
    )
    .join("")
  const end = count * t.interval
  const times = [t.onset, end].map(
    (v) =>
      `<text x="${x(v).toFixed(1)}" y="${HEIGHT - 5}" text-anchor="${v === end ? "end" : "middle"}">${thousands(v)}</text>`,
  )
  const band =
    t.band === undefined
      ? ""
      : `<rect x="${LEFT}" y="${y(t.band).toFixed(1)}" width="${WIDTH - 4 - LEFT}" ` +
        `height="${(HEIGHT - BOTTOM - y(t.band)).toFixed(1)}" fill="var(--c2)" fill-opacity="0.13"/>`
  const onset = `<path d="M${x(t.onset).toFixed(1)} ${TOP}V${HEIGHT - BOTTOM}" stroke="var(--muted)" stroke-dasharray="2 3"/>`
  return t.lines.map(({ participant, latency }) => {
    const label = `Latency of the victims over time with ${participant.replace(/[<>&"]/g, "")}`
    return (
      `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}" fill="var(--muted)" font-size="9">${band}${grid}` +
      `${times.join("")}${onset}<path d="${pathOf(latency, (i) => x((i + 1) * t.interval), y)}" fill="none" ` +
      `stroke="var(--c0)" stroke-width="1.6"/></svg>`
    )
  })
}

/** A line with gaps where no victim arrived. */
function pathOf(values: readonly number[], x: (i: number) => number, y: (v: number) => number): string {
  let path = ""
  let drawing = false
  for (const [i, v] of values.entries()) {
    if (v > 0) path += `${drawing ? "L" : "M"}${x(i).toFixed(1)} ${y(v).toFixed(1)}`
    drawing = v > 0
  }
  return path
}

const thousands = (v: number) => (v >= 1000 ? `${v / 1000}k` : String(v))
