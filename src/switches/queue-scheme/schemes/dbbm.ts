// The scheme `dbbm`: destination-based buffer management. Destinations share a few queues, d mod queues.
import { MEMORY, QUEUES } from "../params.ts"
import type { SchemeFile } from "../scheme.ts"

export default {
  name: "dbbm",
  keys: ["memory", "queues"],
  make: ({ p }) => {
    const queues = p.queues ?? QUEUES
    return {
      queues,
      lanes: queues,
      laneFlits: Math.floor((p.memory ?? MEMORY) / queues),
      table: false,
      alike: true,
      lane: (_, dst) => dst % queues,
    }
  },
} satisfies SchemeFile
