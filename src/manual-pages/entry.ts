// The list of everything that has a page in the manual: plug-ins, keys, values, commands, stop reasons, terms and
// essays. Pages, search and `lacewing manual` use it.
import type { Catalog } from "../experiment/catalog.ts"
import { COLUMN, EVENT, type Explanation, everything, TABLE } from "../inspect/explain.ts"
import { stopReasons } from "../inspect/glossary/stop-reasons.ts"

export type EntryKind =
  | "plug-in"
  | "key"
  | "value"
  | "command"
  | "stop"
  | "column"
  | "table"
  | "event"
  | "word"
  | "page"
  | "experiment"

export interface Entry {
  readonly kind: EntryKind
  /** kind of a plug-in: topology, routing, … */
  readonly family?: string
  readonly name: string
  readonly about: string
  readonly also: readonly string[]
  /** without folder and extension */
  readonly file: string
  /** all explanations of it: a key may belong to several plug-ins */
  readonly facts: readonly Explanation[]
}

export interface CommandHelp {
  readonly name: string
  readonly about: string
}

/** Returns a command in the form that `explain` and the manual show. */
export function commandExplained(c: CommandHelp): Explanation {
  return { key: c.name, about: c.about, source: `command: lacewing ${c.name} --help`, page: `command-${c.name}` }
}

/** Returns all entries. Explanations with the same file name share a page. */
export function entriesOf(
  catalog: Catalog,
  commands: readonly CommandHelp[],
  experiments: readonly Explanation[] = [],
): Entry[] {
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
    else if (e.source === TABLE) add("table", e.key, `table-${slug(e.key)}`, e)
    else if (e.source === COLUMN) add("column", e.key, `column-${slug(e.key)}`, e)
    else if (e.source === EVENT) add("event", e.key, `event-${slug(e.key)}`, e)
    else if (e.source === "word") add("word", e.key, `word-${slug(e.key)}`, e)
    else if (e.key in stopReasons && e.page !== undefined) add("stop", e.key, `stop-${e.key}`, e)
    else if (e.source === "measured value") add("value", e.key, `value-${slug(e.key)}`, e)
    else if (e.type !== undefined && plugins.has(`${e.type} ${e.key}`))
      add("plug-in", e.key, `${e.type}-${slug(e.key)}`, e, e.type)
    else add("key", e.key, `key-${slug(e.key)}`, e)
  }
  for (const e of experiments) add("experiment", e.key, `experiment-${slug(e.key)}`, e)
  for (const c of commands) add("command", c.name, `command-${c.name}`, commandExplained(c))
  return [...made.values()]
}

/** Returns a name as a file name that also works if the system ignores case: `engine.G` is not `engine.g`. */
export function slug(name: string): string {
  return name
    .replace(/(^|\.)([A-Z])(?=\.|$)/g, "$1capital-$2")
    .toLowerCase()
    .replace(/[^a-z0-9.+-]+/g, "-")
}

/**
 * Returns the entries for a word, best first: exact name, alias, part of a name, text. search.ts has the same ranking
 * in the browser.
 */
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

/** Order of entries that match equally well: the more likely kind first. */
export const order: readonly EntryKind[] = [
  "page",
  "plug-in",
  "key",
  "command",
  "word",
  "value",
  "stop",
  "table",
  "column",
  "event",
  "experiment",
]
