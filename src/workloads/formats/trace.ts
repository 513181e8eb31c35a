// What a reader of traces takes and what it makes of them. A format is a record like a plug-in's: a name, one sentence, how its files are known, a reader.
import type { Complaint } from "../../core/complaint.ts"
import type { Program } from "../program.ts"
import type { Sink } from "./bytes/sink.ts"

export interface ReadOptions {
  /** digests of files and of all records, which cost more than reading them */
  readonly digests?: boolean
  /** ranks of a list that does not say for how many it is */
  readonly ranks?: number
  /** floating-point operations in a second, for traces that count them */
  readonly flops?: number
}

export interface Trace {
  readonly format: string
  /** ranks of the program, those that are missing included */
  readonly ranks: number
  readonly missing: readonly number[]
  /** what the trace says, in the terms of its format */
  readonly summary: Readonly<Record<string, unknown>>
  /** absent when the files are too damaged for one */
  readonly program?: Program
  /** what is left out of the program, or missing in the trace: it can be looked at, and perhaps run */
  readonly notes: readonly Complaint[]
  /** what is wrong */
  readonly bad: readonly Complaint[]
}

/** Gets every file of one trace. */
export interface TraceReader {
  file(name: string, head: Uint8Array): Sink
  /** All files are read; "again": now that it knows more, it wants to see all of them once more. */
  finish(): Trace | "again"
}

export interface TraceFormat {
  readonly name: string
  readonly about: string
  /** Whether a file of this name that begins so is one of its files; `text` is the same as text. */
  accepts(name: string, head: Uint8Array, text: string): boolean
  read(trace: string, options: ReadOptions): TraceReader
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}

/** The largest number of ranks that any trace may claim. */
export const mostRanks = 2 ** 20

/** "3, 5, 7 and 12 more" */
export function few(list: readonly (number | string)[], most = 8): string {
  return list.length <= most ? list.join(", ") : `${list.slice(0, most).join(", ")} and ${list.length - most} more`
}
