// A pattern in which every endpoint has one fixed destination: a table that is filled when the run is built. Transpose,
// shuffle, bit complement and bit reverse are made of it.
import { bitsFor, highest } from "../core/bitset.ts"
import { type Complaint, complain } from "../core/complaint.ts"
import { flag, type Schema, schema } from "../core/schema.ts"
import type { End } from "../model/ids.ts"
import type { PatternPlugin, Site } from "../model/plugin.ts"
import type { TrafficPattern } from "../model/traffic.ts"

/** In a table of destinations: this endpoint does not send. */
export const SILENT = -1

export class Table implements TrafficPattern {
  readonly to: Int32Array
  constructor(to: Int32Array) {
    this.to = to
  }
  dest(from: End): End {
    return this.to[from]
  }
}

/** The table of `rule`; endpoints that it maps to themselves send to themselves only if `self`. */
export function tabulate(ends: number, rule: (from: End) => End, self: boolean): Table {
  const to = new Int32Array(ends)
  for (let e = 0; e < ends; e++) {
    const d = rule(e)
    to[e] = d === e && !self ? SILENT : d
  }
  return new Table(to)
}

export type SelfParams = { self: boolean }
export const selfField = flag({
  about: "Let an endpoint that the rule maps to itself send to itself, as BookSim2 does; false = it does not send",
  default: true,
})
export const selfParams: Schema<SelfParams> = schema({ self: selfField })

/** A pattern that permutes the bits of the endpoint number: serves 2^b endpoints, b a multiple of `step`. */
export function bitPattern(
  words: { name: string; aliases?: readonly string[]; about: string; step: number },
  rule: (from: End, bits: number) => End,
): PatternPlugin<SelfParams> {
  const { step, ...said } = words
  return {
    kind: "pattern",
    permutation: true,
    ...said,
    cites: "Principles and Practices of Interconnection Networks, W. J. Dally and B. Towles, 2004, section 3.2",
    limits: `serves ${step === 1 ? "a power of two" : "an even power of two"} of endpoints`,
    params: selfParams,
    check: (_p, on) => powerOfTwo(words.name, on, step),
    make(p, on) {
      const ends = on.topology.graph.ends
      return tabulate(ends, (e) => rule(e, bitsFor(ends)), p.self)
    },
  }
}

/** Complains unless the network has 2^b endpoints with b a multiple of `step`; suggests the nearest such number. */
function powerOfTwo(name: string, on: Site, step: number): Complaint[] {
  const ends = on.topology.graph.ends
  const bits = highest(ends)
  if (ends > 1 && 2 ** bits === ends && bits % step === 0) return []
  const low = 2 ** Math.max(step, step * Math.floor(bits / step))
  const near = ends - low <= low * 2 ** step - ends ? low : low * 2 ** step
  const asks = step === 1 ? "a power of two" : "an even power of two"
  return [
    complain(
      "name",
      `"${name}" serves ${asks} of endpoints; this network has ${ends}`,
      `build it with ${near}, or choose another pattern`,
    ),
  ]
}
