// The state of a switch made of an input, a crossbar and an output stage, as audits, digests and reports read it. Each
// switch model provides this view of its own columns.
import type { TransferSite } from "../../fabric/transfer.ts"
import type { Queues } from "./packet-queues.ts"
import type { Ports } from "./ports.ts"

export interface PartsState {
  readonly site: TransferSite
  readonly ports: Ports
  readonly packetQueues: Queues
  /** virtual output queues (one for each VC and output) instead of one queue per VC */
  readonly input: { readonly voq: boolean; readonly fifos?: number }
  /** first queue of output 0, and number of queues of each output */
  readonly output: { readonly firstQueue: number; readonly lanes: number }
  readonly columns: Readonly<Record<string, Int32Array | Uint8Array | Uint16Array | Float64Array>>
  queueOf(q: number, o: number, v: number): number
}

/** Returns the queues of VC v of an input: one for each output, or one FIFO, which is that of output 0. */
export function queuesOfVc({ site, input }: Pick<PartsState, "site" | "input">, v: number): number {
  return input.voq && (((input.fifos ?? 0) >>> v) & 1) === 0 ? site.layout.radix : 1
}
