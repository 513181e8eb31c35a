// Explicit congestion notification of InfiniBand (Architecture Specification 1.2.1, annex A10). Inputs that are nearly
// full mark packets (FECN). The destination returns a notification for each marked packet (BECN). A notification
// increases the flow's index into a table of injection delays (CCTI), and a timer decreases the index of all flows. The
// delay is the minimum time between two packets of the flow.
//
// The parameters are those of "Contention-based Congestion Management in Large-Scale Networks" (G. Kim, C. Kim, J.
// Jeong, M. Parker and J. Kim, 2016). The table has equal steps. A flow has a row while its index is above the minimum.
// The annex does not define one case: a flow whose last packet is unknown waits for its delay from its first
// notification on.
import { type Complaint, complain } from "../core/complaint.ts"
import { choice, cycles, fraction, int, schema } from "../core/schema.ts"
import type { CongestionModel, CongestionPlugin } from "../model/congestion.ts"
import { type EndpointProtocol, type EndpointSite, KIND } from "../model/protocol.ts"
import { CONTROLLED, leastOf } from "./control.ts"
import { makeFlows } from "./flows.ts"

type Params = {
  threshold: number
  base: "vc" | "port"
  cctiIncrease: number
  cctiLimit: number
  cctiMin: number
  cctiTimer: number
  cct: number
  flows: number
}

const BECN = KIND.own

export function makeDelays(site: EndpointSite, p: Params): EndpointProtocol {
  const { packets, rows } = site
  const { cctiIncrease: UP, cctiLimit: LIMIT, cctiMin: MIN, cctiTimer: TIMER, cct: STEP } = p
  const flows = makeFlows(rows, Math.min(p.flows, site.ends), site.column, 3)
  // [row] -> index in the table at cycle `since`; cycle in which the tail of its last packet left
  const place = flows.word(0)
  const since = flows.word(1)
  const tail = flows.word(2)
  // [endpoint] -> destination and tail of its last packet; notifications sent
  const lastTo = site.column(rows)
  const lastTail = site.column(rows)
  const notices = site.column(rows)

  /**
   * Returns the present index. The timer is common to all flows of the network, so its ticks are computed and need no
   * event.
   */
  function index(row: number, now: number): number {
    const fallen = place[row] - (Math.floor(now / TIMER) - Math.floor(since[row] / TIMER))
    return fallen > MIN ? fallen : MIN
  }

  function mayInject(e: number, to: number, _flits: number, now: number): number {
    if (MIN === 0 && flows.count(e) === 0) return 0
    const row = flows.find(e, to)
    // If the minimum index is above 0, all flows are delayed.
    if (row < 0 && MIN === 0) return 0
    const sent = row >= 0 ? tail[row] : lastTo[e] === to + 1 ? lastTail[e] : -STEP * MIN
    const at = sent + STEP * (row >= 0 ? index(row, now) : MIN)
    if (at <= now) return 0
    // The index may fall at the next tick, so the endpoint checks again then.
    return leastOf(at, (Math.floor(now / TIMER) + 1) * TIMER)
  }

  function injected(e: number, to: number, packet: number, now: number): void {
    lastTo[e] = to + 1
    lastTail[e] = now + packets.flits(packet)
    const row = flows.count(e) === 0 ? -1 : flows.find(e, to)
    if (row >= 0) tail[row] = lastTail[e]
  }

  function delivered(e: number, packet: number): void {
    if (!packets.marked(packet)) return
    notices[e]++
    site.send(e, packets.src(packet), BECN, 0, 1, site.firstClass)
  }

  function received(e: number, packet: number, now: number): boolean {
    if (packets.kind(packet) !== BECN) return false
    const to = packets.src(packet)
    let row = flows.find(e, to)
    if (row < 0) {
      row = flows.open(e, to)
      if (row < 0) return false
      place[row] = MIN
      since[row] = now
      tail[row] = lastTo[e] === to + 1 ? lastTail[e] : now
    }
    place[row] = leastOf(LIMIT, index(row, now) + UP)
    since[row] = now
    site.wakeAt(e, (Math.floor(now / TIMER) + 1) * TIMER)
    return false
  }

  /** The timer: flows whose index is at the minimum again need no row. */
  function due(e: number, now: number): void {
    for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size)
      if (flows.to(row) >= 0 && index(row, now) <= MIN) flows.close(e, flows.to(row))
    if (flows.count(e) > 0) site.wakeAt(e, (Math.floor(now / TIMER) + 1) * TIMER)
    site.wake(e)
  }

  return {
    columns: { ...flows.columns, lastTo, lastTail, notices },
    mayInject,
    injected,
    delivered,
    received,
    due,
    digest(add, now) {
      for (let e = 0; e < rows; e++) {
        if (site.outer(e) < 0) continue
        add(site.outer(e), notices[e], flows.count(e))
        for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size)
          if (flows.to(row) >= 0) add(site.outer(e) * site.ends + flows.to(row), index(row, now), tail[row])
      }
    },
  }
}

export default {
  kind: "congestion",
  name: "ecn-delay",
  about: "Inputs that are nearly full mark packets. Each notification makes the source wait longer between packets.",
  cites: "InfiniBand Architecture Specification 1.2.1, annex A10, InfiniBand Trade Association, 2007",
  limits: "one table of delays, in equal steps, for all flows",
  needs: () => ["marks", "protocols", "windows"],
  guarantees: { sink: 0, because: "injection delays recover by one step per cctiTimer, so few packets leave" },
  params: schema({
    threshold: fraction({
      about: "Mark packets that leave an input while it is filled to more than this fraction",
      default: 0.9,
    }),
    base: choice(["vc", "port"], {
      about: "Buffer that the fraction refers to: that of one VC, or of all VCs of data",
      default: "port",
    }),
    cctiIncrease: int({
      about: "CCTI_Increase: steps up the congestion control table for each notification",
      min: 1,
      max: 65535,
      default: 8,
    }),
    cctiLimit: int({
      about: "CCTI_Limit: last index of the congestion control table",
      min: 1,
      max: 65535,
      default: 30,
    }),
    cctiMin: int({ about: "CCTI_Min: lowest index to which the timer returns a flow", min: 0, max: 65535, default: 0 }),
    cctiTimer: cycles({
      about: "CCTI_Timer: period after which all flows go down one index, in cycles",
      min: 1,
      default: "1000cycles",
    }),
    cct: cycles({
      about: "Step of the congestion control table: a flow at index i waits i times this many cycles between packets",
      min: 1,
      default: "50cycles",
    }),
    flows: int({
      about:
        "Maximum number of delayed destinations of an endpoint; notifications for further destinations have no effect",
      min: 1,
      max: 4096,
      default: 256,
    }),
  }),
  check: (p): Complaint[] =>
    p.cctiMin > p.cctiLimit
      ? [complain("cctiMin", `${p.cctiMin} is above cctiLimit (${p.cctiLimit})`, `set it to at most ${p.cctiLimit}`)]
      : [],
  make: (p): CongestionModel => ({
    marking: { on: p.threshold, off: p.threshold, base: p.base },
    ...CONTROLLED,
    controlSlots: 64,
    longestTimer: p.cctiTimer + p.cct * p.cctiLimit,
    endpoint: (site) => makeDelays(site, p),
  }),
} satisfies CongestionPlugin<Params>
