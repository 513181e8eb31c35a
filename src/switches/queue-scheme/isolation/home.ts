// The services that the lines of a port need: timers, another check in the next cycle, and the count of lines over
// time. In a switch they use its ready sets; in an adapter they use its endpoint (../injection/lines.ts).
import { mark } from "../../parts/ready-sets.ts"
import type { SharedState } from "../shared-state.ts"
import type { Lines } from "./columns.ts"
import { intervalOf } from "./series.ts"

/** The state of the surrounding switch, or adapter, that lines need. */
export type LineState = Pick<SharedState, "site" | "ports" | "packetQueues" | "p" | "table"> & {
  readonly scheme: Pick<SharedState["scheme"], "lineFlits" | "asideFlits">
  readonly columns: Pick<SharedState["columns"], "stalledSince" | "waiting">
}

export interface LineHome {
  enter(part: number): void
  /** Checks the timers of port q in cycle `at`. */
  arm(q: number, at: number): void
  /** Checks the normal queue of port q in the next cycle. */
  again(q: number): void
  /** Counts lines that are allocated, or (negative) freed, in cycle t. */
  count(by: number, t: number): void
}

export function switchHome({ site }: Pick<SharedState, "site">, s: Lines): LineHome {
  const { PS, firstRouter } = site.layout
  const { constants } = site
  const { portWords: WORDS, portMarks: MARKS } = constants
  const { mask: MASK, timerDue, timerMarks, postPending, postMarks, lineSeries } = s
  let wheel = 0
  let portBase = 0
  let series = 0

  function enter(part: number): void {
    wheel = part * (MASK + 1)
    portBase = firstRouter[part] * PS
    series = part * constants.seriesLength
  }

  function arm(q: number, at: number): void {
    const slot = wheel + (at & MASK)
    const rel = q - portBase
    timerDue[slot * WORDS + (rel >> 5)] |= 1 << rel
    timerMarks[slot * MARKS + (rel >> 10)] |= 1 << (rel >> 5)
  }

  function again(q: number): void {
    mark(postPending, postMarks, q)
  }

  function count(by: number, t: number): void {
    lineSeries[series + intervalOf(t, constants)] += by
  }

  return { enter, arm, again, count }
}
