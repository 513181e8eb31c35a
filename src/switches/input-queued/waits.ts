// Who waits for what inside the input-queued routers, for the diagnosis of a stall.
import type { AnyColumns } from "../../fabric/flit.ts"
import type { StateWaits, VisitQueue } from "../../fabric/switch.ts"
import type { IqSpec } from "./state.ts"

/** Every packet whose head stands at the front of an input VC, with the output VCs (ids) that it needs; any one would do. */
export function waitsOf(spec: IqSpec, own: AnyColumns): StateWaits[] {
  const { layout: l, candidates: C } = spec
  const column = (name: string) => own[name]!
  const waits: StateWaits[] = []
  for (let iv = 0; iv < l.NOV; iv++) {
    if (column("cnt")[iv] === 0) continue
    const rb = iv - (iv % l.RS)
    const wants: number[] = []
    const out = column("out")[iv]!
    const packet = column("cur")[iv]!
    // on its way as a whole
    if (packet < 0) continue
    const length = spec.constants.held > 0 ? 1 : spec.constants.fixedLength > 0 ? spec.constants.fixedLength : spec.fields.pLen[packet]!
    if (out > 0 && ((length > 1 && column("rem")[iv]! < length) || spec.rules.room(rb + out - 1) >= (spec.cutThrough ? length : 1)))
      continue
    if (out > 0) wants.push(rb + out - 1)
    else {
      const count = C === 1 ? 1 : column("rqCount")[iv]!
      for (let k = 0; k < count; k++) {
        const port = rb + (column("rqPort")[iv * C + k]! << l.LV)
        for (let v = 0; v < l.vcs; v++) if ((column("rqMask")[iv * C + k]! >>> v) & 1) wants.push(port + v)
      }
    }
    waits.push({ at: iv, packet, wants })
  }
  return waits
}

/** Every buffer that holds something, by the output port that its front packet goes to, and whether that port has room for it behind it. */
export function queuesOf(spec: IqSpec, own: AnyColumns, visit: VisitQueue): void {
  const { layout: l, candidates: C, constants, rules } = spec
  const { cnt, out, cur, rqPort, rqMask } = own
  const roomBehind = (port: number, mask: number): boolean => {
    for (let v = 0; v < l.vcs; v++) if (((mask >>> v) & 1) === 1 && rules.room((port << l.LV) + v) > 0) return true
    return false
  }
  for (let iv = 0; iv < l.NOV; iv++) {
    const n = cnt![iv]!
    if (n === 0) continue
    const o = out![iv]!
    const port = Math.floor(iv / l.RS) * l.PS + (o > 0 ? (o - 1) >> l.LV : rqPort![iv * C]!)
    if (cur![iv]! < 0) continue
    const mask = o > 0 ? 1 << ((o - 1) & ((1 << l.LV) - 1)) : rqMask![iv * C]!
    visit(port, n * Math.max(1, constants.held), cur![iv]!, roomBehind(port, mask))
  }
}

/** The packet that keeps output VC `ov`: whoever stands at the front of the buffer behind it, if that has no room (for a whole packet, where that is asked
 *  and all are equally long) and nothing on the wire will change it; else its owner; -1 = nobody. */
export function holderOf(spec: IqSpec, own: AnyColumns, ov: number): number {
  const { layout: l, buffers, constants } = spec
  const need = spec.cutThrough && constants.held === 0 ? Math.max(1, constants.fixedLength) : 1
  const owner = own["own"]![ov]!
  const down = l.down[ov >> l.LV]!
  const behind = down + (ov & ((1 << l.LV) - 1))
  const credits = buffers.credits[ov]!
  if (credits < need) return down >= 0 && own["cnt"]![behind]! + credits === buffers.capacity[ov] ? own["cur"]![behind]! : -1
  return owner > 0 ? own["cur"]![ov - (ov % l.RS) + owner - 1]! : -1
}
