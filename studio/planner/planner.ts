// The planner: reading, planning, proofs, forms, results and figures as functions of texts and files. It runs in a
// background worker, so that the page stays responsive.
import { parseDocument } from "yaml"
import { sha256 } from "../../src/core/sha256.ts"
import { topologyOf } from "../../src/draw/topology/specified.ts"
import { Catalog } from "../../src/experiment/catalog.ts"
import { complaintsOf } from "../../src/experiment/cross-checks.ts"
import { buildVersion } from "../../src/experiment/identity/version.ts"
import { bringing, pathsIn } from "../../src/experiment/outside/in-page.ts"
import { plan } from "../../src/experiment/plan.ts"
import type { Placed } from "../../src/experiment/source.ts"
import { readText } from "../../src/experiment/text.ts"
import { checkPlan } from "../../src/inspect/check-plan.ts"
import { bytesOf, hostOf } from "../../src/model/host.ts"
import { told } from "../../src/model/missing.ts"
import { folderOf } from "../../src/results/folder/folder.ts"
import { readFolder } from "../../src/results/folder/read.ts"
import type { RunRecord } from "../../src/results/record.ts"
import { prepare } from "../../src/run/open.ts"
import type { Files } from "../shared/messages.ts"
import type {
  Finished,
  ModuleHere,
  Planned,
  PlannedHere,
  PlannerRequest,
  ResultsRead,
  SaidAt,
} from "../shared/planner.ts"
import { completionsAt } from "./complete.ts"
import { cureOf } from "./cure.ts"
import { fitsTopology, formOf } from "./form.ts"
import { outsideHere } from "./outside.ts"

export type Answer<T> = { readonly ok: T } | { readonly bad: readonly SaidAt[] }

const catalog = new Catalog()
/** Maximum number of runs of a plan that are sent to the page. */
const MOST_RUNS = 5000

export async function answer(ask: PlannerRequest): Promise<Answer<unknown>> {
  if (ask.do === "ping") return { ok: true }
  if (ask.do === "modules") return { ok: modulesIn(ask.text, ask.name, ask.files) }
  if (ask.do === "plan") return planned(ask.text, ask.name, ask.files, ask.set)
  if (ask.do === "check") return checked(ask.text, ask.name, ask.files)
  if (ask.do === "form") return form(ask.text, ask.run, ask.files)
  if (ask.do === "write") return { ok: written(ask.text, ask.path, ask.value) }
  if (ask.do === "cure") return { ok: await cureOf(ask) }
  if (ask.do === "complete") return { ok: completionsAt(ask.text, ask.offset, catalog, fitsTopology) }
  if (ask.do === "results") return results(ask.files)
  if (ask.do === "figures") return { ok: await figures(ask.finished) }
  return picture(ask)
}

async function planOf(text: string, name: string, files: Files, set: readonly string[] = []) {
  const host = hostOf(files)
  const read = readText(text, name, host)
  if ("bad" in read) return read
  const outside = await outsideHere(read.ok)
  if ("bad" in outside) return outside
  const made = plan(read.ok, { set, outside: outside.ok })
  return "bad" in made ? made : { ok: { plan: made.ok, host, outside: outside.ok } }
}

/** Returns the modules that an experiment names, without executing them. */
export function modulesIn(text: string, name: string, files: Files): readonly ModuleHere[] {
  const host = hostOf(files)
  const read = readText(text, name, host)
  if ("bad" in read) return []
  return pathsIn(read.ok).map((file) => {
    try {
      const bytes = bytesOf(host, file)
      return { file, hash: sha256(bytes), text: new TextDecoder().decode(bytes) }
    } catch {
      return { file, hash: "", text: "" }
    }
  })
}

export async function planned(
  text: string,
  name: string,
  files: Files,
  set?: readonly string[],
): Promise<Answer<Planned>> {
  const made = await planOf(text, name, files, set)
  if ("bad" in made) return { bad: made.bad.map(saidAt) }
  const { plan: p, host } = made.ok
  const bad = complaintsOf(p.runs, host, { prepare })
  if (bad.length > 0) return { bad: bad.map(saidAt) }
  const runs = p.runs
    .slice(0, MOST_RUNS)
    .map(({ hash, spec, point, seed }): PlannedHere => ({ hash, spec, point, seed }))
  return { ok: { name: p.name, title: p.title, runs, search: p.search !== undefined } }
}

async function checked(
  text: string,
  name: string,
  files: Files,
): Promise<Answer<readonly { network: string; words: readonly string[]; free: boolean }[]>> {
  const made = await planOf(text, name, files)
  if ("bad" in made) return { bad: made.bad.map(saidAt) }
  const found = checkPlan(made.ok.plan, (spec) => bringing(made.ok.host, spec.plugins), { brief: false })
  return { ok: found.map(({ network, check }) => ({ network, words: check.words, free: check.deadlock.free })) }
}

async function form(text: string, run: number, files: Files) {
  const made = await planOf(text, "experiment.yaml", files)
  if ("bad" in made) return { bad: made.bad.map(saidAt) }
  const { runs } = made.ok.plan
  const { spec } = runs[Math.min(run, runs.length - 1)]
  return { ok: formOf(text, spec, new Catalog().with(made.ok.outside.flatMap((m) => m.plugins))) }
}

/** Returns the text with a new value at a path. Its comments are preserved. */
export function written(text: string, path: string, value: unknown): string {
  const doc = parseDocument(text)
  const keys = path.split(".").map((k) => (/^\d+$/.test(k) ? Number(k) : k))
  // A single stream may be written without a list.
  if (keys[0] === "traffic" && keys[1] === 0 && !Array.isArray(Reflect.get(Object(doc.toJS()), "traffic")))
    keys.splice(1, 1)
  const above = keys.slice(0, -1)
  const there: unknown = above.length > 0 ? doc.getIn(above) : undefined
  if (value === null) doc.deleteIn(keys)
  // A plug-in that is only a name stays a name, or becomes a map before its parameters are written.
  else if (typeof there === "string" && keys.at(-1) === "name") doc.setIn(above, value)
  else {
    if (typeof there === "string") doc.setIn(above, doc.createNode({ name: there }, { flow: true }))
    doc.setIn(keys, value)
  }
  return doc.toString({ lineWidth: 0 })
}

async function results(files: Files): Promise<Answer<ResultsRead>> {
  const read = await readFolder(folderOf(hostOf(files), "results"))
  if ("bad" in read) return { bad: read.bad.map((c) => ({ path: c.path, says: c.says, fix: c.fix })) }
  const { records, about, said } = read.ok
  const rows = records.map(({ hash, point, seed, result, spec }, i) => ({
    ...{ id: `${i} ${hash}`, hash },
    ...{ point, seed, why: result.why, fingerprint: result.fingerprint, ...told(result), spec },
  }))
  return { ok: { rows, title: about.title ?? "Results", said: said.map((c) => `${c.path}: ${c.says}`) } }
}

/** Returns the figures of finished runs as SVG. The drawing library is large, so it is loaded on demand. */
async function figures(finished: readonly Finished[]): Promise<readonly string[]> {
  const [{ figuresOf }, { picture: drawn }] = await Promise.all([
    import("../../src/draw/figure/choose.ts"),
    import("../../src/draw/figure/picture.ts"),
  ])
  const provenance = { version: buildVersion, node: "a page", host: "a page", started: "", seconds: 0 }
  const records = finished.map((f): RunRecord => ({ ...f, provenance }))
  return figuresOf(records).map((figure) => drawn(figure))
}

async function picture({ spec, title }: Extract<PlannerRequest, { do: "topology" }>): Promise<Answer<string>> {
  const { draw } = await import("../../src/draw/topology/svg.ts")
  const topology = topologyOf(spec)
  if (topology === undefined)
    return {
      bad: [{ path: "network.topology", says: "is too large for a picture, or needs a file", fix: "use the canvas" }],
    }
  const drawn = draw(topology, title)
  return "bad" in drawn ? { bad: drawn.bad } : drawn
}

function saidAt({ path, says, fix, spot }: Placed): SaidAt {
  return { path, says, fix, ...(spot === undefined ? {} : { line: spot.line, column: spot.column, width: spot.width }) }
}
