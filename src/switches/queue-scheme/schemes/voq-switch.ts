// The scheme `voq-switch`: one virtual output queue for each output of the switch. Credits are those of a queue, so the
// sender looks up the output in the table of the next switch.
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
    lane: (router, dst, table) => table!.ports[router * table!.ends + dst],
  }),
} satisfies SchemeFile
