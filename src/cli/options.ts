// Options that several commands share, with strict parsers. An invalid value is a complaint with exit code 2, like an
// invalid file.
import { availableParallelism } from "node:os"
import { InvalidArgumentError, Option } from "commander"
import { secondsOf } from "../core/duration.ts"
import { quantity } from "../core/units.ts"
import { type Executable, moduleFrom } from "../experiment/gate.ts"
import type { Placed } from "../experiment/source.ts"
import { mostWorkers } from "../experiment/top.ts"
import { frames } from "../terminal/format-complaint.ts"
import { Exit, exit, type Io } from "./command.ts"

/** Collects the values of an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

export function wholeNumber(value: string): number {
  const n = Number(value)
  if (!/^-?\d+$/.test(value) || Math.abs(n) >= 2 ** 31) throw new InvalidArgumentError("Write a whole number.")
  return n
}

export function seedList(value: string, before: readonly number[] = []): readonly number[] {
  return [...before, ...value.split(",").map((s) => wholeNumber(s.trim()))]
}

/** Parses a number above 0 or a percentage: 0.05 and 5% are equal. */
export function share(value: string): number {
  const n = /^[\d.]+(e\d+)?%?$/i.test(value)
    ? value.endsWith("%")
      ? Number(value.slice(0, -1)) / 100
      : Number(value)
    : Number.NaN
  if (!(n > 0 && n < 1e15)) throw new InvalidArgumentError("Write a number above 0, for example 0.05 or 5%.")
  return n
}

/** Parses a load of endpoint channels, as a number or a percentage. */
export function load(value: string): number {
  const n = share(value)
  if (n > 1) throw new InvalidArgumentError("Write a load up to 1, for example 0.3 or 30%.")
  return n
}

export function workerCount(value: string): number {
  const n = wholeNumber(value)
  if (n < 1 || n > mostWorkers) throw new InvalidArgumentError(`Write a number from 1 to ${mostWorkers}.`)
  return n
}

/** Option of every command that reads an experiment. */
export const noCode = ["--no-code", "Reject experiments and plug-ins that contain code (.mjs, .js, .ts)"] as const

/** Argument of every command that reads an experiment. */
export const experimentArgument =
  "A .yaml, .json or .mjs file, a folder that contains experiment.yaml, or the name of a bundled experiment (see `lacewing list experiments`)"

/** Option of every command that reads an experiment. */
export const setOption = [
  "--set <key=value>",
  "Override a key, e.g. network.switch.vcs=8. Repeatable",
  collect,
] as const

/** Option of every command that runs an experiment. */
export function workersOption(): Option {
  return new Option("--workers <n>", "Number of parallel runs").argParser(workerCount).default(allCores, "all cores")
}

/** Returns the settings of the command line. --anyway is an abbreviation of one of them. */
export function settingsOf(o: { readonly set?: readonly string[]; readonly anyway?: boolean }): {
  readonly set?: readonly string[]
} {
  const set = [...(o.set ?? []), ...(o.anyway === true ? ["measure.deadlock=watch"] : [])]
  return set.length > 0 ? { set } : {}
}

export const anyway = [
  "--anyway",
  "Also run networks whose deadlock proof fails (sets measure.deadlock=watch)",
] as const

/** For tests: selects another simulator module. */
export function simulatorOption(): Option {
  return new Option("--simulator <url>", "Use another simulator module, for tests").hideHelp()
}

/** Returns the custom simulator. It is a module, so --no-code rejects it. */
export function simulatorGiven(o: {
  readonly code?: boolean
  readonly simulator?: string
}): Executable<"module"> | undefined {
  if (o.simulator === undefined) return undefined
  const got = moduleFrom("command line", o.simulator, o)
  if ("ok" in got) return got.ok
  throw new Exit(exit.wrongInput, `--simulator: ${got.says}\n  fix: remove it, or remove --no-code`)
}

/** Parses a regular expression. */
export function pattern(value: string): RegExp {
  try {
    return new RegExp(value)
  } catch {
    throw new InvalidArgumentError("Write a regular expression, for example mesh or ^torus.")
  }
}

/** Checks a time with a unit and returns it as written. */
export function duration(value: string): string {
  const time = quantity(value, "time")
  if (typeof time === "string" || time < 0) throw new InvalidArgumentError("Write a time such as 90ns.")
  return value
}

/** Checks a wall-clock time and returns it as written. */
export function wallTime(value: string): string {
  if (secondsOf(value) === undefined) throw new InvalidArgumentError("Write a time such as 30s, 10min or 2h.")
  return value
}

export function ratio(value: string): number {
  const n = Number(value)
  if (value.trim() === "" || !(n >= 0 && n < 1000)) throw new InvalidArgumentError("Write a number such as 0.97.")
  return n
}

export function positive(value: string): number {
  const n = wholeNumber(value)
  if (n < 1) throw new InvalidArgumentError("Write a whole number from 1.")
  return n
}

export const allCores = availableParallelism()

/** Parses `2/5`, the second of five shards. */
export function shard(value: string): { index: number; of: number } {
  const m = /^(\d+)\/(\d+)$/.exec(value)
  const [index, of] = [Number(m?.[1]), Number(m?.[2])]
  if (m === null || index < 1 || index > of)
    throw new InvalidArgumentError("Write i/n with i from 1 to n, for example 1/4.")
  return { index, of }
}

/** Prints complaints with their places (with --json also as data) and ends the command with exit code 2. */
export function refuse(bad: readonly Placed[], io: Io, json: boolean): never {
  if (json) io.out(JSON.stringify({ ok: false, complaints: bad.map(({ text: _, spot, ...c }) => ({ ...c, ...spot })) }))
  throw new Exit(exit.wrongInput, frames(bad, io.paint))
}

/** Option that adds the probe `timeline` to all runs. */
export const timelineOption = [
  "--timeline <file>",
  "Write the time line of ranks for Perfetto and chrome://tracing (adds the probe timeline)",
] as const

/** Runs that `--trace` can replay. */
export const traceChoices = ["worst"] as const

/** Option of the commands whose verdicts a CI server shows. */
export const junitOption = ["--junit <file>", "Write each verdict as a test case of JUnit XML"] as const
