// From parameters to the model that the engine builds: buffers by link class, clocks, pools and marking thresholds.
// plugin.ts calls `tiledModel`.
import { bitsFor } from "../../core/bitset.ts"
import { f64, i32, scratch } from "../../fabric/columns.ts"
import { type Layout, radixOf } from "../../fabric/layout.ts"
import { lateIn } from "../../fabric/packets.ts"
import type { SharedBufferSpec } from "../../fabric/shared-buffers.ts"
import type { TransferSwitchModel } from "../../fabric/switch-model.ts"
import type { TransferSite } from "../../fabric/transfer.ts"
import type { Ability } from "../../model/abilities.ts"
import type { CongestionModel, Marking } from "../../model/congestion.ts"
import type { Graph } from "../../model/graph.ts"
import { planVcs, type VcPlan } from "../../model/vc-plan.ts"
import { makePacketQueues } from "../parts/packet-queues.ts"
import { bubblesOf } from "./bubble.ts"
import { ACK_VC, entryVcs, lastVcs, levelsOf } from "./classes.ts"
import { queueRanges, type TiledConstants, tiledColumns } from "./columns.ts"
import { geometryOf } from "./geometry.ts"
import type { TiledOptions } from "./options.ts"
import type { TiledParams } from "./params.ts"
import { type SharedState, type Tables, tablesOf } from "./shared-state.ts"
import { makeTiled } from "./switch.ts"

/** Returns the speed as the ratio link / core of whole numbers, or undefined if no `core` below 100 gives it. */
export function clockOf(speed: number): { link: number; core: number } | undefined {
  for (let core = 1; core < 100; core++) {
    const link = Math.round(speed * core)
    if (Math.abs(link / core - speed) < 1e-9) return { link, core }
  }
  return undefined
}

/** Returns the part of a port's buffer that is not stash. */
export function normalFlits(p: TiledParams, name: string): number {
  return Math.floor(p.buffer * (1 - (p.stash[name] ?? 0)) + 1e-9)
}

/**
 * Returns the size of a port's pool. It consists of the stash parts of the input and the output buffer, and is filled
 * in pairs of flits.
 */
export function poolFlits(p: TiledParams, name: string): number {
  return Math.floor(2 * p.buffer * (p.stash[name] ?? 0) * p.capacity + 1e-9) & ~1
}

/** Returns the VCs of links of a class; the default plan is one class of traffic. */
export function carriedVcs(
  p: TiledParams,
  name: string,
  isEnd: boolean,
  output: boolean,
  plan: VcPlan = planVcs([0], p.vcs),
): number {
  if (isEnd && output) return p.eject !== "last" ? (1 << p.vcs) - 1 : lastVcs(plan)
  if (isEnd) return entryVcs(plan)
  const list = p.carries[name]
  return list === undefined ? (1 << p.vcs) - 1 : list.reduce((mask, v) => mask | (1 << v), 0)
}

/** Returns the model. The last argument lists the abilities that the congestion management needs. */
export function tiledModel(p: TiledParams, graph: Graph, asked: readonly Ability[] = []): TransferSwitchModel {
  const speculation = asked.includes("copies")
  const clock = clockOf(p.speed) ?? { link: 1, core: 1 }
  const spec = (c: number, output: boolean, plan?: VcPlan): SharedBufferSpec => {
    const name = graph.classes[c]
    // Endpoints always drain, so buffers towards them need no reserve.
    const reservedVcs = c === 0 && output ? 0 : carriedVcs(p, name, c === 0, output, plan)
    const flits = normalFlits(p, name)
    const sharedPart = flits - p.reserve * bitCount(reservedVcs)
    const part = p.fair ? Math.floor(flits / Math.max(1, bitCount(reservedVcs))) : 0
    return { flits, reserve: p.reserve, reservedVcs, cap: Math.floor(sharedPart * (p.cap[name] ?? 1)), part }
  }
  // A packet may leave its input when the rest of it arrives in time for the faster core, plus the routing pipeline.
  const hold = Uint16Array.from(
    { length: p.packet + 1 },
    (_, f) => Math.ceil(f * (1 - clock.core / clock.link) - 1e-9) + p.pipeline,
  )
  const carried = (c: number, plan?: VcPlan) => carriedVcs(p, graph.classes[c], c === 0, true, plan)
  const options: Omit<TiledOptions, "carried"> = {
    vcs: p.vcs,
    rows: p.rows,
    columns: p.columns,
    clock,
    pipeline: p.pipeline,
    rowBuffer: p.rowBuffer,
    columnBuffer: p.columnBuffer,
    iterations: p.iterations,
    releaseAtTail: p.release === "tail",
    retention: p.retention,
    removeRoundTrip: p.removeRoundTrip,
    ejectAny: p.eject !== "last",
    ejectFree: p.eject === "free",
    stillOf: (c) =>
      Math.max(p.packet, Math.floor(normalFlits(p, graph.classes[c]) * (p.blockedCap[graph.classes[c]] ?? 1))),
    packet: p.packet,
    poolOf: (c) => poolFlits(p, graph.classes[c]),
    reliability: p.reliability,
    absorb: p.absorb,
    speculation,
    reserveAtBus: p.reserveAt === "bus",
    sideband: p.sideband,
    sidebandSpread: p.sidebandSpread,
    retries: p.retries,
    timeout: p.timeout,
    errorsOf: (c) => p.errors[graph.classes[c]] ?? 0,
    lost: p.lost,
    linkErrorsOf: (c) => p.linkErrors[graph.classes[c]] ?? 0,
  }
  // The largest pool bounds the number of copies, for which the engine must reserve records.
  const most = Math.max(...graph.classes.map((name) => poolFlits(p, name)))
  const radix = radixOf(graph)
  // Row bus, tile and multiplexer take one core step each. The link follows in the first cycle after them.
  const pass = Uint16Array.from({ length: clock.core }, (_, t) => {
    const mux = Math.ceil((t * clock.link) / clock.core) + 2
    return Math.floor((mux * clock.core) / clock.link) + 1 - t
  })
  const inner = p.columns * p.rowBuffer + p.rows * p.columnBuffer
  const stashes = (p.reliability || p.absorb || speculation) && p.capacity > 0
  const errors = Object.values(p.errors).some((x) => x > 0)
  return {
    moves: "packets",
    vcs: p.vcs,
    layout: {
      clock,
      hold,
      pass,
      maxPacket: p.packet,
      innerFlits: inner * p.vcs,
      input: (c, plan) => spec(c, false, plan),
      output: (c) => spec(c, true),
      innerVcs: 2,
      // A lost packet returns its credits on arrival, possibly in the same cycle as one that leaves.
      bursts: p.lost > 0 && errors,
      sequence: p.timeout > 0 || errors,
      longestTimer: p.timeout + p.sideband + p.sidebandSpread,
    },
    entry: { ackVc: ACK_VC, carried: (c) => carried(c) },
    extensions: stashes ? { stash: { copies: p.reliability || speculation ? radix * (most + inner) : 0 } } : {},
    build(site, use, congestion) {
      const parts = partsOf(site, { ...options, carried: (c) => carried(c, use.plan) }, p, congestion)
      // Adaptive routing reads the downstream occupancy without the flits of the last round trip.
      use.net.knowsBehind(site.sharedBuffers.held, parts.columns.recent)
      const levelOf = levelsOf(use.plan, site.columns.packets, parts.bytes)
      return makeTiled({
        ...parts,
        hold,
        late: lateIn(pass),
        use,
        levelOf,
        bubbles: bubblesOf(site.layout, use.routing, parts.tables),
      })
    },
  }
}

/** Returns the number of set bits. */
function bitCount(mask: number): number {
  let n = 0
  for (let m = mask; m !== 0; m &= m - 1) n++
  return n
}

/** Allocates columns, queues and tables of the switches, and computes the thresholds of the congestion control. */
function partsOf(
  site: TransferSite,
  options: TiledOptions,
  p: TiledParams,
  congestion: CongestionModel,
): Omit<SharedState, "links" | "use" | "hold" | "late" | "levelOf" | "bubbles"> {
  const { layout: l, constants } = site
  const stash = options.reliability || options.absorb || options.speculation
  const retain = retainRings(l, constants.maxLength)
  const power = (n: number) => 2 ** bitsFor(n)
  // Storage (S) and retrieval (R) are VCs after the network VCs. Wheels cover the longest transfer, side-band delay and
  // link round trip.
  const plain = {
    geometry: geometryOf(l.radix, options.rows, options.columns),
    V: options.vcs,
    S: options.vcs,
    R: options.vcs + 1,
    coreMask: power(constants.maxLength + 2) - 1,
    sideMask: power(options.sideband + options.sidebandSpread + 2) - 1,
    linkMask: constants.wheelMask,
    portWords: constants.portWords,
    toWords: constants.portWords * options.rows,
    stash,
    rowPerVoq: p.rowSharing === "queue",
    seriesLength: stash ? constants.seriesLength : 1,
    retainSlots: retain.total,
    errors: l.graph.classes.some((_, c) => options.errorsOf(c) > 0),
    linkErrors: l.graph.classes.some((_, c) => options.linkErrorsOf(c) > 0),
    timeout: options.timeout,
    drops: congestion.dropping !== undefined,
  }
  const tables = tablesOf(l, plain, options)
  const k: TiledConstants = { ...plain, voqs: tables.voqs, colQueues: tables.colQueues }
  const queues = queueRanges(l, k)
  const packetQueues = makePacketQueues(site.columns.packets, queues.count)
  const columns = { ...tiledColumns(l, k), ...packetQueues.columns }
  columns.retainFirst.set(retain.first)
  if (stash) {
    columns.poolFree.set(tables.pool)
    columns.columnFree.fill(0)
    for (let q = 0; q < tables.pool.length; q++)
      columns.columnFree[tables.router[q] * options.columns + tables.column[q]] += tables.pool[q]
  }
  return {
    site,
    k,
    queues,
    packetQueues,
    columns,
    options,
    tables,
    bytes: new Uint8Array(site.columns.packets.buffer),
    running: scratch(8),
    errors: errorsOf(l, k, options, tables),
    dropping: congestion.dropping,
    thresholds: congestion.marking === undefined ? undefined : thresholdsOf(site, congestion.marking, p, tables.still),
  }
}

/** Returns the error rates by port, and port numbers that do not depend on the partitioning. */
function errorsOf(l: Layout, k: TiledConstants, options: TiledOptions, tables: Tables): SharedState["errors"] {
  const ports = k.errors || k.linkErrors ? l.routers * l.PS : 1
  const errorRate = f64(ports)
  const linkErrorRate = f64(ports)
  const outerPort = i32(ports)
  if (ports === 1) return { errorRate, linkErrorRate, outerPort }
  for (let q = 0; q < ports; q++) {
    const r = l.outerRouter[tables.router[q]]
    if (r < 0) continue
    errorRate[q] = options.errorsOf(tables.linkClass[q])
    linkErrorRate[q] = options.linkErrorsOf(tables.linkClass[q])
    outerPort[q] = r * l.PS + tables.local[q]
  }
  return { errorRate, linkErrorRate, outerPort }
}

/** Returns the rings of sent packets: for each output, as many entries as a round trip of its link can hold. */
function retainRings(l: Layout, longest: number): { first: Int32Array; total: number } {
  const ports = l.routers * l.PS
  const first = new Int32Array(ports + 1)
  let at = 0
  for (let o = 0; o < ports; o++) {
    first[o] = at
    if (l.outerRouter[Math.floor(o / l.PS)] >= 0) at += 2 ** bitsFor(2 * l.latency[o] + longest + 2)
  }
  first[ports] = at
  return { first, total: at }
}

/** Returns the marking thresholds by input, relative to the buffer space that the sender can use. */
export function thresholdsOf(
  { layout: l, sharedBuffers }: Pick<TransferSite, "layout" | "sharedBuffers">,
  marking: Marking,
  p: Pick<TiledParams, "vcs" | "buffer">,
  still: Int32Array,
): { on: Int32Array; off: Int32Array } {
  const ports = l.routers * l.PS
  const on = i32(ports)
  const off = i32(ports)
  for (let q = 0; q < ports; q++) {
    if (l.up[q] < 0) continue
    const from = l.up[q] >> l.LV
    let reserved = 0
    let most = 0
    for (let v = 0; v < p.vcs; v++) {
      reserved += sharedBuffers.reserve[l.up[q] + v]
      most = Math.max(most, sharedBuffers.reserve[l.up[q] + v])
    }
    // The maximum that one VC can occupy: its reserve and the capped shared part, limited by `still`.
    const oneVc = Math.min(still[q], most + Math.min(sharedBuffers.cap[from], sharedBuffers.shared[from]))
    const port = sharedBuffers.shared[from] + reserved
    const bases = { port, vc: oneVc, reachable: port * marking.on < oneVc ? port : oneVc, whole: p.buffer }
    const base = bases[marking.base]
    on[q] = Math.floor(base * marking.on)
    off[q] = Math.floor(base * marking.off)
  }
  return { on, off }
}
