// Sets of parameters that a contract is tried with besides the defaults, drawn from the schema of the plug-in: of a
// number the least, the largest and two between by the logarithm, of a choice all. A set is chosen for the values that
// no earlier set had. The same plug-in gets the same sets each time.
import { Draws } from "../../core/rng.ts"
import type { Field } from "../../core/schema.ts"
import type { AnyPlugin, AnyTopology } from "../../library.ts"
import type { Raw } from "./bits.ts"

/** Sets of one plug-in, the defaults among them. */
export const SETS = 8

/** Candidates from which each set is chosen. */
const CANDIDATES = 400

/** A network beyond either of them is not drawn: every pair of its endpoints is walked. */
const MOST = { ends: 100, chans: 1000 }

/** Returns the drawn sets without the defaults; keys of `raw` stay as they are. */
export function drawSets(plugin: AnyPlugin, raw: Raw): Raw[] {
  const chance = new Draws(SETS)
  const values = Object.entries(plugin.params.fields)
    .filter(([key]) => !Object.hasOwn(raw, key))
    .map(([key, field]) => [key, valuesOf(plugin, raw, key, field)] as const)
    .filter(([, of]) => of.length > 0)
  const seen = new Set<string>()
  const sets: Raw[] = []
  const taken = new Set([titleOf(raw)])
  while (sets.length < SETS - 1 && values.length > 0) {
    let best: Raw | undefined
    let most = 0
    for (let i = 0; i < CANDIDATES; i++) {
      const drawn = values.flatMap(([key, of]) => {
        const at = chance.below(of.length + 1)
        return at < of.length ? [[key, of[at]] as const] : []
      })
      const set = { ...raw, ...Object.fromEntries(drawn) }
      const fresh = 1 + drawn.filter(([key, value]) => !seen.has(`${key}=${String(value)}`)).length
      if (fresh <= most || taken.has(titleOf(set)) || !fits(plugin, set)) continue
      best = set
      most = fresh
    }
    if (best === undefined) break
    for (const [key, value] of Object.entries(best)) seen.add(`${key}=${String(value)}`)
    taken.add(titleOf(best))
    sets.push(best)
  }
  return sets
}

/** Keys that have no values to draw from, such as lists and texts. */
export function undrawn(plugin: AnyPlugin, raw: Raw): string[] {
  return Object.keys(plugin.params.fields).filter((key) => plugin.params.fields[key]!.drawn === undefined && !Object.hasOwn(raw, key))
}

export function titleOf(raw: Raw): string {
  return Object.entries(raw)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(" ")
}

/** The set without a key, then with values of the key between what it is and its default, the nearest to it first. */
export function nearer(plugin: AnyPlugin, raw: Raw, key: string): Raw[] {
  const field = plugin.params.fields[key]
  if (field === undefined || !Object.hasOwn(raw, key)) return []
  const away = (value: unknown) => Math.abs(Number.parseFloat(String(value)) - Number.parseFloat(String(field.info.fallback)))
  const others = Object.fromEntries(Object.entries(raw).filter(([k]) => k !== key))
  const values = valuesOf(plugin, {}, key, field).filter((value) => away(value) < away(raw[key]))
  return [others, ...values.sort((a, b) => away(a) - away(b)).map((value) => ({ ...raw, [key]: value }))]
}

/** Can the set be read, is it sensible and, if it is a network's, is the network small? */
export function fits(plugin: AnyPlugin, raw: Raw): boolean {
  const got = plugin.params.parse(raw, plugin.name)
  if ("bad" in got) return false
  if (plugin.kind !== "topology") return true
  try {
    const bad = plugin.check?.(got.ok as never, { rng: new Draws(1) } as never) ?? []
    return bad.length === 0 && isSmall(plugin, raw)
  } catch {
    // what throws is for the contract to find
    return true
  }
}

function isSmall(plugin: AnyPlugin, raw: Raw): boolean {
  const got = plugin.params.parse(raw, plugin.name)
  if ("bad" in got || plugin.kind !== "topology") return true
  const { ends, chans } = (plugin as AnyTopology).size(got.ok as never)
  return ends <= MOST.ends && chans <= MOST.chans
}

/** Values of one key other than its default. */
function valuesOf(plugin: AnyPlugin, raw: Raw, key: string, { drawn, info }: Field<unknown>): unknown[] {
  if (drawn === undefined) return []
  const other = (of: readonly unknown[]) => [...new Set(of)].filter((value) => String(value) !== String(info.fallback))
  if ("values" in drawn) return other(drawn.values)
  const { low, whole, write } = drawn
  const least = Object.entries(plugin.params.fields).flatMap(([k, f]) => {
    if (f.drawn === undefined || k === key) return []
    return [[k, "values" in f.drawn ? f.drawn.values[0] : f.drawn.write(f.drawn.low)] as const]
  })
  // the largest with which a network can be small
  let { high } = drawn
  const within = (n: number) => {
    try {
      return isSmall(plugin, { ...Object.fromEntries(least), ...raw, [key]: write(n) })
    } catch {
      return false
    }
  }
  while (high > low && !within(high)) high = low + Math.floor((high - low) / 2)
  const between = (share: number) => (whole ? Math.round(low + (high - low + 1) ** share - 1) : low + share * (high - low))
  return other([low, between(1 / 3), between(2 / 3), high].map(write))
}
