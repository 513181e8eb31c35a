// A packet simulation with one thread for each worker. The calling thread is worker 0 and gives orders. The other
// threads (member.ts) build the same network from the specification, serve orders that are in shared memory, and write
// their counters to shared memory. Each order ends with a barrier, so worker 0 reads consistent reports after it.
// simulate.ts uses this class through run/threads.ts; PacketWorkers in run.ts is the variant without threads.
//
// An order is written in three steps: `what` and `until`, then the number is incremented, then waiting threads are
// woken.
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads"
import { type PacketNetwork, packetMachine } from "../../compile/packet/machine.ts"
import { WARM_EVENTS } from "../../engines/packet/jit-warmup.ts"
import type { Machine } from "../../engines/packet/machine-types.ts"
import { EPOCH } from "../../engines/packet/memory.ts"
import type { Partition } from "../../engines/packet/partition.ts"
import { stepAlone } from "../../engines/packet/single-thread.ts"
import { barrier, noStats, type SyncStats } from "../../engines/packet/sync.ts"
import { type CollectMemory, type CollectSpec, restoreSums, saveSums } from "../../measure/packet/collect.ts"
import type { RunSpec } from "../../model/experiment.ts"
import { shared } from "../../model/graph.ts"
import { cores } from "../cores.ts"
import { refuseOther } from "../difference.ts"
import type { Busy } from "../times.ts"
import { breakOff, type FailureMemory, firstFailure, hasFailed, shareFailure } from "../worker-group/failure.ts"
import { GroupThreads } from "../worker-group/threads.ts"
import {
  allRows,
  type Counts,
  countsOf,
  type Drain,
  type PacketRun,
  type RunLayout,
  type RunState,
  type RunStats,
  restoreWorker,
  sideOf,
  stepsOf,
  summaryWords,
  sumStats,
  type WorkerState,
  type WorkersPlan,
  wholeBuckets,
} from "./run.ts"

/** Words of an order: its number, what to do, until when (ps in the epoch). */
export const ORDER = { number: 0, what: 1, until: 2, words: 4 } as const
/**
 * Kinds of orders. `runAndMove`: run to the end of the epoch and rebase. `look`: report what `open`, `sent` and
 * `summaries` need. `created`: report the bytes created. `save` and `waits` reply with a message instead.
 */
export const DO = { run: 0, runAndMove: 1, look: 2, stop: 3, save: 4, waits: 5, created: 6 } as const
/** The first words of a report: counters of the engine, then of the synchronisation. */
const COUNTS = ["events", "committed", "rolledBack", "rollbacks", "cancels", "messages"] as const
const SYNCS = ["rounds", "nulls", "waits", "waited", "mailed"] as const
/** Further words of a report. `served`: milliseconds that the worker spent on orders. */
export const REPORT = {
  pending: 11,
  inUse: 12,
  open: 13,
  bytes: 14,
  finished: 15,
  served: 16,
  created: 17,
  words: 32,
} as const

export interface GroupMemory {
  readonly order: Int32Array
  /** the time in ps that `look` and `created` refer to, and the number of streams that `created` refers to */
  readonly asked: Float64Array
  readonly reports: Float64Array
  readonly sent: Uint32Array
  readonly failure: FailureMemory
  /** what the report needs of all ranks */
  readonly ranks: Int32Array
}

export interface MemberOrder {
  readonly me: number
  readonly spec: RunSpec
  readonly folder: string
  readonly plan: WorkersPlan
  readonly team: GroupMemory
  readonly collect: CollectSpec
  readonly memory: CollectMemory
  readonly window: Float64Array
  /** ps of simulated time that each thread runs before time 0, so that its code is compiled; the state is then reset */
  readonly warm: number
  /** port on which the thread replies to DO.save with a MemberState, and to DO.waits with rows */
  readonly port: MessagePort
  /** continues from this state */
  readonly from?: MemberState
}

export interface MemberState {
  readonly worker: WorkerState
  /** messages that its collector has not seen complete */
  readonly open: Float64Array
}

/**
 * How a worker takes part in an order. The first function replies to DO.save and DO.waits. `watch` is called wherever
 * the worker waits, and throws if another one failed.
 */
export interface Part {
  tell(what: number): void
  watch(slept: boolean): void
}

/** Throws if a worker has failed. */
export function watchFailure({ failure }: GroupMemory): void {
  if (hasFailed(failure)) throw new Error("another worker broke off")
}

/** Executes one worker's part of one order. All workers, including worker 0, call it for each order. */
export function serve(
  plan: WorkersPlan,
  machine: Machine,
  team: GroupMemory,
  stats: SyncStats,
  { tell, watch }: Part,
): void {
  const began = performance.now()
  const w = machine.worker!
  const what = team.order[ORDER.what]
  if (what === DO.run || what === DO.runAndMove) {
    stepAlone(w, stepsOf(plan, machine, team.order[ORDER.until], stats), watch)
    if (what === DO.runAndMove) machine.rebase()
    else machine.flush()
  }
  // The replies must be sent before the barrier, because worker 0 reads them after it.
  if (what === DO.save || what === DO.waits) tell(what)
  const { me } = w.channels
  const counts = countsOf(machine)
  const at = me * REPORT.words
  COUNTS.forEach((key, i) => {
    team.reports[at + i] = counts[key]
  })
  SYNCS.forEach((key, i) => {
    team.reports[at + COUNTS.length + i] = stats[key]
  })
  team.reports[at + REPORT.pending] = machine.pending()
  team.reports[at + REPORT.inUse] = machine.inUse()
  team.reports[at + REPORT.bytes] = machine.words * 4
  team.reports[at + REPORT.finished] = machine.finished()
  if (what === DO.created) team.reports[at + REPORT.created] = machine.created(team.asked[0], team.asked[1])
  if (what === DO.look) {
    team.reports[at + REPORT.open] = machine.open(team.asked[0]) ? 1 : 0
    machine.summaries(team.ranks)
    const { graph } = machine
    // Each channel belongs to the worker that owns its router, so workers write disjoint elements of `sent`.
    for (let c = 0; c < graph.chans; c++) {
      if (plan.partition.owner[graph.routerOf[c]] !== me) continue
      team.sent[c] = machine.sent(c)
    }
  }
  team.reports[at + REPORT.served] += performance.now() - began
  // The time of this barrier belongs to no order, so it is not counted as work.
  stepAlone(w, barrier(w, noStats()), watch)
}

/** Runs the JIT warm-up of a thread and restores its sums. */
export function warmUp(machine: Machine, memory: CollectMemory, until: number): void {
  const sums = saveSums(memory)
  machine.warmUp(Math.min(until, EPOCH), WARM_EVENTS)
  restoreSums(memory, sums)
}

function layoutOf(plan: WorkersPlan, machine: Machine): RunLayout {
  return { sync: plan.sync, workers: plan.partition.workers, machine: machine.layout }
}

/** Worker 0 of a group of threads. */
export class PacketWorkerGroup implements PacketRun {
  readonly partition: Partition
  private readonly plan: WorkersPlan
  private readonly machine: Machine
  private readonly team: GroupMemory
  private readonly stats_ = noStats()
  private readonly threads: GroupThreads
  private readonly ports: readonly MessagePort[]
  private readonly workers: number
  private readonly part: Part = {
    tell() {},
    watch: (slept) => {
      watchFailure(this.team)
      this.threads.requireAlive(slept)
    },
  }
  private epochs = 0
  private closed = false

  private constructor(
    plan: WorkersPlan,
    machine: Machine,
    team: GroupMemory,
    threads: GroupThreads,
    ports: readonly MessagePort[],
    from: RunState | undefined,
  ) {
    this.plan = plan
    this.partition = plan.partition
    this.workers = plan.partition.workers
    this.machine = machine
    this.team = team
    this.threads = threads
    this.ports = ports
    if (from === undefined) machine.start()
    else {
      this.epochs = from.epochs
      restoreWorker(machine, this.stats_, from.workers[0])
    }
  }

  get layout(): RunLayout {
    return layoutOf(this.plan, this.machine)
  }

  /** Returns the state of all workers. `open` has no entry for worker 0, whose collector belongs to the caller. */
  save(): RunState & { readonly open: readonly Float64Array[] } {
    const members = this.answers<MemberState>(DO.save)
    const mine = { machine: this.machine.save(), sync: { ...this.stats_ } }
    return {
      layout: this.layout,
      epochs: this.epochs,
      workers: [mine, ...members.map((m) => m.worker)],
      open: members.map((m) => m.open),
    }
  }

  /** Builds worker 0, starts the other threads and waits until all are ready. */
  static async gather(
    n: PacketNetwork,
    planned: WorkersPlan,
    drain: Drain,
    order: Omit<MemberOrder, "me" | "plan" | "team" | "memory" | "port" | "from"> & {
      readonly memories: readonly CollectMemory[]
    },
    /** continues from this state; `open`: for each worker */
    from?: RunState & { readonly open: readonly Float64Array[] },
  ): Promise<PacketWorkerGroup> {
    const { workers } = planned.partition
    const plan = { ...planned, channels: { ...planned.channels, crowded: workers > cores } }
    const machine = packetMachine(n, drain, sideOf(plan, 0))
    if (from !== undefined) refuseOther(from.layout, layoutOf(plan, machine), "layout")
    const team: GroupMemory = {
      order: shared(Int32Array, ORDER.words),
      asked: shared(Float64Array, 2),
      reports: shared(Float64Array, workers * REPORT.words),
      sent: shared(Uint32Array, n.topology.graph.chans),
      failure: shareFailure(workers),
      ranks: shared(Int32Array, Math.max(1, summaryWords(n))),
    }
    const { memories, ...rest } = order
    const channels = Array.from({ length: workers - 1 }, () => new MessageChannel())
    const starts = channels.map(({ port2: port }, i) => {
      const me = i + 1
      const state = from === undefined ? {} : { from: { worker: from.workers[me], open: from.open[me] } }
      const workerData: MemberOrder = { ...rest, me, plan, team, memory: memories[me], port, ...state }
      return { workerData, transferList: [port] }
    })
    const threads = new GroupThreads(new URL("./member.js", import.meta.url), starts)
    return threads.start(
      () => warmUp(machine, memories[0], order.warm),
      () => {
        const ports = channels.map((c) => c.port1)
        return new PacketWorkerGroup(plan, machine, team, threads, ports, from)
      },
    )
  }

  /**
   * Gives an order to all threads and executes worker 0's part of it. After a failure of any worker the group is
   * closed.
   */
  private give(what: number, until = 0): void {
    // The threads have ended and would never reach the barrier.
    if (this.closed) throw new Error("the threads of this run have ended")
    const { order } = this.team
    order[ORDER.what] = what
    order[ORDER.until] = until
    Atomics.add(order, ORDER.number, 1)
    Atomics.notify(order, ORDER.number)
    if (what === DO.stop) return
    try {
      serve(this.plan, this.machine, this.team, this.stats_, this.part)
    } catch (e) {
      breakOff(this.team.failure, 0, e)
      this.closed = true
      void this.threads.terminate()
      throw firstFailure(this.team.failure)
    }
  }

  /** Runs epoch by epoch, as PacketWorkers.advance does. */
  advance(until: number): void {
    for (;;) {
      const to = Math.min(wholeBuckets(until - this.epochs * EPOCH, this.machine.shift), EPOCH)
      this.give(to < EPOCH ? DO.run : DO.runAndMove, to)
      if (to < EPOCH) return
      this.epochs++
    }
  }

  /** Adds one word of all reports of the last order. */
  private sum(which: number): number {
    let n = 0
    for (let w = 0; w < this.workers; w++) n += this.team.reports[w * REPORT.words + which]
    return n
  }
  idle(): boolean {
    return this.pending() === 0
  }
  pending(): number {
    return this.sum(REPORT.pending)
  }
  inUse(): number {
    return this.sum(REPORT.inUse)
  }
  open(t: number): boolean {
    this.team.asked[0] = t
    this.give(DO.look)
    return this.sum(REPORT.open) > 0
  }
  created(t: number, streams: number): number {
    this.team.asked[0] = t
    this.team.asked[1] = streams
    this.give(DO.created)
    return this.sum(REPORT.created)
  }
  finished(): number {
    return this.sum(REPORT.finished)
  }
  summaries(): Int32Array {
    this.give(DO.look)
    return this.team.ranks.slice()
  }
  sent(): Uint32Array {
    this.give(DO.look)
    return this.team.sent.slice()
  }
  waits(): Int32Array {
    return allRows([this.machine.waits(), ...this.answers<Int32Array>(DO.waits)])
  }

  /**
   * Gives an order and returns the replies of the other threads. All have replied when the order ends, because it ends
   * with a barrier; so the message can be read synchronously.
   */
  private answers<T>(what: number): T[] {
    this.give(what)
    return this.ports.map((port) => receiveMessageOnPort(port)!.message as T)
  }
  stats(): RunStats {
    const { reports } = this.team
    const of = <K extends string>(keys: readonly K[], w: number, first: number) =>
      Object.fromEntries(keys.map((key, i) => [key, reports[w * REPORT.words + first + i]])) as Record<K, number>
    const all = Array.from({ length: this.workers }, (_, w) => w)
    return sumStats(
      all.map((w): Counts => of(COUNTS, w, 0)),
      all.map((w) => of(SYNCS, w, COUNTS.length)),
    )
  }
  /** The words 3 and 4 of SYNCS are `waited` and `mailed`, in milliseconds. */
  times(): readonly Busy[] {
    const { reports } = this.team
    return Array.from({ length: this.workers }, (_, w) => {
      const [waited, messages] = [3, 4].map((i) => reports[w * REPORT.words + COUNTS.length + i] / 1e3) as [
        number,
        number,
      ]
      return { work: reports[w * REPORT.words + REPORT.served] / 1e3 - waited - messages, messages }
    })
  }
  get bytes(): number {
    return this.sum(REPORT.bytes)
  }

  /** Stops the threads. Each sends its incomplete messages before it exits. */
  async close(): Promise<Float64Array[]> {
    const open: Float64Array[] = []
    if (!this.closed) {
      this.threads.onceMessage((rows) => open.push(rows as Float64Array))
      this.give(DO.stop)
      this.closed = true
    }
    await this.threads.gone()
    for (const port of this.ports) port.close()
    return open
  }
}
