// Every queue of a combined switch and the output that its front packet waits for.
import { eachInChain, FLITS, STATE } from "../../fabric/packets.ts"
import type { VisitQueue } from "../../fabric/switch.ts"
import type { CombinedState } from "./frame.ts"

/** Of routers [first, end). */
export function eachQueue(f: CombinedState, visit: VisitQueue, first: number, end: number): void {
  const { site, ports, levels, chains } = f
  const { layout: l, columns: a, rules } = site
  const bytes = new Uint8Array(a.packets.buffer)
  const see = (queue: number, router: number, waits: boolean) => {
    const head = chains.first(queue)
    if (head === 0) return
    let flits = 0
    eachInChain(a.packets, head, (p) => {
      flits += a.packets[p + FLITS]!
    })
    const o = router * l.PS + bytes[(head + STATE) << 2]!
    visit(o, flits, head, !waits || roomBehind(o, head))
  }
  const roomBehind = (o: number, p: number) => {
    if (l.down[o]! < 0) return true
    const mask = a.packets[p + site.constants.own]!
    for (let v = 0; v < l.vcs; v++) if (((mask >>> v) & 1) !== 0 && rules.fits((o << l.LV) + v, a.packets[p + FLITS]!)) return true
    return false
  }
  const seeInput = (q: number) => {
    if (l.outerRouter[ports.router[q]!]! < 0) return
    for (let v = 0; v < l.vcs; v++) for (let o = 0; o < (f.input.voq ? l.radix : 1); o++) see(f.queueOf(q, o, v), ports.router[q]!, true)
  }
  for (let q = first * l.PS; q < end * l.PS; q++) seeInput(q)
  // of what routers made themselves
  if (ports.inputs > ports.count) for (let r = first; r < end; r++) seeInput(ports.count + r)
  for (let o = first * l.PS; o < end * l.PS; o++)
    for (let level = 0; level < levels; level++) see(f.output.firstQueue + o * levels + level, ports.router[o]!, false)
}
