// Rules about the number of VCs, before the routing is built: those that a congestion protocol needs for its packets,
// and those that the routing needs for data.
import { complain, type Rule } from "../../core/complaint.ts"
import { counted } from "../../core/wording.ts"
import { type ClassRequest, dataVcs } from "../../model/vc-plan.ts"
import type { RoutingVcsLook, VcsLook } from "./looks.ts"
import { returnPaths } from "./return-paths.ts"

/** VCs of the protocol's own classes come off those of the switch. */
const ownVcs: Rule<VcsLook> = {
  reads: ["network.congestion.name", "network.routing.name", "network.switch.vcs"],
  test({ switch: { vcs }, congestion, name, classes, needs }) {
    const own = vcs - dataVcs(vcs, congestion.classes)
    const data = classes * needs
    if (own === 0 || vcs >= own + data) return []
    const says = `"${name}" needs ${counted(own, "VC")} for its packets and data needs ${data}, but the switch has ${vcs}`
    return [complain("network.switch.vcs", says, `set it to at least ${own + data}`)]
  },
}

/** Returns the VCs of each class with its name, as in `1 VC for its "control" and "hot" packets`. */
export function vcsOf(classes: readonly ClassRequest[]): string {
  const sizes = [...new Set(classes.map((c) => c.vcs))]
  const each = sizes.map((vcs) => {
    const names = classes.filter((c) => c.vcs === vcs).map((c) => `"${c.name}"`)
    return `${counted(vcs, "VC")} for its ${names.join(" and ")} packets`
  })
  return each.join(" and ")
}

/** Packets of a protocol that may take detours need as many VCs as data. */
const detours: Rule<VcsLook> = {
  reads: ["network.congestion.*", "network.routing.name"],
  test({ congestion, name, needs }) {
    const short = (congestion.classes ?? []).filter((c) => !c.direct && c.vcs < needs)
    if (short.length === 0) return []
    return [
      complain(
        "network.congestion",
        short.length === 1
          ? `class "${short[0].name}" of "${name}" has ${counted(short[0].vcs, "VC")}, but the routing needs ${needs}`
          : `"${name}" has ${vcsOf(short)}, but the routing needs ${needs} for each`,
        short.length === 1 ? `give it at least ${counted(needs, "VC")}` : `give each at least ${counted(needs, "VC")}`,
      ),
    ]
  },
}

const controlLength: Rule<VcsLook> = {
  reads: ["network.congestion.name", "network.switch.packet"],
  test({ switch: sw, congestion: { controlFlits = 0 }, name }) {
    if (sw.moves !== "packets" || controlFlits <= sw.layout.maxPacket) return []
    const says = `packets of "${name}" have ${controlFlits} flits, but the switch accepts at most ${sw.layout.maxPacket}`
    return [complain("network.switch.packet", says, `set it to at least ${controlFlits}flits`)]
  },
}

export const vcRules: readonly Rule<VcsLook>[] = [ownVcs, detours, controlLength, returnPaths]

/** The routing needs a number of VCs in each class of data. */
export const routingVcs: Rule<RoutingVcsLook> = {
  reads: ["network.routing", "network.switch.vcs", "traffic.*.class"],
  test({ bound, classes, vcs, vcsPerClass }) {
    if (vcsPerClass >= bound.vcs) return []
    const each = classes > 1 ? ` for each of the ${classes} classes of traffic` : ""
    return [
      complain(
        "network.routing",
        `"${bound.name}" needs ${counted(bound.vcs, "VC")}${each}, but the switch has ${vcs}`,
        `set network.switch.vcs to at least ${bound.vcs * classes}, or choose another routing`,
      ),
    ]
  },
}
