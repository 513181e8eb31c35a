// Selects the member of a family that takes part: the one closest to the goal. Formulas give a short list; building and
// pricing decides.
import type { PriceBook } from "../../compile/floor/pricebook.ts"
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import type { Topology } from "../../model/topology.ts"
import { type Cost, cost } from "../cost.ts"
import { buildTopology } from "../topology-build.ts"
import { commandOf } from "../topology-report.ts"
import { type Family, type Member, membersOf, type Wish } from "./families.ts"

export type Equal = "endpoints" | "cost" | "power"

export interface Goal extends Wish {
  readonly equal: Equal
  /** maximum relative distance from the goal */
  readonly tolerance: number
  readonly book: PriceBook
  /** target price or power */
  readonly budget?: number
}

export interface Chosen {
  readonly family: Family
  readonly member: Member
  /** as a user would type it */
  readonly command: string
  readonly topology: Topology
  readonly cost: Cost
  /** relative distance from the goal */
  readonly miss: number
}

/** Uniform load that a fair member sustains: as much as its endpoints can send, within a twentieth. */
const BALANCED = 0.95
/** penalty of the price for each percent off the number of endpoints */
const PER_MISS = 3
/**
 * Members that are built to find one with the right price, before the estimate is corrected by them, and the number of
 * corrections.
 */
const BUILT = 8
const ROUNDS = 4

/** Returns the member of a family that is closest to the goal, built and priced. */
export function choose(family: Family, goal: Goal): Checked<Chosen> {
  const all = membersOf(family, goal)
  const off = (m: Member) => Math.abs(m.ends / goal.endpoints - 1)
  const within = all.filter((m) => off(m) <= goal.tolerance)
  if (within.length === 0) return { bad: [missing(family, goal, all)] }
  const { found, why } =
    goal.budget === undefined
      ? firstOf(family, byEndpoints(within, goal, off), goal)
      : paid(family, within, goal, goal.budget)
  // At the same price, the member that sustains more load is the fairer one.
  const near = found.filter((c) => Math.abs(c.miss) <= goal.tolerance)
  const better = (a: Chosen, b: Chosen) =>
    near.length > 0 ? b.member.carries - a.member.carries : Math.abs(a.miss) - Math.abs(b.miss)
  const best = goal.budget === undefined ? found[0] : [...(near.length > 0 ? near : found)].sort(better)[0]
  if (best !== undefined) return { ok: best }
  return {
    bad:
      why.length > 0
        ? why.map((c) => complain(family.name, `${c.path}: ${c.says}`, c.fix))
        : [missing(family, goal, all)],
  }
}

interface Tried {
  readonly found: readonly Chosen[]
  readonly why: readonly Complaint[]
}

/** Builds the members in the order of their rank until one is valid. */
function firstOf(family: Family, ranked: readonly Member[], goal: Goal): Tried {
  let why: readonly Complaint[] = []
  for (const member of ranked) {
    const got = built(family, member, goal)
    if ("ok" in got) return { found: [got.ok], why }
    why = got.bad
  }
  return { found: [], why }
}

/**
 * Builds some members with about the right price. If none fits, the estimate is corrected by their prices, and others
 * are built.
 */
function paid(family: Family, within: readonly Member[], goal: Goal, budget: number): Tried {
  const found: Chosen[] = []
  const tried = new Set<Member>()
  let why: readonly Complaint[] = []
  for (let round = 0, right = 1; round < ROUNDS; round++) {
    const now: Chosen[] = []
    for (const member of byBudget(within, goal, budget / right)) {
      if (tried.has(member)) continue
      tried.add(member)
      const got = built(family, member, goal)
      if ("bad" in got) why = got.bad
      else now.push(got.ok)
      if (now.length >= BUILT) break
    }
    found.push(...now)
    if (now.length === 0 || now.some((c) => Math.abs(c.miss) <= goal.tolerance)) break
    // The ratio of the real price to the estimate corrects the next round.
    const nearest = [...now].sort((a, b) => Math.abs(a.miss) - Math.abs(b.miss))[0]
    right = ((nearest.miss + 1) * budget) / guess(nearest.member, goal, goal.equal)
  }
  return { found, why }
}

/**
 * Sorts the balanced members by price per endpoint, with a penalty for each percent off the goal. If none is balanced,
 * it sorts by sustained load.
 */
function byEndpoints(within: readonly Member[], goal: Goal, off: (m: Member) => number): Member[] {
  const dear = (m: Member) => (guess(m, goal, "cost") / m.ends) * (1 + PER_MISS * off(m))
  const fair = within.filter((m) => m.carries >= BALANCED)
  if (fair.length > 0) return fair.sort((a, b) => dear(a) - dear(b))
  return [...within].sort((a, b) => b.carries - a.carries || dear(a) - dear(b))
}

/** Sorts by distance to the budget, and members with similar distance by sustained load. */
function byBudget(within: readonly Member[], goal: Goal, budget: number): Member[] {
  const far = (m: Member) => Math.floor(Math.abs(Math.log(guess(m, goal, goal.equal) / budget)) / goal.tolerance)
  return [...within].sort(
    (a, b) =>
      far(a) - far(b) || b.carries - a.carries || Math.abs(a.ends - goal.endpoints) - Math.abs(b.ends - goal.endpoints),
  )
}

/** Estimates price or power from counts: cables of endpoints have the length inside a cabinet, others ten metres. */
function guess(m: Member, { book }: Goal, of: Equal): number {
  const cable = (metres: number) => {
    const kind = book.cables.find((c) => c.upTo === undefined || metres <= c.upTo) ?? book.cables.at(-1)!
    return of === "power" ? (kind.watts ?? 0) : kind.price + metres * kind.perMetre
  }
  const { price, perPort, watts } = book.router
  const routers = of === "power" ? m.routers * (watts ?? 0) : m.routers * price + m.ports * perPort
  const ends = m.ends * Number(m.params["rails"] ?? 1)
  return routers + ends * cable(book.layout.inside) + ((m.ports - ends) / 2) * cable(10)
}

/** Builds and prices a member. */
function built(family: Family, member: Member, goal: Goal): Checked<Chosen> {
  const got = buildTopology(family.name, member.params)
  if ("bad" in got) return got
  const { topology } = got.ok
  const priced = cost(topology, goal.book)
  if ("bad" in priced) return priced
  const { price, watts } = priced.ok.total
  const is =
    goal.equal === "endpoints" || goal.budget === undefined
      ? topology.graph.ends
      : goal.equal === "cost"
        ? price
        : watts!
  const miss = is / (goal.budget ?? goal.endpoints) - 1
  return { ok: { family, member, command: commandOf(family.name, member.params), topology, cost: priced.ok, miss } }
}

/** Returns a complaint with the closest number of endpoints and the radix that would work. */
function missing(family: Family, goal: Goal, all: readonly Member[]): Complaint {
  const count = (n: number) => n.toLocaleString("en")
  const wanted =
    `${count(goal.endpoints)} endpoints within ${100 * goal.tolerance} %, ` +
    `and routers of at most ${goal.radix} ports`
  const nearest = all.reduce<Member | undefined>(
    (a, b) =>
      a !== undefined && Math.abs(Math.log(a.ends / goal.endpoints)) <= Math.abs(Math.log(b.ends / goal.endpoints))
        ? a
        : b,
    undefined,
  )
  const wider = membersOf(family, { ...goal, radix: family.name === "crossbar" ? goal.endpoints : 2 * goal.radix })
    .filter((m) => Math.abs(m.ends / goal.endpoints - 1) <= goal.tolerance)
    .reduce((least, m) => Math.min(least, m.radix), Number.POSITIVE_INFINITY)
  const ways = [
    ...(nearest === undefined ? [] : [`--endpoints ${nearest.ends} (${commandOf(family.name, nearest.params)})`]),
    ...(wider > goal.radix && Number.isFinite(wider) ? [`--radix ${wider}`] : []),
  ]
  return complain(
    family.name,
    `has no network with ${wanted}`,
    ways.length === 0 ? "exclude this family with --families" : `nearest: ${ways.join(", or ")}`,
  )
}
