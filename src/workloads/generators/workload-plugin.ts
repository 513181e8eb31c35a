// The interface of workload plug-ins. A workload is a program of ranks, or background traffic that runs until the
// experiment ends. The experiment layer calls `make` or `load` for each entry of `jobs`.
import type { Checked } from "../../core/complaint.ts"
import type { Host } from "../../model/host.ts"
import type { Plugin } from "../../model/plugin.ts"
import type { Program } from "../program.ts"
import type { RankWriter } from "../writer.ts"

/**
 * Endless traffic between the ranks of a job. The engine runs it as a traffic stream on the endpoints of these ranks.
 */
export interface Background {
  readonly background: true
  readonly ranks: number
  /** Offered load of each rank, as a fraction of one endpoint channel. */
  readonly load: number
  /** Time in ps between two messages of a rank. */
  readonly period: number
  readonly phase: "random" | "together" | "exponential"
  readonly pattern: "uniform" | "ring" | "hotspot"
}

export type WorkloadPlugin<P> = Plugin<P, Program | Background, undefined> & {
  readonly kind: "workload"
  /** Replaces make() for workloads that read files. Paths of complaints are relative to the plug-in's map. */
  load?(p: P, host: Host): Checked<Program>
  /** the reader of traces that it was made of */
  readonly reader?: TraceReaderPlugin<unknown>
}

/** One file of a trace, decompressed. The whole file is in memory. */
export interface TraceFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A program as a reader returns it: `write` is called when a rank is needed, perhaps more than once. */
export interface ReadProgram {
  readonly ranks: number
  write(rank: number, to: RankWriter): void
}

export interface TraceReaderModel {
  /** `ranks`: the number that the experiment gives, for formats that do not contain it */
  read(files: readonly TraceFile[], ranks: number | undefined): Checked<ReadProgram>
}

export type TraceReaderPlugin<P> = Plugin<P, TraceReaderModel, undefined> & {
  readonly kind: "trace"
  /** a small trace, file name -> text, with which `lacewing contract` tests the reader */
  readonly sample?: Readonly<Record<string, string>>
}
