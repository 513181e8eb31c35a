// What switches with service levels have around their crossbars: a FIFO for each VL at inputs (vls.ts), queues of VLs and a scheduler at every link (lanes.ts).
import type { TransferSite, TransferUse } from "../../fabric/transfer.ts"
import type { Ability } from "../../model/abilities.ts"
import type { QosScheduler } from "../../model/scheduler.ts"
import type { LevelRecords } from "./level-records.ts"
import type { Ports } from "./ports.ts"

/** What they can do. */
export const levelAbilities: readonly Ability[] = [
  "classes",
  "replies",
  "drawnVcs",
  "acknowledgements",
  "bubbles",
  "schedulers",
  "farQueues",
  "occupancy",
  "laneFill",
  "events",
  "packetEvents",
]

interface Shared extends LevelRecords {
  readonly site: TransferSite
  readonly use: TransferUse
  readonly ports: Ports
  readonly scheduler: QosScheduler
}

interface Rules {
  /** cycles of the routing stage for a head, and for what follows it */
  readonly route: number
  readonly body?: number | undefined
  readonly traverse: number
  readonly hold: Uint16Array
  /** the first queue of outputs in the chains */
  readonly firstQueue: number
  /** [SL] -> VL, and the same by ports (port-tables.ts) */
  readonly vlOf: readonly number[] | undefined
  readonly vlAt: Uint8Array | undefined
  readonly atLink: boolean
  readonly releaseAtTail: boolean
}

export function levelStages(shared: Shared, r: Rules) {
  const { site, scheduler } = shared
  const { firstQueue, traverse, hold, vlOf, vlAt, atLink, releaseAtTail } = r
  const lanes = 1 << site.layout.LV
  const input = { ...shared, voq: false, early: r.route - (r.body ?? r.route), vlOf, vlAt }
  const rooms = { firstQueue, lanes, atLink, releaseAtTail, traverse, hold, shared: vlOf !== undefined }
  const output = { ...shared, ...rooms }
  // columns of the scheduler beside those of the stages
  const named = Object.fromEntries(Object.entries(scheduler.columns).map(([name, column]) => [`qos.${name}`, column]))
  return { input, output, named }
}
