// Missing values: determines which values of a finished run exist, and why the others do not. values.ts declares the
// needs of each value. This file evaluates them from the recorded result (its end, its counts, its loads), so that old
// runs have reasons without storing them. A run may contain a number although the value is missing, such as the latency
// of a saturated window. Only code that reads `values` directly sees it.
import { isSaturated, isShort } from "../core/saturation.ts"
import { commonValues, declarationIn, type Need, type ValueInfo } from "./values.ts"

/** Reasons why a value is missing, as tables and messages show them. */
export const reasons = {
  deadlocked: "The network deadlocked, so the value would depend on the length of the run.",
  starved: "Packets were never sent, so the value would depend on the length of the run.",
  saturated: "The network is saturated, so latency grows with the length of the run.",
  "did not end": "The run ended before all ranks of its jobs had ended.",
  "no packet": "No packet was measured.",
  "no message": "No message was measured.",
  "not measured": "The run did not measure the value, or has too few samples.",
} as const
export type Reason = keyof typeof reasons

/** The parts of a result that determine it. */
export interface Ended {
  readonly why: string
  readonly values: Readonly<Record<string, number>>
  /** names of values for which the run has no number */
  readonly missing?: readonly string[] | undefined
}

const decided: Readonly<Record<Need, (run: Ended, owner: string) => Reason | undefined>> = {
  moving: ({ why }) => (why === "deadlock" ? "deadlocked" : why === "starved" ? "starved" : undefined),
  carried: (run, owner) => (isBeyond(run, owner) ? "saturated" : undefined),
  packets: (run, owner) => (run.values[`${owner}packets`] === 0 ? "no packet" : undefined),
  messages: (run, owner) => (run.values[`${owner}messages`] === 0 ? "no message" : undefined),
  ended: ({ values: v }) => ((v["jobs.ended"] ?? 1) < 1 ? "did not end" : undefined),
}

/**
 * Returns true if the load is beyond saturation. A stream is judged by its own loads: a hot spot saturates while other
 * streams are accepted.
 */
function isBeyond({ why, values: v }: Ended, owner: string): boolean {
  const [offered, accepted] = [v[`${owner}offered`], v[`${owner}accepted`]]
  if (owner === "" || offered === undefined || accepted === undefined) return isSaturated(why, v)
  return isShort({ offered, accepted, packets: v[`${owner}packets`] })
}

/** Values that plug-ins make are counts: they have no needs, and none is negative. */
type Judged = Pick<ValueInfo, "needs" | "each" | "least">
const known = new Map<string, { readonly info: Judged | undefined; readonly owner: string }>()

/** Returns the declaration of a value, and "NAME." of the stream that it belongs to. */
function declared(name: string): { readonly info: Judged | undefined; readonly owner: string } {
  let found = known.get(name)
  if (found !== undefined) return found
  found = { info: declarationIn(commonValues, name, []), owner: "" }
  for (let at = name.indexOf("."); found.info === undefined && at >= 0; at = name.indexOf(".", at + 1)) {
    const info = declarationIn(commonValues, name.slice(at + 1), [])
    if (info?.each === true) found = { info, owner: name.slice(0, at + 1) }
  }
  known.set(name, found)
  return found
}

/** Returns the reason why a run has no such value; undefined if it has one. */
export function reasonMissing(run: Ended, name: string): Reason | undefined {
  const { info, owner } = declared(name)
  for (const need of info?.needs ?? []) {
    const reason = decided[need](run, owner)
    if (reason !== undefined) return reason
  }
  const number = Object.hasOwn(run.values, name) ? run.values[name] : Number.NaN
  const least = info === undefined ? Number.NEGATIVE_INFINITY : (info.least ?? 0)
  return Number.isFinite(number) && number >= least ? undefined : "not measured"
}

/** Returns the value; undefined if it is missing. */
export function valueIn(run: Ended, name: string): number | undefined {
  return reasonMissing(run, name) === undefined ? run.values[name] : undefined
}

/** Returns the names of all values of a run, including the missing ones. */
export function namesOf({ values: v, missing = [] }: Ended): string[] {
  return [...Object.keys(v), ...missing]
}

/** Returns the values that exist, and the reasons why the others do not. */
export function told(run: Ended): {
  readonly values: Readonly<Record<string, number>>
  readonly missing: Readonly<Record<string, Reason>>
} {
  const there: [string, number][] = []
  const missing: [string, Reason][] = []
  for (const name of namesOf(run)) {
    const reason = reasonMissing(run, name)
    if (reason === undefined) there.push([name, run.values[name]])
    else missing.push([name, reason])
  }
  return { values: Object.fromEntries(there), missing: Object.fromEntries(missing) }
}

/** Returns all reasons as one table cell: `latency.mean=saturated; latency.p99=saturated`. */
export function missingText(missing: Readonly<Record<string, string>>): string {
  return Object.entries(missing)
    .map(([name, reason]) => `${name}=${reason}`)
    .join("; ")
}

/**
 * Separates finite numbers from the others, which become names of missing values. For counts of engines and stored
 * results.
 */
export function settled(
  counted: Readonly<Record<string, number | null>>,
  before: readonly string[] = [],
): { values: Record<string, number>; missing?: readonly string[] } {
  const there: Record<string, number> = {}
  const missing = new Set(before)
  for (const [name, number] of Object.entries(counted)) {
    if (typeof number === "number" && Number.isFinite(number)) there[name] = number
    else missing.add(name)
  }
  return missing.size === 0 ? { values: there } : { values: there, missing: [...missing] }
}

/** Returns when a value is missing, as text; undefined if it always exists. */
export function missingWhen({ needs }: Judged): string | undefined {
  const words: Readonly<Record<Need, string>> = {
    moving: "the network deadlocked or starved",
    carried: "the network is saturated",
    packets: "no packet was measured",
    messages: "no message was measured",
    ended: "a rank did not end",
  }
  return needs === undefined ? undefined : needs.map((n) => words[n]).join(", or ")
}
