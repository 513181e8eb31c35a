// The thresholds of an experiment (`expect`). They refer to the file as it is written. If --set removes the subject of
// a threshold, it is skipped with a warning, because users must be able to try another value without editing the file.
import type { Complaint } from "../core/complaint.ts"
import { renamedKeys } from "../model/renamed.ts"
import { type Axis, labelOf, shortNames } from "./axes.ts"
import { type Expectation, expectation, type Grounds } from "./expect.ts"
import { listOf } from "./gather.ts"
import { type Setting, sameKey } from "./settings.ts"

/** The part of a run that thresholds need. */
type Planned = { readonly point: Readonly<Record<string, unknown>> }

/** A threshold that is not judged, and why. */
export interface Skipped {
  readonly text: string
  readonly says: string
}

export interface Thresholds {
  readonly expect: readonly Expectation[]
  readonly skipped: readonly Skipped[]
  readonly bad: readonly Complaint[]
}

export interface ThresholdOptions {
  readonly runs: readonly Planned[]
  readonly grounds: Grounds
  /** --set was used */
  readonly changed: boolean
  /** complaints about the thresholds of the unchanged file, by path */
  wrongAsWritten(): ReadonlyMap<string, Complaint>
}

/**
 * Parses all thresholds. If --set was used, an error that the unchanged file does not have only skips the threshold.
 */
export function thresholds(raw: unknown, o: ThresholdOptions): Thresholds {
  const expect: Expectation[] = []
  const skipped: Skipped[] = []
  const bad: Complaint[] = []
  let written: ReadonlyMap<string, Complaint> | undefined
  listOf(raw).forEach((text, i) => {
    const path = Array.isArray(raw) ? `expect.${i}` : "expect"
    const got = expectation(text, path, o.grounds)
    const lost = "ok" in got && o.changed ? lostPoint(got.ok, o.runs) : undefined
    if ("ok" in got) {
      if (lost === undefined) expect.push(got.ok)
      else skipped.push({ text: got.ok.text, says: lost })
    } else if (!o.changed) bad.push(...got.bad)
    else {
      written ??= o.wrongAsWritten()
      const wrong = written.get(path)
      if (wrong !== undefined) bad.push(wrong)
      else skipped.push({ text: String(text), says: got.bad[0].says })
    }
  })
  return { expect, skipped, bad }
}

/** Returns a message if no run has this point: equal runs are run once, under the name of the first point. */
function lostPoint(e: Expectation, runs: readonly Planned[]): string | undefined {
  const at = Object.entries(e.at)
  if (runs.length === 0 || runs.some((r) => at.every(([k, v]) => r.point[k] === v))) return undefined
  return `no run has ${at.map(([k, v]) => `${k}=${v}`).join(", ")}`
}

/** Returns the key with older names of its last part. */
function olderNames(name: string): string[] {
  const last = name.slice(name.lastIndexOf(".") + 1)
  return renamedKeys.filter((r) => r.now === last).map((r) => name.slice(0, name.length - last.length) + r.was)
}

/** Returns all names that a threshold may use for swept keys: the short names in the file, and the full keys. */
export function sweptNames(
  written: readonly Axis[],
  left: readonly Axis[],
  set: readonly Setting[],
): Pick<Grounds, "aliases" | "pinned"> {
  const keys = written.flatMap((a) => a.keys)
  const now = left.flatMap((a) => a.keys)
  const [before, after] = [shortNames(keys), shortNames(now)]
  const aliases = new Map<string, string>()
  const pinned = new Map<string, { readonly name: string; readonly value: string | number }>()
  keys.forEach((key, i) => {
    const at = now.indexOf(key)
    const by = set.findLast((s) => sameKey(s.path, key))
    for (const name of [key, before[i]].flatMap((n) => [n, ...olderNames(n)])) {
      if (at >= 0) aliases.set(name, after[at])
      else if (by !== undefined) pinned.set(name, { name: before[i], value: labelOf(by.value) })
    }
  })
  return { aliases, pinned }
}
