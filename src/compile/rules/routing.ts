// Rules about the routing on its topology, with the VCs that it got.
import { broken, complain, type Rule } from "../../core/complaint.ts"
import type { RoutingLook } from "../../fabric/switch-model.ts"
import type { RoutedLook } from "./looks.ts"
import { vcsOf } from "./vcs.ts"

/**
 * Packets on shortest paths in a class with another size than data use all of its VCs; the routing must be free of
 * deadlock with that number.
 */
const directClasses: Rule<RoutedLook> = {
  reads: ["network.routing.name", "network.congestion.name"],
  test({ congestion, boundRouting: { name: routing, direct, vcs: declared }, vcsPerClass, name }) {
    if ((direct ?? declared) <= 1) return []
    const short = (congestion.classes ?? []).filter((c) => c.direct && c.vcs !== vcsPerClass)
    if (short.length === 0) return []
    const says = `"${name}" has ${vcsOf(short)}, with which the minimal paths of "${routing}" may deadlock`
    return [
      complain(
        "network.routing.name",
        says,
        "choose a routing whose minimal paths need one VC, as on hyperx, mesh or tree",
      ),
    ]
  },
}

/** The rules of the switch about the routing. */
const ofTheSwitch: Rule<RoutedLook> = {
  reads: ["network.switch.*", "network.routing.name"],
  test({ switch: sw, ...routed }) {
    return sw.moves === "packets" ? broken(sw.rules?.routing ?? [], routingLook(routed)) : []
  },
}

function routingLook({
  topology,
  routing,
  boundRouting: { name, candidates, adaptive },
}: Pick<RoutedLook, "topology" | "routing" | "boundRouting">): RoutingLook {
  return { topology, routing, name, candidates, adaptive }
}

export const routingRules: readonly Rule<RoutedLook>[] = [directClasses, ofTheSwitch]
