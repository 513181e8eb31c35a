// What all stages of the combined switch share, and its state for audits, fingerprints and reports.
import type { TransferSite, TransferUse } from "../../fabric/transfer.ts"
import { makeChains } from "../parts/chains.ts"
import type { Clock } from "../parts/clock.ts"
import { inputQueues } from "../parts/input.ts"
import { makeMatching } from "../parts/matching.ts"
import { portsOf } from "../parts/ports.ts"
import type { CombinedParams } from "./params.ts"

export interface CombinedSpec {
  readonly site: TransferSite
  readonly use: TransferUse
  readonly p: CombinedParams
  readonly clock: Clock
  readonly hold: Uint16Array
}

export type Frame = ReturnType<typeof frameOf>

/** What all stages share. Memory first: every worker asks for the same columns in the same order. */
export function frameOf({ site, use, p, clock, hold }: CombinedSpec) {
  const { layout: l, columns } = site
  const ports = portsOf(l, use.plan.data < use.plan.classes.length)
  const levels = use.plan.levels.length
  const voq = p.queues === "voq"
  const firstOutput = inputQueues(site, ports, voq)
  const chains = makeChains(columns.packets, firstOutput + ports.count * levels)
  const matching = makeMatching({
    name: p.allocator,
    iterations: p.iterations,
    uses: l.routers,
    inputs: l.radix + 1,
    outputs: l.radix,
    levels,
  })
  const releaseAtTail = p.release === "tail"
  const input = { site, use, ports, chains, voq, firstQueue: 0 }
  const output = { site, use, ports, chains, firstQueue: firstOutput, flits: p.output, releaseAtTail, traverse: p.traverse, hold }
  const crossbar = { site, use, ports, chains, matching, clock, startAtHead: p.start === "head", releaseAtTail }
  return { site, use, p, clock, ports, levels, chains, matching, input, output, crossbar }
}

/** A switch with its state: for audits, fingerprints and reports. */
export interface CombinedState extends Frame {
  readonly columns: Readonly<Record<string, Int32Array | Uint8Array | Uint16Array>>
  queueOf(q: number, o: number, v: number): number
  /** flits that a VC behind output `port` must have room for before a packet of f flits from input q may go there */
  roomFor(q: number, port: number, f: number): number
}
