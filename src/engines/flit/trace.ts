// Trace events for probes: writes a row to the ring of the running partition. `ON` is a constant of every loop: if it
// is false, none of these functions is called. fabric/trace-rings.ts reads the rings.

import type { counterColumns, TrafficConstants } from "../../fabric/flit.ts"
import { ROW, TRACE_RING } from "../../fabric/trace-rings.ts"

export interface Tracing {
  readonly ON: boolean
  enter(part: number): void
  /** Sets the present cycle. */
  tick(t: number): void
  /** Records an event of the present cycle. */
  traceEvent(kind: number, a: number, b: number, c: number): void
  /** Records an event that takes effect at the end of `cycle`, which may be in the future. */
  traceEventAt(cycle: number, kind: number, a: number, b: number, c: number): void
}

export interface TracingSpec {
  readonly constants: Pick<TrafficConstants, "watch">
  readonly columns: Pick<ReturnType<typeof counterColumns>, "traceRows" | "traceRings">
}

export function makeTracing({ constants, columns }: TracingSpec): Tracing {
  const { traceRows, traceRings } = columns
  const { traceRows: CAPACITY, kinds: KINDS } = constants.watch
  const { size: SIZE } = ROW
  const { size: RING, full: FULL, lost: LOST } = TRACE_RING
  let ring = 0
  let first = 0
  let now = 0

  function enter(part: number): void {
    ring = part * RING
    first = part * CAPACITY * SIZE
  }

  function tick(t: number): void {
    now = t
  }

  function traceEvent(kind: number, a: number, b: number, c: number): void {
    traceEventAt(now, kind, a, b, c)
  }

  // An overwritten row is lost; `lost` stores its cycle, so that readers know from which cycle on the trace is
  // complete.
  function traceEventAt(cycle: number, kind: number, a: number, b: number, c: number): void {
    if (((KINDS >>> kind) & 1) === 0) return
    const n = traceRings[ring]
    const at = first + n * SIZE
    if (traceRings[ring + FULL] !== 0) traceRings[ring + LOST] = traceRows[at] + 1
    traceRows[at] = now
    traceRows[at + 1] = cycle
    traceRows[at + 2] = kind
    traceRows[at + 3] = a
    traceRows[at + 4] = b
    traceRows[at + 5] = c
    if (n + 1 < CAPACITY) traceRings[ring] = n + 1
    else {
      traceRings[ring] = 0
      traceRings[ring + FULL] = 1
    }
  }

  return { ON: CAPACITY > 0, enter, tick, traceEvent, traceEventAt }
}
