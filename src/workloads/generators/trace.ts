// A trace of an application as a workload. The trace is read (formats/read.ts) and then checked like `lacewing trace
// check` does: a dry run without a network finds missing partners and deadlocks before the simulation starts.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { choice, int, maybe, real, schema, text } from "../../core/schema.ts"
import type { Host } from "../../model/host.ts"
import { resolve } from "../check/communicators.ts"
import { dryRun } from "../check/dry.ts"
import { findings } from "../check/findings.ts"
import { traceFormats } from "../formats/formats.ts"
import { readTraceHere } from "../formats/read.ts"
import { few, type ReadOptions, type TraceFormat } from "../formats/trace.ts"
import type { Program } from "../program.ts"
import type { WorkloadPlugin } from "./workload-plugin.ts"

const params = schema({
  file: text({
    about: "Path of the trace: a file, a folder, or the .meta file of a DUMPI trace; gzip files are decompressed",
  }),
  format: maybe(
    choice(
      traceFormats.map((f) => f.name),
      { about: "Format of the trace, if it cannot be detected from the files", needed: false },
    ),
  ),
  ranks: maybe(
    int({ about: "Number of ranks, for formats that do not contain it", min: 1, max: 1 << 20, needed: false }),
  ),
  flops: real({
    about: "Floating-point operations per second, for traces that count operations",
    above: 0,
    default: 1e9,
  }),
})
type Params = ReturnType<typeof params.parse> extends infer C ? Extract<C, { ok: unknown }>["ok"] : never

/** Maximum number of operations in the dry run. A longer trace is not checked. */
const FOLLOWED = 2_000_000
/** Cache of the traces read last, by their content, because a sweep loads the same trace for each point. */
const kept = new Map<string, Checked<Program>>()
const MOST_KEPT = 4

export const traceWorkload: WorkloadPlugin<Params> = {
  kind: "workload",
  name: "trace",
  revision: 2,
  about:
    "Replays a trace of an application: DUMPI, GOAL, Chakra, SimGrid, OTF2 as text, layer lists of AI training, " +
    "flows, matrices.",
  params,
  load(p, host) {
    const key = host.digest === undefined ? undefined : `${host.digest(p.file)} ${p.format} ${p.ranks} ${p.flops}`
    const have = key === undefined ? undefined : kept.get(key)
    if (have !== undefined) return have
    const made = read(p, host)
    if (key === undefined) return made
    if (kept.size >= MOST_KEPT) kept.delete([...kept.keys()][0])
    kept.set(key, made)
    return made
  },
  make() {
    throw new Error("a trace is loaded")
  },
}

function read({ file, format, ranks, flops }: Params, host: Host): Checked<Program> {
  return loadedTrace(file, host, { flops, ...(ranks === undefined ? {} : { ranks }) }, format)
}

/** Reads and checks a trace. `format`: a name, or a format that is not in the list. */
export function loadedTrace(
  file: string,
  host: Host,
  options: ReadOptions,
  format: string | TraceFormat | undefined,
): Checked<Program> {
  const parts = host.parts?.(file) ?? [{ name: file, path: file }]
  const sources = () =>
    parts.map((p) => ({ name: p.name, pieces: host.pieces?.(p.path) ?? [new TextEncoder().encode(host.read(p.path))] }))
  const { trace, bad } = readTraceHere(file, sources, options, format, host.inflate)
  if (trace === undefined) return { bad: told(bad) }
  const { program, missing } = trace
  // An error in the file of a rank is reported first, because it is the cause of the rank that is then missing.
  if (trace.bad.length > 0) return { bad: told(trace.bad) }
  if (missing.length > 0 || program === undefined)
    return {
      bad: [
        complain(
          "file",
          `${file}: rank ${few(missing)} of ${trace.ranks} is missing`,
          "add the files of all ranks: only whole programs run",
        ),
      ],
    }
  const dry = dryRun(program, resolve(program), FOLLOWED)
  const wrong = dry.cut ? [] : findings(file, dry)
  return wrong.length > 0 ? { bad: told(wrong) } : { ok: program }
}

/** Moves the place in a trace file into the message, because the path of the complaint is the key `file`. */
function told(bad: readonly Complaint[]): Complaint[] {
  return bad.map((c) => complain("file", `${c.path}: ${c.says}`, c.fix))
}
