// Nothing is accepted without an effect: every key of every plug-in, of both engines and of the experiment itself, changed alone, changes the result of a
// small run (state, counters, tables), or is refused. What may be changed without an effect is listed with its reason.
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
import { files } from "../contract/cases.ts"
import { cases } from "../contract/routing-cases.ts"
import { goalRing, simgridRank } from "../support/traces/texts.ts"
import { unsound } from "../support/unsound.ts"
import { changed, combined, contended, flit, infiniband, jobs, omniPath, others, packet, queueScheme, type Tree, tiled } from "./scenes.ts"
import { refused as alwaysRefused, special, without } from "./table.ts"

const keys = keysOf(new Catalog())
/** A link twice; traffic of 16 endpoints, all alike and not. */
const own: Readonly<Record<string, string>> = {
  ...files,
  "double.txt": "a b\na b\nb c\nc a\n",
  "pair.txt": "a b\nb c\n",
  // the other of two equal ways
  "other-square.txt": (files["square.txt"] ?? "").replace("1 2 0 # x first", "1 2 3"),
  "two.goal": goalRing(2),
  "three.goal": goalRing(3),
  "ti.txt": `${simgridRank(0, 2)}\n${simgridRank(1, 2)}\n`,
  "seats.txt": "0 1 2 3",
  "other-seats.txt": "3 6 9 10",
  "week.csv": `sec,usec,disk,op,bytes\n${Array.from({ length: 40 }, (_, i) => `0,${3 * i},${i % 2},${i % 3 === 0 ? "R" : "W"},64`).join("\n")}`,
  "other-week.csv": `sec,usec,disk,op,bytes\n${Array.from({ length: 40 }, (_, i) => `0,${2 * i},${i % 3},R,128`).join("\n")}`,
  "all.csv": `${"1,".repeat(15)}1\n`.repeat(16),
  "some.csv": `${"1,2,".repeat(7)}1,2\n`.repeat(16),
}
const host = {
  read: (path: string): string => {
    const text = own[path]
    if (text === undefined) throw new Error(`no file ${path}`)
    return text
  },
}

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
  expect(await unsound({ ...spec.ok, seed: 1 }, result)).toEqual([])
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
  return path.split(".").reduce<unknown>((v, key) => (typeof v === "object" && v !== null ? (v as Tree)[key] : undefined), tree)
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

function sceneOf(plugin: AnyPlugin): readonly [Tree, string] {
  const needed = special[`${plugin.kind} ${plugin.name}`]?.with ?? {}
  const named = { name: plugin.name, ...needed }
  switch (plugin.kind) {
    case "topology": {
      const scene =
        "rails" in plugin.params.fields
          ? changed(packet, { "network.routing": "slimfly.minimal" })
          : changed(flit, { "network.routing": "any.up-down" })
      return [
        changed(scene, {
          "network.topology": named,
          "network.links": {},
          "measure.window": scene["engine"] === undefined ? "80cycles" : "2us",
        }),
        "network.topology",
      ]
    }
    case "routing": {
      const c =
        cases.find((one) => one.routing === plugin.name && one.topology !== "fitfly") ?? cases.find((one) => one.routing === plugin.name)!
      const settings = {
        "network.topology": { name: c.topology, ...c.on, ...(c.topology === "fitfly" ? { rails: 1 } : {}) },
        "network.routing": { ...c.raw, ...named },
        "network.switch.vcs": 8,
      }
      return [changed(flit, settings), "network.routing"]
    }
    case "pattern":
      return [
        changed(flit, {
          "network.topology": { name: "torus", sides: "4x4" },
          "network.routing": "torus.dimension-order",
          "traffic.pattern": named,
        }),
        "traffic.pattern",
      ]
    case "arrivals":
      return [changed(flit, { "traffic.arrivals": named }), "traffic.arrivals"]
    case "sizes":
      return [changed(flit, { "traffic.packet": named }), "traffic.packet"]
    case "switch":
      return [scenes[plugin.name]!, "network.switch"]
    case "endpoint":
      return [
        { rails: packet, "queue-pairs": tiled, "service-levels": infiniband, adapter: queueScheme }[plugin.name] ?? flit,
        "network.endpoint",
      ]
    case "congestion":
      return plugin.name === "ecn-window"
        ? [tiled, "network.congestion"]
        : [changed(contended, { "network.congestion": named }), "network.congestion"]
    case "qos":
      return [changed(infiniband, { "network.qos": named }), "network.qos"]
    case "probe":
      return [changed(flit, { probes: [named] }), "probes.0"]
    case "workload":
      return [changed(jobs, { "jobs.0.workload": named }), "jobs.0.workload"]
    default:
      return [flit, plugin.kind]
  }
}

const scenes: Readonly<Record<string, Tree>> = {
  "input-queued": flit,
  tiled,
  combined,
  infiniband,
  "omni-path": omniPath,
  "queue-scheme": queueScheme,
  chunk: packet,
}

/** Keys of the experiment, with each switch. */
function ofExperiment(): Subject[] {
  return Object.entries(scenes).flatMap(([name, scene]) => {
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
        name === "ideal" ? changed(jobs, { engine: { name }, traffic: undefined }) : changed(packet, { engine: { name } }),
        `engine.${key}`,
        field,
      ],
    ),
  ),
]

describe("every key has an effect, or is listed", () => {
  const kinds = [...new Set(subjects.map(([id]) => id.split(" ")[0]!))]
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
    expect(Object.keys(topKeys).sort()).toEqual([...inPlan, "engine", "jobs", "measure", "network", "probes", "traffic"].sort())
  })
})

/** Tested as a plan: src/experiment/plan.test.ts, src/experiment/read.test.ts and src/experiment/outside/outside.test.ts; `cluster`: src/run/cluster. */
const inPlan = [
  ...["lacewing", "title", "name", "include", "plugins", "seeds", "sweep", "zip", "variants", "expect", "search", "limits"],
  "cluster",
]
