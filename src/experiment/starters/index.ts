// What `lacewing init --template NAME` writes: a commented experiment that runs as it is, and the files that it names.
import { arena } from "./arena.ts"
import { dragonfly } from "./dragonfly.ts"
import { fatTree } from "./fat-tree.ts"
import { stashing } from "./stashing.ts"
import { torus } from "./torus.ts"
import { ringGoal, trace } from "./trace.ts"

export interface Starter {
  readonly about: string
  readonly text: string
  /** files that lie beside it */
  readonly files?: Readonly<Record<string, string>>
  /** the command that runs it, where that is not `run` */
  readonly command?: string
}

export const starters: Readonly<Record<string, Starter>> = {
  torus: { about: "latency against load on an 8x8 torus", text: torus },
  dragonfly: { about: "minimal and adaptive routing under adversarial traffic", text: dragonfly },
  "fat-tree": { about: "random and adaptive ways up", text: fatTree },
  trace: { about: "a trace of an application beside background traffic", text: trace, files: { "ring.goal": ringGoal } },
  stashing: { about: "copies of every packet in idle memory of other ports", text: stashing },
  arena: { about: "congestion protocols side by side on an incast", text: arena, command: "arena" },
}
