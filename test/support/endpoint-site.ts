// What the engine offers a protocol, for tests of the protocol alone: packets are plain objects, what it sends and asks
// for is written down.
import type { EndpointSite, PacketView } from "../../src/model/protocol.ts"

export interface PlainPacket {
  src: number
  dst: number
  flits: number
  kind?: number
  value?: number
  marked?: boolean
  answered?: number
  number?: number
}

export interface Sent {
  readonly e: number
  readonly to: number
  readonly kind: number
  readonly value: number
}

export interface TestSite extends EndpointSite {
  /** what was sent since it was last asked */
  taken(): Sent[]
  /** number of a packet, as a protocol knows it */
  packet(p: PlainPacket): number
  /** [endpoint] -> cycle of its timer, 0 = none */
  readonly timers: number[]
  /** packets that went again, and how */
  readonly again_: { readonly packet: number; readonly how: number }[]
  /** flits of the message that the protocol is asked about */
  front: number
}

export function endpointSite(ends: number, maxPacket: number): TestSite {
  const packets: PlainPacket[] = []
  const sent: Sent[] = []
  const timers = new Array<number>(ends).fill(0)
  const again_: { packet: number; how: number }[] = []
  const view: PacketView = {
    src: (p) => packets[p].src,
    dst: (p) => packets[p].dst,
    flits: (p) => packets[p].flits,
    answered: (p) => packets[p].answered ?? packets[p].flits,
    kind: (p) => packets[p].kind ?? 0,
    value: (p) => packets[p].value ?? 0,
    setValue(p, value) {
      packets[p].value = value
    },
    number: (p) => packets[p].number ?? 0,
    setNumber(p, n) {
      packets[p].number = n
    },
    marked: (p) => packets[p].marked === true,
    createdAt: () => 0,
    stream: () => 0,
  }
  const site: TestSite = {
    rows: ends,
    ends,
    maxPacket,
    firstClass: 1,
    column: (n) => new Int32Array(n),
    packets: view,
    offered: () => new Float32Array(ends),
    outer: (e) => e,
    send: (e, to, kind, value) => void sent.push({ e, to, kind, value }),
    retransmit: (_, packet, how) => void again_.push({ packet, how }),
    recall: (_, packet, how) => void again_.push({ packet, how }),
    confirm: (e, packet, kind) => void sent.push({ e, to: packets[packet].src, kind, value: 0 }),
    abandon() {},
    tell() {},
    hasCredits: () => true,
    wakeAt(e, cycle) {
      if (timers[e] === 0 || cycle < timers[e]) timers[e] = cycle
    },
    wake() {},
    taken: () => sent.splice(0),
    packet: (p) => packets.push(p) - 1,
    timers,
    again_,
    front: 0,
    message: () => site.front,
  }
  return site
}
