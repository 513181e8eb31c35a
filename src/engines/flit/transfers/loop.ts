// The clocked engine for switches that move whole packets: wires, credits, endpoints, time. What happens inside a router is the switch's
// (fabric/transfer.ts). Due events are bits of ports and endpoints in a wheel, visited in rising order, and what belongs to them waits in order
// (flights, credits): nothing depends on the order in which events were made, so any partition gives the same bits.
//
// Every part is a closure over constants and columns on purpose, as ../loop.ts.
import { scratch } from "../../../fabric/columns.ts"
import { HEARS } from "../../../fabric/packets.ts"
import type { TransferSwitch } from "../../../fabric/transfer.ts"
import type { EndpointProtocol } from "../../../model/protocol.ts"
import { makeBirths } from "../births.ts"
import type { ClockedLoop } from "../clocked.ts"
import { makeCounting } from "../counting.ts"
import { makeFacts } from "../facts.ts"
import { makeOutbox } from "../outbox.ts"
import { makeControl } from "./control.ts"
import { makeDelivery } from "./delivery.ts"
import { makeDue } from "./due.ts"
import { makeEntry } from "./entry.ts"
import { makeInjection } from "./injection.ts"
import { makeMade } from "./made.ts"
import { makeMessages } from "./messages.ts"
import { makeRecords } from "./records.ts"
import { makeRankSeat, type RankSeat } from "./seat.ts"
import { makeSparse } from "./sparse.ts"
import type { TransferLoopSpec } from "./spec.ts"
import { makeVerdicts } from "./verdict.ts"
import { makeWakes } from "./wakes.ts"
import { makeWires } from "./wires.ts"

export interface TransferLoop extends ClockedLoop {
  readonly sw: TransferSwitch
  readonly protocol: EndpointProtocol | undefined
  readonly seat: RankSeat | undefined
}

export function makeTransferLoop(spec: TransferLoopSpec): TransferLoop {
  const { link: LINK, core: CORE } = spec.clock
  const { tells: TELLS } = spec.constants
  const counting = makeCounting(spec)
  const facts = makeFacts(spec)
  const { ON: FACTS, tick } = facts
  const outbox = makeOutbox(spec, spec.layout.parts, spec.layout.parts, receive)
  const births = makeBirths(spec, wants)
  const records = makeRecords(spec, outbox)
  const wires = makeWires(spec, outbox)
  const made = makeMade(spec, records, facts)
  const { launch, giveBack, giveBackLane, tell } = wires
  const { answer, make, note } = made
  const { record, discard } = records
  const told = FACTS ? { fact: facts.fact } : {}
  const sw = spec.makeSwitch({ launch, giveBack, giveBackLane, record, discard, answer, make, note, tell, ...told })
  const wakes = makeWakes(spec)
  const asked = scratch(2)
  const entry = makeEntry(spec, wakes)
  const control = makeControl(spec, records, made, wakes, counting, facts, asked, entry)
  const protocol = spec.makeProtocol?.(control.site)
  const seat = spec.ranks === undefined ? undefined : makeRankSeat(spec, spec.ranks.plan, spec.ranks.columns, outbox, handed)
  const messages = makeMessages(spec, births, counting, protocol, seat)
  const injection = makeInjection(spec, wires, records, messages, counting, facts, wakes, entry, protocol, asked, seat)
  const verdicts = makeVerdicts(spec)
  const delivery = makeDelivery(spec, records, verdicts, control, wakes, counting, facts, protocol, seat)
  const due = makeDue(spec, wires, sw, delivery, entry)
  const { fly, creditOn, hearAt } = wires
  const { dueCredits, dueArrivals, dueMessages, dueAtEnds } = due
  const { link, core } = sw
  const { inject } = injection
  const { dueTimers } = wakes
  const TIMERS = protocol?.due !== undefined
  const RANKS = seat !== undefined
  const wakeSources = births.wake

  /** What another partition sent: a packet or a credit. */
  function receive(at: number, id: number, value: number): void {
    if (id < 0) creditOn(~id, value, at)
    else if (id < HEARS) fly(id, value, at)
    else hearAt(id - HEARS, value, at)
  }

  /** A source of this endpoint has something to send. */
  function wants(e: number, stream: number): void {
    injection.due(e, stream)
  }

  /** A rank has handed over a message. */
  function handed(e: number): void {
    injection.due(e, spec.ranks!.stream)
  }

  function timer(e: number, t: number): void {
    protocol!.due!(e, t)
  }

  function enter(part: number): void {
    counting.enter(part)
    facts.enter(part)
    births.enter(part)
    records.enter(part)
    made.enter(part)
    wires.enter(part)
    wakes.enter(part)
    injection.enter(part)
    verdicts.enter(part)
    due.enter(part)
    seat?.enter(part)
  }

  function run(part: number, t: number, end: number): void {
    enter(part)
    outbox.enter(part, t)
    sw.enter(part)
    wakes.begin(t)
    let s = Math.ceil((t * LINK) / CORE)
    for (; t < end; t++) {
      if (FACTS) tick(t)
      dueCredits(t)
      if (TELLS) dueMessages(t)
      dueArrivals(t)
      wakeSources(t)
      dueAtEnds(t)
      if (RANKS) seat!.due(t)
      if (TIMERS) dueTimers(t, timer)
      link(t)
      inject(t)
      for (const next = (t + 1) * LINK; s * CORE < next; s++) core(s, t)
    }
  }

  /** The same where switches say when they have something to do. */
  function runSparse(part: number, t: number, end: number): void {
    enter(part)
    outbox.enter(part, t)
    sw.enter(part)
    wakes.begin(t)
    sparse!(part, t, end)
  }

  function collect(part: number, parity: number): void {
    enter(part)
    outbox.collect(part, parity)
    records.collect(part, parity)
    seat?.collect(part, parity)
  }

  function start(part: number): void {
    births.start(part)
    if (!RANKS) return
    // what ranks do before the first cycle may already be handed over
    enter(part)
    seat!.start(part)
  }

  const rare = sw.due !== undefined && LINK === CORE && !FACTS && !TELLS && !RANKS && !TIMERS
  const sparse = rare ? makeSparse(spec, due, births, injection, sw, sw.due!) : undefined

  return { run: sparse === undefined ? run : runSparse, collect, start, sw, protocol, seat }
}
