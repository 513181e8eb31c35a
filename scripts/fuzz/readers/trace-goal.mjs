// Fuzz target: GOAL schedules.
import { changedText, traceReader } from "../traces.mjs"

const rank = (r) =>
  `rank ${r} {\nl1: calc 100\nl2: send 64b to ${(r + 1) % 3} tag 5\n` +
  `l2 requires l1\nl3: recv 64b from ${(r + 2) % 3} tag 5 cpu 0\n` +
  `l4: calc 5\nl4 requires l3\nl4 irequires l2\n` +
  `}\n`
export default traceReader({ "t.goal": `num_ranks 3\n// ring\n${[0, 1, 2].map(rank).join("\n")}` }, changedText)
