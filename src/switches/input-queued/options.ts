// The options of the input-queued router.
import type { RoutingContext, SwitchSite } from "../../fabric/switch.ts"
import type { AllocatorChoice, ArbiterName } from "../parts/allocator.ts"

export interface IqOptions {
  /** stage delays in core steps; route 0 = look-ahead */
  readonly routeDelay: number
  readonly vcDelay: number
  readonly crossDelay: number
  /** core steps per cycle */
  readonly speed: number
  /** routing and crossbar of several cycles work in batches instead of as pipelines (batches.ts) */
  readonly batches: boolean
  readonly speculative: boolean
  readonly hold: boolean
  readonly cutThrough: boolean
  readonly tailWait: boolean
  readonly busyWhenFull: boolean
  readonly inputSpeedup: number
  readonly outputSpeedup: number
  readonly priority: "none" | "class" | "age"
  readonly vcAllocator: AllocatorChoice
  readonly swAllocator: AllocatorChoice
  readonly arbiter: ArbiterName
  /** flits of each output buffer, in which a flit stays for one round trip of its link; 0 = no such buffer */
  readonly retention: number
}

export type IqSpec = SwitchSite & RoutingContext & IqOptions
