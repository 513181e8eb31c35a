// The destination side of contention-based congestion management. It distinguishes congestion of its own channel
// (endpoint congestion) from congestion inside the network:
//
//   IDLE  -> WATCH  A marked packet arrives.
//   WATCH -> IDLE   An unmarked packet arrives, or only one source was marked.
//   WATCH -> HOT    All packets of an epoch were marked and came from at least two sources.
//   HOT   -> IDLE   The list of sources is empty, or the channel was not busy.
//
// In HOT, the source of every packet joins the list. All sources of the list are informed of their number (the degree).
// They are informed again when it has changed, but not before the hold time has ended. plugin.ts creates both sides.
import { makeDistinct } from "../../core/distinct.ts"
import type { EndpointSite } from "../../model/protocol.ts"
import { leastOf } from "../control.ts"
import { type Flows, makeFlows } from "../flows.ts"
import type { CbcmParams } from "./params.ts"

export const STATE = { idle: 0, watch: 1, hot: 2 } as const

export interface Destination {
  readonly list: Flows
  readonly columns: Readonly<Record<string, Int32Array>>
  delivered(e: number, from: number, flits: number, marked: boolean, now: number): void
  /** The flow from `by` is no longer throttled, by decision of its source. */
  left(e: number, by: number, now: number): void
  /** Handles the timers. Returns the cycle of the next, 0: none. */
  due(e: number, now: number): number
  digest(add: (key: number, value: number, more?: number) => void): void
  /** number of throttle packets that e has sent */
  sent(e: number): number
  /** number of sources that ever sent to e; an estimate above 4,096 endpoints (core/distinct.ts) */
  met(e: number): number
}

/** The third parameter sends a throttle packet with this degree from endpoint e. */
export function makeDestination(
  site: EndpointSite,
  p: CbcmParams,
  tell: (e: number, to: number, degree: number) => void,
): Destination {
  const { rows } = site
  const { epoch: EPOCH, minPackets: LEAST, exit: EXIT } = p
  const list = makeFlows(rows, Math.min(p.flows, site.ends), site.column)
  const state = site.column(rows)
  // WATCH: end of the epoch, packets in it, whether it was extended.
  const epoch = site.column(rows)
  const seen = site.column(rows)
  const extended = site.column(rows)
  // HOT: the last degree that was sent, whether it must be sent again, not before cycle `hold`; flits that arrived
  // until cycle `look`.
  const told = site.column(rows)
  const changed = site.column(rows)
  const hold = site.column(rows)
  const flitsIn = site.column(rows)
  const look = site.column(rows)
  const count = site.column(rows)
  // Sources that ever sent to e.
  const met = makeDistinct(rows, site.ends, site.column)

  function clear(e: number): void {
    for (let row = list.firstRow(e); row < list.endRow(e); row += list.size)
      if (list.to(row) >= 0) list.close(e, list.to(row))
    state[e] = STATE.idle
  }

  function delivered(e: number, from: number, flits: number, marked: boolean, now: number): void {
    met.add(e, site.outer(e), from)
    if (state[e] === STATE.hot) {
      flitsIn[e] += flits
      const before = list.count(e)
      list.open(e, from)
      if (list.count(e) !== before) site.wakeAt(e, hold[e])
      return
    }
    if (!marked) {
      if (state[e] === STATE.watch) clear(e)
      return
    }
    if (state[e] === STATE.idle) {
      state[e] = STATE.watch
      epoch[e] = now + EPOCH
      seen[e] = 0
      extended[e] = 0
      site.wakeAt(e, epoch[e])
    }
    seen[e]++
    list.open(e, from)
  }

  function left(e: number, by: number): void {
    if (state[e] !== STATE.hot || list.find(e, by) < 0) return
    list.close(e, by)
    changed[e] = 1
    site.wakeAt(e, hold[e])
  }

  function due(e: number, now: number): number {
    if (state[e] === STATE.watch && epoch[e] <= now) endEpoch(e, now)
    else if (state[e] === STATE.hot && EXIT > 0 && look[e] <= now) {
      const busy = flitsIn[e] >= EXIT * EPOCH
      flitsIn[e] = 0
      look[e] = now + EPOCH
      if (!busy) release(e)
    }
    if (state[e] === STATE.hot && hold[e] <= now && stale(e)) {
      if (list.count(e) > 1) tellAll(e, now)
      else release(e)
    }
    return next(e)
  }

  function stale(e: number): boolean {
    return changed[e] !== 0 || list.count(e) !== told[e]
  }

  function endEpoch(e: number, now: number): void {
    if (seen[e] < LEAST && extended[e] === 0) {
      extended[e] = 1
      epoch[e] += EPOCH
      return
    }
    // A single source is not throttled, because its packets contend elsewhere.
    if (list.count(e) < 2 || seen[e] < LEAST) {
      clear(e)
      return
    }
    state[e] = STATE.hot
    flitsIn[e] = 0
    // Packets in flight arrive before a throttle has an effect, so the first check comes after two epochs.
    look[e] = now + 2 * EPOCH
    tellAll(e, now)
  }

  /** Sends the degree to all sources. The hold time bounds the load of throttle packets to `eps` of the channel. */
  function tellAll(e: number, now: number): void {
    const degree = list.count(e)
    told[e] = degree
    changed[e] = 0
    hold[e] = now + Math.ceil(degree / p.eps)
    send(e, degree)
    count[e] += degree
  }

  function send(e: number, degree: number): void {
    for (let row = list.firstRow(e); row < list.endRow(e); row += list.size)
      if (list.to(row) >= 0) tell(e, list.to(row), degree)
  }

  /** Frees all sources: degree 1 ends a throttle. */
  function release(e: number): void {
    send(e, 1)
    clear(e)
  }

  /** Returns the cycle of the next timer, 0: none. */
  function next(e: number): number {
    if (state[e] === STATE.idle) return 0
    if (state[e] === STATE.watch) return epoch[e]
    const again = stale(e) ? hold[e] : 0
    if (EXIT === 0) return again
    return again === 0 ? look[e] : leastOf(again, look[e])
  }

  return {
    list,
    columns: {
      ...named(list.columns),
      state,
      deadline: epoch,
      seen,
      extended,
      told,
      changed,
      hold,
      flitsIn,
      look,
      sent: count,
      met: met.column,
    },
    delivered,
    left,
    due,
    digest(add) {
      for (let e = 0; e < rows; e++) {
        if (site.outer(e) < 0) continue
        const key = site.outer(e) ^ 0x1b873593
        add(key, state[e] * 65536 + list.count(e), count[e])
        if (state[e] === STATE.watch) add(key, seen[e] * 2 + extended[e], epoch[e])
        if (state[e] === STATE.hot) {
          add(key, told[e] * 2 + changed[e], hold[e])
          add(key, flitsIn[e], look[e])
        }
        for (let row = list.firstRow(e); row < list.endRow(e); row += list.size)
          if (list.to(row) >= 0) add(key + Math.imul(site.ends, list.to(row)), 1)
      }
    },
    sent: (e) => count[e],
    met: met.count,
  }
}

/** Renames the columns of the list, because the source side has a map with the same names. */
function named(columns: Readonly<Record<string, Int32Array>>): Record<string, Int32Array> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [`list.${name}`, column]))
}
