// What the parts of the loop that moves packets are made from.
import type { Layout } from "../../../fabric/layout.ts"
import type { TransferColumns, TransferConstants } from "../../../fabric/packets.ts"
import type { RoomRules } from "../../../fabric/rooms.ts"
import type { SourceModel } from "../../../fabric/switch.ts"
import type { Lanes, MakeTransferSwitch } from "../../../fabric/transfer.ts"
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
  readonly rules: RoomRules
  readonly boxFirst: Int32Array
  readonly clock: { readonly link: number; readonly core: number }
  readonly hold: Uint16Array
  readonly pass: Uint16Array
  readonly plan: VcPlan
  /** [stream] -> its class */
  readonly streamClass: Int32Array
  /** [stream] -> messages of an endpoint from which on it creates no more (0 = any number), and the cycle in which it ends */
  readonly capOf: Int32Array
  readonly stopOf: Float64Array
  /** cycles between a request and the earliest departure of its reply */
  readonly turnaround: number
  /** messages are made at their birth */
  readonly atBirth: boolean
  /** data are injected on any VC of their class, drawn anew for each attempt or the next with room; else on the first */
  readonly anyEntry: boolean
  /** [class of data] -> its VC (TransferSwitchModel.vlOf) */
  readonly vlOf: readonly number[] | undefined
  readonly injectRandom: boolean
  readonly lanes: Lanes | undefined
  /** flits of an acknowledgement (0 = none are sent) and the VC of its class that it is injected on */
  readonly ack: number
  readonly ackVc: number
  /** who sends next at an endpoint (a row for each, a queue for each class), where classes do not go in order of creation; it reads births */
  readonly scheduler: QosScheduler | undefined
  readonly ages: boolean
  /** ranks of parallel programs: the stream that their messages count as, and flits of the packets that these are cut into */
  readonly ranks?: {
    readonly plan: RankPlan
    readonly columns: RankColumns
    readonly stream: number
    readonly packet: number
  }
  /** [endpoint] -> load that it is offered */
  offeredTo(): Float32Array
  makeProtocol?(site: EndpointSite): EndpointProtocol
}
