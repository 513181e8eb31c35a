// Patterns that add a constant to every digit of the endpoint number, that is to the coordinates of a mesh or torus:
// tornado and neighbour (Dally and Towles, section 3.2).
import { type Complaint, complain } from "../core/complaint.ts"
import { int, list, maybe, type Schema, schema } from "../core/schema.ts"
import type { PatternPlugin, Site } from "../model/plugin.ts"
import { type SelfParams, selfField, tabulate } from "./permutation.ts"

export type DigitParams = SelfParams & {
  digits: readonly number[] | undefined
  radix: number | undefined
  count: number | undefined
}

const params: Schema<DigitParams> = schema({
  digits: maybe(
    list(int({ min: 1 }), {
      about: "[k, n, xr]: n digits of radix k * xr, as in BookSim2 (default: those of the topology)",
    }),
  ),
  radix: maybe(int({ min: 2, about: "Radix of a digit (default: that of the topology)" })),
  count: maybe(int({ min: 1, about: "Number of digits (default: that of the topology, or 1 if a radix is set)" })),
  self: selfField,
})

/** radix and count of the digits, and endpoints that share one number (those of a router, which keep their place on it)
 *  */
type Digits = { radix: number; count: number; ends: number }

function digitsOf(p: DigitParams, on: Site): Digits | Complaint {
  const own = on.topology.digits
  const ends = on.topology.graph.ends
  const fix = `give radix and count so that radix^count is ${ends}, for example radix: ${ends}, count: 1`
  let found: Digits
  if (p.digits !== undefined) {
    const [k, n, xr = 1] = p.digits
    if (k === undefined || n === undefined || p.digits.length > 3)
      return complain("digits", `has ${p.digits.length} entries`, "write [k, n] or [k, n, xr], for example [8, 2, 1]")
    if (p.radix !== undefined || p.count !== undefined)
      return complain(
        "digits",
        "cannot be combined with radix or count, which have the same meaning",
        "keep one of them",
      )
    found = { radix: k * xr, count: n, ends: 1 }
  } else if (p.radix !== undefined) found = { radix: p.radix, count: p.count ?? 1, ends: 1 }
  else if (own !== undefined) found = { radix: own.radix, count: p.count ?? own.count, ends: own.ends }
  else return complain("radix", `a ${on.topology.name} network has no digits of one radix`, fix)
  const served = found.radix ** found.count * found.ends
  if (served === ends) return found
  const per = found.ends === 1 ? "" : ` with ${found.ends} endpoints each`
  return complain(
    "radix",
    `${found.count} digits of radix ${found.radix}${per} number ${served} endpoints; this network has ${ends}`,
    fix,
  )
}

/** Every digit + step(radix), modulo the radix. */
export function digitPattern(
  words: { name: string; aliases?: readonly string[]; about: string },
  step: (radix: number) => number,
): PatternPlugin<DigitParams> {
  return {
    kind: "pattern",
    ...words,
    cites: "Principles and Practices of Interconnection Networks, W. J. Dally and B. Towles, 2004, section 3.2",
    params,
    check(p, on) {
      const d = digitsOf(p, on)
      return "says" in d ? [d] : []
    },
    make(p, on) {
      const d = digitsOf(p, on)
      if ("says" in d) throw new Error(`${words.name} was made in spite of: ${d.says}`)
      const { radix, count, ends } = d
      const add = step(radix)
      const shifted = (e: number): number => {
        let rest = Math.floor(e / ends)
        let weight = ends
        let to = e % ends
        for (let i = 0; i < count; i++) {
          to += (((rest % radix) + add) % radix) * weight
          rest = Math.floor(rest / radix)
          weight *= radix
        }
        return to
      }
      return tabulate(on.topology.graph.ends, shifted, p.self)
    },
  }
}
