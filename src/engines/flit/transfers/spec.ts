// The input of makeTransferLoop (loop.ts) and of its stages: layout, constants, columns and the models of switch,
// endpoint and protocol. engine.ts creates it.
import type { Layout } from "../../../fabric/layout.ts"
import type { TransferColumns, TransferConstants } from "../../../fabric/packets.ts"
import type { SharedBufferRules } from "../../../fabric/shared-buffers.ts"
import type { SourceModel } from "../../../fabric/switch.ts"
import type { Lanes } from "../../../fabric/switch-model.ts"
import type { MakeTransferSwitch } from "../../../fabric/transfer.ts"
import type { EndpointProtocol, EndpointSite } from "../../../model/protocol.ts"

import type { QosScheduler } from "../../../model/scheduler.ts"
import type { VcPlan } from "../../../model/vc-plan.ts"
import type { RankColumns, RankPlan } from "./rank-columns.ts"

export interface TransferLoopSpec {
  readonly layout: Layout
  readonly constants: TransferConstants
  readonly columns: TransferColumns
  readonly makeSwitch: MakeTransferSwitch
  readonly sources: SourceModel
  readonly rules: SharedBufferRules
  readonly boxFirst: Int32Array
  readonly clock: { readonly link: number; readonly core: number }
  readonly hold: Uint16Array
  readonly pass: Uint16Array
  readonly plan: VcPlan
  /** [stream] -> its class */
  readonly streamClass: Int32Array
  /**
   * [stream] -> number of messages at an endpoint above which it creates none (0: no limit), and the cycle in which the
   * stream ends
   */
  readonly capOf: Int32Array
  readonly stopOf: Float64Array
  /** cycles between a request and the earliest departure of its reply */
  readonly turnaround: number
  /** messages are stored when they are created, not when they can be sent */
  readonly onCreate: boolean
  /** switches may trim packets */
  readonly trims: boolean
  /**
   * data packets are injected on any VC of their class: a random one for each attempt, or the next with credits.
   * Otherwise they use the first VC
   */
  readonly anyEntry: boolean
  /** [class of data] -> its VC (SwitchEntry.vlOf) */
  readonly vlOf: readonly number[] | undefined
  readonly injectRandom: boolean
  readonly lanes: Lanes | undefined
  /** flits of an acknowledgement (0: none are sent) and its injection VC relative to its class */
  readonly ack: number
  readonly ackVc: number
  /**
   * selects the class that sends next at an endpoint (one row per endpoint, one queue per class); absent: order of
   * creation. `ages`: it reads creation times
   */
  readonly scheduler: QosScheduler | undefined
  readonly ages: boolean
  /**
   * ranks of parallel programs: the stream that counts their messages, and flits of the packets that messages are
   * divided into
   */
  readonly ranks?: {
    readonly plan: RankPlan
    readonly columns: RankColumns
    readonly stream: number
    readonly packet: number
  }
  /** Returns [endpoint] -> offered load. */
  offeredTo(): Float32Array
  makeProtocol?(site: EndpointSite): EndpointProtocol
}
