// How a record is written: JSON with an indent of one, numbers that JSON does not have as {"$number": "NaN"}, and the
// spots of a line in one row of pairs, {"$spots": [[x, y], …]}, where a spot is nothing but its place: what axes and
// lines say already is not said again for each.
import { isMap } from "../../results/json.ts"

export function recordedText(file: unknown): string {
  const rows: string[] = []
  const text = JSON.stringify(
    file,
    (key, v: unknown) => {
      if (typeof v === "number" && !Number.isFinite(v)) return special(v)
      const pairs = key === "spots" && Array.isArray(v) ? pairsOf(v) : undefined
      if (pairs === undefined) return v
      rows.push(JSON.stringify(pairs))
      return { $spots: `@${rows.length - 1}` }
    },
    1,
  )
  return `${text.replace(/"\$spots": "@([0-9]+)"/g, (_, i: string) => `"$spots": ${rows[Number(i)]}`)}\n`
}

const special = (v: number): unknown => (Number.isFinite(v) ? v : { $number: String(v) })

/** Undefined where a spot has more than a position. Details that only repeat the position are left out. */
function pairsOf(spots: readonly unknown[]): unknown[][] | undefined {
  const pairs: unknown[][] = []
  for (const spot of spots) {
    if (!isMap(spot)) return undefined
    const { x, y, facts, ...more } = spot
    if (typeof x !== "number" || typeof y !== "number" || Object.keys(more).length > 0 || !repeats(facts, x, y))
      return undefined
    pairs.push([special(x), special(y)])
  }
  return pairs
}

function repeats(facts: unknown, x: number, y: number): boolean {
  if (facts === undefined) return true
  if (!Array.isArray(facts) || facts.length !== 2) return false
  return [x, y].every((v, i) => Array.isArray(facts[i]) && Object.is(facts[i][1], v))
}

export function spotsFrom(pairs: readonly unknown[]): { x: number; y: number }[] {
  return pairs.flatMap((pair) => (Array.isArray(pair) ? [{ x: Number(pair[0]), y: Number(pair[1]) }] : []))
}
