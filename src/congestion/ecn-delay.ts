// Explicit congestion notification as InfiniBand has it: inputs that are nearly full mark packets (FECN); the destination answers each marked packet with a
// notice (BECN), unmarked ones with nothing; a notice moves the flow up a table of delays that packets keep from one another, and a timer moves all flows down.
// InfiniBand Architecture Specification 1.2.1, annex A10; numbers of "Contention-based Congestion Management in Large-Scale Networks" (G. Kim, C. Kim, J. Jeong,
// M. Parker and J. Kim, 2016). The table rises in steps of one size. A flow has a row as long as its delay is above the least.
// What the annex leaves open: a flow whose last packet is not known waits its delay from its first notice on.
import { type Complaint, complain } from "../core/complaint.ts"
import { choice, cycles, fraction, int, schema } from "../core/schema.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { Plugin } from "../model/plugin.ts"
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
  // [row] -> place in the table in cycle `since`; when the tail of its last packet left
  const place = flows.word(0)
  const since = flows.word(1)
  const tail = flows.word(2)
  // [endpoint] -> destination and tail of its last packet; notices sent
  const lastTo = site.column(rows)
  const lastTail = site.column(rows)
  const notices = site.column(rows)

  /** The timer is one for all flows of the network. */
  function index(row: number, now: number): number {
    const fallen = place[row]! - (Math.floor(now / TIMER) - Math.floor(since[row]! / TIMER))
    return fallen > MIN ? fallen : MIN
  }

  function mayInject(e: number, to: number, _flits: number, now: number): number {
    if (MIN === 0 && flows.count(e) === 0) return 0
    const row = flows.find(e, to)
    // a table that never ends at 0 holds all flows back
    if (row < 0 && MIN === 0) return 0
    const sent = row >= 0 ? tail[row]! : lastTo[e] === to + 1 ? lastTail[e]! : -STEP * MIN
    const at = sent + STEP * (row >= 0 ? index(row, now) : MIN)
    if (at <= now) return 0
    return leastOf(at, (Math.floor(now / TIMER) + 1) * TIMER)
  }

  function injected(e: number, to: number, packet: number, now: number): void {
    lastTo[e] = to + 1
    lastTail[e] = now + packets.flits(packet)
    const row = flows.count(e) === 0 ? -1 : flows.find(e, to)
    if (row >= 0) tail[row] = lastTail[e]!
  }

  function delivered(e: number, packet: number): void {
    if (!packets.marked(packet)) return
    notices[e]!++
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
      tail[row] = lastTo[e] === to + 1 ? lastTail[e]! : now
    }
    place[row] = leastOf(LIMIT, index(row, now) + UP)
    since[row] = now
    site.wakeAt(e, (Math.floor(now / TIMER) + 1) * TIMER)
    return false
  }

  /** The timer: flows that are at the least again need no row. */
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
        add(site.outer(e), notices[e]!, flows.count(e))
        for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size)
          if (flows.to(row) >= 0) add(site.outer(e) * site.ends + flows.to(row), index(row, now), tail[row]!)
      }
    },
  }
}

export default {
  kind: "congestion",
  name: "ecn-delay",
  about: "Inputs that are nearly full mark packets; a notice for each marked one makes its source wait longer between packets.",
  cites: "InfiniBand Architecture Specification 1.2.1, annex A10, InfiniBand Trade Association, 2007",
  limits: "one table of delays, in equal steps, for all flows",
  needs: () => ["marks", "protocols", "windows"],
  params: schema({
    threshold: fraction({ about: "an input marks what leaves it while it holds more than this share", default: 0.9 }),
    base: choice(["vc", "port"], { about: "share of the room of one VC, or of all VCs of data", default: "port" }),
    cctiIncrease: int({ about: "CCTI_Increase: steps up the table for each notice", min: 1, max: 65535, default: 8 }),
    cctiLimit: int({ about: "CCTI_Limit: last place of the table", min: 1, max: 65535, default: 30 }),
    cctiMin: int({ about: "CCTI_Min: place that the timer leaves a flow at", min: 0, max: 65535, default: 0 }),
    cctiTimer: cycles({ about: "CCTI_Timer: cycles in which all flows go down one step", min: 1, default: "1000cycles" }),
    cct: cycles({ about: "CCT: a flow at place i of the table keeps i times so many cycles between packets", min: 1, default: "50cycles" }),
    flows: int({ about: "delayed destinations of one endpoint; notices of more change nothing", min: 1, max: 4096, default: 256 }),
  }),
  check: (p): Complaint[] =>
    p.cctiMin > p.cctiLimit
      ? [complain("cctiMin", `${p.cctiMin} is above cctiLimit (${p.cctiLimit})`, `set it to at most ${p.cctiLimit}`)]
      : [],
  make: (p): CongestionModel => ({
    marking: { on: p.threshold, off: p.threshold, base: p.base },
    ...CONTROLLED,
    controlRoom: 64,
    longestTimer: p.cctiTimer + p.cct * p.cctiLimit,
    endpoint: (site) => makeDelays(site, p),
  }),
} satisfies Plugin<Params, CongestionModel, unknown>
