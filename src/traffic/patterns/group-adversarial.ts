// The worst case of minimal routing in a network of groups: all packets of a group use the few channels to one other
// group.
import { type Complaint, complain } from "../../core/complaint.ts"
import { int, maybe, schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { PatternPlugin, Site } from "../../model/plugin.ts"
import type { Rng, TrafficPattern } from "../../model/traffic.ts"

type Params = { offset: number; size: number | undefined }

/** Endpoints by group: group g has member[first[g]] .. member[first[g + 1] - 1]. Groups without endpoints are left out.
 *  */
type Groups = { of: Int32Array; first: Int32Array; member: Int32Array }

/** Returns the groups of consecutive endpoints (`size`) or of the topology; undefined if it has none. */
function groupsOf(p: Params, on: Site): Groups | undefined {
  const { graph, group } = on.topology
  if (p.size === undefined && group === undefined) return undefined
  const label = Array.from({ length: graph.ends }, (_, e) =>
    p.size !== undefined ? Math.floor(e / p.size) : group![graph.routerOf[graph.home[e * graph.rails]]],
  )
  const labels = [...new Set(label)].sort((a, b) => a - b)
  const rank = new Map(labels.map((l, i) => [l, i]))
  const of = Int32Array.from(label, (l) => rank.get(l)!)
  const first = new Int32Array(labels.length + 1)
  for (const g of of) first[g + 1]++
  for (let g = 0; g < labels.length; g++) first[g + 1] += first[g]
  const next = first.slice()
  const member = new Int32Array(graph.ends)
  for (let e = 0; e < graph.ends; e++) member[next[of[e]]++] = e
  return { of, first, member }
}

class GroupAdversarial implements TrafficPattern {
  private readonly groups: Groups
  private readonly count: number
  private readonly offset: number
  constructor(groups: Groups, offset: number) {
    this.groups = groups
    this.count = groups.first.length - 1
    this.offset = offset % this.count
  }
  dest(from: End, rng: Rng): End {
    const { of, first, member } = this.groups
    const g = (of[from] + this.offset) % this.count
    return member[first[g] + rng.below(first[g + 1] - first[g])]
  }
}

export default {
  kind: "pattern",
  name: "group-adversarial",
  aliases: ["bad-dragon", "bad_dragon", "group-shift"],
  about: "Each packet goes to a random endpoint of the next group, or of the group `offset` further.",
  cites: "Technology-Driven, Highly-Scalable Dragonfly Topology, J. Kim, W. J. Dally, S. Scott and D. Abts, 2008",
  params: schema({
    offset: int({ min: 1, default: 1, about: "Distance of the destination group, in groups" }),
    size: maybe(
      int({
        min: 1,
        about: "Number of endpoints in a group, numbered consecutively (default: the groups of the topology)",
      }),
    ),
  }),
  check(p, on): Complaint[] {
    const ends = on.topology.graph.ends
    if (p.size !== undefined && ends % p.size !== 0)
      return [complain("size", `groups of ${p.size} do not divide ${ends} endpoints`, `choose a divisor of ${ends}`)]
    const groups = groupsOf(p, on)
    if (groups === undefined)
      return [
        complain(
          "size",
          `a ${on.topology.name} network has no groups`,
          "give the endpoints of a group as size, or choose another pattern",
        ),
      ]
    const count = groups.first.length - 1
    if (count < 2)
      return [complain(p.size === undefined ? "name" : "size", "there is only one group", "build at least 2 groups")]
    if (p.offset % count === 0)
      return [
        complain("offset", `${p.offset} leads back to the own group (there are ${count})`, `choose 1 to ${count - 1}`),
      ]
    return []
  },
  make(p, on) {
    const groups = groupsOf(p, on)
    if (groups === undefined) throw new Error("group-adversarial was made for a network without groups")
    return new GroupAdversarial(groups, p.offset)
  },
} satisfies PatternPlugin<Params>
