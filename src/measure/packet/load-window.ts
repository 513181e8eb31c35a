// The window of loads of a packet run: what was created, what arrived and what each channel sent since it was opened.
import type { WindowLoads } from "../port.ts"
import { columnIn, type Saved } from "../saved.ts"
import type { PacketSimulation } from "./simulation.ts"
import { acceptedOf, type PacketSums } from "./sums.ts"

export interface LoadSite extends PacketSums {
  readonly run: PacketSimulation
  /** begin and end of the window of creation times in ps; the collectors read it */
  readonly window: Float64Array
}

/** Bytes of traffic, and of all streams with sources. */
interface Created {
  readonly traffic: number
  readonly all: number
}

/** What was created before the window, and in it. */
export interface CreatedWords {
  readonly before: Created
  readonly within: Created
}

export class LoadWindow {
  private readonly site: LoadSite
  private before: Created = { traffic: 0, all: 0 }
  private within: Created = { traffic: 0, all: 0 }
  /** [channel] -> flits sent when the window was opened, and in the window */
  private opened: Uint32Array = new Uint32Array(0)
  private closed: Uint32Array = new Uint32Array(0)

  constructor(site: LoadSite) {
    this.site = site
  }

  /** Unlike the other counters, the sums of arrivals have no copy from the beginning of the window, so they restart. */
  open(time: number): void {
    const { run, memories, window } = this.site
    this.opened = run.sent()
    this.before = this.created(time)
    if (window[0] < time) for (const m of memories) m.accepted.fill(0)
  }

  close(time: number): void {
    const { traffic, all } = this.created(time)
    this.within = { traffic: traffic - this.before.traffic, all: all - this.before.all }
    this.closed = this.site.run.sent().map((n, c) => n - (this.opened[c] ?? 0))
  }

  /** Ranks create messages when others arrive, which is not counted: what arrived of them counts as created. */
  get counts(): WindowLoads {
    const { streams, traffic, network } = this.site
    const ofRanks = network.ranks === undefined ? 0 : acceptedOf(this.site, streams - 1, streams)
    const accepted = acceptedOf(this.site, 0, traffic)
    return { created: this.within.traffic, accepted, allCreated: this.within.all + ofRanks }
  }

  /** flits that each channel sent in the window, for the result */
  get channels(): Uint32Array {
    return this.closed
  }

  private created(time: number): Created {
    const { run, traffic, streams } = this.site
    const all = run.created(time, streams)
    return { all, traffic: traffic === streams ? all : run.created(time, traffic) }
  }

  save(): { words: CreatedWords; columns: { opened: Uint32Array; closed: Uint32Array } } {
    const { before, within, opened, closed } = this
    return { words: { before, within }, columns: { opened: opened.slice(), closed: closed.slice() } }
  }

  restore({ before, within }: CreatedWords, saved: Saved): void {
    Object.assign(this, { before, within })
    this.opened = columnIn(saved, "opened", Uint32Array).slice()
    this.closed = columnIn(saved, "closed", Uint32Array).slice()
  }
}
