// Sizes of sources, by a parser: lines of code of a file, and of each function without the functions inside it. Blank
// lines and comments do not count.
import { parseSync } from "rolldown/experimental"

export interface FunctionSize {
  readonly name: string
  /** number of its first line */
  readonly line: number
  readonly lines: number
}

export interface SourceSize {
  readonly lines: number
  readonly functions: readonly FunctionSize[]
}

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>

const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"])

const isNode = (x: unknown): x is Node => typeof x === "object" && x !== null && "type" in x && "start" in x

export function sizeOf(file: string, text: string): SourceSize {
  const { program, comments } = parseSync(file, text, { lang: "ts" })
  let code = text
  for (const c of comments)
    code = code.slice(0, c.start) + code.slice(c.start, c.end).replace(/[^\n]/g, " ") + code.slice(c.end)
  // [line] -> lines of code before it
  const before = [0]
  for (const line of code.split("\n")) before.push(before.at(-1)! + (line.trim() === "" ? 0 : 1))
  const lineOf = (at: number) => text.slice(0, at).split("\n").length
  const found: FunctionSize[] = []
  /** Adds the functions in a node, and returns their lines. */
  function visit(node: unknown, name: string): number {
    if (Array.isArray(node)) return node.reduce((sum: number, n) => sum + visit(n, name), 0)
    if (!isNode(node)) return 0
    const { id, key } = node
    const own = [id, key].map((n) => (isNode(n) ? n["name"] : undefined)).find((n) => typeof n === "string") ?? name
    const inside = Object.values(node).reduce((sum: number, n) => sum + visit(n, String(own)), 0)
    if (!functions.has(node.type) || node["body"] === null) return inside
    const line = lineOf(node.start)
    const lines = before[lineOf(node.end)] - before[line - 1]
    found.push({ name: String(own), line, lines: lines - inside })
    return lines
  }
  visit(program.body, "?")
  return { lines: before.at(-1)!, functions: found }
}
