// Tables of service levels that differ by port. Each row of such a table overrides the values between some inputs and
// outputs, in all routers alike. If several rows name a pair of ports, the last one counts; if none does, the table for
// all ports applies. The InfiniBand and Omni-Path switches use them for SL-to-VL and SC maps.
import { type Complaint, complain } from "../../core/complaint.ts"
import { membersOf, namesOf } from "../../core/ranges.ts"
import { type Field, int, list, nested, schema } from "../../core/schema.ts"

export interface PortRow {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly to: readonly number[]
}

/** Returns the field of such a table. `word` names the values (VL or SC), which are at most `most`. */
export function portRows(word: string, most: number, about: string): Field<readonly PortRow[]> {
  const row = schema({
    inputs: namesOf("Input ports of a router"),
    outputs: namesOf("Output ports of a router"),
    to: list(int({ about: `${word} of a service level`, min: 0, max: most }), {
      about: `${word} of service level 0, 1, …`,
      atLeast: 1,
    }),
  })
  return list(nested(row), { about, default: [] })
}

export function checkPortRows(key: string, rows: readonly PortRow[], radix: number): Complaint[] {
  return rows.flatMap((row, i) =>
    (["inputs", "outputs"] as const)
      .filter((side) => membersOf(row[side], radix) === undefined)
      .map((side) =>
        complain(
          `${key}.${i}.${side}`,
          `"${row[side].join(",")}" does not name ports from 0 to ${radix - 1}`,
          `write numbers or ranges such as 0-${radix - 1}`,
        ),
      ),
  )
}

/** Returns [(input * radix + output) * levels + level] -> value, or undefined if there are no rows. */
export function portTable(rows: readonly PortRow[], base: readonly number[], radix: number): Uint8Array | undefined {
  if (rows.length === 0) return undefined
  const levels = base.length
  const table = new Uint8Array(radix * radix * levels)
  for (let pair = 0; pair < radix * radix; pair++) table.set(base, pair * levels)
  for (const row of rows)
    for (const i of membersOf(row.inputs, radix)!)
      for (const o of membersOf(row.outputs, radix)!) table.set(row.to.slice(0, levels), (i * radix + o) * levels)
  return table
}
