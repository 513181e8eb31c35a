// Rings that are kept moving by bubbles: who enters one must leave room for a packet of the largest size behind it.
import type { TransferSite, TransferUse } from "../../fabric/transfer.ts"
import type { Ports } from "./ports.ts"

/** Flits that a VC of output o must have room for before a packet of f flits from input q may go there: whole packets of the largest size where the routing says
 *  so. Undefined where it never does. */
export function makeBubbles(site: TransferSite, use: TransferUse, ports: Ports): ((q: number, o: number, f: number) => number) | undefined {
  const { layout: l } = site
  const { local } = ports
  const { maxLength: LONGEST } = site.constants
  const R = l.radix
  const { routing } = use
  if (routing.room === undefined) return undefined
  // [input] -> its row; [row + output] -> packets. Inputs at the same place of their routers have the same row, so all rows stay near
  const rowOf = new Int32Array(Math.max(ports.inputs, 32))
  const seen = new Map<string, number>()
  const rows: number[] = []
  for (let q = 0; q < ports.inputs; q++) {
    const r = l.outerRouter[ports.router[q]!]!
    const wired = r < 0 ? 0 : l.graph.firstChan[r + 1]! - l.graph.firstChan[r]!
    const row = Array.from({ length: R }, (_, o) => (o < wired ? routing.room!(r, local[q]!, o) : 1))
    const name = row.join()
    let at = seen.get(name)
    if (at === undefined) {
      at = rows.length
      seen.set(name, at)
      rows.push(...row)
    }
    rowOf[q] = at
  }
  const need = new Uint8Array(Math.max(rows.length, 128))
  need.set(rows)

  return function bubble(q: number, o: number, f: number): number {
    const packets = need[rowOf[q]! + local[o]!]!
    return packets === 0 ? f : packets * LONGEST
  }
}
