// Names that files, commands and results folders used up to version 0.1. Old names are read, new names are written, and
// run hashes are made with the old ones, so that no run changes its identity.
import type { JobSpec, Named, NetworkSpec, RunResult, RunSpec, StopReason, Table } from "./experiment.ts"
import type { Kind } from "./plugin.ts"

/** The version from which on the old names are errors. */
export const REMOVED_IN = "0.3"

export interface Renamed {
  readonly was: string
  readonly now: string
}

/** A key of some plug-ins of a kind, or of a job. */
export interface RenamedKey extends Renamed {
  readonly kind: Kind | "job"
  readonly plugins: readonly string[]
}

const skeletons = ["amg", "multigrid", "minife", "nekbone", "hilo", "fill-boundary", "cns", "bigfft", "amr"]

function keys(
  kind: RenamedKey["kind"],
  plugins: readonly string[],
  now: Readonly<Record<string, string>>,
): RenamedKey[] {
  return Object.entries(now).map(([was, now]) => ({ kind, plugins, was, now }))
}

export const renamedKeys: readonly RenamedKey[] = [
  ...keys("congestion", ["srp", "smsrp", "lhrp"], { again: "retransmitFrom" }),
  ...keys("congestion", ["srp"], { least: "reserveFrom" }),
  ...keys("congestion", ["cbcm"], { least: "minPackets", full: "maxQueued", holders: "countInTransit" }),
  ...keys("congestion", ["dcqcn"], { least: "minRate" }),
  ...keys("congestion", ["ecn-window"], { least: "minWindow" }),
  ...keys("congestion", ["nscc"], { fall: "proportionalDecrease" }),
  ...keys("congestion", ["rccc"], { free: "initialCredit" }),
  ...keys("switch", ["infiniband", "omni-path"], { least: "reservedPerVl", most: "maxPerVl" }),
  ...keys("switch", ["queue-scheme"], { aside: "cfqTotal", answer: "allocateAck" }),
  ...keys("switch", ["tiled"], { still: "blockedCap" }),
  ...keys("routing", ["dragonfly.par62", "dragonfly.par62-direct"], { behind: "maxRemoteQueue" }),
  ...keys("workload", ["ring"], { laps: "iterations" }),
  ...keys("workload", ["halo", "collective", "boxlib-multigrid", ...skeletons], { turns: "iterations" }),
  ...keys("probe", ["occupancy"], { lanes: "perVl" }),
  ...keys("job", [], { place: "placement" }),
]

export const renamedPlugins: readonly (Renamed & { readonly kind: Kind })[] = [
  { kind: "probe", was: "standing", now: "blocked" },
]

/** Values of runs; those of one stream have its name in front. */
export const renamedValues: Readonly<Record<string, string>> = {
  "time.wires": "time.propagation",
  "time.output": "time.contention",
  "standing.max": "blocked.max",
  "throttle.wrong": "throttle.falsePositive",
  "switch.crossbar.use": "switch.crossbar.utilisation",
  "switch.row.use": "switch.row.utilisation",
  "switch.column.use": "switch.column.utilisation",
  "switch.mux.use": "switch.mux.utilisation",
  "isolation.cam.use": "isolation.cam.utilisation",
  "stash.storage.use": "stash.storage.utilisation",
  "stash.retrieval.use": "stash.retrieval.utilisation",
  "stash.pool.use": "stash.pool.utilisation",
}

/** Tables of probes. */
export const renamedTables: Readonly<Record<string, string>> = {
  standing: "blocked",
  "occupancy.lanes": "occupancy.vls",
}

/** Texts in columns of tables, by table and column. */
export const renamedCells: readonly {
  readonly table: string
  readonly column: string
  readonly now: Readonly<Record<string, string>>
}[] = [
  {
    table: "events",
    column: "event",
    now: { lineBorn: "lineAllocated", lineDied: "lineFreed", lineGoes: "lineGo" },
  },
  { table: "attribution", column: "part", now: { wires: "propagation", output: "contention" } },
]

/** Columns of the table `runs`. */
export const renamedColumns: Readonly<Record<string, string>> = { why: "stop_reason", explains: "stop_detail" }

/** Reasons why a run ended. */
export const renamedReasons: Readonly<Record<string, StopReason>> = { cycles: "limit" }

/** The sentence that `check` and `run` print about an old name. */
export function renamedText(old: string, now: string): string {
  return `${old} is now called ${now}. The old name works until ${REMOVED_IN}.`
}

const reversed = (map: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(map).map(([a, b]) => [b, a]))
const oldValues = reversed(renamedValues)
const oldTables = reversed(renamedTables)

/** The other name, or the same. A name may be anything, "toString" included, so inherited properties are no names. */
function nameIn<T extends string>(map: Readonly<Record<string, T>>, name: string): T | string {
  return Object.hasOwn(map, name) ? map[name] : name
}

function named(name: string, map: Readonly<Record<string, string>>): string {
  if (Object.hasOwn(map, name)) return map[name]
  const tail = Object.keys(map).find((key) => name.endsWith(`.${key}`))
  return tail === undefined ? name : name.slice(0, -tail.length) + map[tail]
}

const known = new Map<string, string>()

/** The new name of a value, with the name of its stream in front. */
export function newValueName(name: string): string {
  const before = known.get(name)
  if (before !== undefined) return before
  const now = named(name, renamedValues)
  if (known.size < 10_000) known.set(name, now)
  return now
}
/** The name of a value up to version 0.1. */
export const oldValueName = (name: string): string => named(name, oldValues)
export const newTableName = (name: string): string => nameIn(renamedTables, name)
export const oldTableName = (name: string): string => nameIn(oldTables, name)
export const newReason = (why: string): StopReason => nameIn(renamedReasons, why) as StopReason

/** The old name of a plug-in, which is part of run hashes and of revisions. */
export function oldPluginName(kind: string, name: string): string {
  return renamedPlugins.find((p) => p.kind === kind && p.now === name)?.was ?? name
}
export function newPluginName(kind: string, name: string): string {
  return renamedPlugins.find((p) => p.kind === kind && p.was === name)?.now ?? name
}

type Direction = "old" | "new"

function renamedMap<T extends object>(map: T, found: readonly RenamedKey[], to: Direction): T {
  const other = (key: string): string => {
    const hit = found.find((r) => key === (to === "old" ? r.now : r.was))
    return hit === undefined ? key : to === "old" ? hit.was : hit.now
  }
  return found.length === 0 ? map : (Object.fromEntries(Object.entries(map).map(([k, v]) => [other(k), v])) as T)
}

const eventNames = renamedCells[0].now
const oldEventNames = reversed(eventNames)

function renamedSlot<T extends Named | undefined>(kind: Kind, slot: T, to: Direction): T {
  if (slot === undefined) return slot
  const name = to === "old" ? oldPluginName(kind, slot.name) : newPluginName(kind, slot.name)
  const found = renamedKeys.filter((r) => r.kind === kind && r.plugins.includes(slot.name))
  const kinds: unknown = kind === "probe" && slot.name === "events" ? slot["kinds"] : undefined
  if (found.length === 0 && name === slot.name && kinds === undefined) return slot
  const events = to === "old" ? oldEventNames : eventNames
  const listed = Array.isArray(kinds)
    ? { kinds: kinds.map((k: unknown) => (typeof k === "string" ? nameIn(events, k) : k)) }
    : {}
  return { ...renamedMap(slot, found, to), ...listed, name } as T
}

const jobKeys = renamedKeys.filter((r) => r.kind === "job")

function network(n: NetworkSpec, to: Direction): NetworkSpec {
  return {
    ...n,
    routing: renamedSlot("routing", n.routing, to),
    switch: renamedSlot("switch", n.switch, to),
    ...(n.congestion === undefined ? {} : { congestion: renamedSlot("congestion", n.congestion, to) }),
  }
}

const job = (j: JobSpec, to: Direction): JobSpec => ({
  ...renamedMap(j, jobKeys, to),
  workload: renamedSlot("workload", j.workload, to),
})

/** One part of a specification with the names that its hash is made of. */
export function oldPart(key: string, part: unknown): unknown {
  if (key === "network") return network(part as NetworkSpec, "old")
  if (key === "jobs") return (part as readonly JobSpec[]).map((j) => job(j, "old"))
  if (key === "probes") return (part as readonly Named[]).map((p) => renamedSlot("probe", p, "old"))
  return part
}

/** A specification that an older version wrote, with the names of today. */
export function newSpec(spec: RunSpec): RunSpec {
  return {
    ...spec,
    network: network(spec.network, "new"),
    ...(spec.jobs === undefined ? {} : { jobs: spec.jobs.map((j) => job(j, "new")) }),
    probes: spec.probes.map((p) => renamedSlot("probe", p, "new")),
  }
}

function renamedTable(name: string, table: Table, to: Direction): Table {
  const made: Record<string, Table[string]> = { ...table }
  for (const r of renamedCells) {
    if (r.table !== name || !Object.hasOwn(table, r.column)) continue
    const names = to === "old" ? reversed(r.now) : r.now
    made[r.column] = table[r.column].map((cell) => nameIn(names, String(cell)))
  }
  return made
}

/** A result that an older version wrote, with the names of today. */
export function newResult(result: RunResult): RunResult {
  const { values, missing, tables } = result
  return {
    ...result,
    why: newReason(result.why),
    values: Object.fromEntries(Object.entries(values).map(([k, v]) => [newValueName(k), v])),
    ...(missing === undefined ? {} : { missing: missing.map(newValueName) }),
    tables: Object.fromEntries(Object.entries(tables).map(([k, t]) => [newTableName(k), renamedTable(k, t, "new")])),
  }
}

/** Swept keys of a run by the names of today, where its specification has the old ones. */
export function newPoint<T>(point: Readonly<Record<string, T>>, spec: RunSpec): Readonly<Record<string, T>> {
  const slots: readonly (readonly [RenamedKey["kind"], object | undefined])[] = [
    ["routing", spec.network.routing],
    ["switch", spec.network.switch],
    ["congestion", spec.network.congestion],
    ...(spec.jobs ?? []).flatMap((j) => [["workload", j.workload] as const, ["job", j] as const]),
    ...spec.probes.map((p) => ["probe", p] as const),
  ]
  const found = renamedKeys.filter((r) =>
    slots.some(
      ([kind, slot]) =>
        kind === r.kind &&
        slot !== undefined &&
        Object.hasOwn(slot, r.was) &&
        (kind === "job" || r.plugins.includes(String(Reflect.get(slot, "name")))),
    ),
  )
  if (found.length === 0) return point
  const rename = (key: string): string => {
    const last = key.slice(key.lastIndexOf(".") + 1)
    const hit = found.find((r) => r.was === last)
    return hit === undefined ? key : key.slice(0, key.length - last.length) + hit.now
  }
  return Object.fromEntries(Object.entries(point).map(([k, v]) => [rename(k), v]))
}

/** The values and tables of a result, and how it ended, with the names of version 0.1. */
export function oldResult({ why, values, tables }: RunResult): Pick<RunResult, "values" | "tables"> & { why: string } {
  return {
    why: why === "limit" ? "cycles" : why,
    values: Object.fromEntries(Object.entries(values).map(([k, v]) => [oldValueName(k), v])),
    tables: Object.fromEntries(Object.entries(tables).map(([k, t]) => [oldTableName(k), renamedTable(k, t, "old")])),
  }
}

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null
const isNamed = (value: unknown): value is Named => isMap(value) && typeof value["name"] === "string"

/** A record that was read from a forged file may have anything here. */
function isWhole({ network, jobs, probes }: RunSpec): boolean {
  return (
    isMap(network) &&
    isNamed(network.routing) &&
    isNamed(network.switch) &&
    (network.congestion === undefined || isNamed(network.congestion)) &&
    Array.isArray(probes) &&
    probes.every(isNamed) &&
    (jobs === undefined || (Array.isArray(jobs) && jobs.every((j) => isMap(j) && isNamed(j.workload))))
  )
}

/** A finished run that an older version stored, with the names of today. */
export function newRecord<
  R extends {
    readonly spec: RunSpec
    readonly point: Readonly<Record<string, string | number>>
    readonly result: RunResult
  },
>(record: R): R {
  const whole = isMap(record.spec) && isWhole(record.spec)
  return {
    ...record,
    ...(whole ? { spec: newSpec(record.spec), point: newPoint(record.point, record.spec) } : {}),
    result: newResult(record.result),
  }
}

const paths: readonly (readonly [RegExp, RenamedKey["kind"]])[] = [
  [/^network\.(switch|congestion|routing)\.(\w+)$/, "switch"],
  [/^jobs(?:\.\d+)?\.workload\.(\w+)$/, "workload"],
  [/^jobs(?:\.\d+)?\.(\w+)$/, "job"],
  [/^probes(?:\.\d+)?\.(\w+)$/, "probe"],
]

/** The path of a key by its new name. `plugin`: the one that the key belongs to, where it is known; an old name that
 *  several plug-ins replaced by different ones stays without it. */
export function newPath(path: string, plugin?: string): string {
  const hit = paths.map(([shape, kind]) => [shape.exec(path), kind] as const).find(([m]) => m !== null)
  const match = hit?.[0]
  if (hit === undefined || match === null || match === undefined) return path
  const kind = hit[1] === "switch" ? match[1] : hit[1]
  const last = match[match.length - 1]
  const found = renamedKeys.filter((r) => r.kind === kind && r.was === last)
  const own = found.filter((r) => plugin !== undefined && r.plugins.includes(plugin))
  const names = new Set((own.length > 0 ? own : found).map((r) => r.now))
  return names.size === 1 ? path.slice(0, -last.length) + [...names][0] : path
}

/** Whether two names are one key: equal, or the old and the new name of it. */
export function sameName(a: string, b: string): boolean {
  return a === b || renamedKeys.some((r) => (r.was === a && r.now === b) || (r.was === b && r.now === a))
}

/** The other names of a key in the map of a plug-in or a job. */
export function otherNames(key: string, map: Readonly<Record<string, unknown>>, inJob: boolean): string[] {
  return renamedKeys
    .filter((r) => (r.kind === "job" ? inJob : typeof map["name"] === "string" && r.plugins.includes(map["name"])))
    .flatMap((r) => (r.was === key ? [r.now] : r.now === key ? [r.was] : []))
}
