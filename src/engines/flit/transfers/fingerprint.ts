// A hash of the complete state of the packet-moving engine. It is the same for any partitioning and number of workers
// (see ../fingerprint.ts). Queues are hashed with positions, because their order is part of the state.

import { lowest } from "../../../core/bitset.ts"
import { APART } from "../../../fabric/columns.ts"
import { creditFlits, creditLane } from "../../../fabric/credit.ts"
import { DST, END, eachInChain, FLITS, HEARS, KEY, MESSAGE, RING, stateOf } from "../../../fabric/packets.ts"
import { digestScheduler } from "../../../fabric/scheduling.ts"
import { Digest, outerIdOf } from "../fingerprint.ts"
import type { TransferEngine } from "./engine.ts"

/** Hashes deliveries so far, links, outboxes, endpoints, the switch, ranks and the protocol. */
export function fingerprintOfTransfers(engine: TransferEngine): string {
  const { layout: l, columns: a, constants: k, now } = engine
  const d = new Digest()
  for (let p = 0; p < l.parts; p++) {
    d.a = (d.a + a.trail[p * APART]) | 0
    d.b = (d.b + a.trail[p * APART + 1]) | 0
  }
  d.add(1, now)
  const outer = outerIdOf(l)
  const see = (key: number) => (p: number, place: number) => digestPacket(engine, d, key, p, place)
  const ports = l.routers * l.PS
  for (let port = 0; port < ports; port++) {
    if (l.outerRouter[Math.floor(port / l.PS)] < 0) continue
    const key = outer(port << l.LV)
    eachInChain(a.packets, a.flyHead[port], see(key ^ 0x11))
    d.add(key ^ 0x12, a.creditLast[port] > now ? a.creditLast[port] - now : 0)
    digestCredits(engine, d, port, key ^ 0x13)
    if (k.tells) eachInChain(a.packets, a.controlHead[port], see(key ^ 0x14))
  }
  digestDue(engine, d, outer)
  digestOutboxes(engine, d, outer)
  for (let e = 0; e < l.ends; e++) {
    const o = l.outerEnd[e]
    if (o < 0) continue
    const key = o + 0x40000000
    eachInChain(a.packets, a.endFlyHead[e], see(key))
    const end = (what: number) => a.ends[e * END.size + what]
    for (let c = 0; c < k.classes; c++)
      eachInChain(a.packets, a.waitHead[e * k.classes + c], see(ofClass(key + 0x01000000, c)))
    digestCredits(engine, d, ports + e, key + 0x02000000)
    const until = Math.max(0, end(END.until) - now)
    for (let c = 0; c < k.dataClasses; c++)
      digestRing(engine, d, ofClass(key, c), until, (e * k.dataClasses + c) * RING.size)
    if (k.classes > 1) d.add(ofClass(key, 31), end(END.turn), end(END.lastVc))
    if (k.kinds) d.add(ofClass(key, 30), end(END.sent))
    if (engine.scheduler !== undefined)
      digestScheduler(engine.scheduler, (n, i, bits) => d.add(ofClass(key, 25) + n, i, bits), e, l.ends)
    for (let lane = 0; lane < k.lanes; lane++) d.add(ofClass(key, 26) + lane, a.laneHeld[e * k.lanes + lane])
    if (k.timers && a.timerAt[e] !== 0) d.add(ofClass(key, 29), a.timerAt[e] - now)
    if (k.tells) {
      eachInChain(a.packets, end(END.noteHead), see(ofClass(key, 28)))
      eachInChain(a.packets, a.endControlHead[e], see(ofClass(key, 27)))
    }
    for (let s = 0; s < k.streams; s++)
      d.add(o + 0x50000000 + s, a.made[s * l.ends + e], Math.floor(a.creationTime[s * l.ends + e] % 0x7fffffff))
    for (let v = 0; v < l.vcs; v++)
      d.add(outer(l.NOV + (e << l.LV) + v), engine.sharedBuffers.held[l.NOV + (e << l.LV) + v])
  }
  engine.sw.digest(d, outer)
  const ranks = engine.loop.rankAdapter?.ranks
  if (ranks !== undefined) for (let r = 0; r < ranks.count; r++) d.add(0x70000000 + r, ranks.digest(r))
  engine.loop.protocol?.digest?.((key, value, more) => d.add(key ^ 0x2545f491, value, more), now)
  return d.hex()
}

function digestCredits(engine: TransferEngine, d: Digest, channel: number, key: number): void {
  const { columns: a } = engine
  const first = a.creditFirst[channel]
  const size = a.creditFirst[channel + 1] - first
  const n = (a.creditTail[channel] - a.creditHead[channel]) & 0xffff
  for (let i = 0; i < n; i++) d.add(key, creditOf(a.credits[first + ((a.creditHead[channel] + i) & (size - 1))]), i)
}

/** Returns the key of a VC class of an endpoint; the first class has the endpoint's own key. */
function ofClass(key: number, c: number): number {
  return key ^ Math.imul(c, 0x3c6ef372)
}

function digestRing({ columns: a }: TransferEngine, d: Digest, key: number, until: number, ring: number): void {
  const count = a.rings[ring + RING.count]
  d.add(key, until, count * 65536 + a.rings[ring + RING.stored])
  let i = a.rings[ring + RING.head]
  for (let n = 0; n < count; n++) {
    d.add(key + n, a.messages[i + MESSAGE.to], a.messages[i + MESSAGE.count])
    i = a.messages[i + MESSAGE.ring]
  }
}

/** Returns VC and flits of a credit as one number. */
function creditOf(word: number): number {
  return (creditLane(word) << 11) + creditFlits(word)
}

/** Hashes entries in outboxes as if the receiver had them already: after those in flight to the same port, in order. */
function digestOutboxes(engine: TransferEngine, d: Digest, outer: (id: number) => number): void {
  const { layout: l, columns: a, constants: k, now } = engine
  const places = new Map<number, number>()
  for (let box = 0; box < a.outCount.length; box++) {
    for (let n = 0, i = engine.boxFirst[box]; n < a.outCount[box]; n++, i += 3) {
      const due = (a.outbox[i] - now) & k.wheelMask
      const id = a.outbox[i + 1]
      if (id >= HEARS) {
        digestMessage(engine, d, places, outer((id - HEARS) << l.LV), id, a.outbox[i + 2], due)
        continue
      }
      const value = a.outbox[i + 2]
      const key = outer((id >= 0 ? id : ~id) << l.LV)
      const place =
        places.get(id) ??
        (id >= 0 ? chainLength(a.packets, a.flyHead[id]) : (a.creditTail[~id] - a.creditHead[~id]) & 0xffff)
      places.set(id, place + 1)
      d.add(key ^ (id >= 0 ? 0x21 : 0x22), due)
      if (id >= 0) digestPacket(engine, d, key ^ 0x11, value, place)
      else d.add(key ^ 0x13, creditOf(value), place)
    }
  }
}

/** Hashes a message between neighbours in an outbox. */
function digestMessage(
  engine: TransferEngine,
  d: Digest,
  places: Map<number, number>,
  key: number,
  id: number,
  p: number,
  due: number,
): void {
  const { packets, controlHead } = engine.columns
  const place = places.get(id) ?? chainLength(packets, controlHead[id - HEARS])
  places.set(id, place + 1)
  d.add(key ^ 0x23, due)
  digestPacket(engine, d, key ^ 0x14, p, place)
}

function chainLength(packets: Int32Array, head: number): number {
  let n = 0
  eachInChain(packets, head, () => n++)
  return n
}

function digestPacket(engine: TransferEngine, d: Digest, key: number, p: number, place: number): void {
  const { packets } = engine.columns
  d.add(key, packets[p + KEY], place)
  d.add(key, packets[p + DST], stateOf(packets, p) ^ (packets[p + FLITS] << 24))
  const { kinds, kind, value } = engine.constants
  if (kinds) d.add(key, packets[p + kind], packets[p + value])
}

/** Hashes the cycles in which ports and endpoints are next due. */
function digestDue(engine: TransferEngine, d: Digest, outer: (id: number) => number): void {
  const { layout: l, columns: a, constants: k, now } = engine
  const port = (part: number) => (rel: number) => outer((l.firstRouter[part] * l.PS + rel) << l.LV)
  const end = (part: number) => (rel: number) => l.outerEnd[l.firstEnd[part] + rel]
  const bits = (column: Int32Array, mask: number, words: number, salt: number, nameIn: typeof port) => {
    for (let part = 0; part < l.parts; part++) {
      const name = nameIn(part)
      for (let slot = 0; slot <= mask; slot++) {
        const at = (part * (mask + 1) + slot) * words
        for (let w = 0; w < words; w++)
          for (let m = column[at + w]; m !== 0; m &= m - 1)
            d.add(name((w << 5) + lowest(m)) ^ salt, (slot - now) & mask)
      }
    }
  }
  bits(a.arriveDue, k.nearMask, k.portWords, 0x21, port)
  bits(a.creditDue, k.nearMask, k.portWords, 0x22, port)
  bits(a.endArriveDue, k.wheelMask, k.endWords, 0x60000000, end)
  bits(a.endCreditDue, k.wheelMask, k.endWords, 0x61000000, end)
  bits(a.endWakeDue, k.wheelMask, k.endWords, 0x62000000, end)
  if (!k.tells) return
  bits(a.controlDue, k.wheelMask, k.portWords, 0x23, port)
  bits(a.endControlDue, k.wheelMask, k.endWords, 0x63000000, end)
}
