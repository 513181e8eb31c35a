// The clocked engine for switches that move whole packets: wires, credits, endpoints, time. What happens inside a router is the switch's
// (fabric/transfer.ts). Due events are bits of ports and endpoints in a wheel, visited in rising order, and what belongs to them waits in order
// (flights, credits): nothing depends on the order in which events were made, so any partition gives the same bits.
//
// Every part is a closure over constants and columns on purpose, as ../loop.ts.
import type { TransferSwitch } from "../../../fabric/transfer.ts"
import { makeBirths } from "../births.ts"
import type { ClockedLoop } from "../clocked.ts"
import { makeCounting } from "../counting.ts"
import { makeOutbox } from "../outbox.ts"
import { makeDelivery } from "./delivery.ts"
import { makeDue } from "./due.ts"
import { makeInjection } from "./injection.ts"
import { makeMessages } from "./messages.ts"
import { makeRecords } from "./records.ts"
import type { TransferLoopSpec } from "./spec.ts"
import { makeVerdicts } from "./verdict.ts"
import { makeWires } from "./wires.ts"

export interface TransferLoop extends ClockedLoop {
  readonly sw: TransferSwitch
}

export function makeTransferLoop(spec: TransferLoopSpec): TransferLoop {
  const { link: LINK, core: CORE } = spec.clock
  const counting = makeCounting(spec)
  const outbox = makeOutbox(spec, spec.layout.parts, receive)
  const births = makeBirths(spec, wants)
  const records = makeRecords(spec, outbox)
  const wires = makeWires(spec, outbox)
  const sw = spec.makeSwitch({ launch: wires.launch, giveBack: wires.giveBack, record: records.record, discard: records.discard })
  const messages = makeMessages(spec, births, counting)
  const injection = makeInjection(spec, wires, records, messages, counting)
  const verdicts = makeVerdicts(spec)
  const deliver = makeDelivery(spec, records, verdicts, injection, counting)
  const due = makeDue(spec, wires, sw, deliver)
  const { fly, creditOn } = wires
  const { dueCredits, dueArrivals, dueAtEnds } = due
  const { link, core } = sw
  const { inject } = injection
  const wakeSources = births.wake

  /** What another partition sent: a packet or a credit. */
  function receive(at: number, id: number, value: number): void {
    if (id >= 0) fly(id, value, at)
    else creditOn(~id, value, at)
  }

  /** A source of this endpoint has something to send. */
  function wants(e: number): void {
    injection.due(e)
  }

  function enter(part: number): void {
    counting.enter(part)
    births.enter(part)
    records.enter(part)
    wires.enter(part)
    injection.enter(part)
    verdicts.enter(part)
    due.enter(part)
  }

  function run(part: number, t: number, end: number): void {
    enter(part)
    outbox.enter(part, t)
    sw.enter(part)
    let s = Math.ceil((t * LINK) / CORE)
    for (; t < end; t++) {
      dueCredits(t)
      dueArrivals(t)
      wakeSources(t)
      dueAtEnds(t)
      link(t)
      inject(t)
      for (const next = (t + 1) * LINK; s * CORE < next; s++) core(s, t)
    }
  }

  function collect(part: number, parity: number): void {
    enter(part)
    outbox.collect(part, parity)
    records.collect(part, parity)
  }

  return { run, collect, start: births.start, sw }
}
