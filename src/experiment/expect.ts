// Thresholds in the experiment file, such as "latency.mean at load=0.1 < 60cycles". With them, a sweep is a test for
// scripts (exit code 1 if one fails).
import { type Checked, complain, nearest } from "../core/complaint.ts"
import { fractionOf, quantity, type Scale } from "../core/units.ts"
import type { RunSpec } from "../model/experiment.ts"
import { newValueName } from "../model/renamed.ts"
import type { Machine } from "../model/values.ts"
import { givenBy, machines, type ValueList, valueInfo } from "./values/list.ts"

const operators = ["<=", ">=", "==", "!=", "<", ">"] as const
export type Operator = (typeof operators)[number]

export interface Expectation {
  readonly text: string
  readonly value: string
  /** short name of a swept key -> the value that it must have; empty: every point */
  readonly at: Readonly<Record<string, string | number>>
  readonly operator: Operator
  readonly limit: number
}

/** The names that a threshold may use. */
export interface Grounds {
  /** short name -> all its values in the points */
  readonly points: ReadonlyMap<string, readonly (string | number)[]>
  /** full key, or short name in the file -> short name */
  readonly aliases: ReadonlyMap<string, string>
  /** swept in the file, but set to one value: every point has it */
  readonly pinned: ReadonlyMap<string, { readonly name: string; readonly value: string | number }>
  /** streams and probes, whose names are prefixes of their values */
  readonly owners: readonly string[]
  /** engines and switches of the runs: not all of them provide every value; undefined: unknown */
  readonly machines?: readonly Machine[]
  readonly scale: Scale
  /** the values that these plug-ins provide */
  readonly list: ValueList
}

const usual = 'write for example "latency.mean at load=0.1 < 60cycles"'

/** Parses one threshold. */
export function expectation(raw: unknown, path: string, on: Grounds): Checked<Expectation> {
  const refuse = (says: string, fix: string) => ({ bad: [complain(path, says, fix)] })
  if (typeof raw !== "string") return refuse("expected a text", usual)
  if (raw.length > 1000) return refuse(`${raw.length} characters are too many for a threshold`, usual)
  // Form: VALUE [at KEY=VALUE, …] OPERATOR LIMIT
  const m = /^\s*(\S+)(?:\s+at\s+(.+?))?\s*(<=|>=|==|!=|<|>)\s*(\S.*?)\s*$/.exec(raw)
  if (m === null) return refuse(`"${raw}" is not a threshold`, usual)
  const [, given = "", where, sign, limit = ""] = m
  const value = newValueName(given)
  const operator = operators.find((o) => o === sign)
  if (operator === undefined) return refuse(`"${raw}" is not a threshold`, usual)
  const info = valueInfo(value, on.owners, on.list)
  if (info === undefined) {
    const { values } = on.list
    const known = [
      ...Object.keys(values),
      ...on.owners.flatMap((o) => Object.keys(values).flatMap((v) => (values[v].each === true ? [`${o}.${v}`] : []))),
    ]
    const near = nearest(value, known)
    return refuse(
      `"${value}" is not a measured value`,
      near !== undefined ? `did you mean "${near}"?` : `known values: ${Object.keys(values).join(", ")}`,
    )
  }
  if (on.machines !== undefined && on.machines.length > 0 && !on.machines.some((m) => info.of.includes(m)))
    return refuse(
      `${on.machines.join(" and ")} runs do not give "${value}"`,
      `it is given by ${givenBy(info, on.list)}: lacewing explain ${value}`,
    )
  // Limits in cycles may have a unit of time; all others are fractions or numbers.
  const bound = info.unit === "cycles" ? quantity(limit, "cycles", on.scale) : fractionOf(limit)
  if (typeof bound === "string")
    return refuse(
      bound,
      info.unit === "cycles"
        ? "write a duration such as 60cycles or 90ns"
        : "write a number, or a percentage such as 40%",
    )
  const at: Record<string, string | number> = {}
  for (const part of (where ?? "").split(/,|\sand\s/).map((s) => s.trim())) {
    if (part === "") continue
    const eq = part.indexOf("=")
    const key = eq < 0 ? part : part.slice(0, eq).trim()
    // A key that --set has pinned is in every point, so its condition either always holds or can never hold.
    const pin = on.pinned.get(key)
    if (eq >= 0 && pin !== undefined) {
      if (same(pin.value, part.slice(eq + 1).trim())) continue
      return refuse(`${pin.name} is set to ${pin.value}`, `leave out the condition on ${pin.name}`)
    }
    const short = on.aliases.get(key) ?? key
    const known = on.points.get(short)
    if (eq < 0 || known === undefined) {
      const near = nearest(key, [...on.points.keys()])
      return refuse(
        `"${part}" does not name a swept key`,
        near !== undefined ? `did you mean "${near}"?` : `swept keys: ${[...on.points.keys()].join(", ") || "none"}`,
      )
    }
    const found = known.find((v) => same(v, part.slice(eq + 1).trim()))
    if (found === undefined) return refuse(`no point has ${part}`, `${short} has the values ${known.join(", ")}`)
    at[short] = found
  }
  return { ok: { text: raw, value, at, operator, limit: bound } }
}

/** Returns the engine or switch that decides which values a run has. */
export function machineOf({ engine, network }: Pick<RunSpec, "engine" | "network">): Machine {
  if (engine.name === "packet" || engine.name === "ideal") return engine.name
  const { name } = network.switch
  // A custom switch is composed of the stages of `combined`, and has its values.
  return machines.find((m) => m === name) ?? "combined"
}

/** Returns the names of streams, of their replies, of background jobs, and "jobs" for the messages of all programs. */
export function ownersOf({ traffic, jobs }: Pick<RunSpec, "traffic" | "jobs">): string[] {
  const streams = traffic.flatMap((t) => (quantity(t.reply, "flits") === 0 ? [t.name] : [t.name, `${t.name}.reply`]))
  const backgrounds = (jobs ?? []).filter((j) => j.workload.name === "background").map((j) => j.name)
  const programs = (jobs ?? []).length > backgrounds.length ? ["jobs"] : []
  return [...streams, ...backgrounds, ...programs]
}

/** Compares a value with its written form: equal text, or equal number including percentages. */
function same(value: string | number, written: string): boolean {
  if (String(value) === written) return true
  const number = fractionOf(written)
  return typeof value === "number" && typeof number === "number" && Math.abs(value - number) < 1e-9
}

export function holds(measured: number, operator: Operator, limit: number): boolean {
  if (operator === "<") return measured < limit
  if (operator === "<=") return measured <= limit
  if (operator === ">") return measured > limit
  if (operator === ">=") return measured >= limit
  return operator === "==" ? measured === limit : measured !== limit
}
