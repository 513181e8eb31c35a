// The first packets of the queues inside a tiled switch, for audits and digests.
import type { SharedState } from "./shared-state.ts"

/** Returns the first packet of a virtual output queue or of a column queue; 0 if it is empty or does not exist. */
export function voqHead(sharedState: SharedState, q: number, o: number, v: number): number {
  const i = sharedState.tables.queue[(o << sharedState.site.layout.LV) + v]
  return i >= sharedState.k.voqs
    ? 0
    : sharedState.packetQueues.first(sharedState.queues.voq + q * sharedState.k.voqs + i)
}
export function colHead(sharedState: SharedState, router: number, row: number, o: number, v: number): number {
  const i = sharedState.tables.queue[(o << sharedState.site.layout.LV) + v]
  return i >= sharedState.k.colQueues
    ? 0
    : sharedState.packetQueues.first(
        sharedState.queues.column + (router * sharedState.k.geometry.rows + row) * sharedState.k.colQueues + i,
      )
}
