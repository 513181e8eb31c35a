// The deadlock and no-progress watchdog of the clocked engines. It samples which flits moved, and if few did, it builds
// the wait-for graph of the packets and searches it for a cyclic dependency (engines/diagnose.ts). The classification
// is in engines/verdict.ts, the schedule in measure/progress-watchdog.ts. packet/watchdog.ts does this for the
// packet engine.
import { type Blocker, type Diagnosis, diagnose, type Place, type Waiter, type Waits } from "../../engines/diagnose.ts"
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { classifyStall, stallLimitOf, type Verdict } from "../../engines/verdict.ts"
import type { StateWait, StateWaits } from "../../fabric/switch.ts"
import type { Topology } from "../../model/topology.ts"
import { channelLabel } from "../channel-label.ts"
import { ProgressWatchdog, type Seen } from "../progress-watchdog.ts"

/** If fewer packets than this share of the offered ones arrive, the watchdog builds the wait-for graph. */
const LAGGING = 0.8

/** One sample: packets delivered and in flight, and flits sent by each output port. */
export interface Movement extends Seen {
  readonly delivered: number
  readonly underWay: number
  readonly portFlits: Uint32Array
}

/** Returns the watchdog of an engine. `offeredPackets`: packets per cycle of all sources. */
export function watchdog(
  engine: ClockedEngine,
  topology: Topology,
  offeredPackets: number,
): ProgressWatchdog<Movement> {
  function see(): Movement {
    const { columns, now } = engine
    return {
      at: now,
      delivered: engine.stat("delivered"),
      underWay: engine.inFlight(),
      portFlits: columns.portFlits.slice(),
    }
  }

  function judge(since: Movement, patience: number, closely: boolean): Verdict {
    const cycles = engine.now - since.at
    const delivered = engine.stat("delivered") - since.delivered
    let moved = delivered
    for (let i = 0; i < since.portFlits.length; i++) moved += engine.columns.portFlits[i] - since.portFlits[i]
    // The wait-for graph is costly, so it is built only if little moves or the caller wants a close look. A deadlock in
    // a part of the network still lets other packets move, but throughput falls.
    const behind = delivered / Math.max(1, cycles) < LAGGING * offeredPackets
    const circle = closely || moved === 0 || behind ? circleOf(cycles) : undefined
    if (moved > 0 && circle === undefined) return { kind: "moves" }
    const standing = { ...engine.standing(), ...(circle === undefined ? {} : { circle }) }
    return classifyStall(standing, { cycles, moved, before: since.underWay > 0 }, patience)
  }

  /** Returns the packets of a cyclic dependency as text, or undefined if there is none. */
  function circleOf(cycles: number): readonly string[] | undefined {
    if (engine.inFlight() === 0) return undefined
    const found = diagnosisOf(engine, topology, cycles)
    return found.kind === "deadlock" ? found.words : undefined
  }

  return new ProgressWatchdog(stallLimitOf(engine.layout.maxLatency, engine.longestTimer), { see, judge })
}

/** Searches the wait-for graph of the packets for a deadlock. */
export function diagnosisOf(engine: ClockedEngine, topology: Topology, cycles: number): Diagnosis {
  return diagnose(waitsOf(engine, topology, cycles))
}

/** Returns the wait-for graph of the packets. `cycles`: time without movement, as far as is known. */
export function waitsOf(engine: ClockedEngine, topology: Topology, cycles: number): Waits {
  const { layout: l, span } = engine
  const { graph } = l
  const inputs = graph.chans * l.vcs
  // Engine state is indexed by output VC of internal router numbers; `place` maps this to channel and VC of the
  // topology.
  const chanAt = new Map<number, number>()
  for (let c = 0; c < graph.chans; c++) chanAt.set(l.slot[c] >> l.LV, c)
  const vcOf = (id: number) => id & ((1 << l.LV) - 1)
  const place = (ov: number): Place => ({ chan: chanAt.get(ov >> l.LV) ?? -1, vc: vcOf(ov) })
  /**
   * The key of a waiter is its number in the topology, which is the same for each partition. Keys of queues inside a
   * router follow after those of all input VCs.
   */
  const waiterOf = ({ at, packet }: StateWaits): Waiter => {
    const router = Math.floor(at / span)
    const own = at % span
    if (own >= l.RS) return { key: inputs + l.outerRouter[router] * span + own, packet, chan: -1, vc: vcOf(own) }
    const { chan, vc } = place(router * l.RS + own)
    return { key: chan * l.vcs + vc, packet, chan: Math.max(-1, graph.near[chan]), vc }
  }
  const waits = engine.waits()
  const waiters = new Map(waits.map((w) => [w.at, waiterOf(w)]))
  const blocker = (b: StateWait): Blocker => ({
    wants: place(b.wants),
    holds: place(b.holds),
    by: waiters.get(b.by) ?? -1,
  })
  const blockers = new Map(waits.map((w) => [waiters.get(w.at)!, w.waits.map(blocker)]))
  return {
    waiters: () => waiters.values(),
    blockers: (w) => blockers.get(w)!,
    waited: () => cycles,
    overtaken: () => 0,
    source: (p) => engine.packetTrace(p).from,
    destination: (p) => engine.packetTrace(p).to,
    channelLabel: (c) => channelLabel(topology, c),
  }
}
