// The clocked engine for switches that move whole packets. An experiment creates it (compile/clocked/transfers.ts), and
// run/clocked drives it. build.ts converts the specification into columns (typed arrays) and creates the loop. The
// sizes of wheels, rings, pools and outboxes are in sizes.ts.
import type { Complaint } from "../../../core/complaint.ts"
import { building, type Column, type Columns, type Marks } from "../../../fabric/columns.ts"
import type { Layout } from "../../../fabric/layout.ts"
import {
  CREATED,
  CREDIT_SHIFT,
  DST,
  END,
  ENTER,
  FLAG,
  FLITS,
  HOP_MASK,
  HOPS,
  KEY,
  NEXT,
  SRC,
  STATE,
  type TransferColumns,
  type TransferConstants,
  transferMarks,
} from "../../../fabric/packets.ts"
import type { SharedBuffers } from "../../../fabric/shared-buffers.ts"
import type { StateWaits } from "../../../fabric/switch.ts"
import type { AddFill, TransferSwitch } from "../../../fabric/transfer.ts"
import type { Table } from "../../../model/experiment.ts"
import type { QosScheduler } from "../../../model/scheduler.ts"
import { fillFrame, type PacketFrame } from "../../packet-frame.ts"
import {
  ClockedEngine,
  countOf,
  type Moving,
  prefixed,
  type RankState,
  total,
  type VisitFlight,
  type VisitFront,
} from "../clocked.ts"
import { outboxMarks } from "../outbox.ts"
import { type SourceQueues, sourceQueues } from "../source-queues.ts"
import { build, capsOf } from "./build.ts"
import { fingerprintOfTransfers } from "./fingerprint.ts"
import { makeTransferLoop, type TransferLoop } from "./loop.ts"
import { writePositions } from "./positions.ts"
import { rankMarks } from "./rank-columns.ts"
import type { TransferEngineSpec, TransferLoopSpec } from "./spec.ts"

export class TransferEngine extends ClockedEngine {
  readonly layout: Layout
  readonly constants: TransferConstants
  readonly columns: TransferColumns
  readonly sharedBuffers: SharedBuffers
  readonly queued: Uint16Array
  readonly load: Int32Array
  readonly boxFirst: Int32Array
  readonly loop: TransferLoop
  /** scheduler of the endpoints */
  readonly scheduler: QosScheduler | undefined
  readonly sw: TransferSwitch
  readonly ranks: TransferLoopSpec["ranks"]
  readonly sourceQueues: SourceQueues
  readonly spec: TransferEngineSpec

  readonly memory: readonly ArrayBufferLike[]

  /** `adopt`: memory of the same network, built and started by another worker. */
  constructor(
    spec: TransferEngineSpec,
    instantiate: typeof makeTransferLoop = makeTransferLoop,
    adopt?: readonly ArrayBufferLike[],
  ) {
    super()
    this.spec = spec
    const { made, memory } = building(() => build(spec, instantiate), adopt)
    this.memory = memory
    this.layout = made.layout
    this.constants = made.constants
    this.columns = made.columns
    this.sharedBuffers = made.sharedBuffers
    this.queued = made.queued
    this.load = made.load
    this.boxFirst = made.boxFirst
    this.loop = made.loop
    this.scheduler = made.scheduler
    this.ranks = made.ranks
    this.sw = made.loop.sw
    this.sourceQueues = sourceQueues({ ...spec, ...made, gapAfter: "first", capOf: capsOf(spec) })
    if (adopt === undefined) this.begin()
  }

  allColumns(): Record<string, Column> {
    return {
      ...this.columns,
      ...prefixed("room.", this.sharedBuffers.columns),
      queued: this.queued,
      load: this.load,
      ...prefixed("window.", this.loop.protocol?.columns ?? {}),
      ...prefixed("scheduler.", this.scheduler?.columns ?? {}),
      ...prefixed("switch.", this.sw.columns),
      ...prefixed("rank.", this.ranks?.columns ?? {}),
    }
  }

  marks(columns: Columns): Marks {
    const ranks = this.ranks === undefined ? {} : rankMarks(this.layout, this.ranks.plan, columns, "rank.")
    return { ...transferMarks(this.constants, columns), ...outboxMarks(this.boxFirst, columns), ...ranks }
  }

  packetHops(): number {
    return total(this.columns.packetHops)
  }

  override extraValues(): Record<string, number> {
    const flows = this.constants.sequence
      ? {
          "flows.refused": total(this.columns.refused),
          "flows.duplicates": total(this.columns.duplicates),
          abandoned: this.stat("abandoned"),
        }
      : {}
    const { ends, dropped, routerMade } = this.columns
    let sent = 0
    for (let e = 0; e < ends.length; e += END.size) sent += ends[e + END.sent]
    const control = this.constants.kinds
      ? {
          "control.packets": sent + total(dropped) + total(routerMade),
          "control.memory": this.protocolBytes() / 2 ** 20,
        }
      : {}
    return {
      "packet-hops": this.packetHops(),
      ...flows,
      ...control,
      ...this.sw.values(this.now),
      ...this.loop.protocol?.values?.(this.now),
    }
  }
  /**
   * Returns the bytes of the protocol's state at endpoints. Partitions round up the number of endpoints; the unused
   * ones do not count.
   */
  private protocolBytes(): number {
    const all = Object.values(this.loop.protocol?.columns ?? {}).reduce((sum, c) => sum + c.byteLength, 0)
    return (all / this.layout.ends) * this.layout.graph.ends
  }
  override extraTables(): Record<string, Table> {
    return this.sw.tables?.(this.now) ?? {}
  }
  override endTables(): Record<string, Table> {
    return this.loop.protocol?.tables?.(this.now) ?? {}
  }

  get pipelines(): number {
    return this.stat("pipeline")
  }
  /** Copies in a stash may wait for acknowledgements after all packets have arrived. */
  override get busy(): boolean {
    return super.busy || (this.sw.copies?.() ?? 0) > 0
  }
  override get stashes(): boolean {
    return this.spec.model.extensions?.stash !== undefined
  }

  override get jobs(): RankState | undefined {
    const { ranks, loop } = this
    if (ranks === undefined || loop.rankAdapter === undefined) return undefined
    const { layer } = this.spec.ranks!
    return {
      ranks: layer.ranks,
      finished: () => countOf(layer.ranks, (r) => loop.rankAdapter!.ranks.finished(r)),
      pending: () =>
        total(ranks.columns.pending) + countOf(ranks.columns.headOf.length, (e) => ranks.columns.headOf[e] !== 0),
      summaries() {
        const words = new Int32Array(layer.ranks * layer.summary)
        for (let r = 0; r < layer.ranks; r++) loop.rankAdapter!.ranks.summary(r, words, r * layer.summary)
        return words
      },
    }
  }

  queues(visit: VisitFront): void {
    const { packets } = this.columns
    const vcOf = (p: number) => (packets[p + STATE] >> 8) & 255
    const see = (port: number, flits: number, p: number, hasCredits: boolean, input: number) =>
      visit(
        this.channel(port),
        flits,
        packets[p + SRC],
        packets[p + DST],
        hasCredits,
        vcOf(p),
        packets[p + KEY],
        p,
        this.inputOf(input),
        input & this.vcMask,
      )
    this.sw.queues(see, 0, this.layout.routers)
  }

  override occupied(first: number, end: number, add: (router: number, flits: number) => void): void {
    const { PS } = this.layout
    this.sw.queues((port, flits) => add(Math.floor(port / PS), flits), first, end)
  }

  override filled(first: number, end: number, add: AddFill): void {
    this.sw.fill?.(add, first, end)
  }

  waits(): readonly StateWaits[] {
    return this.sw.waits()
  }
  get span(): number {
    return this.sw.span
  }
  packetTrace(packet: number): { from: number; to: number } {
    const { packets } = this.columns
    return { from: packets[packet + SRC], to: packets[packet + DST] }
  }

  /**
   * Visits packets in flight to an input. On the last link a packet is not visited, because it counts as delivered when
   * its transfer has started.
   */
  flights(visit: VisitFlight): void {
    const { flyHead, packets } = this.columns
    for (let port = 0; port < flyHead.length; port++)
      for (let p = flyHead[port]; p !== 0; p = packets[p + NEXT]) visit(this.channel(port), p)
  }

  override packets(into: PacketFrame): number {
    return fillFrame(into, () => writePositions(this, into))
  }

  moving(p: number): Moving {
    const { packets } = this.columns
    const word = (w: number) => packets[p + w]
    return {
      ...{
        from: word(SRC),
        to: word(DST),
        key: word(KEY),
        createdAt: word(CREATED),
        entered: word(ENTER),
        flits: word(FLITS),
      },
      hops: word(HOPS) & HOP_MASK,
      waited: word(HOPS) >>> CREDIT_SHIFT,
      stream: word(STATE) >>> 24,
      control: ((word(STATE) >>> 16) & FLAG.ack) !== 0,
    }
  }

  get pipeline(): number {
    return Math.min(...this.spec.model.layout.pass)
  }

  fingerprint(): string {
    return fingerprintOfTransfers(this)
  }

  onLinks(): number {
    const { flyHead, endFlyHead, controlHead, endControlHead, creditHead, creditTail, outCount } = this.columns
    let n = total(outCount)
    for (const head of [flyHead, endFlyHead, controlHead, endControlHead])
      for (let i = 0; i < head.length; i++) if (head[i] !== 0) n++
    for (let i = 0; i < creditHead.length; i++) if (creditHead[i] !== creditTail[i]) n++
    return n
  }
  override timersDue(): number {
    const { timerAt } = this.columns
    let armed = 0
    for (let e = 0; e < timerAt.length; e++) if (timerAt[e] !== 0) armed++
    return (this.sw.timersDue?.() ?? 0) + armed
  }
  override get longestTimer(): number {
    return Math.max(this.spec.model.layout.longestTimer ?? 0, this.spec.congestion.longestTimer ?? 0)
  }

  audit(): Complaint[] {
    const { protocol } = this.loop
    return [...this.sw.audit(this.now, protocol?.kept?.() ?? 0), ...(protocol?.audit?.(this.now) ?? [])]
  }
}
