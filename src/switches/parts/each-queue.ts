// Visits of all queues of a switch made of parts, with the output that each head packet requests. The deadlock
// diagnosis, the probe `blocked` and the occupancy probes call these functions between cycles.
import { eachInChain, FLITS, STATE } from "../../fabric/packets.ts"
import type { VisitQueue } from "../../fabric/switch.ts"
import type { AddFill } from "../../fabric/transfer.ts"
import { PLACES } from "../../model/probe.ts"
import { crossingFlits, crossingMessage, flitsIn } from "./conservation.ts"
import { type PartsState, queuesOfVc } from "./state.ts"

/** Adds the flits of each VL in the inputs and outputs of routers [first, end). Both have a FIFO for each VL. */
export function eachVl(f: PartsState, add: AddFill, first: number, end: number): void {
  const { site, ports } = f
  const { firstQueue, lanes } = f.output
  for (let port = first * site.layout.PS; port < end * site.layout.PS; port++)
    for (let v = 0; v < site.layout.vcs; v++) {
      const crossing = crossingFlits(f, port, v)
      add(ports.router[port], v, PLACES.indexOf("input"), flitsIn(f, f.queueOf(port, 0, v)) + crossing)
      add(ports.router[port], v, PLACES.indexOf("output"), flitsIn(f, firstQueue + port * lanes + v))
    }
}

/**
 * Visits the queues of routers [firstRouter, end). With `atLink`, credits are taken when a packet leaves its output
 * buffer, not before it crosses the crossbar.
 */
export function eachQueue(f: PartsState, visit: VisitQueue, atLink: boolean, firstRouter: number, end: number): void {
  const { site, ports, packetQueues } = f
  const { firstQueue, lanes } = f.output
  const { layout: l, columns: a, rules } = site
  const bytes = new Uint8Array(a.packets.buffer)
  const see = (queue: number, router: number, hasCredits: (o: number, p: number) => boolean, input: number) => {
    const head = packetQueues.first(queue)
    if (head === 0) return
    let flits = 0
    eachInChain(a.packets, head, (p) => {
      flits += a.packets[p + FLITS]
    })
    const o = router * l.PS + bytes[(head + STATE) << 2]
    visit(o, flits, head, l.down[o] < 0 || hasCredits(o, head), input)
  }
  const always = () => true
  // A head packet in an input waits for credits, or with `atLink` only for space in the output buffer.
  const first = atLink ? site.sharedBuffers.OUT : 0
  const anyVc = (o: number, p: number) => {
    const mask = a.packets[p + site.constants.own]
    for (let v = 0; v < l.vcs; v++)
      if (((mask >>> v) & 1) !== 0 && rules.fits(first + (o << l.LV) + v, a.packets[p + FLITS])) return true
    return false
  }
  const itsVc = (o: number, p: number) => rules.fits((o << l.LV) + bytes[((p + STATE) << 2) + 1], a.packets[p + FLITS])
  const seeInput = (q: number) => {
    if (l.outerRouter[ports.router[q]] < 0) return
    for (let v = 0; v < l.vcs; v++) {
      const input = q < ports.count ? (q << l.LV) + v : -1
      for (let o = 0; o < queuesOfVc(f, v); o++) see(f.queueOf(q, o, v), ports.router[q], anyVc, input)
      const crossing = crossingMessage(f, q, v)
      if (crossing === 0) continue
      const to = ports.router[q] * l.PS + bytes[(crossing + STATE) << 2]
      visit(to, a.packets[crossing + FLITS], crossing, true, input)
    }
  }
  for (let q = firstRouter * l.PS; q < end * l.PS; q++) seeInput(q)
  // The internal inputs, which hold packets that the routers have created.
  if (ports.inputs > ports.count) for (let r = firstRouter; r < end; r++) seeInput(ports.count + r)
  for (let o = firstRouter * l.PS; o < end * l.PS; o++)
    for (let lane = 0; lane < lanes; lane++)
      see(firstQueue + o * lanes + lane, ports.router[o], atLink ? itsVc : always, -1)
}
