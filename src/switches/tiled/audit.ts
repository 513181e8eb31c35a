// The audit of tiled switches. For each buffer, the sender's count must equal the flits in the buffer, plus the flits
// and credits in flight. For the row and column buffers inside a switch, the counters must equal the contents. The
// audit recounts everything and is therefore slow; the tests call it between cycles.

import { type Complaint, complain } from "../../core/complaint.ts"
import { creditFlits, creditLane } from "../../fabric/credit.ts"
import { eachInChain, FLITS, STATE } from "../../fabric/packets.ts"
import { auditPools, auditRecords, type Say } from "./audit-records.ts"
import { colHead, voqHead } from "./heads.ts"
import type { SharedState } from "./shared-state.ts"

const BUG = "this is a bug in lacewing"

/** Returns the errors found in cycle t. `kept` is the number of records that protocols hold. */
export function auditTiled(sharedState: SharedState, t: number, kept = 0): Complaint[] {
  const bad: Complaint[] = []
  const { site } = sharedState
  const { layout: l } = site
  const say = (q: number, says: string) => {
    const r = l.outerRouter[Math.floor(q / l.PS)]
    bad.push(complain(`router ${r} port ${q % l.PS}`, `cycle ${t}: ${says}`, BUG))
  }
  auditLinks(sharedState, say)
  auditInside(sharedState, say)
  const pooled = auditRecords(sharedState, kept, (says) => bad.push(complain("packets", `cycle ${t}: ${says}`, BUG)))
  if (sharedState.k.stash) auditPools(sharedState, pooled, say)
  return bad
}

function chainFlits(sharedState: SharedState, head: number): number {
  const { packets } = sharedState.site.columns
  let sum = 0
  eachInChain(packets, head, (p) => {
    sum += packets[p + FLITS]
  })
  return sum
}

/** Checks the input buffers against the counts of their senders, and the output buffers with retained packets. */
function auditLinks(sharedState: SharedState, say: Say): void {
  const { site, columns, options, bytes } = sharedState
  const { layout: l, columns: a, sharedBuffers } = site
  const ports = l.routers * l.PS
  const expected = new Int32Array(sharedBuffers.held.length)
  const see = (port: number) => (p: number) => {
    const up = l.up[port] + bytes[((p + STATE) << 2) + 1]
    expected[up] += a.packets[p + FLITS]
  }
  for (let port = 0; port < ports; port++) {
    if (l.outerRouter[Math.floor(port / l.PS)] < 0 || l.up[port] < 0) continue
    eachInChain(a.packets, a.flyHead[port], see(port))
    for (let v = 0; v < sharedState.k.V; v++) {
      expected[l.up[port] + v] += chainFlits(
        sharedState,
        sharedState.packetQueues.first(sharedState.queues.input + (port << l.LV) + v),
      )
      expected[sharedBuffers.OUT + (port << l.LV) + v] += chainFlits(
        sharedState,
        sharedState.packetQueues.first(sharedState.queues.output + (port << l.LV) + v),
      )
    }
    // A packet on the row bus still occupies its input buffer (releaseAtTail).
    const moving = columns.rowLength[port]
    if (options.releaseAtTail && columns.busBusy[port] !== 0 && moving > 0)
      expected[l.up[port] + (moving >> 16)] += moving & 0xffff
    if (sharedState.k.linkErrors && columns.again[port] !== 0) {
      const p = columns.again[port]
      const ov = (port << l.LV) + bytes[((p + STATE) << 2) + 1]
      expected[sharedBuffers.OUT + ov] += a.packets[p + FLITS]
      if (l.down[port] >= 0) expected[ov] += a.packets[p + FLITS]
    }
    // Sent packets stay in the output buffer until their link-level acknowledgement.
    if (options.retention) {
      const first = columns.retainFirst[port]
      const size = columns.retainFirst[port + 1] - first
      const n = (columns.retainTail[port] - columns.retainHead[port]) & 0xffff
      for (let i = 0; i < n; i++) {
        const word = columns.retained[first + ((columns.retainHead[port] + i) & (size - 1))]
        expected[sharedBuffers.OUT + (port << l.LV) + (word >> 11)] += word & 2047
      }
    }
  }
  for (let channel = 0; channel < ports + l.ends; channel++) {
    const first = a.creditFirst[channel]
    const size = a.creditFirst[channel + 1] - first
    const n = (a.creditTail[channel] - a.creditHead[channel]) & 0xffff
    for (let i = 0; i < n; i++) {
      const word = a.credits[first + ((a.creditHead[channel] + i) & (size - 1))]
      expected[(channel << l.LV) + creditLane(word)] += creditFlits(word)
    }
  }
  inOutboxes(sharedState, expected, see)
  for (let slot = 0; slot < expected.length; slot++) {
    if (expected[slot] === sharedBuffers.held[slot]) continue
    const where =
      slot >= sharedBuffers.OUT ? "output buffer" : slot >= l.NOV ? "count of the endpoint" : "count of the sender"
    const port = (slot >= sharedBuffers.OUT ? slot - sharedBuffers.OUT : slot) >> l.LV
    say(
      port,
      `${where}, VC ${slot & ((1 << l.LV) - 1)}: ${sharedBuffers.held[slot]} ` +
        `flits are counted, ${expected[slot]} are found`,
    )
  }
}

/** Adds the packets and credits in the outboxes, which other workers have not read yet. */
function inOutboxes(sharedState: SharedState, expected: Int32Array, see: (port: number) => (p: number) => void): void {
  const { layout: l, columns: a } = sharedState.site
  if (l.parts === 1) return
  for (let box = 0; box < 2 * l.parts * l.parts; box++) {
    let i = sharedState.site.boxFirst[box]
    for (let n = 0; n < a.outCount[box]; n++, i += 3) {
      const id = a.outbox[i + 1]
      if (id >= 0) see(id)(a.outbox[i + 2])
      else expected[(~id << l.LV) + creditLane(a.outbox[i + 2])] += creditFlits(a.outbox[i + 2])
    }
  }
}

/**
 * Checks the row and column buffers. With `releaseAtTail` a transfer still occupies its source, so they cannot match.
 */
function auditInside(sharedState: SharedState, say: Say): void {
  const { site, k, columns, tables, options } = sharedState
  const { layout: l } = site
  const g = k.geometry
  if (options.releaseAtTail) return
  for (let q = 0; q < l.routers * l.PS; q++) {
    const r = Math.floor(q / l.PS)
    if (l.outerRouter[r] < 0 || q % l.PS >= g.ports) continue
    for (let c = 0; c < g.columns; c++) auditRow(sharedState, q, c, say)
    for (let row = 0; row < g.rows; row++) {
      const to = (r * g.rows + row) * l.PS + tables.local[q]
      for (let v = 0; v < k.V + 2; v++) {
        const found = chainFlits(sharedState, colHead(sharedState, r, row, q, v))
        const held = columns.colHeld[(to << l.LV) + v]
        if (held !== found) say(q, `column buffer of row ${row}, VC ${v}: ${held} flits are held, ${found} are found`)
      }
    }
  }
}

/** Checks the row buffers of input q in column c, by VC or by virtual output queue. */
function auditRow(sharedState: SharedState, q: number, c: number, say: Say): void {
  const { site, k, columns, tables } = sharedState
  const { layout: l } = site
  const g = k.geometry
  const first = Math.floor(q / l.PS) * l.PS
  const tell = (what: string, held: number, found: number) => {
    if (held !== found) say(q, `row buffer ${what}: ${held} flits are held, ${found} are found`)
  }
  for (let v = 0; v < k.V + 2; v++) {
    let sum = 0
    for (let o = first + c * g.outputs; o < first + (c + 1) * g.outputs; o++) {
      const i = tables.queue[(o << l.LV) + v]
      if (i >= k.voqs) continue
      const found = chainFlits(sharedState, voqHead(sharedState, q, o, v))
      sum += found
      if (k.rowPerVoq) tell(`for output ${o - first}, VC ${v}`, columns.rowHeld[q * k.voqs + i], found)
    }
    if (!k.rowPerVoq) tell(`of column ${c}, VC ${v}`, columns.rowHeld[((q * g.columns + c) << l.LV) + v], sum)
  }
  if (k.stash)
    tell(
      `of column ${c}, storage`,
      columns.storeHeld[q * g.columns + c],
      chainFlits(sharedState, sharedState.packetQueues.first(sharedState.queues.store + q * g.columns + c)),
    )
}
