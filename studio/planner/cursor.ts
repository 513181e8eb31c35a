// The position of a cursor in the text of an experiment, as a path of keys. The text may be incomplete, so it is read
// line by line: blocks by their indentation, flow maps and lists by their brackets.

export interface Cursor {
  /** Keys of the maps around the cursor. Positions in lists are left out. */
  readonly path: readonly string[]
  /** The key whose value is at the cursor; undefined: a key is at the cursor. */
  readonly key: string | undefined
  /** Keys that are already in the same flow map before the cursor. */
  readonly siblings: readonly string[]
  /** The word before the cursor. */
  readonly word: string
}

interface Block {
  readonly indent: number
  readonly key: string
}

interface Flow {
  readonly isMap: boolean
  key: string | undefined
  readonly keys: string[]
}

/** Characters of a key or a plain value. */
const WORD = /[\w.@/+-]*$/

/** Returns where `offset` is; undefined in a comment or a quoted text. */
export function cursorAt(text: string, offset: number): Cursor | undefined {
  const blocks: Block[] = []
  const flows: Flow[] = []
  const lines = text.slice(0, offset).split("\n")
  for (const [i, line] of lines.entries()) {
    const last = i === lines.length - 1
    let at = 0
    let key: string | undefined
    if (flows.length === 0) {
      const lead = /^(\s*(?:- +)*)/.exec(line)![1]
      // A list of maps is indented by its dashes. An empty line ends no block.
      if (line.trim() !== "" || last)
        while (blocks.length > 0 && blocks[blocks.length - 1].indent >= lead.length) blocks.pop()
      const found = /^("?)([\w.-]+)\1\s*:(\s|$)/.exec(line.slice(lead.length))
      at = lead.length
      if (found !== null) {
        at += found[0].length
        key = found[2]
        blocks.push({ indent: lead.length, key })
      }
    }
    const state = scan(line, at, flows)
    if (!last) continue
    if (state !== "plain") return undefined
    const word = WORD.exec(line)![0]
    const keys = blocks.map((b) => b.key)
    const inner = flows.flatMap((f) => (f.isMap && f.key !== undefined ? [f.key] : []))
    const flow = flows.at(-1)
    if (flow === undefined)
      return key === undefined
        ? { path: keys, key: undefined, siblings: [], word }
        : { path: keys.slice(0, -1), key, siblings: [], word }
    if (!flow.isMap) {
      // An item of a list has the schema of the items of the key.
      const all = [...keys, ...inner]
      return { path: all.slice(0, -1), key: all.at(-1), siblings: [], word }
    }
    const around = [...keys, ...flows.slice(0, -1).flatMap((f) => (f.isMap && f.key !== undefined ? [f.key] : []))]
    return { path: around, key: flow.key, siblings: flow.keys, word }
  }
  return undefined
}

/** Follows the brackets of a line. Returns "comment" or "quoted" if it ends in one of them. */
function scan(line: string, from: number, flows: Flow[]): "plain" | "comment" | "quoted" {
  let quote = ""
  let word = ""
  for (let i = from; i < line.length; i++) {
    const c = line[i]
    if (quote !== "") {
      if (c === quote) quote = ""
      continue
    }
    if (c === "#" && (i === 0 || /\s/.test(line[i - 1]))) return "comment"
    if (c === '"' || c === "'") quote = c
    else if (c === "{" || c === "[") flows.push({ isMap: c === "{", key: undefined, keys: [] })
    else if (c === "}" || c === "]") flows.pop()
    else {
      const flow = flows.at(-1)
      if (c === ",") {
        if (flow !== undefined) flow.key = undefined
      } else if (c === ":" && flow?.isMap === true && flow.key === undefined) {
        flow.key = word
        flow.keys.push(word)
      }
    }
    word = /[\w.-]/.test(c) ? word + c : ""
  }
  return quote === "" ? "plain" : "quoted"
}
