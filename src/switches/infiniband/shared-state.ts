// The state that all stages of the InfiniBand switch share, also for audits, digests and reports.
import type { SwitchContext, TransferSite } from "../../fabric/transfer.ts"
import type { Clock } from "../parts/clock.ts"
import { inputQueues } from "../parts/input.ts"
import { portsOf } from "../parts/ports.ts"
import { serviceLevelRecords, serviceLevelStages } from "../parts/service-level-stages.ts"
import type { PartsState } from "../parts/state.ts"
import { schedulerOf } from "../parts/vl-outputs.ts"
import type { InfinibandParams } from "./params.ts"
import { portVlsOf, vlsOf } from "./tables.ts"

export interface InfinibandSpec {
  readonly site: TransferSite
  readonly use: SwitchContext
  readonly p: InfinibandParams
  readonly clock: Clock
  readonly hold: Uint16Array
}

export type SharedState = ReturnType<typeof sharedStateOf>

/** Allocates the state. Memory comes first, because each worker must allocate the same columns in the same order. */
export function sharedStateOf({ site, use, p, clock, hold }: InfinibandSpec) {
  const { layout: l, columns } = site
  // Routers need an internal input only if a protocol has classes besides data, because they may then create packets.
  const ports = portsOf(l, use.plan.data < use.plan.classes.length)
  const firstQueue = inputQueues(site, ports, false)
  const records = serviceLevelRecords(columns.packets, ports, l.LV, 0)
  const scheduler = schedulerOf(use, ports, l, site.constants.seed)
  const shared = { site, use, ports, ...records, scheduler }
  const tables = { vlOf: vlsOf(p), vlAt: portVlsOf(p, l.radix) }
  const stages = serviceLevelStages(shared, {
    ...p,
    ...tables,
    hold,
    firstQueue,
    atLink: p.credits === "link",
    releaseAtTail: p.release === "tail",
  })
  return { ...shared, ...stages, p, clock, startAtHead: p.start === "head" }
}

export type InfinibandState = SharedState & PartsState
