// The interface of queue schemes: how the memory of an input port is divided into queues, which queue a packet joins,
// and what a credit means. A link has lanes with separate credits. In the simple schemes a lane is a queue: the sender
// knows the queue that a packet will join, and checks the credits of this queue only. Schemes that move packets between
// queues have one lane, and a separate implementation (isolation-scheme.ts).
import type { Table } from "../../fabric/table.ts"
import type { QueueSchemeParams } from "./params.ts"

export interface Scheme {
  /** queues of an input port */
  readonly queues: number
  /** lanes of a link, and flits of each */
  readonly lanes: number
  readonly laneFlits: number
  /**
   * CAM lines of a port, each with a queue in addition to the normal one; maximum flits of one of these queues, and of
   * all. Undefined: packets never move between queues
   */
  readonly lines?: number
  readonly lineFlits?: number
  readonly asideFlits?: number
  /** a packet has the same lane at all routers, and the number of its queue is that of its lane */
  readonly alike?: boolean
  /** lines are named by turns; queues are those of flows */
  readonly turns?: boolean
  readonly flows?: boolean
  /** the scheme needs the routing table */
  readonly table: boolean
  /** Returns the lane of a packet to endpoint `dst` at the inputs of `router` (network's numbers). */
  lane(router: number, dst: number, table: Table | undefined): number
}

/** The inputs of a scheme's constructor. */
export interface SchemeSite {
  readonly p: QueueSchemeParams
  /** ports of the largest router, endpoints of the network */
  readonly radix: number
  readonly ends: number
}

export interface SchemeFile {
  readonly name: string
  /** keys of the switch that this scheme uses */
  readonly keys: readonly (keyof QueueSchemeParams)[]
  make(on: SchemeSite): Scheme
}
