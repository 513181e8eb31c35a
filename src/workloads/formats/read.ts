// Reads a trace of any known format from the bytes of its files. The first file that a format accepts selects the
// reader. `lacewing trace` uses the asynchronous form, experiments the synchronous one.
import { type Complaint, complain, nearest } from "../../core/complaint.ts"
import { isIdle } from "../program.ts"
import { Complaints } from "./bytes/bad.ts"
import type { Sink, Sources } from "./bytes/sink.ts"
import { walk } from "./bytes/walk.ts"
import { type HereSource, walkHere } from "./bytes/walk-here.ts"
import { traceFormats } from "./formats.ts"
import { mostRanks, type ReadOptions, type Trace, type TraceFormat, type TraceReader } from "./trace.ts"

const passes = 3

export interface ReadTrace {
  readonly trace?: Trace
  readonly bad: readonly Complaint[]
}

/**
 * Reads a trace. `name` is the name of the trace in complaints. `format` is required if the format cannot be detected.
 * A damaged trace has `bad`; if there is no trace, only `bad` is returned.
 */
export async function readTrace(
  name: string,
  sources: Sources,
  options: ReadOptions = {},
  format?: string,
): Promise<ReadTrace> {
  const reading = new Reading(name, options, format)
  if (reading.refused.length > 0) return { bad: reading.refused }
  for (;;) {
    await walk(sources(), reading.open, reading.begin())
    const done = reading.end()
    if (done !== "again") return done
  }
}

/** The synchronous form, for files that can be read at once. `inflate` decompresses gzip, if the host has it. */
export function readTraceHere(
  name: string,
  sources: () => Iterable<HereSource>,
  options: ReadOptions = {},
  format?: string | TraceFormat,
  inflate?: (bytes: Uint8Array) => Uint8Array,
): ReadTrace {
  const reading = new Reading(name, options, format)
  if (reading.refused.length > 0) return { bad: reading.refused }
  for (;;) {
    walkHere(sources(), reading.open, reading.begin(), inflate)
    const done = reading.end()
    if (done !== "again") return done
  }
}

/** The common part of both forms: selects the format, and feeds all files again if the reader requests it. */
class Reading {
  readonly refused: readonly Complaint[]
  readonly #name: string
  readonly #options: ReadOptions
  readonly #forced: boolean
  #format: TraceFormat | undefined
  #reader: TraceReader | undefined
  #bad = new Complaints()
  #passed = 0
  #seen: string[] = []
  #pass = 0

  constructor(name: string, options: ReadOptions, format: string | TraceFormat | undefined) {
    this.#name = name
    this.#options = options
    this.#forced = format !== undefined
    this.#format = typeof format === "object" ? format : traceFormats.find((f) => f.name === format)
    this.refused = refusals(options, typeof format === "object" ? undefined : format)
  }

  begin(): Complaints {
    this.#bad = new Complaints()
    this.#passed = 0
    this.#seen = []
    return this.#bad
  }

  readonly open = (file: string, head: Uint8Array): Sink | undefined => {
    const text = new TextDecoder("latin1").decode(head)
    const takes = this.#format ?? traceFormats.find((f) => f.accepts(file, head, text))
    if (takes === undefined || (!this.#forced && !takes.accepts(file, head, text))) {
      this.#passed++
      if (this.#seen.length < 3) this.#seen.push(file)
      return undefined
    }
    this.#format = takes
    this.#reader ??= takes.read(this.#name, this.#options)
    return this.#reader.file(file, head)
  }

  end(): ReadTrace | "again" {
    const bad = this.#bad
    const name = this.#name
    if (this.#reader === undefined) {
      if (bad.all.length > 0) return { bad: bad.told(name) }
      const names = traceFormats.map((f) => f.name).join(", ")
      const what =
        this.#passed === 0
          ? "there is no file in it"
          : `none of its files is one that is known (${this.#seen.join(", ")})`
      return {
        bad: [
          complain(name, `${what}; expected one of ${names}`, "name the trace itself, or say what it is with --format"),
        ],
      }
    }
    const made = this.#reader.finish()
    if (made !== "again")
      return { trace: { ...made, bad: [...bad.told(name), ...made.bad, ...emptiness(name, made)] }, bad: [] }
    if (this.#pass++ === passes) throw new Error("a reader of traces never ends")
    return "again"
  }
}

/** Reports a trace without any operation: a truncated copy would otherwise be a perfect run. */
function emptiness(name: string, { program, missing, bad }: Trace): Complaint[] {
  if (program === undefined || missing.length > 0 || bad.length > 0 || !isIdle(program)) return []
  return [
    complain(
      name,
      "The trace is empty: no rank computes, sends or receives.",
      "check that it was written and copied whole, and that its format is right",
    ),
  ]
}

function refusals(options: ReadOptions, format: string | undefined): readonly Complaint[] {
  const names = traceFormats.map((f) => f.name)
  if (format !== undefined && !names.includes(format)) {
    const near = nearest(format, names)
    return [
      complain(
        "--format",
        `there is no format "${format}"`,
        near !== undefined ? `write ${near}` : `choose one of ${names.join(", ")}`,
      ),
    ]
  }
  if (options.ranks !== undefined && options.ranks > mostRanks)
    return [complain("--ranks", `${options.ranks} ranks`, `write at most ${mostRanks}`)]
  return []
}
