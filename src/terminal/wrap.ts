// Wraps text to a number of columns: between words, and inside a name only after its dots, hyphens and slashes, never
// in the middle of a word. Colours continue in the next line.

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours have no width
const colours = /\u001b\[(\d+)m/g
const inName = /(?<=[A-Za-z\d][-./_])(?=[A-Za-z])/

export function uncoloured(text: string): string {
  return text.replace(colours, "")
}

export function widthOf(text: string): number {
  return [...uncoloured(text)].length
}

/** The least columns that a text needs: its longest word, or with `names` the longest part of a name. */
export function leastWidth(text: string, names: boolean): number {
  const words = uncoloured(text).split(/\s+/)
  return Math.max(0, ...(names ? words.flatMap((w) => w.split(inName)) : words).map((w) => [...w].length))
}

/** Lines of at most `width` columns, where words allow it. */
export function wrap(text: string, width: number): string[] {
  if (widthOf(text) <= width) return [text]
  const lines: string[] = []
  let line = ""
  for (const word of text.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`
    if (widthOf(joined) <= width) {
      line = joined
      continue
    }
    if (line !== "") lines.push(line)
    line = ""
    // a name that is longer than a line
    for (const part of widthOf(word) <= width ? [word] : word.split(inName)) {
      if (line !== "" && widthOf(line + part) > width) {
        lines.push(line)
        line = ""
      }
      line += part
    }
  }
  return carried(line === "" ? lines : [...lines, line])
}

/** What is open at the end of a line is closed there and opened again in the next. */
function carried(lines: readonly string[]): string[] {
  let open: readonly string[] = []
  return lines.map((line) => {
    const start = open.join("")
    for (const [code, number] of line.matchAll(colours)) {
      if (number === "39") open = open.filter((c) => c === bold || c === dim)
      else if (number === "22") open = open.filter((c) => c !== bold && c !== dim)
      else open = [...open, code]
    }
    const close = open.map((c) => (c === bold || c === dim ? "\u001b[22m" : "\u001b[39m"))
    return `${start}${line}${[...new Set(close)].join("")}`
  })
}

const [bold, dim] = ["\u001b[1m", "\u001b[2m"]

/** Items one after the other with three spaces between them, as many in a line as fit; later lines are indented. */
export function flow(items: readonly string[], width: number, indent: number): string[] {
  const lines: string[] = []
  for (const item of items) {
    const last = lines.at(-1)
    if (last !== undefined && indent + widthOf(last) + 3 + widthOf(item) <= width)
      lines[lines.length - 1] = `${last}   ${item}`
    else lines.push(...wrap(item, width - indent))
  }
  return lines.map((l) => `${" ".repeat(indent)}${l}`.trimEnd())
}

/**
 * Breaks long lines of a text between words. The next lines are indented by two more columns than the first. Lines of
 * JSON stay whole.
 */
export function hung(text: string, width: number): string {
  return text
    .split("\n")
    .flatMap((line) => {
      if (widthOf(line) <= width || /^[{[]/.test(line)) return [line]
      const indent = /^ */.exec(line)?.[0].length ?? 0
      const [first = "", ...rest] = wrap(line.slice(indent), width - indent - 2)
      return [" ".repeat(indent) + first, ...rest.map((part) => " ".repeat(indent + 2) + part)]
    })
    .join("\n")
}
