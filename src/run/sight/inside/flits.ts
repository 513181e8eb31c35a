// An input-queued router: buffers of input VCs, owners and credits of output VCs, the pointers of its two allocators (src/switches/input-queued/state.ts).
import { lowest } from "../../../core/bitset.ts"
import type { FlitEngine } from "../../../engines/flit/engine.ts"
import type { Column } from "../../../fabric/columns.ts"
import { byPort, type Inside, type InsideBuffer, type InsideOutput, portsAt } from "./inside.ts"

export function flitsInside({ layout: l, sw, buffers, constants }: FlitEngine, router: number): Inside {
  const { r, first, count } = portsAt(l, router)
  const column = (name: string): Column => sw.columns[name]!
  const [cnt, cur, out, own] = [column("cnt"), column("cur"), column("out"), column("own")]
  const [rqPort, rqMask, saM, vaM] = [column("rqPort"), column("rqMask"), column("saM"), column("vaM")]
  const { credits, capacity, pool, shared, reserve } = buffers
  // candidates of each input VC; a packet that is moved in one piece is one unit of its buffer
  const C = rqPort.length / cnt.length
  const unit = Math.max(1, constants.held)
  const bit = (words: Column, iv: number) => ((words[iv >> 5]! >>> (iv & 31)) & 1) === 1
  const base = r * l.RS
  const vcIn = (local: number) => ({ port: local >> l.LV, vc: local & ((1 << l.LV) - 1) })

  const ins: InsideBuffer[] = []
  const outs: InsideOutput[] = []
  for (let port = 0; port < count; port++)
    for (let vc = 0; vc < l.vcs; vc++) {
      const id = ((first + port) << l.LV) + vc
      const up = l.up[first + port]!
      if (up >= 0)
        ins.push({
          ...{ input: port, vc, flits: cnt[id]! * unit, of: capacity[up + vc]! * unit },
          ...{ packet: cnt[id]! > 0 && cur[id]! >= 0 ? cur[id]! : -1, does: does(id) },
        })
      const holder = own[id]! > 0 ? vcIn(own[id]! - 1) : { port: -1, vc: -1 }
      const ends = l.down[first + port]! < 0
      outs.push({
        ...{ port, vc, input: holder.port, inputVc: holder.vc, buffered: -1 },
        ...(ends ? { room: -1, of: -1 } : { room: roomOf(id) * unit, of: capacity[id]! * unit }),
      })
    }

  function roomOf(ov: number): number {
    const c = credits[ov]!
    if (!shared) return c
    return Math.min(c, Math.max(0, reserve - (capacity[ov]! - c)) + pool[ov >> l.LV]!)
  }

  function does(iv: number): string {
    if (cnt[iv] === 0) return "empty"
    if (cur[iv]! < 0) return "follows the packet before it"
    if (out[iv]! > 0) {
      const { port, vc } = vcIn(out[iv]! - 1)
      const has = `has output ${port}, VC ${vc}`
      if (roomOf(base + out[iv]! - 1) <= 0 && l.down[first + port]! >= 0) return `${has}: no credit`
      return bit(saM, iv) ? `${has}: asks for the crossbar` : has
    }
    if (rqMask[iv * C] === 0) return "is being routed"
    return `${bit(vaM, iv) ? "asks for a VC of" : "waits for a free VC of"} output ${rqPort[iv * C]}, VC ${lowest(rqMask[iv * C]!)}`
  }

  const arbiters: { name: string; says: string }[] = []
  const [rr, sg, sa] = [column("rr"), column("sg"), column("sa")]
  // general allocators keep pointers of their own, which are among the columns
  for (let port = 0; port < count; port++)
    arbiters.push({
      name: `port ${port}`,
      says: `as an input VC ${rr[(first + port) * (rr.length / sg.length)]} next, output ${sa[first + port]} next; as an output input ${sg[first + port]} next`,
    })
  return { buffers: ins, outputs: outs, arbiters, pools: [], state: byPort(sw.columns, l, router) }
}
