// Asks a clocked engine whether it stands still: looks at what moved, and names the circle of waits, packet by packet. The verdict itself is engines/verdict.ts.
import { type Blocker, type Diagnosis, diagnose, type Place, type Waiter, type Waits } from "../../engines/diagnose.ts"
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { judgeStanding, patienceOf, type Verdict } from "../../engines/verdict.ts"
import type { StateWait, StateWaits } from "../../fabric/switch.ts"
import type { Topology } from "../../model/topology.ts"
import { Looks, type Seen } from "../looks.ts"

/** Fewer packets than this part of the offered ones arrive: worth a look at who waits for whom. */
const LAGGING = 0.8

export interface Movement extends Seen {
  readonly delivered: number
  readonly underWay: number
  readonly portFlits: Uint32Array
}

/** `offeredPackets`: per cycle, of all sources together. */
export function watchdog(engine: ClockedEngine, topology: Topology, offeredPackets: number): Looks<Movement> {
  function see(): Movement {
    const { columns, now } = engine
    return { at: now, delivered: engine.stat("delivered"), underWay: engine.inFlight(), portFlits: columns.portFlits.slice() }
  }

  function judge(since: Movement, patience: number, closely: boolean): Verdict {
    const cycles = engine.now - since.at
    const delivered = engine.stat("delivered") - since.delivered
    let moved = delivered
    for (let i = 0; i < since.portFlits.length; i++) moved += engine.columns.portFlits[i]! - since.portFlits[i]!
    const behind = delivered / Math.max(1, cycles) < LAGGING * offeredPackets
    const circle = closely || moved === 0 || behind ? circleOf(cycles) : undefined
    if (moved > 0 && circle === undefined) return { kind: "moves" }
    const standing = { ...engine.standing(), ...(circle === undefined ? {} : { circle }) }
    return judgeStanding(standing, { cycles, moved, before: since.underWay > 0 }, patience)
  }

  function circleOf(cycles: number): readonly string[] | undefined {
    if (engine.inFlight() === 0) return undefined
    const found = diagnosisOf(engine, topology, cycles)
    return found.kind === "deadlock" ? found.words : undefined
  }

  return new Looks(patienceOf(engine.layout.maxLatency, engine.longestTimer), { see, judge })
}

/** Who waits for whom, packet by packet, and why. */
export function diagnosisOf(engine: ClockedEngine, topology: Topology, cycles: number): Diagnosis {
  return diagnose(waitsOf(engine, topology, cycles))
}

/** Who waits for whom; `cycles`: how long nobody has moved, as far as is known. */
export function waitsOf(engine: ClockedEngine, topology: Topology, cycles: number): Waits {
  const { layout: l, span } = engine
  const { graph } = l
  const inputs = graph.chans * l.vcs
  const chanAt = new Map<number, number>()
  for (let c = 0; c < graph.chans; c++) chanAt.set(l.slot[c]! >> l.LV, c)
  const vcOf = (id: number) => id & ((1 << l.LV) - 1)
  const place = (ov: number): Place => ({ chan: chanAt.get(ov >> l.LV) ?? -1, vc: vcOf(ov) })
  /** its key is its number in the network, which no partition changes; inner queues come after all inputs */
  const waiterOf = ({ at, packet }: StateWaits): Waiter => {
    const router = Math.floor(at / span)
    const own = at % span
    if (own >= l.RS) return { key: inputs + l.outerRouter[router]! * span + own, packet, chan: -1, vc: vcOf(own) }
    const { chan, vc } = place(router * l.RS + own)
    return { key: chan * l.vcs + vc, packet, chan: Math.max(-1, graph.near[chan]!), vc }
  }
  const waits = engine.waits()
  const waiters = new Map(waits.map((w) => [w.at, waiterOf(w)]))
  const blocker = (b: StateWait): Blocker => ({ wants: place(b.wants), holds: place(b.holds), by: waiters.get(b.by) ?? -1 })
  const blockers = new Map(waits.map((w) => [waiters.get(w.at)!, w.waits.map(blocker)]))
  return {
    waiters: () => waiters.values(),
    blockers: (w) => blockers.get(w)!,
    waited: () => cycles,
    overtaken: () => 0,
    source: (p) => engine.journey(p).from,
    destination: (p) => engine.journey(p).to,
    channelLabel: (c) => channelLabel(topology, c),
  }
}

export function channelLabel(topology: Topology, c: number): string {
  const { graph } = topology
  const far = graph.far[c]!
  return `${topology.label(graph.routerOf[c]!)} -> ${far >= 0 ? topology.label(graph.routerOf[far]!) : `endpoint ${-2 - far}`}`
}
