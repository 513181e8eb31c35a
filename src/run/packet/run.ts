// A packet simulation on any number of workers and under any synchronisation, run from one common time to the next. Here workers are stepped in one
// thread; team.ts gives each its own.

import { aheadOf, ownersOf, type PacketNetwork, packetMachine } from "../../compile/packet/machine.ts"
import { stepAll } from "../../engines/packet/crew.ts"
import type { ChunkNow, Machine, VisitChunk } from "../../engines/packet/machine.ts"
import { type SharedMail, shareMail } from "../../engines/packet/mail.ts"
import { EPOCH } from "../../engines/packet/memory.ts"
import { type Partition, partition } from "../../engines/packet/partition.ts"
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
import { refuseOther } from "../difference.ts"
import type { Busy } from "../times.ts"

export type Mode =
  | { readonly sync: "sequential" }
  | { readonly sync: Sync; readonly workers: number; readonly optimism?: Partial<Optimism> }

export interface RunStats extends SyncCounts {
  events: number
  committed: number
  rolledBack: number
  rollbacks: number
  /** anti-messages */
  cancels: number
  messages: number
}

/** What every worker must be told to play its part. */
export interface CrewPlan {
  readonly sync: Sync
  readonly partition: Partition
  readonly owner: Uint8Array
  readonly mail: SharedMail
  readonly optimism: Optimism
  /** [from * workers + to] -> ps */
  readonly between: Float64Array
}

export function crewPlan(n: PacketNetwork, mode: Exclude<Mode, { sync: "sequential" }>, ringWords?: number): CrewPlan {
  const p = partition(n.topology.graph, mode.workers, n.topology.group)
  const { between, least } = aheadOf(n, p)
  return {
    sync: mode.sync,
    partition: p,
    owner: ownersOf(n.topology.graph, p.owner),
    mail: shareMail(mode.workers, ringWords),
    optimism: { window: 50_000, interval: 4096, batch: 8, ahead: Math.min(EPOCH, least), ...mode.optimism },
    between,
  }
}

export function sideOf(plan: CrewPlan, me: number, logWords = 1 << 16, rehearse = false): Side {
  return { me, owner: plan.owner, mail: plan.mail, ...(plan.sync === "optimistic" ? { logWords, rehearse } : {}) }
}

/** One worker's way from the last common time to the next. */
export function stepsOf(plan: CrewPlan, machine: Machine, until: number, stats: SyncStats): Generator<undefined, void, void> {
  const w = machine.worker!
  const { workers } = plan.partition
  const width = 1 << machine.shift
  const least = plan.between.reduce((a, b) => Math.min(a, b), EPOCH)
  if (plan.sync === "windows") return windows(w, until, Math.floor(least / width) * width, stats)
  if (plan.sync === "nulls") {
    const ahead = Array.from({ length: workers }, (_, k) => Math.min(EPOCH, plan.between[k * workers + w.mail.me]!))
    return nulls(w, until, ahead, least, stats)
  }
  return optimistic(w, until, plan.optimism, stats)
}

export type Counts = Omit<RunStats, keyof SyncCounts>

export function countsOf(m: Machine): Counts {
  return {
    events: m.events(),
    committed: m.history?.counts.committed ?? m.events(),
    rolledBack: m.history?.counts.rolledBack ?? 0,
    rollbacks: m.history?.counts.rollbacks ?? 0,
    cancels: m.worker?.mail.cancels ?? 0,
    messages: m.worker?.mail.sentMessages ?? 0,
  }
}

/** Puts a worker's state back, in place of its start. */
export function restoreWorker(machine: Machine, sync: SyncStats, state: WorkerState): void {
  machine.restore(state.machine)
  Object.assign(sync, state.sync)
}

/** Adds what the workers counted. */
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

export type Drain = (rows: Int32Array, count: number) => void

/** The bucket boundary at or before t. */
export function wholeBuckets(t: number, shift: number): number {
  return Math.floor(t / (1 << shift)) * (1 << shift)
}

/** What one worker knows, and what its synchronisation has counted. */
export interface WorkerState {
  readonly machine: PartState
  readonly sync: SyncStats
}

/** A simulation between two advances. `layout`: what another one must have in common with it to go on from its state. */
export interface RunState {
  readonly layout: RunLayout
  readonly epochs: number
  readonly workers: readonly WorkerState[]
}

export interface RunLayout {
  readonly sync: Mode["sync"]
  readonly workers: number
  /** of worker 0's machine: the others' are the same */
  readonly machine: Readonly<Record<string, number>>
}

/** A simulation that can be run from one common time to the next. */
export interface PacketRun {
  readonly partition: Partition | undefined
  /** Runs every event before `until` ps (rounded down to a whole bucket). */
  advance(until: number): void
  /** Nothing is left to happen. */
  idle(): boolean
  /** records in use: more than events that wait means that chunks are under way */
  inUse(): number
  pending(): number
  /** Is a chunk or a message under way that was created before t ps? */
  open(t: number): boolean
  /** Returns the bytes that all streams created before `t` ps, the present: what waits at its source is among them. */
  created(t: number): number
  /** flits sent on each channel so far */
  sent(): Uint32Array
  /** ranks that have finished; what a report needs of all of them */
  finished(): number
  summaries(): Int32Array
  /** rows of WAIT (model/events.ts): chunks that wait for credits */
  waits(): Int32Array
  stats(): RunStats
  /** bytes of all columns, touched or not */
  readonly bytes: number
  /** [worker] -> seconds of its work and of its messages so far; what is left of the run's it waited. Nothing is known of workers that take turns. */
  times(): readonly Busy[]
  readonly layout: RunLayout
  /** Everything that it knows, copied; and the messages that the collectors of its threads have not seen complete. */
  save(): RunState & { readonly open: readonly Float64Array[] }
  /** Ends its threads. Answers the messages that their collectors have not seen complete. */
  close(): Promise<readonly Float64Array[]>
}

export interface CrewOptions {
  /** who steps next, for tests */
  readonly pick?: (n: number) => number
  readonly ringWords?: number
  readonly logWords?: number
  /** optimistic: undo every event once and run it again */
  readonly rehearse?: boolean
  /** goes on from here */
  readonly from?: RunState
}

export function allRows(parts: readonly Int32Array[]): Int32Array {
  return Int32Array.from(parts.flatMap((rows) => [...rows]))
}

/** Words of what reports need of all ranks. */
export function summaryWords(n: PacketNetwork): number {
  return n.ranks === undefined ? 0 : n.ranks.ranks * n.ranks.summary
}

/** All workers in this thread. `drain(me)`: where the facts of worker `me` go. */
export class PacketCrew implements PacketRun {
  readonly partition: Partition | undefined
  private readonly machines: readonly Machine[]
  private readonly plan: CrewPlan | undefined
  private readonly syncs: SyncStats[]
  private readonly sync: Mode["sync"]
  private readonly pick: ((n: number) => number) | undefined
  private epochs = 0
  private until = 0
  private readonly summaryWords: number

  constructor(n: PacketNetwork, mode: Mode, drain: (me: number) => Drain, o: CrewOptions = {}) {
    this.pick = o.pick
    this.summaryWords = summaryWords(n)
    this.sync = mode.sync
    if (mode.sync === "sequential") this.machines = [packetMachine(n, drain(0))]
    else {
      const plan = crewPlan(n, mode, o.ringWords)
      this.plan = plan
      this.partition = plan.partition
      this.machines = Array.from({ length: mode.workers }, (_, me) => packetMachine(n, drain(me), sideOf(plan, me, o.logWords, o.rehearse)))
    }
    this.syncs = this.machines.map(noStats)
    const { from } = o
    if (from === undefined) for (const m of this.machines) m.start()
    else this.restore(from)
  }

  /** Goes on from the state of a simulation like this one. */
  restore(from: RunState): void {
    refuseOther(from.layout, this.layout, "layout")
    this.epochs = from.epochs
    this.machines.forEach((m, i) => {
      restoreWorker(m, this.syncs[i]!, from.workers[i]!)
    })
  }

  /** Every chunk that is on its way, between two common times; records of several machines get numbers of their own. */
  chunks(visit: VisitChunk): void {
    const n = this.machines.length
    this.machines.forEach((m, i) => {
      m.chunks((c) => visit(n === 1 ? c : { ...c, id: c.id * n + i }))
    })
  }
  chunk(id: number): ChunkNow | undefined {
    const n = this.machines.length
    return this.machines[id % n]!.chunk(Math.floor(id / n))
  }

  get layout(): RunLayout {
    return { sync: this.sync, workers: this.machines.length, machine: this.machines[0]!.layout }
  }
  save(): RunState & { readonly open: readonly Float64Array[] } {
    const workers = this.machines.map((m, i) => ({ machine: m.save(), sync: { ...this.syncs[i]! } }))
    return { layout: this.layout, epochs: this.epochs, workers, open: [] }
  }

  /** ps up to which it has run */
  reached(): number {
    return this.until
  }

  advance(until: number): void {
    this.until = Math.max(this.until, until)
    const { shift } = this.machines[0]!
    for (;;) {
      const base = this.epochs * EPOCH
      const to = Math.min(wholeBuckets(until - base, shift), EPOCH)
      this.runTo(to)
      if (to < EPOCH) break
      for (const m of this.machines) m.rebase()
      this.epochs++
    }
    for (const m of this.machines) m.flush()
  }

  private runTo(to: number): void {
    const { plan, machines, syncs } = this
    if (plan === undefined) machines[0]!.run(to)
    else
      stepAll(
        machines.map((m, i) => stepsOf(plan, m, to, syncs[i]!)),
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
  created(t: number): number {
    return this.machines.reduce((sum, m) => sum + m.created(t), 0)
  }
  sent(): Uint32Array {
    return Uint32Array.from({ length: this.machines[0]!.graph.chans }, (_, c) => this.machineOf(c).sent(c))
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
  private machineOf(chan: number): Machine {
    const { graph } = this.machines[0]!
    return this.machines[this.plan?.partition.owner[graph.routerOf[chan]!] ?? 0]!
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
