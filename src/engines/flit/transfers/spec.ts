// The input of makeTransferLoop (loop.ts) and of its stages: layout, constants, columns and the models of switch,
// endpoint and protocol. build.ts creates it from what an experiment is compiled to.
import type { Layout } from "../../../fabric/layout.ts"
import type { TransferColumns, TransferConstants } from "../../../fabric/packets.ts"
import type { SharedBufferRules } from "../../../fabric/shared-buffers.ts"
import type { SourceModel } from "../../../fabric/switch.ts"
import type { Lanes, TransferSwitchModel } from "../../../fabric/switch-model.ts"
import type { MakeTransferSwitch, TransferSite } from "../../../fabric/transfer.ts"
import type { CongestionModel } from "../../../model/congestion.ts"
import type { EndpointModel } from "../../../model/endpoint.ts"
import type { Graph } from "../../../model/graph.ts"
import type { Watch } from "../../../model/probe.ts"
import type { EndpointProtocol, EndpointSite } from "../../../model/protocol.ts"
import type { QosModel, QosScheduler } from "../../../model/scheduler.ts"
import type { Stream } from "../../../model/stream.ts"
import type { VcPlan } from "../../../model/vc-plan.ts"
import type { RankColumns, RankPlan, RankRequest } from "./rank-columns.ts"

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
  /** cycles after which sources learn of dropped packets, 0: switches drop none */
  readonly lossTimer: number
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

/** What compile/clocked/transfers.ts makes of an experiment. */
export interface TransferEngineSpec {
  readonly graph: Graph
  readonly model: TransferSwitchModel
  readonly endpoint: EndpointModel
  readonly congestion: CongestionModel
  readonly plan: VcPlan
  readonly qos: QosModel
  readonly flitBytes: number
  readonly scratch: number
  readonly streams: readonly Stream[]
  readonly seed: number
  /** length of the run and of one interval of the time series, in cycles */
  readonly horizon: number
  readonly series: number
  /** Returns [endpoint] -> offered load. */
  offeredTo(): Float32Array
  readonly watch?: Watch
  /** ranks of parallel programs */
  readonly ranks?: RankRequest | undefined
  readonly assign?: ArrayLike<number>
  readonly parts?: number
  makeSwitch(site: TransferSite): MakeTransferSwitch
}
