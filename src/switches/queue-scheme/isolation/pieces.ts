// The lengths of messages between neighbours: a header, and up to 16 destinations in each piece (two in each of eight
// words of a record, control-messages.ts).
import type { QueueSchemeParams } from "../params.ts"

export const PIECE = 16

/** Returns the flits of the longest piece. */
export function longestControl(p: Pick<QueueSchemeParams, "header" | "each">): number {
  return (p.header ?? 8) + PIECE * (p.each ?? 2)
}
