// tasks.json: a plan as it was when it was handed over, every specification complete, so that a later edit of the experiment changes nothing. What many runs share is
// written once (`parts`): a plan of 10^5 runs is some tens of megabytes.
import type { ClusterKeys } from "../../experiment/cluster/keys.ts"
import type { Plan, PlannedRun } from "../../experiment/plan.ts"
import { buildVersion } from "../../experiment/version.ts"
import type { RunSpec } from "../../model/experiment.ts"
import { nodeDigest } from "../../results/disk.ts"
import { openText, sealText } from "../../results/seal.ts"

export const FROZEN = 2

/** What tasks do beside the plan. */
export interface Asked {
  readonly on: "local" | "slurm" | "script"
  readonly cluster: ClusterKeys
  /** seconds between two checkpoints */
  readonly checkpoint: number
  readonly audit: boolean
  readonly simulator?: string
}

export interface Frozen {
  readonly made: string
  readonly version: string
  readonly asked: Asked
  readonly plan: Plan
}

const keys = ["network", "engine", "traffic", "jobs", "measure", "probes", "plugins"] as const
type Row = readonly [hash: string, seed: number, point: number, files: number, revisions: number, ...parts: number[]]

/** Values as text, each of them once; the same object is looked at once. */
class Parts {
  readonly texts: string[] = []
  private readonly byText = new Map<string, number>()
  private readonly byObject = new WeakMap<object, number>()
  of(value: object | undefined): number {
    if (value === undefined) return -1
    const at = this.byObject.get(value) ?? this.text(value)
    this.byObject.set(value, at)
    return at
  }
  text(value: object | string): number {
    const text = JSON.stringify(value)
    const at = this.byText.get(text) ?? this.texts.push(text) - 1
    this.byText.set(text, at)
    return at
  }
}

export function frozenText(plan: Plan, asked: Asked): string {
  const parts = new Parts()
  const rows = plan.runs.map((r) =>
    JSON.stringify([
      ...[r.hash, r.seed, parts.of(r.point), parts.of(r.files), parts.text(r.revisions)],
      ...keys.map((k) => parts.of(r.spec[k])),
    ]),
  )
  const { name, title, file, folder, modules, expect, skipped, search, limits } = plan
  const some = (n: number) => (Number.isFinite(n) ? n : null)
  const head = {
    ...{ frozen: FROZEN, made: new Date().toISOString(), version: buildVersion },
    ...{ name, title, file, folder, modules, asked, expect, skipped, search },
    limits: { seconds: some(limits.seconds), megabytes: some(limits.megabytes) },
    keys,
  }
  const body = `${JSON.stringify(head).slice(0, -1)},\n"parts":[\n${parts.texts.join(",\n")}\n],\n"runs":[\n${rows.join(",\n")}\n]}`
  return sealText(body, nodeDigest)
}

/** A sentence where it is not what was written, or nothing that this version can run. */
export function frozenOf(text: string): Frozen | string {
  const body = openText(text, nodeDigest)
  if (body === undefined || body === text) return "is not what was written: it was changed or cut short"
  // whole, by its checksum: what frozenText of some version wrote
  const r: Written = JSON.parse(body)
  if (r.frozen !== FROZEN || r.version !== buildVersion) return `was made by lacewing ${r.version}, and this is ${buildVersion}`
  const place: PlannedRun["place"] = (c) => ({ ...c, file: r.file })
  const runs = r.runs.map((row) => ({ ...thawed(row, r.parts), place }))
  const limits = { seconds: r.limits.seconds ?? Infinity, megabytes: r.limits.megabytes ?? Infinity }
  const { name, title, file, folder, modules, expect, skipped, search, asked } = r
  const head = { name, title, file, folder, modules, expect, skipped, search }
  const plan: Plan = { ...head, runs, points: new Map(), limits, cluster: asked.cluster }
  return { made: r.made, version: r.version, asked, plan }
}

function thawed([hash, seed, point, files, revisions, ...of]: Row, parts: Written["parts"]): Omit<PlannedRun, "place"> {
  const [network, engine, traffic, jobs, measure, probes, plugins] = of.map((i) => parts[i])
  // in the order that a plan has: the text of a specification is a column of the results
  const spec: RunSpec = { network, engine, traffic, ...(jobs ? { jobs } : {}), measure, probes, seed, ...(plugins ? { plugins } : {}) }
  return { hash, seed, spec, point: parts[point], files: parts[files], revisions: parts[revisions] }
}

type Head = Pick<Plan, "name" | "title" | "file" | "folder" | "modules" | "expect" | "skipped" | "search">
interface Written extends Head {
  readonly frozen: number
  readonly made: string
  readonly version: string
  readonly asked: Asked
  readonly limits: { readonly seconds: number | null; readonly megabytes: number | null }
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON holds
  readonly parts: readonly any[]
  readonly runs: readonly Row[]
}
