// The templates of `lacewing init --template NAME`: commented experiments that run unchanged, and the files that they
// name.
import { arena } from "./arena.ts"
import { dragonfly } from "./dragonfly.ts"
import { fatTree } from "./fat-tree.ts"
import { pluginStarters } from "./plugins.ts"
import type { Starter } from "./starter.ts"
import { stashing } from "./stashing.ts"
import { torus } from "./torus.ts"
import { ringGoal, trace } from "./trace.ts"

export type { Starter } from "./starter.ts"

export const starters: Readonly<Record<string, Starter>> = {
  torus: { about: "Latency against load on an 8x8 torus", text: torus },
  dragonfly: { about: "Minimal and adaptive routing under adversarial traffic", text: dragonfly },
  "fat-tree": { about: "Random and adaptive upward routing in a fat tree", text: fatTree },
  trace: {
    about: "Application trace together with background traffic",
    text: trace,
    files: { "ring.goal": ringGoal },
  },
  stashing: { about: "Copies of every packet in idle buffers of other ports", text: stashing },
  arena: { about: "Comparison of congestion-control protocols on an incast", text: arena, command: "arena" },
  ...pluginStarters,
}
