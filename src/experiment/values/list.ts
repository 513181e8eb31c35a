// The list of measured values: those of the engines (model/values.ts), and those that plug-ins declare, with the
// switches and engines that provide each.
import { type Ability, abilities } from "../../model/abilities.ts"
import type { Plugin } from "../../model/plugin.ts"
import {
  commonValues,
  declarationIn,
  type Machine,
  type PluginValue,
  type Provider,
  type ValueInfo,
} from "../../model/values.ts"
import { Catalog } from "../catalog.ts"

/** The parts of a plug-in that determine which values runs provide. */
type Declaring = Pick<
  Plugin<unknown, unknown, never>,
  "kind" | "name" | "moves" | "can" | "needs" | "values" | "params" | "example"
>

export interface ValueList {
  readonly values: Readonly<Record<string, ValueInfo>>
  /** all providers: switches of the flit engine, then the other engines */
  readonly machines: readonly Machine[]
}

const engines = ["packet", "ideal"] as const
const isEngine = (p: Provider): p is (typeof engines)[number] => p === "packet" || p === "ideal"

/** Returns the abilities of switches that a plug-in needs with its default parameters. */
function asked(p: Declaring): Ability[] {
  const parsed = p.params.parse(p.example ?? {}, "")
  const needs = "ok" in parsed ? (p.needs?.(parsed.ok) ?? []) : []
  return needs.filter((a) => (abilities[a].of as readonly string[]).includes("switch"))
}

/** Combines the values of the engines with those that these plug-ins declare. */
export function collectValues(plugins: readonly Declaring[]): ValueList {
  const switches = plugins.filter((p) => p.kind === "switch" && p.moves !== "chunks")
  const machines = [...switches.map((p) => p.name), ...engines]
  const able = (needed: readonly Ability[]) =>
    switches.filter((p) => needed.every((a) => p.can?.includes(a))).map((p) => p.name)
  const of = (by: Provider): readonly Machine[] => {
    if (isEngine(by)) return [by]
    if (by === "flit") return able([])
    return by === "whole packets" ? switches.filter((p) => p.moves !== "flits").map((p) => p.name) : able([by])
  }
  const found: Record<string, ValueInfo> = {}
  for (const [name, { by, ...info }] of Object.entries(commonValues)) found[name] = { ...info, of: by.flatMap(of) }
  for (const plugin of plugins)
    for (const [name, info] of Object.entries(plugin.values ?? {})) {
      const known = found[name]
      if (known !== undefined && !isSame(known, info))
        throw new Error(`the plug-in ${plugin.name} declares the value ${name} differently than another one`)
      const makers = plugin.kind === "switch" ? [plugin.name] : able(asked(plugin))
      found[name] = { ...info, of: machines.filter((m) => makers.includes(m) || known?.of.includes(m)) }
    }
  return { values: found, machines }
}

function isSame(a: PluginValue, b: PluginValue): boolean {
  return a.about === b.about && a.unit === b.unit && a.when === b.when && a.least === b.least
}

const lists = new WeakMap<Catalog, ValueList>()

/** Returns the values of the plug-ins of a catalog. */
export function valuesIn(catalog: Catalog): ValueList {
  let list = lists.get(catalog)
  if (list === undefined) lists.set(catalog, (list = collectValues(catalog.plugins)))
  return list
}

const builtIn = valuesIn(new Catalog())
export const { values, machines } = builtIn

/** Returns the declaration of a value, or of a stream's value (`uniform.latency.mean`) if streams have it. */
export function valueInfo(name: string, owners: readonly string[] = [], list = builtIn): ValueInfo | undefined {
  return declarationIn(list.values, name, owners)
}

/** Returns which switches and engines provide it, and when. */
export function givenBy(v: ValueInfo, list = builtIn): string {
  const all = list.machines.length
  const isIdeal = v.of.includes("ideal")
  const who = v.of.length === all ? "all" : v.of.length === all - 1 && !isIdeal ? "all but ideal" : v.of.join(", ")
  return v.when === undefined ? who : `${who}; ${v.when}`
}
