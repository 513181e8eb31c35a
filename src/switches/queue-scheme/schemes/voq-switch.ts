// Virtual output queues of a switch: a queue for each of its outputs. The sender looks up the table of the next switch, for credits are those of a queue.
import { MEMORY } from "../params.ts"
import type { SchemeFile } from "../scheme.ts"

export default {
  name: "voq-switch",
  keys: ["memory"],
  make: ({ p, radix }) => ({
    queues: radix,
    lanes: radix,
    laneFlits: Math.floor((p.memory ?? MEMORY) / radix),
    table: true,
    lane: (router, dst, table) => table!.ports[router * table!.ends + dst]!,
  }),
} satisfies SchemeFile
