// Conservation checks for the audits of switches that move whole packets. They recount the state from first principles,
// so they are slow and simple on purpose. Two invariants are checked:
//   `credits`  For each VC, the sender's count of used buffer space equals the flits in flight, plus the flits in the
//              downstream buffer, plus the credits in flight.
//   `records`  Each packet record is either free or in exactly one queue, link or endpoint.
// The audits of the switch models call these functions between cycles.

import { type Complaint, complain } from "../../core/complaint.ts"
import { creditFlits, creditLane } from "../../fabric/credit.ts"
import { eachInChain, FLITS, HEARS, STATE } from "../../fabric/packets.ts"
import type { TransferSite } from "../../fabric/transfer.ts"
import { type PartsState, queuesOfVc } from "./state.ts"

export const BUG = "this is a bug in lacewing"

/** Counts by virtual lane (VL) of a link instead of by VC; `laneAt` returns the VL of a packet at an input port. */
export interface VlCounts {
  readonly lanes: number
  laneAt(port: number, p: number): number
}

/**
 * Returns the part of the senders' counts that links explain: flits of packets in flight and credits in flight. Index:
 * slot of fabric/shared-buffers.ts, or channel * lanes + lane.
 */
export function onLinks({ layout: l, columns: a, boxFirst, sharedBuffers }: TransferSite, by?: VlCounts): Int32Array {
  const expected = new Int32Array(by === undefined ? sharedBuffers.held.length : (l.routers * l.PS + l.ends) * by.lanes)
  const bytes = new Uint8Array(a.packets.buffer)
  const flies = (port: number) => (p: number) => {
    const slot =
      by === undefined
        ? l.up[port] + bytes[((p + STATE) << 2) + 1]
        : (l.up[port] >> l.LV) * by.lanes + by.laneAt(port, p)
    expected[slot] += a.packets[p + FLITS]
  }
  const comes = (channel: number, word: number) => {
    expected[(by === undefined ? channel << l.LV : channel * by.lanes) + creditLane(word)] += creditFlits(word)
  }
  const ports = l.routers * l.PS
  for (let port = 0; port < ports; port++) if (l.up[port] >= 0) eachInChain(a.packets, a.flyHead[port], flies(port))
  for (let channel = 0; channel < ports + l.ends; channel++) {
    const first = a.creditFirst[channel]
    const size = a.creditFirst[channel + 1] - first
    const n = (a.creditTail[channel] - a.creditHead[channel]) & 0xffff
    for (let i = 0; i < n; i++) comes(channel, a.credits[first + ((a.creditHead[channel] + i) & (size - 1))])
  }
  eachPosted(a.outCount, boxFirst, a.outbox, (id, value) => {
    if (id < 0) comes(~id, value)
    else if (id < HEARS) flies(id)(value)
  })
  return expected
}

/**
 * Visits the messages in the outboxes, which other workers have not read yet. id < 0 is a credit, otherwise a packet.
 */
function eachPosted(
  count: Int32Array,
  first: Int32Array,
  outbox: Int32Array,
  see: (id: number, value: number) => void,
): void {
  for (let box = 0; box < count.length; box++)
    for (let n = 0, i = first[box] ?? 0; n < count[box]; n++, i += 3) see(outbox[i + 1], outbox[i + 2])
}

/** Returns an error for each VC whose sender counts other than `expected` flits of buffer space as used. */
export function conservationErrors(
  { layout: l, sharedBuffers }: TransferSite,
  expected: Int32Array,
  t: number,
): Complaint[] {
  const bad: Complaint[] = []
  for (let slot = 0; slot < sharedBuffers.OUT; slot++) {
    if (expected[slot] === sharedBuffers.held[slot]) continue
    const whose =
      slot >= l.NOV ? `endpoint ${l.outerEnd[(slot - l.NOV) >> l.LV]}` : portName({ layout: l }, slot >> l.LV)
    const says =
      `VC ${slot & ((1 << l.LV) - 1)}: the sender counts ${sharedBuffers.held[slot]} flits of downstream ` +
      `buffer space as used, the audit finds ${expected[slot]}`
    bad.push(complain(whose, `cycle ${t}: ${says}`, BUG))
  }
  return bad
}

export function portName({ layout: l }: Pick<TransferSite, "layout">, port: number): string {
  return `router ${l.outerRouter[Math.floor(port / l.PS)]} port ${port % l.PS}`
}

/**
 * Checks that each packet record is free or in exactly one place: on a link, in an outbox, at an endpoint, or in a
 * queue of the switch. `heads` are the first packets of the queues of switch and endpoints; `kept` is the number of
 * records that endpoints hold outside of queues.
 */
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
    for (let n = 1; n <= a.fresh[part]; n++) {
      const p = (part * constants.packetSlots + n) * constants.stride
      if (free.has(p) && seen.has(p)) say(`record ${p} is free and in use`)
      if (!free.has(p) && !seen.has(p)) lost++
    }
  }
  if (lost !== kept) say(`${lost} records are in use but in no queue; endpoints hold ${kept} of them`)
  return bad
}

/**
 * Adds the flits in the input queues to the expected counts of their senders. Also checks the bits of the virtual
 * output queues: a bit is set exactly while its queue has packets.
 */
export function inputCounts(f: PartsState, expected: Int32Array, t: number): Complaint[] {
  const { site, ports, columns: c } = f
  const { layout: l } = site
  const bad: Complaint[] = []
  for (let q = 0; q < ports.inputs; q++) {
    if (l.outerRouter[ports.router[q]] < 0) continue
    for (let v = 0; v < l.vcs; v++)
      for (let o = 0; o < queuesOfVc(f, v); o++) {
        const flits = flitsIn(f, f.queueOf(q, o, v))
        if (q < ports.count) expected[l.up[q] + v] += flits + crossingFlits(f, q, v)
        if (queuesOfVc(f, v) === 1) continue
        const bit = (c["waiting"][q * l.radix + o] >>> v) & 1
        if (bit !== (flits > 0 ? 1 : 0))
          bad.push(
            complain(
              portName(site, q),
              `cycle ${t}: VC ${v} for output ${o} has ${flits} flits, its bit is ${bit}`,
              BUG,
            ),
          )
      }
  }
  return bad
}

/** Returns the message of VL v at input q of which a part has crossed (grain: packet); 0 = none. */
export function crossingMessage({ site, columns: c }: PartsState, q: number, v: number): number {
  return Object.hasOwn(c, "current") ? c["current"][(q << site.layout.LV) + v] : 0
}

/** Returns its flits. */
export function crossingFlits(f: PartsState, q: number, v: number): number {
  const p = crossingMessage(f, q, v)
  return p === 0 ? 0 : f.site.columns.packets[p + FLITS]
}

export function flitsIn({ site, packetQueues }: PartsState, queue: number): number {
  const { packets } = site.columns
  let sum = 0
  eachInChain(packets, packetQueues.first(queue), (p) => {
    sum += packets[p + FLITS]
  })
  return sum
}

/** Adds the flits of the transfer to output o, if its input buffer space is only released when the tail has left. */
export function crossingCounts({ site, ports, columns: c }: PartsState, expected: Int32Array, o: number): void {
  const busy = (c["busyOut"][2 * ports.router[o] + (ports.local[o] >> 5)] >>> ports.local[o]) & 1
  const q = c["from"][o]
  if (busy === 1 && q < ports.count) expected[site.layout.up[q] + (c["moving"][o] >> 16)] += c["moving"][o] & 0xffff
}

/** Returns the first packets of all queues of the switch and of the endpoints. */
export function allHeads({ site, packetQueues }: PartsState): number[] {
  return [...packetQueues.fronts(), ...site.columns.waitHead]
}
