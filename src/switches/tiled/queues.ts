// Visits of all queues of a tiled switch, with the output that the head packet requests: input buffers and pools, row
// buffers, column buffers, output buffers. Probes and the deadlock diagnosis use it.
import { lowest } from "../../core/bitset.ts"
import { eachInChain, FLITS, STATE } from "../../fabric/packets.ts"
import type { VisitQueue } from "../../fabric/switch.ts"
import { STALL_SINCE } from "./columns.ts"
import type { SharedState } from "./shared-state.ts"

/** Visits the queues of routers [first, end). */
export function eachQueue(sharedState: SharedState, visit: VisitQueue, first: number, end: number): void {
  const { site, k, columns: c, tables, bytes } = sharedState
  const { layout: l, columns: a, rules } = site
  const { rows, inputs } = k.geometry
  const see = (head: number, router: number, input: number) => {
    if (head === 0) return
    let flits = 0
    eachInChain(a.packets, head, (p) => {
      flits += a.packets[p + FLITS]
    })
    const b = (head + STATE) << 2
    const o = router * l.PS + bytes[b]
    visit(o, flits, head, l.down[o] < 0 || rules.fits((o << l.LV) + bytes[b + 1], a.packets[head + FLITS]), input)
  }
  const each = (mask: number, of: (bit: number) => void) => {
    for (let m = mask; m !== 0; m &= m - 1) of(lowest(m))
  }
  for (let q = first * l.PS; q < end * l.PS; q++) {
    each(c.inMask[q], (v) =>
      see(
        sharedState.packetQueues.first(sharedState.queues.input + (q << l.LV) + v),
        tables.router[q],
        (q << l.LV) + v,
      ),
    )
    each(c.outMask[q] & ~STALL_SINCE, (v) =>
      see(sharedState.packetQueues.first(sharedState.queues.output + (q << l.LV) + v), tables.router[q], -1),
    )
  }
  for (let to = first * rows * l.PS; to < end * rows * l.PS; to++) {
    const o = tables.portOf[to]
    const router = tables.router[o]
    const row = Math.floor(to / l.PS) % rows
    const queue = (v: number) => tables.queue[(o << l.LV) + v]
    each(c.colMask[to], (v) =>
      see(
        sharedState.packetQueues.first(sharedState.queues.column + (router * rows + row) * k.colQueues + queue(v)),
        router,
        -1,
      ),
    )
    each(c.wants[to], (i) => {
      const q = router * l.PS + row * inputs + i
      each(c.voqMask[q * l.PS + tables.local[o]], (v) =>
        see(sharedState.packetQueues.first(sharedState.queues.voq + q * k.voqs + queue(v)), router, (q << l.LV) + v),
      )
    })
  }
}
