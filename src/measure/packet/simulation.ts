// What a measurement needs of a packet simulation on any number of workers (run/packet/run.ts). At the end of an
// advance all workers have processed the same events, so all answers are equal for every synchronisation. Times are ps.

export interface PacketSimulation {
  /** Processes every event before `until` (rounded down to a whole bucket). */
  advance(until: number): void
  /** Returns true if no event is left. */
  idle(): boolean
  /** records in use; if there are more than pending events, chunks are waiting in the network */
  inUse(): number
  pending(): number
  /** Returns true if a chunk or a message that was created before `t` has not arrived. */
  open(t: number): boolean
  /**
   * Returns the bytes that the first `streams` streams created before `t`, which must be the present. Bytes in source
   * queues count. Messages of ranks do not.
   */
  created(t: number, streams: number): number
  /** flits sent on each channel so far */
  sent(): Uint32Array
  /** ranks that have finished */
  finished(): number
  /** rows of WAIT (model/events.ts): chunks that wait for credits */
  waits(): Int32Array
}
