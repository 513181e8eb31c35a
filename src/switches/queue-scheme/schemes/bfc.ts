// The scheme `bfc`: per-hop, per-flow flow control with one queue for each active flow (../bfc/bfc.ts). All queues
// share the memory, so a link has one lane.
import { FLOW_QUEUES } from "../bfc/columns.ts"
import { MEMORY } from "../params.ts"
import type { SchemeFile } from "../scheme.ts"

export default {
  name: "bfc",
  keys: ["memory", "queues", "flows", "stop", "go", "header", "each"],
  make: ({ p }) => {
    const queues = p.queues ?? FLOW_QUEUES
    return { queues, lanes: 1, laneFlits: p.memory ?? MEMORY, table: false, flows: true, lane: () => 0 }
  },
} satisfies SchemeFile
