// Endpoint protocols with reservations. Data leave as speculative packets with the lowest priority. Routers drop
// speculative packets that wait too long, and the negative response returns the record to the source. The source
// retransmits the packet as data in the time for which the destination's channel was reserved.
//   `srp`    A reservation precedes each message. Speculation ends with the first drop or the grant (N. Jiang, D. U.
//            Becker, G. Michelogiannakis and W. J. Dally, "Network congestion avoidance through speculative
//            reservation", 2012).
//   `smsrp`  A reservation is requested only for dropped packets.
//   `lhrp`   The response of the last router itself contains the time (N. Jiang, L. Dennison and W. J. Dally, "Network
//            endpoint congestion control for fine-grained communication", 2015).
//
// A packet exists once, as its record: a dropped packet cannot arrive, so there are no duplicates. Messages to one
// destination form one queue. One message is reserved at a time, in pieces of `chunk` flits. The next piece is
// requested when each packet of the previous one was acknowledged or sent as data. model.ts creates the protocol.
import {
  type EndpointProtocol,
  type EndpointSite,
  KIND,
  OWN_CLASS,
  PLAIN_CLASS,
  packVcClass,
} from "../../model/protocol.ts"
import { reserve } from "../../model/reservation.ts"
import { makeFlows } from "../flows.ts"
import { makeRetransmitQueue, RETRANSMIT_WORDS } from "./retransmit-queue.ts"

export const SPECULATIVE = KIND.own
export const RESERVATION = KIND.own + 1
export const GRANT = KIND.own + 2
export const ACK = KIND.own + 3
export const NACK = KIND.own + 4
/** to the first switch, which has a copy: send it as data */
export const ORDER = KIND.own + 5

/** Index of the VC classes in the protocol's request. Reservations come last, because not all modes have them. */
export const CLASS = { answers: 0, speculative: 1, reservations: 2 } as const

export interface ReservationParams {
  readonly mode: "srp" | "smsrp" | "lhrp"
  /** flits of the shortest message with a reservation, and of the longest piece */
  readonly reserveFrom: number
  readonly chunk: number
  readonly eps: number
  readonly flows: number
  /** the sender of a retransmission: the endpoint, or the first switch of the path from the copy in its stash */
  readonly retransmitFrom: "endpoint" | "stash"
}

/** State of a flow: idle, speculating, waiting for a grant, granted. */
export const PHASE = { idle: 0, speculates: 1, waits: 2, granted: 3 } as const
/** A cycle far in the future: the flow waits for an event. */
const FAR = 0x10000000
/** Number of a packet that is retransmitted. */
const AGAIN = -1

export function makeReservations(site: EndpointSite, p: ReservationParams): EndpointProtocol {
  const { packets, rows } = site
  const SRP = p.mode === "srp"
  const LHRP = p.mode === "lhrp"
  const COPIES = p.retransmitFrom === "stash"
  const answersOn = site.firstClass + CLASS.answers
  const speculative = packVcClass(site.firstClass + CLASS.speculative, SPECULATIVE)
  const flows = makeFlows(rows, Math.min(p.flows, site.ends), site.column, 7 + RETRANSMIT_WORDS)
  const kept = makeRetransmitQueue(site, flows, 7)
  const phase = flows.word(0)
  // srp: flits left of the reserved piece, flits of the message after it; speculative packets without a response.
  const left = flows.word(1)
  const rest = flows.word(2)
  const open = flows.word(3)
  // Time of the reservation request, its flits, and the first cycle of the grant.
  const asked = flows.word(4)
  const reserved = flows.word(5)
  const start = flows.word(6)
  // [endpoint] -> first free cycle of its channel; speculative packets sent and dropped
  const next = site.column(rows)
  const sent = site.column(rows)
  const dropped = site.column(rows)

  function rowOf(e: number, to: number): number {
    return flows.count(e) === 0 ? -1 : flows.find(e, to)
  }

  /** Sends a reservation request. */
  function ask(e: number, row: number, flits: number, now: number): void {
    asked[row] = now
    reserved[row] = flits
    site.send(e, flows.to(row), RESERVATION, flits, 1, site.firstClass + CLASS.reservations)
  }

  /** srp: starts a message of this many flits, or its next piece. */
  function begin(e: number, row: number, flits: number, now: number): void {
    left[row] = flits < p.chunk ? flits : p.chunk
    rest[row] = flits - left[row]
    phase[row] = PHASE.speculates
    ask(e, row, left[row], now)
    site.wake(e)
  }

  /**
   * The first message of an idle flow is reserved when it is created, later ones when they are at the head of the
   * queue.
   */
  function generated(e: number, to: number, flits: number, now: number): void {
    if (flits >= p.reserveFrom && flows.find(e, to) < 0) first(e, to, flits, now)
  }

  function first(e: number, to: number, flits: number, now: number): boolean {
    const row = openRow(e, to)
    if (row >= 0) begin(e, row, flits, now)
    return row >= 0
  }

  function openRow(e: number, to: number): number {
    const row = flows.open(e, to)
    if (row < 0) return -1
    phase[row] = PHASE.idle
    left[row] = 0
    rest[row] = 0
    open[row] = 0
    reserved[row] = 0
    return row
  }

  // Returns 0 if a packet may leave now, otherwise the cycle in which to check again.
  function mayInject(e: number, to: number, _flits: number, now: number): number {
    const row = rowOf(e, to)
    if (row < 0) return 0
    // Dropped packets precede new ones.
    if (!SRP) return now + FAR
    // Behind a message that has no further piece, only messages without a reservation may go. The rest of a message
    // waits for its own reservation, even if it is short.
    if (left[row] <= 0) return rest[row] + left[row] <= 0 && site.message() < p.reserveFrom ? 0 : now + FAR
    if (phase[row] === PHASE.waits) return now + FAR
    // The reservation must leave before the data.
    if (phase[row] === PHASE.speculates) return asked[row] < now ? 0 : now + 1
    return start[row] <= now ? 0 : start[row]
  }

  function vcClass(e: number, to: number, now: number): number {
    if (!SRP) return speculative
    const row = rowOf(e, to)
    if (row < 0) return site.message() >= p.reserveFrom && first(e, to, site.message(), now) ? speculative : PLAIN_CLASS
    return left[row] > 0 && phase[row] === PHASE.speculates ? speculative : PLAIN_CLASS
  }

  function injected(e: number, to: number, packet: number, now: number): void {
    if (packets.number(packet) === AGAIN) {
      packets.setNumber(packet, 0)
      return
    }
    const isSpeculative = packets.kind(packet) === SPECULATIVE
    if (isSpeculative) sent[e]++
    if (!SRP) return
    const row = rowOf(e, to)
    if (row < 0 || left[row] <= 0) return
    left[row] -= packets.flits(packet)
    if (isSpeculative) open[row]++
    done(e, row, now)
  }

  /** srp: ends a piece when each of its packets was acknowledged or sent as data. */
  function done(e: number, row: number, now: number): void {
    if (phase[row] === PHASE.idle || left[row] > 0 || open[row] > 0 || kept.head(row) !== 0) return
    phase[row] = PHASE.idle
    // The last packet of a piece may be longer than the rest of the piece.
    const more = rest[row] + left[row]
    if (more > 0) begin(e, row, more, now)
    else flows.close(e, flows.to(row))
  }

  function delivered(e: number, packet: number): void {
    if (packets.kind(packet) !== SPECULATIVE) return
    if (COPIES) site.confirm(e, packet, ACK, answersOn)
    else site.send(e, packets.src(packet), ACK, 0, 1, answersOn)
  }

  function received(e: number, packet: number, now: number): boolean {
    const kind = packets.kind(packet)
    const by = packets.src(packet)
    if (kind === RESERVATION) site.send(e, by, GRANT, reserve(next, e, now, packets.value(packet), p.eps), 1, answersOn)
    else if (kind === NACK) {
      drop(e, by, packet, now)
      return true
    } else if (kind === GRANT || (kind === ACK && SRP)) {
      const row = rowOf(e, by)
      if (row < 0) return false
      if (kind === ACK) {
        open[row]--
        done(e, row, now)
      } else grant(e, row, packets.value(packet), now)
    }
    return false
  }

  /**
   * Applies a grant. Its age is half of the round trip of the request, because the destination computed it at that
   * time.
   */
  function grant(e: number, row: number, at: number, now: number): void {
    const early = at - ((now - asked[row]) >> 1)
    phase[row] = PHASE.granted
    start[row] = early > now ? early : now
    flush(e, row, now)
  }

  /** Stores a dropped packet, and requests a reservation if the mode needs one. */
  function drop(e: number, to: number, packet: number, now: number): void {
    dropped[e]++
    let row = rowOf(e, to)
    if (row < 0) row = openRow(e, to)
    if (row < 0) {
      // No row is left: retransmit as data at once.
      resend(e, packet)
      return
    }
    kept.push(row, packet)
    if (SRP) {
      open[row]--
      if (phase[row] === PHASE.speculates) phase[row] = PHASE.waits
    } else if (!LHRP && phase[row] === PHASE.idle) {
      phase[row] = PHASE.waits
      ask(e, row, packets.answered(packet), now)
    }
    flush(e, row, now)
  }

  function resend(e: number, packet: number): void {
    if (COPIES) {
      site.recall(e, packet, ORDER, answersOn)
      return
    }
    packets.setNumber(packet, AGAIN)
    site.retransmit(e, packet, packVcClass(OWN_CLASS, KIND.data))
  }

  /** Retransmits the packets that may go now, and sets a timer or a request for the others. */
  function flush(e: number, row: number, now: number): void {
    for (;;) {
      const packet = kept.head(row)
      if (packet === 0) break
      if (LHRP) {
        if (packets.value(packet) > now) {
          site.wakeAt(e, packets.value(packet))
          return
        }
      } else {
        if (phase[row] !== PHASE.granted) return
        if (start[row] > now) {
          site.wakeAt(e, start[row])
          return
        }
        if (!SRP && reserved[row] <= 0) break
        reserved[row] -= packets.answered(packet)
      }
      kept.pop(row)
      resend(e, packet)
    }
    if (SRP) done(e, row, now)
    else if (kept.head(row) === 0) {
      if (LHRP || (phase[row] === PHASE.granted && start[row] <= now)) flows.close(e, flows.to(row))
    } else {
      phase[row] = PHASE.waits
      ask(e, row, kept.flits(row), now)
    }
    site.wake(e)
  }

  function due(e: number, now: number): void {
    for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size)
      if (flows.to(row) >= 0 && kept.head(row) !== 0) flush(e, row, now)
    site.wake(e)
  }

  return {
    columns: {
      ...flows.columns,
      next_: next,
      sent,
      dropped,
    },
    mayInject,
    vcClass,
    injected,
    ...(SRP ? { generated } : {}),
    delivered,
    received,
    due,
    kept: () => kept.count(),
    digest(add) {
      for (let e = 0; e < rows; e++) {
        if (site.outer(e) < 0) continue
        add(site.outer(e), next[e], sent[e] * 65536 + dropped[e])
        for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size)
          if (flows.to(row) >= 0) {
            const key = site.outer(e) * site.ends + flows.to(row)
            add(key, phase[row] * 65536 + rest[row], left[row] * 256 + open[row])
            add(key, asked[row], kept.flits(row))
          }
      }
    },
    values() {
      let [all, lost] = [0, 0]
      for (let e = 0; e < rows; e++) {
        all += sent[e]
        lost += dropped[e]
      }
      return { "speculative.sent": all, "speculative.dropped": lost }
    },
  }
}
