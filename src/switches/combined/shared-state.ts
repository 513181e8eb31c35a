// The state that all stages of the combined switch share, also for audits, digests and reports.
import type { SwitchContext, TransferSite } from "../../fabric/transfer.ts"
import type { CongestionModel } from "../../model/congestion.ts"
import type { Clock } from "../parts/clock.ts"
import { makeContentionCounters } from "../parts/contention-counters.ts"
import { makeDetection } from "../parts/detection.ts"
import { makeDropping } from "../parts/dropping.ts"
import { inputQueues } from "../parts/input.ts"
import { makeMarking } from "../parts/marking.ts"
import { makeMatching } from "../parts/matching.ts"
import { countedVcs } from "../parts/output.ts"
import { makePacketQueues } from "../parts/packet-queues.ts"
import { portsOf } from "../parts/ports.ts"
import type { PartsState } from "../parts/state.ts"
import { makeTelemetry } from "../parts/telemetry.ts"
import { vcTurnColumns } from "../parts/vc-turns.ts"
import { makeArbiterPart } from "./arbiter.ts"
import type { OutsideArbiter } from "./arbiter-reads.ts"
import { creditColumns } from "./flit-credits.ts"
import { type CombinedParams, inputFlits } from "./params.ts"
import { fifoVcs, hasVoqs } from "./queues.ts"
import { makeTrimming } from "./trimming.ts"

export interface CombinedSpec {
  readonly site: TransferSite
  readonly use: SwitchContext
  readonly p: CombinedParams
  readonly clock: Clock
  readonly hold: Uint16Array
  readonly congestion: CongestionModel
  /** absent: the allocator that `p` names */
  readonly arbiter?: OutsideArbiter
}

export type SharedState = ReturnType<typeof sharedStateOf>

/** Allocates the state. Memory comes first, because each worker must allocate the same columns in the same order. */
export function sharedStateOf({ site, use, p, clock, hold, congestion: c, arbiter: outside }: CombinedSpec) {
  const { layout: l, columns } = site
  // Routers need an internal input only if a protocol has classes besides data, because they may then create packets.
  const ports = portsOf(l, use.plan.data < use.plan.classes.length)
  const levels = use.plan.levels.length
  const voq = hasVoqs(p.queues)
  const fifos = fifoVcs(p.queues, use.plan)
  const turns = p.vcAllocation === "turns" ? vcTurnColumns(site, ports) : undefined
  // The queues of outputs follow those of inputs; each output has one queue for each priority level.
  const firstOutput = inputQueues(site, ports, voq)
  const packetQueues = makePacketQueues(columns.packets, firstOutput + ports.count * levels)
  const arbiter = outside === undefined ? undefined : makeArbiterPart(outside, site, levels)
  const matching =
    arbiter ??
    makeMatching({
      name: p.allocator,
      iterations: p.iterations,
      uses: l.routers,
      inputs: l.radix + 1,
      outputs: l.radix,
      levels,
    })
  const releaseAtTail = p.release === "tail"
  const flitCredits = p.release === "each" ? creditColumns(site, ports) : undefined
  // Each congestion control needs at most some of these parts; the others stay undefined and cost nothing.
  const marking = c.marking === undefined ? undefined : makeMarking(site, use, ports, c.marking, inputFlits(p, l.radix))
  const sensing = c.sensing === undefined ? undefined : makeContentionCounters(site, use, ports, voq, c.sensing, fifos)
  const detection = sensing === undefined ? undefined : makeDetection(site, use, ports, c.sensing!, sensing)
  const trimming = p.trim === undefined ? undefined : makeTrimming(site, use, ports, p.trim)
  const dropping = c.dropping === undefined ? trimming : makeDropping(site, use, ports, c.dropping)
  const telemetry = c.telemetry === undefined ? undefined : makeTelemetry(site, ports, c.telemetry)
  const input = {
    ...{ site, use, ports, packetQueues, voq, fifos, firstQueue: 0, marking, sensing, telemetry },
    bids: turns?.bids,
  }
  const output = {
    site,
    use,
    ports,
    packetQueues,
    firstQueue: firstOutput,
    lanes: levels,
    flits: p.output,
    packets: p.outputPackets,
    early: turns !== undefined,
    counted: countedVcs(use, p.loads === "all"),
    flitLoads: flitCredits !== undefined,
    releaseAtTail,
    traverse: p.traverse,
    hold,
  }
  const crossbar = {
    site,
    use,
    ports,
    packetQueues,
    matching,
    clock,
    byVc: false,
    startAtHead: p.start === "head",
    streams: p.start === "interleaved",
    releaseAtTail,
    voq,
    fifos,
    sensing,
    telemetry,
  }
  return {
    site,
    use,
    p,
    clock,
    ports,
    levels,
    packetQueues,
    matching,
    arbiter,
    marking,
    sensing,
    detection,
    dropping,
    telemetry,
    turns,
    flitCredits,
    input,
    output,
    crossbar,
  }
}

/** A switch with its state, for audits, digests and reports. */
export interface CombinedState extends SharedState, Omit<PartsState, keyof SharedState> {
  /** Returns the credits that a VC of output `port` must have before a packet of f flits from input q may take it. */
  neededCredits(q: number, port: number, f: number): number
}
