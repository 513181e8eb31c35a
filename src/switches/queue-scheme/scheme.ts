// What a queue scheme is to the switch: how the memory of an input port is cut into queues, which of them a packet joins, and what a credit means.
// A link has lanes, each with room of its own behind it. In the plain schemes a lane is a queue: whoever sends a packet knows the queue that it will join, and
// looks at the room of that one alone. Schemes that move packets from queue to queue have one lane, and a part of their own (`Isolation`).
import type { Table } from "../../fabric/table.ts"
import type { QueueSchemeParams } from "./params.ts"

export interface Scheme {
  /** queues of an input port */
  readonly queues: number
  /** lanes of a link, and flits of each */
  readonly lanes: number
  readonly laneFlits: number
  /** CAM lines of a port, with a queue each behind the normal one: most flits of one of these queues, and of all. Absent: packets stay where they are */
  readonly lines?: number
  readonly lineFlits?: number
  readonly asideFlits?: number
  /** a packet has the same lane at all routers, and its queue the number of it */
  readonly alike?: boolean
  /** lines are named by turns; queues are those of flows */
  readonly turns?: boolean
  readonly flows?: boolean
  /** it asks for the routing's table */
  readonly table: boolean
  /** lane of a packet to endpoint `dst` at the inputs of `router` (network's numbers) */
  lane(router: number, dst: number, table: Table | undefined): number
}

/** What a scheme is made for. */
export interface SchemeSite {
  readonly p: QueueSchemeParams
  /** ports of the largest router, endpoints of the network */
  readonly radix: number
  readonly ends: number
}

export interface SchemeFile {
  readonly name: string
  /** keys of the switch that this scheme alone, or with others, has a use for */
  readonly keys: readonly (keyof QueueSchemeParams)[]
  make(on: SchemeSite): Scheme
}
