// From parameters to what the engine and the stages need: buffers by link class, clocks, pools, thresholds.
import { bitsFor } from "../../core/bitset.ts"
import { f64, i32, scratch } from "../../fabric/columns.ts"
import { type Layout, radixOf } from "../../fabric/layout.ts"
import { lateIn } from "../../fabric/packets.ts"
import type { RoomSpec } from "../../fabric/rooms.ts"
import type { TransferSite, TransferSwitchModel } from "../../fabric/transfer.ts"
import type { Ability } from "../../model/abilities.ts"
import type { CongestionModel, Marking } from "../../model/congestion.ts"
import type { Graph } from "../../model/graph.ts"
import { planVcs, type VcPlan } from "../../model/vc-plan.ts"
import { makeChains } from "../parts/chains.ts"
import { bubblesOf } from "./bubble.ts"
import { ACK_VC, entryVcs, lastVcs, levelsOf } from "./classes.ts"
import { queueRanges, type TiledConstants, tiledColumns } from "./columns.ts"
import { type Frame, type Tables, tablesOf } from "./frame.ts"
import { geometryOf } from "./geometry.ts"
import type { TiledOptions } from "./options.ts"
import type { TiledParams } from "./params.ts"
import { makeTiled } from "./switch.ts"

/** speed = link / core as whole numbers; undefined if none below 100 will do */
export function clockOf(speed: number): { link: number; core: number } | undefined {
  for (let core = 1; core < 100; core++) {
    const link = Math.round(speed * core)
    if (Math.abs(link / core - speed) < 1e-9) return { link, core }
  }
  return undefined
}

export function normalFlits(p: TiledParams, name: string): number {
  return Math.floor(p.buffer * (1 - (p.stash[name] ?? 0)) + 1e-9)
}

/** A pool spans what input and output buffer leave; it is filled in pairs of flits. */
export function poolFlits(p: TiledParams, name: string): number {
  return Math.floor(2 * p.buffer * (p.stash[name] ?? 0) * p.capacity + 1e-9) & ~1
}

/** VCs of links of a class; without a plan those of one class of traffic. */
export function carriedVcs(p: TiledParams, name: string, isEnd: boolean, output: boolean, plan: VcPlan = planVcs([0], p.vcs)): number {
  if (isEnd && output) return p.eject === "any" ? (1 << p.vcs) - 1 : lastVcs(plan)
  if (isEnd) return entryVcs(plan)
  const list = p.carries[name]
  return list === undefined ? (1 << p.vcs) - 1 : list.reduce((mask, v) => mask | (1 << v), 0)
}

/** `asked`: what the congestion management asks of the switch. */
export function tiledModel(p: TiledParams, graph: Graph, asked: readonly Ability[] = []): TransferSwitchModel {
  const speculation = asked.includes("copies")
  const clock = clockOf(p.speed) ?? { link: 1, core: 1 }
  const spec = (c: number, output: boolean, plan?: VcPlan): RoomSpec => {
    const name = graph.classes[c]!
    // endpoints always drain: what leaves for them needs no reserve
    const reservedVcs = c === 0 && output ? 0 : carriedVcs(p, name, c === 0, output, plan)
    const flits = normalFlits(p, name)
    const sharedPart = flits - p.reserve * bitCount(reservedVcs)
    const part = p.fair ? Math.floor(flits / Math.max(1, bitCount(reservedVcs))) : 0
    return { flits, reserve: p.reserve, reservedVcs, cap: Math.floor(sharedPart * (p.cap[name] ?? 1)), part }
  }
  const hold = Uint16Array.from({ length: p.packet + 1 }, (_, f) => Math.ceil(f * (1 - clock.core / clock.link) - 1e-9) + p.pipeline)
  const carried = (c: number, plan?: VcPlan) => carriedVcs(p, graph.classes[c]!, c === 0, true, plan)
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
    ejectAny: p.eject === "any",
    stillOf: (c) => Math.max(p.packet, Math.floor(normalFlits(p, graph.classes[c]!) * (p.still[graph.classes[c]!] ?? 1))),
    packet: p.packet,
    poolOf: (c) => poolFlits(p, graph.classes[c]!),
    reliability: p.reliability,
    absorb: p.absorb,
    speculation,
    reserveAtBus: p.reserveAt === "bus",
    sideband: p.sideband,
    sidebandSpread: p.sidebandSpread,
    retries: p.retries,
    timeout: p.timeout,
    errorsOf: (c) => p.errors[graph.classes[c]!] ?? 0,
    lost: p.lost,
    linkErrorsOf: (c) => p.linkErrors[graph.classes[c]!] ?? 0,
  }
  const most = Math.max(...graph.classes.map((name) => poolFlits(p, name)))
  const radix = radixOf(graph)
  // row bus, tile and multiplexer take a core step each, the link the first cycle after them
  const pass = Uint16Array.from({ length: clock.core }, (_, t) => {
    const mux = Math.ceil((t * clock.link) / clock.core) + 2
    return Math.floor((mux * clock.core) / clock.link) + 1 - t
  })
  return {
    moves: "packets",
    vcs: p.vcs,
    innerVcs: 2,
    clock,
    hold,
    pass,
    stashes: (p.reliability || p.absorb || speculation) && p.capacity > 0,
    // a packet that is lost gives its room back as it comes, beside one that leaves
    bursts: p.lost > 0 && Object.values(p.errors).some((x) => x > 0),
    buffers: { input: (c, plan) => spec(c, false, plan), output: (c) => spec(c, true) },
    carried: (c) => carried(c),
    ackVc: ACK_VC,
    maxPacket: p.packet,
    innerFlits: (p.columns * p.rowBuffer + p.rows * p.columnBuffer) * p.vcs,
    copies: p.reliability || speculation ? radix * (most + p.columns * p.rowBuffer + p.rows * p.columnBuffer) : 0,
    longestTimer: p.timeout + p.sideband + p.sidebandSpread,
    sequence: p.timeout > 0 || Object.values(p.errors).some((x) => x > 0),
    bubble: { key: "columnBuffer", flits: p.columnBuffer },
    build(site, use, congestion) {
      const parts = partsOf(site, { ...options, carried: (c) => carried(c, use.plan) }, p, congestion)
      use.net.knowsBehind(site.rooms.held, parts.columns.recent)
      const levelOf = levelsOf(use.plan, site.columns.packets, parts.bytes)
      return makeTiled({ ...parts, hold, late: lateIn(pass), use, levelOf, bubbles: bubblesOf(site.layout, use.routing, parts.tables) })
    },
  }
}

function bitCount(mask: number): number {
  let n = 0
  for (let m = mask; m !== 0; m &= m - 1) n++
  return n
}

function partsOf(
  site: TransferSite,
  options: TiledOptions,
  p: TiledParams,
  congestion: CongestionModel,
): Omit<Frame, "wires" | "use" | "hold" | "late" | "levelOf" | "bubbles"> {
  const { layout: l, constants } = site
  const stash = options.reliability || options.absorb || options.speculation
  const retain = retainRings(l, constants.maxLength)
  const power = (n: number) => 2 ** bitsFor(n)
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
    retainRoom: retain.total,
    errors: l.graph.classes.some((_, c) => options.errorsOf(c) > 0),
    linkErrors: l.graph.classes.some((_, c) => options.linkErrorsOf(c) > 0),
    timeout: options.timeout,
    drops: congestion.dropping !== undefined,
  }
  const tables = tablesOf(l, plain, options)
  const k: TiledConstants = { ...plain, voqs: tables.voqs, colQueues: tables.colQueues }
  const queues = queueRanges(l, k)
  const chains = makeChains(site.columns.packets, queues.count)
  const columns = { ...tiledColumns(l, k), ...chains.columns }
  columns.retainFirst.set(retain.first)
  if (stash) {
    columns.poolFree.set(tables.pool)
    columns.columnFree.fill(0)
    for (let q = 0; q < tables.pool.length; q++)
      columns.columnFree[tables.router[q]! * options.columns + tables.column[q]!]! += tables.pool[q]!
  }
  return {
    site,
    k,
    queues,
    chains,
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

function errorsOf(l: Layout, k: TiledConstants, options: TiledOptions, tables: Tables): Frame["errors"] {
  const ports = k.errors || k.linkErrors ? l.routers * l.PS : 1
  const errorRate = f64(ports)
  const linkErrorRate = f64(ports)
  const outerPort = i32(ports)
  if (ports === 1) return { errorRate, linkErrorRate, outerPort }
  for (let q = 0; q < ports; q++) {
    const r = l.outerRouter[tables.router[q]!]!
    if (r < 0) continue
    errorRate[q] = options.errorsOf(tables.linkClass[q]!)
    linkErrorRate[q] = options.linkErrorsOf(tables.linkClass[q]!)
    outerPort[q] = r * l.PS + tables.local[q]!
  }
  return { errorRate, linkErrorRate, outerPort }
}

/** What a link's round trip can hold, for each output. */
function retainRings(l: Layout, longest: number): { first: Int32Array; total: number } {
  const ports = l.routers * l.PS
  const first = new Int32Array(ports + 1)
  let at = 0
  for (let o = 0; o < ports; o++) {
    first[o] = at
    if (l.outerRouter[Math.floor(o / l.PS)]! >= 0) at += 2 ** bitsFor(2 * l.latency[o]! + longest + 2)
  }
  first[ports] = at
  return { first, total: at }
}

/** The room of an input is what its sender knows of it. */
export function thresholdsOf(
  { layout: l, rooms }: Pick<TransferSite, "layout" | "rooms">,
  marking: Marking,
  p: Pick<TiledParams, "vcs" | "buffer">,
  still: Int32Array,
): { on: Int32Array; off: Int32Array } {
  const ports = l.routers * l.PS
  const on = i32(ports)
  const off = i32(ports)
  for (let q = 0; q < ports; q++) {
    if (l.up[q]! < 0) continue
    const from = l.up[q]! >> l.LV
    let reserved = 0
    let most = 0
    for (let v = 0; v < p.vcs; v++) {
      reserved += rooms.reserve[l.up[q]! + v]!
      most = Math.max(most, rooms.reserve[l.up[q]! + v]!)
    }
    const oneVc = Math.min(still[q]!, most + Math.min(rooms.cap[from]!, rooms.shared[from]!))
    const port = rooms.shared[from]! + reserved
    const bases = { port, vc: oneVc, reachable: port * marking.on < oneVc ? port : oneVc, whole: p.buffer }
    const base = bases[marking.base]
    on[q] = Math.floor(base * marking.on)
    off[q] = Math.floor(base * marking.off)
  }
  return { on, off }
}
