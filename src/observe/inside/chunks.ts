// The internal state of a router of the packet engine (src/switches/chunk). It has output queues, no crossbar and no
// arbiter. A chunk that waits for credits occupies the input buffer slot that it arrived over.
import type { Graph } from "../../model/graph.ts"
import type { Front } from "../observation.ts"
import type { Inside } from "./inside.ts"

/** Returns the state of one router, from the head packets of the whole network. */
export function chunksInside(
  graph: Graph,
  vcs: number,
  fronts: (visit: (front: Front) => void) => void,
  router: number,
): Inside {
  const [first, end] = [graph.firstChan[router], graph.firstChan[router + 1]]
  const slots = (end - first) * vcs
  const [waiting, packet, goal] = [new Float64Array(slots), new Int32Array(slots).fill(-1), new Int32Array(slots)]
  const queued = new Float64Array(end - first)
  fronts((f) => {
    if (f.chan < first || f.chan >= end) return
    // A chunk with credits is in its output queue; one without is still in an input buffer.
    if (f.hasCredits) queued[f.chan - first] += f.flits
    if (f.hasCredits || f.input < first || f.input >= end) return
    const slot = (f.input - first) * vcs + f.inputVc
    waiting[slot] += f.flits
    if (packet[slot] === -1) [packet[slot], goal[slot]] = [f.packet, f.chan - first]
  })
  const each = Array.from({ length: slots }, (_, i) => ({ port: Math.floor(i / vcs), vc: i % vcs, i }))
  return {
    buffers: each
      .filter(({ port }) => graph.near[first + port] >= 0)
      .map(({ port, vc, i }) => ({
        ...{ input: port, vc, flits: waiting[i], of: -1, packet: packet[i] },
        does: packet[i] === -1 ? "nothing waits" : `for output ${goal[i]}: no credits`,
      })),
    outputs: each
      .filter(({ vc }) => vc === 0)
      .map(({ port }) => ({ port, vc: -1, input: -1, inputVc: -1, credits: -1, of: -1, buffered: queued[port] })),
    arbiters: [],
    pools: [],
    state: [],
  }
}
