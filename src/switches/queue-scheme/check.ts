// Sense of the parameters against the network, in words.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { Graph } from "../../model/graph.ts"
import { radixOf, schemeOf } from "./model.ts"
import type { QueueSchemeParams } from "./params.ts"
import { schemes } from "./schemes.ts"

/** Inputs and outputs of a crossbar are bits of a word. */
const MOST_PORTS = 32
/** Lanes that a link may have (fabric/transfer.ts). */
const MOST_LANES = 1024

type Key = keyof QueueSchemeParams

export function checkQueueScheme(p: QueueSchemeParams, graph: Graph): Complaint[] {
  const bad: Complaint[] = []
  const radix = radixOf(graph)
  if (radix > MOST_PORTS)
    bad.push(
      complain("", `a router has ${radix} ports, its crossbar at most ${MOST_PORTS}`, "choose a topology of smaller routers, or combined"),
    )
  if (graph.latency.some((x) => x < 1) || graph.entryLatency.some((x) => x < 1))
    bad.push(complain("", "a link without latency", "give every class in network.links at least 1cycle"))
  bad.push(...idleKeys(p))
  const { lanes, laneFlits } = schemeOf(p, graph)
  if (lanes > MOST_LANES)
    bad.push(complain("scheme", `${lanes} queues for each port, at most ${MOST_LANES} are possible`, "choose a smaller network, or dbbm"))
  if (laneFlits < 1) bad.push(complain("memory", `less than a flit for each of ${lanes} queues`, `set it to at least ${lanes}flits`))
  return bad
}

/** Keys that the scheme has no use for. */
function idleKeys(p: QueueSchemeParams): Complaint[] {
  const names = Object.keys(schemes) as (keyof typeof schemes)[]
  const own: readonly Key[] = schemes[p.scheme].keys
  const special = new Set<Key>(names.flatMap((n) => schemes[n].keys))
  return [...special]
    .filter((key) => p[key] !== undefined && !own.includes(key))
    .map((key) => {
      const users = names.filter((n) => (schemes[n].keys as readonly Key[]).includes(key))
      return complain(key, `scheme ${p.scheme} has no use for it`, `leave it out, or set scheme to ${users.join(" or ")}`)
    })
}
