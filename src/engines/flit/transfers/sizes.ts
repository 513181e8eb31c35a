// Sizes of the clocked engine for whole packets: records, wheels, rings of credits, outboxes and queues, derived from
// the network and the switch. What can end a run must not depend on partitions.
import { bitsFor } from "../../../core/bitset.ts"
import type { Layout } from "../../../fabric/layout.ts"
import { recordWords, type TransferConstants } from "../../../fabric/packets.ts"
import type { TransferSwitchModel } from "../../../fabric/switch-model.ts"
import { UNWATCHED } from "../../../model/probe.ts"
import { lookahead, outboxes } from "../outbox.ts"
import { waitingSlots } from "../waiting.ts"
import type { TransferEngineSpec } from "./spec.ts"

/** Derives the sizes. Sizes that can end a run must not depend on partitions. */
export function constantsOf(
  spec: TransferEngineSpec,
  l: Layout,
  outboxSlots: number,
  creditSlots: number,
): TransferConstants {
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
export function boxes(l: Layout, spec: TransferEngineSpec): { first: Int32Array; total: number } {
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
export function creditRings(l: Layout, spec: TransferEngineSpec): { first: Int32Array; total: number } {
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
