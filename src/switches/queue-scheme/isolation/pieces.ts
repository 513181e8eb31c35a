// How long messages between neighbours are: a header, and up to 16 destinations in each piece (two in each of eight words of a record, notes.ts).
import type { QueueSchemeParams } from "../params.ts"

export const PIECE = 16

/** Flits of the longest piece. */
export function longestNote(p: Pick<QueueSchemeParams, "header" | "each">): number {
  return (p.header ?? 8) + PIECE * (p.each ?? 2)
}
