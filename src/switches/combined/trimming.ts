// Trimming of data packets: a packet that finds the queue of its output full loses its payload, and its header continues
// to the destination on the VC of control packets, ahead of data. The destination returns the header, and the source
// sends the packet again (congestion/repeats.ts). The queue of an output are the flits for it in all input queues and
// in its output buffer. M. Handley and others, "Re-architecting datacenter networks and stacks for low latency and high
// performance" (NDP), 2017; Ultra Ethernet Specification 1.0.
//
// The record of the packet becomes the header, so nothing can be delivered twice or be lost.
//
// Columns:
//   `heldFor`  [o]  flits in the input queues for output o;
//   `trimmed`  [r]  packets that router r has trimmed.
import { i32 } from "../../fabric/columns.ts"
import { FLAG, recordViews } from "../../fabric/packets.ts"
import type { SwitchContext, SwitchPorts, TransferSite } from "../../fabric/transfer.ts"
import { TRIMMED } from "../../model/protocol.ts"
import { family, type PluginValues } from "../../model/values.ts"
import type { DroppingPart, DroppingStages } from "../parts/dropping.ts"
import type { Ports } from "../parts/ports.ts"

/** `most`: flits of a full queue. */
export function makeTrimming(
  site: TransferSite,
  { plan }: SwitchContext,
  ports: Ports,
  most: number,
): (links: SwitchPorts) => DroppingPart {
  const columns = { heldFor: i32(ports.count), trimmed: i32(site.layout.routers) }
  const { heldFor, trimmed } = columns
  return ({ trim, returnCredit }) => {
    const { LV, PS } = site.layout
    const { pFlits, sFlags } = recordViews(site.columns.packets)
    const { router, count: PORTS } = ports
    const { ack: ACK } = FLAG
    const HEADERS = plan.classes.find((c) => c.control === true)?.first ?? 0
    const LIMIT = most
    const nothing = () => {}
    let stages: DroppingStages | undefined

    return {
      columns,
      between(given) {
        stages = given
      },
      refuses(q, o, p) {
        const port = router[q] * PS + o
        const f = pFlits[p]
        // A packet of one flit has nothing to cut.
        if (f > 1 && (sFlags[p << 2] & ACK) === 0 && heldFor[port] + stages!.outHeld[port] + f > LIMIT) return true
        heldFor[port] += f
        return false
      },
      leaves(q, o, p) {
        heldFor[router[q] * PS + o] -= pFlits[p]
      },
      answers(q, _o, v, p, t) {
        const r = router[q]
        if (q < PORTS) returnCredit((q << LV) + v, pFlits[p], t)
        trim(p, TRIMMED)
        trimmed[r]++
        stages!.arrive(((PORTS + r) << LV) + HEADERS, p, t)
      },
      waits: nothing,
      routed: nothing,
      look: nothing,
    }
  }
}

export const trimmingValues = family(
  "trim",
  "packets in the whole run",
  { packets: "trimmed to their headers by switches", resent: "sent again because they had been trimmed" },
  { unit: "count", when: "network.switch.trim" },
) satisfies PluginValues
