// Generates forms from the schemas of keys and plug-ins: the possible settings, their meaning and their current values.
import { parseDocument } from "yaml"
import type { FieldInfo, Schema } from "../../src/core/schema.ts"
import type { Catalog } from "../../src/experiment/catalog.ts"
import { keysOf } from "../../src/experiment/keys.ts"
import { library } from "../../src/library.ts"
import type { RunSpec } from "../../src/model/experiment.ts"
import type { Kind } from "../../src/model/plugin.ts"
import type { FormField, FormPart } from "../shared/planner.ts"

/** Plug-ins that are selected by name: their path in the experiment and their kind. */
const slots: readonly (readonly [path: string, kind: Kind, title: string])[] = [
  ["network.topology", "topology", "Topology"],
  ["network.routing", "routing", "Routing"],
  ["network.switch", "switch", "Switch"],
  ["network.endpoint", "endpoint", "Endpoints"],
  ["network.congestion", "congestion", "Congestion"],
]
const streamSlots: typeof slots = [
  ["pattern", "pattern", "Pattern"],
  ["arrivals", "arrivals", "Arrivals"],
]

export function formOf(text: string, spec: RunSpec, catalog: Catalog): FormPart[] {
  const doc: unknown = parseDocument(text).toJS()
  const keys = keysOf(catalog)
  const swept = new Set(Object.keys(Object(Reflect.get(Object(doc), "sweep") ?? {})))
  const isSwept = (path: string) =>
    [...swept].some((s) => s === path || path === `${s}.name` || s === path.replace("traffic.0.", "traffic."))
  const at = (root: unknown, path: string): unknown =>
    path.split(".").reduce<unknown>((v, k) => {
      if (typeof v === "string") return k === "name" ? v : undefined
      if (k === "0" && typeof v === "object" && v !== null && !Array.isArray(v)) return v
      return typeof v === "object" && v !== null ? Reflect.get(v, k) : undefined
    }, root)
  const field = (path: string, key: string, info: FieldInfo, choices?: readonly string[]): FormField => {
    const now = at(spec, path)
    const value = typeof now === "object" && now !== null ? (Reflect.get(now, "name") ?? JSON.stringify(now)) : now
    const more = choices === undefined ? {} : { choices }
    return {
      ...info,
      path,
      key,
      value: value ?? info.fallback ?? "",
      written: at(doc, path) !== undefined,
      swept: isSwept(path),
      ...more,
    }
  }
  const chosen = ([path, kind, title]: (typeof slots)[number]): FormPart => {
    const name = at(spec, `${path}.name`)
    const plugin = typeof name === "string" ? catalog.find(kind, name) : undefined
    const names = catalog
      .family(kind)
      .filter((p) => fits(p, spec))
      .map((p) => p.name)
    const first = field(`${path}.name`, "name", { about: plugin?.about ?? "none", type: "name", required: true }, names)
    const fields =
      plugin === undefined
        ? []
        : fieldsOf(plugin.params).map(([k, info]) => field(`${path}.${k}`, k, info, choicesIn(info)))
    return { title, about: plugin?.about ?? "", fields: [first, ...fields] }
  }
  const plain = (
    title: string,
    about: string,
    base: string,
    schema: Schema<unknown>,
    only: readonly string[],
  ): FormPart => ({
    ...{ title, about },
    fields: only.map((k) => field(`${base}.${k}`, k, schema.fields[k].info, choicesIn(schema.fields[k].info))),
  })
  const parts = slots.map(chosen)
  parts.push(plain("Clock", "length of a cycle and size of a flit", "network", keys.network, ["cycle", "flit"]))
  const many = spec.traffic.length > 1
  spec.traffic.forEach((stream, i) => {
    const of = many ? ` ${i + 1}` : ""
    const about = many ? `stream ${i + 1}: ${stream.name}` : "stream of packets"
    parts.push(
      plain(`Traffic${of}`, about, `traffic.${i}`, keys.stream, [
        "load",
        "packet",
        "message",
        "reply",
        "start",
        "stop",
      ]),
    )
    for (const [path, kind, title] of streamSlots) parts.push(chosen([`traffic.${i}.${path}`, kind, title + of]))
  })
  parts.push(
    plain("Measurement", "length and precision of the measurement", "measure", keys.measure, [
      "warmup",
      "window",
      "precision",
      "limit",
      "drain",
      "saturation",
    ]),
  )
  return parts
}

/** Returns true if a routing supports the topology of a run. Other plug-ins always fit. */
export function fits(p: { readonly kind: string }, spec: RunSpec): boolean {
  const wants: unknown = Reflect.get(p, "topologies")
  return (
    p.kind !== "routing" || !Array.isArray(wants) || wants.includes(spec.network.topology.name) || wants.includes("any")
  )
}

/** Returns true if a routing of the library supports a topology. */
export function fitsTopology(routing: string, topology: string): boolean {
  const found = library.find((p) => p.kind === "routing" && p.name === routing)
  const wants: unknown = found === undefined ? undefined : Reflect.get(found, "topologies")
  return !Array.isArray(wants) || wants.includes(topology) || wants.includes("any")
}

function fieldsOf(schema: Schema<unknown>): [string, FieldInfo][] {
  return Object.entries(schema.fields).map(([k, f]) => [k, f.info])
}

/** Returns the choices of a field, which its type lists. */
function choicesIn({ type }: FieldInfo): readonly string[] | undefined {
  if (type === "true | false") return ["true", "false"]
  if (!type.includes(" | ")) return undefined
  return type.split(" | ").map((w) => w.replaceAll('"', ""))
}
