// Values of a switch that a routing cannot do without. The routing names abilities (`needs`), the switch the values of its own keys that
// these rest on (`conditions`): neither knows the other. A key that an experiment does not set gets such a value before the specification
// is complete, so it is part of the run's identity; a value that contradicts is judged by the proof before cycle 0 (inspect/quick-proof.ts).
import { plainScale } from "../core/units.ts"
import type { AnyPlugin } from "../library.ts"
import type { NetworkSpec } from "../model/experiment.ts"
import type { Condition } from "../model/plugin.ts"
import type { Catalog } from "./catalog.ts"
import { isMap } from "./fields.ts"

/** The switch of an experiment that names none. */
export const usualSwitch = "input-queued"

/** One key of the switch, and the value that the routing needs. */
export interface Needed {
  readonly routing: string
  /** `network.switch.tailCredit` */
  readonly path: string
  readonly key: string
  readonly value: Condition["anyOf"][number][string]
  readonly otherwise: string
}

type Switch = Pick<AnyPlugin, "conditions" | "params">
type Written = Readonly<Record<string, unknown>>
type Routing = Pick<AnyPlugin, "name" | "needs">

/** What a routing with these parameters needs of the keys of this switch, beside those that are written. */
export function neededOf(routing: Routing, params: unknown, sw: Switch, written: Written): Needed[] {
  return (routing.needs?.(params as never) ?? []).flatMap((ability) => {
    const condition = sw.conditions?.[ability]
    if (condition === undefined) return []
    return Object.entries(nearestOf(condition, sw, written)).map(([key, value]) => ({
      routing: routing.name,
      path: `network.switch.${key}`,
      key,
      value,
      otherwise: condition.otherwise,
    }))
  })
}

/** The alternative that the fewest of the written values contradict; of several the first. */
function nearestOf({ anyOf }: Condition, sw: Switch, written: Written): Condition["anyOf"][number] {
  const wrong = (of: Condition["anyOf"][number]) =>
    Object.entries(of).filter(([key, value]) => written[key] !== undefined && isOther(sw, key, written[key], value)).length
  return anyOf.reduce((best, one) => (wrong(one) < wrong(best) ? one : best))
}

/** The values of the nearest alternative that a switch with these values lacks, defaults included. */
export function lackingOf(condition: Condition, sw: Switch, written: Written): Pick<Needed, "path" | "value">[] {
  const has = (key: string) => written[key] ?? sw.params.fields[key]!.info.fallback
  return Object.entries(nearestOf(condition, sw, written)).flatMap(([key, value]) =>
    isOther(sw, key, has(key), value) ? [{ path: `network.switch.${key}`, value }] : [],
  )
}

function isOther(sw: Switch, key: string, raw: unknown, value: unknown): boolean {
  const got = sw.params.fields[key]!.parse(raw, key, plainScale)
  return "ok" in got && got.ok !== value
}

/** Those of which the switch has another value, as it is written in a complete specification. */
export function contradicted(needed: readonly Needed[], sw: Switch, written: Written): Needed[] {
  return needed.filter(({ key, value }) => isOther(sw, key, written[key] ?? sw.params.fields[key]!.info.fallback, value))
}

/** What to set in a complete network whose switch contradicts its routing; undefined where nothing is known to help. */
export function cureIn(network: NetworkSpec, catalog: Catalog): string | undefined {
  const [routing, sw] = [catalog.find("routing", network.routing.name), catalog.find("switch", network.switch.name)]
  const params = routing?.params.parse(named(network.routing)!.params, "", plainScale)
  if (routing === undefined || sw === undefined || params === undefined || "bad" in params) return undefined
  const wrong = contradicted(neededOf(routing, params.ok, sw, network.switch), sw, network.switch)
  return wrong.length === 0 ? undefined : setText(wrong)
}

/** `set network.switch.tailCredit: true` */
export function setText(needed: readonly Pick<Needed, "path" | "value">[]): string {
  return `set ${needed.map(({ path, value }) => `${path}: ${value}`).join(" and ")}`
}

/** A sentence for people: what was set, and why. */
export function settledText({ routing, path, value }: Needed): string {
  return `${path} is ${value}, because ${routing} needs it and the experiment does not set it`
}

/** A network as it is written, with the keys that its routing needs and that are not written. `settled`: those whose value is not the default. */
export function settle(network: unknown, catalog: Catalog): { readonly network: unknown; readonly settled: readonly Needed[] } {
  if (!isMap(network)) return { network, settled: [] }
  const routing = named(network["routing"])
  const sw = named(network["switch"] ?? usualSwitch)
  const plugins = [routing && catalog.find("routing", routing.name), sw && catalog.find("switch", sw.name)] as const
  if (routing === undefined || sw === undefined || plugins[0]?.needs === undefined || plugins[1]?.conditions === undefined)
    return { network, settled: [] }
  const params = plugins[0].params.parse(routing.params, "", plainScale)
  if ("bad" in params) return { network, settled: [] }
  const absent = neededOf(plugins[0], params.ok, plugins[1], sw.params).filter(({ key }) => sw.params[key] === undefined)
  if (absent.length === 0) return { network, settled: [] }
  const { fields } = plugins[1].params
  const more = Object.fromEntries(absent.map(({ key, value }) => [key, value]))
  return {
    network: { ...network, switch: { name: sw.name, ...sw.params, ...more } },
    settled: absent.filter(({ key, value }) => fields[key]!.info.fallback !== value),
  }
}

/** A plug-in as experiments write it: its name, or a map. */
function named(raw: unknown): { readonly name: string; readonly params: Readonly<Record<string, unknown>> } | undefined {
  if (typeof raw === "string") return { name: raw, params: {} }
  if (!isMap(raw) || typeof raw["name"] !== "string") return undefined
  const { name, ...params } = raw
  return { name, params }
}
