// What all stages share, and its state for audits, fingerprints and reports.
import { i32, u8, u16 } from "../../fabric/columns.ts"
import type { Table } from "../../fabric/table.ts"
import type { TransferSite, TransferUse } from "../../fabric/transfer.ts"
import { makeChains } from "../parts/chains.ts"
import { makeMatching } from "../parts/matching.ts"
import { portsOf } from "../parts/ports.ts"
import { wheelMask, wheelWords } from "../parts/sweep.ts"
import { FLOWS, flowColumns } from "./bfc/columns.ts"
import { lineColumns, noteColumns } from "./isolation/columns.ts"
import { longestNote } from "./isolation/pieces.ts"
import { turnColumns } from "./isolation/recn/columns.ts"
import type { QueueSchemeParams } from "./params.ts"
import type { Scheme } from "./scheme.ts"

export interface QueueSchemeSpec {
  readonly site: TransferSite
  readonly use: TransferUse
  readonly p: QueueSchemeParams
  readonly scheme: Scheme
  readonly table: Table | undefined
  /** the same table for any scheme, where there is one that is small enough */
  readonly ways: Table | undefined
  readonly hold: Uint16Array
}

export type Frame = ReturnType<typeof frameOf>

/** Memory first: every worker asks for the same columns in the same order. */
export function frameOf(spec: QueueSchemeSpec) {
  const { site, p, scheme } = spec
  const { layout: l, constants } = site
  const ports = portsOf(l, false)
  const { queues: Q } = scheme
  const chains = makeChains(site.columns.packets, ports.count * Q)
  const matching = makeMatching({
    name: "islip",
    iterations: p.iterations,
    uses: l.routers,
    inputs: l.radix,
    outputs: l.radix,
    levels: 1,
  })
  // messages of a whole piece (isolation/notes.ts) hold a link too
  const mask = wheelMask(Math.max(constants.maxLength, longestNote(p)) + 1)
  /** words of a set of queues */
  const words = (Q + 31) >> 5
  const columns = {
    ...chains.columns,
    ...matching.columns,
    // [(input * ports + output) * words + word] -> queues whose front packet may ask for that output
    waiting: i32(ports.count * l.radix * words),
    // [input] -> outputs that it has a packet for and that it does not know to lack room; [output] -> inputs that found no room there
    wants: i32(ports.count),
    lacks: i32(ports.count),
    // [router] -> inputs that want anything, inputs and outputs that a transfer holds
    askers: i32(l.routers),
    busyIn: i32(l.routers),
    busyOut: i32(l.routers),
    // routers whose crossbar must look
    dirty: i32((l.routers + 31) >> 5),
    // [input] -> the queue that is looked at first; [input, queue] -> 1 if its front packet has found no room (its wait is on the record)
    turn: u16(ports.count),
    lacking: u8(ports.count * Q),
    // [output] -> the input whose transfer holds it, the cycle in which that ends; the wheel of ends
    from: i32(ports.count),
    until: i32(ports.count),
    ends: wheelWords(l.parts, mask, constants.portWords),
    endMarks: wheelWords(l.parts, mask, constants.portMarks),
    // [output * lanes + lane] -> flits that the lane behind it holds
    laneHeld: u16(ports.count * scheme.lanes),
    // [output * words + word] -> lanes behind it that are full, where they have the numbers of queues; [input * words + word] -> `lacking` as bits
    full: i32(scheme.alike === true ? ports.count * words : 1),
    lackBits: i32(scheme.alike === true ? ports.count * words : 1),
  }
  const lines = scheme.lines !== undefined ? lineColumns(site, ports, scheme.lines, Math.max(1, p.timer ?? 256)) : undefined
  const turns = scheme.turns === true ? turnColumns(ports.count, l.radix, scheme.lines!) : undefined
  const flows = scheme.flows === true ? flowColumns(ports.count, Q, p.flows ?? FLOWS) : undefined
  const talk = lines !== undefined || flows !== undefined ? noteColumns(site, ports.count) : undefined
  const own = { ...lines?.columns, ...turns, ...flows?.columns, ...talk }
  return { ...spec, ports, chains, matching, mask, words, lines, turns, flows, talk, columns: { ...columns, ...own } }
}
