// The clocked engine for switches that move whole packets (virtual cut-through). `makeTransferLoop` assembles the
// stages and runs them in a fixed order in each link cycle:
//   1. due credits, 2. messages between neighbours, 3. arrivals at routers, 4. packet generation, 5. events at
//   endpoints, 6. events of ranks, 7. protocol timers, 8. the link stage of switches, 9. injection, 10. core steps of
//   switches.
// It models links, credits, endpoints and time. A switch (fabric/transfer.ts) models the inside of routers. engine.ts
// calls `run`, `collect` and `start`.
//
// A due event is the bit of a port or endpoint in a timing wheel. Bits are visited in ascending order, and the packets
// or credits of a port wait in a queue (links.ts). Nothing depends on the order in which events were created, so every
// partitioning gives identical results.
//
// All stages are closures over constants and columns, as in ../loop.ts.
import { scratch } from "../../../fabric/columns.ts"
import { HEARS } from "../../../fabric/packets.ts"
import type { TransferSwitch } from "../../../fabric/transfer.ts"
import type { EndpointProtocol } from "../../../model/protocol.ts"
import type { ClockedLoop } from "../clocked.ts"
import { makeCounting } from "../counting.ts"
import { makeGeneration } from "../generation.ts"
import { makeOutbox } from "../outbox.ts"
import { makeTracing } from "../trace.ts"
import { makeControl } from "./control.ts"
import { makeDelivery } from "./delivery.ts"
import { makeDue } from "./due.ts"
import { makeEntry } from "./entry.ts"
import { makeInjection } from "./injection.ts"
import { makeLinks } from "./links.ts"
import { makeMade } from "./made.ts"
import { makeMessages } from "./messages.ts"
import { makeRankAdapter, type RankAdapter } from "./rank-adapter.ts"
import { makeRecords } from "./records.ts"
import { makeSparse } from "./sparse.ts"
import type { TransferLoopSpec } from "./spec.ts"
import { makeVerdicts } from "./verdict.ts"
import { makeWakes } from "./wakes.ts"

export interface TransferLoop extends ClockedLoop {
  readonly sw: TransferSwitch
  readonly protocol: EndpointProtocol | undefined
  readonly rankAdapter: RankAdapter | undefined
}

export function makeTransferLoop(spec: TransferLoopSpec): TransferLoop {
  const { link: LINK, core: CORE } = spec.clock
  const { tells: TELLS } = spec.constants
  const counting = makeCounting(spec)
  const tracing = makeTracing(spec)
  const { ON: TRACES, tick } = tracing
  const outbox = makeOutbox(spec, spec.layout.parts, spec.layout.parts, receive)
  const generation = makeGeneration(spec, wants)
  const records = makeRecords(spec, outbox)
  const links = makeLinks(spec, outbox)
  const made = makeMade(spec, records, tracing)
  const { transmit, returnCredit, returnVlCredit, sendToNeighbour } = links
  const { answer, trim, make, note } = made
  const { record, discard } = records
  const told = TRACES ? { traceEvent: tracing.traceEvent } : {}
  // Without a trace probe, switches get no `traceEvent`, so that their tracing code is dead.
  const sw = spec.makeSwitch({
    transmit,
    returnCredit,
    returnVlCredit,
    record,
    discard,
    answer,
    trim,
    make,
    note,
    sendToNeighbour,
    ...told,
  })
  const wakes = makeWakes(spec)
  const asked = scratch(2)
  const entry = makeEntry(spec, wakes)
  const control = makeControl(spec, records, made, wakes, counting, tracing, asked, entry)
  const protocol = spec.makeProtocol?.(control.site)
  const rankAdapter =
    spec.ranks === undefined ? undefined : makeRankAdapter(spec, spec.ranks.plan, spec.ranks.columns, outbox, handed)
  const messages = makeMessages(spec, generation, counting, protocol, rankAdapter)
  const injection = makeInjection(
    spec,
    links,
    records,
    messages,
    counting,
    tracing,
    wakes,
    entry,
    protocol,
    asked,
    rankAdapter,
  )
  const verdicts = makeVerdicts(spec)
  const delivery = makeDelivery(spec, records, verdicts, control, wakes, counting, tracing, protocol, rankAdapter)
  const due = makeDue(spec, links, sw, delivery, entry)
  const { fly, creditOn, receiveAt } = links
  const { dueCredits, dueArrivals, dueMessages, dueAtEnds } = due
  const { link, core } = sw
  const { inject } = injection
  const { dueTimers } = wakes
  const TIMERS = protocol?.due !== undefined
  const RANKS = rankAdapter !== undefined
  const wakeSources = generation.wake

  /**
   * Files an entry from another partition: a packet, a credit (~id) or a message between neighbours (large ids).
   */
  function receive(at: number, id: number, value: number): void {
    if (id < 0) creditOn(~id, value, at)
    else if (id < HEARS) fly(id, value, at)
    else receiveAt(id - HEARS, value, at)
  }

  /** Called when a source of this endpoint creates a message. */
  function wants(e: number, stream: number): void {
    injection.due(e, stream)
  }

  /** Called when a rank passes a message to its endpoint. */
  function handed(e: number): void {
    injection.due(e, spec.ranks!.stream)
  }

  function timer(e: number, t: number): void {
    protocol!.due!(e, t)
  }

  function enter(part: number): void {
    counting.enter(part)
    tracing.enter(part)
    generation.enter(part)
    records.enter(part)
    made.enter(part)
    links.enter(part)
    wakes.enter(part)
    injection.enter(part)
    verdicts.enter(part)
    due.enter(part)
    rankAdapter?.enter(part)
  }

  function run(part: number, t: number, end: number): void {
    enter(part)
    outbox.enter(part, t)
    sw.enter(part)
    wakes.begin(t)
    // Core step s runs in the link cycle t with t * LINK <= s * CORE < (t + 1) * LINK.
    let s = Math.ceil((t * LINK) / CORE)
    for (; t < end; t++) {
      if (TRACES) tick(t)
      dueCredits(t)
      if (TELLS) dueMessages(t)
      dueArrivals(t)
      wakeSources(t)
      dueAtEnds(t)
      if (RANKS) rankAdapter!.due(t)
      if (TIMERS) dueTimers(t, timer)
      link(t)
      inject(t)
      for (const next = (t + 1) * LINK; s * CORE < next; s++) core(s, t)
    }
  }

  /** The same loop for switches that report when they have work (sparse.ts). */
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
    rankAdapter?.collect(part, parity)
  }

  function start(part: number): void {
    generation.start(part)
    if (!RANKS) return
    // Ranks may send messages before the first cycle.
    enter(part)
    rankAdapter!.start(part)
  }

  // The sparse loop supports one clock and none of the optional stages.
  const rare = sw.due !== undefined && LINK === CORE && !TRACES && !TELLS && !RANKS && !TIMERS
  const sparse = rare ? makeSparse(spec, due, generation, injection, sw, sw.due!) : undefined

  return { run: sparse === undefined ? run : runSparse, collect, start, sw, protocol, rankAdapter }
}
