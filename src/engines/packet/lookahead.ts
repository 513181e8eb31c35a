// Computes the look-ahead between workers: the shortest delay of any message from one to another. Chunks take the
// remaining time to the next router, credits take the time back. sync.ts may execute events this far beyond another
// worker's clock; the bucket width of kernel.ts must not exceed the minimum.
import type { LinkTimes } from "../../model/events.ts"
import { endOf, type Graph } from "../../model/graph.ts"

export interface Lookahead {
  /** [from * workers + to] -> ps; Infinity if nothing is sent */
  readonly between: Float64Array
  readonly least: number
  /** the channel that determines the minimum, or -1; and whether its credit does */
  readonly channel: number
  readonly credit: boolean
}

/**
 * `noise`: lower bound of the noise on credits and links; `shortest`: ps of the shortest chunk on a channel of a router
 * and of an endpoint; `reports`: routers report deliveries to the endpoints' processes.
 */
export function lookahead(
  graph: Graph,
  links: LinkTimes,
  owner: Uint8Array,
  endOwner: (end: number) => number,
  workers: number,
  noise: number,
  shortest: { readonly chan: number; readonly entry: number },
  reports: boolean,
): Lookahead {
  const between = new Float64Array(workers * workers).fill(Number.POSITIVE_INFINITY)
  let least = Number.POSITIVE_INFINITY
  let channel = -1
  let credit = false
  const put = (from: number, to: number, delay: number, chan: number, isCredit: boolean) => {
    if (from === to) return
    if (delay < between[from * workers + to]) between[from * workers + to] = delay
    if (delay >= least) return
    least = delay
    channel = chan
    credit = isCredit
  }
  for (let c = 0; c < graph.chans; c++) {
    // Deliveries become events of the endpoint's process, which may belong to another worker.
    if (reports && graph.far[c] <= -2) {
      const end = endOwner(endOf(graph.far[c]))
      put(owner[graph.routerOf[c]], end, links.after[c] + shortest.chan + noise, c, false)
    }
    if (graph.far[c] < 0) continue
    const a = owner[graph.routerOf[c]]
    const b = owner[graph.routerOf[graph.far[c]]]
    put(a, b, links.after[c] + shortest.chan + noise, c, false)
    put(b, a, links.credit[c] + noise, c, true)
  }
  for (let x = 0; x < graph.ends * graph.rails; x++) {
    const a = endOwner(Math.floor(x / graph.rails))
    const b = owner[graph.routerOf[graph.entry[x]]]
    put(a, b, links.entryAfter[x] + shortest.entry + noise, graph.entry[x], false)
    put(b, a, links.entryCredit[x] + noise, graph.entry[x], true)
  }
  return { between, least, channel, credit }
}
