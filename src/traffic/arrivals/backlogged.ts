// A source that always has a packet waiting, for throughput measurements. It generates one packet in each cycle.
import { schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { ArrivalsPlugin } from "../../model/plugin.ts"
import type { Arrivals } from "../../model/traffic.ts"

/** One in each cycle: an endpoint channel takes at most one flit per cycle, so from cycle 0 on one is always waiting.
 *  */
class Backlogged implements Arrivals {
  first(): number {
    return 0
  }
  next(_from: End, last: number): number {
    return last + 1
  }
}

export default {
  kind: "arrivals",
  name: "backlogged",
  about:
    "Each endpoint always has a packet waiting and sends as fast as the network accepts; the load of " +
    "the stream is ignored.",
  limits: "latency from creation has no meaning here; use the accepted load and the network latency",
  params: schema({}),
  paced: false,
  make: () => new Backlogged(),
} satisfies ArrivalsPlugin<Record<never, never>>
