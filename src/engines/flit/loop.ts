// One cycle of the clocked engine: credits, arrivals, injection, then the core steps of the switch. It owns the wires between routers
// and the endpoints; what happens inside a router is the switch's (fabric/switch.ts).
//
// This is a closure over constants and columns on purpose: while a function has a single closure V8 folds both into its machine code
// (bench/micro/closure.ts). Every long simulation therefore gets an isolate of its own.

import { scratch } from "../../fabric/columns.ts"
import type { FlitSwitch, Wires } from "../../fabric/switch.ts"
import { makeBirths } from "./births.ts"
import type { ClockedLoop } from "./clocked.ts"
import { makeCounting } from "./counting.ts"
import { makeDelivery } from "./delivery.ts"
import { makeDue } from "./due.ts"
import { makeFacts } from "./facts.ts"
import { makeInjection } from "./injection.ts"
import { firstPart, makeOutbox, workersOf } from "./outbox.ts"
import { makeRecords } from "./records.ts"
import type { LoopSpec } from "./spec.ts"
import { makeRankSeat, type RankSeat } from "./transfers/seat.ts"

export interface Loop extends ClockedLoop {
  readonly sw: FlitSwitch
  readonly seat: RankSeat | undefined
}

export function makeLoop(spec: LoopSpec): Loop {
  const { layout, constants, columns } = spec
  const { LV, NOV, ends: N, down, up, latency, upLatency, downPart, upPart, parts, RS } = layout
  const { flitAt, flitPacket, flitCount, creditAt, creditCount, waiting, ready, portFlits } = columns
  const { held: HELD, heldCredit, wheelMask: WM, flitRoom: FLITS, creditRoom: CREDITS, workers: WORKERS } = constants
  const { speed, traverse: X, creditDelay, queued: QUEUED, batch: BATCH, retention: RETAIN } = spec
  const ONE = parts === 1
  const SOLO = WORKERS === 1
  const WORKER = workersOf(parts, WORKERS)
  const VMASK = (1 << LV) - 1
  const RELEASE = NOV + (N << LV)
  const nextOut = QUEUED ? columnOf("nextOut") : scratch(1)
  const nextCredit = QUEUED ? columnOf("nextCredit") : scratch(1)
  const creditStep = QUEUED ? columnOf("creditStep") : scratch(1)
  // the partition that is running, its worker with its first partition and the first behind its last, its wheel
  let me = 0
  let worker = 0
  let mine = 0
  let beyond = parts
  let wheel = 0
  let step = 0

  // cycles from the grant to the arrival, and from there to the credit's
  const flight = latency.map((l) => l + 1 + X) as Uint16Array
  const back = upLatency.map((l, port) => l + 1 + (up[port]! < NOV ? creditDelay : 0)) as Uint16Array

  function columnOf(name: "nextOut" | "nextCredit" | "creditStep"): Int32Array {
    return columns[name]
  }

  const counting = makeCounting(spec)
  const facts = makeFacts(spec)
  const { ON: FACTS, tick } = facts
  const outbox = makeOutbox(spec, WORKERS, constants.boxRow, receive)
  const { post } = outbox
  const births = makeBirths(spec, wants)
  const records = makeRecords(spec, outbox)
  // records of ranks go home between partitions, whoever runs them
  let homes = 0
  const homeTo = { boxTo: (part: number) => homes + part }
  const seat = spec.ranks === undefined ? undefined : makeRankSeat(spec, spec.ranks.plan, spec.ranks.columns, homeTo, wants)
  const RANKS = seat !== undefined
  const injection = makeInjection(spec, records, births, counting, facts, seat)
  const { deliver, deliverHeld } = makeDelivery(spec, records, births, counting, facts, seat)

  /** A source of this endpoint has something to send. */
  function wants(node: number): void {
    const b = 1 << (node & 31)
    waiting[node >> 5]! |= b
    ready[node >> 5]! |= b
  }

  // ---- wires

  /** cycle in which absolute core step s runs */
  function cycleOf(s: number): number {
    return Math.ceil((s + 1) / speed) - 1
  }

  /** A flit won its way to output VC `ov` at cycle t: put it on the wire, or hand it to its endpoint. `packet` >= 0 only for a head. */
  function send(ov: number, packet: number, carrier: number, last: boolean, t: number): void {
    const port = ov >> LV
    let leave = t + X
    if (QUEUED) {
      leave = cycleOf(BATCH > 0 ? crossed!(port, step) : step + X)
      if (nextOut[port]! > leave) leave = nextOut[port]!
      nextOut[port] = leave + 1
    }
    const at = QUEUED ? leave + latency[port]! + 1 : t + flight[port]!
    portFlits[port]! += HELD > 0 ? HELD : 1
    if (RETAIN > 0) retain(port, QUEUED ? leave : t)
    const d = down[port]!
    if (d >= 0) {
      const far = ONE ? 0 : downPart[port]!
      if (SOLO || (far >= mine && far < beyond)) {
        const s = far * (WM + 1) + (at & WM)
        const n = flitCount[s]!
        flitAt[s * FLITS + n] = d + (ov & VMASK)
        flitPacket[s * FLITS + n] = packet
        flitCount[s] = n + 1
      } else post(WORKER[far]!, at, d + (ov & VMASK), packet)
      return
    }
    const s = (ONE ? 0 : wheel) + ((at + latency[port]! + 1 + creditDelay + heldCredit) & WM)
    const n = creditCount[s]!
    creditAt[s * CREDITS + n] = ov
    creditCount[s] = n + 1
    if (HELD > 0) deliverHeld(carrier, -1 - d, at)
    else deliver(carrier, -1 - d, at, last)
  }

  /** The flit stays in the output buffer until the far end has confirmed it: a round trip, twice the latency of the link. */
  function retain(port: number, t: number): void {
    const s = (ONE ? 0 : wheel) + ((t + Math.max(1, 2 * latency[port]!)) & WM)
    const n = creditCount[s]!
    creditAt[s * CREDITS + n] = RELEASE + port
    creditCount[s] = n + 1
  }

  /** A flit left input VC `iv`: one more free place for whoever feeds it. */
  function giveBack(iv: number, t: number): void {
    const port = iv >> LV
    let leave = t
    if (QUEUED) {
      if (creditStep[port] === step + 1) leave = nextCredit[port]! - 1
      else {
        if (nextCredit[port]! > leave) leave = nextCredit[port]!
        nextCredit[port] = leave + 1
        creditStep[port] = step + 1
      }
    }
    const u = up[port]!
    const at = leave + back[port]! + heldCredit
    const far = ONE ? 0 : upPart[port]!
    if (SOLO || (far >= mine && far < beyond)) {
      const s = far * (WM + 1) + (at & WM)
      const n = creditCount[s]!
      creditAt[s * CREDITS + n] = u + (iv & VMASK)
      creditCount[s] = n + 1
    } else post(WORKER[far]!, at, ~(u + (iv & VMASK)), -1)
  }

  const wires: Wires = { send, giveBack }
  const sw = spec.makeSwitch(wires)
  const { crossed } = sw
  const coreStep = sw.step
  const due = makeDue(spec, sw)
  const { credits, arrivals } = due
  const { inject } = injection
  const wakeSources = births.wake

  /** What another worker sent: a flit, a credit, or the record of a packet that has arrived. */
  function receive(at: number, id: number, packet: number): void {
    if (at < 0) {
      records.reclaim(packet)
      return
    }
    const s = layout.part[Math.floor((id < 0 ? ~id : id) / RS)]! * (WM + 1) + (at & WM)
    if (id >= 0) {
      const n = flitCount[s]!
      flitAt[s * FLITS + n] = id
      flitPacket[s * FLITS + n] = packet
      flitCount[s] = n + 1
    } else {
      const n = creditCount[s]!
      creditAt[s * CREDITS + n] = ~id
      creditCount[s] = n + 1
    }
  }

  // ---- time

  function enter(part: number): void {
    me = part
    worker = WORKER[part]!
    mine = firstPart(worker, parts, WORKERS)
    beyond = firstPart(worker + 1, parts, WORKERS)
    wheel = part * (WM + 1)
    births.enter(part)
    counting.enter(part)
    facts.enter(part)
    records.enter(part)
    injection.enter(part)
    due.enter(part)
    seat?.enter(part)
  }

  function cycle(t: number): void {
    if (FACTS) tick(t)
    credits(t)
    arrivals(t)
    wakeSources(t)
    if (RANKS) seat!.due(t)
    inject(t)
    const last = speed === 1 ? t + 1 : Math.floor((t + 1) * speed + 1e-9)
    for (step = speed === 1 ? t : Math.floor(t * speed + 1e-9); step < last; step++) coreStep(t, step, me)
  }

  function run(part: number, t: number, end: number): void {
    enter(part)
    sw.enter(part, Math.floor(t * speed + 1e-9))
    outbox.enter(worker, t)
    if (RANKS) homes = ((Math.floor(t / spec.constants.window) & 1) * parts + part) * parts
    for (; t < end; t++) cycle(t)
  }

  function collect(part: number, parity: number): void {
    if (RANKS) seat!.collect(part, parity)
    // what was sent to this worker is taken in once
    enter(part)
    if (part !== mine) return
    outbox.collect(worker, parity)
  }

  function start(part: number): void {
    births.start(part)
    if (!RANKS) return
    enter(part)
    seat!.start(part)
  }

  return { run, collect, start, sw, seat }
}
