// The revisions of the code that a run uses. A plug-in declares its own (model/plugin.ts); the table here has those of
// all other code that decides the result of a run. Revision 1 equals model version 3, which named runs before.

import { type AnyPlugin, switches } from "../../library.ts"
import type { Named, RunSpec } from "../../model/experiment.ts"
import type { Kind } from "../../model/plugin.ts"
import { oldPluginName } from "../../model/renamed.ts"
import type { Catalog } from "../catalog.ts"

/**
 * Raised by one whenever a change gives another result for any run that uses the part. test/revisions.test.ts finds
 * omissions.
 */
export const partRevisions = {
  /** the flit engine: every switch but `chunk` */
  "engine flit": 1,
  /** the packet engine */
  "engine packet": 1,
  /** the ideal network (LogGOPS) */
  "engine ideal": 1,
  /** warm-up, window, stopping rule, intervals, verdicts, and every value and table that is not made by a probe */
  measure: 3,
  /** the half width of the mean latency, in a window without a given length */
  interval: 1,
  /** ranks of parallel programs: placement, MPI and collectives */
  jobs: 3,
} as const satisfies Readonly<Record<string, number>>

/** The same for the kit (kit.ts), which counts in runs with custom plug-ins: their modules contain none of its code. */
const kitRevision = 1

/** A plug-in that a specification names, or that is the default. */
export type Use = readonly [kind: Kind, name: string]
type Uses = Omit<RunSpec, "seed">

/** Returns the plug-ins that a run uses, including the routings that a composed routing names. */
export function usesOf({ network, engine, traffic, jobs = [], probes }: Uses, catalog: Catalog): Use[] {
  const slots: (readonly [Kind, Named | undefined])[] = [
    ["topology", network.topology],
    ["routing", network.routing],
    ["switch", network.switch],
    ["endpoint", network.endpoint],
    ["congestion", network.congestion ?? { name: "none" }],
    ["qos", network.qos],
    ...traffic.flatMap(
      (t) =>
        [
          ["pattern", t.pattern],
          ["arrivals", t.arrivals],
          ["sizes", t.packet],
          ["sizes", t.message],
        ] as const,
    ),
    ...jobs.map((j) => ["workload", j.workload] as const),
    ...probes.map((p) => ["probe", p] as const),
  ]
  const used = slots.flatMap(([kind, named]) => (named === undefined ? [] : namesIn(kind, named, catalog)))
  // The packet engine always moves chunks with these.
  if (engine.name === "packet") used.push(["switch", "chunk"], ["endpoint", "rails"])
  // A custom switch is composed of the stages of this one.
  else if (isCustom(catalog.find("switch", network.switch.name))) used.push(["switch", "combined"])
  if (
    network.qos === undefined &&
    used.some(([kind, name]) => catalog.find(kind, name)?.can?.includes("schedulers") === true)
  ) {
    const first = catalog.family("qos")[0]
    if (first !== undefined) used.push(["qos", first.name])
  }
  return used
}

function isCustom(plugin: AnyPlugin | undefined): boolean {
  return plugin !== undefined && !switches.some((known) => known === plugin)
}

/** Returns a plug-in, and those of its kind that its parameters name. */
function namesIn(kind: Kind, named: Named, catalog: Catalog): Use[] {
  const inner = Object.entries(named).flatMap(([key, value]): Use[] =>
    key !== "name" && typeof value === "string" && catalog.find(kind, value) !== undefined ? [[kind, value]] : [],
  )
  return [[kind, named.name], ...inner]
}

/**
 * Returns a text such as "congestion none 1, engine flit 1, …". Custom plug-ins are identified by the content of their
 * module instead. A renamed plug-in has its old name here, as in run hashes.
 */
export function revisionsOf(spec: Uses, catalog: Catalog): string {
  const { window, until } = spec.measure
  const parts: (keyof typeof partRevisions)[] = [
    "measure",
    ...(window === "auto" && until !== "jobs" ? (["interval"] as const) : []),
    ...(spec.jobs === undefined ? [] : (["jobs"] as const)),
  ]
  const engine = `engine ${spec.engine.name}`
  if (isPart(engine)) parts.push(engine)
  const all = new Map<string, number>(parts.map((part) => [part, partRevisions[part]]))
  if ((spec.plugins ?? []).length > 0) all.set("kit", kitRevision)
  for (const [kind, name] of usesOf(spec, catalog)) {
    const plugin = catalog.find(kind, name)
    if (plugin !== undefined) all.set(`${kind} ${oldPluginName(kind, plugin.name)}`, plugin.revision ?? 1)
  }
  return [...all]
    .map(([what, revision]) => `${what} ${revision}`)
    .sort()
    .join(", ")
}

function isPart(name: string): name is keyof typeof partRevisions {
  return Object.hasOwn(partRevisions, name)
}

/** Parses a text of revisionsOf(). */
export function revisionsIn(text: string): ReadonlyMap<string, number> {
  const parts = text === "" ? [] : text.split(", ")
  return new Map(
    parts.map((part) => [part.slice(0, part.lastIndexOf(" ")), Number(part.slice(part.lastIndexOf(" ") + 1))]),
  )
}
