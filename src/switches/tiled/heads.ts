// Where the queues inside a switch begin, for audits and fingerprints.
import type { Frame } from "./frame.ts"

/** First packet of a virtual output queue, of a column queue; 0 if there is no such queue. */
export function voqHead(frame: Frame, q: number, o: number, v: number): number {
  const i = frame.tables.queue[(o << frame.site.layout.LV) + v]!
  return i >= frame.k.voqs ? 0 : frame.chains.first(frame.queues.voq + q * frame.k.voqs + i)
}
export function colHead(frame: Frame, router: number, row: number, o: number, v: number): number {
  const i = frame.tables.queue[(o << frame.site.layout.LV) + v]!
  return i >= frame.k.colQueues
    ? 0
    : frame.chains.first(frame.queues.column + (router * frame.k.geometry.rows + row) * frame.k.colQueues + i)
}
