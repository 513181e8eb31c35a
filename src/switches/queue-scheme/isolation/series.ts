// Congestion trees over time: lines in use and flits of messages in each interval of the probe `series`.
import type { TransferConstants } from "../../../fabric/packets.ts"
import type { Table } from "../../../model/experiment.ts"
import type { SharedState } from "../shared-state.ts"

type Intervals = Pick<TransferConstants, "seriesInterval" | "seriesLength">

/** Returns the interval of a cycle. Cycles after the last interval count as part of it. */
export function intervalOf(t: number, { seriesInterval, seriesLength }: Intervals): number {
  return Math.min(Math.floor(t / seriesInterval), seriesLength - 1)
}

/**
 * Returns the time series. `time` is the end of an interval, `lines` the lines in use at that time over all input
 * ports, and `flits` the flits of messages sent in the interval.
 */
export function isolationSeries(
  { site, lines, talk }: Pick<SharedState, "site" | "lines" | "talk">,
  now: number,
): Table {
  const { seriesInterval: interval, seriesLength: length } = site.constants
  const rows = Math.min(Math.ceil(now / interval), length)
  const { parts } = site.layout
  const of = (column: Int32Array, i: number): number => {
    let all = 0
    for (let part = 0; part < parts; part++) all += column[part * length + i]
    return all
  }
  const time = Array.from({ length: rows }, (_, i) => (i + 1) * interval)
  const flits = time.map((_, i) => of(talk!.noteSeries, i))
  if (lines === undefined) return { time, flits }
  let alive = 0
  return { time, lines: time.map((_, i) => (alive += of(lines.lineSeries, i))), flits }
}
