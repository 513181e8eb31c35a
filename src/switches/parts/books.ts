// Conservation, counted from the outside in: what the sender of each channel believes to lie in the input behind it is what flies there, lies there, or
// comes back as a credit; and every record is free or in exactly one place. For audits: slow and plain.

import { type Complaint, complain } from "../../core/complaint.ts"
import { creditFlits, creditLane } from "../../fabric/credit.ts"
import { eachInChain, FLITS, HEARS, STATE } from "../../fabric/packets.ts"
import type { TransferSite } from "../../fabric/transfer.ts"
import type { PartsState } from "./state.ts"

export const BUG = "this is a bug in lacewing"

/** Lanes of a link instead of VCs, and that of a packet at an input port. */
export interface LaneBooks {
  readonly lanes: number
  laneAt(port: number, p: number): number
}

/** What the books of senders ([slot of fabric/rooms.ts], or [channel * lanes + lane], -> flits) should say because of wires alone: packets that fly, credits
 *  on their way. */
export function onWires({ layout: l, columns: a, boxFirst, rooms }: TransferSite, by?: LaneBooks): Int32Array {
  const expected = new Int32Array(by === undefined ? rooms.held.length : (l.routers * l.PS + l.ends) * by.lanes)
  const bytes = new Uint8Array(a.packets.buffer)
  const flies = (port: number) => (p: number) => {
    const slot = by === undefined ? l.up[port]! + bytes[((p + STATE) << 2) + 1]! : (l.up[port]! >> l.LV) * by.lanes + by.laneAt(port, p)
    expected[slot]! += a.packets[p + FLITS]!
  }
  const comes = (channel: number, word: number) => {
    expected[(by === undefined ? channel << l.LV : channel * by.lanes) + creditLane(word)]! += creditFlits(word)
  }
  const ports = l.routers * l.PS
  for (let port = 0; port < ports; port++) if (l.up[port]! >= 0) eachInChain(a.packets, a.flyHead[port]!, flies(port))
  for (let channel = 0; channel < ports + l.ends; channel++) {
    const first = a.creditFirst[channel]!
    const size = a.creditFirst[channel + 1]! - first
    const n = (a.creditTail[channel]! - a.creditHead[channel]!) & 0xffff
    for (let i = 0; i < n; i++) comes(channel, a.credits[first + ((a.creditHead[channel]! + i) & (size - 1))]!)
  }
  eachPosted(a.outCount, boxFirst, a.outbox, (id, value) => {
    if (id < 0) comes(~id, value)
    else if (id < HEARS) flies(id)(value)
  })
  return expected
}

function eachPosted(count: Int32Array, first: Int32Array, outbox: Int32Array, see: (id: number, value: number) => void): void {
  for (let box = 0; box < count.length; box++)
    for (let n = 0, i = first[box] ?? 0; n < count[box]!; n++, i += 3) see(outbox[i + 1]!, outbox[i + 2]!)
}

/** Where the books of slot and port do not say what was found. */
export function bookComplaints({ layout: l, rooms }: TransferSite, expected: Int32Array, t: number): Complaint[] {
  const bad: Complaint[] = []
  for (let slot = 0; slot < rooms.OUT; slot++) {
    if (expected[slot] === rooms.held[slot]) continue
    const whose = slot >= l.NOV ? `endpoint ${l.outerEnd[(slot - l.NOV) >> l.LV]}` : portName({ layout: l }, slot >> l.LV)
    const says = `VC ${slot & ((1 << l.LV) - 1)}: ${rooms.held[slot]} flits are held behind it by the books, ${expected[slot]} are found`
    bad.push(complain(whose, `cycle ${t}: ${says}`, BUG))
  }
  return bad
}

export function portName({ layout: l }: Pick<TransferSite, "layout">, port: number): string {
  return `router ${l.outerRouter[Math.floor(port / l.PS)]} port ${port % l.PS}`
}

/** `kept`: records that endpoints keep. Every other one is free or somewhere: on a wire, at an endpoint (`waiting`: heads of its chains), or in one of the switch's queues. */
export function recordComplaints(
  { layout: l, columns: a, constants, boxFirst }: TransferSite,
  heads: readonly number[],
  t: number,
  kept: number,
): Complaint[] {
  const bad: Complaint[] = []
  const say = (says: string) => bad.push(complain("packets", `cycle ${t}: ${says}`, BUG))
  const seen = new Set<number>()
  const see = (p: number) => {
    if (seen.has(p)) say(`record ${p} is in two places`)
    seen.add(p)
  }
  const free = new Set<number>()
  for (const head of [...a.freeHead, ...a.homeHead]) eachInChain(a.packets, head, (p) => free.add(p))
  for (const head of [...a.flyHead, ...a.endFlyHead, ...heads]) eachInChain(a.packets, head, see)
  eachPosted(a.outCount, boxFirst, a.outbox, (id, value) => {
    if (id >= 0) see(value)
  })
  let lost = 0
  for (let part = 0; part < l.parts; part++) {
    for (let n = 1; n <= a.fresh[part]!; n++) {
      const p = (part * constants.packetRoom + n) * constants.stride
      if (free.has(p) && seen.has(p)) say(`record ${p} is free and in use`)
      if (!free.has(p) && !seen.has(p)) lost++
    }
  }
  if (lost !== kept) say(`${lost} records are in use, and nothing names them but ${kept} that endpoints keep`)
  return bad
}

/** Packets in the queues of inputs, added to what senders should believe; and the bits that stand for virtual output queues. */
export function inputBooks(f: PartsState, expected: Int32Array, t: number): Complaint[] {
  const { site, ports, columns: c } = f
  const { layout: l } = site
  const bad: Complaint[] = []
  for (let q = 0; q < ports.inputs; q++) {
    if (l.outerRouter[ports.router[q]!]! < 0) continue
    for (let v = 0; v < l.vcs; v++)
      for (let o = 0; o < (f.input.voq ? l.radix : 1); o++) {
        const flits = flitsIn(f, f.queueOf(q, o, v))
        if (flits > 0 && q < ports.count) expected[l.up[q]! + v]! += flits
        if (!f.input.voq) continue
        const bit = (c["waiting"]![q * l.radix + o]! >>> v) & 1
        if (bit !== (flits > 0 ? 1 : 0))
          bad.push(complain(portName(site, q), `cycle ${t}: VC ${v} for output ${o} has ${flits} flits, its bit is ${bit}`, BUG))
      }
  }
  return bad
}

export function flitsIn({ site, chains }: PartsState, queue: number): number {
  const { packets } = site.columns
  let sum = 0
  eachInChain(packets, chains.first(queue), (p) => {
    sum += packets[p + FLITS]!
  })
  return sum
}

/** Room of inputs that is given back at the tail: what a transfer to output o still holds. */
export function crossingBooks({ site, ports, columns: c }: PartsState, expected: Int32Array, o: number): void {
  const busy = (c["busyOut"]![2 * ports.router[o]! + (ports.local[o]! >> 5)]! >>> ports.local[o]!) & 1
  const q = c["from"]![o]!
  if (busy === 1 && q < ports.count) expected[site.layout.up[q]! + (c["moving"]![o]! >> 16)]! += c["moving"]![o]! & 0xffff
}

/** First packets of all queues of the switch, and of what waits at endpoints. */
export function allHeads({ site, chains }: PartsState): number[] {
  return [...chains.fronts(), ...site.columns.waitHead]
}
