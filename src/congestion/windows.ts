// Flows with a congestion window, the common part of HPCC and NSCC. A packet may leave while the outstanding flits plus
// its own fit into the window, and always if nothing is outstanding. Each packet is acknowledged by a control packet of
// one flit. A flow that has nothing outstanding and was silent for a while is removed; it starts again with the full
// window. The protocol decides how an acknowledgement changes the window.
import type { EndpointSite } from "../model/protocol.ts"
import { eachFlow, type Flows, makeFlows } from "./flows.ts"

export interface Windows {
  readonly flows: Flows
  readonly columns: Readonly<Record<string, Int32Array>>
  /** [row] -> window in 1 / SCALE flits, outstanding flits, time of the last packet or acknowledgement */
  readonly window: Int32Array
  readonly out: Int32Array
  readonly last: Int32Array
  /** Returns 0 if a packet of this many flits may leave. */
  mayInject(e: number, to: number, flits: number, now: number): number
  /** Counts a sent packet. Returns the row, -1 if none is left. */
  sent(e: number, to: number, flits: number, now: number): number
  /** Counts an acknowledgement of this many flits to `to`. Returns the row, -1 if the flow has none. */
  confirmed(e: number, to: number, flits: number, now: number): number
  /** Counts trimmed flits as no longer outstanding. Returns the row, -1 if the flow has none. */
  lost(e: number, to: number, flits: number, now: number): number
  due(e: number, now: number): void
  digest(add: (key: number, value: number, more?: number) => void): void
}

/** Fixed-point unit of windows: parts of a flit. */
export const SCALE = 256

/** An acknowledgement carries a word of the protocol above the number of flits. */
export const FLIT_BITS = 11
export function confirmation(word: number, flits: number): number {
  return (word << FLIT_BITS) | flits
}
export function confirmedFlits(value: number): number {
  return value & (2 ** FLIT_BITS - 1)
}

/** First word of a flow that belongs to the protocol (`Flows.word`). */
export const OWN_WORD = 3

/** A cycle far in the future: the flow waits for an event. */
const FAR = 0x10000000

/**
 * `most`: flits of the full window; `silent`: cycles after which a flow is removed; `words`: further words that a
 * protocol needs, from OWN_WORD on.
 */
export function makeWindows(
  site: EndpointSite,
  flowsOfEnd: number,
  most: number,
  silent: number,
  words: number,
): Windows {
  const { rows } = site
  const flows = makeFlows(rows, Math.min(flowsOfEnd, site.ends), site.column, OWN_WORD + words)
  const window = flows.word(0)
  const out = flows.word(1)
  const last = flows.word(2)

  function rowOf(e: number, to: number): number {
    return flows.count(e) === 0 ? -1 : flows.find(e, to)
  }

  function mayInject(e: number, to: number, flits: number, now: number): number {
    const row = rowOf(e, to)
    return row < 0 || out[row] === 0 || (out[row] + flits) * SCALE <= window[row] ? 0 : now + FAR
  }

  function sent(e: number, to: number, flits: number, now: number): number {
    let row = rowOf(e, to)
    if (row < 0) {
      row = flows.open(e, to)
      if (row < 0) return -1
      window[row] = most * SCALE
      out[row] = 0
      site.wakeAt(e, now + silent)
    }
    out[row] += flits
    last[row] = now
    return row
  }

  function confirmed(e: number, to: number, flits: number, now: number): number {
    const row = rowOf(e, to)
    if (row < 0) return -1
    out[row] -= flits
    last[row] = now
    return row
  }

  function due(e: number, now: number): void {
    let next = 0
    for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size) {
      if (flows.to(row) < 0) continue
      if (out[row] === 0 && last[row] + silent <= now) {
        flows.close(e, flows.to(row))
        continue
      }
      const at = last[row] + silent > now ? last[row] + silent : now + silent
      if (next === 0 || at < next) next = at
    }
    if (next !== 0) site.wakeAt(e, next)
  }

  return {
    flows,
    columns: flows.columns,
    window,
    out,
    last,
    mayInject,
    sent,
    confirmed,
    lost: confirmed,
    due,
    digest(add) {
      eachFlow(site, flows, (key, row) => add(key, window[row], out[row] * 65536 + (last[row] & 65535)))
    },
  }
}
