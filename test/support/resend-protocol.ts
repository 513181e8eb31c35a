// A protocol for tests: data go as speculative packets; those that switches drop wait for a timer and go again as plain
// data; each packet is confirmed by a control packet of its destination.
import type { CongestionModel } from "../../src/model/congestion.ts"
import { type EndpointProtocol, type EndpointSite, OWN_CLASS, packVcClass } from "../../src/model/protocol.ts"
import { DONE, DROPPED, SPECULATIVE } from "./plain-switch.ts"

const CAPACITY = 256
/** What each endpoint counted. */
export const COUNT = { sent: 0, dropped: 1, again: 2, confirmed: 3, made: 4, heard: 5, generated: 6, width: 8 } as const

export interface ResendOptions {
  readonly delay: number
  readonly onCreate?: boolean
}

export function resend({ delay, onCreate = false }: ResendOptions): CongestionModel {
  return {
    classes: [
      { name: "control", vcs: 1, priority: 9, direct: true },
      { name: "speculative", vcs: 1, priority: -1, direct: true },
    ],
    kinds: true,
    onCreate,
    controlFlits: 1,
    controlSlots: 8,
    longestTimer: delay,
    endpoint: (site) => makeResend(site, delay),
  }
}

function makeResend(site: EndpointSite, delay: number): EndpointProtocol {
  const { packets, rows } = site
  const counts = site.column(rows * COUNT.width)
  // dropped packets that wait, and when each may go: a ring for each endpoint
  const kept = site.column(rows * CAPACITY)
  const ready = site.column(rows * CAPACITY)
  const head = site.column(rows)
  const tail = site.column(rows)
  const count = (e: number, what: number, by = 1): void => {
    counts[e * COUNT.width + what] += by
  }
  return {
    columns: { counts, kept, ready, head, tail },
    vcClass: () => packVcClass(site.firstClass + 1, SPECULATIVE),
    injected: (e) => count(e, COUNT.sent),
    delivered: (e, p) => site.send(e, packets.src(p), DONE, packets.flits(p), 1, site.firstClass),
    generated: (e, _to, flits) => count(e, COUNT.generated, flits),
    received(e, p, now) {
      if (packets.kind(p) === DONE) count(e, COUNT.confirmed)
      else if (packets.kind(p) !== DROPPED) count(e, COUNT.made)
      else {
        count(e, COUNT.dropped)
        const i = e * CAPACITY + (tail[e]++ % CAPACITY)
        kept[i] = p
        ready[i] = now + delay
        site.wakeAt(e, now + delay)
        return true
      }
      return false
    },
    heard: (e) => count(e, COUNT.heard),
    due(e, now) {
      while (head[e] < tail[e]) {
        const i = e * CAPACITY + (head[e] % CAPACITY)
        if (ready[i] > now) {
          site.wakeAt(e, ready[i])
          return
        }
        head[e]++
        count(e, COUNT.again)
        site.retransmit(e, kept[i], packVcClass(OWN_CLASS, 0))
      }
    },
    digest(add) {
      for (let e = 0; e < rows; e++)
        if (site.outer(e) >= 0)
          for (let w = 0; w < COUNT.width; w++)
            add(site.outer(e) * COUNT.width + w, counts[e * COUNT.width + w], tail[e] - head[e])
    },
  }
}
