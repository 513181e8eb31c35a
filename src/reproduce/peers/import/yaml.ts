// Values with the keys that they came from, as an experiment file with a comment on each line.
import type { Told } from "../provenance.ts"

type Path = Told["path"]

/** What stands behind `#` on the line of a value. */
export type Comment = (of: Told) => string

/** `heads`: comments of lines that only open a part, by dotted path; `*` is any place of a list. */
export function yamlOf(leaves: readonly Told[], comment: Comment, heads: Readonly<Record<string, string>>): string {
  const lines: (readonly [text: string, remark: string])[] = []
  let open: Path = []
  for (const leaf of leaves) {
    let from = 0
    while (from < leaf.path.length - 1 && from < open.length && leaf.path[from] === open[from]) from++
    // the dash of a new element stands before its first key
    let dash = ""
    for (let at = from; at < leaf.path.length; at++) {
      const key = leaf.path[at]
      if (typeof key === "number") {
        dash = "- "
        continue
      }
      const indent = "  ".repeat(at - (dash === "" ? 0 : 1)) + dash
      dash = ""
      const last = at === leaf.path.length - 1
      const head =
        heads[
          leaf.path
            .slice(0, at + 1)
            .map((k) => (typeof k === "number" ? "*" : k))
            .join(".")
        ] ?? ""
      lines.push(last ? [`${indent}${key}: ${scalar(leaf.value)}`, comment(leaf)] : [`${indent}${key}:`, head])
    }
    open = leaf.path
  }
  const width = Math.min(52, Math.max(...lines.map(([text]) => text.length)))
  const written = lines.map(([text, remark]) =>
    remark === "" ? text : `${text.padEnd(width)}  # ${remark.replaceAll(/\s*\n\s*/g, " ")}`,
  )
  return `${written.join("\n")}\n`
}

export function scalar(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(scalar).join(", ")}]`
  if (typeof value !== "string") return String(value)
  // what YAML might read as something else than a text is quoted
  const plain =
    /^[A-Za-z0-9][\w./-]*$/.test(value) &&
    Number.isNaN(Number(value)) &&
    !/^(true|false|null|yes|no|on|off|y|n)$/i.test(value)
  return plain ? value : JSON.stringify(value)
}
