// Switches made of an input, a crossbar and an output stage, as audits, fingerprints and reports see them.
import type { TransferSite } from "../../fabric/transfer.ts"
import type { Queues } from "./chains.ts"
import type { Ports } from "./ports.ts"

export interface PartsState {
  readonly site: TransferSite
  readonly ports: Ports
  readonly chains: Queues
  /** a queue for each VC and output, not one for each VC */
  readonly input: { readonly voq: boolean }
  /** first queue of output 0, and queues of each output */
  readonly output: { readonly firstQueue: number; readonly lanes: number }
  readonly columns: Readonly<Record<string, Int32Array | Uint8Array | Uint16Array | Float64Array>>
  queueOf(q: number, o: number, v: number): number
}
