// Traffic against the scheduler of the links: every class that sends must be served, and served in visits that suffice for its largest packet.
import { type Complaint, complain } from "../core/complaint.ts"
import { prefixed } from "../experiment/find.ts"
import type { Stream } from "../model/stream.ts"
import type { Network } from "./network.ts"

export function unserved(streams: readonly Stream[], { qos, asks, vcsPerClass, classes, scale, switch: sw }: Network): Complaint[] {
  if (asks.asking.qos === undefined || sw.moves === "flits") return []
  const classOf = (s: Stream) => s.vcFirst / vcsPerClass
  const { serves } = qos
  const bad = streams.flatMap((s, i) => {
    if (serves === undefined || ((serves >> classOf(s)) & 1) !== 0) return []
    const says = `class ${classOf(s)} has no entry in "${asks.asking.qos!.plugin.name}": it would wait for ever`
    return [complain(`traffic.${i}.class`, says, `give it one in network.qos, or send in class ${served(serves)}`)]
  })
  const largest = new Array<number>(classes).fill(0)
  for (const s of streams) largest[classOf(s)] = Math.max(largest[classOf(s)]!, s.packet.max * scale.flit)
  return [...bad, ...prefixed("network.qos", qos.check?.(largest) ?? [])]
}

function served(mask: number): string {
  return Array.from({ length: 31 }, (_, c) => c)
    .filter((c) => ((mask >> c) & 1) !== 0)
    .join(" or ")
}
