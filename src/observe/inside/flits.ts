// The internal state of an input-queued router: buffers of input VCs, owners and credits of output VCs, and the
// pointers of its two allocators. The columns are those of src/switches/input-queued/state.ts.
import { lowest } from "../../core/bitset.ts"
import type { FlitEngine } from "../../engines/flit/engine.ts"
import type { Column } from "../../fabric/columns.ts"
import { byPort, type Inside, type InsideBuffer, type InsideOutput, portsAt } from "./inside.ts"

/** Returns the state of one router. */
export function flitsInside({ layout: l, sw, buffers, constants }: FlitEngine, router: number): Inside {
  const { r, first, count } = portsAt(l, router)
  const column = (name: string): Column => sw.columns[name]
  const [cnt, cur, out, own] = [column("cnt"), column("cur"), column("out"), column("own")]
  const [rqPort, rqMask, saM, vaM] = [column("rqPort"), column("rqMask"), column("saM"), column("vaM")]
  const { credits, capacity, pool, shared, reserve } = buffers
  // C: route candidates for each input VC. In packet-buffer mode one unit of a buffer is a whole packet of `unit`
  // flits.
  const C = rqPort.length / cnt.length
  const unit = Math.max(1, constants.held)
  const bit = (words: Column, iv: number) => ((words[iv >> 5] >>> (iv & 31)) & 1) === 1
  const base = r * l.RS
  const vcIn = (local: number) => ({ port: local >> l.LV, vc: local & ((1 << l.LV) - 1) })

  const ins: InsideBuffer[] = []
  const outs: InsideOutput[] = []
  for (let port = 0; port < count; port++)
    for (let vc = 0; vc < l.vcs; vc++) {
      const id = ((first + port) << l.LV) + vc
      const up = l.up[first + port]
      if (up >= 0)
        ins.push({
          ...{ input: port, vc, flits: cnt[id] * unit, of: capacity[up + vc] * unit },
          ...{ packet: cnt[id] > 0 && cur[id] >= 0 ? cur[id] : -1, does: does(id) },
        })
      const holder = own[id] > 0 ? vcIn(own[id] - 1) : { port: -1, vc: -1 }
      const ends = l.down[first + port] < 0
      outs.push({
        ...{ port, vc, input: holder.port, inputVc: holder.vc, buffered: -1 },
        ...(ends ? { credits: -1, of: -1 } : { credits: creditsOf(id) * unit, of: capacity[id] * unit }),
      })
    }

  /**
   * Returns the flits that output VC `ov` may still send. With a shared pool, that is its unused reserve plus the pool.
   */
  function creditsOf(ov: number): number {
    const c = credits[ov]
    if (!shared) return c
    return Math.min(c, Math.max(0, reserve - (capacity[ov] - c)) + pool[ov >> l.LV])
  }

  /** Describes the state of input VC `iv` in the order of the pipeline: routing, VC allocation, switch allocation. */
  function does(iv: number): string {
    if (cnt[iv] === 0) return "empty"
    if (cur[iv] < 0) return "follows the packet before it"
    if (out[iv] > 0) {
      const { port, vc } = vcIn(out[iv] - 1)
      const has = `has output ${port}, VC ${vc}`
      if (creditsOf(base + out[iv] - 1) <= 0 && l.down[first + port] >= 0) return `${has}: no credit`
      return bit(saM, iv) ? `${has}: requests the crossbar` : has
    }
    if (rqMask[iv * C] === 0) return "is being routed"
    return (
      `${bit(vaM, iv) ? "requests a VC of" : "waits for a free VC of"} output ` +
      `${rqPort[iv * C]}, VC ${lowest(rqMask[iv * C])}`
    )
  }

  const arbiters: { name: string; says: string }[] = []
  const [rr, sg, sa] = [column("rr"), column("sg"), column("sa")]
  // General allocators have their own pointers, which are among the unprocessed columns.
  for (let port = 0; port < count; port++)
    arbiters.push({
      name: `port ${port}`,
      says:
        `as an input VC ${rr[(first + port) * (rr.length / sg.length)]} next, output ` +
        `${sa[first + port]} next; as an output input ${sg[first + port]} next`,
    })
  return { buffers: ins, outputs: outs, arbiters, pools: [], state: byPort(sw.columns, l, router) }
}
