// A hash of the complete state of the flit engine. It is the same for any partition and any number of workers: routers
// and endpoints are identified by the numbers of the network, packets by their key. Events of one cycle have no order,
// so their hashes are summed. Tests and `test/revisions` compare it.
import { hash3 } from "../../core/hash.ts"
import { APART } from "../../fabric/columns.ts"
import type { Layout } from "../../fabric/layout.ts"
import type { FlitEngine } from "./engine.ts"

export class Digest {
  a = 0x243f6a88
  b = 0x13198a2e
  /** Adds a value. Sums commute, so the order matters only where the caller encodes it in the key. */
  add(key: number, value: number, more = 0): void {
    const h = hash3(value | 0, key | 0, more | 0)
    this.a = (this.a + h) | 0
    this.b = (this.b + Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)) | 0
  }
  hex(): string {
    return [this.a, this.b].map((x) => (x >>> 0).toString(16).padStart(8, "0")).join("")
  }
}

/** Hashes deliveries so far, links, outboxes, endpoints, ranks and the switch. */
export function fingerprintOf(engine: FlitEngine): string {
  const { layout: l, columns: a, fields, constants: k, now } = engine
  const d = new Digest()
  for (let p = 0; p < l.parts; p++) {
    d.a = (d.a + a.trail[p * APART]) | 0
    d.b = (d.b + a.trail[p * APART + 1]) | 0
  }
  d.add(1, now)
  const outer = outerIdOf(l)
  const slots = k.wheelMask + 1
  for (let s = 0; s < l.parts * slots; s++) {
    const due = (s - now) & k.wheelMask
    for (let i = 0; i < a.flitCount[s]; i++) {
      const p = a.flitPacket[s * k.flitSlots + i]
      d.add(outer(a.flitAt[s * k.flitSlots + i]), due, p < 0 ? -1 : fields.pKey[p])
    }
    for (let i = 0; i < a.creditCount[s]; i++) d.add(~outer(a.creditAt[s * k.creditSlots + i]), due)
  }
  // Entries in outboxes count as if they were already in the wheel of the receiver.
  for (let box = 0; box < a.outCount.length; box++) {
    for (let i = 0, at = engine.boxFirst[box]; i < a.outCount[box]; i++, at += 3) {
      if (a.outbox[at] < 0) continue
      const id = a.outbox[at + 1]
      const p = a.outbox[at + 2]
      const due = (a.outbox[at] - now) & k.wheelMask
      if (id >= 0) d.add(outer(id), due, p < 0 ? -1 : fields.pKey[p])
      else d.add(~outer(~id), due)
    }
  }
  for (let e = 0; e < l.ends; e++) {
    const o = l.outerEnd[e]
    if (o < 0) continue
    d.add(o + 0x40000000, a.txLeft[e], a.txPacket[e] < 0 ? -1 : fields.pKey[a.txPacket[e]])
    for (let s = 0; s < k.streams; s++)
      d.add(o + 0x50000000 + s, a.made[s * l.ends + e], Math.floor(a.creationTime[s * l.ends + e] % 0x7fffffff))
    for (let v = 0; v < l.vcs; v++)
      d.add(outer(l.NOV + (e << l.LV) + v), engine.buffers.credits[l.NOV + (e << l.LV) + v])
  }
  if (k.queued) {
    for (let port = 0; port < a.nextOut.length; port++) {
      if (l.outerRouter[Math.floor(port / l.PS)] >= 0)
        d.add(
          outer(port << l.LV) + 0x30000000,
          Math.max(0, a.nextOut[port] - now),
          Math.max(0, a.nextCredit[port] - now),
        )
    }
  }
  const ranks = engine.loop.rankAdapter?.ranks
  if (ranks !== undefined) for (let r = 0; r < ranks.count; r++) d.add(0x70000000 + r, ranks.digest(r))
  engine.sw.digest(d, outer, Math.floor(now * engine.spec.timing.speed + 1e-9))
  return d.hex()
}

/** Returns a function from VC id to a number made of the network's own router or endpoint number. */
export function outerIdOf(l: Layout): (id: number) => number {
  const release = l.NOV + (l.ends << l.LV)
  return (id) => {
    if (id >= release)
      return 0x48000000 + l.outerRouter[Math.floor((id - release) / l.PS)] * l.PS + ((id - release) % l.PS)
    if (id >= l.NOV) return 0x20000000 + (l.outerEnd[(id - l.NOV) >> l.LV] << l.LV) + (id & ((1 << l.LV) - 1))
    const r = Math.floor(id / l.RS)
    return l.outerRouter[r] * l.RS + (id - r * l.RS)
  }
}
