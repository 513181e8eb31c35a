// Numbers that rows read off the model instead of a run: of a network (`networks`), with its price if it names a price
// list, and of an arbitration table (`goals`).

import { bookNamed } from "../../../compile/floor/pricebook.ts"
import { type Checked, type Complaint, complain } from "../../../core/complaint.ts"
import { isMap } from "../../../experiment/fields.ts"
import { textOf } from "../../../experiment/rows/evaluate.ts"
import type { Reference } from "../../../experiment/rows/syntax.ts"
import { cost } from "../../../inspect/cost.ts"
import { type Goals, readGoals } from "../../../inspect/qos/goals.ts"
import { type Configuration, configure } from "../../../inspect/qos/search.ts"
import { buildTopology } from "../../../inspect/topology-build.ts"
import { measure } from "../../../proof/measures.ts"
import type { Facts } from "../paper.ts"
import type { Keys } from "./keys.ts"

export interface Sources {
  readonly networks: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly goals?: Goals
}

export function sourcesOf(figure: Keys, bad: Complaint[]): Sources {
  const networks: Record<string, Readonly<Record<string, unknown>>> = {}
  for (const [name, raw] of Object.entries(figure.map("networks"))) {
    if (isMap(raw) && isMap(raw["topology"]) && typeof raw["topology"]["name"] === "string") networks[name] = raw
    else bad.push(complain(`networks.${name}`, "has no topology", "write topology: {name: mesh, sides: 4x4}"))
  }
  if (figure.get("goals") === undefined) return { networks }
  const goals = readGoals(figure.get("goals"))
  if ("ok" in goals) return { networks, goals: goals.ok }
  bad.push(...goals.bad.map((c) => ({ ...c, path: `goals.${c.path}` })))
  return { networks }
}

/** Returns the name under which a fact is recorded, such as "radix(Slim Fly)"; undefined if the reference is none. */
export function factName(e: Reference, { networks, goals }: Sources): string | undefined {
  const [of, ...more] = e.arguments.map(textOf)
  const ofNetwork = of !== undefined && more.length === 0 && Object.hasOwn(networks, of)
  if (!ofNetwork && !(goals !== undefined && e.name.startsWith("table."))) return undefined
  const conditions = e.conditions.map(({ key, from }) => `${key}=${from.kind === "number" ? from.value : textOf(from)}`)
  const inside = [...(of === undefined ? [] : [of]), ...conditions].join(", ")
  return inside === "" ? e.name : `${e.name}(${inside})`
}

/** Reads all these numbers; each network is built once. */
export function readFacts(references: readonly Reference[], sources: Sources): Checked<Facts> {
  const facts: Record<string, number> = {}
  const bad: Complaint[] = []
  const networks = new Map<string, Checked<Facts>>()
  const table = sources.goals === undefined ? undefined : configure(sources.goals)
  for (const e of references) {
    const name = factName(e, sources)
    if (name === undefined || Object.hasOwn(facts, name)) continue
    const of = textOf(e.arguments[0] ?? { kind: "text", text: "" }) ?? ""
    if (e.name.startsWith("table.")) {
      const value = ofTable(e, of, table)
      if (value === undefined) bad.push(complain(name, "is not a number of the table", `known: ${ofTables.join(", ")}`))
      else facts[name] = value
      continue
    }
    const known = networks.get(of) ?? networkFacts(sources.networks[of])
    networks.set(of, known)
    if ("bad" in known) bad.push(...known.bad)
    else if (known.ok[e.name] === undefined)
      bad.push(complain(name, "is not a number of a network", `known: ${Object.keys(known.ok).join(", ")}`))
    else facts[name] = known.ok[e.name]
  }
  return bad.length > 0 ? { bad } : { ok: facts }
}

function networkFacts(raw: Readonly<Record<string, unknown>>): Checked<Facts> {
  const given = isMap(raw["topology"]) ? raw["topology"] : {}
  const { name, ...params } = given
  const built = buildTopology(String(name), params)
  if ("bad" in built) return built
  const { topology } = built.ok
  const m = measure(topology, { bisection: false })
  const facts: Record<string, number> = {
    endpoints: m.endpoints,
    routers: m.routers,
    radix: m.radix,
    rails: m.rails,
    planes: "planes" in topology ? Number(topology.planes) : 1,
    groups: m.groups ?? Number.NaN,
    diameter: m.diameter,
    links: m.links,
    ...Object.fromEntries(Object.entries(m.linksByClass).map(([kind, n]) => [`links.${kind}`, n])),
  }
  if (raw["prices"] === undefined) return { ok: facts }
  const book = bookNamed(String(raw["prices"]), "prices")
  if ("bad" in book) return book
  const priced = cost(topology, book.ok)
  if ("bad" in priced) return priced
  const { links, routers, linkPrice, routerPrice, price } = priced.ok.total
  const costs = { "cost.links": links, "cost.routers": routers, "cost.linkPrice": linkPrice }
  return { ok: { ...facts, ...costs, "cost.routerPrice": routerPrice, "cost.price": price } }
}

const ofTables = ["table.k", "table.w", "table.total", "table.weight(LEVEL)", "table.entries(LEVEL, weight=W)"]

function ofTable(e: Reference, level: string, table: Configuration | undefined): number | undefined {
  if (table === undefined) return Number.NaN
  if (e.name === "table.k") return table.k10 / 10
  if (e.name === "table.w") return table.w10 / 10
  if (e.name === "table.total") return table.total
  const found = table.levels.find((l) => l.level.name === level)
  if (e.name === "table.weight") return found?.total
  const weight = e.conditions.find((c) => c.key === "weight")?.from
  if (e.name !== "table.entries" || weight?.kind !== "number") return undefined
  return found?.weights.filter((w) => w === weight.value).length
}
