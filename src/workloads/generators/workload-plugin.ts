// What `jobs` name: a program, or traffic that goes on beside them.
import type { Plugin } from "../../model/plugin.ts"
import type { Program } from "../program.ts"

/** Traffic between ranks that never ends: a stream on endpoints of its own. */
export interface Background {
  readonly background: true
  readonly ranks: number
  /** of one endpoint channel */
  readonly load: number
  /** ps between two messages of a rank */
  readonly period: number
  readonly phase: "random" | "together" | "exponential"
  readonly pattern: "uniform" | "ring" | "hotspot"
}

export type WorkloadPlugin<P> = Plugin<P, Program | Background, undefined> & { readonly kind: "workload" }
