// Asks a packet simulation whether it stands still. Times are cycles; the verdict itself is engines/verdict.ts.
import { judgeStanding, patienceOf, standingChannels, type Verdict } from "../engines/verdict.ts"
import { linkTimes, type PacketNetwork } from "./packet-machine.ts"
import type { PacketRun } from "./packet-run.ts"
import { channelLabel } from "./watchdog.ts"

interface Seen {
  readonly at: number
  readonly sent: Uint32Array
  readonly underWay: number
}

export class PacketWatchdog {
  readonly patience: number
  private readonly run: PacketRun
  private readonly network: PacketNetwork
  private last: Seen
  private before: Seen | undefined

  constructor(run: PacketRun, network: PacketNetwork) {
    this.run = run
    this.network = network
    const { after, credit, full } = linkTimes(network)
    const { chunk, cycle } = network
    const most = (times: Int32Array) => times.reduce((a, b) => Math.max(a, b), 0)
    // what is counted as sent may lie in its output queue until all before it is gone
    const queue = Math.ceil(chunk.buffer / chunk.chunk) * chunk.vcs * most(full)
    this.patience = patienceOf((most(after) + most(credit)) / cycle, (2 * queue) / cycle)
    this.last = this.see(0)
  }

  /** Looks when its patience is over; undefined before that. */
  look(now: number): Verdict | undefined {
    if (now - this.last.at < this.patience) return undefined
    this.before = this.last
    this.last = this.see(now)
    return this.judge(this.before, this.last)
  }

  /** The run is about to end: does it stand still, or a part of it? */
  ask(now: number): Verdict {
    const since = now - this.last.at >= this.patience || this.before === undefined ? this.last : this.before
    return this.judge(since, this.see(now))
  }

  /** Cycles until ask() can tell a standstill from a short wait. */
  unsure(now: number): number {
    return this.before === undefined ? Math.max(0, this.patience - (now - this.last.at)) : 0
  }

  private see(at: number): Seen {
    return { at, sent: this.run.sent(), underWay: Math.max(0, this.run.inUse() - this.run.pending()) }
  }

  private judge(since: Seen, now: Seen): Verdict {
    const { graph } = this.network.topology
    const waits = this.run.waits()
    const wanted: number[] = []
    for (let c = 0; c < waits.length; c++) if (waits[c] === 1) wanted.push(c)
    if (wanted.length === 0) return { kind: "moves" }
    const cycles = now.at - since.at
    let moved = 0
    for (let c = 0; c < now.sent.length; c++) moved += now.sent[c]! - since.sent[c]!
    const facts = {
      wanted,
      moved: (c: number) => now.sent[c] !== since.sent[c],
      routerOf: (c: number) => graph.routerOf[c]!,
      leadsTo: (c: number) => (graph.far[c]! >= 0 ? graph.routerOf[graph.far[c]!]! : -1),
      label: (c: number) => channelLabel(this.network.topology, c),
    }
    const circle = cycles < this.patience ? undefined : standingChannels(facts, cycles)
    const standing = { underWay: now.underWay, waiting: wanted.length, onWires: 0, timers: 0, ...(circle === undefined ? {} : { circle }) }
    return judgeStanding(standing, { cycles, moved, before: since.underWay > 0 }, this.patience)
  }
}
