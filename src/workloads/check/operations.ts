// Prints operations of a rank as lines of text, for `lacewing trace show`.
import {
  amount,
  COMM,
  forEachOp,
  KIND,
  Kind,
  kindNames,
  kindOf,
  LIST,
  NEEDS,
  PEER,
  type Program,
  REQUEST,
  TAG,
} from "../program.ts"

export function operationLines(program: Program, rank: number, most: number): string[] {
  const lines: string[] = []
  let left = 0
  forEachOp(program.rank(rank), ({ ops, list }, row, op) => {
    if (lines.length >= most) {
      left++
      return
    }
    const kind = kindOf(ops[row + KIND])
    const from = ops[row + LIST]
    const needs = [...list.subarray(from, from + ops[row + NEEDS])].map((n) => (n < 0 ? `started ${~n}` : String(n)))
    const words = [
      `${op}`.padStart(6),
      kindNames[kind] ?? `kind ${kind}`,
      kind === Kind.COMPUTE ? `${amount(ops, row) / 1000} ns` : kind === Kind.WAIT ? "" : `${amount(ops, row)}`,
      kind === Kind.SEND
        ? `to ${ops[row + PEER]} tag ${ops[row + TAG]}`
        : kind === Kind.RECV
          ? `from ${ops[row + PEER]} tag ${ops[row + TAG]}`
          : "",
      ops[row + COMM] > 0 ? `communicator ${ops[row + COMM]}` : "",
      ops[row + REQUEST] >= 0 ? `request ${ops[row + REQUEST]}` : "",
      needs.length > 0 ? `needs ${needs.slice(0, 8).join(", ")}${needs.length > 8 ? ", …" : ""}` : "",
    ]
    lines.push(words.filter((w) => w !== "").join("  "))
  })
  return left > 0 ? [...lines, `… and ${left} more`] : lines
}
