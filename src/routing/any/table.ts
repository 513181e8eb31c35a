// Routing by a table from a file. Each line has one rule, `at to next [vcs]`: packets for router `to` that are at
// router `at` go to the neighbour `next`, on the listed VCs (as 0,1; default: all). Routers are given by number,
// several rules for one pair are alternatives, and `#` starts a comment. At the destination router packets are ejected
// on any VC.
//
// The check follows the rules from every router with endpoints to every other one, and reports pairs without a rule and
// loops. Limits: freedom from deadlock depends on the file; the proof of the experiment decides it.
import { type Complaint, complain } from "../../core/complaint.ts"
import { schema, text } from "../../core/schema.ts"
import type { Graph } from "../../model/graph.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin, Site } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Topology } from "../../model/topology.ts"
import { allVcs } from "../vcs.ts"
import { checkRouters, Homes, partsOf, terminals } from "./distances.ts"
import { Spread, type SpreadRule, spreadField } from "./spread.ts"

type Params = { file: string; spread: SpreadRule }
type Rule = { readonly at: Router; readonly to: Router; readonly port: Port; readonly mask: number }

/** Maximum number of words of a rule. */
const WORDS = 4

export class Table implements RoutingFunction {
  private readonly graph: Graph
  private readonly spread: Spread
  private readonly all: number
  /** [at * routers + to] -> index of its first rule; rules are sorted by this index */
  private readonly first: Int32Array
  private readonly port: Int32Array
  private readonly mask: Int32Array
  /** [port] -> VC mask of the rules of the current decision */
  private readonly maskOf: Int32Array
  private readonly homes: Homes

  constructor(graph: Graph, vcs: number, rules: readonly Rule[], rule: SpreadRule) {
    const { routers } = graph
    this.graph = graph
    this.homes = new Homes(graph)
    this.spread = new Spread(graph, rule)
    this.all = allVcs(vcs)
    const sorted = [...rules].sort((a, b) => a.at - b.at || a.to - b.to)
    this.first = new Int32Array(routers * routers + 1)
    for (const r of sorted) this.first[r.at * routers + r.to + 1]++
    for (let i = 0; i < routers * routers; i++) this.first[i + 1] += this.first[i]
    this.port = Int32Array.from(sorted, (r) => r.port)
    this.mask = Int32Array.from(sorted, (r) => r.mask)
    this.maskOf = new Int32Array(sorted.reduce((most, r) => Math.max(most, r.port + 1), 1))
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { graph, spread, first, port, mask, maskOf } = this
    const home = this.homes.of(net.dst(p), at)
    const goal = graph.routerOf[home]
    if (goal === at) {
      out.add(home - graph.firstChan[at], this.all, 0)
      return
    }
    const i = at * graph.routers + goal
    spread.clear()
    for (let j = first[i]; j < first[i + 1]; j++) {
      spread.add(port[j])
      maskOf[port[j]] = mask[j]
    }
    const chosen = spread.pick(p, at, net)
    out.add(chosen, maskOf[chosen], 0)
  }
}

/** Returns the rules of a file, and an error for each line that cannot be read. */
function readTable(source: string, graph: Graph, vcs: number): { rules: Rule[]; bad: Complaint[] } {
  const { routers, firstChan, far, routerOf } = graph
  const rules: Rule[] = []
  const bad: Complaint[] = []
  source.split(/\r?\n/).forEach((line, i) => {
    const words = line.replace(/#.*/, "").trim().split(/\s+/)
    if (words[0] === "") return
    const where = `file line ${i + 1}`
    const [at, to, next] = [Number(words[0]), Number(words[1]), Number(words[2])]
    const isRouter = (r: number) => Number.isInteger(r) && r >= 0 && r < routers
    if (words.length < 3 || words.length > WORDS || !isRouter(at) || !isRouter(to) || !isRouter(next)) {
      bad.push(
        complain(where, `"${line.trim()}" is not a rule`, `write AT TO NEXT [VCS] with routers 0..${routers - 1}`),
      )
      return
    }
    const listed = words.length === WORDS ? words[3].split(",").map(Number) : undefined
    if (listed?.some((v) => !Number.isInteger(v) || v < 0 || v >= vcs)) {
      bad.push(complain(where, `"${words[3]}" names a VC that does not exist`, `use VCs 0..${vcs - 1}`))
      return
    }
    const mask = listed === undefined ? allVcs(vcs) : listed.reduce((m, v) => m | (1 << v), 0)
    let linked = false
    for (let c = firstChan[at]; c < firstChan[at + 1]; c++) {
      if (far[c] < 0 || routerOf[far[c]] !== next) continue
      linked = true
      rules.push({ at, to, port: c - firstChan[at], mask })
    }
    if (!linked) bad.push(complain(where, `router ${at} has no link to router ${next}`, "name a neighbour"))
  })
  return { rules, bad }
}

/** Returns an error unless every packet arrives whatever rules are chosen: no pair without a rule, no loop. */
function unled(graph: Graph, rules: readonly Rule[]): Complaint[] {
  const { routers, far, routerOf, firstChan } = graph
  const next = new Map<number, Router[]>()
  for (const r of rules) {
    const list = next.get(r.to * routers + r.at) ?? []
    next.set(r.to * routers + r.at, list)
    list.push(routerOf[far[firstChan[r.at] + r.port]])
  }
  const { from, to } = terminals(graph)
  const part = partsOf(graph)
  for (const goal of to) {
    const led = new Uint8Array(routers)
    led[goal] = HOME
    for (const at of from) {
      // from one plane of the network into another no packet can go
      if (graph.rails > 1 && part[at] !== part[goal]) continue
      const bad = walked(at, goal, led, (r) => next.get(goal * routers + r))
      if (bad !== undefined) return [bad]
    }
  }
  return []
}

/** State of a router while the paths to one goal are followed (0 = not seen): on the current path, or known to
 *  arrive. */
const OPEN = 1
const HOME = 2

/** Follows all rules from `start` by depth-first search. It uses an explicit stack, because a file may lead through
 *  thousands of routers. Returns the first error. */
function walked(
  start: Router,
  goal: Router,
  led: Uint8Array,
  ways: (at: Router) => readonly Router[] | undefined,
): Complaint | undefined {
  const trail = [{ at: start, i: 0 }]
  if (led[start] === HOME) return undefined
  led[start] = OPEN
  for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
    const list = ways(top.at)
    if (list === undefined)
      return complain("file", `router ${top.at} has no rule for router ${goal}`, `add a line: ${top.at} ${goal} NEXT`)
    const way = list[top.i++]
    if (way === undefined) {
      led[top.at] = HOME
      trail.pop()
    } else if (led[way] === OPEN)
      return complain("file", `packets for router ${goal} loop through router ${way}`, "remove the loop")
    else if (led[way] !== HOME) {
      led[way] = OPEN
      trail.push({ at: way, i: 0 })
    }
  }
  return undefined
}

function source(p: Params, on: Site): string | undefined {
  try {
    return on.read?.(p.file)
  } catch {
    return undefined
  }
}

export default {
  kind: "routing",
  name: "any.table",
  about: "Next hops and VCs are read from a file.",
  limits: "the file decides whether the routing is free of deadlock; `lacewing check` proves it",
  params: schema({ file: text({ about: "File with one rule on each line: AT TO NEXT [VCS]" }), spread: spreadField }),
  check(p, on): Complaint[] {
    const large = checkRouters(on.topology.graph)
    if (large.length > 0) return large
    const read = source(p, on)
    if (read === undefined)
      return [complain("file", `"${p.file}" cannot be read`, "give a path relative to the experiment")]
    const { rules, bad } = readTable(read, on.topology.graph, on.vcs)
    return bad.length > 0 ? bad : unled(on.topology.graph, rules)
  },
  vcs: () => 1,
  make: (p, on) =>
    new Table(on.topology.graph, on.vcs, readTable(source(p, on) ?? "", on.topology.graph, on.vcs).rules, p.spread),
} satisfies RoutingPlugin<Params, Topology>
