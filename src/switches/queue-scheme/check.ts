// Checks of the parameters of the queue-scheme switch against the network and the traffic. The plug-in calls them
// before a run.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { Graph } from "../../model/graph.ts"
import { MEMORY, type QueueSchemeParams } from "./params.ts"
import type { Scheme } from "./scheme.ts"
import { radixOf, schemeOf, schemes } from "./schemes.ts"

/** Inputs and outputs of a crossbar are bits of a word. */
const MOST_PORTS = 32
/** Queues of flows are bits of a word. */
const MOST_FLOW_QUEUES = 32
/** Maximum number of lanes of a link (fabric/transfer.ts). */
const MOST_LANES = 1024

type Key = keyof QueueSchemeParams

export function checkQueueScheme(p: QueueSchemeParams, graph: Graph): Complaint[] {
  const bad: Complaint[] = []
  const radix = radixOf(graph)
  if (radix > MOST_PORTS)
    bad.push(
      complain(
        "",
        `a router has ${radix} ports, but its crossbar has at most ${MOST_PORTS}`,
        "choose a topology of smaller routers, or combined",
      ),
    )
  if (graph.latency.some((x) => x < 1) || graph.entryLatency.some((x) => x < 1))
    bad.push(complain("", "a link has no latency", "give every class in network.links at least 1cycle"))
  bad.push(...idleKeys(p))
  const { lanes, laneFlits, lines, asideFlits, flows } = schemeOf(p, graph)
  if (lanes > MOST_LANES)
    bad.push(
      complain(
        "scheme",
        `a port has ${lanes} queues, but at most ${MOST_LANES} are possible`,
        "choose a smaller network, or dbbm",
      ),
    )
  if (laneFlits < 1)
    bad.push(
      complain("memory", `is less than one flit for each of ${lanes} queues`, `set it to at least ${lanes}flits`),
    )
  const { stop = 8, go = 4, split = "shared", credits = "pool" } = p
  const talks = own(p).includes("go")
  if (talks && go > stop)
    bad.push(complain("go", `${go} packets are more than stop (${stop})`, `set go to at most ${stop}`))
  if (credits === "nfq" && split === "shared")
    bad.push(
      complain(
        "credits",
        "a normal queue that shares the memory has no separate size",
        "set split: static, or credits: pool",
      ),
    )
  if (lines !== undefined && asideFlits! > (p.memory ?? MEMORY))
    bad.push(
      complain("aside", `${asideFlits} flits are more than the memory`, `set it to at most ${p.memory ?? MEMORY}flits`),
    )
  if (flows === true && (p.queues ?? 0) > MOST_FLOW_QUEUES)
    bad.push(
      complain(
        "queues",
        `is ${p.queues} queues, but bfc has at most ${MOST_FLOW_QUEUES} for each port`,
        `set it to at most ${MOST_FLOW_QUEUES}`,
      ),
    )
  if (talks && oneWay(graph))
    bad.push(
      complain(
        "scheme",
        "control messages need the opposite direction of each link, but some links are unidirectional",
        "choose another scheme, or topology",
      ),
    )
  return bad
}

/** Returns whether some channel has no channel in the opposite direction. */
function oneWay(graph: Graph): boolean {
  return graph.far.some((far, c) => far !== graph.near[c])
}

/** Checks the parameters against the traffic, whose shortest packet has `shortest` flits. */
export function checkPackets(p: QueueSchemeParams, { lines, laneFlits }: Scheme, shortest: number): Complaint[] {
  if (lines === undefined) return []
  const bad: Complaint[] = []
  const packets = Math.floor(laneFlits / shortest)
  const { detect = 8 } = p
  if (detect >= packets)
    bad.push(
      complain(
        "detect",
        `${detect} packets and one more do not fit into a memory of ${packets}`,
        `set it to at most ${packets - 1}, or memory higher`,
      ),
    )
  if (lines > packets)
    bad.push(complain("lines", `${lines} lines share a memory of ${packets} packets`, `set it to at most ${packets}`))
  return bad
}

/** Returns the keys that the scheme uses. */
function own(p: QueueSchemeParams): readonly Key[] {
  return schemes[p.scheme].keys
}

/** Reports the keys that the scheme does not use. */
function idleKeys(p: QueueSchemeParams): Complaint[] {
  const names = Object.keys(schemes) as (keyof typeof schemes)[]
  const used = own(p)
  const special = new Set<Key>(names.flatMap((n) => schemes[n].keys))
  return [...special]
    .filter((key) => p[key] !== undefined && !used.includes(key))
    .map((key) => {
      const users = names.filter((n) => (schemes[n].keys as readonly Key[]).includes(key))
      return complain(key, `scheme ${p.scheme} does not use it`, `leave it out, or set scheme to ${users.join(" or ")}`)
    })
}
