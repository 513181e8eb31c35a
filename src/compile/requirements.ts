// Checks the abilities that an experiment and its plug-ins need against those that switch and endpoint declare
// (model/abilities.ts). A missing ability is rejected before cycle 0.
import { type Complaint, complain } from "../core/complaint.ts"
import { quantity } from "../core/units.ts"
import type { Asking } from "../experiment/bind.ts"
import type { Found } from "../experiment/find.ts"
import * as library from "../library.ts"
import { type Ability, abilities } from "../model/abilities.ts"
import type { TrafficSpec } from "../model/experiment.ts"
import type { ProbePlugin } from "../model/probe.ts"

type Doer = Pick<library.AnyPlugin, "name" | "can" | "conditions" | "params">

/** The providers of abilities, and the plug-ins that need them. */
export interface Asks {
  readonly switch: Doer
  readonly endpoint: Doer
  /** the engine that requires these providers, if another engine would support the ability */
  readonly engine?: string
  readonly asking: {
    readonly routing: Asking
    readonly endpoint: Asking
    readonly congestion: Asking
    /** only if the experiment names one */
    readonly qos: Asking | undefined
  }
}

const family = { switch: library.switches, endpoint: library.endpoints }
/** remedies, whichever provider does not have the ability */
const instead = {
  routing: ["name", "choose another routing"],
  endpoint: ["name", "choose another endpoint, or other parameters"],
  congestion: ["name", "set network.congestion to none"],
} as const

/** Returns complaints about all abilities that are needed and not declared, with the alternatives that have them. */
export function refusals(
  asks: Asks,
  traffic: readonly TrafficSpec[],
  probes: readonly Found<ProbePlugin<unknown>>[] = [],
): Complaint[] {
  const bad: Complaint[] = []
  const ask = (path: string, fix: string, needs: readonly Ability[]) => {
    for (const ability of needs) bad.push(...refusal(asks, path, fix, ability))
  }
  traffic.forEach((t, i) => {
    if (t.class !== 0) ask(`traffic.${i}.class`, "leave it out", ["classes"])
    if (t.priority !== 0) ask(`traffic.${i}.priority`, "leave it out", ["priorities"])
    if (quantity(t.reply, "flits") !== 0) ask(`traffic.${i}.reply`, "leave it out", ["replies"])
  })
  if (asks.asking.qos !== undefined) ask("network.qos.name", "leave network.qos out", ["schedulers"])
  probes.forEach(({ plugin, params }, i) => {
    ask(`probes.${i}`, "leave the probe out", plugin.needs?.(params) ?? [])
  })
  for (const kind of ["routing", "endpoint", "congestion"] as const) {
    const { needs } = asks.asking[kind]
    const [key, fix] = instead[kind]
    ask(
      `network.${kind}.${key}`,
      fix,
      needs.filter((ability) => ability !== "copies"),
    )
    if (needs.includes("copies")) ask(`network.${kind}.retransmitFrom`, "set it to endpoint", ["copies"])
  }
  return bad
}

function refusal(asks: Asks, path: string, fix: string, ability: Ability): Complaint[] {
  const { of, about } = abilities[ability]
  const lacking = of.filter((who) => asks[who].can?.includes(ability) !== true)
  if (lacking.length === 0) return []
  const able = lacking.map((who) => {
    const names = family[who].filter((p) => p.can?.includes(ability) === true).map((p) => p.name)
    return names.length === 0 ? undefined : `network.${who}.name to ${names.join(" or ")}`
  })
  const where = asks.engine === undefined ? "" : ` of the ${asks.engine} engine`
  const names = `${lacking.map((who) => `${who} "${asks[who].name}"`).join(" and ")}${where}`
  const other = asks.engine !== undefined ? "engine: flit" : able.includes(undefined) ? undefined : able.join(" and ")
  const ways = other === undefined ? fix : `${fix}, or set ${other}`
  return [complain(path, `needs ${about}, which ${names} ${lacking.length > 1 ? "do" : "does"} not have`, ways)]
}
