// Protocols that send first and ask when they must: data leave as speculative packets, behind all others; routers drop those that wait too long, and the
// answer brings their record back to the source, which sends it again as data in the time that the channel of the destination was reserved for.
//   srp    a reservation goes ahead of each message; speculation ends with the first drop or the grant (N. Jiang, D. U. Becker, G. Michelogiannakis and W. J. Dally,
//          "Network congestion avoidance through speculative reservation", 2012)
//   smsrp  a reservation is asked for only what was dropped
//   lhrp   the answer of the last router names the time itself (N. Jiang, L. Dennison and W. J. Dally, "Network endpoint congestion control for fine-grained
//          communication", 2015)
// A packet is its record: what was dropped cannot arrive, so nothing comes twice. Messages to one destination are one queue, of which one message is reserved
// at a time, in pieces of `chunk` flits: the next is asked for when each packet of the one before was confirmed or sent as data.
import { type EndpointProtocol, type EndpointSite, KIND, OWN_CLASS, PLAIN_RIDE, ride } from "../../model/protocol.ts"
import { reserve } from "../../model/reservation.ts"
import { makeFlows } from "../flows.ts"
import { KEPT_WORDS, makeKept } from "./kept.ts"

export const SPECULATIVE = KIND.own
export const RESERVATION = KIND.own + 1
export const GRANT = KIND.own + 2
export const ACK = KIND.own + 3
export const NACK = KIND.own + 4
/** to the first switch, which keeps a copy: send it as data */
export const ORDER = KIND.own + 5

/** Places of the VC classes in what the protocol asks for; reservations come last, for not all have them. */
export const CLASS = { answers: 0, speculative: 1, reservations: 2 } as const

export interface ReservationParams {
  readonly mode: "srp" | "smsrp" | "lhrp"
  /** flits of the shortest message that is reserved, and of the longest piece */
  readonly least: number
  readonly chunk: number
  readonly eps: number
  readonly flows: number
  /** who sends a dropped packet again: its endpoint, or the first switch of its way from the copy in its stash */
  readonly again: "endpoint" | "stash"
}

/** What a flow does: nothing; speculates; waits for a grant; has one. */
export const PHASE = { idle: 0, speculates: 1, waits: 2, granted: 3 } as const
/** Until something happens. */
const FAR = 0x10000000
/** Number of a packet that goes again. */
const AGAIN = -1

export function makeReservations(site: EndpointSite, p: ReservationParams): EndpointProtocol {
  const { packets, rows } = site
  const SRP = p.mode === "srp"
  const LHRP = p.mode === "lhrp"
  const COPIES = p.again === "stash"
  const answersOn = site.firstClass + CLASS.answers
  const speculative = ride(site.firstClass + CLASS.speculative, SPECULATIVE)
  const flows = makeFlows(rows, Math.min(p.flows, site.ends), site.column, 7 + KEPT_WORDS)
  const kept = makeKept(site, flows, 7)
  const phase = flows.word(0)
  // srp: flits of the piece that is reserved, of its message behind that; speculative packets that were not answered
  const left = flows.word(1)
  const rest = flows.word(2)
  const open = flows.word(3)
  // when the reservation was sent, its flits, and the first cycle of the grant
  const asked = flows.word(4)
  const reserved = flows.word(5)
  const start = flows.word(6)
  // [endpoint] -> first cycle of its channel that nobody has; speculative packets sent and dropped
  const next = site.column(rows)
  const sent = site.column(rows)
  const dropped = site.column(rows)

  function rowOf(e: number, to: number): number {
    return flows.count(e) === 0 ? -1 : flows.find(e, to)
  }

  function ask(e: number, row: number, flits: number, now: number): void {
    asked[row] = now
    reserved[row] = flits
    site.send(e, flows.to(row), RESERVATION, flits, 1, site.firstClass + CLASS.reservations)
  }

  /** srp: a message of so many flits, or its next piece. */
  function begin(e: number, row: number, flits: number, now: number): void {
    left[row] = flits < p.chunk ? flits : p.chunk
    rest[row] = flits - left[row]!
    phase[row] = PHASE.speculates
    ask(e, row, left[row]!, now)
    site.wake(e)
  }

  /** The first message of an idle flow is reserved when it is created, those behind it when they are at the front of the queue. */
  function generated(e: number, to: number, flits: number, now: number): void {
    if (flits >= p.least && flows.find(e, to) < 0) first(e, to, flits, now)
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

  function mayInject(e: number, to: number, _flits: number, now: number): number {
    const row = rowOf(e, to)
    if (row < 0) return 0
    // what was dropped goes before what is new
    if (!SRP) return now + FAR
    // behind a message that is not done: short ones may go
    if (left[row]! <= 0) return site.message() < p.least ? 0 : now + FAR
    if (phase[row] === PHASE.waits) return now + FAR
    // the reservation goes ahead
    if (phase[row] === PHASE.speculates) return asked[row]! < now ? 0 : now + 1
    return start[row]! <= now ? 0 : start[row]!
  }

  function vcClass(e: number, to: number, now: number): number {
    if (!SRP) return speculative
    const row = rowOf(e, to)
    if (row < 0) return site.message() >= p.least && first(e, to, site.message(), now) ? speculative : PLAIN_RIDE
    return left[row]! > 0 && phase[row] === PHASE.speculates ? speculative : PLAIN_RIDE
  }

  function injected(e: number, to: number, packet: number, now: number): void {
    if (packets.number(packet) === AGAIN) {
      packets.setNumber(packet, 0)
      return
    }
    const isSpeculative = packets.kind(packet) === SPECULATIVE
    if (isSpeculative) sent[e]!++
    if (!SRP) return
    const row = rowOf(e, to)
    if (row < 0 || left[row]! <= 0) return
    left[row]! -= packets.flits(packet)
    if (isSpeculative) open[row]!++
    done(e, row, now)
  }

  /** srp: a piece is done when each of its packets was confirmed or sent as data. */
  function done(e: number, row: number, now: number): void {
    if (phase[row] === PHASE.idle || left[row]! > 0 || open[row]! > 0 || kept.head(row) !== 0) return
    phase[row] = PHASE.idle
    // the last packet of a piece may be longer than what was left of it
    const more = rest[row]! + left[row]!
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
        open[row]!--
        done(e, row, now)
      } else grant(e, row, packets.value(packet), now)
    }
    return false
  }

  /** A grant is as old as half of the way there and back. */
  function grant(e: number, row: number, at: number, now: number): void {
    const early = at - ((now - asked[row]!) >> 1)
    phase[row] = PHASE.granted
    start[row] = early > now ? early : now
    flush(e, row, now)
  }

  function drop(e: number, to: number, packet: number, now: number): void {
    dropped[e]!++
    let row = rowOf(e, to)
    if (row < 0) row = openRow(e, to)
    if (row < 0) {
      // no row is left: as data, at once
      resend(e, packet)
      return
    }
    kept.push(row, packet)
    if (SRP) {
      open[row]!--
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
    site.again(e, packet, ride(OWN_CLASS, KIND.data))
  }

  /** Sends again what may go, and sees to the rest. */
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
        if (start[row]! > now) {
          site.wakeAt(e, start[row]!)
          return
        }
        if (!SRP && reserved[row]! <= 0) break
        reserved[row]! -= packets.answered(packet)
      }
      kept.pop(row)
      resend(e, packet)
    }
    if (SRP) done(e, row, now)
    else if (kept.head(row) === 0) {
      if (LHRP || (phase[row] === PHASE.granted && start[row]! <= now)) flows.close(e, flows.to(row))
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
        add(site.outer(e), next[e]!, sent[e]! * 65536 + dropped[e]!)
        for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size)
          if (flows.to(row) >= 0) {
            const key = site.outer(e) * site.ends + flows.to(row)
            add(key, phase[row]! * 65536 + rest[row]!, left[row]! * 256 + open[row]!)
            add(key, asked[row]!, kept.flits(row))
          }
      }
    },
    values() {
      let [all, lost] = [0, 0]
      for (let e = 0; e < rows; e++) {
        all += sent[e]!
        lost += dropped[e]!
      }
      return { "speculative.sent": all, "speculative.dropped": lost }
    },
  }
}
