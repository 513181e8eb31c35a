// The source side of contention-based congestion management. A throttled flow receives 1 / D flits per cycle and sends
// a packet when it has enough for the whole packet. The throttle ends when the destination ends it, or when the flow
// created less than its share in an epoch and its queue is short.
import type { EndpointSite } from "../../model/protocol.ts"
import { type Flows, makeFlows } from "../flows.ts"
import type { CbcmParams } from "./params.ts"

export interface Source {
  readonly flows: Flows
  readonly columns: Readonly<Record<string, Int32Array>>
  /**
   * Applies a throttle from endpoint `by`; degree 1 ends it. Returns false if no row is left, and the flow stays
   * unthrottled.
   */
  throttled(e: number, by: number, degree: number, now: number): boolean
  isThrottled(e: number, to: number): boolean
  mayInject(e: number, to: number, flits: number, now: number): number
  injected(e: number, to: number, packet: number): void
  generated(e: number, to: number, flits: number): void
  /** Checks the epochs that have ended. Returns the cycle of the next end, 0: none. */
  due(e: number, now: number): number
  digest(add: (key: number, value: number, more?: number) => void): void
  /**
   * number of throttles that e received; cycles in which its flows were throttled, summed over flows, and those of them
   * to endpoints without overload
   */
  received(e: number): number
  /** cycle of the first throttle */
  first(e: number): number
  held(e: number, now: number): number
  falsePositive(e: number, now: number): number
}

/**
 * `freed`: called when the flow from e to `to` ends its throttle. `uncongested`: [endpoint] -> 1 if its offered load
 * does not exceed its channel.
 */
export function makeSource(
  site: EndpointSite,
  p: CbcmParams,
  uncongested: Uint8Array,
  freed: (e: number, to: number) => void,
): Source {
  const { packets, rows, maxPacket } = site
  const flows = makeFlows(rows, Math.min(p.flows, site.ends), site.column, 8)
  const degree = flows.word(0)
  // Time of its degree, flits sent since; flits created in the epoch from cycle `began` to cycle `epoch`; flits created
  // minus sent since the throttle started, and its start.
  const from = flows.word(1)
  const spent = flows.word(2)
  const made = flows.word(3)
  const began = flows.word(4)
  const epoch = flows.word(5)
  const queued = flows.word(6)
  const since = flows.word(7)
  const got = site.column(rows)
  const firstAt = site.column(rows)
  const over = site.column(rows)
  const wrong = site.column(rows)
  const RATE = p.rate
  const FULL = p.maxQueued * maxPacket

  /** Returns the length of an epoch: long enough for `sourcePackets` packets at the throttled rate. */
  function lengthOf(d: number): number {
    const packetsOf = p.sourcePackets * d * maxPacket
    return packetsOf > p.sourceEpoch ? packetsOf : p.sourceEpoch
  }

  function throttled(e: number, by: number, d: number, now: number): boolean {
    let row = flows.find(e, by)
    if (d <= 1) {
      if (row >= 0) free(e, row, now)
      return true
    }
    if (row < 0) {
      row = flows.open(e, by)
      if (row < 0) return false
      since[row] = now
      queued[row] = 0
      watch(row, d, now)
      site.wakeAt(e, epoch[row])
    }
    if (got[e]++ === 0) firstAt[e] = now
    degree[row] = d
    from[row] = now
    spent[row] = 0
    return true
  }

  /**
   * Starts an epoch. A changed degree does not start one, because a destination may change it more often than epochs
   * end.
   */
  function watch(row: number, d: number, now: number): void {
    made[row] = 0
    began[row] = now
    epoch[row] = now + lengthOf(d)
  }

  function free(e: number, row: number, now: number): void {
    over[e] += now - since[row]
    if (uncongested[flows.to(row)] !== 0) wrong[e] += now - since[row]
    flows.close(e, flows.to(row))
    site.wake(e)
  }

  function isThrottled(e: number, to: number): boolean {
    return flows.count(e) !== 0 && flows.find(e, to) >= 0
  }

  // Token bucket without a limit: the flow has earned (now - from) * RATE / degree flits since it got its degree.
  function mayInject(e: number, to: number, flits: number, now: number): number {
    const row = flows.count(e) === 0 ? -1 : flows.find(e, to)
    if (row < 0) return 0
    const at = from[row] + Math.ceil(((spent[row] + flits) * degree[row]) / RATE)
    return at <= now ? 0 : at
  }

  function injected(e: number, to: number, packet: number): void {
    const row = flows.count(e) === 0 ? -1 : flows.find(e, to)
    if (row < 0) return
    spent[row] += packets.flits(packet)
    queued[row] -= packets.flits(packet)
  }

  function generated(e: number, to: number, flits: number): void {
    const row = flows.count(e) === 0 ? -1 : flows.find(e, to)
    if (row < 0) return
    made[row] += flits
    queued[row] += flits
  }

  function due(e: number, now: number): number {
    let next = 0
    for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size) {
      const to = flows.to(row)
      if (to < 0) continue
      if (epoch[row] <= now) {
        if (made[row] * degree[row] < epoch[row] - began[row] && queued[row] < FULL) {
          free(e, row, now)
          freed(e, to)
          continue
        }
        watch(row, degree[row], now)
      }
      if (next === 0 || epoch[row] < next) next = epoch[row]
    }
    return next
  }

  /** Returns the cycles of the throttles that have not ended. `wrongly`: only those to endpoints without overload. */
  function running(e: number, now: number, wrongly: boolean): number {
    let sum = 0
    for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size)
      if (flows.to(row) >= 0 && (!wrongly || uncongested[flows.to(row)] !== 0)) sum += now - since[row]
    return sum
  }

  return {
    flows,
    columns: { ...flows.columns, got, firstAt, over, wrong },
    throttled,
    isThrottled,
    mayInject,
    injected,
    generated,
    due,
    digest(add) {
      for (let e = 0; e < rows; e++) {
        if (site.outer(e) < 0) continue
        add(site.outer(e), got[e], over[e])
        for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size)
          if (flows.to(row) >= 0) {
            const key = site.outer(e) * site.ends + flows.to(row)
            add(key, degree[row] * 65536 + spent[row], from[row])
            add(key, made[row] * 65536 + queued[row], epoch[row])
            add(key, since[row], began[row])
          }
      }
    },
    received: (e) => got[e],
    first: (e) => firstAt[e],
    held: (e, now) => over[e] + running(e, now, false),
    falsePositive: (e, now) => wrong[e] + running(e, now, true),
  }
}
