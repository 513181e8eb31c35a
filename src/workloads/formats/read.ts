// Reads a trace of any known format from the bytes of its files.
import { type Complaint, complain, nearest } from "../../core/complaint.ts"
import { Complaints } from "./bytes/bad.ts"
import type { Sources } from "./bytes/sink.ts"
import { walk } from "./bytes/walk.ts"
import { traceFormats } from "./formats.ts"
import { mostRanks, type ReadOptions, type Trace, type TraceFormat, type TraceReader } from "./trace.ts"

const passes = 3

/** `name`: what the trace is called in complaints. `format`: the name of one, where the files do not tell. The answer of a damaged trace has `bad`; that of no trace is complaints alone. */
export async function readTrace(
  name: string,
  sources: Sources,
  options: ReadOptions = {},
  format?: string,
): Promise<{ readonly trace?: Trace; readonly bad: readonly Complaint[] }> {
  const names = traceFormats.map((f) => f.name)
  let chosen: TraceFormat | undefined
  if (format !== undefined) {
    chosen = traceFormats.find((f) => f.name === format)
    const near = nearest(format, names)
    if (chosen === undefined)
      return {
        bad: [
          complain(
            "--format",
            `there is no format "${format}"`,
            near !== undefined ? `write ${near}` : `choose one of ${names.join(", ")}`,
          ),
        ],
      }
  }
  if (options.ranks !== undefined && options.ranks > mostRanks)
    return { bad: [complain("--ranks", `${options.ranks} ranks`, `write at most ${mostRanks}`)] }
  let reader: TraceReader | undefined
  for (let pass = 0; ; pass++) {
    const bad = new Complaints()
    let passed = 0
    const seen: string[] = []
    await walk(
      sources(),
      (file, head) => {
        const text = new TextDecoder("latin1").decode(head)
        const takes = chosen ?? traceFormats.find((f) => f.accepts(file, head, text))
        if (takes === undefined || (format === undefined && !takes.accepts(file, head, text))) {
          passed++
          if (seen.length < 3) seen.push(file)
          return undefined
        }
        chosen = takes
        reader ??= takes.read(name, options)
        return reader.file(file, head)
      },
      bad,
    )
    if (reader === undefined) {
      if (bad.all.length > 0) return { bad: bad.told(name) }
      const what = passed === 0 ? "there is no file in it" : `none of its files is one that is known (${seen.join(", ")})`
      return {
        bad: [complain(name, `${what}; expected one of ${names.join(", ")}`, "name the trace itself, or say what it is with --format")],
      }
    }
    const made = reader.finish()
    if (made !== "again") return { trace: { ...made, bad: [...bad.told(name), ...made.bad] }, bad: [] }
    if (pass === passes) throw new Error("a reader of traces never ends")
  }
}
