// Builds the topology of a network and sets the latencies of its links.
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { Draws } from "../core/rng.ts"
import { quantity, type Scale } from "../core/units.ts"
import type { BoundTopology } from "../experiment/bind.ts"
import { bytesFor, tooLarge } from "../experiment/topology-size.ts"
import type { NetworkSpec } from "../model/experiment.ts"
import { setLatencies } from "../model/graph.ts"
import type { Host } from "../model/host.ts"
import type { Topology } from "../model/topology.ts"
import { applyLayout } from "./floor/cables.ts"

/** Memory limit of a network in bytes, if the host does not know the memory size. */
export const usualBytes = 8 * 2 ** 30

/**
 * Returns the cycle time and the flit size. After a complaint it continues with defaults, so that later checks can run.
 */
export function scaleOf(spec: NetworkSpec, bad: Complaint[]): Scale {
  const cycle = quantity(spec.cycle, "time")
  const flit = quantity(spec.flit, "bytes")
  if (typeof cycle === "string" || cycle <= 0)
    bad.push(
      complain("network.cycle", typeof cycle === "string" ? cycle : "must be above 0", "write a duration such as 1ns"),
    )
  if (typeof flit === "string" || flit <= 0)
    bad.push(complain("network.flit", typeof flit === "string" ? flit : "must be above 0", "write a size such as 8B"))
  return {
    cycle: typeof cycle === "number" && cycle > 0 ? cycle : 1000,
    flit: typeof flit === "number" && flit > 0 ? flit : 8,
  }
}

/**
 * Builds the topology and sets its link latencies. Explicit latencies (network.links) have precedence over the floor
 * layout.
 */
export function buildTopology(
  plugin: BoundTopology,
  seed: number,
  host: Host,
  spec: NetworkSpec,
  scale: Scale,
): Checked<Topology> {
  const site = { rng: new Draws(seed ^ 0x746f), read: host.read }
  // The size is checked first, because even building a far too large topology may exhaust the memory.
  const size = plugin.size()
  const large = tooLarge(size, bytesFor(size), host.memory ?? usualBytes, "network.topology", "")
  if (large.length > 0) return { bad: large }
  const bad = plugin.check(site)
  if (bad.length > 0) return { bad }
  const topology = plugin.make(site)
  const linked = applyLinks(topology, spec.links, scale)
  if ("bad" in linked || spec.layout === undefined) return linked
  return applyLayout(topology, spec.layout, scale, new Set(Object.keys(spec.links)))
}

/** Applies latencies by link class, as the file gives them. */
function applyLinks(topology: Topology, links: Readonly<Record<string, string>>, scale: Scale): Checked<Topology> {
  const given = Object.entries(links)
  if (given.length === 0) return { ok: topology }
  const bad: Complaint[] = []
  const byClass = new Map<string, number>()
  for (const [name, raw] of given) {
    const v = quantity(raw, "cycles", scale)
    if (!topology.graph.classes.includes(name))
      bad.push(
        complain(
          `network.links.${name}`,
          `${topology.name} has no links of class "${name}"`,
          `choose one of its classes: ${topology.graph.classes.join(", ")}`,
        ),
      )
    else if (typeof v === "string") bad.push(complain(`network.links.${name}`, v, "write a duration such as 10cycles"))
    else if (v < 0 || v > 60000) bad.push(complain(`network.links.${name}`, `${v} cycles`, "choose 0 to 60000 cycles"))
    else byClass.set(name, Math.round(v))
  }
  if (bad.length > 0) return { bad }
  setLatencies(topology.graph, byClass)
  return { ok: topology }
}
