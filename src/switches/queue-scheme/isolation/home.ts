// What the lines of a port lean on: timers, another look in the next cycle, and the count of lines over time. Ports of switches have it from the sweeps of their
// switch; those of adapters from their endpoint (../injection/lines.ts).
import { mark } from "../../parts/sweep.ts"
import type { Frame } from "../frame.ts"
import type { Lines } from "./columns.ts"
import { intervalOf } from "./series.ts"

/** What the lines of a port need of the switch, or adapter, around them. */
export type LineFrame = Pick<Frame, "site" | "ports" | "chains" | "p" | "table"> & {
  readonly scheme: Pick<Frame["scheme"], "lineFlits" | "asideFlits">
  readonly columns: Pick<Frame["columns"], "lacking" | "waiting">
}

export interface LineHome {
  enter(part: number): void
  /** timers of port q are to be looked at in cycle `at` */
  arm(q: number, at: number): void
  /** its normal queue is to be looked at in the next cycle */
  again(q: number): void
  /** lines born, or (negative) dead, in cycle t */
  count(by: number, t: number): void
}

export function switchHome({ site }: Pick<Frame, "site">, s: Lines): LineHome {
  const { PS, firstRouter } = site.layout
  const { constants } = site
  const { portWords: WORDS, portMarks: MARKS } = constants
  const { mask: MASK, timerDue, timerMarks, postDirty, postMarks, lineSeries } = s
  let wheel = 0
  let portBase = 0
  let series = 0

  function enter(part: number): void {
    wheel = part * (MASK + 1)
    portBase = firstRouter[part]! * PS
    series = part * constants.seriesLength
  }

  function arm(q: number, at: number): void {
    const slot = wheel + (at & MASK)
    const rel = q - portBase
    timerDue[slot * WORDS + (rel >> 5)]! |= 1 << rel
    timerMarks[slot * MARKS + (rel >> 10)]! |= 1 << (rel >> 5)
  }

  function again(q: number): void {
    mark(postDirty, postMarks, q)
  }

  function count(by: number, t: number): void {
    lineSeries[series + intervalOf(t, constants)]! += by
  }

  return { enter, arm, again, count }
}
