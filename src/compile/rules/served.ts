// Checks traffic against the scheduler of the links: every class that sends must be served, with a quantum that is
// sufficient for its largest packet.
import { complain, type Rule } from "../../core/complaint.ts"
import { prefixed } from "../../experiment/find.ts"
import { portsOf } from "../../fabric/layout.ts"
import type { Stream } from "../../model/stream.ts"
import type { StreamsLook } from "./looks.ts"

/** Every class that sends has an entry in the scheduler, and its quantum serves a whole packet. */
export const scheduled: Rule<StreamsLook> = {
  reads: ["network.qos.*", "network.topology.*", "traffic.*.class", "traffic.*.packet"],
  test({ streams, network: { qos, asks, vcsPerClass, classes, scale, topology, switch: sw } }) {
    if (asks.asking.qos === undefined || sw.moves === "flits") return []
    const classOf = (s: Stream) => s.vcFirst / vcsPerClass
    const { serves } = qos
    const { name } = asks.asking.qos
    const bad = streams.flatMap((s, i) => {
      if (serves === undefined || ((serves >> classOf(s)) & 1) !== 0) return []
      const says = `class ${classOf(s)} has no entry in "${name}": it would wait for ever`
      return [complain(`traffic.${i}.class`, says, `give it one in network.qos, or send in class ${served(serves)}`)]
    })
    const largest = new Array<number>(classes).fill(0)
    for (const s of streams) largest[classOf(s)] = Math.max(largest[classOf(s)], s.packet.max * scale.flit)
    const { graph } = topology
    const unfit = qos.check?.(largest, { routers: graph.routers, ports: (r) => portsOf(graph, r) }) ?? []
    return [...bad, ...prefixed("network.qos", unfit)]
  },
}

function served(mask: number): string {
  return Array.from({ length: 31 }, (_, c) => c)
    .filter((c) => ((mask >> c) & 1) !== 0)
    .join(" or ")
}
