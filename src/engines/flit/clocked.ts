// Base class of the clocked engines: everything that depends on columns and not on what the loop moves. It runs
// partitions window by window, adds up statistics, and copies and restores the state. FlitEngine and TransferEngine
// extend it; measure/clocked calls it.
import type { Complaint } from "../../core/complaint.ts"
import { type Column, type Columns, copyIn, copyOut, type Marks } from "../../fabric/columns.ts"
import { CONTROL, type counterColumns, STAT, type sourceColumns, type TrafficConstants } from "../../fabric/flit.ts"
import type { Layout } from "../../fabric/layout.ts"
import type { StateWaits } from "../../fabric/switch.ts"
import type { AddFill } from "../../fabric/transfer.ts"
import type { Table } from "../../model/experiment.ts"
import type { PacketFrame } from "../packet-frame.ts"
import type { StalledState } from "../verdict.ts"
import { type Attribution, attributionOf } from "./attribution.ts"
import { sample } from "./sampling.ts"
import type { SourceQueues } from "./source-queues.ts"
import type { Member, WorkerGroup } from "./worker-group.ts"

export interface ClockedLoop {
  /**
   * Executes partition `part` for cycles [t, end). With several partitions, a window must not exceed `window` cycles.
   */
  run(part: number, t: number, end: number): void
  /** Accepts the entries that other partitions sent during the window of this parity. */
  collect(part: number, parity: number): void
  /** Schedules the first packet of every source of the partition. */
  start(part: number): void
}

export type SharedColumns = ReturnType<typeof counterColumns> & ReturnType<typeof sourceColumns>

export interface Snapshot {
  readonly now: number
  readonly columns: Record<string, Column>
}

/**
 * Visits each non-empty buffer: the channel of its head packet, the stored flits, that packet's endpoints, whether it
 * has credits, its VC or the VC it requests, its 32-bit key and record. `input` is the input port (numbered as
 * channels) of the buffer, or -1, and `inputVc` its VC.
 */
export type VisitFront = (
  chan: number,
  flits: number,
  src: number,
  dst: number,
  hasCredits: boolean,
  vc: number,
  key: number,
  packet: number,
  input: number,
  inputVc: number,
) => void

/** Visits a packet whose head is in flight to this input port (numbered as channels). */
export type VisitFlight = (input: number, packet: number) => void

/** A packet in the network; endpoint numbers are those of the network, times are cycles. */
export interface Moving {
  readonly from: number
  readonly to: number
  readonly key: number
  readonly stream: number
  readonly flits: number
  readonly createdAt: number
  readonly entered: number
  /** a protocol message, whose record has no creation or injection time */
  readonly control: boolean
  /** routers that it has reached, including the one it is in flight to */
  readonly hops: number
  /** cycles of ended credit stalls */
  readonly waited: number
}

/** Ranks of parallel programs in an engine. */
export interface RankState {
  readonly ranks: number
  finished(): number
  /** pending events of ranks, and messages that wait at network interfaces */
  pending(): number
  /** Returns the report words of all ranks. */
  summaries(): Int32Array
}

export abstract class ClockedEngine implements Member {
  now = 0
  /** set if several workers run this engine; this one is the first of them */
  team: WorkerGroup | undefined
  /** the memory of all columns, to be shared with other workers */
  abstract readonly memory: readonly ArrayBufferLike[]
  abstract readonly layout: Layout
  abstract readonly constants: TrafficConstants & { readonly window: number }
  abstract readonly columns: SharedColumns
  abstract readonly loop: ClockedLoop
  abstract readonly sourceQueues: SourceQueues
  abstract allColumns(): Record<string, Column>
  /** Returns the used part of the largest columns, computed from the columns of this engine or from a copy of them. */
  abstract marks(columns: Columns): Marks
  abstract fingerprint(): string

  /** cycles that the measured packets would spend in switches at zero load */
  abstract get pipelines(): number
  /** the switches have a stash for packets */
  get stashes(): boolean {
    return false
  }

  /** Returns the components of the mean latency of the measured packets, in cycles; undefined if none has arrived. */
  attribution(): Attribution | undefined {
    return attributionOf(this)
  }

  abstract queues(visit: VisitFront): void
  /** Visits packets whose head is in flight between routers, or from their source endpoint. */
  abstract flights(visit: VisitFlight): void
  abstract moving(packet: number): Moving
  /** Writes the packets in the network and their positions (packet-frame.ts); -1: this engine does not know them. */
  packets(_into: PacketFrame): number {
    return -1
  }
  /** cycles that a head flit needs from one router to the next at zero load, without the latency of the link */
  abstract get pipeline(): number

  /** Reports the flits in the queues of routers [first, end), router by router, in one call or several. */
  abstract occupied(first: number, end: number, add: (router: number, flits: number) => void): void

  /** The same for each virtual lane (VL) and buffer. */
  filled(_first: number, _end: number, _add: AddFill): void {}

  /** Queues whose head packets cannot move (fabric/switch.ts), and the number of queue identifiers of each router. */
  abstract waits(): readonly StateWaits[]
  abstract get span(): number
  /** Returns the endpoints of a packet. */
  abstract packetTrace(packet: number): { readonly from: number; readonly to: number }

  /** Returns the graph's number of the channel at a port. */
  channel(port: number): number {
    const { PS, outerRouter, graph } = this.layout
    const r = Math.floor(port / PS)
    return graph.firstChan[outerRouter[r]] + port - r * PS
  }

  /** Returns the graph's number of the port of an input VC; -1 stays -1. */
  protected inputOf(iv: number): number {
    return iv < 0 ? -1 : this.channel(iv >> this.layout.LV)
  }
  protected get vcMask(): number {
    return (1 << this.layout.LV) - 1
  }

  /**
   * Returns the number of flits, packets and credits on links or in outboxes. Each arrives without further conditions.
   */
  abstract onLinks(): number
  /**
   * Number of timers and messages inside switches that will act without further conditions, and the longest such timer
   * in cycles.
   */
  timersDue(): number {
    return 0
  }
  get longestTimer(): number {
    return 0
  }

  /** Returns the state for the stall classification (verdict.ts), without the cycle of packets. */
  standing(): StalledState {
    let waiting = 0
    this.queues(() => waiting++)
    return { underWay: this.inFlight(), waiting, onLinks: this.onLinks(), timers: this.timersDue() }
  }

  abstract audit(): Complaint[]

  /** Initialises the state before the first cycle: no measurement window, and the first packet of every source. */
  protected begin(): void {
    const { control, stat } = this.columns
    control[CONTROL.from] = Number.POSITIVE_INFINITY
    control[CONTROL.to] = Number.POSITIVE_INFINITY
    control[CONTROL.quiet] = Number.POSITIVE_INFINITY
    for (let i = STAT.min; i < stat.length; i += STAT.width) stat[i] = Number.POSITIVE_INFINITY
    for (let p = 0; p < this.layout.parts; p++) this.loop.start(p)
  }

  /** Runs to cycle `end`: each window is executed for all partitions, then their entries are exchanged. */
  advance(end: number): void {
    const { parts, window } = this
    if (this.team !== undefined) {
      this.team.call(this.now, end)
      this.team.work(this, this.now, end)
      this.now = end
      return
    }
    if (parts === 1) {
      this.run(0, this.now, end)
      this.now = end
      return
    }
    while (this.now < end) {
      const next = Math.min(end, (Math.floor(this.now / window) + 1) * window)
      for (let p = 0; p < parts; p++) this.run(p, this.now, next)
      if (next % window === 0) for (let p = 0; p < parts; p++) this.loop.collect(p, (next / window - 1) & 1)
      this.now = next
    }
  }

  get parts(): number {
    return this.layout.parts
  }
  get window(): number {
    return this.constants.window
  }
  /**
   * Runs a partition. Counters are sampled between cycles at the end of each interval, so that the loop itself needs no
   * probe code.
   */
  run(part: number, t: number, end: number): void {
    const { seriesInterval, watch } = this.constants
    if (watch.counters.length === 0) {
      this.loop.run(part, t, end)
      return
    }
    while (t < end) {
      const next = Math.min(end, (Math.floor(t / seriesInterval) + 1) * seriesInterval)
      this.loop.run(part, t, next)
      if (next % seriesInterval === 0) this.look(part, next / seriesInterval - 1)
      t = next
    }
  }

  /** Samples the counters of the partition's routers at the end of an interval. */
  private look(part: number, interval: number): void {
    const { firstRouter } = this.layout
    if (interval < this.constants.seriesLength) sample(this, firstRouter[part], firstRouter[part + 1], interval)
  }

  collect(part: number, parity: number): void {
    this.loop.collect(part, parity)
  }

  /** Returns a statistic over all partitions, for one stream or all. */
  stat(what: keyof typeof STAT, stream = -1): number {
    const { stat } = this.columns
    // Each partition and stream has its own row, because workers must not write to common words.
    let all = what === "min" ? Number.POSITIVE_INFINITY : 0
    for (let i = 0; i < this.layout.parts * this.constants.streams; i++) {
      if (stream >= 0 && i % this.constants.streams !== stream) continue
      const v = stat[i * STAT.width + STAT[what]]
      all = what === "min" ? Math.min(all, v) : what === "max" || what === "networkMax" ? Math.max(all, v) : all + v
    }
    return all
  }

  flitHops(): number {
    const { portFlits } = this.columns
    let sum = 0
    for (let i = 0; i < portFlits.length; i++) sum += portFlits[i]
    return sum
  }

  /** Returns the number of packets that were created, have not arrived, and were not abandoned. */
  inFlight(): number {
    return this.stat("created") - this.stat("delivered") - this.stat("abandoned")
  }

  /**
   * Returns the packets of a stream that were created and have not arrived, including those at their sources and
   * abandoned ones.
   */
  backlog(stream: number): number {
    return this.stat("created", stream) + this.sourceQueues.waiting(stream, this.now) - this.stat("delivered", stream)
  }

  /** Returns true while a run that drains the network must continue. */
  get busy(): boolean {
    return this.inFlight() > 0
  }

  /** Returns the counters that are specific to the switch. */
  extraValues(): Record<string, number> {
    return {}
  }
  extraTables(): Record<string, Table> {
    return {}
  }
  /** tables of the endpoint protocol, for the probe `endpoints` */
  endTables(): Record<string, Table> {
    return {}
  }

  /** absent if there are no ranks */
  get jobs(): RankState | undefined {
    return undefined
  }

  snapshot(): Snapshot {
    const columns = this.allColumns()
    return { now: this.now, columns: copyOut(columns, this.marks(columns)) }
  }

  /** Restores a snapshot. Throws if columns differ in name, type or length, because it belongs to another network. */
  restore(s: Snapshot): void {
    copyIn(this.allColumns(), s.columns, (columns) => this.marks(columns))
    this.now = s.now
  }
}

export function total(column: Column): number {
  let sum = 0
  for (let i = 0; i < column.length; i++) sum += column[i]
  return sum
}

export function countOf(n: number, is: (i: number) => boolean): number {
  let count = 0
  for (let i = 0; i < n; i++) if (is(i)) count++
  return count
}

export function prefixed(prefix: string, columns: Readonly<Record<string, Column>>): Record<string, Column> {
  return Object.fromEntries(Object.entries(columns).map(([k, c]) => [prefix + k, c]))
}
