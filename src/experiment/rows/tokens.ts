// The words of a row, such as `max(accepted("ECN(UGAL)")) / 0.25 within 0.87..<1.15`: names, numbers with units, quoted
// texts, signs. A minus sign inside a name belongs to the name, as in CSS, so a subtraction needs spaces.
import { type Checked, complain } from "../../core/complaint.ts"

export type Token =
  | { readonly kind: "name" | "text" | "sign"; readonly text: string; readonly at: number }
  | {
      readonly kind: "number"
      readonly text: string
      readonly value: number
      readonly unit: string
      readonly at: number
    }

/** A row longer than this is a mistake; the limit also bounds the time of the regular expressions. */
const longest = 2000

const forms = [
  ["space", /\s+/y],
  ["name", /[A-Za-z_][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*/y],
  ["number", /(\d+(?:\.\d+)?(?:e[+-]?\d+)?)(%|[a-zA-Zµ]+)?/y],
  ["text", /"([^"]*)"|'([^']*)'/y],
  ["sign", /\.\.<|<\.\.|\.\.|<=|>=|==|[-+*/^()[\]=,<>]/y],
] as const

/** Splits a text into words. */
export function tokens(text: string, path: string): Checked<readonly Token[]> {
  const refuse = (says: string, fix: string) => ({ bad: [complain(path, says, fix)] })
  if (text.length > longest) return refuse(`${text.length} characters are too many for a row`, "use names under `let`")
  const found: Token[] = []
  for (let at = 0; at < text.length; ) {
    const hit = matchAt(text, at)
    if (hit === undefined)
      return refuse(
        `"${text.slice(at, at + 12)}" is not understood in "${text}"`,
        "quote names with special characters",
      )
    if (hit.token !== undefined) found.push(hit.token)
    at = hit.end
  }
  return { ok: found }
}

function matchAt(text: string, at: number): { readonly token?: Token; readonly end: number } | undefined {
  for (const [kind, form] of forms) {
    form.lastIndex = at
    const m = form.exec(text)
    if (m === null) continue
    const end = form.lastIndex
    if (kind === "space") return { end }
    if (kind === "text") return { token: { kind, text: m[1] ?? m[2] ?? "", at }, end }
    if (kind !== "number") return { token: { kind, text: m[0], at }, end }
    return { token: { kind, text: m[0], value: Number(m[1]), unit: m[2] ?? "", at }, end }
  }
  return undefined
}
