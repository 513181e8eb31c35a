// What every clocked engine can do with its columns, whatever its loop moves: run partition by partition, add up, copy, compare.
import type { Complaint } from "../../core/complaint.ts"
import { type Column, type Columns, copyIn, copyOut, type Marks } from "../../fabric/columns.ts"
import { CONTROL, type counterColumns, STAT, type sourceColumns, type TrafficConstants } from "../../fabric/flit.ts"
import type { Layout } from "../../fabric/layout.ts"
import type { StateWaits } from "../../fabric/switch.ts"
import type { AddFill } from "../../fabric/transfer.ts"
import type { Table } from "../../model/experiment.ts"
import { PLACES } from "../../model/probe.ts"
import type { Standing } from "../verdict.ts"
import { type Attribution, attributionOf } from "./attribution.ts"
import type { SourceQueues } from "./source-queues.ts"
import type { Member, Team } from "./team.ts"

export interface ClockedLoop {
  /** runs partition `part` over cycles [t, end); a window must not be longer than `window` when there are several partitions */
  run(part: number, t: number, end: number): void
  /** takes in what the other partitions sent during the window of this parity */
  collect(part: number, parity: number): void
  /** schedules the first creation of every source of the partition */
  start(part: number): void
}

export type SharedColumns = ReturnType<typeof counterColumns> & ReturnType<typeof sourceColumns>

export interface Snapshot {
  readonly now: number
  readonly columns: Record<string, Column>
}

/** Of every buffer that holds something: the channel that its front packet goes to, flits stored, that packet's two endpoints, whether there is room behind
 *  that channel, the VC that it has or asks for, the packet's own 32 bits and its record; the input port (numbered like channels) that the buffer belongs to, or -1,
 *  and its VC there. */
export type VisitFront = (
  chan: number,
  flits: number,
  src: number,
  dst: number,
  room: boolean,
  vc: number,
  key: number,
  packet: number,
  input: number,
  inputVc: number,
) => void

/** A packet whose head is on the wire to this input port (numbered like channels). */
export type VisitFlight = (input: number, packet: number) => void

/** A packet in the network, in the network's own numbers; cycles. */
export interface Moving {
  readonly from: number
  readonly to: number
  readonly key: number
  readonly stream: number
  readonly flits: number
  readonly born: number
  readonly entered: number
  /** a message of a protocol: the records of these say neither when they were made nor when they left */
  readonly control: boolean
  /** routers that it has reached, or is on its way to */
  readonly hops: number
  /** before full buffers, as far as that is over */
  readonly waited: number
}

/** Ranks of parallel programs on a machine. */
export interface RankState {
  readonly ranks: number
  finished(): number
  /** events of ranks, and messages at interfaces, that wait for their time */
  pending(): number
  /** what a report needs of all of them */
  summaries(): Int32Array
}

export abstract class ClockedEngine implements Member {
  now = 0
  /** set when several workers run this machine; this one is the first of them */
  team: Team | undefined
  /** what lies behind the columns, for other workers */
  abstract readonly memory: readonly ArrayBufferLike[]
  abstract readonly layout: Layout
  abstract readonly constants: TrafficConstants & { readonly window: number }
  abstract readonly columns: SharedColumns
  abstract readonly loop: ClockedLoop
  abstract readonly sourceQueues: SourceQueues
  abstract allColumns(): Record<string, Column>
  /** which parts of the largest columns were ever used, told from columns of this machine or from a copy of them */
  abstract marks(columns: Columns): Marks
  abstract fingerprint(): string

  /** cycles that the measured packets spent in switches with nothing in their way */
  abstract get pipelines(): number
  /** packets can be put aside in a switch */
  get stashes(): boolean {
    return false
  }

  /** Parts of the mean latency of the measured packets, in cycles; undefined if none has arrived. */
  attribution(): Attribution | undefined {
    return attributionOf(this)
  }

  abstract queues(visit: VisitFront): void
  /** Packets whose heads are on wires between routers, or from their endpoint. */
  abstract flights(visit: VisitFlight): void
  abstract moving(packet: number): Moving
  /** cycles that a head needs from one router to the next when nothing is in its way, besides the latency of the wire */
  abstract get pipeline(): number

  /** Flits in the queues of routers [first, end), router by router, in one call or several. */
  protected abstract occupied(first: number, end: number, add: (router: number, flits: number) => void): void

  /** The same for each VL, buffer by buffer. */
  protected filled(_first: number, _end: number, _add: AddFill): void {}

  /** Queues whose fronts cannot move (fabric/switch.ts), and numbers of queues that each router takes. */
  abstract waits(): readonly StateWaits[]
  abstract get span(): number
  /** The endpoints of a packet. */
  abstract journey(packet: number): { readonly from: number; readonly to: number }

  /** The graph's number of the channel behind a port. */
  protected channel(port: number): number {
    const { PS, outerRouter, graph } = this.layout
    const r = Math.floor(port / PS)
    return graph.firstChan[outerRouter[r]!]! + port - r * PS
  }

  /** The graph's number of the port of an input VC; -1 stays -1. */
  protected inputOf(iv: number): number {
    return iv < 0 ? -1 : this.channel(iv >> this.layout.LV)
  }
  protected get vcMask(): number {
    return (1 << this.layout.LV) - 1
  }

  /** Flits, packets and credits that are on wires or in outboxes: each arrives by itself. */
  abstract onWires(): number
  /** Timers and messages inside switches that will act by themselves, and the longest time in cycles that one of them takes. */
  timersDue(): number {
    return 0
  }
  get longestTimer(): number {
    return 0
  }

  /** What stands and what is bound to happen; `circle` is for whoever can name one. */
  standing(): Standing {
    let waiting = 0
    this.queues(() => waiting++)
    return { underWay: this.inFlight(), waiting, onWires: this.onWires(), timers: this.timersDue() }
  }

  abstract audit(): Complaint[]

  /** Before the first cycle: nothing is measured yet, every source has its first creation. */
  protected begin(): void {
    const { control, stat } = this.columns
    control[CONTROL.from] = Number.POSITIVE_INFINITY
    control[CONTROL.to] = Number.POSITIVE_INFINITY
    control[CONTROL.quiet] = Number.POSITIVE_INFINITY
    for (let i = STAT.min; i < stat.length; i += STAT.width) stat[i] = Number.POSITIVE_INFINITY
    for (let p = 0; p < this.layout.parts; p++) this.loop.start(p)
  }

  /** Runs to cycle `end`, partition by partition, a whole window each. */
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
  /** Between two cycles there is time to look at what stands in the routers of the partition: the loop itself knows nothing of it. */
  run(part: number, t: number, end: number): void {
    const { seriesInterval, watch } = this.constants
    if (!watch.occupancy && !watch.lanes) {
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

  /** Writes down what the routers of the partition hold at the end of an interval. */
  private look(part: number, interval: number): void {
    const { occupancy, laneFill } = this.columns
    const { seriesLength, watch } = this.constants
    const { firstRouter, LV } = this.layout
    if (interval >= seriesLength) return
    const [first, end] = [firstRouter[part]!, firstRouter[part + 1]!]
    if (watch.occupancy)
      this.occupied(first, end, (router, flits) => {
        occupancy[router * seriesLength + interval]! += flits
      })
    if (watch.lanes)
      this.filled(first, end, (router, lane, place, flits) => {
        laneFill[(((router << LV) + lane) * PLACES.length + place) * seriesLength + interval]! += flits
      })
  }

  collect(part: number, parity: number): void {
    this.loop.collect(part, parity)
  }

  /** A statistic over all partitions, for one stream or all. */
  stat(what: keyof typeof STAT, stream = -1): number {
    const { stat } = this.columns
    let all = what === "min" ? Number.POSITIVE_INFINITY : 0
    for (let i = 0; i < this.layout.parts * this.constants.streams; i++) {
      if (stream >= 0 && i % this.constants.streams !== stream) continue
      const v = stat[i * STAT.width + STAT[what]]!
      all = what === "min" ? Math.min(all, v) : what === "max" || what === "networkMax" ? Math.max(all, v) : all + v
    }
    return all
  }

  flitHops(): number {
    const { portFlits } = this.columns
    let sum = 0
    for (let i = 0; i < portFlits.length; i++) sum += portFlits[i]!
    return sum
  }

  /** Packets that were created, have not arrived, and may still do so. */
  inFlight(): number {
    return this.stat("created") - this.stat("delivered") - this.stat("abandoned")
  }

  /** Packets of a stream that were created and have not arrived, those at their sources and those that were given up among them. */
  backlog(stream: number): number {
    return this.stat("created", stream) + this.sourceQueues.waiting(stream, this.now) - this.stat("delivered", stream)
  }

  /** Is anything left that a run which empties the network must wait for? */
  get busy(): boolean {
    return this.inFlight() > 0
  }

  /** What the switch counts beside the counters that all have. */
  extraValues(): Record<string, number> {
    return {}
  }
  extraTables(): Record<string, Table> {
    return {}
  }
  /** of what endpoints did, with the probe endpoints */
  endTables(): Record<string, Table> {
    return {}
  }

  /** absent: there are none */
  get jobs(): RankState | undefined {
    return undefined
  }

  snapshot(): Snapshot {
    const columns = this.allColumns()
    return { now: this.now, columns: copyOut(columns, this.marks(columns)) }
  }

  /** Refuses the snapshot of another machine: columns that differ in name, kind or length. */
  restore(s: Snapshot): void {
    copyIn(this.allColumns(), s.columns, (columns) => this.marks(columns))
    this.now = s.now
  }
}

export function total(column: Column): number {
  let sum = 0
  for (let i = 0; i < column.length; i++) sum += column[i]!
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
