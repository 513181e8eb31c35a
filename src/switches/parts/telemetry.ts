// Queue telemetry for congestion controls. The queue of an output is the number of flits for it in all input queues and
// in its output buffer. A packet that crosses to an output
//   - is marked with a probability that grows with the queue (random early detection: 0 up to kmin, pmax at kmax, 1
//     above), or
//   - carries the maximum utilisation of its path in its value: queue / (rate x round trip) + link utilisation, in
//     UNITS.
// Marking as in DCQCN: Y. Zhu and others, "Congestion control for large-scale RDMA deployments", 2015. Utilisation as
// in HPCC: Y. Li and others, "HPCC: high precision congestion control", 2019.
//
// Columns:
//   `queued`  [o]  flits in the input queues for output o;
//   `early`   [r]  number of packets that router r has marked;
//   `since`   [o]  first cycle of the current window of the link utilisation;
//   `before`  [o]  flits that had left before that window;
//   `busy`    [o]  utilisation in the previous window, in UNITS.
import { draw } from "../../core/rng.ts"
import { i32 } from "../../fabric/columns.ts"
import { FLAG, HOP_MASK, recordViews } from "../../fabric/packets.ts"
import type { TransferSite } from "../../fabric/transfer.ts"
import { type Telemetry, UNITS } from "../../model/congestion.ts"
import type { Ports } from "./ports.ts"

export interface TelemetryPart {
  readonly columns: Readonly<Record<string, Int32Array>>
  /** Connects the output buffers: [o] -> flits. */
  between(outHeld: Int32Array): void
  /** Packet p joins, or leaves, the queue of input q for output o. */
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
  // Local copies: reading constants of other modules costs a load each time.
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
    queued[router[q] * PS + o] += pFlits[p]
  }

  function leaves(q: number, o: number, p: number): void {
    queued[router[q] * PS + o] -= pFlits[p]
  }

  function crosses(port: number, p: number, t: number): void {
    if ((sFlags[p << 2] & ACK) !== 0) return
    const queue = queued[port] + outHeld![port]
    if (MARKS) {
      if (queue > MIN) mark(port, p, queue)
    } else carry(port, p, queue, t)
  }

  function mark(port: number, p: number, queue: number): void {
    const chance = queue > MAX ? 1 : (MOST * (queue - MIN)) / (MAX - MIN)
    // A separate random number for each packet and hop, which does not depend on the order of events.
    if ((sFlags[p << 2] & MARKED) !== 0 || draw(pKey[p], 0x40000000 + (pHops[p] & HOPS_ONLY)) >>> 0 >= chance * 2 ** 32)
      return
    sFlags[p << 2] |= MARKED
    early[router[port]]++
  }

  function carry(port: number, p: number, queue: number, t: number): void {
    const passed = t - since[port]
    if (passed >= roundTrip) {
      // A window that was not read for a long time is averaged over its whole length.
      busy[port] = Math.round((UNITS * (portFlits[port] - before[port])) / passed)
      since[port] = t
      before[port] = portFlits[port]
    }
    const use = busy[port] + Math.round((UNITS * queue) / roundTrip)
    if (use > pValue[p]) pValue[p] = use
  }

  return { columns, between, arrived, leaves, crosses }
}
