// What all stages of the combined switch share, and its state for audits, fingerprints and reports.
import type { TransferSite, TransferUse } from "../../fabric/transfer.ts"
import type { CongestionModel } from "../../model/congestion.ts"
import { makeChains } from "../parts/chains.ts"
import type { Clock } from "../parts/clock.ts"
import { makeDetection } from "../parts/detection.ts"
import { makeDropping } from "../parts/dropping.ts"
import { inputQueues } from "../parts/input.ts"
import { makeMarking } from "../parts/marking.ts"
import { makeMatching } from "../parts/matching.ts"
import { portsOf } from "../parts/ports.ts"
import { makeSensing } from "../parts/sensing.ts"
import type { PartsState } from "../parts/state.ts"
import { makeTelemetry } from "../parts/telemetry.ts"
import { type CombinedParams, inputFlits } from "./params.ts"

export interface CombinedSpec {
  readonly site: TransferSite
  readonly use: TransferUse
  readonly p: CombinedParams
  readonly clock: Clock
  readonly hold: Uint16Array
  readonly congestion: CongestionModel
}

export type Frame = ReturnType<typeof frameOf>

/** What all stages share. Memory first: every worker asks for the same columns in the same order. */
export function frameOf({ site, use, p, clock, hold, congestion: c }: CombinedSpec) {
  const { layout: l, columns } = site
  const ports = portsOf(l, use.plan.data < use.plan.classes.length)
  const levels = use.plan.levels.length
  const voq = p.queues === "voq"
  const firstOutput = inputQueues(site, ports, voq)
  const chains = makeChains(columns.packets, firstOutput + ports.count * levels)
  const matching = makeMatching({
    name: p.allocator,
    iterations: p.iterations,
    uses: l.routers,
    inputs: l.radix + 1,
    outputs: l.radix,
    levels,
  })
  const releaseAtTail = p.release === "tail"
  const marking = c.marking === undefined ? undefined : makeMarking(site, use, ports, c.marking, inputFlits(p, l.radix))
  const sensing = c.sensing === undefined ? undefined : makeSensing(site, use, ports, voq, c.sensing)
  const detection = sensing === undefined ? undefined : makeDetection(site, use, ports, c.sensing!, sensing)
  const dropping = c.dropping === undefined ? undefined : makeDropping(site, use, ports, c.dropping)
  const telemetry = c.telemetry === undefined ? undefined : makeTelemetry(site, ports, c.telemetry)
  const input = { site, use, ports, chains, voq, firstQueue: 0, marking, sensing, telemetry }
  const output = {
    site,
    use,
    ports,
    chains,
    firstQueue: firstOutput,
    lanes: levels,
    flits: p.output,
    releaseAtTail,
    traverse: p.traverse,
    hold,
  }
  const crossbar = {
    site,
    use,
    ports,
    chains,
    matching,
    clock,
    byVc: false,
    startAtHead: p.start === "head",
    releaseAtTail,
    voq,
    sensing,
    telemetry,
  }
  return { site, use, p, clock, ports, levels, chains, matching, marking, sensing, detection, dropping, telemetry, input, output, crossbar }
}

/** A switch with its state: for audits, fingerprints and reports. */
export interface CombinedState extends Frame, Omit<PartsState, keyof Frame> {
  /** flits that a VC behind output `port` must have room for before a packet of f flits from input q may go there */
  roomFor(q: number, port: number, f: number): number
}
