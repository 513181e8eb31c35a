// What all stages of the InfiniBand switch share, and its state for audits, fingerprints and reports.
import type { TransferSite, TransferUse } from "../../fabric/transfer.ts"
import { makeChains } from "../parts/chains.ts"
import type { Clock } from "../parts/clock.ts"
import { inputQueues } from "../parts/input.ts"
import { schedulerOf } from "../parts/lanes.ts"
import { makeMatching } from "../parts/matching.ts"
import { portsOf } from "../parts/ports.ts"
import type { PartsState } from "../parts/state.ts"
import type { InfinibandParams } from "./params.ts"

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
  const lanes = 1 << l.LV
  const chains = makeChains(columns.packets, firstQueue + ports.count * lanes)
  // an input asks for one output in each step, so one iteration finds all that there is
  const matching = makeMatching({ name: "input-first", iterations: 1, uses: l.routers, inputs: l.radix + 1, outputs: l.radix, levels: 1 })
  const scheduler = schedulerOf(use, ports)
  const releaseAtTail = p.release === "tail"
  const atLink = p.credits === "link"
  const input = { site, use, ports, chains, voq: false, firstQueue: 0 }
  const output = { site, use, ports, chains, firstQueue, lanes, atLink, releaseAtTail, traverse: p.traverse, hold, scheduler }
  const crossbar = { site, use, ports, chains, matching, clock, byVc: true, voq: false, startAtHead: p.start === "head", releaseAtTail }
  // columns of the scheduler beside those of the stages
  const named = Object.fromEntries(Object.entries(scheduler.columns).map(([name, column]) => [`qos.${name}`, column]))
  return { site, use, p, clock, ports, chains, matching, scheduler, named, input, output, crossbar }
}

export type InfinibandState = Frame & PartsState
