// The interface between the switch and schemes that move packets between queues (FBICM, RECN), or block queues on
// messages of their neighbours (BFC).
import type { Complaint } from "../../core/complaint.ts"
import type { StateDigest } from "../../fabric/switch.ts"
import type { Table } from "../../model/experiment.ts"

export interface IsolationScheme {
  enter(part: number): void
  /** Packet p, which is routed, has arrived at input q. */
  arrived(q: number, p: number, t: number): void
  /** Removes and returns the head packet of queue k, which leaves for output o. */
  leave(q: number, o: number, k: number, t: number): number
  /**
   * Returns the class of queue k; 0 is the highest. Within a class, the head packet that arrived first is served.
   * Undefined: queues are served round-robin.
   */
  classOf?(q: number, k: number): number
  /** A message from the neighbour of port x arrives. */
  receiveFromNeighbour(x: number, p: number, t: number): void
  /** Checks input q again; undefined if the scheme never needs it. */
  post?(q: number, s: number, t: number): void
  /** A timer of port q is due. */
  timer?(q: number, s: number, t: number): void
  /** Returns the number of pending events: running timers, and messages that wait for a link. */
  armed(): number
  audit(t: number): Complaint[]
  digest(d: StateDigest, q: number, key: number): void
  values(cycles: number): Record<string, number>
  tables(now: number): Record<string, Table>
}
