// Bubble flow control (C. Carrion and others, 1997; V. Puente and others, "The adaptive bubble router", 2001) in a
// tiled switch. A ring of channels passes through column buffers, one in each switch, and each belongs to one output
// and VC only. The ring can make progress as long as one of these buffers has space for a packet. A packet that enters
// the ring must therefore leave such a bubble behind. Through the ring's own column buffer it needs space for two
// packets. From another row or from the pool, the ring's column buffer must have space for one packet.
import { u8 } from "../../fabric/columns.ts"
import type { Layout } from "../../fabric/layout.ts"
import type { RoutingFunction } from "../../model/routing.ts"

export interface Bubbles {
  /** [input port * PS + port] -> 1 if a packet enters a ring there, through the ring's own column buffer */
  readonly enters: Uint8Array
  /** [output port] -> mask of rows whose column buffers belong to its ring; 0 if there is no ring */
  readonly rows: Uint32Array
}

/** [port] -> its row, its number in its router, its router */
interface Ports {
  readonly row: Uint8Array
  readonly local: Uint8Array
  readonly router: Int32Array
}

/** Returns the bubble rules of all ports, or undefined if the routing needs none. */
export function bubblesOf(l: Layout, routing: RoutingFunction, tables: Ports): Bubbles | undefined {
  if (routing.room === undefined) return undefined
  const ports = l.routers * l.PS
  const enters = u8(ports * l.PS)
  const rows = new Uint32Array(ports)
  for (let o = 0; o < ports; o++) {
    const r = tables.router[o]
    const at = l.outerRouter[r]
    if (at < 0 || l.down[o] < 0) continue
    const needed = (q: number) => routing.room!(at, tables.local[q], tables.local[o])
    // Inputs that need space for one packet continue on the ring; those that need more enter it.
    let ring = 0
    let some = false
    for (let q = r * l.PS; q < r * l.PS + l.radix; q++) {
      if (needed(q) > 1) some = true
      else if (q !== o) ring |= 1 << tables.row[q]
    }
    if (!some) continue
    rows[o] = ring
    for (let q = r * l.PS; q < r * l.PS + l.radix; q++)
      if (needed(q) > 1 && ((ring >> tables.row[q]) & 1) !== 0) enters[q * l.PS + tables.local[o]] = 1
  }
  return { enters, rows }
}
