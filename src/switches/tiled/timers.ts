// What in the tiled switches will move by itself although no packet moves: timers of copies, messages of the side band, links that send again or
// wait for the confirmation of what they sent. For the verdict on a standstill.
import { COPY, STATE } from "../../fabric/packets.ts"
import type { Frame } from "./frame.ts"
import { ANSWERED, DEAD, REFUSED, TIMER } from "./stash.ts"

export function timersDue({ site, k, columns: c, bytes }: Frame): number {
  const { packets } = site.columns
  let n = 0
  if (k.stash) for (let i = 0; i < c.sideHead.length; i++) for (let p = c.sideHead[i]!; p !== 0; p = packets[p + COPY]!) n++
  if (k.timeout > 0)
    for (let i = 0; i < c.timerHead.length; i++)
      for (let p = c.timerHead[i]!; p !== 0; p = packets[p + TIMER]!)
        // a copy that was answered waits for nothing
        if ((bytes[(p + STATE) << 2]! & (ANSWERED | REFUSED | DEAD)) === 0) n++
  if (k.linkErrors) for (let o = 0; o < c.again.length; o++) if (c.again[o] !== 0) n++
  for (let o = 0; o < c.retainHead.length; o++) if (c.retainHead[o] !== c.retainTail[o]) n++
  return n
}
