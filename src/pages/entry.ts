// Everything that has a page in the manual: plug-ins, keys, values, commands, stop reasons, words and essays. One list for pages, search and `lacewing manual`.
import type { Catalog } from "../experiment/catalog.ts"
import { type Explanation, everything } from "../inspect/explain.ts"
import { stopReasons } from "../inspect/words/stop-reasons.ts"

export type EntryKind = "plug-in" | "key" | "value" | "command" | "stop" | "word" | "page" | "experiment"

export interface Entry {
  readonly kind: EntryKind
  /** of a plug-in: topology, routing, … */
  readonly family?: string
  readonly name: string
  readonly about: string
  readonly also: readonly string[]
  /** without folder or ending */
  readonly file: string
  /** all that is said of it: a key may be one of several plug-ins */
  readonly facts: readonly Explanation[]
}

export interface CommandHelp {
  readonly name: string
  readonly about: string
}

/** A command as `explain` and the manual tell it. */
export function commandExplained(c: CommandHelp): Explanation {
  return { key: c.name, about: c.about, source: `command: lacewing ${c.name} --help`, page: `command-${c.name}` }
}

export function entriesOf(catalog: Catalog, commands: readonly CommandHelp[], experiments: readonly Explanation[] = []): Entry[] {
  const all = everything(catalog)
  const plugins = new Map(catalog.plugins.map((p) => [`${p.kind} ${p.name}`, p]))
  const made = new Map<string, Entry & { facts: Explanation[] }>()
  const add = (kind: EntryKind, name: string, file: string, fact: Explanation, family?: string) => {
    const there = made.get(file)
    if (there !== undefined) there.facts.push(fact)
    else
      made.set(file, {
        kind,
        name,
        about: fact.about,
        also: fact.aliases ?? [],
        file,
        facts: [fact],
        ...(family === undefined ? {} : { family }),
      })
  }
  for (const e of all) {
    if (e.source === "page of the manual") add("page", e.key, e.key, e)
    else if (e.source === "word") add("word", e.key, `word-${slug(e.key)}`, e)
    else if (e.key in stopReasons && e.page !== undefined) add("stop", e.key, `stop-${e.key}`, e)
    else if (e.source === "measured value") add("value", e.key, `value-${slug(e.key)}`, e)
    else if (e.type !== undefined && plugins.has(`${e.type} ${e.key}`)) add("plug-in", e.key, `${e.type}-${slug(e.key)}`, e, e.type)
    else add("key", e.key, `key-${slug(e.key)}`, e)
  }
  for (const e of experiments) add("experiment", e.key, `experiment-${slug(e.key)}`, e)
  for (const c of commands) add("command", c.name, `command-${c.name}`, commandExplained(c))
  return [...made.values()]
}

/** A name as the name of a file, the same on systems that do not tell capitals apart: `engine.G` is not `engine.g`. */
export function slug(name: string): string {
  return name
    .replace(/(^|\.)([A-Z])(?=\.|$)/g, "$1capital-$2")
    .toLowerCase()
    .replace(/[^a-z0-9.+-]+/g, "-")
}

/** Entries that a word leads to, best first: the name itself, another name, a part of the name, what is said. */
export function lookUp(asked: string, entries: readonly Entry[]): Entry[] {
  const word = asked.trim().toLowerCase()
  if (word === "") return []
  const rank = (e: Entry): number => {
    if (e.name === asked.trim()) return -1
    const names = [e.name.toLowerCase(), ...e.also.map((a) => a.toLowerCase())]
    if (names[0] === word) return 0
    if (names.includes(word)) return 1
    if (names.some((n) => n.split(/[.\s-]/).includes(word))) return 2
    if (names.some((n) => n.includes(word))) return 3
    return e.about.toLowerCase().includes(word) ? 4 : 9
  }
  return entries
    .map((e, i) => ({ e, i, r: rank(e) }))
    .filter(({ r }) => r < 9)
    .sort((a, b) => a.r - b.r || order.indexOf(a.e.kind) - order.indexOf(b.e.kind) || a.i - b.i)
    .map(({ e }) => e)
}

/** Of two that fit a word equally well, what was more likely meant. */
export const order: readonly EntryKind[] = ["page", "plug-in", "key", "command", "word", "value", "stop", "experiment"]
