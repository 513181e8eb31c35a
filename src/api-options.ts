// Options of the library, checked like a file. Invalid input is returned as complaints, never as an exception and never
// as a run that does not end.

import { type Complaint, complain } from "./core/complaint.ts"
import { secondsOf } from "./core/duration.ts"
import { unknownKeys } from "./core/schema.ts"
import { kindOf } from "./core/units.ts"
import { isMap } from "./experiment/fields.ts"
import { mostWorkers, seedsOf } from "./experiment/top.ts"
import type { ExecuteOptions } from "./sweep/execute.ts"

export interface RunOptions extends Partial<Omit<ExecuteOptions, "workers">> {
  /** runs at the same time (default: all cores) */
  readonly workers?: number
  /** results folder; without one the results stay in memory */
  readonly out?: string
  readonly set?: readonly string[]
  readonly seeds?: readonly number[]
  /** for experiments given as objects: paths are relative to it */
  readonly folder?: string
  /** false: experiments that are modules and plug-ins are refused, so that only data is read */
  readonly code?: boolean
  /** true: networks that can deadlock are run, too (as measure.deadlock: watch); they are refused otherwise */
  readonly anyway?: boolean
}

type Check = (value: unknown, path: string) => Complaint[]

const refuse = (path: string, wanted: string, value: unknown, fix: string): Complaint[] => [
  complain(path, `expected ${wanted}, found ${kindOf(value)}`, fix),
]

const flag: Check = (v, path) => (typeof v === "boolean" ? [] : refuse(path, "true or false", v, "write true or false"))
const called: Check = (v, path) =>
  typeof v === "function" ? [] : refuse(path, "a function", v, "pass a function, or remove it")
const text: Check = (v, path) => (typeof v === "string" && v !== "" ? [] : refuse(path, "a text", v, "write a path"))

const checks: Readonly<Record<keyof RunOptions, Check>> = {
  workers: (v, path) =>
    typeof v === "number" && Number.isInteger(v) && v >= 1 && v <= mostWorkers
      ? []
      : refuse(path, `a whole number from 1 to ${mostWorkers}`, v, "remove it to use all cores"),
  out: text,
  folder: text,
  simulator: text,
  set: (v, path) =>
    Array.isArray(v) && Array.from(v).every((s) => typeof s === "string")
      ? []
      : refuse(path, "a list of texts", v, 'write ["traffic.load=0.4"], one text for each key'),
  seeds(v, path) {
    if (!Array.isArray(v)) return refuse(path, "a list of seeds", v, "write [1, 2, 3]")
    const bad: Complaint[] = []
    seedsOf(v, bad)
    return bad.map((c) => ({ ...c, path }))
  },
  shard(v, path) {
    const fix = "write { index: 1, of: 4 } with index from 1 to of"
    if (!isMap(v)) return refuse(path, "a map", v, fix)
    const [index, of] = [v["index"], v["of"]]
    const whole = typeof index === "number" && typeof of === "number" && Number.isInteger(index) && Number.isInteger(of)
    return whole && index >= 1 && index <= of
      ? []
      : [complain(path, "The index must be from 1 to the number of parts.", fix)]
  },
  checkpoint: (v, path) =>
    typeof v === "string" && secondsOf(v) !== undefined
      ? []
      : refuse(path, "a time with its unit", v, "write 30s, 10min or 2h"),
  force: flag,
  audit: flag,
  code: flag,
  anyway: flag,
  signal: (v, path) =>
    v instanceof AbortSignal ? [] : refuse(path, "an AbortSignal", v, "pass the signal of an AbortController"),
  onStart: called,
  onRecord: called,
  onFailure: called,
  onProgress: called,
  onNote: called,
}

/** Returns the given options, or all complaints. */
export function optionsFrom(given: unknown): { ok: RunOptions } | { bad: Complaint[] } {
  if (given === undefined) return { ok: {} }
  if (!isMap(given))
    return { bad: refuse("", "a map of options", given, "write { workers: 4, out: folder }, or remove it") }
  try {
    // Each option is read once, because a getter may return another value the second time.
    const taken: Record<string, unknown> = {}
    for (const key of Object.keys(given)) if (given[key] !== undefined) taken[key] = given[key]
    const bad = unknownKeys(taken, Object.keys(checks), "")
    for (const [key, check] of Object.entries(checks))
      if (Object.hasOwn(taken, key)) bad.push(...check(taken[key], key))
    if (Object.hasOwn(taken, "checkpoint") && !Object.hasOwn(taken, "out"))
      bad.push(complain("checkpoint", "There is no results folder to write it to.", "name one with out"))
    return bad.length > 0 ? { bad } : { ok: taken }
  } catch (e) {
    return {
      bad: [complain("", `cannot be read: ${e instanceof Error ? e.message : "it throws"}`, "pass a plain object")],
    }
  }
}
