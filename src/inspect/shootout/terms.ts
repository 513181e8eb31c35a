// The terms of a shoot-out, checked: all errors are reported before the first network is built.
import type { PriceBook } from "../../compile/floor/pricebook.ts"
import { type Checked, type Complaint, complain, nearest } from "../../core/complaint.ts"
import { type Family, families } from "./families.ts"
import { leftOut } from "./left-out.ts"
import { type Chosen, choose, type Equal, type Goal } from "./solve.ts"

export interface Asked {
  readonly endpoints: number
  readonly radix: number
  readonly equal: Equal
  readonly tolerance: number
  readonly book: PriceBook
  readonly budget?: number
  /** names; absent: all families */
  readonly families?: readonly string[]
}

/** The networks that take part, and the families without a member. */
export interface Field {
  readonly chosen: readonly Chosen[]
  readonly missed: readonly { readonly family: string; readonly says: string; readonly fix: string }[]
  readonly budget: number | undefined
}

/**
 * Returns every family with its member, or why it has none. A family takes part only within the tolerance. At equal
 * endpoints, families that were named must have a member; at equal cost or power, at least one of them.
 */
export function fieldOf(asked: Asked): Checked<Field> {
  const bad = refusedTerms(asked)
  const named = asked.families?.map(familyNamed) ?? families.map((f) => ({ ok: f }))
  for (const f of named) if ("bad" in f) bad.push(...f.bad)
  if (bad.length > 0) return { bad }
  const wanted = named.flatMap((f) => ("ok" in f ? [f.ok] : []))
  const goal: Goal = { ...asked, equal: "endpoints" }
  const { budget: _, ...plain } = goal
  const first = gather(wanted, plain)
  const missing = first.missed.map((m) => complain(m.family, m.says, m.fix))
  const all = asked.families !== undefined && asked.equal === "endpoints"
  if (missing.length > 0 && (all || first.chosen.length === 0)) return { bad: missing }
  if (asked.equal === "endpoints") return { ok: { ...first, budget: undefined } }
  const paid = (c: Chosen) => (asked.equal === "cost" ? c.cost.total.price : c.cost.total.watts!)
  // The default budget is the median of all families, so a network does not depend on the others that were named.
  const budget = asked.budget ?? median(gather(families, plain).chosen.map(paid))
  const second = gather(wanted, { ...goal, equal: asked.equal, budget })
  const isFar = (c: Chosen) => Math.abs(c.miss) > asked.tolerance
  const far = second.chosen.filter(isFar).map((c) => offBudget(c, asked, budget, paid(c)))
  if (far.length > 0 && far.length === second.chosen.length) return { bad: far }
  const missed = [...second.missed, ...far.map(({ path, says, fix }) => ({ family: path, says, fix }))]
  return { ok: { chosen: second.chosen.filter((c) => !isFar(c)), missed, budget } }
}

/** Returns a complaint with the closest budget and tolerance that would work. */
function offBudget(
  { family, command }: Chosen,
  { equal, tolerance, endpoints, book }: Asked,
  budget: number,
  paid: number,
): Complaint {
  const [unit, count] = [equal === "power" ? "W" : book.currency, (n: number) => Math.round(n).toLocaleString("en")]
  return complain(
    family.name,
    `has no network with ${count(endpoints)} endpoints for ${count(budget)} ${unit} within ${100 * tolerance} %`,
    `nearest: --budget ${Math.round(paid)} (${command}), or --tolerance ` +
      `${(Math.ceil(100 * Math.abs(paid / budget - 1) - 1e-9) / 100).toFixed(2)}`,
  )
}

function gather(wanted: readonly Family[], goal: Goal): Omit<Field, "budget"> {
  const got = wanted.map((family) => ({ family: family.name, found: choose(family, goal) }))
  return {
    chosen: got.flatMap(({ found }) => ("ok" in found ? [found.ok] : [])),
    missed: got.flatMap(({ family, found }) =>
      "bad" in found ? found.bad.slice(0, 1).map(({ says, fix }) => ({ family, says, fix })) : [],
    ),
  }
}

/** Returns complaints about impossible terms. */
function refusedTerms({ equal, book, radix, endpoints, budget }: Asked): Complaint[] {
  const bad: Complaint[] = []
  if (endpoints < 2)
    bad.push(complain("--endpoints", `${endpoints} endpoints do not make a network.`, "choose 2 or more"))
  if (radix < 2) bad.push(complain("--radix", `${radix} ports connect nothing.`, "choose 2 or more"))
  const dark = book.router.watts === undefined || book.cables.some((c) => c.watts === undefined)
  if (equal === "power" && dark)
    bad.push(
      complain(
        "--equal",
        `power: the price list ${book.name} does not contain watts`,
        "choose a price list with watts: --prices by-length, or a file",
      ),
    )
  if (book.router.ports !== undefined && radix > book.router.ports)
    bad.push(
      complain(
        "--radix",
        `${radix}: the routers of the price list ${book.name} have ${book.router.ports} ports`,
        `--radix ${book.router.ports}, or another price list with --prices`,
      ),
    )
  if (budget !== undefined && equal === "endpoints")
    bad.push(
      complain("--budget", "This option does not apply to equal endpoints.", "add --equal cost or --equal power"),
    )
  return bad
}

function familyNamed(name: string): Checked<Family> {
  const found = families.find((f) => f.name === name)
  if (found !== undefined) return { ok: found }
  const names = families.map((f) => f.name)
  const near = nearest(name, names)
  const says = leftOut[name] === undefined ? "There is no family with this name." : leftOut[name]
  return {
    bad: [complain(name, says, near === undefined ? `choose from ${names.join(", ")}` : `did you mean "${near}"?`)],
  }
}

function median(of: readonly number[]): number {
  const sorted = [...of].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}
