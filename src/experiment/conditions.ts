// Switch settings that a routing requires, such as tailCredit for escape VCs. The routing declares abilities (`needs`),
// and the switch declares which of its keys provide them (`conditions`); neither knows the other. A key that the
// experiment does not set gets the required value before the specification is complete, so it is part of the run hash.
// A value that contradicts is judged by the deadlock proof before cycle 0 (inspect/quick-proof.ts).
import { plainScale } from "../core/units.ts"
import type { AnyPlugin } from "../library.ts"
import type { NetworkSpec } from "../model/experiment.ts"
import type { Condition } from "../model/plugin.ts"
import type { Asking } from "./bind.ts"
import type { Catalog } from "./catalog.ts"
import { isMap } from "./fields.ts"

/** The default switch. */
export const usualSwitch = "input-queued"

/** One key of the switch, and the value that the routing requires. */
export interface Needed {
  readonly routing: string
  /** such as `network.switch.tailCredit` */
  readonly path: string
  readonly key: string
  readonly value: Condition["anyOf"][number][string]
  readonly otherwise: string
}

type Switch = Pick<AnyPlugin, "conditions" | "params">
type Written = Readonly<Record<string, unknown>>

/**
 * Returns the requirements of a routing on the keys of this switch, given those that are written.
 */
export function neededOf(routing: Asking, sw: Switch, written: Written): Needed[] {
  return routing.needs.flatMap((ability) => {
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

function asking(routing: AnyPlugin, params: unknown): Asking {
  return { name: routing.name, needs: routing.needs?.(params) ?? [] }
}

/** Returns the alternative that the fewest written values contradict; the first of several. */
function nearestOf({ anyOf }: Condition, sw: Switch, written: Written): Condition["anyOf"][number] {
  const wrong = (of: Condition["anyOf"][number]) =>
    Object.entries(of).filter(([key, value]) => written[key] !== undefined && isOther(sw, key, written[key], value))
      .length
  return anyOf.reduce((best, one) => (wrong(one) < wrong(best) ? one : best))
}

/** Returns the values of the nearest alternative that the switch does not have, defaults included. */
export function lackingOf(condition: Condition, sw: Switch, written: Written): Pick<Needed, "path" | "value">[] {
  const has = (key: string) => written[key] ?? sw.params.fields[key].info.fallback
  return Object.entries(nearestOf(condition, sw, written)).flatMap(([key, value]) =>
    isOther(sw, key, has(key), value) ? [{ path: `network.switch.${key}`, value }] : [],
  )
}

function isOther(sw: Switch, key: string, raw: unknown, value: unknown): boolean {
  const got = sw.params.fields[key].parse(raw, key, plainScale)
  return "ok" in got && got.ok !== value
}

/** Returns the requirements that a complete specification contradicts. */
export function contradicted(needed: readonly Needed[], sw: Switch, written: Written): Needed[] {
  return needed.filter(({ key, value }) => isOther(sw, key, written[key] ?? sw.params.fields[key].info.fallback, value))
}

/** Returns the settings that would resolve a contradiction in a complete network; undefined if none are known. */
export function cureIn(network: NetworkSpec, catalog: Catalog): string | undefined {
  const [routing, sw] = [catalog.find("routing", network.routing.name), catalog.find("switch", network.switch.name)]
  const params = routing?.params.parse(named(network.routing)!.params, "", plainScale)
  if (routing === undefined || sw === undefined || params === undefined || "bad" in params) return undefined
  const wrong = contradicted(neededOf(asking(routing, params.ok), sw, network.switch), sw, network.switch)
  return wrong.length === 0 ? undefined : setText(wrong)
}

/** Returns the fix for a network that deadlocked in a run. */
export function deadlockFix(network: NetworkSpec, catalog: Catalog): string {
  return (
    cureIn(network, catalog) ??
    "run `lacewing check` on the experiment, which shows the cycle and how many VCs are enough, or choose another routing"
  )
}

/** Returns a fix such as `set network.switch.tailCredit: true`. */
export function setText(needed: readonly Pick<Needed, "path" | "value">[]): string {
  return `set ${needed.map(({ path, value }) => `${path}: ${value}`).join(" and ")}`
}

/** Returns a note for the user: the value that was set, and why. */
export function settledText({ routing, path, value }: Needed): string {
  return `${path} is ${value}, because ${routing} needs it and the experiment does not set it`
}

/** Returns the network with the required keys that are not written. `settled`: those whose value is not the default. */
export function settle(
  network: unknown,
  catalog: Catalog,
): { readonly network: unknown; readonly settled: readonly Needed[] } {
  if (!isMap(network)) return { network, settled: [] }
  const routing = named(network["routing"])
  const sw = named(network["switch"] ?? usualSwitch)
  const plugins = [routing && catalog.find("routing", routing.name), sw && catalog.find("switch", sw.name)] as const
  if (
    routing === undefined ||
    sw === undefined ||
    plugins[0]?.needs === undefined ||
    plugins[1]?.conditions === undefined
  )
    return { network, settled: [] }
  const params = plugins[0].params.parse(routing.params, "", plainScale)
  if ("bad" in params) return { network, settled: [] }
  const absent = neededOf(asking(plugins[0], params.ok), plugins[1], sw.params).filter(
    ({ key }) => sw.params[key] === undefined,
  )
  if (absent.length === 0) return { network, settled: [] }
  const { fields } = plugins[1].params
  const more = Object.fromEntries(absent.map(({ key, value }) => [key, value]))
  return {
    network: { ...network, switch: { name: sw.name, ...sw.params, ...more } },
    settled: absent.filter(({ key, value }) => fields[key].info.fallback !== value),
  }
}

/** Returns a plug-in as experiments write it: its name, or a map. */
function named(
  raw: unknown,
): { readonly name: string; readonly params: Readonly<Record<string, unknown>> } | undefined {
  if (typeof raw === "string") return { name: raw, params: {} }
  if (!isMap(raw) || typeof raw["name"] !== "string") return undefined
  const { name, ...params } = raw
  return { name, params }
}
