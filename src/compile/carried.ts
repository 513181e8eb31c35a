// VCs that a routing sends on, against those that the switch's links carry: a packet on a VC that its link does not carry has no queue to stand in.
import { type Complaint, complain } from "../core/complaint.ts"
import type { FlitSwitchModel } from "../fabric/switch.ts"
import type { TransferSwitchModel } from "../fabric/transfer.ts"
import type { RoutingFunction } from "../model/routing.ts"
import { type UsedVcs, usedVcs } from "../proof/used.ts"
import { type Routed, subjectOf } from "./subject.ts"

/** Decisions that the walk may cost; what it has not seen then is stopped by the switch itself. */
const BUDGET = 30_000

/** Networks of one experiment differ in load and seed: each is walked once. */
const known = new Map<string, UsedVcs>()
const MOST_KNOWN = 64

/** `name`: topology and routing with all their parameters; `classes` of traffic, whose VCs follow each other. */
export function uncarried(
  model: FlitSwitchModel | TransferSwitchModel,
  network: Routed & { readonly classes: number },
  name: string,
): Complaint[] {
  if (!("carried" in model)) return []
  const { graph } = network.topology
  const { classes, vcsPerClass: each } = network
  const all = 2 ** (classes * each) - 1
  const carried = (c: number) => model.carried(c) & all
  // class 0 are the links of endpoints: those take every VC
  const limited = graph.classes.map((_, c) => c).filter((c) => c > 0 && carried(c) !== all)
  if (limited.length === 0) return []
  const used = known.get(name) ?? usedVcs(subjectOf(network), "lowest", BUDGET)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(name, used)
  return limited.flatMap((c) => {
    let sent = 0
    for (let k = 0; k < classes; k++) sent |= used.masks[c]! << (k * each)
    const beyond = list(sent & ~carried(c))
    if (beyond.length === 0) return []
    const links = graph.classes[c]!
    const vcs = `VC ${beyond.join(" and VC ")}`
    return [
      complain(
        `network.switch.carries.${links}`,
        `"${network.routingPlugin.name}" sends packets on ${vcs} of ${links} links, which carry ${list(carried(c)).join(", ") || "none"}`,
        `write ${links}: [${list(sent | carried(c)).join(", ")}], or leave ${links} out: then they carry all`,
      ),
    ]
  })
}

/** A ring that bubbles keep moving needs a buffer that holds two packets. */
export function withoutBubble(model: FlitSwitchModel | TransferSwitchModel, routing: RoutingFunction): Complaint[] {
  if (routing.room === undefined || !("bubble" in model) || model.bubble === undefined) return []
  const { key, flits } = model.bubble
  const least = 2 * model.maxPacket
  if (flits >= least) return []
  const says = `${flits} flits hold less than two packets of ${model.maxPacket}: whoever enters a ring must leave room for one behind`
  return [complain(`network.switch.${key}`, says, `set it to at least ${least}flits`)]
}

function list(mask: number): number[] {
  return Array.from({ length: 32 }, (_, v) => v).filter((v) => ((mask >> v) & 1) !== 0)
}
