// The common part of both versions of FBICM: one normal queue (NFQ) and one queue per CAM line (CFQ) in one memory.
// Packets arrive in the normal queue, so a link has one lane. Its credits are those of the whole memory, or of the part
// of the normal queue.
import { LINES, MEMORY, type QueueSchemeParams } from "../params.ts"
import type { Scheme, SchemeSite } from "../scheme.ts"

export const keys: readonly (keyof QueueSchemeParams)[] = [
  ...(["memory", "detection", "detect", "stop", "go", "lines", "split", "credits", "cfq", "cfqTotal"] as const),
  ...(["timer", "header", "each", "stopRule", "cascade"] as const),
]

export function makeFbicm({ p }: SchemeSite): Scheme {
  const memory = p.memory ?? MEMORY
  const lines = p.lines ?? LINES
  const fixed = p.split === "static"
  const normal = Math.floor(memory / 4)
  // Of 128 packets: 24 for one line, and 112 for all lines.
  const lineFlits = p.cfq ?? (fixed ? Math.floor((memory - normal) / lines) : Math.floor((memory * 3) / 16))
  const asideFlits = p.cfqTotal ?? (fixed ? lines * lineFlits : Math.floor((memory * 7) / 8))
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
