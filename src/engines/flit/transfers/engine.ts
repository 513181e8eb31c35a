// The clocked engine for switches that move whole packets. compile/clocked/transfers.ts creates it from an experiment,
// and run/clocked drives it. `build` converts the specification into columns (typed arrays) and creates the loop; most
// of this file computes the sizes of wheels, rings, pools and outboxes.
import { bitsFor } from "../../../core/bitset.ts"
import type { Complaint } from "../../../core/complaint.ts"
import { building, type Column, type Columns, f64, i32, type Marks, scratchOf, u16 } from "../../../fabric/columns.ts"
import { type Layout, layOut } from "../../../fabric/layout.ts"
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
  MESSAGE,
  NEXT,
  recordWords,
  SRC,
  STATE,
  type TransferColumns,
  type TransferConstants,
  transferColumns,
  transferMarks,
} from "../../../fabric/packets.ts"
import { makeSharedBuffers, type SharedBuffers, sharedBufferRules } from "../../../fabric/shared-buffers.ts"
import type { StateWaits } from "../../../fabric/switch.ts"
import type { TransferSwitchModel } from "../../../fabric/switch-model.ts"
import {
  type AddFill,
  type MakeTransferSwitch,
  QUEUE_TOP,
  type TransferSite,
  type TransferSwitch,
} from "../../../fabric/transfer.ts"
import type { CongestionModel } from "../../../model/congestion.ts"
import type { EndpointModel } from "../../../model/endpoint.ts"
import type { Table } from "../../../model/experiment.ts"
import type { Graph } from "../../../model/graph.ts"
import { UNWATCHED, type Watch } from "../../../model/probe.ts"
import type { QosModel, QosScheduler } from "../../../model/scheduler.ts"
import type { Stream } from "../../../model/stream.ts"
import type { VcPlan } from "../../../model/vc-plan.ts"
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
import { lookahead, outboxes, outboxMarks } from "../outbox.ts"
import { type SourceQueues, sourceQueues } from "../source-queues.ts"
import { sourceModel } from "../sources.ts"
import { waitingSlots } from "../waiting.ts"
import { fingerprintOfTransfers } from "./fingerprint.ts"
import { makeTransferLoop, type TransferLoop } from "./loop.ts"
import { writePositions } from "./positions.ts"
import { layRankColumns, type RankRequest, rankMarks } from "./rank-columns.ts"
import type { TransferLoopSpec } from "./spec.ts"

export interface TransferEngineSpec {
  readonly graph: Graph
  readonly model: TransferSwitchModel
  readonly endpoint: EndpointModel
  readonly congestion: CongestionModel
  readonly plan: VcPlan
  readonly qos: QosModel
  readonly flitBytes: number
  readonly scratch: number
  readonly streams: readonly Stream[]
  readonly seed: number
  /** length of the run and of one interval of the time series, in cycles */
  readonly horizon: number
  readonly series: number
  /** Returns [endpoint] -> offered load. */
  offeredTo(): Float32Array
  readonly watch?: Watch
  /** ranks of parallel programs */
  readonly ranks?: RankRequest | undefined
  readonly assign?: ArrayLike<number>
  readonly parts?: number
  makeSwitch(site: TransferSite): MakeTransferSwitch
}

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

/** Returns [stream] -> maximum number of messages of an endpoint; 0: no limit. */
function capsOf({ streams, endpoint: { cap } }: TransferEngineSpec): number[] {
  return streams.map((s) => (cap?.streams.includes(s.name) === true ? cap.messages : 0))
}

/** Builds columns and loop. The order of allocation must be the same in all workers (fabric/columns.ts). */
function build(spec: TransferEngineSpec, instantiate: typeof makeTransferLoop) {
  const { model, graph, endpoint } = spec
  const { entry = {} } = model
  const layout = layOut(graph, model.vcs + (model.layout.innerVcs ?? 0), spec.parts ?? 1, spec.assign)
  const { first: boxFirst, total: outboxSlots } = boxes(layout, spec)
  const rings = creditRings(layout, spec)
  const constants = constantsOf(spec, layout, outboxSlots, rings.total)
  const columns = transferColumns(layout, constants)
  columns.creditFirst.set(rings.first)
  const sharedBuffers = sharedBuffersOf(layout, model, spec.plan)
  const rules = sharedBufferRules(sharedBuffers, layout.LV)
  const queued = u16(layout.NOV).fill(QUEUE_TOP)
  const load = i32(layout.routers * layout.PS)
  const site: TransferSite = { layout, constants, columns, sharedBuffers, rules, queued, load, boxFirst }
  const scheduler = schedulerOf(spec, layout)
  const ranks = ranksOf(spec, layout, columns.messages.length / MESSAGE.size)
  const loop = instantiate({
    ...(ranks === undefined ? {} : { ranks }),
    layout,
    constants,
    columns,
    makeSwitch: spec.makeSwitch(site),
    sources: sourceModel(spec.streams, spec.seed, columns),
    rules,
    boxFirst,
    clock: model.layout.clock,
    hold: model.layout.hold,
    pass: model.layout.pass,
    plan: spec.plan,
    streamClass: scratchOf(spec.streams.map((s) => spec.plan.classOf[s.vcFirst])),
    capOf: scratchOf(capsOf(spec)),
    stopOf: Float64Array.from(spec.streams, (s) => s.stop),
    turnaround: endpoint.turnaround,
    onCreate: spec.congestion.onCreate === true,
    trims: spec.model.extensions?.trims === true,
    anyEntry: entry.anyEntry === true,
    vlOf: entry.vlOf,
    lanes: model.extensions?.lanes,
    injectRandom: endpoint.injectRandom,
    ack: endpoint.ack,
    ackVc: entry.ackVc ?? 0,
    scheduler,
    ages: spec.qos.ages === true,
    offeredTo: spec.offeredTo,
    ...protocolOf(spec),
  })
  return { layout, constants, columns, sharedBuffers, queued, load, boxFirst, loop, scheduler, ranks }
}

function ranksOf({ ranks, flitBytes }: TransferEngineSpec, l: Layout, messages: number): TransferLoopSpec["ranks"] {
  if (ranks === undefined) return undefined
  return { ...layRankColumns(l, ranks, flitBytes, messages), stream: ranks.layer.stream, packet: ranks.packet }
}

function schedulerOf({ endpoint, qos, plan, flitBytes }: TransferEngineSpec, l: Layout): QosScheduler | undefined {
  if (endpoint.scheduled !== true) return undefined
  const site = { rows: l.ends, queues: plan.classes.length, unitBytes: flitBytes, rate: 1, endpoints: true }
  return qos.build({ ...site, ints: i32, reals: f64 })
}

/** Returns the protocol of the congestion management, otherwise that of the injection queues or of the switch. */
function protocolOf({
  congestion,
  model,
  endpoint: { injection },
}: TransferEngineSpec): Pick<TransferLoopSpec, "makeProtocol"> {
  const queues = injection === undefined ? undefined : model.extensions?.injection?.queues(injection)
  const makeProtocol = congestion.endpoint ?? queues ?? model.extensions?.messages?.endpoint
  return makeProtocol === undefined ? {} : { makeProtocol }
}

/** Derives the sizes. Sizes that can end a run must not depend on partitions. */
function constantsOf(spec: TransferEngineSpec, l: Layout, outboxSlots: number, creditSlots: number): TransferConstants {
  const { streams, model, endpoint } = spec
  const { congestion } = spec
  const { layout } = model
  const { lanes, messages, stash } = model.extensions ?? {}
  const maxLength = Math.max(1, endpoint.ack, congestion.controlFlits ?? 0, ...streams.map((s) => s.packet.max))
  const words = recordWords(
    spec.scratch,
    congestion.kinds === true || messages !== undefined,
    stash !== undefined,
    layout.ownWord === true,
    spec.ranks !== undefined,
  )
  const late = latestCredit(l, spec)
  // The wheel covers both directions of the longest link, the longest packet twice, its hold time and the latest
  // credit.
  const reach =
    2 * l.maxLatency + 2 * Math.max(maxLength, messages?.longest ?? 0) + layout.hold[maxLength] + late + SPARE
  const portWords = (most(l, (p) => routersIn(l, p) * l.PS) + 31) >> 5
  return {
    streams: streams.length,
    maxLength,
    scratch: spec.scratch,
    seed: spec.seed | 0,
    seriesInterval: spec.series,
    seriesLength: Math.floor(spec.horizon / spec.series) + 2,
    watch: spec.watch ?? UNWATCHED,
    ...words,
    packetSlots: Math.floor(Math.min(recordsNeeded(spec, l), MOST_WORDS / words.stride / l.parts)),
    waitSlots: waitSlotsOf(spec, l),
    wheelMask: 2 ** bitsFor(reach) - 1,
    nearMask: 2 ** bitsFor(layout.near === true ? 2 * l.maxLatency + layout.hold[maxLength] + 8 : reach) - 1,
    portWords,
    portMarks: (portWords + 31) >> 5,
    endWords: (most(l, (p) => l.firstEnd[p + 1] - l.firstEnd[p]) + 31) >> 5,
    window: lookahead(l, 0),
    outboxSlots,
    stashes: stash !== undefined,
    classes: spec.plan.classes.length,
    dataClasses: spec.plan.data,
    lanes: lanes?.count ?? 0,
    timers: congestion.endpoint !== undefined || endpoint.injection !== undefined,
    backlog: backlogOf(spec),
    active: endpoint.active,
    queues: endpoint.perDestination ? l.graph.ends : 1,
    tells: messages !== undefined,
    creditSlots,
    latest: late + SPARE - 1,
    sequence: layout.sequence === true || endpoint.reorder > 0,
    reorder: endpoint.reorder,
  }
}

/** minimum number of stored messages of an endpoint if messages are stored when they are created */
const ON_CREATE = 1024
/** messages of an endpoint are numbered in 16 bits */
const MOST_MESSAGES = 65_000

function backlogOf({ endpoint, congestion, plan }: TransferEngineSpec): number {
  const backlog = congestion.onCreate === true ? Math.max(ON_CREATE, endpoint.backlog) : endpoint.backlog
  return Math.min(backlog, Math.floor(MOST_MESSAGES / plan.data))
}

/** maximum words of all records: byte offsets must fit into 32 bits */
const MOST_WORDS = 2 ** 29
export const MOST_RECORD_BYTES = 4 * MOST_WORDS

/**
 * Returns how many packets may wait at an endpoint before the run ends. It depends on the network, never on partitions.
 */
function waitSlotsOf({ endpoint, streams, congestion }: TransferEngineSpec, l: Layout): number {
  const waits = endpoint.ack > 0 || congestion.kinds === true || streams.some((s) => s.reply > 0)
  return waits ? waitingSlots(l.graph.ends) : 0
}

/**
 * Returns the number of records: twice the packets that all buffers hold (acknowledgements are small), the copies of
 * switches, and the packets that may wait at endpoints. Records of a partition may be anywhere in the network, so each
 * partition has enough for the whole network. Untouched memory costs nothing, and the number must not depend on
 * partitions.
 */
function recordsNeeded(spec: TransferEngineSpec, l: Layout): number {
  const { model, streams } = spec
  const { routers } = l.graph
  let flits = 0
  for (let c = 0; c < l.graph.classes.length; c++)
    flits = Math.max(flits, model.layout.input(c).flits + model.layout.output(c).flits)
  const shortest = Math.min(...streams.map((s) => s.packet.mean))
  const inside = l.radix * model.layout.innerFlits
  const staged =
    spec.endpoint.injection === undefined ? 0 : Math.ceil((model.extensions?.injection?.flits ?? 0) / shortest)
  const waiting = l.graph.ends * (waitSlotsOf(spec, l) + (spec.congestion.controlSlots ?? 0) + staged)
  return (
    1024 +
    waiting +
    routers * Math.ceil((2 * (l.radix * flits + inside)) / shortest + (model.extensions?.stash?.copies ?? 0) / shortest)
  )
}

function routersIn(l: Layout, part: number): number {
  let n = 0
  for (let r = l.firstRouter[part]; r < l.firstRouter[part + 1]; r++) if (l.outerRouter[r] >= 0) n++
  return n
}

function most(l: Layout, of: (part: number) => number): number {
  let m = 0
  for (let p = 0; p < l.parts; p++) m = Math.max(m, of(p))
  return m
}

/** Reserve of cycles and credits beyond the computed need. */
const SPARE = 8

/**
 * Returns the cycles that a credit may wait before it is sent. A core that moves the shortest packet in less than a
 * cycle, or drops packets, empties an input faster than one credit message per cycle can report. While the link refills
 * it, the credits of all packets it held wait; there is about one per packet.
 */
function latestCredit(l: Layout, spec: TransferEngineSpec): number {
  const { clock } = spec.model.layout
  const faster = clock.link > clock.core * shortestPacket(spec) || drains(spec)
  return faster ? mostHeld(l, spec) : 0
}

/**
 * Returns true if inputs may free more packets in a cycle than their crossbar takes: in the worst case all that they
 * hold.
 */
function drains({ model, congestion }: TransferEngineSpec): boolean {
  return congestion.kinds === true || model.layout.bursts === true
}

/** Returns the number of packets that an input can hold. */
function mostHeld(l: Layout, spec: TransferEngineSpec): number {
  return Math.ceil(largestInput(l, spec.model) / shortestPacket(spec))
}

function shortestPacket({ model, streams, endpoint, congestion }: TransferEngineSpec): number {
  const control = endpoint.ack > 0 || congestion.kinds === true || model.extensions?.messages !== undefined
  return control ? 1 : Math.min(...streams.map((s) => (s.packet.fixed !== undefined ? s.packet.fixed : 1)))
}

function largestInput(l: Layout, model: TransferSwitchModel): number {
  return Math.max(...l.graph.classes.map((_, c) => model.layout.input(c).flits))
}

/**
 * Sizes the outboxes: packets and messages in one direction of the channels between two partitions, and credits in the
 * other, within one window. Each arriving packet, and each one that was there before, can cause a credit.
 */
function boxes(l: Layout, spec: TransferEngineSpec): { first: Int32Array; total: number } {
  const { layout, extensions } = spec.model
  const { clock } = layout
  const cycles = lookahead(l, 0)
  const messages = extensions?.messages !== undefined ? cycles + 1 : 0
  const held = drains(spec) ? mostHeld(l, spec) : 0
  return outboxes(l, l.parts, l.parts, Math.ceil((cycles * clock.link) / clock.core) + 4 + messages + held, 0)
}

/**
 * Computes the credit ring of each channel: one credit for each cycle of latency, plus those that wait to be sent, but
 * at most the packets that the input can hold. Larger rings would only occupy more cache lines.
 */
function creditRings(l: Layout, spec: TransferEngineSpec): { first: Int32Array; total: number } {
  const ports = l.routers * l.PS
  const first = new Int32Array(ports + l.ends + 1)
  const late = latestCredit(l, spec)
  const lanes = spec.model.extensions?.lanes
  const held = Math.max(largestInput(l, spec.model), lanes === undefined ? 0 : lanes.count * lanes.flits)
  const most = Math.max(2, spec.model.layout.flitCredits === true ? held : Math.ceil(held / shortestPacket(spec)))
  let at = 0
  for (let c = 0; c < ports + l.ends; c++) {
    first[c] = at
    const latency =
      c >= ports ? (l.outerEnd[c - ports] < 0 ? -1 : l.entryLatency[c - ports]) : l.down[c] < 0 ? -1 : l.latency[c]
    if (latency >= 0) at += 2 ** bitsFor(Math.min(most, latency + late + SPARE))
  }
  first[ports + l.ends] = at
  return { first, total: at }
}

function sharedBuffersOf(l: Layout, model: TransferSwitchModel, plan: VcPlan): SharedBuffers {
  const chan = (port: number) => l.graph.firstChan[l.outerRouter[Math.floor(port / l.PS)]] + (port % l.PS)
  // A router with fewer ports than the largest one has unused port numbers; their class does not matter.
  const exists = (port: number) => chan(port) < l.graph.firstChan[l.outerRouter[Math.floor(port / l.PS)] + 1]
  const classOf = (port: number) => (exists(port) ? l.graph.linkClass[chan(port)] : 0)
  return makeSharedBuffers(
    l,
    (port) => model.layout.input(l.down[port] >= 0 ? classOf(l.down[port] >> l.LV) : classOf(port), plan),
    (end) => model.layout.input(classOf(l.entry[end] >> l.LV), plan),
    (port) => model.layout.output(classOf(port)),
  )
}
