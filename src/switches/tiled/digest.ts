// The state of every buffer and pointer, named by the network's own numbers.
import { DST, eachInChain, FLITS, KEY, stateOf } from "../../fabric/packets.ts"
import type { StateDigest } from "../../fabric/switch.ts"
import { LACKING } from "./columns.ts"
import type { Frame } from "./frame.ts"
import { colHead, voqHead } from "./heads.ts"

export function digestTiled(frame: Frame, d: StateDigest, outer: (id: number) => number): void {
  const { site, k, columns: c } = frame
  const { layout: l, columns: a, rooms, queued } = site
  const g = k.geometry
  const { kinds, kind, value } = site.constants
  const chain = (key: number, head: number) =>
    eachInChain(a.packets, head, (p, place) => {
      d.add(key, a.packets[p + KEY]!, place)
      d.add(key, a.packets[p + DST]!, stateOf(a.packets, p) ^ (a.packets[p + FLITS]! << 24))
      if (kinds) d.add(key, a.packets[p + kind]!, a.packets[p + value]!)
    })
  for (let q = 0; q < l.routers * l.PS; q++) {
    const r = Math.floor(q / l.PS)
    if (l.outerRouter[r]! < 0 || q % l.PS >= g.ports) continue
    const key = outer(q << l.LV)
    d.add(key, c.inMask[q]! * 65536 + (c.outMask[q]! & ~LACKING), c.rowNext[q]! * 65536 + c.linkNext[q]!)
    d.add(key, c.muxTurn[q]!, c.inHeld[q]! * 2 + c.congested[q]!)
    if (k.drops) d.add(key, c.bound[q]! * 65536 + c.condemned[q]!, c.granted[q]!)
    if (k.stash) d.add(key, c.poolFree[q]!, c.storeRow[q]! * 256 + c.storeNextColumn[q]!)
    for (let v = 0; v < 1 << l.LV; v++) {
      const iv = (q << l.LV) + v
      chain(key + v, frame.chains.first(frame.queues.input + iv))
      chain(key + v + 0x08000000, frame.chains.first(frame.queues.output + iv))
      d.add(key + v, rooms.held[iv]! * 65536 + rooms.held[rooms.OUT + iv]!, queued[iv]!)
      d.add(key + v, c.muxNext[iv]!, 0x01000000)
      for (let out = 0; out < g.ports; out++) chain(key + v + (out << 27), voqHead(frame, q, r * l.PS + out, v))
      for (let row = 0; row < g.rows; row++) chain(key + v + 0x04000000 + (row << 27), colHead(frame, r, row, q, v))
    }
    for (let col = 0; col < g.columns; col++) d.add(key, c.inNext[q * g.columns + col]!, 0x05000000 + col)
    for (let row = 0; row < g.rows; row++) {
      const to = (r * g.rows + row) * l.PS + (q % l.PS)
      d.add(key, c.outTurn[to]!, 0x06000000 + row)
      for (let v = 0; v < 1 << l.LV; v++) d.add(key + v, c.outNext[(to << l.LV) + v]!, 0x07000000 + row)
    }
    if (k.stash)
      for (let col = 0; col < g.columns; col++) chain(key + 0x02000000 + col, frame.chains.first(frame.queues.store + q * g.columns + col))
  }
}
