// How far ahead of each other workers may run: the shortest delay of anything that one can send another. Chunks take the rest of the way to the
// far router, credits the way back.
import type { LinkTimes } from "../../model/events.ts"
import { endOf, type Graph } from "../../model/graph.ts"

export interface Lookahead {
  /** [from * workers + to] -> ps; Infinity where nothing is sent */
  readonly between: Float64Array
  readonly least: number
  /** the channel that gives the least, or -1; and whether it is its credit */
  readonly channel: number
  readonly credit: boolean
}

/** `noise`: least of the noise on credits and links; `shortest`: ps of the shortest chunk on a router's and on an endpoint's channel; `reports`: endpoints hear of what reaches them. */
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
    if (delay < between[from * workers + to]!) between[from * workers + to] = delay
    if (delay >= least) return
    least = delay
    channel = chan
    credit = isCredit
  }
  for (let c = 0; c < graph.chans; c++) {
    if (reports && graph.far[c]! <= -2) {
      const end = endOwner(endOf(graph.far[c]!))
      put(owner[graph.routerOf[c]!]!, end, links.after[c]! + shortest.chan + noise, c, false)
    }
    if (graph.far[c]! < 0) continue
    const a = owner[graph.routerOf[c]!]!
    const b = owner[graph.routerOf[graph.far[c]!]!]!
    put(a, b, links.after[c]! + shortest.chan + noise, c, false)
    put(b, a, links.credit[c]! + noise, c, true)
  }
  for (let x = 0; x < graph.ends * graph.rails; x++) {
    const a = endOwner(Math.floor(x / graph.rails))
    const b = owner[graph.routerOf[graph.entry[x]!]!]!
    put(a, b, links.entryAfter[x]! + shortest.entry + noise, graph.entry[x]!, false)
    put(b, a, links.entryCredit[x]! + noise, graph.entry[x]!, true)
  }
  return { between, least, channel, credit }
}
