// The port of the ideal network. It has neither traffic nor channels, only the messages of ranks, so its run always
// lasts until its jobs have ended. Events cost little, and their number in a cycle is not bounded. The run is therefore
// inspected after a number of events, and not of cycles.
import { ranksWait } from "../jobs.ts"
import { portIn } from "../packing.ts"
import type { Pace, Port, RanksOfRun, Watchdog, WindowLoads } from "../port.ts"
import { asJson, type Saved } from "../saved.ts"
import type { Stopped } from "../termination.ts"
import type { IdealMachine } from "./machine.ts"

/** events between two inspections */
const EVENTS = 1 << 16
const never = Number.POSITIVE_INFINITY

/** Messages are events, so nothing can be blocked as long as there are events. */
const watchdog: Watchdog = {
  look: () => undefined,
  ask: () => ({ kind: "moves" }),
  suspects: () => undefined,
}

export interface IdealSite {
  readonly machine: IdealMachine
  readonly ranks: number
  /** ps per cycle */
  readonly cycle: number
  /** Describes the messages that ranks wait for. */
  waiting(): string
}

interface Words {
  readonly numbers: Readonly<Record<string, number>>
  readonly now: number
}

export class IdealPort implements Port {
  now = 0
  exhausted = false
  readonly pace: Pace = { inspect: never, drain: never, jobs: never, anywhere: true }
  readonly offered = 0
  readonly watchdog = watchdog
  readonly ranks: RanksOfRun
  private readonly site: IdealSite

  constructor(site: IdealSite) {
    const { machine, ranks, waiting } = site
    this.site = site
    const finished = () => {
      let n = 0
      for (let r = 0; r < ranks; r++) if (machine.finished(r)) n++
      return n
    }
    this.ranks = { ranks, finished, waiting }
  }

  /** A run without events ends at the time of its last one. */
  advance(to: number): void {
    const { machine, cycle } = this.site
    const before = machine.counts.events
    const last = machine.run(to * cycle, EVENTS) / cycle
    this.exhausted = machine.pending() === 0
    const all = machine.counts.events - before < EVENTS
    this.now = all && !this.exhausted ? to : last
  }

  stuck(): Stopped | undefined {
    return this.exhausted ? ranksWait(this.ranks) : undefined
  }

  // There are no packets and no loads.
  sample() {
    return { latency: Number.NaN, packets: 0, all: 0, traffic: 0, waiting: 0 }
  }
  window(): void {}
  open(): void {}
  close(): void {}
  quiet(): void {}
  counts(): WindowLoads {
    return { created: 0, accepted: 0, allCreated: 0 }
  }
  measured(): number {
    return 0
  }
  inFlight(): boolean {
    return !this.exhausted
  }

  save(): Saved {
    const { numbers, columns } = this.site.machine.save()
    const words: Words = { numbers, now: this.now }
    return { state: asJson(words), columns: { ...columns } }
  }

  restore(saved: Saved): void {
    const { numbers, now } = portIn<Words>(saved)
    this.site.machine.restore(numbers, saved)
    this.now = now
    this.exhausted = this.site.machine.pending() === 0
  }
}
