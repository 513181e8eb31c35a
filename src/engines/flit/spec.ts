// What the loop of flits is made from.
import type { CreditRules } from "../../fabric/buffers.ts"
import type { FlitColumns, FlitConstants, PacketFields } from "../../fabric/flit.ts"
import type { Layout } from "../../fabric/layout.ts"
import type { MakeFlitSwitch, SourceModel } from "../../fabric/switch.ts"
import type { FlitRanks } from "./ranks.ts"

export interface LoopSpec {
  readonly layout: Layout
  readonly constants: FlitConstants
  readonly columns: FlitColumns
  readonly fields: PacketFields
  readonly makeSwitch: MakeFlitSwitch
  readonly sources: SourceModel
  readonly boxFirst: Int32Array
  /** core steps per cycle, crossbar steps after the grant, cycles added to a returning credit */
  readonly speed: number
  readonly traverse: number
  readonly creditDelay: number
  /** cycles within which a switch whose crossbar works in batches says that a flit has crossed; 0 = it does not */
  readonly batch: number
  /** departures can queue: the core is faster than the links, the crossbar has more than one lane for each port, or works in batches */
  readonly queued: boolean
  /** one random VC for each attempt to inject, instead of a round robin over free VCs */
  readonly injectRandom: boolean
  /** a turn over the VCs for each stream (model/endpoint.ts) */
  readonly injectByStream: boolean
  /** cycles between a request's arrival and its reply's earliest departure */
  readonly turnaround: number
  readonly cutThrough: boolean
  /** a VC can be taken only when all its credits are back */
  readonly tailWait: boolean
  /** flits of an output buffer, 0 = none: only whether places come back is of interest here */
  readonly retention: number
  readonly capacity: Uint8Array | Uint16Array | Int32Array
  readonly credits: Uint8Array | Uint16Array | Int32Array
  readonly rules: CreditRules
  /** ranks of parallel programs */
  readonly ranks?: FlitRanks | undefined
}
