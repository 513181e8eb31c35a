// Parses `NAME k=v …`, for commands that build a network without an experiment, and defines their common options.
import { extname } from "node:path"
import { type Command, InvalidArgumentError } from "commander"
import { bookNamed, books, type PriceBook } from "../compile/floor/pricebook.ts"
import { type Complaint, complain } from "../core/complaint.ts"
import { isPrototypeKey } from "../core/prototype-key.ts"
import { quantity } from "../core/units.ts"
import { Catalog } from "../experiment/catalog.ts"
import { readIn } from "../experiment/disk/user-file.ts"
import { bookFile } from "../inspect/pricebook-file.ts"
import { type Built, buildTopology } from "../inspect/topology-build.ts"
import { library } from "../library.ts"
import type { Io } from "./command.ts"
import { listOf, renamedOption } from "./help.ts"
import { wholeNumber } from "./options.ts"
import { refusePlain } from "./plain.ts"

export interface NetworkOptions {
  readonly json?: boolean
  readonly seed?: number
  readonly memory?: number
  readonly prices?: string
}

export function networkOptions(command: Command, io: Io): Command {
  command
    .option("--prices <name or file>", `Price list: ${listOf(books.map((b) => b.name))}, or a YAML or JSON file`)
    .option("--seed <number>", "Seed of topologies with random links", wholeNumber)
    .option("--memory <size>", "Maximum memory that the network may need, e.g. 8GiB (default: 4GiB)", memoryOf)
  renamedOption(command, "book", "prices", io)
  return command
}

function memoryOf(text: string): number {
  const bytes = quantity(text, "bytes")
  if (typeof bytes === "string" || bytes <= 0) throw new InvalidArgumentError("Write a size such as 8GiB.")
  return bytes
}

/** Parses `k=v` pairs into a map. */
export function parameters(texts: readonly string[], path: string, bad: Complaint[]): Record<string, string> {
  const made: Record<string, string> = {}
  for (const text of texts) {
    const at = text.indexOf("=")
    const key = text.slice(0, at)
    if (at < 1 || isPrototypeKey(key))
      bad.push(complain(path, `"${text}" is not a parameter.`, "write NAME=VALUE, for example p=4"))
    else made[key] = text.slice(at + 1)
  }
  return made
}

/** Returns the requested network; ends the command with all complaints if it cannot be built. */
export function networkOf(
  name: string,
  pairs: readonly string[],
  o: NetworkOptions,
  io: Io,
  catalog = new Catalog(),
): Built & { raw: Record<string, string> } {
  const bad: Complaint[] = []
  const raw = parameters(pairs, "parameters", bad)
  if (bad.length > 0) refusePlain(bad, io, o.json === true)
  const built = buildTopology(name, raw, {
    read: readIn("."),
    outside: { hashes: [], plugins: catalog.plugins.filter((p) => !library.includes(p)) },
    ...(o.seed !== undefined ? { seed: o.seed } : {}),
    ...(o.memory !== undefined ? { memory: o.memory } : {}),
  })
  if ("bad" in built) refusePlain(built.bad, io, o.json === true)
  return { ...built.ok, raw }
}

/** The requested price list, undefined if there is none. */
export function bookOf(o: NetworkOptions, io: Io): PriceBook | undefined {
  if (o.prices === undefined) return undefined
  const got = [".yaml", ".yml", ".json"].includes(extname(o.prices)) ? bookFile(o.prices) : bookNamed(o.prices)
  return "bad" in got ? refusePlain(got.bad, io, o.json === true) : got.ok
}

/** Returns JSON in which unknown values are null instead of absent, so that every object has the same keys. */
export function withNulls(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) => (v === undefined ? null : v))
}
