// The interface of trace formats: the input of a reader and its result. A format has a name, a description, a test for
// its files and a reader. formats.ts lists all formats.
import type { Complaint } from "../../core/complaint.ts"
import type { Program } from "../program.ts"
import type { Sink } from "./bytes/sink.ts"

export interface ReadOptions {
  /** Compute digests of files and of all records. They cost more time than reading. */
  readonly digests?: boolean
  /** Number of ranks, for formats that do not contain it. */
  readonly ranks?: number
  /** Floating-point operations per second, for traces that count operations. */
  readonly flops?: number
}

export interface Trace {
  readonly format: string
  /** Ranks of the program, including missing ones. */
  readonly ranks: number
  readonly missing: readonly number[]
  /** Statistics of the trace, in the terms of its format. */
  readonly summary: Readonly<Record<string, unknown>>
  /** Undefined if the files are too damaged. */
  readonly program?: Program
  /** Parts that are missing in the trace or left out of the program. The trace can be inspected, and perhaps run. */
  readonly notes: readonly Complaint[]
  /** Errors. */
  readonly bad: readonly Complaint[]
}

/** Receives every file of one trace. */
export interface TraceReader {
  file(name: string, head: Uint8Array): Sink
  /**
   * Called after all files. Returns the trace, or "again" to read all files once more with the knowledge of the first
   * pass.
   */
  finish(): Trace | "again"
}

export interface TraceFormat {
  readonly name: string
  readonly about: string
  /** Returns true if a file with this name and these first bytes belongs to the format; `text` is the head as text. */
  accepts(name: string, head: Uint8Array, text: string): boolean
  read(trace: string, options: ReadOptions): TraceReader
}

/** Returns the last part of a path, which may have the separators of any system. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
}

/** Maximum number of ranks of a trace. */
export const mostRanks = 2 ** 20

/** Returns a list such as "3, 5, 7 and 12 more". */
export function few(list: readonly (number | string)[], most = 8): string {
  return list.length <= most ? list.join(", ") : `${list.slice(0, most).join(", ")} and ${list.length - most} more`
}
