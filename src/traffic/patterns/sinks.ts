// Hot spots with fixed groups of senders: a few endpoints (sinks) to which a few others (sources) send. Sources are
// assigned to sinks in equal parts, in the order of their lists. A source has its own sink and the following ones in
// the list, `each` in total: 1 gives private groups, the number of sinks gives one common group.
import { type Complaint, complain } from "../../core/complaint.ts"
import { int, maybe, schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { PatternPlugin } from "../../model/plugin.ts"
import type { Rng, TrafficPattern } from "../../model/traffic.ts"
import { ends, outside } from "../endpoint-lists.ts"
import { SILENT } from "../permutation.ts"

type Params = { sinks: readonly End[]; sources: readonly End[]; each: number | undefined }

class Sinks implements TrafficPattern {
  private readonly sinks: Int32Array
  private readonly each: number
  /** [endpoint] -> place of its first sink, -1 if it is no source */
  private readonly first: Int32Array
  constructor({ sinks, sources, each }: Params, count: number) {
    this.sinks = Int32Array.from(sinks)
    this.each = each ?? sinks.length
    this.first = new Int32Array(count).fill(-1)
    for (const [i, source] of sources.entries()) this.first[source] = Math.floor((i * sinks.length) / sources.length)
  }
  dest(from: End, rng: Rng): End {
    const first = this.first[from]
    if (first < 0) return SILENT
    const { sinks, each } = this
    return sinks[(first + (each === 1 ? 0 : rng.below(each))) % sinks.length]
  }
}

export default {
  kind: "pattern",
  name: "sinks",
  about: "Hot spots: each packet goes to a random one of its source's hot endpoints; only the listed sources send.",
  params: schema({
    sinks: ends("Hot endpoints, which receive all packets"),
    sources: ends("Endpoints that send, assigned to the sinks in equal parts"),
    each: maybe(
      int({ about: "Number of hot endpoints of each source, its own and the next in the list (default: all)", min: 1 }),
    ),
  }),
  check(p, on): Complaint[] {
    const bad = [...outside(p.sinks, on, "sinks"), ...outside(p.sources, on, "sources")]
    for (const key of ["sinks", "sources"] as const)
      if (new Set(p[key]).size < p[key].length)
        bad.push(complain(key, "names an endpoint twice", "name each endpoint once"))
    const both = p.sources.find((e) => p.sinks.includes(e))
    if (both !== undefined)
      bad.push(complain("sources", `endpoint ${both} is also a sink`, "take it out of one of the lists"))
    if (p.each !== undefined && p.each > p.sinks.length)
      bad.push(
        complain("each", `is ${p.each}, but there are ${p.sinks.length} sinks`, `give at most ${p.sinks.length}`),
      )
    return bad
  },
  make: (p, on) => new Sinks(p, on.topology.graph.ends),
} satisfies PatternPlugin<Params>
