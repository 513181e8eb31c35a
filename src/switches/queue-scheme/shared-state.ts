// The state that all stages of the queue-scheme switch share, also for audits, digests and reports.
import { i32, u8, u16 } from "../../fabric/columns.ts"
import type { Table } from "../../fabric/table.ts"
import type { SwitchContext, TransferSite } from "../../fabric/transfer.ts"
import { makeMatching } from "../parts/matching.ts"
import { makePacketQueues } from "../parts/packet-queues.ts"
import { portsOf } from "../parts/ports.ts"
import { wheelMask, wheelWords } from "../parts/ready-sets.ts"
import { FLOWS, flowColumns } from "./bfc/columns.ts"
import { controlColumns, lineColumns } from "./isolation/columns.ts"
import { longestControl } from "./isolation/pieces.ts"
import { turnColumns } from "./isolation/recn/columns.ts"
import type { QueueSchemeParams } from "./params.ts"
import type { Scheme } from "./scheme.ts"

export interface QueueSchemeSpec {
  readonly site: TransferSite
  readonly use: SwitchContext
  readonly p: QueueSchemeParams
  readonly scheme: Scheme
  readonly table: Table | undefined
  /** the same table for any scheme, if it exists and is small enough */
  readonly ways: Table | undefined
  readonly hold: Uint16Array
}

export type SharedState = ReturnType<typeof sharedStateOf>

/** Allocates the state. Memory comes first, because each worker must allocate the same columns in the same order. */
export function sharedStateOf(spec: QueueSchemeSpec) {
  const { site, p, scheme } = spec
  const { layout: l, constants } = site
  const ports = portsOf(l, false)
  const { queues: Q } = scheme
  const packetQueues = makePacketQueues(site.columns.packets, ports.count * Q)
  const matching = makeMatching({
    name: "islip",
    iterations: p.iterations,
    uses: l.routers,
    inputs: l.radix,
    outputs: l.radix,
    levels: 1,
  })
  // Messages of a whole piece (isolation/control-messages.ts) occupy a link too.
  const mask = wheelMask(Math.max(constants.maxLength, longestControl(p)) + 1)
  /** Words of a set of queues. */
  const words = (Q + 31) >> 5
  const columns = {
    ...packetQueues.columns,
    ...matching.columns,
    // [(input * ports + output) * words + word] -> queues whose head packet may request that output
    waiting: i32(ports.count * l.radix * words),
    // [input] -> outputs that it requests, without stalled ones; [output] -> inputs that stalled there
    wants: i32(ports.count),
    stalledVcs: i32(ports.count),
    // [router] -> inputs with requests, inputs and outputs in a transfer
    requesters: i32(l.routers),
    busyIn: i32(l.routers),
    busyOut: i32(l.routers),
    // Routers whose crossbar must be arbitrated.
    needsArbitration: i32((l.routers + 31) >> 5),
    // [input] -> round-robin pointer over the queues; [input, queue] -> 1 if its head packet has a credit stall (the
    // packet record holds its start)
    turn: u16(ports.count),
    stalledSince: u8(ports.count * Q),
    // [output] -> input whose transfer holds it, cycle in which it ends; timing wheel of ends
    from: i32(ports.count),
    until: i32(ports.count),
    ends: wheelWords(l.parts, mask, constants.portWords),
    endMarks: wheelWords(l.parts, mask, constants.portMarks),
    // [output * lanes + lane] -> flits of the downstream lane
    laneHeld: u16(ports.count * scheme.lanes),
    // If lanes have the numbers of queues: [output * words + word] -> full downstream lanes; [input * words + word] ->
    // `stalledSince` as bits
    full: i32(scheme.alike === true ? ports.count * words : 1),
    stallBits: i32(scheme.alike === true ? ports.count * words : 1),
  }
  const lines =
    scheme.lines !== undefined ? lineColumns(site, ports, scheme.lines, Math.max(1, p.timer ?? 256)) : undefined
  const turns = scheme.turns === true ? turnColumns(ports.count, l.radix, scheme.lines!) : undefined
  const flows = scheme.flows === true ? flowColumns(ports.count, Q, p.flows ?? FLOWS) : undefined
  const talk = lines !== undefined || flows !== undefined ? controlColumns(site, ports.count) : undefined
  const own = { ...lines?.columns, ...turns, ...flows?.columns, ...talk }
  return {
    ...spec,
    ports,
    packetQueues,
    matching,
    mask,
    words,
    lines,
    turns,
    flows,
    talk,
    columns: { ...columns, ...own },
  }
}
