// The input of makeLoop (loop.ts) and of its stages: layout, constants, columns and the options of the switch.
// engine.ts creates it.
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
  /**
   * core steps per cycle (speedup); core steps of crossbar traversal after the grant; cycles added to a returning
   * credit
   */
  readonly speed: number
  readonly traverse: number
  readonly creditDelay: number
  /** cycles within which a crossbar that works in batches reports a traversal; 0: it does not work in batches */
  readonly batch: number
  /**
   * departures can queue, because the core is faster than the links, the crossbar has several lanes per port, or it
   * works in batches
   */
  readonly queued: boolean
  /** each injection attempt uses one random VC, instead of round-robin over the free VCs */
  readonly injectRandom: boolean
  /** each stream has its own round-robin pointer over the VCs (model/endpoint.ts) */
  readonly injectByStream: boolean
  /** cycles between a request's arrival and its reply's earliest departure */
  readonly turnaround: number
  readonly cutThrough: boolean
  /** a VC can be allocated only after all its credits have returned */
  readonly tailWait: boolean
  /** flits of an output buffer for retransmission, 0: none; the loop only uses it to return its space */
  readonly retention: number
  readonly capacity: Uint8Array | Uint16Array | Int32Array
  readonly credits: Uint8Array | Uint16Array | Int32Array
  readonly rules: CreditRules
  /** ranks of parallel programs */
  readonly ranks?: FlitRanks | undefined
}
