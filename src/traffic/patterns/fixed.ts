// The pattern `fixed`: explicit destinations from the experiment file, as a list or as pairs.
import { type Complaint, complain } from "../../core/complaint.ts"
import { int, list, maybe, schema } from "../../core/schema.ts"
import type { PatternPlugin } from "../../model/plugin.ts"
import { outside } from "../endpoint-lists.ts"
import { SILENT, Table } from "../permutation.ts"

type Params = { to: readonly number[] | undefined; pairs: readonly (readonly number[])[] | undefined }

export default {
  kind: "pattern",
  name: "fixed",
  about: "Destinations from a list: one for each endpoint, or pairs; endpoints without an entry do not send.",
  params: schema({
    to: maybe(list(int({ min: SILENT }), { about: "Destination of endpoint 0, 1, 2, …; -1 = does not send" })),
    pairs: maybe(list(list(int({ min: 0 }), {}), { about: "Pair [from, to] for each endpoint that sends" })),
  }),
  check(p, on): Complaint[] {
    if ((p.to === undefined) === (p.pairs === undefined))
      return [complain("", "needs either `to` or `pairs`", "give one of them")]
    if (p.to !== undefined) {
      const ends = on.topology.graph.ends
      const bad = outside(p.to, on, "to")
      if (p.to.length > ends)
        bad.push(
          complain("to", `has ${p.to.length} entries; this network has ${ends} endpoints`, `give at most ${ends}`),
        )
      return bad
    }
    const pairs = p.pairs ?? []
    const bad = pairs.flatMap((pair, i) => [
      ...(pair.length === 2 ? [] : [complain(`pairs.${i}`, `has ${pair.length} entries`, "write [from, to]")]),
      ...outside(pair, on, `pairs.${i}`),
    ])
    const seen = new Set<number>()
    pairs.forEach(([from], i) => {
      if (from !== undefined && seen.has(from))
        bad.push(complain(`pairs.${i}`, `endpoint ${from} has a destination already`, "give one pair for each sender"))
      if (from !== undefined) seen.add(from)
    })
    return bad
  },
  make(p, on) {
    const to = new Int32Array(on.topology.graph.ends).fill(SILENT)
    to.set(p.to ?? [])
    for (const [from, d] of p.pairs ?? []) to[from!] = d!
    return new Table(to)
  },
} satisfies PatternPlugin<Params>
