// What both versions of FBICM share: one normal queue (NFQ) and a queue for each CAM line (CFQ), over one memory. Arrivals join the normal queue, so a link has
// one lane; its credits are those of the whole memory, or of the normal queue's part of it.
import { LINES, MEMORY, type QueueSchemeParams } from "../params.ts"
import type { Scheme, SchemeSite } from "../scheme.ts"

export const keys: readonly (keyof QueueSchemeParams)[] = [
  ...(["memory", "detection", "detect", "stop", "go", "lines", "split", "credits", "cfq", "aside"] as const),
  ...(["timer", "header", "each", "stopRule", "cascade"] as const),
]

export function makeFbicm({ p }: SchemeSite): Scheme {
  const memory = p.memory ?? MEMORY
  const lines = p.lines ?? LINES
  const fixed = p.split === "static"
  const normal = Math.floor(memory / 4)
  // of 128 packets: 24 and 112
  const lineFlits = p.cfq ?? (fixed ? Math.floor((memory - normal) / lines) : Math.floor((memory * 3) / 16))
  const asideFlits = p.aside ?? (fixed ? lines * lineFlits : Math.floor((memory * 7) / 8))
  return {
    queues: 1 + lines,
    lanes: 1,
    laneFlits: p.credits === "nfq" ? normal : memory,
    table: true,
    lane: () => 0,
    lines,
    lineFlits,
    asideFlits,
  }
}
