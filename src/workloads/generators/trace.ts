// A trace of an application as a workload: what it holds is played, after the same checks as `lacewing trace check`.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { choice, int, maybe, real, schema, text } from "../../core/schema.ts"
import type { Host } from "../../model/host.ts"
import { resolve } from "../check/communicators.ts"
import { dryRun } from "../check/dry.ts"
import { findings } from "../check/findings.ts"
import { traceFormats } from "../formats/formats.ts"
import { readTraceHere } from "../formats/read.ts"
import { few } from "../formats/trace.ts"
import type { Program } from "../program.ts"
import type { WorkloadPlugin } from "./workload-plugin.ts"

const params = schema({
  file: text({ about: "a trace: a file, a folder, or the .meta file of a DUMPI trace; gzip is opened" }),
  format: maybe(
    choice(
      traceFormats.map((f) => f.name),
      { about: "its format, where the files do not tell", needed: false },
    ),
  ),
  ranks: maybe(int({ about: "ranks of a list that does not say for how many it is", min: 1, max: 1 << 20, needed: false })),
  flops: real({ about: "operations in a second, for traces that count them", above: 0, default: 1e9 }),
})
type Params = ReturnType<typeof params.parse> extends infer C ? Extract<C, { ok: unknown }>["ok"] : never

/** operations that are followed at most before a run: more are taken on trust */
const FOLLOWED = 2_000_000
/** traces that were read last, by their content: a sweep asks for one many times */
const kept = new Map<string, Checked<Program>>()
const MOST_KEPT = 4

export const traceWorkload: WorkloadPlugin<Params> = {
  kind: "workload",
  name: "trace",
  revision: 2,
  about: "What a trace of an application holds: DUMPI, GOAL, Chakra, SimGrid, OTF2 as text, lists of AI training, flows, matrices.",
  params,
  load(p, host) {
    const key = host.digest === undefined ? undefined : `${host.digest(p.file)} ${p.format} ${p.ranks} ${p.flops}`
    const have = key === undefined ? undefined : kept.get(key)
    if (have !== undefined) return have
    const made = read(p, host)
    if (key === undefined) return made
    if (kept.size >= MOST_KEPT) kept.delete([...kept.keys()][0]!)
    kept.set(key, made)
    return made
  },
  make() {
    throw new Error("a trace is loaded")
  },
}

function read({ file, format, ranks, flops }: Params, host: Host): Checked<Program> {
  const parts = host.parts?.(file) ?? [{ name: file, path: file }]
  const sources = () => parts.map((p) => ({ name: p.name, pieces: host.pieces?.(p.path) ?? [new TextEncoder().encode(host.read(p.path))] }))
  const { trace, bad } = readTraceHere(file, sources, { flops, ...(ranks === undefined ? {} : { ranks }) }, format, host.inflate)
  if (trace === undefined) return { bad: told(bad) }
  const { program, missing } = trace
  // a mistake in the file of a rank is told before the rank that is missing for it
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

/** Places in files are part of what is said: the key that is wrong is that of the file. */
function told(bad: readonly Complaint[]): Complaint[] {
  return bad.map((c) => complain("file", `${c.path}: ${c.says}`, c.fix))
}
