// Sets a dotted key (`traffic.0.load`, `network.routing.name`) in an experiment, and remembers where the value was
// written. A complaint about run 217 can then point at the line of the sweep that created it.
import { type Complaint, complain, nearest } from "../core/complaint.ts"
import { isPrototypeKey } from "../core/prototype-key.ts"
import { join } from "../core/schema.ts"
import type { Kind } from "../model/plugin.ts"
import { otherNames, sameName } from "../model/renamed.ts"
import type { Catalog } from "./catalog.ts"
import { isMap } from "./fields.ts"
import type { Placed, Source } from "./source.ts"

export type Tree = Record<string, unknown>

export interface Setting {
  /** key in the run */
  readonly path: string
  readonly value: unknown
  /** where it was written: `sweep.traffic.0.load.3` of the experiment, or the option --set */
  readonly source: Source
  readonly written: string
  /** characters of `written` that name the key, without the index into its list */
  readonly keyLength: number
}

/** Keys whose value names a plug-in. */
const slots: Readonly<Record<string, Kind>> = {
  "network.topology": "topology",
  "network.routing": "routing",
  "network.switch": "switch",
  "network.endpoint": "endpoint",
  pattern: "pattern",
  arrivals: "arrivals",
  packet: "sizes",
  message: "sizes",
}

function kindAt(path: string): Kind | undefined {
  if (/^jobs(\.\d+)?\.workload$/.test(path)) return "workload"
  return slots[path] ?? slots[/^traffic\.\d+\.(\w+)$/.exec(path)?.[1] ?? ""]
}

/** Converts `traffic` to a list. */
export function listTraffic(tree: Tree): void {
  if (isMap(tree["traffic"])) tree["traffic"] = [tree["traffic"]]
}

/** Writes one value into the tree; `traffic.load` means every stream. Returns complaints. */
export function apply(tree: Tree, path: string, value: unknown, catalog: Catalog): Complaint[] {
  if (path === "traffic") {
    tree["traffic"] = structuredClone(value)
    listTraffic(tree)
    return []
  }
  const segments = path.split(".")
  if (segments.some((s) => s === "" || isPrototypeKey(s)))
    return [complain(path, "is not a key", "write keys such as network.switch.vcs")]
  if ((segments[0] === "sweep" || segments[0] === "zip") && segments.length > 1)
    return put(tree, [segments[0], path.slice(segments[0].length + 1)], value, catalog)
  const streams = tree["traffic"]
  if (segments[0] === "traffic" && Array.isArray(streams) && !/^\d+$/.test(segments[1]))
    return streams.flatMap((_, i) => put(tree, ["traffic", String(i), ...segments.slice(1)], value, catalog))
  return put(tree, segments, value, catalog)
}

const parts = ["network", "engine", "traffic", "jobs", "measure", "probes"]

/** Only keys of a run can vary from run to run. */
export function variable(path: string, keys: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Complaint[] {
  const head = path.split(".")[0]
  if (parts.includes(head)) return []
  const home = Object.keys(keys).find((part) => Object.hasOwn(keys[part], head))
  const near = home !== undefined ? `${home}.${path}` : nearest(path, parts)
  return [
    complain(
      path,
      "is not a key of a run",
      near !== undefined ? `did you mean "${near}"?` : `vary keys of ${parts.join(", ")}`,
    ),
  ]
}

/** Returns true if two keys denote the same value; --set of a swept key replaces the sweep. */
export function sameKey(a: string, b: string): boolean {
  const plain = (key: string) => key.replace(/^traffic\.\d+\./, "traffic.")
  if (a !== b && sameLast(a, b)) return sameKey(a, `${b.slice(0, b.lastIndexOf("."))}${a.slice(a.lastIndexOf("."))}`)
  return a === b || (plain(a) === plain(b) && (a === plain(a) || b === plain(b)))
}

/** The last parts differ, and are two names of one key. */
function sameLast(a: string, b: string): boolean {
  const [x, y] = [a, b].map((key) => key.slice(key.lastIndexOf(".") + 1)) as [string, string]
  return x !== y && sameName(x, y)
}

/** Writes a value at a path. A plug-in that is written as a name becomes a map, so that parameters can be set. */
function put(tree: Tree, segments: readonly string[], value: unknown, catalog: Catalog): Complaint[] {
  let at: Tree = tree
  let path = ""
  for (let i = 0; i < segments.length - 1; i++) {
    const key = segments[i]
    path = join(path, key)
    if (Array.isArray(at) && !Object.hasOwn(at, key)) return [noNumber(path, key, at)]
    let next = Object.hasOwn(at, key) ? at[key] : undefined
    if (typeof next === "string" && kindAt(path) !== undefined) next = { name: next }
    if (next === undefined || next === null) next = {}
    if (typeof next !== "object")
      return [
        complain(join(path, segments[i + 1]), "is set inside a value that is not a map", `write ${path} as a map`),
      ]
    at[key] = next
    at = next as Tree
  }
  const last = segments[segments.length - 1]
  // One element may be appended, but a list must not get holes.
  if (Array.isArray(at) && !Object.hasOwn(at, last) && last !== String(at.length))
    return [noNumber(join(path, last), last, at)]
  const kind = kindAt(path)
  if (last === "name" && kind !== undefined) forget(at, kind, value, catalog)
  // what is set now replaces what was written with another name of the key
  if (isMap(at)) for (const other of otherNames(last, at, /^jobs(\.\d+)?$/.test(path))) delete at[other]
  at[last] = structuredClone(value)
  return []
}

function noNumber(path: string, key: string, list: readonly unknown[]): Complaint {
  return complain(
    path,
    `there is no number ${key}: the list has ${list.length}, counted from 0`,
    "choose one that exists",
  )
}

/**
 * Removes parameters that only the previous plug-in had, when another one is chosen. Parameters that neither has stay
 * and are reported.
 */
function forget(slot: Tree, kind: Kind, name: unknown, catalog: Catalog): void {
  if (typeof slot["name"] !== "string" || typeof name !== "string") return
  const before = catalog.find(kind, slot["name"])
  const after = catalog.find(kind, name)
  if (before === undefined || after === undefined || before === after) return
  for (const key of Object.keys(slot)) {
    if (key !== "name" && Object.hasOwn(before.params.fields, key) && !Object.hasOwn(after.params.fields, key))
      delete slot[key]
  }
}

/**
 * Returns nested overrides as dotted settings. A map with a `name` replaces a plug-in; one without changes its
 * parameters.
 */
export function flatten(overrides: Tree, source: Source, written: string): Setting[] {
  const out: Setting[] = []
  const walk = (value: unknown, path: string, where: string): void => {
    const inner = path === "network" || path === "measure" || path === "traffic" || path === "network.links"
    const changes = path.startsWith("network.") && path.split(".").length === 2
    if (isMap(value) && (inner || (changes && !Object.hasOwn(value, "name"))))
      for (const key of Object.keys(value)) walk(value[key], `${path}.${key}`, `${where}.${key}`)
    else out.push({ path, value, source, written: where, keyLength: where.length })
  }
  for (const key of Object.keys(overrides)) walk(overrides[key], key, `${written}.${key}`)
  return out
}

/** Returns a function that finds the file, line and column of a complaint about one run. */
export function placer(sources: readonly Source[], settings: readonly Setting[]): (c: Complaint) => Placed {
  return (c) => {
    const at = c.says === "unknown key" ? "key" : "value"
    for (let i = settings.length - 1; i >= 0; i--) {
      const s = settings[i]
      for (const path of spellings(s.path, c.path)) {
        if (c.path === path || c.path.startsWith(`${path}.`)) {
          const own =
            c.path === path && at === "key" ? s.written.slice(0, s.keyLength) : s.written + c.path.slice(path.length)
          return placed(c, s.source, own, at)
        }
        if (path.startsWith(`${c.path}.`) && at === "key")
          return placed(c, s.source, s.written.slice(0, s.keyLength), at)
      }
    }
    // The source that contains the longest part of the path wins; if equal, the file that includes the other.
    let best = { source: sources[0], path: c.path, missing: Infinity }
    for (const source of sources) {
      for (const path of [c.path, c.path.replace(/^traffic\.\d+(?=\.|$)/, "traffic")]) {
        const missing = path.length - source.locate(path, at).found
        if (missing < best.missing) best = { source, path, missing }
      }
    }
    return placed(c, best.source, best.path, at)
  }
}

/** `traffic.load` stands for every stream. */
function spellings(setting: string, complained: string): string[] {
  const stream = /^traffic\.(\d+)/.exec(complained)?.[1]
  if (stream === undefined || !setting.startsWith("traffic.") || /^traffic\.\d/.test(setting)) return [setting]
  return [setting, setting.replace("traffic.", `traffic.${stream}.`)]
}

/** Adds the file and the position of a written path to a complaint. */
export function placed(
  c: Complaint,
  source: Source,
  written: string,
  at: "key" | "value" = c.says === "unknown key" ? "key" : "value",
): Placed {
  // In `file line 3`, the part after the space is inside the value.
  const { spot } = source.locate(written.replace(/ .*/, ""), at)
  return {
    ...c,
    file: source.file,
    ...(spot !== undefined ? { spot } : {}),
    ...(source.text !== undefined ? { text: source.text } : {}),
  }
}
