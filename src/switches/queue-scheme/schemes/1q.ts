// The scheme `1q`: one FIFO for each input port. A blocked head packet blocks all packets behind it.
import { MEMORY } from "../params.ts"
import type { SchemeFile } from "../scheme.ts"

export default {
  name: "1q",
  keys: ["memory"],
  make: ({ p }) => ({ queues: 1, lanes: 1, laneFlits: p.memory ?? MEMORY, table: false, lane: () => 0 }),
} satisfies SchemeFile
