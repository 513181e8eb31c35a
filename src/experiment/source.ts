// A text with positions: where in the file a dotted path (`network.switch.vcs`) was written. JSON is a subset of YAML,
// so one parser reads both.
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, visit } from "yaml"
import type { Complaint } from "../core/complaint.ts"
import { complain } from "../core/complaint.ts"

export interface Spot {
  readonly line: number
  readonly column: number
  /** characters under the caret, at least 1 */
  readonly width: number
}

export interface Source {
  /** name for messages */
  readonly file: string
  readonly value: unknown
  /** absent for modules and the command line, which have no positions */
  readonly text?: string
  /** the position of the longest part of `path` that the text contains, and the length of that part in characters */
  locate(path: string, at: "key" | "value"): { readonly spot?: Spot; readonly found: number }
}

/** A complaint with its position. */
export interface Placed extends Complaint {
  readonly file: string
  readonly spot?: Spot
  readonly text?: string
}

/**
 * Returns a source for data without text: a module's export, an object of the library, an option of the command line.
 */
export function plainSource(file: string, value: unknown): Source {
  return { file, value, locate: (path) => ({ found: longest(value, path) }) }
}

/** Limit in characters, because the parser needs some hundred bytes for each value. */
const largest = 4 * 2 ** 20

/** Parses a YAML or JSON text. Returns all syntax errors with their positions. */
export function yamlSource(file: string, text: string): { ok: Source } | { bad: Placed[] } {
  if (text.length > largest)
    return {
      bad: [
        {
          file,
          ...complain(
            "",
            `${text.length} characters are too many for an experiment`,
            "move large tables to separate files",
          ),
        },
      ],
    }
  const lines = new LineCounter()
  const spotAt = (from: number, to: number): Spot => {
    const { line, col } = lines.linePos(Math.min(from, text.length))
    return { line: Math.max(1, line), column: Math.max(1, col), width: Math.max(1, to - from) }
  }
  try {
    const doc = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      strict: true,
      uniqueKeys: false,
      logLevel: "error",
    })
    if (doc.errors.length > 0) {
      const bad = doc.errors.map((e, i) => {
        // Each call scans the text from its start. One missing bracket causes few errors, but random text causes any
        // number.
        const open = i < 8 ? unclosed(text, e.message, e.pos[0]) : undefined
        const [from, to] = open === undefined ? e.pos : [open, open + 1]
        return {
          file,
          text,
          spot: spotAt(from, to),
          ...(open === undefined ? syntax(e.code, e.message) : neverClosed(text[open])),
        }
      })
      return { bad }
    }
    // The parser's check for unique keys is off (`uniqueKeys`), because its time is quadratic.
    const twice = duplicates(doc.contents)
    if (twice.length > 0)
      return {
        bad: twice.map(([from, to]) => ({ file, text, spot: spotAt(from, to), ...syntax("DUPLICATE_KEY", "") })),
      }
    const value: unknown = doc.toJS({ maxAliasCount: 1000 })
    /** points at the key of a missing or structured value, and at the value itself if it is a scalar */
    const locate: Source["locate"] = (path, at) => {
      const hit = walk(doc.contents, path)
      const node =
        at === "key" || !hit.value?.range ? hit.key : isScalar(hit.value) ? hit.value : (hit.key ?? hit.value)
      const range = node?.range ?? hit.value?.range
      return range
        ? { spot: spotAt(range[0], firstLineEnd(text, range[0], range[1])), found: hit.found }
        : { found: hit.found }
    }
    return { ok: { file, text, value, locate } }
  } catch (e) {
    // The YAML library gives up on nesting beyond the stack and on aliases that multiply.
    const reason =
      e instanceof RangeError ? "it is nested too deeply" : e instanceof Error ? e.message.split("\n")[0] : String(e)
    return {
      bad: [
        {
          file,
          ...complain(
            "",
            `cannot be read as YAML: ${reason}`,
            "write plain maps and lists, without aliases of aliases",
          ),
        },
      ],
    }
  }
}

/** Returns the positions of duplicate keys. The parser's own check takes quadratic time. */
function duplicates(root: Node | null): [number, number][] {
  const found: [number, number][] = []
  if (root === null) return found
  visit(root, {
    Map(_, map) {
      const seen = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value)) found.push([key.range?.[0] ?? 0, key.range?.[1] ?? 1])
        seen.add(key.value)
      }
    },
  })
  return found
}

/** Returns the end of a range, cut at the end of its first line, because a caret marks one line. */
function firstLineEnd(text: string, from: number, to: number): number {
  const end = text.indexOf("\n", from)
  return end < 0 ? to : Math.min(to, end)
}

type Hit = { key: Node | undefined; value: Node | undefined; found: number }

/**
 * Follows a dotted path through the nodes. Keys may contain dots themselves (those of `sweep` do), so the longest
 * matching key is taken.
 */
function walk(root: unknown, path: string): Hit {
  let hit: Hit = { key: undefined, value: asNode(root), found: 0 }
  const segments = path === "" ? [] : path.split(".")
  let i = 0
  while (i < segments.length) {
    const next = step(hit.value, segments, i)
    if (next === undefined) break
    i = next.to
    hit = { key: next.key, value: next.value, found: segments.slice(0, i).join(".").length }
  }
  return hit
}

/** Takes one step of a path: an index of a list, or the longest key of a map that matches the next segments. */
function step(
  at: Node | undefined,
  segments: readonly string[],
  i: number,
): { key: Node | undefined; value: Node | undefined; to: number } | undefined {
  if (isSeq(at)) {
    const item = /^\d+$/.test(segments[i]) ? asNode(at.items[Number(segments[i])]) : undefined
    return item === undefined ? undefined : { key: undefined, value: item, to: i + 1 }
  }
  if (!isMap(at)) return undefined
  for (let to = segments.length; to > i; to--) {
    const name = segments.slice(i, to).join(".")
    const pair = at.items.find((p: Pair) => isScalar(p.key) && String(p.key.value) === name)
    if (pair !== undefined) return { key: asNode(pair.key), value: asNode(pair.value), to }
  }
  return undefined
}

function asNode(raw: unknown): Node | undefined {
  return isMap(raw) || isSeq(raw) || isScalar(raw) || isAlias(raw) ? raw : undefined
}

/** Follows a dotted path through plain data. Returns the length of the part that exists. */
function longest(value: unknown, path: string): number {
  const segments = path === "" ? [] : path.split(".")
  let at = value
  let i = 0
  while (i < segments.length && typeof at === "object" && at !== null) {
    const here: object = at
    let to = segments.length
    while (to > i && !Object.hasOwn(here, segments.slice(i, to).join("."))) to--
    if (to === i) break
    at = Reflect.get(here, segments.slice(i, to).join("."))
    i = to
  }
  return segments.slice(0, i).join(".").length
}

/** Returns a complaint for an error code of the parser, with its own message if there is no better one. */
function syntax(code: string, message: string): Complaint {
  const [says, fix] = sentences[code] ?? [
    message.split("\n")[0].replace(/ at line \d+, column \d+:?$/, ""),
    "see the marked place",
  ]
  return complain("", `YAML: ${says}`, fix)
}

/**
 * Returns the position of the bracket that was never closed. The parser reports bad indentation far behind it instead.
 */
function unclosed(text: string, message: string, end: number): number | undefined {
  const closing = /must be sufficiently indented and end with a (.)/.exec(message)?.[1]
  if (closing === undefined) return undefined
  const open: number[] = []
  let quote = ""
  for (let i = 0; i < Math.min(end, text.length); i++) {
    const c = text[i]
    if (quote !== "") quote = c === quote ? "" : quote
    else if (c === "#" && /\s/.test(text[i - 1] ?? " ")) i = Math.max(i, text.indexOf("\n", i))
    else if ((c === '"' || c === "'") && /[\s[{,:]/.test(text[i - 1] ?? " ")) quote = c
    else if (c === "[" || c === "{") open.push(i)
    else if (c === "]" || c === "}") open.pop()
  }
  return open.findLast((i) => text[i] === (closing === "]" ? "[" : "{"))
}

function neverClosed(bracket: string): Complaint {
  return complain(
    "",
    `YAML: this ${bracket} is never closed`,
    `put the ${bracket === "[" ? "]" : "}"} where its ${bracket === "[" ? "list" : "map"} ends`,
  )
}

const sentences: Record<string, readonly [string, string]> = {
  DUPLICATE_KEY: ["this key is there twice", "keep one of the two"],
  TAB_AS_INDENT: ["a tab is used to indent", "indent with spaces"],
  BAD_INDENT: ["the indentation does not fit", "line it up with its neighbours"],
  MISSING_CHAR: [
    "a character is missing",
    "close the bracket, brace or quote, or put a colon and a space after the key",
  ],
  MULTIPLE_DOCS: ["there is more than one document", "keep one experiment in one file: remove the line ---"],
  MULTILINE_IMPLICIT_KEY: [
    "a key runs over more than one line, or its colon is missing",
    "write key: value on one line",
  ],
  BLOCK_AS_IMPLICIT_KEY: ["a map starts where a value was expected", "put it on a separate line, indented"],
  UNEXPECTED_TOKEN: ["this is not expected here", "check the brackets, commas and quotes before it"],
  BAD_ALIAS: ["this alias has no anchor", "define it with &name before using *name"],
}
