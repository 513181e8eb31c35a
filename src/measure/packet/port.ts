// The port of the packet engine. Amounts are bytes. All workers meet at each decision, so there are fewer of them than
// on a clocked engine: the network is inspected every 10 µs (or 1,024 cycles), and a step ends only at inspections.
import { WAIT } from "../../model/events.ts"
import { ranksWait } from "../jobs.ts"
import { lookColumns, looksIn, portIn } from "../packing.ts"
import type { Pace, Port, RanksOfRun, Sample, WindowLoads } from "../port.ts"
import { asJson, type Saved } from "../saved.ts"
import type { Stopped } from "../termination.ts"
import { SUM, total } from "./collect.ts"
import { type CreatedWords, type LoadSite, LoadWindow } from "./load-window.ts"
import { arrivalsIn } from "./sums.ts"
import { diagnosisOf, packetWatchdog, type Sent } from "./watchdog.ts"

export interface PacketSite extends LoadSite {
  /** bytes per cycle that the traffic of all endpoints creates on average */
  readonly offered: number
  /** Describes the messages that ranks wait for. */
  waiting(): string
}

/** Decisions are at least this far apart: ps, and cycles. */
const paceOf = (cycle: number): Pace => ({
  inspect: Math.max(1024, Math.ceil(1e7 / cycle)),
  drain: Math.max(64, Math.ceil(1e6 / cycle)),
  jobs: Math.max(256, Math.ceil(2e6 / cycle)),
  anywhere: false,
})

/** The JSON part of a saved port. */
interface Words {
  readonly now: number
  readonly created: CreatedWords
}

export class PacketPort implements Port {
  now = 0
  readonly pace: Pace
  readonly watchdog: ReturnType<typeof packetWatchdog>
  readonly ranks: RanksOfRun | undefined
  /** counters of the window */
  readonly loads: LoadWindow
  private readonly site: PacketSite

  constructor(site: PacketSite) {
    const { run, network, waiting } = site
    this.site = site
    this.loads = new LoadWindow(site)
    this.pace = paceOf(network.cycle)
    this.watchdog = packetWatchdog(run, network, () => this.now)
    const ranks = network.ranks?.ranks
    this.ranks = ranks === undefined ? undefined : { ranks, waiting, finished: () => run.finished() }
  }

  get offered(): number {
    return this.site.offered
  }

  advance(to: number): void {
    this.site.run.advance(to * this.site.network.cycle)
    this.now = to
  }

  sample(i: number, arrived: number): Sample {
    const { run, traffic } = this.site
    const sums = arrivalsIn(this.site, i)
    return { ...sums, waiting: run.created(this.time, traffic) - (arrived + sums.traffic) }
  }

  window({ from, to }: { readonly from?: number; readonly to?: number }): void {
    const { window, network } = this.site
    if (from !== undefined) window[0] = from * network.cycle
    if (to !== undefined) window[1] = to * network.cycle
  }

  open(): void {
    this.loads.open(this.time)
  }
  close(): void {
    this.loads.close(this.time)
  }
  counts(): WindowLoads {
    return this.loads.counts
  }

  measured(): number {
    return total(this.site.memories, SUM.measured, -1, this.site.streams)
  }

  inFlight(to = Number.POSITIVE_INFINITY): boolean {
    return this.site.run.open(to * this.site.network.cycle)
  }

  quiet(): void {
    throw new Error("the packet engine cannot switch its sources off")
  }

  /** Without any event, chunks in the network are deadlocked, or all ranks wait. */
  stuck(): Stopped | undefined {
    const { run, network, waiting } = this.site
    const { ranks } = this
    if (!run.idle() || (ranks !== undefined && ranks.finished() === ranks.ranks)) return undefined
    const rows = run.waits()
    const chunks = ranks === undefined ? run.inUse() : rows.length / WAIT.words
    if (chunks === 0) return ranksWait(ranks)
    const says =
      `${chunks} chunks wait for credits that never arrive, at cycle ` +
      `${this.now}; give the routing the VCs that it needs`
    const { words } = diagnosisOf(network, rows, this.now)
    return { why: "deadlock", explains: [says, ...words, ...(ranks === undefined ? [] : [waiting()])].join("\n") }
  }

  save(): Saved {
    const { words, columns } = this.loads.save()
    const state: Words = { now: this.now, created: words }
    const sent = lookColumns(
      this.watchdog.save(),
      (l) => [l.at, l.underWay],
      "sent",
      (l) => l.sent,
    )
    return { state: asJson(state), columns: { ...sent, ...columns } }
  }

  restore(saved: Saved): void {
    const { now, created } = portIn<Words>(saved)
    const length = this.site.network.topology.graph.chans
    this.now = now
    this.loads.restore(created, saved)
    this.watchdog.resume(
      looksIn<Sent>(saved, { count: 2, name: "sent", length }, ([at, underWay], sent) => ({ at, underWay, sent })),
    )
  }

  private get time(): number {
    return this.now * this.site.network.cycle
  }
}
