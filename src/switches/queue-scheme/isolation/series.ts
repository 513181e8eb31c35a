// Congestion trees over time: lines in use and flits of messages, interval by interval of the probe `series`.
import type { TransferConstants } from "../../../fabric/packets.ts"
import type { Table } from "../../../model/experiment.ts"
import type { Frame } from "../frame.ts"

type Intervals = Pick<TransferConstants, "seriesInterval" | "seriesLength">

/** The interval of a cycle; what comes after the last one counts as of that. */
export function intervalOf(t: number, { seriesInterval, seriesLength }: Intervals): number {
  return Math.min(Math.floor(t / seriesInterval), seriesLength - 1)
}

/** `time`: the end of an interval; `lines` in use at it, over all input ports; `flits` of messages that set out in it. */
export function isolationSeries({ site, lines, talk }: Pick<Frame, "site" | "lines" | "talk">, now: number): Table {
  const { seriesInterval: interval, seriesLength: length } = site.constants
  const rows = Math.min(Math.ceil(now / interval), length)
  const { parts } = site.layout
  const of = (column: Int32Array, i: number): number => {
    let all = 0
    for (let part = 0; part < parts; part++) all += column[part * length + i]!
    return all
  }
  const time = Array.from({ length: rows }, (_, i) => (i + 1) * interval)
  const flits = time.map((_, i) => of(talk!.noteSeries, i))
  if (lines === undefined) return { time, flits }
  let alive = 0
  return { time, lines: time.map((_, i) => (alive += of(lines.lineSeries, i))), flits }
}
