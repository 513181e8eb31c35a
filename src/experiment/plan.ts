// Expands an experiment into runs: includes, --set, variants, zip and sweep, seeds, thresholds. Everything is checked
// here and all complaints are returned at once, before any run starts. Only conditions that need the built network are
// left for `prepare` (VCs that a routing requires, link classes).
//
// The order is: merge the files, apply --set, determine the axes, complete and hash each point, check the thresholds.
import { canonical } from "../core/canonical.ts"
import { type Complaint, complain } from "../core/complaint.ts"
import { unknownKeys } from "../core/schema.ts"
import { kindOf, plainScale } from "../core/units.ts"
import type { PluginFile, RunSpec } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import { type Axis, axesOf, countOf, position, shortNames } from "./axes.ts"
import { Catalog } from "./catalog.ts"
import { type ClusterKeys, clusterKeys } from "./cluster/keys.ts"
import { complete, Seen } from "./complete.ts"
import { settle, settledText } from "./conditions.ts"
import { type Expectation, machineOf, ownersOf } from "./expect.ts"
import { isMap, scaleOf } from "./fields.ts"
import { commandLine, listOf, merged } from "./gather.ts"
import { FileHashes } from "./identity/files.ts"
import { hashOf } from "./identity/identity.ts"
import { revisionsOf, usesOf } from "./identity/revisions.ts"
import { type Keys, keysOf, topKeys } from "./keys.ts"
import { noteOnce, oldNames, oldValues } from "./old-names.ts"
import type { LoadedModule } from "./outside/module.ts"
import { REFERENCE, type Reference, referenceOf, referencesIn, unreferenced } from "./references/references.ts"
import { type SaturationSearch, searchOf } from "./search.ts"
import { apply, listTraffic, placed, placer, type Setting, sameKey, type Tree, variable } from "./settings.ts"
import type { Placed, Source } from "./source.ts"
import type { ExperimentFile } from "./text.ts"
import { type Skipped, sweptNames, thresholds } from "./thresholds.ts"
import { checkVersion, type Limits, limitsOf, mostRuns, seedsOf } from "./top.ts"
import { valuesIn } from "./values/list.ts"

/** One run: a point of the sweep with one seed. */
export interface PlannedRun {
  readonly hash: string
  readonly spec: RunSpec
  readonly point: Readonly<Record<string, string | number>>
  readonly seed: number
  /** hash of the content of each file that the specification names */
  readonly files: Readonly<Record<string, string>>
  /** revisions of the plug-ins, the engine and the procedures that it uses (revisions.ts) */
  readonly revisions: string
  /** adds to a complaint about this run its place in the file */
  place(c: Complaint): Placed
}

export interface Plan {
  readonly name: string
  readonly title: string
  readonly file: string
  readonly folder: string
  /** modules that were executed to make the plan, whether a run uses them or not */
  readonly modules: readonly PluginFile[]
  readonly runs: readonly PlannedRun[]
  /** swept keys by short name, with their values in order */
  readonly points: ReadonlyMap<string, readonly (string | number)[]>
  readonly expect: readonly Expectation[]
  /** thresholds that --set has made meaningless */
  readonly skipped: readonly Skipped[]
  /** switch settings that the experiment does not set and its routings require, one sentence each */
  readonly settled: readonly string[]
  /** old names that the experiment uses, once for each file, with their places */
  readonly renamed: readonly Placed[]
  readonly search: SaturationSearch | undefined
  readonly limits: Limits
  /** resources requested from a scheduler */
  readonly cluster: ClusterKeys
}

export interface PlanOptions {
  /** `key=value`, with values in YAML syntax */
  readonly set?: readonly string[]
  readonly seeds?: readonly number[]
  /** probes that are added to those of the experiment */
  readonly probes?: readonly string[]
  readonly catalog?: Catalog
  /** the loaded modules of the experiment */
  readonly outside?: readonly LoadedModule[]
}

/** Adds probes that the experiment does not have. */
function addProbes(tree: Tree, names: readonly string[]): void {
  const given = listOf(tree["probes"])
  const known = new Set(given.map((p) => (isMap(p) ? p["name"] : p)))
  const added = names.filter((name) => !known.has(name))
  if (added.length > 0) tree["probes"] = [...given, ...added]
}

/** One catalog for all plans, because its keys and its index are kept with it. */
const library = new Catalog()

/** Returns the plan, or all complaints. */
export function plan(file: ExperimentFile, options: PlanOptions = {}): { ok: Plan } | { bad: Placed[] } {
  const { source, host } = file
  if (!isMap(source.value)) {
    const says = complain("", `expected a map of keys, found ${kindOf(source.value)}`, "start with lacewing: 1")
    return { bad: [placed(says, source, "")] }
  }
  const outside = options.outside ?? []
  const own = options.catalog ?? library
  // Custom plug-ins extend the catalog before keys are checked, because keys depend on the plug-ins.
  const catalog = own.with(outside.flatMap((m) => m.plugins))
  const keys = keysOf(catalog)
  const bad: Placed[] = []
  const sources: Source[] = []
  const tree = merged(source, host, sources, bad, [])
  listTraffic(tree)
  // --set is applied to the merged tree, so it takes precedence over all files.
  const set = commandLine(tree, options.set ?? [], catalog, bad)
  addProbes(tree, options.probes ?? [])
  const atTop = placer(sources, set)
  const top: Complaint[] = unknownKeys(tree, Object.keys(topKeys), "")
  checkVersion(tree, top)
  // Modules are loaded before the plan is made. --set cannot add one afterwards, because nothing would execute it.
  if (canonical(listOf(tree["plugins"])) !== canonical(outside.map((m) => m.file)))
    top.push(complain("plugins", "cannot be set with --set", "write the plug-ins in the experiment file"))
  const seeds = options.seeds ?? seedsOf(tree["seeds"], top)
  const limits = limitsOf(tree["limits"], top)
  const search = searchOf(tree["search"], top)
  const cluster = clusterKeys.parse(tree["cluster"], "cluster")
  if ("bad" in cluster) top.push(...cluster.bad)
  if (search !== undefined) startingLoad(tree, search)
  const references = referencesIn(tree["references"], search !== undefined, top)
  /** the file that contains a top-level key; included files come after the file that includes them */
  const sourceOf = (key: string) => sources.find((s) => isMap(s.value) && Object.hasOwn(s.value, key)) ?? source
  const pinned = (key: string) => set.some((s) => sameKey(s.path, key))
  const axes = axesOf(tree, sourceOf, pinned, top)
  if (search !== undefined && axes.some((a) => a.keys.some((k) => sameKey(k, "traffic.load"))))
    top.push(complain("search", "determines the loads, but the sweep does, too", "remove one of the two"))
  // The limit is checked before anything is expanded.
  const count = countOf(axes) * seeds.length
  if (count > mostRuns) top.push(tooMany(count, tree["sweep"] !== undefined ? "sweep" : "seeds"))
  bad.push(...top.map(atTop))
  const settled = new Set<string>()
  const renamed = new Map<string, Placed>()
  const runs =
    count > mostRuns
      ? []
      : expand(
          {
            ...{ tree, axes, seeds, sources, commandLine: set, catalog, own },
            ...{ keys, host, outside, references, settled, renamed },
          },
          bad,
        )
  if (search !== undefined && search.to > 1 && runs.some((r) => r.spec.engine.name === "flit"))
    bad.push(
      atTop(
        complain(
          "search.to",
          `${search.to} is too large: endpoints of the flit engine have one channel`,
          "choose a value of at most 1",
        ),
      ),
    )
  // Thresholds may use the names of all axes of the file, including those that --set has pinned.
  const points = pointsOf(axes)
  const grounds = {
    points,
    ...sweptNames(
      axesOf(tree, sourceOf, () => false, []),
      axes,
      set,
    ),
    owners: tree["expect"] === undefined ? [] : [...new Set(runs.flatMap((r) => ownersOf(r.spec)))],
    machines: [...new Set(runs.map((r) => machineOf(r.spec)))],
    scale: scaleOf(tree["network"], plainScale),
    list: valuesIn(catalog),
  }
  const judged = thresholds(tree["expect"], {
    runs,
    grounds,
    changed: set.length > 0,
    wrongAsWritten() {
      const { set: _, ...unset } = options
      const got = plan(file, unset)
      return new Map("bad" in got ? got.bad.map((c) => [c.path, c]) : [])
    },
  })
  bad.push(...judged.bad.map(atTop))
  if (bad.length > 0 || "bad" in cluster) return { bad: distinct(bad) }
  for (const c of oldValues(tree["expect"])) noteOnce(renamed, atTop(c))
  const title = typeof tree["title"] === "string" ? tree["title"] : file.name
  const name = typeof tree["name"] === "string" ? tree["name"] : file.name
  const folder = host.folder ?? "."
  const { expect, skipped } = judged
  const modules = outside.map(({ file, hash }) => ({ file, hash }))
  const made = {
    ...{ name, title, file: source.file, folder, modules, runs, points, expect, skipped },
    settled: [...settled],
    renamed: [...renamed.values()],
  }
  return { ok: { ...made, search, limits, cluster: cluster.ok } }
}

/** `key`: the key that multiplies the runs. */
function tooMany(count: number, key: string): Complaint {
  const most = mostRuns.toLocaleString("en")
  return complain(
    key,
    `makes ${count.toLocaleString("en")} runs`,
    `keep it at ${most} or fewer, with shorter lists, fewer keys, or zip instead of sweep`,
  )
}

/** A search chooses the loads, so streams need none in the file. */
function startingLoad(tree: Tree, search: SaturationSearch): void {
  for (const stream of listOf(tree["traffic"]))
    if (isMap(stream) && stream["load"] === undefined) stream["load"] = search.from
}

interface Expansion {
  readonly tree: Tree
  readonly axes: readonly Axis[]
  readonly seeds: readonly number[]
  readonly sources: readonly Source[]
  readonly commandLine: readonly Setting[]
  readonly catalog: Catalog
  /** the catalog without custom plug-ins */
  readonly own: Catalog
  readonly keys: Keys
  readonly host: Host
  readonly outside: readonly LoadedModule[]
  readonly references: readonly Reference[]
  /** filled while runs are made */
  readonly settled: Set<string>
  readonly renamed: Map<string, Placed>
}

/** Expands all points and seeds into runs. */
function expand(e: Expansion, bad: Placed[]): PlannedRun[] {
  const { axes, catalog } = e
  const names = shortNames(axes.flatMap((a) => a.keys))
  const fixed: Tree = {
    network: e.tree["network"],
    engine: e.tree["engine"],
    traffic: e.tree["traffic"],
    ...(e.tree["jobs"] === undefined ? {} : { jobs: e.tree["jobs"] }),
    measure: e.tree["measure"],
    probes: e.tree["probes"],
  }
  const files = new FileHashes(e.host)
  const runs: PlannedRun[] = []
  const seen = new Set<string>()
  const parts = new Seen()
  const known = { network: e.keys.network.fields, traffic: e.keys.stream.fields, measure: e.keys.measure.fields }
  /** network of the previous run */
  let network: unknown
  /** parts that may contain old names, as the previous run had them */
  const noted: { readonly part: string; raw: unknown }[] = ["network", "jobs", "probes"].map((part) => ({
    part,
    raw: undefined,
  }))
  /** the tree with all but the last axis applied: neighbouring points share it */
  let common: (Applied & { readonly at: string }) | undefined
  const count = countOf(axes)
  for (let n = 0; n < count; n++) {
    const at = position(axes, n)
    const settings = (from: number, to: number) => axes.slice(from, to).flatMap((a, i) => a.settings(at[from + i]))
    // Created only for a complaint, because most runs have none.
    const place = (c: Complaint) => placer(e.sources, [...e.commandLine, ...settings(0, axes.length)])(c)
    // The common part is applied again only if one of the outer axes has moved.
    const before = at.slice(0, -1).join()
    if (common?.at !== before) common = { at: before, ...applied(fixed, settings(0, axes.length - 1), known, catalog) }
    const { tree, wrong: own } = applied(
      common.tree,
      settings(Math.max(0, axes.length - 1), axes.length),
      known,
      catalog,
    )
    const wrong = [...common.wrong, ...own]
    const got = complete(tree, e.keys, parts)
    if ("bad" in got) wrong.push(...got.bad)
    // Runs of a sweep share the network object, so its notes are collected only when it changes.
    if (tree["network"] !== network)
      for (const s of settle(tree["network"], catalog).settled) e.settled.add(settledText(s))
    const changed = noted.filter(({ part, raw }) => tree[part] !== raw)
    for (const one of changed) {
      one.raw = tree[one.part]
      for (const c of oldNames(one.part, one.raw, catalog)) noteOnce(e.renamed, place(c))
    }
    network = tree["network"]
    if ("ok" in got && e.references.length > 0) wrong.push(...unreferenced(got.ok))
    const hashes = "ok" in got ? files.of(got.ok, wrong) : {}
    if (wrong.length > 0 || "bad" in got) {
      bad.push(...wrong.map(place))
      // More complaints than this are not useful, and a sweep may have 100,000 points.
      if (bad.length > 1000) break
      continue
    }
    const labels = axes.flatMap((a, i) => a.labels(at[i]))
    const point = Object.fromEntries(names.map((name, i) => [name, labels[i]]))
    const brought = modulesOf(got.ok, e)
    const revisions = revisionsOf({ ...got.ok, ...brought }, e.own)
    for (const seed of e.seeds) {
      const spec: RunSpec = { ...got.ok, seed, ...brought }
      const hash = hashOf({ spec, files: hashes, revisions })
      // Two points with the same hash (a variant without effect) are run once.
      if (seen.has(hash)) continue
      seen.add(hash)
      runs.push({ hash, spec, point, seed, files: hashes, revisions, place })
      for (const name of spec.engine.name === "ideal" ? [] : e.references) {
        const other = referenceOf(spec, name)
        const its = { spec: other, files: hashes, revisions: revisionsOf(other, e.own) }
        const id = hashOf(its)
        if (!seen.has(id)) runs.push({ ...its, hash: id, point: { ...point, [REFERENCE]: name }, seed, place })
        seen.add(id)
      }
    }
  }
  return runs
}

/** Returns the modules that provide a plug-in of the run. Changes of other modules do not concern it. */
function modulesOf(spec: Omit<RunSpec, "seed">, { outside, catalog }: Expansion): Pick<RunSpec, "plugins"> {
  if (outside.length === 0) return {}
  const used = new Set(usesOf(spec, catalog).map(([kind, name]) => catalog.find(kind, name)))
  const plugins = outside.flatMap(({ file, hash, plugins }) =>
    plugins.some((p) => used.has(p)) ? [{ file, hash }] : [],
  )
  return plugins.length > 0 ? { plugins } : {}
}

interface Applied {
  readonly tree: Tree
  readonly wrong: readonly Complaint[]
}

/** Returns a tree with these settings. Parts that they do not change are shared with the given tree. */
function applied(
  from: Tree,
  settings: readonly Setting[],
  known: Parameters<typeof variable>[1],
  catalog: Catalog,
): Applied {
  const tree = { ...from }
  for (const part of new Set(settings.map((s) => s.path.split(".")[0])))
    if (part in tree) tree[part] = copyOf(tree[part])
  return {
    tree,
    wrong: settings.flatMap((s) => [...variable(s.path, known), ...apply(tree, s.path, s.value, catalog)]),
  }
}

/** Returns a deep copy of plain data. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  return isMap(value) ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, copyOf(v)])) : value
}

/** Returns the values of each axis by short name. */
function pointsOf(axes: readonly Axis[]): Map<string, readonly (string | number)[]> {
  const names = shortNames(axes.flatMap((a) => a.keys))
  const points = new Map<string, readonly (string | number)[]>()
  let k = 0
  for (const axis of axes) {
    for (let j = 0; j < axis.keys.length; j++)
      points.set(names[k++], axis.size > mostRuns ? [] : Array.from({ length: axis.size }, (_, i) => axis.labels(i)[j]))
  }
  return points
}

/** Removes duplicates: an error in a shared part occurs in every run. */
function distinct(all: readonly Placed[]): Placed[] {
  const seen = new Map<string, Placed>()
  for (const c of all) {
    const key = `${c.file} ${c.spot?.line} ${c.spot?.column} ${c.path} ${c.says}`
    if (!seen.has(key)) seen.set(key, c)
  }
  return [...seen.values()]
}

/** Returns the same run at another load of every stream. */
export function atLoad(run: PlannedRun, load: number): PlannedRun {
  const spec = { ...run.spec, traffic: run.spec.traffic.map((t) => ({ ...t, load })) }
  return { ...run, spec, point: { ...run.point, load }, hash: hashOf({ ...run, spec }) }
}
