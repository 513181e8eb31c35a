// Checks of the parameters that switches made of parts have in common, against the network: buffer shares, clocks,
// ports and tables of virtual lanes. The plug-ins call them before a run and report the errors to the user.
import { type Complaint, complain, type Rule } from "../../core/complaint.ts"
import type { TrafficLook } from "../../fabric/switch-model.ts"
import { longestPacket, noBubbles, onePriority, twoPacketReserve } from "../../fabric/switch-rules.ts"
import type { Graph } from "../../model/graph.ts"
import type { VcPlan } from "../../model/vc-plan.ts"
import { clockOf } from "./clock.ts"

/** Inputs and outputs of a crossbar are bits of two words. One input is reserved for packets that a router creates. */
const MOST_PORTS = 63

/** Returns the number of ports of the largest router. */
export function radixOf(graph: Graph): number {
  let radix = 1
  for (let r = 0; r < graph.routers; r++) radix = Math.max(radix, graph.firstChan[r + 1] - graph.firstChan[r])
  return radix
}

/** VLs that share a buffer: the flits reserved for each VL, and the maximum that one VL may hold. */
export interface VlShares {
  readonly vcs: number
  readonly reservedPerVl: number
  readonly maxPerVl?: number | undefined
}

/** Returns the maximum that one VL may hold of a buffer of `flits` flits. */
export function mostOf({ vcs, reservedPerVl, maxPerVl }: VlShares, flits: number): number {
  return maxPerVl ?? flits - (vcs - 1) * reservedPerVl
}

/** Checks the shares against each buffer, given as [key, flits]. */
export function checkShares(p: VlShares, buffers: readonly (readonly [string, number])[]): Complaint[] {
  const bad: Complaint[] = []
  const kept = p.vcs * p.reservedPerVl
  for (const [key, flits] of buffers) {
    const reach = flits - (p.vcs - 1) * p.reservedPerVl
    if (kept > flits)
      bad.push(
        complain(
          "reservedPerVl",
          `${p.vcs} VLs reserve ${kept} flits, but the ${key} buffer has ${flits}`,
          `set it to at most ${Math.floor(flits / p.vcs)}flits`,
        ),
      )
    else if (p.maxPerVl !== undefined && p.maxPerVl > reach)
      bad.push(
        complain(
          "maxPerVl",
          `a VL can use at most ${reach} flits of the ${key} buffer`,
          `set it to at most ${reach}flits, or leave it out`,
        ),
      )
  }
  if (p.maxPerVl !== undefined && p.maxPerVl < p.reservedPerVl)
    bad.push(
      complain(
        "maxPerVl",
        `${p.maxPerVl} flits are less than the flits reserved for a VL`,
        `set it to at least ${p.reservedPerVl}flits`,
      ),
    )
  return bad
}

/** Checks `body`: the cycles before a flit that is not a head may cross. */
export function checkBody(p: { readonly route: number; readonly body?: number | undefined }): Complaint[] {
  if (p.body === undefined || p.body <= p.route) return []
  return [
    complain(
      "body",
      `is ${p.body} cycles, more than the ${p.route} of heads, which are also routed`,
      `set it to at most ${p.route}cycles`,
    ),
  ]
}

export function checkParts(
  p: { readonly speed: number; readonly start: "head" | "interleaved" | "dry" | "stored" },
  graph: Graph,
): Complaint[] {
  const bad: Complaint[] = []
  const radix = radixOf(graph)
  if (radix > MOST_PORTS)
    bad.push(
      complain(
        "",
        `a router has ${radix} ports, but its crossbar has at most ${MOST_PORTS}`,
        "choose a topology of smaller routers, or tiled",
      ),
    )
  if (graph.latency.some((x) => x < 1) || graph.entryLatency.some((x) => x < 1))
    bad.push(complain("", "a link has no latency", "give every class in network.links at least 1cycle"))
  if (clockOf(p.speed) === undefined)
    bad.push(complain("speed", `${p.speed} is not a ratio of small whole numbers`, "choose a speed such as 2 or 1.5"))
  if (p.speed === 1 && p.start === "dry")
    bad.push(complain("start", "a crossbar as fast as the links never runs dry", "leave it out, or set speed above 1"))
  return bad
}

/** Checks a table of the VLs of data classes against the VC plan. */
export function unfitVls(key: string, vls: readonly number[], plan: VcPlan): Complaint[] {
  const { count } = plan.classes[0]
  if (plan.classes.length > plan.data)
    return [
      complain(key, "a congestion management has separate VLs", "leave it out, or set network.congestion to none"),
    ]
  if (count > 1)
    return [
      complain(
        key,
        `each level has ${count} VLs, because its routing may need them`,
        `leave it out, or set vcs to ${plan.data}`,
      ),
    ]
  const far = vls.findIndex((v) => v >= plan.vcs)
  if (far < 0) return []
  return [
    complain(
      key,
      `VL ${vls[far]} of level ${far} does not exist: there are ${plan.vcs}`,
      `choose one from 0 to ${plan.vcs - 1}`,
    ),
  ]
}

/**
 * Returns the rules of switches with service levels. `keys` limit the length of packets; `changes`: the key that lets
 * packets change their VL at each port, if it is set.
 */
export function serviceLevelRules(
  { reservedPerVl }: { readonly reservedPerVl: number },
  maxPacket: number,
  keys: readonly string[],
  changes: string | undefined,
): readonly Rule<TrafficLook>[] {
  return [
    longestPacket(maxPacket, keys),
    changes === undefined ? twoPacketReserve(reservedPerVl, "reservedPerVl") : noBubbles(changes),
    onePriority("name", 'leave priorities to network.qos ("strict" goes by class)'),
  ]
}
