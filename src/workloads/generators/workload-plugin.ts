// What `jobs` name: a program, or traffic that goes on beside them.
import type { Checked } from "../../core/complaint.ts"
import type { Host } from "../../model/host.ts"
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

export type WorkloadPlugin<P> = Plugin<P, Program | Background, undefined> & {
  readonly kind: "workload"
  /** in place of make(), where files are read; paths of complaints are relative to the plug-in's map */
  load?(p: P, host: Host): Checked<Program>
}
