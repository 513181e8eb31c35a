// The port of the clocked engines. Amounts are flits. A decision costs little here, so the network is inspected every
// 1,024 cycles, and a run may pause after any cycle.
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { CONTROL } from "../../fabric/flit.ts"
import type { BlockedQueueOptions } from "../../model/blocked-queues.ts"
import type { Topology } from "../../model/topology.ts"
import { ranksWait } from "../jobs.ts"
import type { Pace, Port, RanksOfRun, Sample, WindowLoads } from "../port.ts"
import type { Saved } from "../saved.ts"
import type { Stopped } from "../termination.ts"
import { BlockedQueueSampler } from "./blocked-queues.ts"
import { LoadWindow } from "./load-window.ts"
import { readPort, savePort } from "./saved.ts"
import { arrivalsIn, isMissing } from "./series.ts"
import { watchdog } from "./watchdog.ts"
import { QueueSamples } from "./worst-channels.ts"

export interface ClockedSite {
  readonly engine: ClockedEngine
  readonly topology: Topology
  /** cycles of an interval of the time series */
  readonly interval: number
  /** flits and packets per cycle that the traffic of all endpoints creates on average */
  readonly offered: { readonly flits: number; readonly packets: number }
  /** [stream] -> mean flits per packet; the first `traffic` streams have an offered load */
  readonly flits: readonly number[]
  readonly traffic: number
  /** streams whose packets the run waits for; absent: all */
  readonly followed?: readonly number[]
  /** probes `blocked` */
  readonly wishes: readonly BlockedQueueOptions[]
  /** Describes the messages that ranks wait for. */
  waiting(): string
}

export class ClockedPort implements Port {
  readonly pace: Pace = { inspect: 1024, drain: 64, jobs: 1024, anywhere: true }
  readonly engine: ClockedEngine
  readonly watchdog: ReturnType<typeof watchdog>
  readonly ranks: RanksOfRun | undefined
  /** samples of all queues in the window, for the table of the worst channels */
  readonly samples: QueueSamples
  /** samplers of blocked queues, one for each probe `blocked` */
  readonly standing: readonly BlockedQueueSampler[]
  /** counters of the window */
  readonly loads: LoadWindow
  private readonly site: ClockedSite

  constructor(site: ClockedSite) {
    const { engine, topology, waiting } = site
    this.site = site
    this.engine = engine
    this.loads = new LoadWindow(engine, site.flits, site.traffic)
    this.watchdog = watchdog(engine, topology, site.offered.packets)
    this.samples = new QueueSamples(topology.graph)
    this.standing = site.wishes.map((wish) => new BlockedQueueSampler(wish))
    const ranks = engine.jobs?.ranks
    this.ranks = ranks === undefined ? undefined : { ranks, waiting, finished: () => engine.jobs?.finished() ?? 0 }
  }

  get now(): number {
    return this.engine.now
  }
  get offered(): number {
    return this.site.offered.flits
  }

  /** Stops at the end of each interval if a probe samples blocked queues. */
  advance(to: number): void {
    const { engine, standing } = this
    const { interval } = this.site
    while (standing.length > 0 && engine.now < to) {
      engine.advance(Math.min(to, (Math.floor(engine.now / interval) + 1) * interval))
      if (engine.now % interval === 0) for (const sampler of standing) sampler.look(engine)
    }
    if (engine.now < to) engine.advance(to)
  }

  sample(i: number): Sample {
    const { traffic } = this.site
    return { ...arrivalsIn(this.engine, i, traffic), waiting: this.loads.backlog(traffic) }
  }

  window({ from, to }: { readonly from?: number; readonly to?: number }): void {
    const { control } = this.engine.columns
    if (from !== undefined) control[CONTROL.from] = from
    if (to !== undefined) control[CONTROL.to] = to
  }

  open(): void {
    this.loads.open()
  }
  close(): void {
    this.loads.close()
  }
  counts(): WindowLoads {
    return this.loads.counts
  }

  measured(): number {
    return this.engine.stat("measured")
  }

  inFlight(to?: number): boolean {
    return to === undefined ? this.engine.busy : isMissing(this.engine, to, this.site.followed)
  }

  quiet(): void {
    this.engine.columns.control[CONTROL.quiet] = this.now
  }

  /** Queues are sampled from the beginning of the window. */
  inspected(): void {
    if (this.now > this.engine.columns.control[CONTROL.from]) this.samples.look(this.engine)
  }

  audit() {
    return this.engine.audit()
  }

  /** The engine sets CONTROL.full when it has no free record for a packet or a reply. It cannot continue after that. */
  stuck(): Stopped | undefined {
    const { engine, now } = this
    if (engine.columns.control[CONTROL.full] !== 0)
      return {
        why: "memory",
        explains:
          `by cycle ${now} more replies waited at their endpoints than the buffers hold, or more packets ` +
          "were in the network; lower the load, or use a separate VC class for replies",
      }
    if (engine.jobs === undefined || engine.inFlight() > 0 || engine.jobs.pending() > 0) return undefined
    return ranksWait(this.ranks)
  }

  save(): Saved {
    const { columns, looks } = this.samples.save()
    const standing = this.standing.map((l, i) => l.save(`standing${i}`))
    const samples = { looks, columns: Object.assign({}, columns, ...standing) }
    return savePort(this.engine, { window: this.loads.state, looks: this.watchdog.save(), samples })
  }

  restore(saved: Saved): void {
    const was = readPort(this.engine, saved)
    this.engine.restore(was.snapshot)
    this.loads.state = was.window
    this.watchdog.resume(was.looks)
    this.samples.resume(was.sampled, saved)
    for (const [i, l] of this.standing.entries()) l.resume(`standing${i}`, saved)
  }
}
