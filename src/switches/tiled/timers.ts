// Counts the events of tiled switches that are still pending although no packet moves: timers of copies, side-band
// messages, links that retransmit or wait for acknowledgements. The deadlock diagnosis uses the number to distinguish a
// deadlock from a wait.
import { COPY, STATE } from "../../fabric/packets.ts"
import type { SharedState } from "./shared-state.ts"
import { ANSWERED, DEAD, REFUSED, TIMER } from "./stash.ts"

/** Returns the number of pending events. */
export function timersDue({ site, k, columns: c, bytes }: SharedState): number {
  const { packets } = site.columns
  let n = 0
  if (k.stash)
    for (let i = 0; i < c.sideHead.length; i++) for (let p = c.sideHead[i]; p !== 0; p = packets[p + COPY]) n++
  if (k.timeout > 0)
    for (let i = 0; i < c.timerHead.length; i++)
      for (let p = c.timerHead[i]; p !== 0; p = packets[p + TIMER])
        // An answered copy waits for nothing.
        if ((bytes[(p + STATE) << 2] & (ANSWERED | REFUSED | DEAD)) === 0) n++
  if (k.linkErrors) for (let o = 0; o < c.again.length; o++) if (c.again[o] !== 0) n++
  for (let o = 0; o < c.retainHead.length; o++) if (c.retainHead[o] !== c.retainTail[o]) n++
  return n
}
