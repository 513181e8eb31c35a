// State digest of tiled switches: each buffer and each pointer, under keys that do not depend on the partitioning.
import { DST, eachInChain, FLITS, KEY, stateOf } from "../../fabric/packets.ts"
import type { StateDigest } from "../../fabric/switch.ts"
import { STALL_SINCE } from "./columns.ts"
import { colHead, voqHead } from "./heads.ts"
import type { SharedState } from "./shared-state.ts"

export function digestTiled(sharedState: SharedState, d: StateDigest, outer: (id: number) => number): void {
  const { site, k, columns: c } = sharedState
  const { layout: l, columns: a, sharedBuffers, queued } = site
  const g = k.geometry
  const { kinds, kind, value } = site.constants
  const chain = (key: number, head: number) =>
    eachInChain(a.packets, head, (p, place) => {
      d.add(key, a.packets[p + KEY], place)
      d.add(key, a.packets[p + DST], stateOf(a.packets, p) ^ (a.packets[p + FLITS] << 24))
      if (kinds) d.add(key, a.packets[p + kind], a.packets[p + value])
    })
  for (let q = 0; q < l.routers * l.PS; q++) {
    const r = Math.floor(q / l.PS)
    if (l.outerRouter[r] < 0 || q % l.PS >= g.ports) continue
    const key = outer(q << l.LV)
    d.add(key, c.inMask[q] * 65536 + (c.outMask[q] & ~STALL_SINCE), c.rowNext[q] * 65536 + c.linkNext[q])
    d.add(key, c.muxTurn[q], c.inHeld[q] * 2 + c.congested[q])
    if (k.drops) d.add(key, c.bound[q] * 65536 + c.condemned[q], c.granted[q])
    if (k.stash) d.add(key, c.poolFree[q], c.storeRow[q] * 256 + c.storeNextColumn[q])
    for (let v = 0; v < 1 << l.LV; v++) {
      const iv = (q << l.LV) + v
      chain(key + v, sharedState.packetQueues.first(sharedState.queues.input + iv))
      chain(key + v + 0x08000000, sharedState.packetQueues.first(sharedState.queues.output + iv))
      d.add(key + v, sharedBuffers.held[iv] * 65536 + sharedBuffers.held[sharedBuffers.OUT + iv], queued[iv])
      d.add(key + v, c.muxNext[iv], 0x01000000)
      for (let out = 0; out < g.ports; out++) chain(key + v + (out << 27), voqHead(sharedState, q, r * l.PS + out, v))
      for (let row = 0; row < g.rows; row++)
        chain(key + v + 0x04000000 + (row << 27), colHead(sharedState, r, row, q, v))
    }
    for (let col = 0; col < g.columns; col++) d.add(key, c.inNext[q * g.columns + col], 0x05000000 + col)
    for (let row = 0; row < g.rows; row++) {
      const to = (r * g.rows + row) * l.PS + (q % l.PS)
      d.add(key, c.outTurn[to], 0x06000000 + row)
      for (let v = 0; v < 1 << l.LV; v++) d.add(key + v, c.outNext[(to << l.LV) + v], 0x07000000 + row)
    }
    if (k.stash)
      for (let col = 0; col < g.columns; col++)
        chain(key + 0x02000000 + col, sharedState.packetQueues.first(sharedState.queues.store + q * g.columns + col))
  }
}
