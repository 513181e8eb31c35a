// All modes in which one configuration can run. They must give the same result.
import type { RunResult, RunSpec } from "../../../model/experiment.ts"
import type { SimulateOptions } from "../../../run/options.ts"
import type { RandomConfig } from "./random-config.ts"

export interface Mode {
  readonly label: string
  /** keys of `engine` that it sets */
  readonly engine: Readonly<Record<string, unknown>>
  readonly options: SimulateOptions
}

const MOST = 4

/** The first is the one that the others are held to. */
export function packetModes(d: RandomConfig, threads: boolean): Mode[] {
  const ways: Mode[] = [{ label: "sequential", engine: { sync: "sequential" }, options: { threads: false } }]
  const protocols: readonly [label: string, engine: Mode["engine"]][] = [
    ["windows", { sync: "conservative", protocol: "windows" }],
    ["null messages", { sync: "conservative", protocol: "null-messages" }],
    ["optimistic", { sync: "optimistic" }],
  ]
  for (const [label, engine] of protocols)
    for (let workers = label === "optimistic" ? 1 : 2; workers <= MOST; workers++)
      ways.push({ label: `${label}, ${workers} workers`, engine, options: { workers, threads: false } })
  const workers = d.int(1, 3)
  if (d.chance(0.3))
    ways.push({
      label: `optimistic, ${workers} workers, every event undone once`,
      engine: { sync: "optimistic" },
      options: { workers, threads: false, rehearse: true },
    })
  const [label, engine] = d.pick(protocols)
  if (threads) ways.push({ label: `${label}, ${workers + 1} threads`, engine, options: { workers: workers + 1 } })
  return ways
}

export function clockedModes(d: RandomConfig, threads: boolean): Mode[] {
  const ways = Array.from({ length: MOST }, (_, i): Mode => {
    const workers = i + 1
    return { label: `${workers} workers`, engine: {}, options: { workers, threads: false, audit: true } }
  })
  const workers = d.int(2, 3)
  if (threads) ways.push({ label: `${workers} threads`, engine: {}, options: { workers, audit: true } })
  return ways
}

/** The result without what may differ: how it was run, and how long it took. */
function comparable({ values, ...rest }: RunResult): object {
  const counted = Object.entries(values).filter(([key]) => !key.startsWith("engine.") && key !== "seconds")
  return { ...rest, values: Object.fromEntries(counted) }
}

export function differencesOf(one: RunResult, other: RunResult): string[] {
  const found: string[] = []
  compare(comparable(one), comparable(other), "", found)
  return found
}

function compare(a: unknown, b: unknown, path: string, found: string[]): void {
  if (Object.is(a, b)) return
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    found.push(`${path}: ${a} is ${b}`)
    return
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
    compare(at(a, key), at(b, key), path === "" ? key : `${path}.${key}`, found)
}

function at(of: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(of, key)?.value
}

export function specFor(spec: RunSpec, way: Mode): RunSpec {
  return { ...spec, engine: { ...spec.engine, ...way.engine } }
}
