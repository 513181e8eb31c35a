// The second part of the audit of tiled switches, counted from the packet records: each record in use is in exactly one
// place, and the counters of each stash pool match its contents. audit.ts calls it.
import { eachInChain, FLAG, FLITS, PLACE, STATE } from "../../fabric/packets.ts"
import { WORK } from "./columns.ts"
import { colHead } from "./heads.ts"
import { banked } from "./options.ts"
import type { SharedState } from "./shared-state.ts"
import { DEAD, STORED } from "./stash.ts"

/** Reports an error about port q. */
export type Say = (q: number, says: string) => void

/**
 * Checks that each record is free, in a queue, on a link, a copy in a pool, or held by a protocol. Returns the pool
 * space of copies, by port.
 */
export function auditRecords(sharedState: SharedState, kept: number, say: (says: string) => void): Int32Array {
  const { site, columns: own, tables, bytes, k } = sharedState
  const { layout: l, columns: a, constants } = site
  const seen = seenRecords(sharedState, say)
  const free = freeRecords(sharedState)
  const pooled = new Int32Array(tables.pool.length)
  let copies = 0
  let dead = 0
  let lost = 0
  for (let part = 0; part < l.parts; part++) {
    for (let n = 1; n <= a.fresh[part]; n++) {
      const p = (part * constants.packetSlots + n) * constants.stride
      if (free.has(p)) {
        if (seen.has(p)) say(`record ${p} is free and in use`)
        continue
      }
      // A copy in a pool is in no queue; its state bits show that it is stored, or deleted with a pending timer.
      const state = bytes[(p + STATE) << 2]
      const copy = (bytes[((p + STATE) << 2) + 2] & FLAG.copy) !== 0
      if (copy && state === DEAD) dead++
      else if (copy) copies++
      if (seen.has(p)) continue
      if (!copy || (state & (STORED | DEAD)) === 0) lost++
      else if (state !== DEAD) pooled[a.packets[p + PLACE]] += banked(a.packets[p + FLITS])
    }
  }
  if (lost !== kept) say(`${lost} records are in use but in no queue; protocols hold ${kept}`)
  if (!k.stash) return pooled
  const counted = (what: number) => {
    let sum = 0
    for (let part = 0; part < l.parts; part++) sum += own.work[part * WORK.width + what]
    return sum
  }
  if (counted(WORK.copied) - counted(WORK.deleted) !== copies)
    say(`${counted(WORK.copied) - counted(WORK.deleted)} copies are counted, ${copies} are found`)
  if (counted(WORK.dead) !== dead) say(`${counted(WORK.dead)} records wait for their timers, ${dead} are found`)
  return pooled
}

function freeRecords({ site }: SharedState): Set<number> {
  const { layout: l, columns: a } = site
  const free = new Set<number>()
  for (let part = 0; part < l.parts; part++) eachInChain(a.packets, a.freeHead[part], (p) => free.add(p))
  for (const home of a.homeHead) eachInChain(a.packets, home, (p) => free.add(p))
  return free
}

/** Returns the records that a queue, a link or an outbox refers to. */
function seenRecords(sharedState: SharedState, say: (says: string) => void): Set<number> {
  const { site, columns: own, k } = sharedState
  const { columns: a } = site
  const seen = new Set<number>()
  const see = (p: number) => {
    if (seen.has(p)) say(`record ${p} is in two places`)
    seen.add(p)
  }
  for (const head of a.flyHead) eachInChain(a.packets, head, see)
  for (const head of a.endFlyHead) eachInChain(a.packets, head, see)
  for (const head of a.waitHead) eachInChain(a.packets, head, see)
  for (const head of own.heads) eachInChain(a.packets, head, see)
  for (let box = 0; box < a.outCount.length; box++)
    for (let n = 0, i = site.boxFirst[box] ?? 0; n < a.outCount[box]; n++, i += 3)
      if (a.outbox[i + 1] >= 0) see(a.outbox[i + 2])
  if (k.linkErrors) for (const p of own.again) if (p !== 0) see(p)
  if (k.stash) for (const p of own.storePacket) if (p !== 0) see(p)
  return seen
}

/** Checks the pools: their contents, the reserved space, and the free space of each column. */
export function auditPools(sharedState: SharedState, pooled: Int32Array, say: Say): void {
  const { site, k, columns, tables, options } = sharedState
  const { layout: l } = site
  const g = k.geometry
  const tell = (q: number, what: string, books: number, found: number) => {
    if (books !== found) say(q, `${what}: the counter says ${books} flits, the audit finds ${found}`)
  }
  for (let r = 0; r < l.routers; r++) {
    if (l.outerRouter[r] < 0) continue
    let all = 0
    for (let c = 0; c < g.columns; c++) {
      let left = 0
      for (let out = c * g.outputs; out < (c + 1) * g.outputs; out++) {
        const o = r * l.PS + out
        const used = pooled[o] + passing(sharedState, o)
        all += used
        left += tables.pool[o] - used
        tell(o, "in its pool", tables.pool[o] - columns.poolFree[o], used)
        if (columns.poolFree[o] < 0) say(o, `pool holds ${-columns.poolFree[o]} flits more than it has`)
        if (!options.reserveAtBus) continue
        for (let row = 0; row < g.rows; row++) left -= chainBanked(sharedState, colHead(sharedState, r, row, o, k.S))
      }
      if (options.reserveAtBus)
        for (let q = r * l.PS; q < r * l.PS + g.ports; q++)
          left -= chainBanked(sharedState, sharedState.packetQueues.first(sharedState.queues.store + q * g.columns + c))
      tell(r * l.PS + c * g.outputs, `left of the stash of column ${c}`, columns.columnFree[r * g.columns + c], left)
    }
    tell(r * l.PS, "in the stash of the switch", columns.routerStash[r], all)
  }
}

/**
 * Returns the pool space of packets that enter, wait for the retrieval VC, or leave. A retransmitted packet uses the
 * space of its copy, so it does not count.
 */
function passing({ site, k, columns, packetQueues, queues, bytes }: SharedState, o: number): number {
  const { packets } = site.columns
  const coming = columns.storePacket[o]
  let sum = coming === 0 ? 0 : banked(packets[coming + FLITS])
  eachInChain(packets, packetQueues.first(queues.input + (o << site.layout.LV) + k.R), (p) => {
    if ((bytes[((p + STATE) << 2) + 2] & FLAG.borrows) === 0) sum += banked(packets[p + FLITS])
  })
  const moving = columns.rowLength[o]
  return columns.busBusy[o] !== 0 && moving < 0 && moving > -4096 ? sum + banked(-moving) : sum
}

function chainBanked(sharedState: SharedState, head: number): number {
  const { packets } = sharedState.site.columns
  let sum = 0
  eachInChain(packets, head, (p) => {
    sum += banked(packets[p + FLITS])
  })
  return sum
}
