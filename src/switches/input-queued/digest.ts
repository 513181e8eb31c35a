// The state of every VC and pointer, named by the network's own numbers.
import type { AnyColumns } from "../../fabric/flit.ts"
import type { StateDigest } from "../../fabric/switch.ts"
import type { IqSpec } from "./flit.ts"

export function digestState(spec: IqSpec, own: AnyColumns, d: StateDigest, outer: (id: number) => number): void {
  const { layout: l, fields: a, buffers } = spec
  const c = (name: string) => own[name]!
  for (let id = 0; id < l.NOV; id++) {
    const r = Math.floor(id / l.RS)
    if (l.outerRouter[r]! < 0 || (id & ((1 << l.LV) - 1)) >= l.vcs || (id % l.RS) >> l.LV >= l.radix) continue
    const key = outer(id)
    const bit = (m: string) => (c(m)[id >> 5]! >>> (id & 31)) & 1
    d.add(key, c("cnt")[id]! * 65536 + c("rem")[id]!, c("out")[id]! * 65536 + c("own")[id]!)
    d.add(key, buffers.credits[id]!, (c("gptr")[id]! << 16) + c("aptr")[id]!)
    d.add(key, bit("saM") * 2 + bit("vaM"), c("rqPort")[id]!)
    if (c("cnt")[id]! === 0) continue
    let at = 1
    d.add(key, at, a.pKey[c("cur")[id]!]!)
    for (let p = c("qh")[id]!; p !== 0; p = a.pNext[p - 1]!) d.add(key, ++at, a.pKey[p - 1]!)
  }
  for (let port = 0; port < l.routers * l.PS; port++) {
    const key = outer(port << l.LV)
    if (l.outerRouter[Math.floor(port / l.PS)]! >= 0)
      d.add(key, (c("sg")[port]! << 16) + c("sa")[port]!, (c("freeVc")[port]! << 8) + c("rr")[port]!)
  }
}
