// Conservation, in words: what a buffer's books say is what lies in it, flies to it, or comes back from it; every record is somewhere.

import { type Complaint, complain } from "../../core/complaint.ts"
import { creditFlits, creditLane } from "../../fabric/credit.ts"
import { eachInChain, FLITS, STATE } from "../../fabric/packets.ts"
import { auditPools, auditRecords, type Say } from "./audit-records.ts"
import type { Frame } from "./frame.ts"
import { colHead, voqHead } from "./heads.ts"

const BUG = "this is a bug in lacewing"

export function auditTiled(frame: Frame, t: number, kept = 0): Complaint[] {
  const bad: Complaint[] = []
  const { site } = frame
  const { layout: l } = site
  const say = (q: number, says: string) => {
    const r = l.outerRouter[Math.floor(q / l.PS)]
    bad.push(complain(`router ${r} port ${q % l.PS}`, `cycle ${t}: ${says}`, BUG))
  }
  auditLinks(frame, say)
  auditInside(frame, say)
  const pooled = auditRecords(frame, kept, (says) => bad.push(complain("packets", `cycle ${t}: ${says}`, BUG)))
  if (frame.k.stash) auditPools(frame, pooled, say)
  return bad
}

function chainFlits(frame: Frame, head: number): number {
  const { packets } = frame.site.columns
  let sum = 0
  eachInChain(packets, head, (p) => {
    sum += packets[p + FLITS]!
  })
  return sum
}

/** Inputs as their senders know them; output buffers with what is retained. */
function auditLinks(frame: Frame, say: Say): void {
  const { site, columns, options, bytes } = frame
  const { layout: l, columns: a, rooms } = site
  const ports = l.routers * l.PS
  const expected = new Int32Array(rooms.held.length)
  const see = (port: number) => (p: number) => {
    const up = l.up[port]! + bytes[((p + STATE) << 2) + 1]!
    expected[up]! += a.packets[p + FLITS]!
  }
  for (let port = 0; port < ports; port++) {
    if (l.outerRouter[Math.floor(port / l.PS)]! < 0 || l.up[port]! < 0) continue
    eachInChain(a.packets, a.flyHead[port]!, see(port))
    for (let v = 0; v < frame.k.V; v++) {
      expected[l.up[port]! + v]! += chainFlits(frame, frame.chains.first(frame.queues.input + (port << l.LV) + v))
      expected[rooms.OUT + (port << l.LV) + v]! += chainFlits(frame, frame.chains.first(frame.queues.output + (port << l.LV) + v))
    }
    const moving = columns.rowLength[port]!
    if (options.releaseAtTail && columns.busBusy[port] !== 0 && moving > 0) expected[l.up[port]! + (moving >> 16)]! += moving & 0xffff
    if (frame.k.linkErrors && columns.again[port] !== 0) {
      const p = columns.again[port]!
      const ov = (port << l.LV) + bytes[((p + STATE) << 2) + 1]!
      expected[rooms.OUT + ov]! += a.packets[p + FLITS]!
      if (l.down[port]! >= 0) expected[ov]! += a.packets[p + FLITS]!
    }
    if (options.retention) {
      const first = columns.retainFirst[port]!
      const size = columns.retainFirst[port + 1]! - first
      const n = (columns.retainTail[port]! - columns.retainHead[port]!) & 0xffff
      for (let i = 0; i < n; i++) {
        const word = columns.retained[first + ((columns.retainHead[port]! + i) & (size - 1))]!
        expected[rooms.OUT + (port << l.LV) + (word >> 11)]! += word & 2047
      }
    }
  }
  for (let channel = 0; channel < ports + l.ends; channel++) {
    const first = a.creditFirst[channel]!
    const size = a.creditFirst[channel + 1]! - first
    const n = (a.creditTail[channel]! - a.creditHead[channel]!) & 0xffff
    for (let i = 0; i < n; i++) {
      const word = a.credits[first + ((a.creditHead[channel]! + i) & (size - 1))]!
      expected[(channel << l.LV) + creditLane(word)]! += creditFlits(word)
    }
  }
  inOutboxes(frame, expected, see)
  for (let slot = 0; slot < expected.length; slot++) {
    if (expected[slot] === rooms.held[slot]) continue
    const where = slot >= rooms.OUT ? "output buffer" : slot >= l.NOV ? "endpoint's books" : "books on the input behind it"
    const port = (slot >= rooms.OUT ? slot - rooms.OUT : slot) >> l.LV
    say(port, `${where}, VC ${slot & ((1 << l.LV) - 1)}: ${rooms.held[slot]} flits are held, ${expected[slot]} are found`)
  }
}

function inOutboxes(frame: Frame, expected: Int32Array, see: (port: number) => (p: number) => void): void {
  const { layout: l, columns: a } = frame.site
  if (l.parts === 1) return
  for (let box = 0; box < 2 * l.parts * l.parts; box++) {
    let i = frame.site.boxFirst[box]!
    for (let n = 0; n < a.outCount[box]!; n++, i += 3) {
      const id = a.outbox[i + 1]!
      if (id >= 0) see(id)(a.outbox[i + 2]!)
      else expected[(~id << l.LV) + creditLane(a.outbox[i + 2]!)]! += creditFlits(a.outbox[i + 2]!)
    }
  }
}

/** Row and column buffers. */
function auditInside(frame: Frame, say: Say): void {
  const { site, k, columns, tables, options } = frame
  const { layout: l } = site
  const g = k.geometry
  if (options.releaseAtTail) return
  for (let q = 0; q < l.routers * l.PS; q++) {
    const r = Math.floor(q / l.PS)
    if (l.outerRouter[r]! < 0 || q % l.PS >= g.ports) continue
    for (let c = 0; c < g.columns; c++) auditRow(frame, q, c, say)
    for (let row = 0; row < g.rows; row++) {
      const to = (r * g.rows + row) * l.PS + tables.local[q]!
      for (let v = 0; v < k.V + 2; v++) {
        const found = chainFlits(frame, colHead(frame, r, row, q, v))
        const held = columns.colHeld[(to << l.LV) + v]!
        if (held !== found) say(q, `column buffer of row ${row}, VC ${v}: ${held} flits are held, ${found} are found`)
      }
    }
  }
}

function auditRow(frame: Frame, q: number, c: number, say: Say): void {
  const { site, k, columns, tables } = frame
  const { layout: l } = site
  const g = k.geometry
  const first = Math.floor(q / l.PS) * l.PS
  const tell = (what: string, held: number, found: number) => {
    if (held !== found) say(q, `row buffer ${what}: ${held} flits are held, ${found} are found`)
  }
  for (let v = 0; v < k.V + 2; v++) {
    let sum = 0
    for (let o = first + c * g.outputs; o < first + (c + 1) * g.outputs; o++) {
      const i = tables.queue[(o << l.LV) + v]!
      if (i >= k.voqs) continue
      const found = chainFlits(frame, voqHead(frame, q, o, v))
      sum += found
      if (k.rowPerVoq) tell(`for output ${o - first}, VC ${v}`, columns.rowHeld[q * k.voqs + i]!, found)
    }
    if (!k.rowPerVoq) tell(`of column ${c}, VC ${v}`, columns.rowHeld[((q * g.columns + c) << l.LV) + v]!, sum)
  }
  if (k.stash)
    tell(
      `of column ${c}, storage`,
      columns.storeHeld[q * g.columns + c]!,
      chainFlits(frame, frame.chains.first(frame.queues.store + q * g.columns + c)),
    )
}
