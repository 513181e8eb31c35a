// What a clocked engine has counted at the end of an interval of its time series, and whether packets of a window are
// still missing.
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { CONTROL } from "../../fabric/flit.ts"
import type { Sample } from "../port.ts"

/** Returns the arrivals in interval `i`. The first `traffic` streams have an offered load. */
export function arrivalsIn(engine: ClockedEngine, i: number, traffic: number): Omit<Sample, "waiting"> {
  const { seriesCount, seriesLatency, seriesFlits } = engine.columns
  const { streams, seriesLength } = engine.constants
  const sum = { packets: 0, latency: 0, all: 0, traffic: 0 }
  for (let s = 0; s < streams * engine.parts; s++) {
    const at = s * seriesLength + i
    sum.packets += seriesCount[at]
    sum.latency += seriesLatency[at]
    sum.all += seriesFlits[at]
    if (s % streams < traffic) sum.traffic += seriesFlits[at]
  }
  return { ...sum, latency: sum.packets === 0 ? Number.NaN : sum.latency / sum.packets }
}

/**
 * Returns true if packets of the followed streams (undefined: all) that were created before cycle `to` have not
 * arrived. They are in the network, in a source
 * queue, or not yet created: creationTime is the time of the next packet of a source, and a source that cannot inject
 * lags behind.
 */
export function isMissing(engine: ClockedEngine, to: number, followed?: readonly number[]): boolean {
  const open = (stream?: number) => engine.stat("measuredOpen", stream) > 0
  if (followed === undefined ? open() : followed.some(open)) return true
  const { creationTime, control } = engine.columns
  if (control[CONTROL.quiet] <= to) return false
  const { ends, outerEnd } = engine.layout
  for (let i = 0; i < engine.constants.streams * ends; i++)
    if (creationTime[i] < to && outerEnd[i % ends] >= 0 && (followed?.includes(Math.floor(i / ends)) ?? true))
      return true
  return false
}
