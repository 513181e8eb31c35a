// The classes of VCs of a run: those of its streams, then those of its congestion protocol.
import { type Complaint, complain } from "../core/complaint.ts"
import { Draws } from "../core/rng.ts"
import { prefixed } from "../experiment/find.ts"
import type { StreamLook } from "../fabric/transfer.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { RoutingFunction } from "../model/routing.ts"
import type { Stream } from "../model/stream.ts"
import { dataVcs, planVcs, type VcPlan } from "../model/vc-plan.ts"
import type { Network } from "./network.ts"

export function planOf(network: Network, streams: readonly Stream[]): VcPlan {
  const { classes, vcsPerClass, congestion } = network
  const priorities = Array.from({ length: classes }, (_, c) => streams.find((s) => s.vcFirst === c * vcsPerClass)?.priority ?? 0)
  return planVcs(priorities, vcsPerClass, congestion.classes)
}

/** The routing of each class, made for as many VCs as the class has; packets of a direct class of another size use all of its VCs (VcPlan.wholeOf). */
export function routingsOf(
  { routing, routingPlugin, routingParams, topology, vcsPerClass }: Network,
  plan: VcPlan,
  seed: number,
): RoutingFunction[] {
  return plan.classes.map(({ count, direct }) => {
    if (direct || count === vcsPerClass) return routing
    return routingPlugin.make(routingParams as never, { topology, vcs: count, rng: new Draws(seed ^ 0x7075) } as never)
  })
}

/** Switches that move packets tell them apart by their VCs: what shares a class shares its priority. */
export function mixedPriorities(
  streams: readonly Stream[],
  { switch: sw, vcsPerClass }: Pick<Network, "switch" | "vcsPerClass">,
): Complaint[] {
  if (sw.moves === "flits") return []
  return streams.flatMap((s, i) => {
    const other = streams.findIndex((o) => o.vcFirst === s.vcFirst)
    const with_ = streams[other]!
    if (with_.priority === s.priority) return []
    const c = s.vcFirst / vcsPerClass
    const says = `"${s.name}" has priority ${s.priority}, "${with_.name}" of the same class ${c} has ${with_.priority}: this switch has one for each class`
    return [complain(`traffic.${i}.priority`, says, `set it to ${with_.priority}, or give the stream a class of its own`)]
  })
}

/** Priorities need arbiters that know them. */
export function unknownPriorities(streams: readonly Stream[], network: Network): Complaint[] {
  const { switch: sw } = network
  if (sw.moves === "flits" || sw.oneLevel === undefined) return []
  const { levels } = planOf(network, streams)
  const { key, fix } = sw.oneLevel
  return levels.length === 1
    ? []
    : [
        complain(
          `network.switch.${key}`,
          `knows one priority, the traffic has ${levels.length}`,
          `${fix}, or give all classes one priority`,
        ),
      ]
}

/** What a switch that moves packets says to its classes. */
export function unfitClasses(streams: readonly Stream[], network: Network): Complaint[] {
  const { switch: sw, endpoint } = network
  if (sw.moves === "flits") return []
  return [
    ...prefixed("network.switch", sw.unfit?.(planOf(network, streams), endpoint.ack > 0) ?? []),
    ...(sw.unfitStreams?.(
      streams.map((s, i) => lookAt(s, i, network.vcsPerClass)),
      network.topology.graph.ends,
    ) ?? []),
  ]
}

function lookAt({ senders, pattern, script, vcFirst }: Stream, i: number, vcsPerClass: number): StreamLook {
  const draws = new Draws(i)
  return {
    path: `traffic.${i}`,
    level: vcFirst / vcsPerClass,
    sends: (e) => senders === undefined || senders[e] === 1,
    dest: (e, n) => {
      if (script === undefined) return pattern.dest(e, draws.at(e, n))
      const at = script.first[e]! + n
      return at < script.first[e + 1]! ? script.to[at]! : -1
    },
  }
}

/** VCs and packets that a congestion protocol asks for, against those of the switch. `needs`: VCs of data; `each`: VCs that
 *  the routing needs in a class whose packets may take detours. */
export function crowded(sw: Network["switch"], congestion: CongestionModel, name: string, needs: number, each: number): Complaint[] {
  const own = sw.vcs - dataVcs(sw.vcs, congestion.classes)
  const bad: Complaint[] = []
  if (own > 0 && sw.vcs < own + needs)
    bad.push(
      complain(
        "network.switch.vcs",
        `"${name}" takes ${own} VCs for its own packets and data needs ${needs}, the switch has ${sw.vcs}`,
        `set it to at least ${own + needs}`,
      ),
    )
  for (const c of congestion.classes ?? [])
    if (!c.direct && c.vcs < each)
      bad.push(
        complain(
          "network.congestion",
          `class "${c.name}" of "${name}" has ${c.vcs} VCs, the routing needs ${each}`,
          `give it at least ${each} VCs`,
        ),
      )
  if (sw.moves === "packets" && (congestion.dropping ?? congestion.telemetry) !== undefined && sw.noDrops !== undefined)
    bad.push(
      complain(
        `network.switch.${sw.noDrops.key}`,
        `"${name}" needs ${congestion.dropping === undefined ? "a queue for each output" : "a switch that drops packets"}`,
        sw.noDrops.fix,
      ),
    )
  const longest = congestion.controlFlits ?? 0
  if (sw.moves === "packets" && longest > sw.maxPacket)
    bad.push(
      complain(
        "network.switch.packet",
        `packets of "${name}" have ${longest} flits, the longest may have ${sw.maxPacket}`,
        `set it to at least ${longest}flits`,
      ),
    )
  return bad
}

/** Packets on the shortest way in a class of another size than data's use all of its VCs: the routing must be free of deadlock with so many. */
export function wayward(
  {
    congestion,
    routingPlugin: plugin,
    routingParams,
    topology,
    vcsPerClass,
  }: Pick<Network, "congestion" | "routingPlugin" | "routingParams" | "topology" | "vcsPerClass">,
  name: string,
): Complaint[] {
  const needs = plugin.direct ?? plugin.vcs(routingParams as never, topology as never)
  return (congestion.classes ?? []).flatMap((c) => {
    if (!c.direct || c.vcs === vcsPerClass || needs <= 1) return []
    return [
      complain(
        "network.routing.name",
        `"${name}" has ${c.vcs} VCs for its "${c.name}" packets, with which the shortest ways of "${plugin.name}" may deadlock`,
        "choose a routing whose shortest ways need one VC, as on hyperx, mesh or tree",
      ),
    ]
  })
}
