// What all stages of the InfiniBand switch share, and its state for audits, fingerprints and reports.
import type { TransferSite, TransferUse } from "../../fabric/transfer.ts"
import type { Clock } from "../parts/clock.ts"
import { inputQueues } from "../parts/input.ts"
import { schedulerOf } from "../parts/lanes.ts"
import { levelRecords, levelStages } from "../parts/level-stages.ts"
import { portsOf } from "../parts/ports.ts"
import type { PartsState } from "../parts/state.ts"
import type { InfinibandParams } from "./params.ts"
import { portVlsOf, vlsOf } from "./tables.ts"

export interface InfinibandSpec {
  readonly site: TransferSite
  readonly use: TransferUse
  readonly p: InfinibandParams
  readonly clock: Clock
  readonly hold: Uint16Array
}

export type Frame = ReturnType<typeof frameOf>

/** What all stages share. Memory first: every worker asks for the same columns in the same order. */
export function frameOf({ site, use, p, clock, hold }: InfinibandSpec) {
  const { layout: l, columns } = site
  const ports = portsOf(l, use.plan.data < use.plan.classes.length)
  const firstQueue = inputQueues(site, ports, false)
  const records = levelRecords(columns.packets, ports, l.LV, 0)
  const scheduler = schedulerOf(use, ports)
  const shared = { site, use, ports, ...records, scheduler }
  const tables = { vlOf: vlsOf(p), vlAt: portVlsOf(p, l.radix) }
  const stages = levelStages(shared, {
    ...p,
    ...tables,
    hold,
    firstQueue,
    atLink: p.credits === "link",
    releaseAtTail: p.release === "tail",
  })
  return { ...shared, ...stages, p, clock, startAtHead: p.start === "head" }
}

export type InfinibandState = Frame & PartsState
