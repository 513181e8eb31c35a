// A packet simulation on any number of workers and under any synchronisation, run from one common time to the next. Workers are stepped in this
// thread; packet-threads.ts gives each its own.
import { stepAll } from "../engines/packet/crew.ts"
import type { Machine } from "../engines/packet/machine.ts"
import { type SharedMail, shareMail } from "../engines/packet/mail.ts"
import { EPOCH } from "../engines/packet/memory.ts"
import { type Partition, partition } from "../engines/packet/partition.ts"
import { nulls, type Optimism, optimistic, type Sync, type SyncStats, windows } from "../engines/packet/sync.ts"
import type { Side } from "../engines/packet/worker.ts"
import { aheadOf, ownersOf, type PacketNetwork, packetMachine } from "./packet-machine.ts"

export type Mode =
  | { readonly sync: "sequential" }
  | { readonly sync: Sync; readonly workers: number; readonly optimism?: Partial<Optimism> }

export interface RunStats extends SyncStats {
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
  return {
    sync: mode.sync,
    partition: p,
    owner: ownersOf(n.topology.graph, p.owner),
    mail: shareMail(mode.workers, ringWords),
    optimism: { window: 50_000, interval: 4096, batch: 8, ...mode.optimism },
    between: aheadOf(n, p).between,
  }
}

export function sideOf(plan: CrewPlan, me: number, logWords = 1 << 16): Side {
  return { me, owner: plan.owner, mail: plan.mail, ...(plan.sync === "optimistic" ? { logWords } : {}) }
}

/** One worker's way from the last common time to the next. */
export function stepsOf(plan: CrewPlan, machine: Machine, until: number, stats: SyncStats): Generator<undefined, void, void> {
  const w = machine.worker!
  const { workers } = plan.partition
  const width = 1 << machine.shift
  if (plan.sync === "windows") {
    const ahead = plan.between.reduce((a, b) => Math.min(a, b), EPOCH)
    return windows(w, until, Math.floor(ahead / width) * width, stats)
  }
  if (plan.sync === "nulls") {
    const ahead = Array.from({ length: workers }, (_, k) => Math.min(EPOCH, plan.between[w.mail.me * workers + k]!))
    return nulls(w, until, ahead, stats)
  }
  return optimistic(w, until, plan.optimism, stats)
}

export function noStats(): SyncStats {
  return { rounds: 0, nulls: 0, waits: 0 }
}

/** Adds what the workers counted. */
export function sumStats(machines: readonly Machine[], syncs: readonly SyncStats[]): RunStats {
  const sum = (of: (m: Machine) => number) => machines.reduce((n, m) => n + of(m), 0)
  const events = sum((m) => m.events())
  return {
    rounds: Math.max(...syncs.map((s) => s.rounds)),
    nulls: syncs.reduce((n, s) => n + s.nulls, 0),
    waits: syncs.reduce((n, s) => n + s.waits, 0),
    events,
    committed: sum((m) => m.history?.counts.committed ?? m.events()),
    rolledBack: sum((m) => m.history?.counts.rolledBack ?? 0),
    rollbacks: sum((m) => m.history?.counts.rollbacks ?? 0),
    cancels: sum((m) => m.worker?.mail.cancels ?? 0),
    messages: sum((m) => m.worker?.mail.sentMessages ?? 0),
  }
}

export type Drain = (rows: Int32Array, count: number, worker: number) => void

/** The bucket boundary at or before t. */
export function wholeBuckets(t: number, shift: number): number {
  return Math.floor(t / (1 << shift)) * (1 << shift)
}

export class PacketRun {
  readonly partition: Partition | undefined
  private readonly machines: readonly Machine[]
  private readonly plan: CrewPlan | undefined
  private readonly syncs: SyncStats[]
  private readonly pick: ((n: number) => number) | undefined
  private epochs = 0

  /** `pick`: who steps next, for tests. */
  constructor(n: PacketNetwork, mode: Mode, drain: Drain, o: { pick?: (n: number) => number; ringWords?: number; logWords?: number } = {}) {
    this.pick = o.pick
    if (mode.sync === "sequential") {
      this.machines = [packetMachine(n, (rows, count) => drain(rows, count, 0))]
    } else {
      const plan = crewPlan(n, mode, o.ringWords)
      this.plan = plan
      this.partition = plan.partition
      this.machines = Array.from({ length: mode.workers }, (_, me) =>
        packetMachine(n, (rows, count) => drain(rows, count, me), sideOf(plan, me, o.logWords)),
      )
    }
    this.syncs = this.machines.map(noStats)
    for (const m of this.machines) m.start()
  }

  /** ps of the finest step that `advance` can take */
  get width(): number {
    return 1 << this.machines[0]!.shift
  }

  /** Runs every event before `until` ps (rounded down to a whole bucket). */
  advance(until: number): void {
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

  /** Nothing is left to happen. */
  idle(): boolean {
    return this.machines.every((m) => m.pending() === 0)
  }

  stats(): RunStats {
    return sumStats(this.machines, this.syncs)
  }

  /** bytes of all columns, touched or not */
  get bytes(): number {
    return this.machines.reduce((n, m) => n + m.words * 4, 0)
  }
}
