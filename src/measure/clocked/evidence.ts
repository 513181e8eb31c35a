// What a clocked run knows about the cause of its saturation: flits by channel and endpoint in the window, and the
// samples of the queues.

import type { Graph } from "../../model/graph.ts"
import type { StreamCounts } from "../../model/probe.ts"
import type { Evidence } from "../bottleneck/decide.ts"
import type { QueueSamples } from "./worst-channels.ts"

/** Flits in the window: by channel, and by stream and endpoint. */
interface Counted {
  readonly window: number
  readonly channel: ArrayLike<number>
  readonly streams: readonly Pick<StreamCounts, "injected" | "accepted">[]
}

/** A channel and the link of an endpoint carry one flit per cycle; an endpoint has one link for each rail. */
export function evidenceOf(graph: Graph, samples: QueueSamples, { channel, streams, window }: Counted): Evidence {
  const cycles = Math.max(1, window)
  const sent = new Float64Array(graph.ends)
  let [entered, arrived] = [0, 0]
  for (const { injected, accepted } of streams)
    for (let e = 0; e < sent.length; e++) {
      const flits = injected?.[e] ?? 0
      sent[e] += flits / (cycles * graph.rails)
      entered += flits
      arrived += accepted[e]
    }
  const queues = samples.means()
  return {
    far: graph.far,
    use: Float64Array.from(channel, (flits) => flits / cycles),
    sent,
    arrived: entered === 0 ? 0 : arrived / entered,
    ...(queues === undefined ? {} : { queues }),
  }
}
