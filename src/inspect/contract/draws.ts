// Random parameter sets for contract tests, drawn from the schema of the plug-in: for a number the minimum, the maximum
// and two values between on a logarithmic scale, for a choice all values. Each set is selected for values that no
// earlier set had. The same plug-in always gets the same sets.
import { Draws } from "../../core/rng.ts"
import type { Field } from "../../core/schema.ts"
import { isTopology } from "../../experiment/outside/kinds.ts"
import type { AnyPlugin } from "../../library.ts"
import type { Raw } from "./bits.ts"

/** Sets of one plug-in, including the defaults. */
export const SETS = 8

/** Candidates from which each set is selected. */
const CANDIDATES = 400

/** Limits of a random network, because every pair of its endpoints is explored. */
const MOST = { ends: 100, chans: 1000 }

/** Returns the random sets without the defaults; keys of `raw` are fixed. */
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
      // A candidate is worth one point for each value that no earlier set had.
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

/** Returns keys without values to draw from, such as lists and texts. */
export function undrawn(plugin: AnyPlugin, raw: Raw): string[] {
  return Object.keys(plugin.params.fields).filter(
    (key) => plugin.params.fields[key].drawn === undefined && !Object.hasOwn(raw, key),
  )
}

export function titleOf(raw: Raw): string {
  return Object.entries(raw)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(" ")
}

/** Returns the set without a key, then with values of the key that are closer to its default, closest first. */
export function nearer(plugin: AnyPlugin, raw: Raw, key: string): Raw[] {
  const field = plugin.params.fields[key]
  if (field === undefined || !Object.hasOwn(raw, key)) return []
  const away = (value: unknown) =>
    Math.abs(Number.parseFloat(String(value)) - Number.parseFloat(String(field.info.fallback)))
  const others = Object.fromEntries(Object.entries(raw).filter(([k]) => k !== key))
  const values = valuesOf(plugin, {}, key, field).filter((value) => away(value) < away(raw[key]))
  return [others, ...values.sort((a, b) => away(a) - away(b)).map((value) => ({ ...raw, [key]: value }))]
}

/** Returns true if the set is valid and, for a topology, the network is small. */
export function fits(plugin: AnyPlugin, raw: Raw): boolean {
  const got = plugin.params.parse(raw, plugin.name)
  if ("bad" in got) return false
  if (!isTopology(plugin)) return true
  try {
    const bad = plugin.check?.(got.ok, { rng: new Draws(1) }) ?? []
    return bad.length === 0 && isSmall(plugin, raw)
  } catch {
    // An exception is a finding of the contract test, not of this function.
    return true
  }
}

function isSmall(plugin: AnyPlugin, raw: Raw): boolean {
  const got = plugin.params.parse(raw, plugin.name)
  if ("bad" in got || !isTopology(plugin)) return true
  const { ends, chans } = plugin.size(got.ok)
  return ends <= MOST.ends && chans <= MOST.chans
}

/** Returns the values of one key other than its default. */
function valuesOf(plugin: AnyPlugin, raw: Raw, key: string, { drawn, info }: Field<unknown>): unknown[] {
  if (drawn === undefined) return []
  const other = (of: readonly unknown[]) => [...new Set(of)].filter((value) => String(value) !== String(info.fallback))
  if ("values" in drawn) return other(drawn.values)
  const { low, whole, write } = drawn
  const least = Object.entries(plugin.params.fields).flatMap(([k, f]) => {
    if (f.drawn === undefined || k === key) return []
    return [[k, "values" in f.drawn ? f.drawn.values[0] : f.drawn.write(f.drawn.low)] as const]
  })
  // Reduces the maximum until the network can be small.
  let { high } = drawn
  const within = (n: number) => {
    try {
      return isSmall(plugin, { ...Object.fromEntries(least), ...raw, [key]: write(n) })
    } catch {
      return false
    }
  }
  while (high > low && !within(high)) high = low + Math.floor((high - low) / 2)
  const between = (share: number) =>
    whole ? Math.round(low + (high - low + 1) ** share - 1) : low + share * (high - low)
  return other([low, between(1 / 3), between(2 / 3), high].map(write))
}
