// Tables of the ports of all routers, which the stages of a switch share. Ids: q is an input and o an output, both
// router * PS + port (fabric/layout.ts). A router may have one internal input in addition to its ports, for packets
// that the router creates itself: q = routers * PS + router. Its number in the router is the number of ports of the
// largest router.
import { i32, u8 } from "../../fabric/columns.ts"
import { type Layout, NOWHERE } from "../../fabric/layout.ts"

export interface Ports {
  /** number of ports, and of inputs (with internal ones), in all routers */
  readonly count: number
  readonly inputs: number
  /** [input] -> its router, and its number there */
  readonly router: Int32Array
  readonly local: Uint8Array
  /** [port] -> link class; 1 if the port exists (routers may have different numbers of ports) */
  readonly linkClass: Uint8Array
  readonly wired: Uint8Array
  /** [port] -> 1 if it leads to an endpoint */
  readonly ejects: Uint8Array
}

export function portsOf(l: Layout, made: boolean): Ports {
  const count = l.routers * l.PS
  const inputs = count + (made ? l.routers : 0)
  const p: Ports = {
    count,
    inputs,
    router: i32(inputs),
    local: u8(inputs),
    linkClass: u8(count),
    wired: u8(count),
    ejects: u8(count),
  }
  for (let q = 0; q < inputs; q++) {
    const r = q < count ? Math.floor(q / l.PS) : q - count
    p.router[q] = r
    p.local[q] = q < count ? q % l.PS : l.radix
    const outer = l.outerRouter[r]
    if (q >= count || outer < 0) continue
    const chan = l.graph.firstChan[outer] + p.local[q]
    if (chan >= l.graph.firstChan[outer + 1]) continue
    p.linkClass[q] = l.graph.linkClass[chan]
    p.wired[q] = 1
    p.ejects[q] = l.down[q] < 0 && l.down[q] !== NOWHERE ? 1 : 0
  }
  return p
}
