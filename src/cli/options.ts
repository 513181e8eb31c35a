// Options that several commands share, read strictly: a wrong one is a complaint with exit code 2, like a wrong file.
import { availableParallelism } from "node:os"
import { InvalidArgumentError } from "commander"
import { secondsOf } from "../core/duration.ts"
import { quantity } from "../core/units.ts"
import { type Executable, moduleFrom } from "../experiment/gate.ts"
import type { Placed } from "../experiment/source.ts"
import { mostWorkers } from "../experiment/top.ts"
import { frames } from "../terminal/frame.ts"
import { Exit, exit, type Io } from "./command.ts"

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

/** A number above 0, or a percentage: 0.05 and 5% are the same. */
export function share(value: string): number {
  const n = /^[\d.]+(e\d+)?%?$/i.test(value) ? (value.endsWith("%") ? Number(value.slice(0, -1)) / 100 : Number(value)) : Number.NaN
  if (!(n > 0 && n < 1e15)) throw new InvalidArgumentError("Write a number above 0, for example 0.05 or 5%.")
  return n
}

/** A load of endpoint channels, as a number or a percentage. */
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

/** Of every command that reads an experiment. */
export const noCode = [
  "--no-code",
  "execute nothing that the experiment names: no module (.mjs, .js, .ts), no plug-in, no command",
] as const

/** Of every command that runs an experiment. */
/** The settings of the command line, with the one that --anyway stands for. */
export function settingsOf(o: { readonly set?: readonly string[]; readonly anyway?: boolean }): { readonly set?: readonly string[] } {
  const set = [...(o.set ?? []), ...(o.anyway === true ? ["measure.deadlock=watch"] : [])]
  return set.length > 0 ? { set } : {}
}

export const anyway = ["--anyway", "run networks that can deadlock, too (as measure.deadlock: watch)"] as const

/** A simulator of one's own is a module, too. */
export function simulatorGiven(o: { readonly code?: boolean; readonly simulator?: string }): Executable<"module"> | undefined {
  if (o.simulator === undefined) return undefined
  const got = moduleFrom("command line", o.simulator, o)
  if ("ok" in got) return got.ok
  throw new Exit(exit.wrongInput, `--simulator: ${got.says}\n  fix: leave it out, or leave out --no-code`)
}

/** A regular expression. */
export function pattern(value: string): RegExp {
  try {
    return new RegExp(value)
  } catch {
    throw new InvalidArgumentError("Write a regular expression, for example mesh or ^torus.")
  }
}

/** A time with its unit, kept as it is written. */
export function duration(value: string): string {
  const time = quantity(value, "time")
  if (typeof time === "string" || time < 0) throw new InvalidArgumentError("Write a time such as 90ns.")
  return value
}

/** A time of the wall clock, kept as it is written. */
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

/** `2/5`: the second of five. */
export function shard(value: string): { index: number; of: number } {
  const m = /^(\d+)\/(\d+)$/.exec(value)
  const [index, of] = [Number(m?.[1]), Number(m?.[2])]
  if (m === null || index < 1 || index > of) throw new InvalidArgumentError("Write i/n with i from 1 to n, for example 1/4.")
  return { index, of }
}

/** Prints complaints (as data, too, when asked) and ends with exit code 2. */
export function refuse(bad: readonly Placed[], io: Io, json: boolean): never {
  if (json) io.out(JSON.stringify({ ok: false, complaints: bad.map(({ text: _, spot, ...c }) => ({ ...c, ...spot })) }))
  throw new Exit(exit.wrongInput, frames(bad, io.paint))
}
