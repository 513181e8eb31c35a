// `NAME k=v …` of the commands that build a network without an experiment, and the options that they share.
import { extname } from "node:path"
import { type Command, InvalidArgumentError } from "commander"
import { bookNamed, type PriceBook } from "../compile/floor/pricebook.ts"
import { type Complaint, complain } from "../core/complaint.ts"
import { isPrototypeKey } from "../core/prototype-key.ts"
import { quantity } from "../core/units.ts"
import { Catalog } from "../experiment/catalog.ts"
import { readIn } from "../experiment/disk/user-file.ts"
import { bookFile } from "../inspect/pricebook-file.ts"
import { type Built, buildTopology } from "../inspect/topology-build.ts"
import { library } from "../library.ts"
import type { Io } from "./command.ts"
import { wholeNumber } from "./options.ts"
import { refusePlain } from "./plain.ts"

export interface NetworkOptions {
  readonly json?: boolean
  readonly seed?: number
  readonly memory?: number
  readonly book?: string
}

export function networkOptions(command: Command): Command {
  return command
    .option("--json", "print one JSON object")
    .option("--book <name or file>", "price book: fitfly-edr, fitfly-fdr, by-length, or a YAML or JSON file")
    .option("--seed <number>", "seed of random wiring", wholeNumber)
    .option("--memory <size>", "most memory that the network may need (4GiB)", (text) => {
      const bytes = quantity(text, "bytes")
      if (typeof bytes === "string" || bytes <= 0) throw new InvalidArgumentError("Write a size such as 8GiB.")
      return bytes
    })
}

/** `k=v` as a map. */
export function parameters(texts: readonly string[], path: string, bad: Complaint[]): Record<string, string> {
  const made: Record<string, string> = {}
  for (const text of texts) {
    const at = text.indexOf("=")
    const key = text.slice(0, at)
    if (at < 1 || isPrototypeKey(key)) bad.push(complain(path, `"${text}" is not a parameter`, "write NAME=VALUE, for example p=4"))
    else made[key] = text.slice(at + 1)
  }
  return made
}

/** The network that was asked for, or the end of the command with all complaints. */
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

/** The book that was asked for, undefined if none was. */
export function bookOf(o: NetworkOptions, io: Io): PriceBook | undefined {
  if (o.book === undefined) return undefined
  const got = [".yaml", ".yml", ".json"].includes(extname(o.book)) ? bookFile(o.book) : bookNamed(o.book)
  return "bad" in got ? refusePlain(got.bad, io, o.json === true) : got.ok
}

/** JSON in which what is not known is null, not left out. */
export function withNulls(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) => (v === undefined ? null : v))
}
