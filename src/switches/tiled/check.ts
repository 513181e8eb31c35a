// Checks of the parameters of a tiled switch against the network. The plug-in calls them before a run, and reports each
// error with the key and a fix.
import { type Complaint, complain } from "../../core/complaint.ts"
import { radixOf } from "../../fabric/layout.ts"
import type { Ability } from "../../model/abilities.ts"
import type { Graph } from "../../model/graph.ts"
import type { VcPlan } from "../../model/vc-plan.ts"
import { ACK_VC } from "./classes.ts"
import { checkGeometry } from "./geometry.ts"
import { carriedVcs, clockOf, normalFlits, poolFlits } from "./model.ts"
import type { TiledParams } from "./params.ts"

/** Checks the parameters. The last argument lists the abilities that the congestion management needs. */
export function checkTiled(p: TiledParams, graph: Graph, asked: readonly Ability[] = []): Complaint[] {
  const speculation = asked.includes("copies")
  // Routers with fewer ports leave some ports of the tiles empty.
  const ports = radixOf(graph)
  const bad = checkGeometry(ports, p.rows, p.columns)
  if (ports > 255)
    bad.push(complain("", `a router has ${ports} ports`, "choose a topology with at most 255 ports for each router"))
  if (graph.latency.some((x) => x < 1) || graph.entryLatency.some((x) => x < 1))
    bad.push(complain("", "a link has no latency", "give every class in network.links at least 1cycle"))
  if (clockOf(p.speed) === undefined)
    bad.push(
      complain("speed", `${p.speed} is not a ratio of small whole numbers`, "choose a speed such as 1.3 or 1.25"),
    )
  for (const key of ["rowBuffer", "columnBuffer"] as const) {
    if (p[key] < p.packet)
      bad.push(
        complain(key, `${p[key]} flits are too few for a packet of ${p.packet}`, `set it to at least ${p.packet}flits`),
      )
  }
  for (const key of ["stash", "carries"] as const) {
    for (const name of Object.keys(p[key])) {
      if (!graph.classes.includes(name))
        bad.push(
          complain(
            `${key}.${name}`,
            "there are no links of this class",
            `choose one of the network's classes: ${graph.classes.join(", ")}`,
          ),
        )
    }
  }
  if (p.carries[graph.classes[0]] !== undefined)
    bad.push(
      complain(
        `carries.${graph.classes[0]}`,
        "links of endpoints carry all VCs on which endpoints send and receive",
        "remove it; `eject` sets the VCs on which packets leave",
      ),
    )
  if (p.vcs < 2)
    bad.push(complain("vcs", "data and acknowledgements need a VC each at the end ports", "set vcs to at least 2"))
  graph.classes.forEach((name, c) => {
    bad.push(...checkClass(p, graph, name, c))
  })
  if (
    (p.reliability || p.absorb || speculation) &&
    graph.classes.every((name) => poolFlits(p, name) < p.packet) &&
    p.capacity > 0
  )
    bad.push(
      complain(
        "stash",
        "no port has a stash that holds one packet",
        "give a link class a share, for example { end: 0.875, local: 0.75 }",
      ),
    )
  const errors = Object.values(p.errors).some((x) => x > 0)
  if (errors && !p.reliability)
    bad.push(complain("errors", "packets would be lost, because no copies are stored", "set reliability: true"))
  if (errors && p.timeout === 0)
    bad.push(
      complain(
        "timeout",
        "a packet whose acknowledgement is lost or damaged would wait for ever",
        "set a timeout, for example 20us",
      ),
    )
  if (p.timeout > 0 && !p.reliability)
    bad.push(complain("timeout", "there is no copy for a retransmission", "set reliability: true"))
  if (p.reliability && p.capacity === 0)
    bad.push(
      complain(
        "capacity",
        "copies need space in a stash, or no packet can enter the network",
        "set capacity above 0, or reliability: false",
      ),
    )
  if (p.reliability && asked.includes("drops"))
    bad.push(
      complain(
        "reliability",
        "the switch would treat the NACK of a dropped packet as its acknowledgement",
        "set it to false; network.congestion.retransmitFrom: stash stores copies of speculative packets",
      ),
    )
  // Protocols that need sensing or telemetry are rejected for that reason.
  else if (p.reliability && asked.includes("protocols") && !asked.some((a) => a === "sensing" || a === "telemetry"))
    bad.push(
      complain(
        "reliability",
        "the switch would treat the control packets of the protocol as acknowledgements",
        "set it to false, or choose ecn-window",
      ),
    )
  if (speculation && p.capacity === 0)
    bad.push(
      complain(
        "capacity",
        "copies of speculative packets need space in a stash",
        "set it above 0, or network.congestion.retransmitFrom: endpoint",
      ),
    )
  const ways = speculation ? "network.congestion.retransmitFrom: endpoint" : "reliability: false"
  if ((p.reliability || speculation) && p.capacity > 0)
    bad.push(...checkCopies(p, graph, speculation ? "" : "reliability", ways))
  return bad
}

/**
 * Checks the VC plan: each class needs the VCs on which its packets enter, and a reserve for them at endpoint ports.
 */
export function checkPlan(p: TiledParams, graph: Graph, plan: VcPlan, acknowledged: boolean): Complaint[] {
  if (plan.plain) return []
  const each = plan.classes[0].count
  const least = plan.classes.reduce((n, c, i) => n + (i < plan.data ? ACK_VC + 1 : c.count), 0)
  if (acknowledged && each <= ACK_VC)
    return [
      complain(
        "vcs",
        "data and acknowledgements need a VC each at the end ports, each of the " +
          `${plan.data} classes of traffic has ${each}`,
        `set it to at least ${least}, or network.endpoint.ack to 0flits`,
      ),
    ]
  return [...checkReserve(p, graph.classes[0], true, plan), ...uncarriedClasses(p, graph, plan)]
}

/** Checks that each link class carries all VCs of protocol packets, because such a packet may take any link. */
function uncarriedClasses(p: TiledParams, graph: Graph, plan: VcPlan): Complaint[] {
  return graph.classes.flatMap((name, c) => {
    const carried = carriedVcs(p, name, c === 0, true)
    return plan.classes.slice(plan.data).flatMap(({ name: of, first, count }) => {
      const stalledSince = Array.from({ length: count }, (_, i) => first + i).filter(
        (v) => c > 0 && ((carried >> v) & 1) === 0,
      )
      if (stalledSince.length === 0) return []
      const says = `packets of class "${of}" ride on VC ${stalledSince.join(" and VC ")}, which ${name} links do not carry`
      return [
        complain(
          `carries.${name}`,
          says,
          `add ${stalledSince.join(", ")} to it, or leave ${name} out: then they carry all`,
        ),
      ]
    })
  })
}

/**
 * Checks the places of copies. A copy is stored in the switch where its packet enters the network, and the
 * acknowledgement must pass the same switch to delete it.
 */
function checkCopies(p: TiledParams, graph: Graph, path: string, without: string): Complaint[] {
  const { routerOf, firstChan, linkClass, classes } = graph
  const hasPool = (r: number): boolean => {
    for (let chan = firstChan[r]; chan < firstChan[r + 1]; chan++) {
      const name = classes[linkClass[chan]]
      if (name !== undefined && poolFlits(p, name) >= p.packet) return true
    }
    return false
  }
  for (let i = 0; i < graph.entry.length; i++) {
    const [enters, leaves] = [routerOf[graph.entry[i]], routerOf[graph.home[i]]]
    if (enters !== leaves)
      return [
        complain(
          path,
          `packets of endpoint ${i} enter at router ${enters}, answers to it leave at ` +
            `router ${leaves}: the copies would never be deleted`,
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

/** Checks that the reserves of all VCs fit into the buffer of a port of this link class. */
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

/** Checks the buffer and stash sizes of one link class. */
function checkClass(p: TiledParams, graph: Graph, name: string, c: number): Complaint[] {
  const bad: Complaint[] = []
  const flits = normalFlits(p, name)
  const path = (p.stash[name] ?? 0) > 0 ? `stash.${name}` : "buffer"
  const way = path === "buffer" ? "enlarge the buffer" : `lower the share, or enlarge the buffer of ${p.buffer} flits`
  let latency = 0
  for (let chan = 0; chan < graph.chans; chan++)
    if (graph.linkClass[chan] === c) latency = Math.max(latency, graph.latency[chan])
  if (flits < p.packet)
    bad.push(complain(path, `leaves ${flits} flits to links of class ${name}, a packet has ${p.packet}`, way))
  else if (flits < 2 * latency && (p.stash[name] ?? 0) > 0)
    bad.push(
      complain(path, `leaves ${flits} flits to links of class ${name}, whose round trip holds ${2 * latency}`, way),
    )
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
