// A packet simulation on any number of workers and under any synchronisation protocol, advanced from one common time to
// the next. At a common time all workers have processed the same events, so decisions and checkpoints are taken only
// there. This file steps all workers in one thread (PacketWorkers); worker-group.ts runs each of them in its own
// thread. Both implement PacketRun, which measure/packet/port.ts drives.
//
// Times are picoseconds (ps). Workers count ps from the start of the present epoch in 32-bit integers; after EPOCH ps,
// `rebase` subtracts EPOCH from all times.
import { aheadOf, ownersOf, type PacketNetwork, packetMachine } from "../../compile/packet/machine.ts"
import { type SharedChannels, shareChannels } from "../../engines/packet/channels.ts"
import type { ChunkNow, Machine, VisitChunk } from "../../engines/packet/machine-types.ts"
import { EPOCH } from "../../engines/packet/memory.ts"
import { type Partition, partition } from "../../engines/packet/partition.ts"
import { stepAll } from "../../engines/packet/single-thread.ts"
import type { PartState } from "../../engines/packet/state.ts"
import {
  noStats,
  nulls,
  type Optimism,
  optimistic,
  type Sync,
  type SyncCounts,
  type SyncStats,
  windows,
} from "../../engines/packet/sync.ts"
import type { Side } from "../../engines/packet/worker.ts"
import type { PacketSimulation } from "../../measure/packet/simulation.ts"
import { refuseOther } from "../difference.ts"
import type { Busy } from "../times.ts"

/** The synchronisation protocol: none, conservative (windows or null messages), or optimistic (Time Warp). */
export type Mode =
  | { readonly sync: "sequential" }
  | { readonly sync: Sync; readonly workers: number; readonly optimism?: Partial<Optimism> }

/** Counters of the parallel execution. Only these depend on the mode: results do not. */
export interface RunStats extends SyncCounts {
  events: number
  committed: number
  rolledBack: number
  rollbacks: number
  /** anti-messages */
  cancels: number
  messages: number
}

/** The parts of a parallel simulation that all workers share. */
export interface WorkersPlan {
  readonly sync: Sync
  readonly partition: Partition
  readonly owner: Uint8Array
  readonly channels: SharedChannels
  readonly optimism: Optimism
  /** [from * workers + to] -> lookahead in ps: the shortest link between the two partitions */
  readonly between: Float64Array
}

/** Partitions the network and allocates the shared channels between workers. */
export function workersPlan(
  n: PacketNetwork,
  mode: Exclude<Mode, { sync: "sequential" }>,
  ringWords?: number,
): WorkersPlan {
  const p = partition(n.topology.graph, mode.workers, n.topology.group)
  const { between, least } = aheadOf(n, p)
  return {
    sync: mode.sync,
    partition: p,
    owner: ownersOf(n.topology.graph, p.owner),
    channels: shareChannels(mode.workers, ringWords),
    // Events that lie less than the lookahead after the common time are certain, as in a conservative run.
    optimism: { window: 50_000, interval: 4096, batch: 8, ahead: Math.min(EPOCH, least), ...mode.optimism },
    between,
  }
}

/** Returns one worker's view of the plan. Only optimistic workers need a log of old state for rollbacks. */
export function sideOf(plan: WorkersPlan, me: number, logWords = 1 << 16, rollbackCheck = false): Side {
  return {
    me,
    owner: plan.owner,
    channels: plan.channels,
    ...(plan.sync === "optimistic" ? { logWords, rollbackCheck } : {}),
  }
}

/** Returns the steps of one worker from the last common time to `until`, as a generator that yields while it waits. */
export function stepsOf(
  plan: WorkersPlan,
  machine: Machine,
  until: number,
  stats: SyncStats,
): Generator<undefined, void, void> {
  const w = machine.worker!
  const { workers } = plan.partition
  const width = 1 << machine.shift
  // Conservative protocols use whole buckets of the event queue, so the window is rounded down to one.
  const least = plan.between.reduce((a, b) => Math.min(a, b), EPOCH)
  if (plan.sync === "windows") return windows(w, until, Math.floor(least / width) * width, stats)
  if (plan.sync === "nulls") {
    const ahead = Array.from({ length: workers }, (_, k) => Math.min(EPOCH, plan.between[k * workers + w.channels.me]))
    return nulls(w, until, ahead, least, stats)
  }
  return optimistic(w, until, plan.optimism, stats)
}

export type Counts = Omit<RunStats, keyof SyncCounts>

/** Returns the counters of one worker. Without a history every event is committed. */
export function countsOf(m: Machine): Counts {
  return {
    events: m.events(),
    committed: m.history?.counts.committed ?? m.events(),
    rolledBack: m.history?.counts.rolledBack ?? 0,
    rollbacks: m.history?.counts.rollbacks ?? 0,
    cancels: m.worker?.channels.cancels ?? 0,
    messages: m.worker?.channels.sentMessages ?? 0,
  }
}

/** Restores the state of a worker, instead of starting it. */
export function restoreWorker(machine: Machine, sync: SyncStats, state: WorkerState): void {
  machine.restore(state.machine)
  Object.assign(sync, state.sync)
}

/** Adds the counters of all workers. All take part in each round, so the number of rounds is a maximum. */
export function sumStats(counts: readonly Counts[], syncs: readonly SyncStats[]): RunStats {
  const sum = (key: keyof Counts) => counts.reduce((n, c) => n + c[key], 0)
  return {
    rounds: Math.max(...syncs.map((s) => s.rounds)),
    nulls: syncs.reduce((n, s) => n + s.nulls, 0),
    waits: syncs.reduce((n, s) => n + s.waits, 0),
    events: sum("events"),
    committed: sum("committed"),
    rolledBack: sum("rolledBack"),
    rollbacks: sum("rollbacks"),
    cancels: sum("cancels"),
    messages: sum("messages"),
  }
}

/** Receives delivery records: `count` rows of RECORD (engines/packet/delivery-records.ts). */
export type Drain = (rows: Int32Array, count: number) => void

/** Returns the bucket boundary at or before t. */
export function wholeBuckets(t: number, shift: number): number {
  return Math.floor(t / (1 << shift)) * (1 << shift)
}

/** The state of one worker and the counters of its synchronisation. */
export interface WorkerState {
  readonly machine: PartState
  readonly sync: SyncStats
}

/** The state of a simulation between two advances. A simulation can continue from it only if its `layout` is equal. */
export interface RunState {
  readonly layout: RunLayout
  readonly epochs: number
  readonly workers: readonly WorkerState[]
}

export interface RunLayout {
  readonly sync: Mode["sync"]
  readonly workers: number
  /** layout of worker 0's memory; all workers have the same */
  readonly machine: Readonly<Record<string, number>>
}

/** A simulation that can be advanced from one common time to the next. */
export interface PacketRun extends PacketSimulation {
  readonly partition: Partition | undefined
  /** what the report needs of all ranks */
  summaries(): Int32Array
  stats(): RunStats
  /** bytes of all columns, touched or not */
  readonly bytes: number
  /**
   * [worker] -> seconds of work and of message handling so far. The rest of the run time is waiting. Empty for workers
   * that share one thread.
   */
  times(): readonly Busy[]
  readonly layout: RunLayout
  /**
   * Returns a copy of the whole state, and the messages that the collectors of other threads have not seen complete.
   */
  save(): RunState & { readonly open: readonly Float64Array[] }
  /** Ends the threads. Returns the messages that their collectors have not seen complete. */
  close(): Promise<readonly Float64Array[]>
}

export interface WorkersOptions {
  /** chooses the worker that steps next; tests use it to vary the interleaving */
  readonly pick?: (n: number) => number
  readonly ringWords?: number
  readonly logWords?: number
  /** optimistic: undo every event once, compare the memory, and run the event again */
  readonly rollbackCheck?: boolean
  /** continues from this state */
  readonly from?: RunState
}

export function allRows(parts: readonly Int32Array[]): Int32Array {
  return Int32Array.from(parts.flatMap((rows) => [...rows]))
}

/** Returns the number of words that reports need of all ranks. */
export function summaryWords(n: PacketNetwork): number {
  return n.ranks === undefined ? 0 : n.ranks.ranks * n.ranks.summary
}

/** All workers in this thread. `drain(me)` returns the function that receives the delivery records of worker `me`. */
export class PacketWorkers implements PacketRun {
  readonly partition: Partition | undefined
  private readonly machines: readonly Machine[]
  private readonly plan: WorkersPlan | undefined
  private readonly syncs: SyncStats[]
  private readonly sync: Mode["sync"]
  private readonly pick: ((n: number) => number) | undefined
  private epochs = 0
  private until = 0
  private readonly summaryWords: number

  constructor(n: PacketNetwork, mode: Mode, drain: (me: number) => Drain, o: WorkersOptions = {}) {
    this.pick = o.pick
    this.summaryWords = summaryWords(n)
    this.sync = mode.sync
    if (mode.sync === "sequential") this.machines = [packetMachine(n, drain(0))]
    else {
      const plan = workersPlan(n, mode, o.ringWords)
      this.plan = plan
      this.partition = plan.partition
      this.machines = Array.from({ length: mode.workers }, (_, me) =>
        packetMachine(n, drain(me), sideOf(plan, me, o.logWords, o.rollbackCheck)),
      )
    }
    this.syncs = this.machines.map(noStats)
    const { from } = o
    if (from === undefined) for (const m of this.machines) m.start()
    else this.restore(from)
  }

  /** Continues from the state of a simulation with the same layout. */
  restore(from: RunState): void {
    refuseOther(from.layout, this.layout, "layout")
    this.epochs = from.epochs
    this.machines.forEach((m, i) => {
      restoreWorker(m, this.syncs[i], from.workers[i])
    })
  }

  /**
   * Visits every chunk in the network, between two common times. Several workers number their records independently, so
   * the identifier is record * workers + worker.
   */
  chunks(visit: VisitChunk): void {
    const n = this.machines.length
    this.machines.forEach((m, i) => {
      m.chunks((c) => visit(n === 1 ? c : { ...c, id: c.id * n + i }))
    })
  }
  chunk(id: number): ChunkNow | undefined {
    const n = this.machines.length
    return this.machines[id % n].chunk(Math.floor(id / n))
  }

  get layout(): RunLayout {
    return { sync: this.sync, workers: this.machines.length, machine: this.machines[0].layout }
  }
  save(): RunState & { readonly open: readonly Float64Array[] } {
    const workers = this.machines.map((m, i) => ({ machine: m.save(), sync: { ...this.syncs[i] } }))
    return { layout: this.layout, epochs: this.epochs, workers, open: [] }
  }

  /** ps up to which it has run */
  reached(): number {
    return this.until
  }

  /** Runs epoch by epoch: within an epoch times fit into 32 bits. */
  advance(until: number): void {
    this.until = Math.max(this.until, until)
    const { shift } = this.machines[0]
    for (;;) {
      const base = this.epochs * EPOCH
      const to = Math.min(wholeBuckets(until - base, shift), EPOCH)
      this.runTo(to)
      // The epoch is complete: all workers move their times by EPOCH before any of them continues.
      if (to < EPOCH) break
      for (const m of this.machines) m.rebase()
      this.epochs++
    }
    for (const m of this.machines) m.flush()
  }

  private runTo(to: number): void {
    const { plan, machines, syncs } = this
    if (plan === undefined) machines[0].run(to)
    else
      stepAll(
        machines.map((m, i) => stepsOf(plan, m, to, syncs[i])),
        this.pick,
      )
  }

  idle(): boolean {
    return this.pending() === 0
  }
  pending(): number {
    return this.machines.reduce((n, m) => n + m.pending(), 0)
  }
  inUse(): number {
    return this.machines.reduce((n, m) => n + m.inUse(), 0)
  }
  open(t: number): boolean {
    return this.machines.some((m) => m.open(t))
  }
  created(t: number, streams: number): number {
    return this.machines.reduce((sum, m) => sum + m.created(t, streams), 0)
  }
  sent(): Uint32Array {
    return Uint32Array.from({ length: this.machines[0].graph.chans }, (_, c) => this.machineOf(c).sent(c))
  }
  finished(): number {
    return this.machines.reduce((n, m) => n + m.finished(), 0)
  }
  summaries(): Int32Array {
    const all = new Int32Array(this.summaryWords)
    for (const m of this.machines) m.summaries(all)
    return all
  }
  waits(): Int32Array {
    return allRows(this.machines.map((m) => m.waits()))
  }
  /** Returns the worker that owns the router of a channel. */
  private machineOf(chan: number): Machine {
    const { graph } = this.machines[0]
    return this.machines[this.plan?.partition.owner[graph.routerOf[chan]] ?? 0]
  }
  stats(): RunStats {
    return sumStats(this.machines.map(countsOf), this.syncs)
  }
  times(): readonly Busy[] {
    return []
  }
  get bytes(): number {
    return this.machines.reduce((n, m) => n + m.words * 4, 0)
  }
  async close(): Promise<readonly Float64Array[]> {
    return []
  }
}
