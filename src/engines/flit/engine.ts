// The clocked engine for switches that move flits: a compiled network that can be run, saved, restored and compared.
// compile/clocked/flits.ts creates it from an experiment, and run/clocked drives it. `build` converts the specification
// into columns (typed arrays) and creates the loop; the loop knows nothing else.
import { bitsFor } from "../../core/bitset.ts"
import type { Complaint } from "../../core/complaint.ts"
import { type BufferSpec, type Buffers, creditRules, makeBuffers } from "../../fabric/buffers.ts"
import { building, type Column, type Columns, type Marks } from "../../fabric/columns.ts"
import {
  type FlitColumns,
  type FlitConstants,
  flitColumns,
  flitMarks,
  type PacketFields,
  packetFields,
  recordSize,
} from "../../fabric/flit.ts"
import { type Layout, layOut } from "../../fabric/layout.ts"
import type { FlitSwitch, MakeFlitSwitch, StateWaits, SwitchSite, SwitchTiming } from "../../fabric/switch.ts"
import type { Graph } from "../../model/graph.ts"
import { UNWATCHED, type Watch } from "../../model/probe.ts"
import type { Stream } from "../../model/stream.ts"
import type { PacketFrame } from "../packet-frame.ts"
import {
  ClockedEngine,
  type Moving,
  prefixed,
  type RankState,
  total,
  type VisitFlight,
  type VisitFront,
} from "./clocked.ts"
import { fingerprintOf } from "./fingerprint.ts"
import { type Loop, makeLoop } from "./loop.ts"
import { boxesOf, lookahead, outboxes, outboxMarks } from "./outbox.ts"
import { writePackets } from "./packets.ts"
import { type FlitRanks, flitRankMarks, layFlitRanks, rankState } from "./ranks.ts"
import { type SourceQueues, sourceQueues } from "./source-queues.ts"
import { sourceModel } from "./sources.ts"
import type { RankRequest } from "./transfers/rank-columns.ts"
import { waitingSlots } from "./waiting.ts"

export interface FlitEngineSpec {
  readonly graph: Graph
  readonly vcs: number
  readonly buffer: BufferSpec
  readonly timing: SwitchTiming
  readonly injectRandom: boolean
  /** each stream has its own round-robin pointer over the injection VCs */
  readonly injectByStream?: boolean
  /** cycles between a request's arrival and its reply's earliest departure */
  readonly turnaround: number
  /** the routing function reads queue lengths, so each flit must be counted where it is */
  readonly adaptive: boolean
  readonly scratch: number
  readonly streams: readonly Stream[]
  readonly seed: number
  /** length of the run and of one interval of the time series, in cycles */
  readonly horizon: number
  readonly series: number
  readonly watch?: Watch
  /** ranks of parallel programs, and bytes of the flits that their messages are divided into */
  readonly ranks?: RankRequest | undefined
  readonly flitBytes: number
  /** [router] -> partition; absent = one partition */
  readonly assign?: ArrayLike<number>
  readonly parts?: number
  /** each worker executes consecutive partitions; absent: one worker per partition */
  readonly workers?: number
  makeSwitch(site: SwitchSite): MakeFlitSwitch
}

export class FlitEngine extends ClockedEngine {
  readonly layout: Layout
  readonly constants: FlitConstants
  readonly columns: FlitColumns
  readonly fields: PacketFields
  readonly buffers: Buffers
  readonly loop: Loop
  /** [box] -> its first entry in the outbox column */
  readonly boxFirst: Int32Array
  readonly sw: FlitSwitch
  readonly ranks: FlitRanks | undefined
  readonly sourceQueues: SourceQueues
  readonly spec: FlitEngineSpec

  /** the memory of all columns, to be shared with other workers */
  readonly memory: readonly ArrayBufferLike[]

  /** `adopt`: memory of the same network, built and started by another worker. */
  constructor(spec: FlitEngineSpec, instantiate: typeof makeLoop = makeLoop, adopt?: readonly ArrayBufferLike[]) {
    super()
    this.spec = spec
    const { made, memory } = building(() => build(spec, instantiate), adopt)
    this.memory = memory
    this.layout = made.layout
    this.constants = made.constants
    this.columns = made.columns
    this.fields = made.fields
    this.buffers = made.buffers
    this.loop = made.loop
    this.boxFirst = made.boxFirst
    this.ranks = made.ranks
    this.sw = made.loop.sw
    this.sourceQueues = sourceQueues({ ...spec, ...made, gapAfter: "last" })
    if (adopt === undefined) this.begin()
  }

  allColumns(): Record<string, Column> {
    return {
      ...this.columns,
      ...prefixed("buffer.", this.buffers.columns),
      ...prefixed("switch.", this.sw.columns),
      ...prefixed("rank.", this.ranks?.columns ?? {}),
    }
  }

  marks(columns: Columns): Marks {
    const ranks = this.ranks === undefined ? {} : flitRankMarks(this.layout, this.ranks, columns)
    return { ...flitMarks(this.constants, columns), ...outboxMarks(this.boxFirst, columns), ...ranks }
  }

  fingerprint(): string {
    return fingerprintOf(this)
  }

  override get jobs(): RankState | undefined {
    const { ranks, loop } = this
    return ranks === undefined || loop.rankAdapter === undefined
      ? undefined
      : rankState(this.spec.ranks!, loop.rankAdapter, ranks.columns)
  }

  get pipelines(): number {
    return this.spec.timing.pipeline * this.stat("hops")
  }

  queues(visit: VisitFront): void {
    const { pSrc, pDst, pKey } = this.fields
    this.sw.queues((port, flits, p, hasCredits, input, vc = 0) =>
      visit(
        this.channel(port),
        flits,
        pSrc[p],
        pDst[p],
        hasCredits,
        vc,
        pKey[p],
        p,
        this.inputOf(input),
        input & this.vcMask,
      ),
    )
  }

  override occupied(first: number, end: number, add: (router: number, flits: number) => void): void {
    for (let r = first; r < end; r++) add(r, this.sw.stored(r))
  }

  waits(): readonly StateWaits[] {
    return this.sw.waits()
  }
  get span(): number {
    return this.layout.RS
  }
  packetTrace(packet: number): { from: number; to: number } {
    return { from: this.fields.pSrc[packet], to: this.fields.pDst[packet] }
  }

  /** Head flits in flight are in the timing wheel of flits. */
  flights(visit: VisitFlight): void {
    const { flitAt, flitPacket, flitCount } = this.columns
    const { flitSlots } = this.constants
    for (let s = 0; s < flitCount.length; s++)
      for (let i = s * flitSlots; i < s * flitSlots + flitCount[s]; i++)
        if (flitPacket[i] >= 0) visit(this.inputOf(flitAt[i]), flitPacket[i])
  }

  override packets(into: PacketFrame): number {
    return this.sw.packets === undefined ? -1 : writePackets(this, this.sw.packets, into)
  }

  moving(p: number): Moving {
    const { pSrc, pDst, pKey, pCreated, pEnter, pHops, pWait, pLen, pStream } = this.fields
    const { streams, fixedLength } = this.constants
    return {
      ...{
        from: pSrc[p],
        to: pDst[p],
        key: pKey[p],
        createdAt: pCreated[p],
        entered: pEnter[p],
        hops: pHops[p] & 4095,
        waited: pWait[p],
      },
      flits: fixedLength > 0 ? fixedLength : pLen[p],
      stream: streams > 1 ? pStream[p] : 0,
      control: false,
    }
  }

  get pipeline(): number {
    return this.spec.timing.pipeline
  }

  onLinks(): number {
    const { flitCount, creditCount, outCount } = this.columns
    return total(flitCount) + total(creditCount) + total(outCount)
  }

  audit(): Complaint[] {
    return this.sw.audit(this.now)
  }
}

/**
 * Builds columns and loop. `held`: packets of one length that fit into a buffer move as one unit, so a buffer slot
 * holds a whole packet.
 */
function build(spec: FlitEngineSpec, instantiate: typeof makeLoop) {
  const layout = layOut(spec.graph, spec.vcs, spec.parts ?? 1, spec.assign)
  const constants = constantsOf(spec, layout)
  const columns = flitColumns(layout, constants)
  const fields = packetFields(columns.packet, constants)
  const depth = constants.held > 0 ? Math.floor(spec.buffer.depth / constants.held) : 0
  const buffer = depth > 0 ? { depth, reserve: depth, total: depth * spec.vcs } : spec.buffer
  const buffers = makeBuffers(layout, buffer)
  const rules = creditRules(layout, buffers, buffer)
  const boxFirst = boxes(layout, constants, spec.timing).first
  const ranks = spec.ranks === undefined ? undefined : layFlitRanks(layout, spec.ranks, spec.flitBytes)
  const loop = instantiate({
    ranks,
    layout,
    constants,
    columns,
    fields,
    rules,
    ...spec.timing,
    queued: constants.queued,
    injectRandom: spec.injectRandom,
    injectByStream: constants.injectByStream,
    turnaround: spec.turnaround,
    makeSwitch: spec.makeSwitch({ layout, constants, packets: columns, fields, buffers, rules, boxFirst }),
    sources: sourceModel(spec.streams, spec.seed, columns),
    boxFirst,
    capacity: buffers.capacity,
    credits: buffers.credits,
  })
  return { layout, constants, columns, fields, buffers, loop, boxFirst, ranks }
}

/** maximum number of words of all packet records: the limit of one array */
const MOST_WORDS = 2 ** 29

/**
 * Derives the sizes of wheels, pools and outboxes. They must not depend on the number of workers where that could
 * change a result.
 */
function constantsOf(spec: FlitEngineSpec, l: Layout): FlitConstants {
  // Departures can queue behind the link if the crossbar can deliver more than one flit per cycle and port.
  const { timing, streams } = spec
  const queued = timing.speed > 1 || timing.lanes > 1 || timing.batch > 0
  const lengths = streams.flatMap((s) => [s.packet.fixed ?? 0, ...(s.reply > 0 ? [s.reply] : [])])
  const fixed = lengths.every((x) => x === lengths[0]) ? lengths[0] : 0
  const { depth } = spec.buffer
  // Whole-packet mode is equivalent to flit mode only if the routing does not see queues and all packets are equally
  // long.
  const held = timing.held && !spec.adaptive && fixed > 1 && depth >= fixed ? fixed : 0
  const window = l.parts === 1 ? 1 : lookahead(l, 1 + Math.min(0, timing.traverse))
  const backlog = queued ? spec.buffer.total + 2 : 0
  // The wheel must cover the longest time between filing and due cycle.
  const wheel =
    2 **
    bitsFor(
      2 * l.maxLatency + Math.max(timing.traverse, timing.batch) + timing.creditDelay + 4 + backlog + window + held,
    )
  const workers = spec.workers ?? l.parts
  const record = { streams: streams.length, scratch: spec.scratch, fixedLength: fixed, ranks: spec.ranks !== undefined }
  const packets =
    spec.buffer.total * l.graph.chans +
    (streams.some((s) => s.reply > 0) ? l.graph.ends * waitingSlots(l.graph.ends) : 0) +
    4 * l.ends
  return {
    streams: streams.length,
    fixedLength: fixed,
    held,
    heldCredit: held > 0 ? held - (depth % held) - 1 : 0,
    maxLength: Math.max(1, ...streams.map((s) => Math.max(s.packet.max, s.reply))),
    scratch: spec.scratch,
    seed: spec.seed | 0,
    wheelMask: wheel - 1,
    flitSlots: mostPorts(l),
    creditSlots: (mostPorts(l) + mostEnds(l)) * timing.lanes + (timing.retention > 0 ? mostPorts(l) : 0),
    packetSlots: Math.floor(Math.min(packets, MOST_WORDS / workers / recordSize(record))),
    ranks: record.ranks,
    injectByStream: spec.injectByStream === true,
    workers,
    window,
    seriesInterval: spec.series,
    seriesLength: Math.floor(spec.horizon / spec.series) + 2,
    watch: spec.watch ?? UNWATCHED,
    queued,
    outboxSlots: boxes(l, { window, workers }, timing).total,
    boxRow: boxesOf(workers),
  }
}

/**
 * Sizes the outboxes: entries that the channels between two workers can carry in one window, and records of delivered
 * packets.
 */
function boxes(
  l: Layout,
  k: Pick<FlitConstants, "window" | "workers">,
  timing: SwitchTiming,
): { first: Int32Array; total: number } {
  const { window, workers } = k
  // An endpoint receives at most as many flits as a channel carries.
  const each = (Math.ceil(window * timing.speed) + 2) * timing.lanes
  return outboxes(l, workers, boxesOf(workers), each, each)
}

function mostPorts(l: Layout): number {
  let most = 0
  for (let p = 0; p < l.parts; p++) most = Math.max(most, (l.firstRouter[p + 1] - l.firstRouter[p]) * l.radix)
  return most
}
function mostEnds(l: Layout): number {
  let most = 0
  for (let p = 0; p < l.parts; p++) most = Math.max(most, l.firstEnd[p + 1] - l.firstEnd[p])
  return most
}
