// The destination's half, which tells congestion of its own channel from congestion on the way:
//
//   IDLE ── marked packet ──> WATCH ── an epoch of marked packets, from 2 sources at least ──> HOT ── list of sources empty, or channel not busy ──> IDLE
//     <── unmarked packet, or one source alone ──┘                                             every packet's source is added to the list
//
// In HOT all sources of the list are told how many they are, again when that has changed, but not before the hold time is over.
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
  /** the flow from `by` is free again by itself */
  left(e: number, by: number, now: number): void
  /** what its timers ask for; answers the cycle of the next, 0 = none */
  due(e: number, now: number): number
  digest(add: (key: number, value: number, more?: number) => void): void
  /** throttles that e has sent */
  sent(e: number): number
  /** sources that ever sent to e; above 4,096 endpoints an estimate (core/distinct.ts) */
  met(e: number): number
}

/** `tell`: endpoint e is to send a throttle of this degree. */
export function makeDestination(site: EndpointSite, p: CbcmParams, tell: (e: number, to: number, degree: number) => void): Destination {
  const { rows } = site
  const { epoch: EPOCH, least: LEAST, exit: EXIT } = p
  const list = makeFlows(rows, Math.min(p.flows, site.ends), site.column)
  const state = site.column(rows)
  // WATCH: end of the epoch, packets in it, whether it was extended
  const epoch = site.column(rows)
  const seen = site.column(rows)
  const extended = site.column(rows)
  // HOT: the degree that was told last, whether it must be told again, not before cycle `hold`; flits that came until cycle `look`
  const told = site.column(rows)
  const changed = site.column(rows)
  const hold = site.column(rows)
  const flitsIn = site.column(rows)
  const look = site.column(rows)
  const count = site.column(rows)
  // sources that ever sent to e
  const met = makeDistinct(rows, site.ends, site.column)

  function clear(e: number): void {
    for (let row = list.firstRow(e); row < list.endRow(e); row += list.size) if (list.to(row) >= 0) list.close(e, list.to(row))
    state[e] = STATE.idle
  }

  function delivered(e: number, from: number, flits: number, marked: boolean, now: number): void {
    met.add(e, site.outer(e), from)
    if (state[e] === STATE.hot) {
      flitsIn[e]! += flits
      const before = list.count(e)
      list.open(e, from)
      if (list.count(e) !== before) site.wakeAt(e, hold[e]!)
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
      site.wakeAt(e, epoch[e]!)
    }
    seen[e]!++
    list.open(e, from)
  }

  function left(e: number, by: number): void {
    if (state[e] !== STATE.hot || list.find(e, by) < 0) return
    list.close(e, by)
    changed[e] = 1
    site.wakeAt(e, hold[e]!)
  }

  function due(e: number, now: number): number {
    if (state[e] === STATE.watch && epoch[e]! <= now) endEpoch(e, now)
    else if (state[e] === STATE.hot && EXIT > 0 && look[e]! <= now) {
      const busy = flitsIn[e]! >= EXIT * EPOCH
      flitsIn[e] = 0
      look[e] = now + EPOCH
      if (!busy) release(e)
    }
    if (state[e] === STATE.hot && hold[e]! <= now && stale(e)) {
      if (list.count(e) > 1) tellAll(e, now)
      else release(e)
    }
    return next(e)
  }

  function stale(e: number): boolean {
    return changed[e] !== 0 || list.count(e) !== told[e]
  }

  function endEpoch(e: number, now: number): void {
    if (seen[e]! < LEAST && extended[e] === 0) {
      extended[e] = 1
      epoch[e]! += EPOCH
      return
    }
    // one source alone is not throttled: its packets contend elsewhere
    if (list.count(e) < 2 || seen[e]! < LEAST) {
      clear(e)
      return
    }
    state[e] = STATE.hot
    flitsIn[e] = 0
    // what is on its way comes before a throttle has an effect
    look[e] = now + 2 * EPOCH
    tellAll(e, now)
  }

  function tellAll(e: number, now: number): void {
    const degree = list.count(e)
    told[e] = degree
    changed[e] = 0
    hold[e] = now + Math.ceil(degree / p.eps)
    send(e, degree)
    count[e]! += degree
  }

  function send(e: number, degree: number): void {
    for (let row = list.firstRow(e); row < list.endRow(e); row += list.size) if (list.to(row) >= 0) tell(e, list.to(row), degree)
  }

  /** All are free. */
  function release(e: number): void {
    send(e, 1)
    clear(e)
  }

  function next(e: number): number {
    if (state[e] === STATE.idle) return 0
    if (state[e] === STATE.watch) return epoch[e]!
    const again = stale(e) ? hold[e]! : 0
    if (EXIT === 0) return again
    return again === 0 ? look[e]! : leastOf(again, look[e]!)
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
        add(key, state[e]! * 65536 + list.count(e), count[e]!)
        if (state[e] === STATE.watch) add(key, seen[e]! * 2 + extended[e]!, epoch[e]!)
        if (state[e] === STATE.hot) {
          add(key, told[e]! * 2 + changed[e]!, hold[e]!)
          add(key, flitsIn[e]!, look[e]!)
        }
        for (let row = list.firstRow(e); row < list.endRow(e); row += list.size)
          if (list.to(row) >= 0) add(key + Math.imul(site.ends, list.to(row)), 1)
      }
    },
    sent: (e) => count[e]!,
    met: met.count,
  }
}

/** The list is a map as the source's is, under other names. */
function named(columns: Readonly<Record<string, Int32Array>>): Record<string, Int32Array> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [`list.${name}`, column]))
}
