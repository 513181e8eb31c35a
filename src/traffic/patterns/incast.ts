// Incast and outcast between random endpoints: several senders to one receiver, one sender to several receivers, or any
// other numbers. The seed draws the receivers, the senders and one partner of each receiver. Streams of one run draw
// the same endpoints if they have the same numbers, so one stream can be the hot traffic and another the traffic next
// to it.
import { type Complaint, complain } from "../../core/complaint.ts"
import { choice, int, maybe, schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { PatternPlugin, PatternSite } from "../../model/plugin.ts"
import type { Rng, TrafficPattern } from "../../model/traffic.ts"
import { ends, outside } from "../endpoint-lists.ts"
import { SILENT } from "../permutation.ts"

const roles = ["hot", "partners", "others"] as const

interface Params {
  readonly senders: number
  readonly receivers: number
  readonly to: readonly End[] | undefined
  readonly role: (typeof roles)[number]
}

interface Drawn {
  readonly receivers: Int32Array
  readonly senders: Int32Array
  readonly partners: Int32Array
  readonly others: Int32Array
}

/**
 * Draws the roles: a shuffle (R. A. Fisher and F. Yates, 1938) of all endpoints but the given receivers, cut in parts.
 */
function drawn({ senders, receivers, to }: Params, { topology, common }: PatternSite): Drawn {
  const given = new Set(to)
  const rest = Int32Array.from({ length: topology.graph.ends }, (_, e) => e).filter((e) => !given.has(e))
  const rng = common.at(0, 0)
  for (let i = rest.length - 1; i > 0; i--) {
    const j = rng.below(i + 1)
    const d = rest[i]
    rest[i] = rest[j]
    rest[j] = d
  }
  const count = to?.length ?? receivers
  const chosen = to === undefined ? count : 0
  const [s, p] = [chosen + senders, chosen + senders + count]
  return {
    receivers: to === undefined ? rest.slice(0, chosen) : Int32Array.from(to),
    senders: rest.slice(chosen, s),
    partners: rest.slice(s, p),
    others: rest.slice(p),
  }
}

class Incast implements TrafficPattern {
  private readonly set: Int32Array
  /** [endpoint] -> SILENT, ANY of the set, or its only destination */
  private readonly to: Int32Array
  /** [endpoint] -> its place in the set, -1 if it is not a member */
  private readonly place: Int32Array

  constructor(p: Params, on: PatternSite) {
    const { receivers, senders, partners, others } = drawn(p, on)
    const count = on.topology.graph.ends
    this.set = p.role === "others" ? others : receivers
    this.to = new Int32Array(count).fill(SILENT)
    this.place = new Int32Array(count).fill(-1)
    if (p.role === "partners") for (const [i, e] of partners.entries()) this.to[e] = receivers[i]
    else for (const e of p.role === "hot" ? senders : others) this.to[e] = ANY
    if (p.role === "others") for (const [i, e] of others.entries()) this.place[e] = i
  }

  dest(from: End, rng: Rng): End {
    const only = this.to[from]
    if (only !== ANY) return only
    const own = this.place[from]
    if (own < 0) return this.set[rng.below(this.set.length)]
    const i = rng.below(this.set.length - 1)
    return this.set[i < own ? i : i + 1]
  }
}

const ANY = -2

export default {
  kind: "pattern",
  name: "incast",
  aliases: ["outcast"],
  about:
    "Random senders to random receivers, drawn from the seed: incast with one receiver, outcast with one sender; or the " +
    "traffic next to it.",
  params: schema({
    senders: int({ about: "Number of endpoints that send to the receivers", min: 1, max: 1e6, default: 1 }),
    receivers: int({ about: "Number of endpoints that receive", min: 1, max: 1e6, default: 1 }),
    to: maybe(ends("Endpoints that receive, instead of random ones")),
    role: choice(roles, {
      about:
        "Traffic of this stream: from the senders to the receivers, from a partner of each receiver to it alone, or " +
        "uniform among the other endpoints",
      default: "hot",
    }),
  }),
  check(p, on): Complaint[] {
    const bad = outside(p.to ?? [], on, "to")
    if (p.to !== undefined && new Set(p.to).size < p.to.length)
      bad.push(complain("to", "names an endpoint twice", "name each endpoint once"))
    if (p.to !== undefined && p.receivers !== 1)
      bad.push(complain("receivers", "is set, but `to` names the receivers", "remove one of the two"))
    const count = p.to?.length ?? p.receivers
    const wanted = p.senders + 2 * count + 2
    const { ends } = on.topology.graph
    if (wanted > ends)
      bad.push(
        complain(
          "senders",
          `${p.senders} senders, ${count} receivers, a partner of each and 2 others are ${wanted} endpoints, but there ` +
            `are ${ends}`,
          "choose smaller numbers, or a larger network",
        ),
      )
    return bad
  },
  make: (p, on) => new Incast(p, on),
} satisfies PatternPlugin<Params>
