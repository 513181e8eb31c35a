// The window of loads of a clocked run: what was created and what arrived since it was opened.
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import type { WindowLoads } from "../port.ts"
import { copyCounts, flitsOut, since, type WindowCounts } from "./counts.ts"

export interface WindowState {
  /** flits that waited when it was opened: of traffic, and of all streams */
  readonly backlog: { readonly traffic: number; readonly all: number }
  /** counters of the engine when it was opened */
  readonly opened: WindowCounts | undefined
  /** counters of the window that was closed last, and their sums */
  readonly closed: WindowCounts | undefined
  readonly loads: WindowLoads
}

export class LoadWindow {
  state: WindowState = {
    ...{ backlog: { traffic: 0, all: 0 }, opened: undefined, closed: undefined },
    loads: { created: 0, accepted: 0, allCreated: 0 },
  }
  private readonly engine: ClockedEngine
  /** [stream] -> mean flits per packet */
  private readonly flits: readonly number[]
  private readonly traffic: number

  constructor(engine: ClockedEngine, flits: readonly number[], traffic: number) {
    this.engine = engine
    this.flits = flits
    this.traffic = traffic
  }

  open(): void {
    const backlog = { traffic: this.backlog(this.traffic), all: this.backlog(this.flits.length) }
    this.state = { ...this.state, opened: copyCounts(this.engine), backlog }
  }

  /** Created flits = arrived flits + growth of the backlog. */
  close(): void {
    const { opened, backlog } = this.state
    const streams = this.flits.length
    const closed = since(this.engine, opened)
    const accepted = flitsOut(closed, streams, this.traffic)
    const created = accepted + this.backlog(this.traffic) - backlog.traffic
    const allCreated = flitsOut(closed, streams, streams) + this.backlog(streams) - backlog.all
    this.state = { ...this.state, closed, loads: { created, accepted, allCreated } }
  }

  get counts(): WindowLoads {
    return this.state.loads
  }

  /** the counters of the window, for the result */
  get counted(): WindowCounts {
    if (this.state.closed === undefined) throw new Error("the window is not closed")
    return this.state.closed
  }

  /**
   * Returns the flits of all packets of the first `streams` streams that were created and have not arrived. They are in
   * source queues or in the network. The sum uses the mean packet length, because queued packets may not have a length
   * yet.
   */
  backlog(streams: number): number {
    let sum = 0
    for (let s = 0; s < streams; s++) sum += this.flits[s] * this.engine.backlog(s)
    return sum
  }
}
