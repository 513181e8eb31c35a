// Trace events of CAM lines, if a probe needs them.
import type { SwitchPorts } from "../../../fabric/transfer.ts"
import { TRACE } from "../../../model/trace-events.ts"
import type { SharedState } from "../shared-state.ts"

export interface LineLog {
  readonly ON: boolean
  allocated(q: number, i: number, hops: number, output: number): void
  died(q: number, i: number, lived: number): void
  /** Line i of output x stops, or continues. */
  gate(x: number, i: number, hops: number, stopped: boolean): void
}

export function makeLog(
  { site, ports }: Pick<SharedState, "site" | "ports">,
  { traceEvent }: Pick<SwitchPorts, "traceEvent">,
): LineLog {
  const { outerRouter } = site.layout
  const { router, local } = ports
  const write = (kind: number, port: number, i: number, value: number): void => {
    if (traceEvent !== undefined) traceEvent(kind, outerRouter[router[port]], local[port] * 256 + i, value)
  }
  const { lineAllocated, lineFreed, lineStopped, lineGo } = TRACE
  return {
    ON: traceEvent !== undefined,
    allocated: (q, i, hops, output) => write(lineAllocated, q, i, hops * 256 + output),
    died: (q, i, lived) => write(lineFreed, q, i, lived),
    gate: (x, i, hops, stopped) => write(stopped ? lineStopped : lineGo, x, i, hops),
  }
}
