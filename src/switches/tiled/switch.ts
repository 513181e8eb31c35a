// All tiled switches of a partition. A core step executes its stages from the output back to the input, so that a
// packet needs one step for each stage:
//
//   input DAMQ -> row bus -> row buffer (VOQ) -> tile crossbar -> column buffer -> R-to-1 mux -> output DAMQ -> link
//                    \-> S row buffer -> tile crossbar -> S column buffer -> S mux -> pool -> row bus (R) -> ...
//
// The model (model.ts) creates it; the engine calls `link` in each cycle and `core` in each core step.
import { lowest } from "../../core/bitset.ts"
import type { MakeTransferSwitch, SwitchPorts, TransferSwitch } from "../../fabric/transfer.ts"
import { auditTiled } from "./audit.ts"
import { WORK } from "./columns.ts"
import { digestTiled } from "./digest.ts"
import { makeDrops } from "./drops.ts"
import { makeLink } from "./link.ts"
import { makeMux } from "./mux.ts"
import { eachQueue } from "./queues.ts"
import { copiesIn, reportTables, reportValues } from "./report.ts"
import { makeRow, type RowStage } from "./row.ts"
import type { SharedState } from "./shared-state.ts"
import { makeStash } from "./stash.ts"
import { makeTile } from "./tile.ts"
import { timersDue } from "./timers.ts"
import { queueSpan, waitsOf } from "./waits.ts"

/** Returns a function that creates the stages and connects them with the ports of the engine. */
export function makeTiled(open: Omit<SharedState, "links">): MakeTransferSwitch {
  const low = lowest
  return (links: SwitchPorts): TransferSwitch => {
    const sharedState: SharedState = { ...open, links }
    const { site, k, columns, running } = sharedState
    const { layout } = site
    const { firstRouter, PS } = layout
    const {
      rowPending,
      tilePending,
      muxPending,
      storePending,
      linkPending,
      rowEnd,
      tileEnd,
      muxEnd,
      storeEnd,
      retainDue,
      linkDue,
    } = columns
    const { coreMask: CM, linkMask: LM, stash: STASH, timeout: TIMEOUT } = k
    const DUE = k.linkErrors ? LM : CM
    const { rows: ROWS, columns: C } = k.geometry
    const PW = k.portWords
    const TW = k.toWords
    // Stash and drops need the routing of the row stage, which itself needs both; the closure breaks the cycle.
    const routeAgain = (p: number, q: number, v: number, t: number): void => row.route(p, q, v, t)
    const drops =
      sharedState.dropping === undefined ? undefined : makeDrops(sharedState, sharedState.dropping, routeAgain)
    const stash = makeStash(sharedState, routeAgain, drops)
    const row: RowStage = makeRow(sharedState, stash, drops)
    const tile = makeTile(sharedState)
    const mux = makeMux(sharedState)
    const out = makeLink(sharedState, stash, drops)
    const { confirmed, arbitrate: send } = out
    const { arbitrate: multiplex, ended: leftMux } = mux
    const { arbitrate: match, ended: leftTile } = tile
    const { arbitrate: takeBus, ended: leftBus } = row
    // The words of the ready sets that belong to the partition.
    let part = 0
    let portFrom = 0
    let portTo = 0
    let tileFrom = 0
    let tileTo = 0
    let toFrom = 0
    let toTo = 0

    function enter(p: number): void {
      part = p
      const first = firstRouter[p]
      let last = firstRouter[p + 1]
      // Routers without a number in the network only fill up the last words of a partition.
      while (last > first && layout.outerRouter[last - 1] < 0) last--
      portFrom = (first * PS) >> 5
      portTo = (last * PS + 31) >> 5
      tileFrom = (first * ROWS * C) >> 5
      tileTo = (last * ROWS * C + 31) >> 5
      toFrom = (first * ROWS * PS) >> 5
      toTo = (last * ROWS * PS + 31) >> 5
      running[0] = p * WORK.width
      running[1] = p
      running[2] = first * PS
      running[3] = p * (CM + 1)
      running[4] = first * ROWS * PS
      running[5] = p * (LM + 1)
    }

    // Columns and bases are copied into locals before each loop. Otherwise the compiler would load address and length
    // of a column for each word.
    function link(t: number): void {
      if (STASH && TIMEOUT > 0) stash.expire(part, t)
      if (drops !== undefined) drops.look(firstRouter[part] * PS, firstRouter[part + 1] * PS, t)
      const kept = (Math.imul(Math.imul(part, LM + 1) + (t & LM), PW) - portFrom) | 0
      const due = (Math.imul(Math.imul(part, DUE + 1) + (t & DUE), PW) - portFrom) | 0
      const confirm = retainDue
      const free = linkDue
      const needsArbitration = linkPending
      const to = portTo
      for (let w = portFrom; w < to; w++) {
        let m = confirm[kept + w]
        if (m !== 0) {
          confirm[kept + w] = 0
          for (; m !== 0; m &= m - 1) confirmed(((w << 5) + low(m)) | 0)
        }
        // A link is served once per cycle, even if it became free and has new packets.
        m = free[due + w] | needsArbitration[w]
        if (m === 0) continue
        free[due + w] = 0
        needsArbitration[w] = 0
        for (; m !== 0; m &= m - 1) send(((w << 5) + low(m)) | 0, t)
      }
    }

    /** One core step: ends transfers, then arbitrates storage, multiplexers, tiles and row buses, in this order. */
    function core(s: number, t: number): void {
      endings(s, t)
      const to = portTo
      if (STASH) storing(s, t)
      const muxes = muxPending
      for (let w = portFrom; w < to; w++) {
        let m = muxes[w]
        if (m === 0) continue
        muxes[w] = 0
        for (; m !== 0; m &= m - 1) multiplex(((w << 5) + low(m)) | 0, s, t)
      }
      const tiles = tilePending
      const toTile = tileTo
      for (let w = tileFrom; w < toTile; w++) {
        let m = tiles[w]
        if (m === 0) continue
        tiles[w] = 0
        for (; m !== 0; m &= m - 1) match(((w << 5) + low(m)) | 0, s)
      }
      const buses = rowPending
      for (let w = portFrom; w < to; w++) {
        let m = buses[w]
        if (m === 0) continue
        buses[w] = 0
        for (; m !== 0; m &= m - 1) takeBus(((w << 5) + low(m)) | 0, s, t)
      }
    }

    /** The storage part of a core step: side-band messages, then storage multiplexers. */
    function storing(s: number, t: number): void {
      stash.deliver(part, s, t)
      const needsArbitration = storePending
      const to = portTo
      for (let w = portFrom; w < to; w++) {
        let m = needsArbitration[w]
        if (m === 0) continue
        needsArbitration[w] = 0
        for (; m !== 0; m &= m - 1) stash.arbitrate(((w << 5) + low(m)) | 0, s)
      }
    }

    /** Ends the transfers whose last flit has moved. */
    function endings(s: number, t: number): void {
      const step = Math.imul(part, CM + 1) + (s & CM)
      const slot = (Math.imul(step, PW) - portFrom) | 0
      const buses = rowEnd
      const muxes = muxEnd
      const stores = storeEnd
      const to = portTo
      for (let w = portFrom; w < to; w++) {
        let m = buses[slot + w]
        if (m !== 0) {
          buses[slot + w] = 0
          for (; m !== 0; m &= m - 1) leftBus(((w << 5) + low(m)) | 0, s, t)
        }
        m = muxes[slot + w]
        if (m !== 0) {
          muxes[slot + w] = 0
          for (; m !== 0; m &= m - 1) leftMux(((w << 5) + low(m)) | 0)
        }
        if (!STASH) continue
        m = stores[slot + w]
        if (m === 0) continue
        stores[slot + w] = 0
        for (; m !== 0; m &= m - 1) stash.ended(((w << 5) + low(m)) | 0, s)
      }
      const first = (Math.imul(step, TW) - toFrom) | 0
      const tiles = tileEnd
      const last = toTo
      for (let w = toFrom; w < last; w++) {
        let m = tiles[first + w]
        if (m === 0) continue
        tiles[first + w] = 0
        for (; m !== 0; m &= m - 1) leftTile(((w << 5) + low(m)) | 0)
      }
    }

    return {
      enter,
      arrive: row.arrive,
      credit: out.credit,
      link,
      core,
      columns,
      digest: (d, outer) => digestTiled(sharedState, d, outer),
      audit: (t, kept) => auditTiled(sharedState, t, kept),
      copies: () => copiesIn(sharedState),
      values: (cycles) => reportValues(sharedState, cycles),
      tables: () => reportTables(sharedState),
      queues: (visit, first, end) => eachQueue(sharedState, visit, first, end),
      waits: () => waitsOf(sharedState),
      span: queueSpan(sharedState),
      timersDue: () => timersDue(sharedState),
    }
  }
}
