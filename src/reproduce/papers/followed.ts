// Latency of followed packets: a run waits for all packets of its window (drain: measured). A run that reaches its
// limit before has no latency of its slowest packets, so its mean is a lower bound, and a row that reads it says so.
import type { MeasuredRun } from "../../experiment/rows/series.ts"
import type { Row } from "./paper.ts"

/** Whether the run ended before all packets of its window had arrived. */
const isUndrained = (run: MeasuredRun): boolean =>
  run.spec?.measure.drain === "measured" && (run.result.why === "limit" || run.result.why === "saturated")

/** Returns the row with a note about runs whose latency is only a lower bound. `read`: the runs whose latency it reads. */
export function followed(row: Row, read: readonly MeasuredRun[]): Row {
  const few = read.filter(isUndrained).length
  if (few === 0) return row
  const says = `latency of ${few} of ${read.length} runs: at least this, packets of their windows did not arrive in time`
  return { ...row, note: row.note === undefined ? says : `${row.note}; ${says}` }
}
