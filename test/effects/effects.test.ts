// Nothing is accepted without an effect: every key of every plug-in, of both engines and of the experiment itself,
// changed alone, changes the result of a small run (state, counters, tables), or is refused. What may be changed
// without an effect is listed with its reason.
import { describe, expect, test } from "vitest"
import { canonical } from "../../src/core/canonical.ts"
import type { Field } from "../../src/core/schema.ts"
import { Catalog } from "../../src/experiment/catalog.ts"
import { complete } from "../../src/experiment/complete.ts"
import { keysOf, topKeys } from "../../src/experiment/keys.ts"
import { layoutKeys } from "../../src/experiment/layout-keys.ts"
import { listTraffic } from "../../src/experiment/settings.ts"
import { type AnyPlugin, library, workloads } from "../../src/library.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"
import { shapeOf, unsound } from "../support/unsound.ts"
import { host, sceneOf, switchScenes } from "./plugin-scenes.ts"
import { changed, flit, jobs, others, packet, type Tree } from "./scenes.ts"
import { refused as alwaysRefused, special, without } from "./table.ts"

const keys = keysOf(new Catalog())
/** Results whose files were read back: those of another result with the same columns would show nothing new. */
const written = new Set<string>()
/** Everything that a run says but its time; or what it was refused for. */
async function outcome(tree: Tree): Promise<{ ran: boolean; text: string }> {
  const copy = structuredClone(tree)
  listTraffic(copy)
  const spec = complete(copy, keys)
  const refused = (bad: readonly { path: string; says: string }[]) => ({
    ran: false,
    text: bad.map((c) => `${c.path}: ${c.says}`).join("\n"),
  })
  if ("bad" in spec) return refused(spec.bad)
  const ready = prepare({ ...spec.ok, seed: 1 }, host)
  if ("bad" in ready) return refused(ready.bad)
  const result = await simulate(ready.ok)
  const shape = shapeOf(result)
  expect(await unsound({ ...spec.ok, seed: 1 }, result, !written.has(shape))).toEqual([])
  written.add(shape)
  const { values, ...rest } = result
  const { seconds: _, ...counted } = values
  return { ran: true, text: canonical({ ...rest, values: Object.entries(counted).map(([k, v]) => `${k} ${v}`) }) }
}

const known = new Map<string, ReturnType<typeof outcome>>()
function remembered(tree: Tree): ReturnType<typeof outcome> {
  const key = canonical(tree)
  const found = known.get(key) ?? outcome(tree)
  known.set(key, found)
  return found
}

function at(tree: Tree, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((v, key) => (typeof v === "object" && v !== null ? (v as Tree)[key] : undefined), tree)
}

/** "effect", "none", or "refused" for every other value that was tried. */
async function effect(id: string, scene: Tree, named: string, field: Field<unknown>): Promise<string> {
  const more = special[id] ?? special[id.replace(/ \S+(?=\.\w+$)/, " *")] ?? {}
  const base = changed(scene, more.with ?? {})
  const path = Array.isArray(base["traffic"]) ? named.replace(/^traffic\.(?!\d)/, "traffic.0.") : named
  const before = await remembered(base)
  if (!before.ran) return `the scene is refused: ${before.text}`
  let ran = false
  const values = more.to ?? others(field.info, at(base, path))
  if (values.length === 0) return "no other value is known: name one in table.ts"
  for (const value of values) {
    const after = await outcome(changed(base, { [path]: value }))
    if (after.ran && after.text !== before.text) return "effect"
    ran ||= after.ran
  }
  return ran ? "none" : "refused"
}

type Subject = readonly [id: string, scene: Tree, path: string, field: Field<unknown>]

function ofPlugin(plugin: AnyPlugin, scene: Tree, path: string): Subject[] {
  return Object.entries(plugin.params.fields).map(([key, field]) => [
    `${plugin.kind} ${plugin.name}.${key}`,
    scene,
    `${path}.${key}`,
    field,
  ])
}

/** Keys of the experiment, with each switch. */
function ofExperiment(): Subject[] {
  return Object.entries(switchScenes).flatMap(([name, scene]) => {
    const stream = Array.isArray(scene["traffic"]) ? "traffic.0" : "traffic"
    const groups = {
      network: ["network", keys.network.fields],
      stream: [stream, keys.stream.fields],
      measure: ["measure", keys.measure.fields],
    } as const
    return Object.entries(groups).flatMap(([group, [path, fields]]) =>
      Object.entries<Field<unknown>>(fields)
        // plug-ins have their own keys, a layout has keys below it
        .filter(([key, field]) => !field.info.type.endsWith("plug-in") && key !== "layout")
        .map(([key, field]): Subject => [`${group} ${name}.${key}`, scene, `${path}.${key}`, field]),
    )
  })
}

const subjects: Subject[] = [
  ...library.flatMap((plugin) => ofPlugin(plugin, ...sceneOf(plugin))),
  ...ofExperiment(),
  ...Object.entries<Field<unknown>>(keys.job.fields)
    .filter(([key]) => key !== "workload" && key !== "mpi")
    .map(([key, field]): Subject => [`job packet.${key}`, jobs, `jobs.0.${key}`, field]),
  ...Object.entries<Field<unknown>>(workloads.mpiParams.fields).map(
    ([key, field]): Subject => [`mpi packet.${key}`, jobs, `jobs.0.mpi.${key}`, field],
  ),
  ...Object.entries(layoutKeys.fields).map(
    ([key, field]): Subject => [
      `layout network.${key}`,
      changed(flit, { "network.layout": { routers: 2 } }),
      `network.layout.${key}`,
      field,
    ],
  ),
  ...Object.entries(keys.engines).flatMap(([name, schema]) =>
    Object.entries(schema.fields).map(
      ([key, field]): Subject => [
        `engine ${name}.${key}`,
        name === "ideal"
          ? changed(jobs, { engine: { name }, traffic: undefined })
          : changed(packet, { engine: { name } }),
        `engine.${key}`,
        field,
      ],
    ),
  ),
]

describe("every key has an effect, or is listed", () => {
  const kinds = [...new Set(subjects.map(([id]) => id.split(" ")[0]))]
  test.each(kinds)("keys of %s", async (kind) => {
    const wrong: string[] = []
    for (const [id, scene, path, field] of subjects) {
      if (!id.startsWith(`${kind} `) || id in without) continue
      const found = await effect(id, scene, path, field)
      if (found !== (id in alwaysRefused ? "refused" : "effect")) wrong.push(`${id}: ${found}`)
    }
    expect(wrong).toEqual([])
  })
  test("the list names keys that there are, and gives reasons", () => {
    const ids = new Set(subjects.map(([id]) => id))
    const listed = { ...without, ...alwaysRefused }
    expect(Object.keys(listed).filter((id) => !ids.has(id))).toEqual([])
    expect(Object.values(listed).filter((reason) => reason.length < 20)).toEqual([])
  })
  test("every key at the top of a file belongs to what is tested here, or to the plan", () => {
    expect(Object.keys(topKeys).sort()).toEqual(
      [...inPlan, "engine", "jobs", "measure", "network", "probes", "traffic"].sort(),
    )
  })
})

/** Tested as a plan: src/experiment/plan.test.ts, src/experiment/read.test.ts and
 *  src/experiment/outside/outside.test.ts; `cluster`: src/cluster; `references`: test/references.test.ts. */
const inPlan = [
  ...[
    "lacewing",
    "title",
    "name",
    "include",
    "plugins",
    "seeds",
    "sweep",
    "zip",
    "variants",
    "expect",
    "references",
    "search",
    "limits",
  ],
  "cluster",
]
