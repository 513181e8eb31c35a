// Why the network accepts no more in the last cycles. The run is simulated again from the beginning of a window, so the
// answer does not depend on what was looked at before. Afterwards it is at the same cycle as before.
import type { LimitAnswer } from "../shared/messages.ts"
import type { Live } from "./live.ts"

/** Cycles of the window, and the fewest that decide. */
const WINDOW = 1000
const LEAST = 200
/** Samples of the queues in a window. */
const LOOKS = 32

export function limitAnswer(live: Live): LimitAnswer {
  const to = live.now
  live.seek(Math.max(0, to - WINDOW))
  const from = live.now
  const window = live.observation.limits()
  const step = Math.max(1, Math.floor((to - from) / LOOKS))
  for (let at = from + step; at < to; at += step) {
    live.forward(at)
    window?.look()
  }
  live.forward(to)
  if (window === undefined)
    return {
      ...{ from, to },
      unknown: "It is not decided if the network is saturated: the packet engine and jobs do not count this yet.",
    }
  if (to - from < LEAST)
    return { from, to, unknown: `It is not decided if the network is saturated: this needs ${LEAST} cycles.` }
  return { from, to, ...window.close() }
}
