// The state that all stages of the tiled switch share: constants, columns, tables of its geometry, and the ports to the
// engine.
import { i32, u8, u16 } from "../../fabric/columns.ts"
import { type Layout, NOWHERE, portsOf } from "../../fabric/layout.ts"
import type { SwitchContext, SwitchPorts, TransferSite } from "../../fabric/transfer.ts"
import type { Dropping } from "../../model/congestion.ts"
import type { PacketQueues } from "../parts/packet-queues.ts"
import type { Bubbles } from "./bubble.ts"
import type { QueueRanges, TiledColumns, TiledConstants } from "./columns.ts"
import { columnOf, outputOf, rowOf, slotOf } from "./geometry.ts"
import { banked, type TiledOptions } from "./options.ts"

export interface SharedState {
  readonly site: TransferSite
  readonly use: SwitchContext
  readonly k: TiledConstants
  readonly queues: QueueRanges
  readonly packetQueues: PacketQueues
  readonly columns: TiledColumns
  readonly options: TiledOptions
  readonly tables: Tables
  readonly links: SwitchPorts
  /** the packet records as bytes */
  readonly bytes: Uint8Array
  /**
   * of the running partition: first counter in `work`, number, first port, first slot of the core wheel, first tile
   * output, first slot of the link wheel
   */
  readonly running: Int32Array
  /** [flits] -> cycles from the arrival of the head until the packet can move on */
  readonly hold: Uint16Array
  /** priority level of a packet in this switch; 0 is the highest. Only called if there are several levels */
  levelOf(p: number): number
  /** see fabric/packets.ts: lateIn */
  readonly late: Int32Array
  /**
   * [port] -> probability of an error before and on its link, and a port number that does not depend on the
   * partitioning; empty without errors
   */
  readonly errors: {
    readonly errorRate: Float64Array
    readonly linkErrorRate: Float64Array
    readonly outerPort: Int32Array
  }
  /** undefined if no ring needs bubbles */
  readonly bubbles: Bubbles | undefined
  /**
   * [input port] -> flits above which it becomes congested, and at or below which it ends; undefined without marking
   */
  readonly thresholds: { readonly on: Int32Array; readonly off: Int32Array } | undefined
  /** undefined if no packets are speculative */
  readonly dropping: Dropping | undefined
}

export interface Tables {
  /** [port] -> its number in its router; router; row, column, tile input, tile output */
  readonly local: Uint8Array
  readonly router: Int32Array
  readonly row: Uint8Array
  readonly column: Uint8Array
  readonly input: Uint8Array
  readonly output: Uint8Array
  /** [port] -> link class; 1 if it leads to an endpoint */
  readonly linkClass: Uint8Array
  readonly isEnd: Uint8Array
  /** [port] -> flits that one VC may hold without movement, in the output buffer and in the downstream input */
  readonly still: Int32Array
  /** [tile] -> its first input port, first tile output (`to`), first output port */
  readonly firstInput: Int32Array
  readonly firstTo: Int32Array
  readonly firstOutput: Int32Array
  readonly tileRow: Uint8Array
  /** [to] -> its tile, its output port */
  readonly tileOf: Int32Array
  readonly portOf: Int32Array
  /** [port] -> flits of its pool in whole packets; [router * C + column] -> 1 if a port of the column has a pool */
  readonly pool: Int32Array
  readonly columnHas: Uint8Array
  /**
   * [(output port << LV) + inner VC] -> its queue among those of its router, 65535 if it has none; storage queues come
   * last
   */
  readonly queue: Uint16Array
  /** number of output queues of a router without and with storage: strides of virtual output and column queues */
  readonly voqs: number
  readonly colQueues: number
  /** some link carries fewer VCs than there are */
  readonly limited: boolean
}

export function tablesOf(l: Layout, k: Omit<TiledConstants, "voqs" | "colQueues">, options: TiledOptions): Tables {
  const g = k.geometry
  const queues = queuesOf(l, k, options)
  const NP = l.routers * l.PS
  const tiles = g.rows * g.columns
  const t: Tables = {
    local: u8(NP),
    router: i32(NP),
    row: u8(NP),
    column: u8(NP),
    input: u8(NP),
    output: u8(NP),
    linkClass: u8(NP),
    isEnd: u8(NP),
    still: i32(NP),
    firstInput: i32(l.routers * tiles),
    firstTo: i32(l.routers * tiles),
    firstOutput: i32(l.routers * tiles),
    tileRow: u8(l.routers * tiles),
    tileOf: i32(l.routers * g.rows * l.PS),
    portOf: i32(l.routers * g.rows * l.PS),
    pool: i32(NP),
    columnHas: u8(l.routers * g.columns),
    ...queues,
  }
  for (let q = 0; q < NP; q++) {
    const r = Math.floor(q / l.PS)
    const port = q % l.PS
    t.local[q] = port
    t.router[q] = r
    if (port >= g.ports) continue
    t.row[q] = rowOf(g, port)
    t.column[q] = columnOf(g, port)
    t.input[q] = slotOf(g, port)
    t.output[q] = outputOf(g, port)
    if (l.outerRouter[r] < 0 || port >= portsOf(l.graph, l.outerRouter[r])) continue
    t.linkClass[q] = l.graph.linkClass[l.graph.firstChan[l.outerRouter[r]] + port]
    t.isEnd[q] = l.up[q] >= l.NOV || (l.down[q] < 0 && l.down[q] !== NOWHERE) ? 1 : 0
    t.still[q] = options.stillOf(t.linkClass[q])
    // The rest of a pool that is shorter than a packet is unusable.
    const pool = k.stash ? options.poolOf(t.linkClass[q]) : 0
    t.pool[q] = pool - (pool % banked(options.packet))
    if (t.pool[q] > 0) t.columnHas[r * g.columns + t.column[q]] = 1
  }
  for (let to = 0; to < t.tileOf.length; to++) {
    const rr = Math.floor(to / l.PS)
    t.portOf[to] = Math.floor(rr / g.rows) * l.PS + (to % l.PS)
    t.tileOf[to] = rr * g.columns + Math.floor((to % l.PS) / g.outputs)
  }
  for (let r = 0; r < l.routers; r++) {
    for (let i = 0; i < tiles; i++) {
      const row = Math.floor(i / g.columns)
      const column = i % g.columns
      t.tileRow[r * tiles + i] = row
      t.firstInput[r * tiles + i] = r * l.PS + row * g.inputs
      t.firstTo[r * tiles + i] = (r * g.rows + row) * l.PS + column * g.outputs
      t.firstOutput[r * tiles + i] = r * l.PS + column * g.outputs
    }
  }
  return t
}

/** No queue, because the link of the output does not carry this VC. */
export const NO_QUEUE = 65535

/**
 * Numbers the queues of each router. Only VCs that the link of an output carries have queues, so that the state of a
 * switch fits into the cache.
 */
function queuesOf(
  l: Layout,
  k: Omit<TiledConstants, "voqs" | "colQueues">,
  options: TiledOptions,
): Pick<Tables, "queue" | "voqs" | "colQueues" | "limited"> {
  const queue = u16(l.routers * l.RS).fill(NO_QUEUE)
  let voqs = 0
  const limited = l.graph.classes.some((_, c) => options.carried(c) !== 2 ** k.V - 1)
  const each = (see: (r: number, o: number, linkClass: number) => void) => {
    for (let r = 0; r < l.routers; r++) {
      if (l.outerRouter[r] < 0) continue
      for (let port = 0; port < portsOf(l.graph, l.outerRouter[r]); port++)
        see(r, r * l.PS + port, l.graph.linkClass[l.graph.firstChan[l.outerRouter[r]] + port])
    }
  }
  const used = new Int32Array(l.routers)
  each((r, o, c) => {
    for (let v = 0; v < k.V + 2; v++) {
      if (v === k.S || (v === k.R && !k.stash) || (v < k.V && ((options.carried(c) >> v) & 1) === 0)) continue
      queue[(o << l.LV) + v] = used[r]++
    }
    voqs = Math.max(voqs, used[r])
  })
  if (!k.stash) return { queue, voqs, colQueues: voqs, limited }
  let colQueues = voqs
  used.fill(voqs)
  each((r, o) => {
    queue[(o << l.LV) + k.S] = used[r]++
    colQueues = Math.max(colQueues, used[r])
  })
  return { queue, voqs, colQueues, limited }
}
