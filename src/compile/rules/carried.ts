// Checks the VCs that a routing uses against those that the switch's links carry: a packet on a VC that its link does
// not carry would have no queue.
import { complain, type Rule } from "../../core/complaint.ts"
import { type UsedVcs, usedVcs } from "../../proof/used.ts"
import { subjectOf } from "../subject.ts"
import type { CarriedLook } from "./looks.ts"

/** Maximum number of routing decisions to explore; the switch itself stops on VCs that were not found. */
const BUDGET = 30_000

/** Cached results: networks of one experiment often differ only in load and seed. */
const known = new Map<string, UsedVcs>()
const MOST_KNOWN = 64

export const carried: Rule<CarriedLook> = {
  reads: ["network.switch.carries.*", "network.routing.name", "network.topology"],
  test({ classes, key, ...network }) {
    const { topology, vcsPerClass: each, boundRouting, switch: sw } = network
    const entry = sw.moves === "packets" ? sw.entry : undefined
    if (entry?.carried === undefined) return []
    const { graph } = topology
    const all = 2 ** (classes * each) - 1
    // Class 0 are the links of endpoints, which carry every VC.
    const masks = graph.classes.map((_, c) => (c === 0 ? all : (entry.carried?.(c) ?? all) & all))
    if (masks.every((mask) => mask === all)) return []
    const used = known.get(key) ?? usedVcs(subjectOf(network), "lowest", BUDGET)
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(key, used)
    return masks.flatMap((mask, c) => {
      if (mask === all) return []
      let sent = 0
      for (let k = 0; k < classes; k++) sent |= used.masks[c] << (k * each)
      const beyond = list(sent & ~mask)
      if (beyond.length === 0) return []
      const links = graph.classes[c]
      return [
        complain(
          `network.switch.carries.${links}`,
          `"${boundRouting.name}" sends packets on VC ${beyond.join(" and VC ")} of ${links} links, ` +
            `which carry ${list(mask).join(", ") || "none"}`,
          `write ${links}: [${list(sent | mask).join(", ")}], or leave ${links} out: then they carry all`,
        ),
      ]
    })
  },
}

function list(mask: number): number[] {
  return Array.from({ length: 32 }, (_, v) => v).filter((v) => ((mask >> v) & 1) !== 0)
}
