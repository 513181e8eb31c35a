// Readers of trace formats that a custom plug-in adds. Such a reader becomes a workload with the name of the plug-in:
// it receives the files of the trace, and its program is checked and executed like that of a built-in format.
import { complain } from "../../core/complaint.ts"
import { int, maybe, type Schema, schema, text } from "../../core/schema.ts"
import { joined } from "../formats/bytes/walk-here.ts"
import type { TraceFormat } from "../formats/trace.ts"
import { written } from "../writer.ts"
import { loadedTrace } from "./trace.ts"
import type { TraceFile, TraceReaderModel, TraceReaderPlugin, WorkloadPlugin } from "./workload-plugin.ts"

const own = {
  file: text({ about: "Path of the trace: a file or a folder; gzip files are decompressed" }),
  ranks: maybe(
    int({ about: "Number of ranks, if the trace does not contain it", min: 1, max: 1 << 20, needed: false }),
  ),
}

/** Returns the workload that reads traces with this plug-in. Its parameters are `file`, `ranks` and the plug-in's own. */
export function workloadOfReader(reader: TraceReaderPlugin<unknown>): WorkloadPlugin<unknown> {
  const { kind: _, sample: __, make, needs, check, params, ...record } = reader
  const both: Schema<unknown> = schema({ ...params.fields, ...own })
  return {
    ...record,
    kind: "workload",
    reader,
    params: both,
    ...(needs === undefined ? {} : { needs: (p) => needs.call(reader, p) }),
    ...(check === undefined ? {} : { check: (p, on) => check.call(reader, p, on) }),
    load(p, host) {
      const { file, ranks } = p as { readonly file: string; readonly ranks: number | undefined }
      return loadedTrace(
        file,
        host,
        { ...(ranks === undefined ? {} : { ranks }) },
        formatOf(reader.name, make(p, undefined), ranks),
      )
    },
    make() {
      throw new Error("a trace is loaded")
    },
  }
}

/** Returns a format that accepts every file and passes all of them to the model at the end. */
function formatOf(name: string, model: TraceReaderModel, ranks: number | undefined): TraceFormat {
  return {
    name,
    about: "",
    accepts: () => true,
    read(trace) {
      const files: TraceFile[] = []
      return {
        file(file) {
          const parts: Uint8Array[] = []
          return {
            feed: (bytes) => void parts.push(bytes.slice()),
            end: () =>
              void files.push({
                name: file,
                bytes: joined(
                  parts,
                  parts.reduce((n, b) => n + b.length, 0),
                ),
              }),
          }
        },
        finish() {
          const got = model.read(files, ranks)
          const bad = "bad" in got ? got.bad.map((c) => complain(c.path === "" ? trace : c.path, c.says, c.fix)) : []
          const none = { format: name, missing: [], summary: {}, notes: [] }
          if ("bad" in got) return { ...none, ranks: 0, bad }
          return { ...none, ranks: got.ok.ranks, program: written(got.ok.ranks, (r, to) => got.ok.write(r, to)), bad }
        },
      }
    },
  }
}
