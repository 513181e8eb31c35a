// The scheme `recn`: RECN for input-queued switches. A standard queue and one queue per line (SAQ) share the memory,
// and lines are named by turns.
import { LINES, MEMORY } from "../params.ts"
import type { SchemeFile } from "../scheme.ts"

export default {
  name: "recn",
  keys: ["memory", "detection", "detect", "stop", "go", "lines", "timer", "header", "each"],
  make: ({ p }) => {
    const memory = p.memory ?? MEMORY
    const lines = p.lines ?? LINES
    return {
      queues: 1 + lines,
      lanes: 1,
      laneFlits: memory,
      table: true,
      turns: true,
      lane: () => 0,
      lines,
      lineFlits: memory,
      asideFlits: memory,
    }
  },
} satisfies SchemeFile
