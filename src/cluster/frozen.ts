// The file tasks.json: the plan as it was submitted, with complete specifications, so that later edits of the
// experiment change nothing. Parts that many runs share are written once (`parts`): a plan of 10^5 runs takes some tens
// of megabytes.
import { type ClusterKeys, recordedKeys } from "../experiment/cluster/keys.ts"
import { buildVersion } from "../experiment/identity/version.ts"
import type { Plan, PlannedRun } from "../experiment/plan.ts"
import type { RunSpec } from "../model/experiment.ts"
import { checksumText, openText } from "../results/checksum.ts"
import { nodeDigest } from "../results/disk.ts"
import { parsed } from "../results/folder/folder.ts"
import { isMap } from "../results/json.ts"

export const FROZEN = 2

/** Settings of the tasks besides the plan. */
export interface Asked {
  readonly on: "local" | "slurm" | "script"
  readonly cluster: ClusterKeys
  /** seconds between two checkpoints */
  readonly checkpoint: number
  readonly audit: boolean
}

export interface Frozen {
  readonly made: string
  readonly version: string
  readonly asked: Asked
  readonly plan: Plan
}

const keys = ["network", "engine", "traffic", "jobs", "measure", "probes", "plugins"] as const
type Row = readonly [hash: string, seed: number, point: number, files: number, revisions: number, ...parts: number[]]

/** A list of distinct values as JSON texts. The same object is serialised once. */
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

/**
 * Returns the text of the file. Infinite limits are written as null. A checksum line protects it against truncation.
 */
export function frozenText(plan: Plan, asked: Asked): string {
  const parts = new Parts()
  const rows = plan.runs.map((r) =>
    JSON.stringify([
      ...[r.hash, r.seed, parts.of(r.point), parts.of(r.files), parts.text(r.revisions)],
      ...keys.map((k) => parts.of(r.spec[k])),
    ]),
  )
  const { name, title, file, folder, modules, expect, skipped, settled, search, limits } = plan
  const some = (n: number) => (Number.isFinite(n) ? n : null)
  const head = {
    ...{ frozen: FROZEN, made: new Date().toISOString(), version: buildVersion },
    ...{ name, title, file, folder, modules, asked, expect, skipped, settled, search },
    limits: { seconds: some(limits.seconds), megabytes: some(limits.megabytes) },
    keys,
  }
  const body =
    `${JSON.stringify(head).slice(0, -1)},\n` +
    `"parts":[\n${parts.texts.join(",\n")}\n` +
    `],\n"runs":[\n${rows.join(",\n")}\n` +
    "]}"
  return checksumText(body, nodeDigest)
}

/** Returns the plan, or the reason why this text is not a plan that this version can run. */
export function frozenOf(text: string): Frozen | string {
  const body = openText(text, nodeDigest)
  if (body === undefined || body === text) return "The file was changed or truncated after it was written."
  // The checksum finds damage, not forgery: the shape is checked as well.
  const r = writtenIn(body)
  if (r === undefined) return "The file is not a plan."
  if (r.frozen !== FROZEN || r.version !== buildVersion)
    return `The plan was made by lacewing ${r.version}, but this is ${buildVersion}.`
  const place: PlannedRun["place"] = (c) => ({ ...c, file: r.file })
  const runs = r.runs.map((row) => ({ ...thawed(row, r.parts), place }))
  const limits = { seconds: r.limits.seconds ?? Infinity, megabytes: r.limits.megabytes ?? Infinity }
  const { name, title, file, folder, modules, expect, skipped, settled, search, asked } = r
  const head = { name, title, file, folder, modules, expect, skipped, settled, renamed: [], search }
  const plan: Plan = { ...head, runs, points: new Map(), limits, cluster: asked.cluster }
  return { made: r.made, version: r.version, asked, plan }
}

/** Returns one run from its row of indices into `parts`. */
function thawed([hash, seed, point, files, revisions, ...of]: Row, parts: Written["parts"]): Omit<PlannedRun, "place"> {
  const [network, engine, traffic, jobs, measure, probes, plugins] = of.map((i) => parts[i])
  // The order of keys is that of a plan, because the text of a specification is a column of the results.
  const spec: RunSpec = {
    network,
    engine,
    traffic,
    ...(jobs ? { jobs } : {}),
    measure,
    probes,
    seed,
    ...(plugins ? { plugins } : {}),
  }
  return { hash, seed, spec, point: parts[point], files: parts[files], revisions: parts[revisions] }
}

const executors: readonly unknown[] = ["local", "slurm", "script"] satisfies readonly Asked["on"][]

/**
 * Returns the record in the file, or undefined if it is invalid. Its commands are informative and are never executed.
 */
function writtenIn(body: string): Written | undefined {
  const raw = parsed(body)
  if (!isMap(raw) || !isMap(raw["asked"]) || !isMap(raw["limits"])) return undefined
  const { asked, parts, runs, modules, expect = [], skipped = [], settled = [] } = raw
  const cluster = recordedKeys(asked["cluster"])
  const { on, checkpoint, audit } = asked
  const texts = ["made", "version", "name", "title", "file", "folder"].every((key) => typeof raw[key] === "string")
  const lists = [parts, runs, modules, expect, skipped, settled].every((list) => Array.isArray(list))
  if (!texts || !lists || cluster === undefined || !executors.includes(on) || typeof audit !== "boolean")
    return undefined
  if (typeof checkpoint !== "number" || !(checkpoint > 0) || !Number.isFinite(checkpoint)) return undefined
  if (!(runs as unknown[]).every((row) => isRow(row, parts as unknown[]))) return undefined
  return { ...(raw as unknown as Written), asked: { on: on as Asked["on"], cluster, checkpoint, audit } }
}

/** Checks one row: the hash, the seed, and that all indices refer to parts of the right kind. */
function isRow(row: unknown, parts: readonly unknown[]): boolean {
  if (
    !Array.isArray(row) ||
    row.length !== 5 + keys.length ||
    typeof row[0] !== "string" ||
    !/^[0-9a-f]{8,64}$/.test(row[0])
  )
    return false
  const [, seed, point, files, revisions, ...of] = row
  const there = (i: unknown) =>
    Number.isInteger(i) && typeof parts[i as number] === "object" && parts[i as number] !== null
  const may = keys.map((k) => k === "jobs" || k === "plugins")
  if (!Number.isInteger(seed) || !there(point) || !there(files) || typeof parts[revisions as number] !== "string")
    return false
  if (!of.every((i, at) => there(i) || (i === -1 && may[at] === true))) return false
  const plugins = parts[of.at(-1)]
  return plugins === undefined || (Array.isArray(plugins) && plugins.every(isPluginFile))
}

function isPluginFile(raw: unknown): boolean {
  return isMap(raw) && typeof raw["file"] === "string" && typeof raw["hash"] === "string"
}

type Head = Pick<Plan, "name" | "title" | "file" | "folder" | "modules" | "expect" | "skipped" | "settled" | "search">
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
