// The source of a flow with pulled credits: its credit, its pull target, and the life of its row (protocol.ts).
import type { EndpointSite } from "../../model/protocol.ts"
import { eachFlow, makeFlows } from "../flows.ts"
import { above, FIRST, LIVES, lifeOf, NO_FLOW, REQUEST, SUM, SUM_BITS, type UecCredits } from "./words.ts"

/** A cycle far in the future: the flow waits for an event. */
const FAR = 0x10000000

export interface Source {
  readonly columns: Readonly<Record<string, Int32Array>>
  mayInject(e: number, to: number, f: number, now: number): number
  injected(e: number, to: number, packet: number, now: number): void
  generated(e: number, to: number, flits: number, now: number): void
  headerReturned(e: number, to: number, flits: number, now: number): void
  /** A pull has arrived, or with `credits` false the acknowledgement of a first packet. */
  pulled(e: number, from: number, word: number, credits: boolean, now: number): void
  /** Ends silent flows, and repeats the targets of those that wait. Returns the cycle of the next check, 0: never. */
  check(e: number, now: number): number
  digest(add: (key: number, value: number, more?: number) => void): void
}

export function makeSource(site: EndpointSite, p: UecCredits): Source {
  const { packets, rows, maxPacket } = site
  const flows = makeFlows(rows, Math.min(p.flows, site.ends), site.column, 8)
  /** [row] -> flits to send, credit (a packet may overdraw it), sum of pulls, 1 while the first credit is there */
  const queued = flows.word(0)
  const credit = flows.word(1)
  const sum = flows.word(2)
  const first = flows.word(3)
  const life = flows.word(4)
  const last = flows.word(5)
  /** [row] -> 1 if it can send; [endpoint] -> number of such rows; lives that have started; cycle of the next check */
  const ready = flows.word(6)
  /** [row] -> the last target that it announced */
  const said = flows.word(7)
  const sending = site.column(rows)
  const lives = site.column(rows)
  const checkAt = site.column(rows)

  function rowOf(e: number, to: number): number {
    return flows.count(e) === 0 ? -1 : flows.find(e, to)
  }

  function count(e: number, row: number): void {
    const can = credit[row] > 0 && queued[row] > 0 ? 1 : 0
    sending[e] += can - ready[row]
    ready[row] = can
  }

  /** Starts a flow with speculative credit. Returns -1 if no row is left. */
  function start(e: number, to: number, now: number): number {
    const row = flows.open(e, to)
    if (row < 0) return -1
    queued[row] = 0
    credit[row] = p.most
    sum[row] = 0
    first[row] = 1
    said[row] = 0
    lives[e] = (lives[e] + 1) & LIVES
    life[row] = lives[e]
    last[row] = now
    ready[row] = 0
    if (checkAt[e] <= now) {
      checkAt[e] = now + p.silent
      site.wakeAt(e, checkAt[e])
    }
    return row
  }

  /** Returns the word that announces the pull target. */
  function target(e: number, row: number): number {
    let more = (queued[row] < p.most ? queued[row] : p.most) - credit[row]
    if (first[row] !== 0 && more < maxPacket && queued[row] > 0) more = maxPacket
    const others = sending[e] - ready[row]
    if (others > 0) more = Math.trunc(more / (others + 1))
    more = p.unit * Math.ceil(more / p.unit)
    said[row] = (first[row] !== 0 ? FIRST : 0) | (life[row] << SUM_BITS) | ((sum[row] + more) & SUM)
    return said[row]
  }

  function request(e: number, row: number, word: number): void {
    site.send(e, flows.to(row), REQUEST, word, 1, site.firstClass)
  }

  function lapse(row: number): void {
    if (first[row] === 0) return
    first[row] = 0
    if (credit[row] > 0) credit[row] = 0
  }

  return {
    columns: { ...flows.columns, sending, lives, checkAt },
    mayInject(e, to, f, now) {
      const row = rowOf(e, to)
      if (row < 0 || credit[row] > 0) return 0
      // Messages that found no row used the credits of this one, so it must request more.
      if (queued[row] < f) {
        queued[row] = f
        request(e, row, target(e, row))
      }
      return now + FAR
    },
    injected(e, to, packet, now) {
      const row = rowOf(e, to)
      if (row < 0) {
        packets.setValue(packet, NO_FLOW)
        return
      }
      const f = packets.flits(packet)
      queued[row] = queued[row] > f ? queued[row] - f : 0
      credit[row] -= f
      last[row] = now
      packets.setValue(packet, target(e, row))
      count(e, row)
    },
    generated(e, to, flits, now) {
      let row = rowOf(e, to)
      if (row < 0) row = start(e, to, now)
      // No row is left: the flow sends without credits.
      if (row < 0) return
      const idle = queued[row] === 0
      // A flow that waits for a pull must not look alive because of new messages.
      if (idle) last[row] = now
      queued[row] += flits
      if (idle && credit[row] <= 0) request(e, row, target(e, row))
      count(e, row)
    },
    headerReturned(e, to, flits, now) {
      const known = rowOf(e, to)
      const row = known < 0 ? start(e, to, now) : known
      if (row < 0) return
      if (known >= 0) lapse(row)
      queued[row] += flits
      last[row] = now
      // The destination has seen no header, so it does not know that it must send a pull.
      if (site.lossTimer !== undefined && site.lossTimer > 0 && credit[row] <= 0) request(e, row, target(e, row))
      count(e, row)
    },
    pulled(e, from, word, credits, now) {
      const row = rowOf(e, from)
      if (row < 0 || lifeOf(word) !== life[row]) return
      lapse(row)
      const more = credits ? above(word, sum[row]) : 0
      if (more > 0) {
        sum[row] = (sum[row] + more) & SUM
        const sure = credit[row] + more
        credit[row] = sure < p.most ? sure : p.most
        last[row] = now
        site.wake(e)
      }
      count(e, row)
    },
    check(e, now) {
      if (flows.count(e) === 0) return 0
      if (checkAt[e] > now) return checkAt[e]
      let next = 0
      for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size) {
        if (flows.to(row) < 0) continue
        if (last[row] + p.silent <= now) {
          if (queued[row] === 0) {
            flows.close(e, flows.to(row))
            continue
          }
          last[row] = now
          if (credit[row] <= 0) request(e, row, said[row])
        }
        const at = last[row] + p.silent
        if (next === 0 || at < next) next = at
      }
      checkAt[e] = next
      return next
    },
    digest(add) {
      for (let e = 0; e < rows; e++) if (site.outer(e) >= 0) add(site.outer(e) ^ 0x5bd1e995, lives[e])
      eachFlow(site, flows, (key, row) => {
        add(key, queued[row], credit[row])
        add(key + 1, sum[row] + first[row] * FIRST, last[row])
      })
    },
  }
}
