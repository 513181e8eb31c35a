// Conservation, in words: what a buffer's books say is what lies in it, flies to it, or comes back from it; every record is somewhere.
import { type Complaint, complain } from "../../core/complaint.ts"
import { END, eachInChain, FLITS, NEXT, STATE } from "../../fabric/packets.ts"
import { WORK } from "./columns.ts"
import type { Frame } from "./frame.ts"
import { banked } from "./options.ts"

const BUG = "this is a bug in lacewing"

export function auditTiled(frame: Frame, t: number): Complaint[] {
  const bad: Complaint[] = []
  const { site } = frame
  const { layout: l } = site
  const say = (q: number, says: string) => {
    const r = l.outerRouter[Math.floor(q / l.PS)]
    bad.push(complain(`router ${r} port ${q % l.PS}`, `cycle ${t}: ${says}`, BUG))
  }
  auditLinks(frame, say)
  auditInside(frame, say)
  if (frame.k.stash) auditPools(frame, say)
  auditRecords(frame, t, bad)
  return bad
}

type Say = (q: number, says: string) => void

function chainFlits(frame: Frame, head: number): number {
  const { packets } = frame.site.columns
  let sum = 0
  eachInChain(packets, head, (p) => {
    sum += packets[p + FLITS]!
  })
  return sum
}

/** First packet of a virtual output queue, of a column queue; 0 if there is no such queue. */
export function voqHead(frame: Frame, q: number, o: number, v: number): number {
  const i = frame.tables.queue[(o << frame.site.layout.LV) + v]!
  return i >= frame.k.voqs ? 0 : frame.columns.voq[(q * frame.k.voqs + i) << 1]!
}
export function colHead(frame: Frame, router: number, row: number, o: number, v: number): number {
  const i = frame.tables.queue[(o << frame.site.layout.LV) + v]!
  return i >= frame.k.colQueues ? 0 : frame.columns.colQueue[((router * frame.k.geometry.rows + row) * frame.k.colQueues + i) << 1]!
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
      expected[l.up[port]! + v]! += chainFlits(frame, columns.inQueue[2 * ((port << l.LV) + v)]!)
      expected[rooms.OUT + (port << l.LV) + v]! += chainFlits(frame, columns.outQueue[2 * ((port << l.LV) + v)]!)
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
      expected[(channel << l.LV) + (word >> 11)]! += word & 2047
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
      else expected[(~id << l.LV) + (a.outbox[i + 2]! >> 11)]! += a.outbox[i + 2]! & 2047
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
    tell(`of column ${c}, storage`, columns.storeHeld[q * g.columns + c]!, chainFlits(frame, columns.storeQueue[2 * (q * g.columns + c)]!))
}

/** Pools: what is used, what is reserved, what is left of each column. */
function auditPools(frame: Frame, say: Say): void {
  const { site, k, columns, tables, options } = frame
  const { layout: l } = site
  const g = k.geometry
  for (let r = 0; r < l.routers; r++) {
    if (l.outerRouter[r]! < 0) continue
    let used = 0
    for (let c = 0; c < g.columns; c++) {
      let left = 0
      for (let out = c * g.outputs; out < (c + 1) * g.outputs; out++) {
        const o = r * l.PS + out
        left += columns.poolFree[o]!
        used += tables.pool[o]! - columns.poolFree[o]!
        if (columns.poolFree[o]! < 0) say(o, `pool holds ${-columns.poolFree[o]!} flits more than it has`)
        if (!options.reserveAtBus) continue
        for (let row = 0; row < g.rows; row++) left -= chainBanked(frame, colHead(frame, r, row, o, k.S))
      }
      if (options.reserveAtBus) {
        for (let q = r * l.PS; q < r * l.PS + g.ports; q++) left -= chainBanked(frame, columns.storeQueue[2 * (q * g.columns + c)]!)
      }
      if (left !== columns.columnFree[r * g.columns + c])
        say(r * l.PS + c * g.outputs, `stash of column ${c}: ${columns.columnFree[r * g.columns + c]} flits are left, ${left} are found`)
    }
    if (used !== columns.routerStash[r]) say(r * l.PS, `stash: ${columns.routerStash[r]} flits are held, ${used} are found`)
  }
}

function chainBanked(frame: Frame, head: number): number {
  const { packets } = frame.site.columns
  let sum = 0
  eachInChain(packets, head, (p) => {
    sum += banked(packets[p + FLITS]!)
  })
  return sum
}

/** Every record is free, in a queue, on a wire, or a copy in a pool. */
function auditRecords(frame: Frame, t: number, bad: Complaint[]): void {
  const { site, columns: own, k } = frame
  const { layout: l, columns: a } = site
  let live = 0
  let found = 0
  const count = () => {
    found++
  }
  for (let part = 0; part < l.parts; part++) {
    live += a.fresh[part]!
    for (let p = a.freeHead[part]!; p !== 0; p = a.packets[p + NEXT]!) live--
  }
  for (let box = 0; box < 2 * l.parts * l.parts; box++) {
    eachInChain(a.packets, a.homeHead[box]!, () => live--)
    let i = site.boxFirst[box] ?? 0
    for (let n = 0; n < a.outCount[box]!; n++, i += 3) if (a.outbox[i + 1]! >= 0) found++
  }
  for (let port = 0; port < l.routers * l.PS; port++) eachInChain(a.packets, a.flyHead[port]!, count)
  for (let e = 0; e < l.ends; e++) {
    eachInChain(a.packets, a.endFlyHead[e]!, count)
    eachInChain(a.packets, a.ends[e * END.size + END.ackHead]!, count)
  }
  for (const queue of [own.inQueue, own.outQueue, own.voq, own.colQueue, ...(k.stash ? [own.storeQueue] : [])])
    for (let i = 0; i < queue.length; i += 2) eachInChain(a.packets, queue[i]!, count)
  // copies are in queues until they reach their pool; then nothing but their tracking record names them
  for (let part = 0; part < l.parts; part++)
    found += frame.columns.work[part * WORK.width + WORK.copied]! - frame.columns.work[part * WORK.width + WORK.deleted]!
  for (let part = 0; part < l.parts; part++) found += own.work[part * WORK.width + WORK.dead]!
  if (k.linkErrors) for (const p of own.again) if (p !== 0) found++
  if (k.stash) {
    const copies = (p: number) => {
      if (isCopy(frame, p)) found--
    }
    for (const queue of [own.colQueue, own.storeQueue]) for (let i = 0; i < queue.length; i += 2) eachInChain(a.packets, queue[i]!, copies)
    for (const p of own.storePacket) if (p !== 0 && !isCopy(frame, p)) found++
  }
  if (live !== found) bad.push(complain("packets", `cycle ${t}: ${live} records are in use, ${found} are found`, BUG))
}

function isCopy(frame: Frame, p: number): boolean {
  return (frame.bytes[((p + STATE) << 2) + 2]! & 8) !== 0
}
