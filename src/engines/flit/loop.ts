// One cycle of the clocked engine for switches that move flits. `makeLoop` assembles the stages and runs them in a
// fixed order in each link cycle:
//   1. due credits, 2. due arrivals, 3. packet generation, 4. events of ranks, 5. injection, 6. the core steps of the
//   switches.
// It models the links between routers and the endpoints. A switch (fabric/switch.ts) models the inside of routers, and
// uses `send` and `returnCredit` of this file. engine.ts calls `run`, `collect` and `start`.
//
// Links are timing wheels: a flit or credit is filed under the cycle in which it arrives. A partition executes a whole
// window of cycles before the next one runs. A window is at most as long as the shortest link between two partitions,
// so nothing that is sent within it can be due within it. The result therefore does not depend on the order of
// partitions or the number of workers.
//
// Columns (in addition to those of fabric/flit.ts). Indices: s wheel slot (partition and cycle), port output port.
//   `flitAt`, `flitPacket`, `flitCount` [s]  Input VC and packet of each flit due in slot s, and their number. Only a
//                                            head flit has a packet.
//   `creditAt`, `creditCount` [s]            Output VC of each credit due in slot s, and their number.
//   `nextOut` [port]                         First cycle in which the output link is free, if departures can queue.
//   `nextCredit`, `creditStep` [port]        The same for returning credits, and the core step of the last one.
//
// All stages are closures over constants and columns. V8 treats captured variables as constants while a function has a
// single closure (bench/micro/closure.ts), so each long simulation runs in its own isolate.

import { scratch } from "../../fabric/columns.ts"
import type { FlitSwitch, FlitSwitchPorts } from "../../fabric/switch.ts"
import type { ClockedLoop } from "./clocked.ts"
import { makeCounting } from "./counting.ts"
import { makeDelivery } from "./delivery.ts"
import { makeDue } from "./due.ts"
import { makeGeneration } from "./generation.ts"
import { makeInjection } from "./injection.ts"
import { firstPart, makeOutbox, workersOf } from "./outbox.ts"
import { makeRecords } from "./records.ts"
import type { LoopSpec } from "./spec.ts"
import { makeTracing } from "./trace.ts"
import { makeRankAdapter, type RankAdapter } from "./transfers/rank-adapter.ts"

export interface Loop extends ClockedLoop {
  readonly sw: FlitSwitch
  readonly rankAdapter: RankAdapter | undefined
}

export function makeLoop(spec: LoopSpec): Loop {
  const { layout, constants, columns } = spec
  const { LV, NOV, ends: N, down, up, latency, upLatency, downPart, upPart, parts, RS } = layout
  const { flitAt, flitPacket, flitCount, creditAt, creditCount, waiting, ready, portFlits } = columns
  const { held: HELD, heldCredit, wheelMask: WM, flitSlots: FLITS, creditSlots: CREDITS, workers: WORKERS } = constants
  const { speed, traverse: X, creditDelay, queued: QUEUED, batch: BATCH, retention: RETAIN } = spec
  const ONE = parts === 1
  const SOLO = WORKERS === 1
  const WORKER = workersOf(parts, WORKERS)
  const VMASK = (1 << LV) - 1
  const RELEASE = NOV + (N << LV)
  const nextOut = QUEUED ? columnOf("nextOut") : scratch(1)
  const nextCredit = QUEUED ? columnOf("nextCredit") : scratch(1)
  const creditStep = QUEUED ? columnOf("creditStep") : scratch(1)
  // The running partition, its worker, the worker's partitions [mine, beyond), and the base of its wheel.
  let me = 0
  let worker = 0
  let mine = 0
  let beyond = parts
  let wheel = 0
  let step = 0

  // Cycles from the grant to the arrival, and from there to the arrival of the credit.
  const flight = latency.map((l) => l + 1 + X) as Uint16Array
  const back = upLatency.map((l, port) => l + 1 + (up[port] < NOV ? creditDelay : 0)) as Uint16Array

  function columnOf(name: "nextOut" | "nextCredit" | "creditStep"): Int32Array {
    return columns[name]
  }

  const counting = makeCounting(spec)
  const tracing = makeTracing(spec)
  const { ON: TRACES, tick } = tracing
  const outbox = makeOutbox(spec, WORKERS, constants.boxRow, receive)
  const { post } = outbox
  const generation = makeGeneration(spec, wants)
  const records = makeRecords(spec, outbox)
  // Records of ranks return to their partition, whichever worker executes it.
  let homes = 0
  const homeTo = { boxTo: (part: number) => homes + part }
  const rankAdapter =
    spec.ranks === undefined ? undefined : makeRankAdapter(spec, spec.ranks.plan, spec.ranks.columns, homeTo, wants)
  const RANKS = rankAdapter !== undefined
  const injection = makeInjection(spec, records, generation, counting, tracing, rankAdapter)
  const { deliver, deliverHeld } = makeDelivery(spec, records, generation, counting, tracing, rankAdapter)

  /** Marks an endpoint whose source has something to send. */
  function wants(node: number): void {
    const b = 1 << (node & 31)
    waiting[node >> 5] |= b
    ready[node >> 5] |= b
  }

  // ---- links

  /** Returns the cycle in which core step s (counted from the start) runs. */
  function cycleOf(s: number): number {
    return Math.ceil((s + 1) / speed) - 1
  }

  /**
   * Sends a flit that won output VC `ov` in cycle t over the link, or delivers it to its endpoint. `packet` is at least
   * 0 only for a head flit; `carrier` is always the packet.
   */
  function send(ov: number, packet: number, carrier: number, last: boolean, t: number): void {
    const port = ov >> LV
    // With a speedup, several flits can cross in one link cycle. They then leave one after the other.
    let leave = t + X
    if (QUEUED) {
      leave = cycleOf(BATCH > 0 ? crossed!(port, step) : step + X)
      if (nextOut[port] > leave) leave = nextOut[port]
      nextOut[port] = leave + 1
    }
    const at = QUEUED ? leave + latency[port] + 1 : t + flight[port]
    portFlits[port] += HELD > 0 ? HELD : 1
    if (RETAIN > 0) retain(port, QUEUED ? leave : t)
    const d = down[port]
    if (d >= 0) {
      const far = ONE ? 0 : downPart[port]
      // The same worker: file the flit directly. Another worker: post it; that worker files it after the barrier.
      if (SOLO || (far >= mine && far < beyond)) {
        const s = far * (WM + 1) + (at & WM)
        const n = flitCount[s]
        flitAt[s * FLITS + n] = d + (ov & VMASK)
        flitPacket[s * FLITS + n] = packet
        flitCount[s] = n + 1
      } else post(WORKER[far], at, d + (ov & VMASK), packet)
      return
    }
    // An endpoint consumes flits at once, so its credit returns after the link's round trip. Delivery is accounted now,
    // with its future time, because no event can change it any more.
    const s = (ONE ? 0 : wheel) + ((at + latency[port] + 1 + creditDelay + heldCredit) & WM)
    const n = creditCount[s]
    creditAt[s * CREDITS + n] = ov
    creditCount[s] = n + 1
    if (HELD > 0) deliverHeld(carrier, -1 - d, at)
    else deliver(carrier, -1 - d, at, last)
  }

  /**
   * Keeps the flit in the output buffer until the receiver has acknowledged it, after twice the latency of the link
   * (link-level retransmission).
   */
  function retain(port: number, t: number): void {
    const s = (ONE ? 0 : wheel) + ((t + Math.max(1, 2 * latency[port])) & WM)
    const n = creditCount[s]
    creditAt[s * CREDITS + n] = RELEASE + port
    creditCount[s] = n + 1
  }

  /** Returns the credit of a flit that left input VC `iv`. The sender is a router or an endpoint. */
  function returnCredit(iv: number, t: number): void {
    const port = iv >> LV
    let leave = t
    // One credit message per port and cycle; all credits of the same core step share it.
    if (QUEUED) {
      if (creditStep[port] === step + 1) leave = nextCredit[port] - 1
      else {
        if (nextCredit[port] > leave) leave = nextCredit[port]
        nextCredit[port] = leave + 1
        creditStep[port] = step + 1
      }
    }
    const u = up[port]
    const at = leave + back[port] + heldCredit
    const far = ONE ? 0 : upPart[port]
    if (SOLO || (far >= mine && far < beyond)) {
      const s = far * (WM + 1) + (at & WM)
      const n = creditCount[s]
      creditAt[s * CREDITS + n] = u + (iv & VMASK)
      creditCount[s] = n + 1
    } else post(WORKER[far], at, ~(u + (iv & VMASK)), -1)
  }

  const links: FlitSwitchPorts = { send, returnCredit }
  const sw = spec.makeSwitch(links)
  const { crossed } = sw
  const coreStep = sw.step
  const due = makeDue(spec, sw)
  const { credits, arrivals } = due
  const { inject } = injection
  const wakeSources = generation.wake

  /** Files an entry from another worker: a flit, a credit (~id), or the record of a delivered packet (at < 0). */
  function receive(at: number, id: number, packet: number): void {
    if (at < 0) {
      records.reclaim(packet)
      return
    }
    const s = layout.part[Math.floor((id < 0 ? ~id : id) / RS)] * (WM + 1) + (at & WM)
    if (id >= 0) {
      const n = flitCount[s]
      flitAt[s * FLITS + n] = id
      flitPacket[s * FLITS + n] = packet
      flitCount[s] = n + 1
    } else {
      const n = creditCount[s]
      creditAt[s * CREDITS + n] = ~id
      creditCount[s] = n + 1
    }
  }

  // ---- time

  /** Selects the partition that the stages work on. */
  function enter(part: number): void {
    me = part
    worker = WORKER[part]
    mine = firstPart(worker, parts, WORKERS)
    beyond = firstPart(worker + 1, parts, WORKERS)
    wheel = part * (WM + 1)
    generation.enter(part)
    counting.enter(part)
    tracing.enter(part)
    records.enter(part)
    injection.enter(part)
    due.enter(part)
    rankAdapter?.enter(part)
  }

  // A fractional speedup gives floor((t + 1) * speed) - floor(t * speed) core steps in cycle t. The 1e-9 compensates
  // for rounding.
  function cycle(t: number): void {
    if (TRACES) tick(t)
    credits(t)
    arrivals(t)
    wakeSources(t)
    if (RANKS) rankAdapter!.due(t)
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
    if (RANKS) rankAdapter!.collect(part, parity)
    // Entries for this worker are collected once, when its first partition is collected.
    enter(part)
    if (part !== mine) return
    outbox.collect(worker, parity)
  }

  function start(part: number): void {
    generation.start(part)
    if (!RANKS) return
    enter(part)
    rankAdapter!.start(part)
  }

  return { run, collect, start, sw, rankAdapter }
}
