// Builds the clocked engine for whole packets: converts its specification into columns (typed arrays) and creates the
// loop on them.
import { streamOf } from "../../../core/rng.ts"
import { f64, i32, scratchOf, u16 } from "../../../fabric/columns.ts"
import { type Layout, layOut } from "../../../fabric/layout.ts"
import { MESSAGE, transferColumns } from "../../../fabric/packets.ts"
import { makeSharedBuffers, type SharedBuffers, sharedBufferRules } from "../../../fabric/shared-buffers.ts"
import type { TransferSwitchModel } from "../../../fabric/switch-model.ts"
import { QUEUE_TOP, type TransferSite } from "../../../fabric/transfer.ts"
import type { QosScheduler } from "../../../model/scheduler.ts"
import type { VcPlan } from "../../../model/vc-plan.ts"
import { sourceModel } from "../sources.ts"
import type { makeTransferLoop } from "./loop.ts"
import { layRankColumns } from "./rank-columns.ts"
import { boxes, constantsOf, creditRings } from "./sizes.ts"
import type { TransferEngineSpec, TransferLoopSpec } from "./spec.ts"

/** Returns [stream] -> maximum number of messages of an endpoint; 0: no limit. */
export function capsOf({ streams, endpoint: { cap } }: TransferEngineSpec): number[] {
  return streams.map((s) => (cap?.streams.includes(s.name) === true ? cap.messages : 0))
}

/** Builds columns and loop. The order of allocation must be the same in all workers (fabric/columns.ts). */
export function build(spec: TransferEngineSpec, instantiate: typeof makeTransferLoop) {
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
    lossTimer: spec.model.extensions?.lossTimer ?? 0,
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

/** Salt of the random numbers of schedulers. */
const DRAWS = 0x63d83595

function schedulerOf(
  { endpoint, qos, plan, flitBytes, seed }: TransferEngineSpec,
  l: Layout,
): QosScheduler | undefined {
  if (endpoint.scheduled !== true) return undefined
  const site = { rows: l.ends, queues: plan.classes.length, unitBytes: flitBytes, rate: 1, endpoints: true }
  const stream = (e: number) => streamOf(seed ^ DRAWS, l.outerEnd[e])
  return qos.build({ ...site, stream, ints: i32, reals: f64 })
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
