// What makes a packet simulation (machine.ts), and what it offers to those that drive and observe it.
import type { Credits, Kernel, PacketSwitch, Reserve, Terminals } from "../../model/events.ts"
import type { Graph } from "../../model/graph.ts"
import type { Candidates, NetView } from "../../model/routing.ts"
import type { RankLayer, Seat } from "../../model/workload.ts"
import type { Loop } from "./kernel.ts"
import type { PartState } from "./state.ts"
import type { WorkerLoop } from "./worker.ts"

/** The services that the engine offers to the switch and the endpoints. */
export interface MachineSite {
  readonly kernel: Kernel
  readonly credits: Credits
  readonly view: NetView
  readonly candidates: Candidates
  /** words from a record to its cold half */
  readonly cold: number
  /** words from a record to the time that it has waited for credits */
  readonly waited: number
  readonly vcBits: number
  deliver(c: number, t: number): void
  /** adapter between ranks of parallel programs and the endpoints; absent if there are no ranks */
  readonly rankAdapter: Seat | undefined
}

export interface Parts {
  /** Reserves the columns of the switch. Returns the function that builds it. */
  switch(memory: Reserve, vcBits: number): { make(site: MachineSite, terminals: Terminals): PacketSwitch }
  terminals(memory: Reserve): { make(site: MachineSite): Terminals }
}

export interface MachineSpec {
  readonly graph: Graph
  readonly seed: number
  readonly vcs: number
  readonly scratch: number
  readonly candidates: number
  /** [slot] -> capacity in chunks; the slots of channels come first, then one slot for each entry */
  capacity(slots: number, vcBits: number): Uint16Array
  readonly chunkFlits: number
  readonly flitBytes: number
  /** maximum number of chunks in flight */
  readonly records: number
  /**
   * ps before the present for which an endpoint may query its credits, because its next transmission may have started
   * that long ago
   */
  readonly lookBack: number
  /** an endpoint belongs to the LP of its router; otherwise it is a separate LP */
  readonly merged: boolean
  readonly shift: number
  readonly slots: number
  /** ranks of parallel programs */
  readonly ranks?: RankLayer | undefined
  /** Receives rows of delivery records: RECORD.words words each. */
  drain(rows: Int32Array, count: number): void
}

/** A chunk in flight; times are in ps since the start. */
export interface ChunkNow {
  /** its record; the record is reused after delivery */
  readonly id: number
  readonly uid: number
  readonly from: number
  readonly to: number
  readonly stream: number
  readonly bytes: number
  readonly createdAt: number
  readonly sent: number
  readonly hops: number
  /** ps that it was stalled for credits, without a stall that has not ended yet */
  readonly waited: number
  /**
   * slot (channel and VC) whose queue holds it, and whether it waits there for credits; otherwise -1, and `into` and
   * `arrives` show its next arrival
   */
  readonly slot: number
  readonly waits: boolean
  /** the slot that it came through; it occupies the buffer there until it gets a credit of the next slot */
  readonly up: number
  /** next input port and arrival time; -1 while it is in a queue or at its endpoint */
  readonly into: number
  readonly arrives: number
}

export type VisitChunk = (chunk: ChunkNow) => void

export interface Machine extends Loop {
  readonly graph: Graph
  /** Visits every chunk that has left its source and has not arrived. Call it only at a common time. */
  chunks(visit: VisitChunk): void
  /** Returns one of them, without its queue. */
  chunk(id: number): ChunkNow | undefined
  /** Passes the delivery records that are certain to `drain`. */
  flush(): void
  /**
   * Simulates the whole network in this thread until `until` ps or for this many events, then restores the state. Only
   * delivery records remain. Call it before start() or restore() (jit-warmup.ts).
   */
  warmUp(until: number, events: number): void
  /** Schedules the first events of the endpoints (of this worker). */
  start(): void
  /** words of memory */
  readonly words: number
  /** Returns true if a chunk or a message that was created before `t` ps has not arrived. */
  open(t: number): boolean
  /**
   * Returns the bytes that the first `streams` streams of this worker's endpoints created before `t` ps, the present.
   */
  created(t: number, streams: number): number
  /** flits sent so far on a channel that this worker owns */
  sent(chan: number): number
  /** rows of WAIT: chunks at this worker's routers that are stalled for credits */
  waits(): Int32Array
  /**
   * ranks of this worker that have finished; `summaries` writes the report words of all its ranks, at rank * summary
   * words
   */
  finished(): number
  summaries(into: Int32Array): void
  /** the synchronisation interface of this worker; present if there are several workers or the mode is optimistic */
  readonly worker: WorkerLoop<unknown> | undefined
  /** Sizes and offsets of the columns, by name. A saved state fits a machine with the same layout. */
  readonly layout: Readonly<Record<string, number>>
  /**
   * Returns the complete state from which the simulation continues; call it at a common time, after flush(). `restore`
   * replaces start().
   */
  save(): PartState
  restore(state: PartState): void
}
