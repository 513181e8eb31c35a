// Asks a packet simulation whether it stands still. Times are cycles; the verdict itself is engines/verdict.ts.

import { linkTimes, type PacketNetwork } from "../../compile/packet/machine.ts"
import { judgeStanding, patienceOf, standingChannels, type Verdict } from "../../engines/verdict.ts"
import { channelLabel } from "../clocked/watchdog.ts"
import { Looks, type Seen } from "../looks.ts"
import type { PacketRun } from "./run.ts"

export interface Sent extends Seen {
  readonly sent: Uint32Array
  readonly underWay: number
}

export function packetWatchdog(run: PacketRun, network: PacketNetwork, now: () => number): Looks<Sent> {
  const { topology, chunk, cycle } = network
  const { graph } = topology

  function see(): Sent {
    return { at: now(), sent: run.sent(), underWay: Math.max(0, run.inUse() - run.pending()) }
  }

  function judge(since: Sent, patience: number): Verdict {
    const waits = run.waits()
    const wanted: number[] = []
    for (let c = 0; c < waits.length; c++) if (waits[c] === 1) wanted.push(c)
    if (wanted.length === 0) return { kind: "moves" }
    const { at, sent, underWay } = see()
    const cycles = at - since.at
    let moved = 0
    for (let c = 0; c < sent.length; c++) moved += sent[c]! - since.sent[c]!
    const facts = {
      wanted,
      moved: (c: number) => sent[c] !== since.sent[c],
      routerOf: (c: number) => graph.routerOf[c]!,
      leadsTo: (c: number) => (graph.far[c]! >= 0 ? graph.routerOf[graph.far[c]!]! : -1),
      label: (c: number) => channelLabel(topology, c),
    }
    const circle = cycles < patience ? undefined : standingChannels(facts, cycles)
    // chunks on wires are events: all of them come within the patience
    const standing = { underWay, waiting: wanted.length, onWires: 0, timers: 0, ...(circle === undefined ? {} : { circle }) }
    return judgeStanding(standing, { cycles, moved, before: since.underWay > 0 }, patience)
  }

  const { after, credit, full } = linkTimes(network)
  const most = (times: Int32Array) => times.reduce((a, b) => Math.max(a, b), 0)
  // what is counted as sent may lie in its output queue until all before it is gone
  const queue = Math.ceil(chunk.buffer / chunk.chunk) * chunk.vcs * most(full)
  return new Looks(patienceOf((most(after) + most(credit)) / cycle, (2 * queue) / cycle), { see, judge })
}
