// Sense of a tiled switch's parameters against the network it is to be built into, in words.
import { type Complaint, complain } from "../../core/complaint.ts"
import { radixOf } from "../../fabric/layout.ts"
import type { Ability } from "../../model/abilities.ts"
import type { Graph } from "../../model/graph.ts"
import type { VcPlan } from "../../model/vc-plan.ts"
import { ACK_VC } from "./classes.ts"
import { checkGeometry } from "./geometry.ts"
import { carriedVcs, clockOf, normalFlits, poolFlits } from "./model.ts"
import type { TiledParams } from "./params.ts"

/** `asked`: what the congestion management asks of the switch. */
export function checkTiled(p: TiledParams, graph: Graph, asked: readonly Ability[] = []): Complaint[] {
  const speculation = asked.includes("copies")
  // smaller routers leave ports empty
  const ports = radixOf(graph)
  const bad = checkGeometry(ports, p.rows, p.columns)
  if (ports > 255) bad.push(complain("", `${ports} ports`, "choose a topology with at most 255 ports for each router"))
  if (graph.latency.some((x) => x < 1) || graph.entryLatency.some((x) => x < 1))
    bad.push(complain("", "a link without latency", "give every class in network.links at least 1cycle"))
  if (clockOf(p.speed) === undefined)
    bad.push(complain("speed", `${p.speed} is no ratio of small whole numbers`, "choose a speed such as 1.3 or 1.25"))
  for (const key of ["rowBuffer", "columnBuffer"] as const) {
    if (p[key] < p.packet) bad.push(complain(key, `${p[key]} flits hold no packet of ${p.packet}`, `set it to at least ${p.packet}flits`))
  }
  for (const key of ["stash", "carries"] as const) {
    for (const name of Object.keys(p[key])) {
      if (!graph.classes.includes(name))
        bad.push(complain(`${key}.${name}`, "no links of this class", `the network's classes: ${graph.classes.join(", ")}`))
    }
  }
  if (p.carries[graph.classes[0]!] !== undefined)
    bad.push(
      complain(
        `carries.${graph.classes[0]}`,
        "links of endpoints carry what endpoints send and take",
        "leave it out; eject says on which VCs packets leave",
      ),
    )
  if (p.vcs < 2) bad.push(complain("vcs", "data and acknowledgements need a VC each at the end ports", "set vcs to at least 2"))
  graph.classes.forEach((name, c) => {
    bad.push(...checkClass(p, graph, name, c))
  })
  if ((p.reliability || p.absorb || speculation) && graph.classes.every((name) => poolFlits(p, name) < p.packet) && p.capacity > 0)
    bad.push(
      complain("stash", "no port has a stash that holds one packet", "give a link class a share, for example { end: 0.875, local: 0.75 }"),
    )
  const errors = Object.values(p.errors).some((x) => x > 0)
  if (errors && !p.reliability) bad.push(complain("errors", "packets would be gone for good: no copies are kept", "set reliability: true"))
  if (errors && p.timeout === 0)
    bad.push(complain("timeout", "nobody answers a packet whose acknowledgement is lost or damaged", "set a timeout, for example 20us"))
  if (p.timeout > 0 && !p.reliability) bad.push(complain("timeout", "there is no copy to send again", "set reliability: true"))
  if (p.reliability && p.capacity === 0)
    bad.push(complain("capacity", "copies need a place, or nothing can enter the network", "set capacity above 0, or reliability: false"))
  if (p.reliability && asked.includes("drops"))
    bad.push(
      complain(
        "reliability",
        "copies would take the answer to a dropped packet for its acknowledgement",
        "set it to false; network.congestion.again: stash keeps copies of speculative packets",
      ),
    )
  if (speculation && p.capacity === 0)
    bad.push(complain("capacity", "copies of speculative packets need a place", "set it above 0, or network.congestion.again: endpoint"))
  const ways = speculation ? "network.congestion.again: endpoint" : "reliability: false"
  if ((p.reliability || speculation) && p.capacity > 0) bad.push(...checkCopies(p, graph, speculation ? "" : "reliability", ways))
  return bad
}

/** Several classes of VCs: each needs those on which its packets enter, and a reserve for them at the ports of endpoints. */
export function checkPlan(p: TiledParams, graph: Graph, plan: VcPlan, acknowledged: boolean): Complaint[] {
  if (plan.plain) return []
  const each = plan.classes[0]!.count
  const least = plan.classes.reduce((n, c, i) => n + (i < plan.data ? ACK_VC + 1 : c.count), 0)
  if (acknowledged && each <= ACK_VC)
    return [
      complain(
        "vcs",
        `data and acknowledgements need a VC each at the end ports, each of the ${plan.data} classes of traffic has ${each}`,
        `set it to at least ${least}, or network.endpoint.ack to 0flits`,
      ),
    ]
  return [...checkReserve(p, graph.classes[0]!, true, plan), ...uncarriedClasses(p, graph, plan)]
}

/** Packets of a protocol may take any link on any VC of their class. */
function uncarriedClasses(p: TiledParams, graph: Graph, plan: VcPlan): Complaint[] {
  return graph.classes.flatMap((name, c) => {
    const carried = carriedVcs(p, name, c === 0, true)
    return plan.classes.slice(plan.data).flatMap(({ name: of, first, count }) => {
      const lacking = Array.from({ length: count }, (_, i) => first + i).filter((v) => c > 0 && ((carried >> v) & 1) === 0)
      if (lacking.length === 0) return []
      const says = `packets of class "${of}" ride on VC ${lacking.join(" and VC ")}, which ${name} links do not carry`
      return [complain(`carries.${name}`, says, `add ${lacking.join(", ")} to it, or leave ${name} out: then they carry all`)]
    })
  })
}

/** A copy lies in the switch where its packet enters the network, and is deleted there by the answer. */
function checkCopies(p: TiledParams, graph: Graph, path: string, without: string): Complaint[] {
  const { routerOf, firstChan, linkClass, classes } = graph
  const hasPool = (r: number): boolean => {
    for (let chan = firstChan[r]!; chan < firstChan[r + 1]!; chan++) {
      const name = classes[linkClass[chan]!]
      if (name !== undefined && poolFlits(p, name) >= p.packet) return true
    }
    return false
  }
  for (let i = 0; i < graph.entry.length; i++) {
    const [enters, leaves] = [routerOf[graph.entry[i]!]!, routerOf[graph.home[i]!]!]
    if (enters !== leaves)
      return [
        complain(
          path,
          `packets of endpoint ${i} enter at router ${enters}, answers to it leave at router ${leaves}: the copies would never be deleted`,
          `choose a topology whose endpoints send and receive at one router, or set ${without}`,
        ),
      ]
    if (!hasPool(enters))
      return [
        complain(
          "stash",
          `router ${enters}, where packets enter, has no port with a stash: copies have no place`,
          "give the class end a share",
        ),
      ]
  }
  return []
}

function checkReserve(p: TiledParams, name: string, isEnd: boolean, plan?: VcPlan): Complaint[] {
  const flits = normalFlits(p, name)
  let n = 0
  for (let m = carriedVcs(p, name, isEnd, false, plan); m !== 0; m &= m - 1) n++
  if (n * p.reserve <= flits) return []
  const fewer = isEnd ? "" : ", or say in carries which VCs these links carry"
  return [
    complain(
      "reserve",
      `${n} VCs x ${p.reserve} flits is more than the ${flits} of a port of class ${name}`,
      `set reserve to at most ${Math.floor(flits / n)}flits${fewer}`,
    ),
  ]
}

function checkClass(p: TiledParams, graph: Graph, name: string, c: number): Complaint[] {
  const bad: Complaint[] = []
  const flits = normalFlits(p, name)
  const path = (p.stash[name] ?? 0) > 0 ? `stash.${name}` : "buffer"
  const way = path === "buffer" ? "enlarge the buffer" : `lower the share, or enlarge the buffer of ${p.buffer} flits`
  let latency = 0
  for (let chan = 0; chan < graph.chans; chan++) if (graph.linkClass[chan] === c) latency = Math.max(latency, graph.latency[chan]!)
  if (flits < p.packet) bad.push(complain(path, `leaves ${flits} flits to links of class ${name}, a packet has ${p.packet}`, way))
  else if (flits < 2 * latency && (p.stash[name] ?? 0) > 0)
    bad.push(complain(path, `leaves ${flits} flits to links of class ${name}, whose round trip holds ${2 * latency}`, way))
  bad.push(...checkReserve(p, name, c === 0))
  const pool = poolFlits(p, name)
  if (pool > 0 && pool < p.packet)
    bad.push(
      complain(
        `stash.${name}`,
        `gives a pool of ${pool} flits, a packet has ${p.packet}`,
        "raise the share or the capacity, or set it to 0",
      ),
    )
  return bad
}
