// Selective repeat for switches that trim packets (switches/combined/trimming.ts). A trimmed header arrives at the
// destination, which returns it to the source. The source sends exactly this packet again, before new packets of the
// flow, as soon as the protocol permits (`mayInject`). The protocol learns of it by `headerReturned`. It needs a class of
// control packets as its first class.
//
// If switches drop packets instead (`EndpointSite.lossTimer`), the destination gets no notice of a lost packet, and the
// source ignores its record until a timer expires. A flow has one timer, which starts with the first record that comes
// back; all lost packets of the flow go again when it expires. New packets leave meanwhile.
//
// A header travels in the record of its packet, and the source holds the record until it sends the packet again. Each
// packet therefore exists once: it arrives exactly once, in any order.
import { type EndpointProtocol, type EndpointSite, PLAIN_CLASS, RETURNED, TRIMMED } from "../model/protocol.ts"
import { eachFlow, makeFlows } from "./flows.ts"
import { makeRetransmitQueue, RETRANSMIT_WORDS } from "./reservation/retransmit-queue.ts"

/** Number of a packet that is sent again. */
const AGAIN = -1
/** Later cycles mean that the flow waits for an event. */
const FAR = 0x8000000

/** Returns the protocol with selective repeat; `flowsOfEnd`: flows of an endpoint that may wait to send again. */
export function withRepeats(site: EndpointSite, inner: EndpointProtocol, flowsOfEnd: number): EndpointProtocol {
  if (site.trims !== true) return inner
  const { packets, rows } = site
  const TIMER = site.lossTimer ?? 0
  const words = 1 + RETRANSMIT_WORDS + (TIMER > 0 ? 1 + RETRANSMIT_WORDS : 0)
  const flows = makeFlows(rows, Math.min(flowsOfEnd, site.ends), site.column, words)
  /** [row] -> 1 while a packet of the flow waits for the channel */
  const released = flows.word(0)
  const queue = makeRetransmitQueue(site, flows, 1)
  /** with a timer: packets that the source does not know to be lost yet, and the cycle in which it expires */
  const unnoticed = TIMER > 0 ? makeRetransmitQueue(site, flows, 1 + RETRANSMIT_WORDS) : undefined
  const expires = flows.word(words - 1)
  const resent = site.column(rows)

  function rowOf(e: number, to: number): number {
    return flows.count(e) === 0 ? -1 : flows.find(e, to)
  }

  function mayInject(e: number, to: number, flits: number, now: number): number {
    const row = rowOf(e, to)
    // A row without packets to send again only has a timer.
    const first = row >= 0 && (unnoticed === undefined || released[row] !== 0 || queue.head(row) !== 0)
    return first ? now + 2 * FAR : (inner.mayInject?.(e, to, flits, now) ?? 0)
  }

  function lost(e: number, packet: number, now: number): void {
    const to = packets.src(packet)
    inner.headerReturned?.(e, to, packets.answered(packet), now, packets.value(packet))
    const row = flows.open(e, to)
    if (row < 0) {
      send(e, packet)
      return
    }
    queue.push(row, packet)
    flush(e, row, now)
  }

  /** Keeps the record of a lost packet until the timer of its flow expires. */
  function hold(e: number, packet: number, now: number): void {
    const row = flows.open(e, packets.src(packet))
    if (row < 0) {
      lost(e, packet, now)
      return
    }
    if (unnoticed!.head(row) === 0) {
      expires[row] = now + TIMER
      site.wakeAt(e, expires[row])
    }
    unnoticed!.push(row, packet)
  }

  /** Queues the lost packets of a flow whose timer has expired; otherwise sets the timer of the endpoint again. */
  function expire(e: number, row: number, now: number): void {
    if (unnoticed!.head(row) === 0) return
    if (expires[row] > now) {
      site.wakeAt(e, expires[row])
      return
    }
    for (let packet = unnoticed!.head(row); packet !== 0; packet = unnoticed!.head(row)) {
      unnoticed!.pop(row)
      inner.headerReturned?.(e, flows.to(row), packets.answered(packet), now, packets.value(packet))
      queue.push(row, packet)
    }
  }

  function send(e: number, packet: number): void {
    packets.setNumber(packet, AGAIN)
    resent[e]++
    site.retransmit(e, packet, PLAIN_CLASS)
  }

  /** Releases the next packet of a flow if the protocol permits; closes a flow without packets. */
  function flush(e: number, row: number, now: number): void {
    if (released[row] !== 0) return
    const to = flows.to(row)
    const packet = queue.head(row)
    if (packet === 0) {
      if (unnoticed !== undefined && unnoticed.head(row) !== 0) return
      flows.close(e, to)
      site.wake(e)
      return
    }
    const wait = inner.mayInject?.(e, to, packets.answered(packet), now) ?? 0
    if (wait === 0) {
      queue.pop(row)
      released[row] = 1
      send(e, packet)
    } else if (wait < now + FAR) site.wakeAt(e, wait)
  }

  function injected(e: number, to: number, packet: number, now: number): void {
    const again = packets.number(packet) === AGAIN
    if (again) packets.setNumber(packet, 0)
    inner.injected?.(e, to, packet, now)
    const row = again ? rowOf(e, to) : -1
    if (row < 0) return
    released[row] = 0
    flush(e, row, now)
  }

  function received(e: number, packet: number, now: number): boolean {
    const kind = packets.kind(packet)
    if (kind === TRIMMED) {
      if (unnoticed === undefined && inner.headerArrived?.(e, packet, now) === true) return true
      const value = packets.value(packet)
      site.recall(e, packet, RETURNED, site.firstClass)
      packets.setValue(packet, value)
      return true
    }
    if (kind === RETURNED) {
      if (unnoticed === undefined) lost(e, packet, now)
      else hold(e, packet, now)
      return true
    }
    const from = packets.src(packet)
    const keeps = inner.received?.(e, packet, now) ?? false
    const row = rowOf(e, from)
    if (row >= 0) flush(e, row, now)
    return keeps
  }

  function due(e: number, now: number): void {
    inner.due?.(e, now)
    for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size)
      if (flows.to(row) >= 0) {
        if (unnoticed !== undefined) expire(e, row, now)
        flush(e, row, now)
      }
  }

  return {
    ...inner,
    columns: {
      ...inner.columns,
      ...Object.fromEntries(Object.entries(flows.columns).map(([name, column]) => [`repeats.${name}`, column])),
      resent,
    },
    mayInject,
    injected,
    received,
    due,
    kept: () => (inner.kept?.() ?? 0) + queue.count() + (unnoticed?.count() ?? 0),
    digest(add, now) {
      inner.digest?.(add, now)
      eachFlow(site, flows, (key, row) => add(key ^ 0x1b873593, queue.flits(row), released[row]))
      if (unnoticed !== undefined)
        eachFlow(site, flows, (key, row) => add(key ^ 0x38b34ae5, unnoticed.flits(row), expires[row]))
      for (let e = 0; e < rows; e++) if (site.outer(e) >= 0) add(site.outer(e) ^ 0x2c1b3c6d, resent[e])
    },
    values: (now) => ({
      ...inner.values?.(now),
      "trim.resent": resent.reduce((a, b) => a + b, 0),
    }),
  }
}
