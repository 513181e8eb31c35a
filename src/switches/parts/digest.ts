// State digests of switches made of input, crossbar and output stages. A digest adds each queue and each pointer under
// keys that do not depend on the partitioning, so that runs with any number of workers give the same fingerprint.
import { DST, eachInChain, FLITS, KEY, stateOf } from "../../fabric/packets.ts"
import type { StateDigest } from "../../fabric/switch.ts"
import { type PartsState, queuesOfVc } from "./state.ts"

/** Returns a function that adds the packets of a queue under a key, with their positions in the queue. */
export function digestChain({ site, packetQueues }: PartsState, d: StateDigest): (key: number, queue: number) => void {
  const { packets } = site.columns
  return (key, queue) =>
    eachInChain(packets, packetQueues.first(queue), (p, place) => {
      d.add(key, packets[p + KEY], place)
      d.add(key, packets[p + DST], stateOf(packets, p) ^ (packets[p + FLITS] << 24))
    })
}

/**
 * Adds the state of all ports. The remaining time of transfers and links follows from the cycle, which the engine adds.
 * `own` adds the further state of output o under its key.
 */
export function digestParts(
  f: PartsState,
  d: StateDigest,
  outer: (id: number) => number,
  own: (o: number, key: number) => void,
): void {
  const { site, ports, columns: c } = f
  const { layout: l, sharedBuffers, load } = site
  const { firstQueue, lanes } = f.output
  const chain = digestChain(f, d)
  // An arbiter from outside has other pointers.
  const inNext = Object.hasOwn(c, "inNext") ? c["inNext"] : undefined
  for (let q = 0; q < ports.inputs; q++) {
    const r = ports.router[q]
    const local = ports.local[q]
    if (l.outerRouter[r] < 0 || (q < ports.count && ports.wired[q] === 0)) continue
    // The internal input has no number in the network. Its key is that of its router with a salt.
    const key = q < ports.count ? outer(q << l.LV) : outer((r * l.PS) << l.LV) ^ 0x3c000000
    d.add(key, c["turn"][q], inNext === undefined ? 0 : inNext[r * (l.radix + 1) + local])
    for (let v = 0; v < l.vcs; v++) {
      for (let o = 0; o < queuesOfVc(f, v); o++) chain(key + v + (o << 26), f.queueOf(q, o, v))
    }
    if (q >= ports.count) continue
    for (let v = 0; v < l.vcs; v++) d.add(key + v, sharedBuffers.held[(q << l.LV) + v], load[q])
    for (let lane = 0; lane < lanes; lane++) chain(key + lane + 0x2a000000, firstQueue + q * lanes + lane)
    own(q, key)
  }
}
