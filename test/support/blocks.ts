// Fenced blocks of Markdown, and the commands in them.
import { readFileSync } from "node:fs"

export interface Block {
  readonly file: string
  readonly line: number
  readonly language: string
  readonly lines: readonly string[]
}

export function blocksOf(path: string, name: string): Block[] {
  const found: Block[] = []
  let open: { line: number; language: string; lines: string[] } | undefined
  readFileSync(path, "utf8")
    .split("\n")
    .forEach((text, i) => {
      const fence = /^\s*```(\w*)\s*$/.exec(text)
      if (fence === null) open?.lines.push(text)
      else if (open === undefined) open = { line: i + 1, language: fence[1], lines: [] }
      else {
        found.push({ file: name, ...open })
        open = undefined
      }
    })
  if (open !== undefined) throw new Error(`${name}:${open.line}: a block that is never closed`)
  return found
}

export interface Step {
  readonly at: string
  readonly command: string
  /** lines that the page shows below a command of a `console` block */
  readonly shows: readonly string[]
  /** the exit code that the page names behind it: `# exit code 2: it is not` */
  readonly code?: number
}

const endsWith = (text: string): { code?: number } => {
  const code = /\s# exit code (\d+)\b/.exec(text)?.[1]
  return code === undefined ? {} : { code: Number(code) }
}

/** Commands of `sh` blocks (one a line), and of `console` blocks (after "$ ", followed by what they print). */
export function stepsOf(b: Block): Step[] {
  if (b.language === "sh")
    return b.lines
      .map((text, i) => ({
        at: `${b.file}:${b.line + 1 + i}`,
        command: text.replace(/\s+#.*$/, "").trim(),
        shows: [],
        ...endsWith(text),
      }))
      .filter((s) => s.command !== "" && !s.command.startsWith("#"))
  const steps: { at: string; command: string; shows: string[] }[] = []
  b.lines.forEach((text, i) => {
    if (text.startsWith("$ "))
      steps.push({ at: `${b.file}:${b.line + 1 + i}`, command: text.slice(2).trim(), shows: [] })
    else if (text.trim() !== "") steps.at(-1)?.shows.push(text.trimEnd())
  })
  return steps
}

/** Words of a command line; quotes keep spaces together. */
export function words(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((m) => m[1] ?? m[2] ?? m[3])
}

/** The first line of `shows` that does not follow in `text`, in order; a line "…" stands for any lines, "…" at its end
 *  for any rest. Two spaces or more count as two: the width of a column follows its longest word, which any new plug-in
 *  may have. */
export function missing(shows: readonly string[], text: string): string | undefined {
  const squeeze = (line: string) => line.trimEnd().replace(/ {2,}/g, "  ")
  const lines = text.split("\n").map(squeeze)
  let at = 0
  return shows.find((shown) => {
    const line = squeeze(shown)
    if (line.trim() === "…") return false
    const start = line.endsWith("…") ? line.slice(0, -1).trimEnd() : undefined
    const found = lines.findIndex((l, i) => i >= at && (start !== undefined ? l.startsWith(start) : l === line))
    at = found + 1
    return found < 0
  })
}
