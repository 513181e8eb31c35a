// Schemes that move packets from queue to queue, or hold queues back by messages of their neighbours: what the switch asks of them.
import type { Complaint } from "../../core/complaint.ts"
import type { StateDigest } from "../../fabric/switch.ts"
import type { Table } from "../../model/experiment.ts"

export interface Aside {
  enter(part: number): void
  /** packet p, which is routed, has arrived at input q */
  arrived(q: number, p: number, t: number): void
  /** the front packet of queue k leaves for output o */
  leave(q: number, o: number, k: number, t: number): number
  /** urgency of queue k, 0 before all others; within one the front that came first. Absent: queues in turn */
  classOf?(q: number, k: number): number
  /** a message from behind port x */
  hear(x: number, p: number, t: number): void
  /** looks at input q again; absent: nobody asks for it */
  post?(q: number, s: number, t: number): void
  /** a timer of port q is due */
  timer?(q: number, s: number, t: number): void
  /** what will move by itself: timers, messages that wait for a link */
  armed(): number
  audit(t: number): Complaint[]
  digest(d: StateDigest, q: number, key: number): void
  values(cycles: number): Record<string, number>
  tables(now: number): Record<string, Table>
}
