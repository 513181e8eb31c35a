// Queues of outputs as congestion protocols read them: the flits for an output in all queues of the inputs, and in its buffer. What crosses to an output
//   is marked with a probability that rises with its queue (random early detection: none up to kmin, pmax at kmax, all beyond), or
//   carries the largest utilisation on its way in its value: queue / (rate x round trip) + part of the time that the link was busy, in UNITS
// Marks: Y. Zhu and others, "Congestion control for large-scale RDMA deployments", 2015; utilisation: Y. Li and others, "HPCC: high precision congestion control", 2019.
// Columns:
//   queued   [o]  flits that wait in the input queues for output o
//   early    [r]  packets that router r marked
//   since    [o]  the cycle in which the window of its rate began; before [o]: flits that had left; busy [o]: its rate in the window before, in UNITS
import { draw } from "../../core/rng.ts"
import { i32 } from "../../fabric/columns.ts"
import { FLAG, HOP_MASK, recordViews } from "../../fabric/packets.ts"
import type { TransferSite } from "../../fabric/transfer.ts"
import { type Telemetry, UNITS } from "../../model/congestion.ts"
import type { Ports } from "./ports.ts"

export interface TelemetryPart {
  readonly columns: Readonly<Record<string, Int32Array>>
  /** flits of an output's buffer */
  between(outHeld: Int32Array): void
  /** packet p waits at input q for output o, or leaves it */
  arrived(q: number, o: number, p: number): void
  leaves(q: number, o: number, p: number): void
  crosses(port: number, p: number, t: number): void
}

export function makeTelemetry(site: TransferSite, ports: Ports, { marks, roundTrip = 0 }: Telemetry): TelemetryPart {
  const { PS } = site.layout
  const { packets, portFlits } = site.columns
  const { value: VALUE } = site.constants
  const { pFlits, pHops, pKey, sFlags } = recordViews(packets)
  const pValue = packets.subarray(VALUE)
  // constants of other modules cost a load each time they are read; these do not
  const { ack: ACK, marked: MARKED } = FLAG
  const HOPS_ONLY = HOP_MASK
  const { router } = ports
  const MARKS = marks !== undefined
  const { kmin: MIN, kmax: MAX, pmax: MOST } = marks ?? { kmin: 0, kmax: 0, pmax: 0 }
  const columns = {
    queued: i32(ports.count),
    early: i32(site.layout.routers),
    since: i32(roundTrip > 0 ? ports.count : 0),
    before: i32(roundTrip > 0 ? ports.count : 0),
    busy: i32(roundTrip > 0 ? ports.count : 0),
  }
  const { queued, early, since, before, busy } = columns
  let outHeld: Int32Array | undefined

  function between(given: Int32Array): void {
    outHeld = given
  }

  function arrived(q: number, o: number, p: number): void {
    queued[router[q]! * PS + o]! += pFlits[p]!
  }

  function leaves(q: number, o: number, p: number): void {
    queued[router[q]! * PS + o]! -= pFlits[p]!
  }

  function crosses(port: number, p: number, t: number): void {
    if ((sFlags[p << 2]! & ACK) !== 0) return
    const queue = queued[port]! + outHeld![port]!
    if (MARKS) {
      if (queue > MIN) mark(port, p, queue)
    } else carry(port, p, queue, t)
  }

  function mark(port: number, p: number, queue: number): void {
    const chance = queue > MAX ? 1 : (MOST * (queue - MIN)) / (MAX - MIN)
    // a draw of the packet's own for each hop
    if ((sFlags[p << 2]! & MARKED) !== 0 || draw(pKey[p]!, 0x40000000 + (pHops[p]! & HOPS_ONLY)) >>> 0 >= chance * 2 ** 32) return
    sFlags[p << 2]! |= MARKED
    early[router[port]!]!++
  }

  function carry(port: number, p: number, queue: number, t: number): void {
    const passed = t - since[port]!
    if (passed >= roundTrip) {
      // a window that nobody looked at for long says nothing of now
      busy[port] = Math.round((UNITS * (portFlits[port]! - before[port]!)) / passed)
      since[port] = t
      before[port] = portFlits[port]!
    }
    const use = busy[port]! + Math.round((UNITS * queue) / roundTrip)
    if (use > pValue[p]!) pValue[p] = use
  }

  return { columns, between, arrived, leaves, crosses }
}
