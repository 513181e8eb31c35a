// All tiled switches of a partition. A core step runs its stages from the output back to the input, so that a packet needs one step for each:
//
//   input DAMQ -> row bus -> row buffer (VOQ, per VC) -> tile crossbar -> column buffer -> R-to-1 multiplexer -> output DAMQ -> link
//                    \-> S row buffer -> tile crossbar -> S column buffer -> S multiplexer -> pool -> row bus (R) -> ...
import { lowest } from "../../core/bitset.ts"
import type { MakeTransferSwitch, TransferSwitch, TransferWires } from "../../fabric/transfer.ts"
import { auditTiled } from "./audit.ts"
import { WORK } from "./columns.ts"
import { digestTiled } from "./digest.ts"
import { makeDrops } from "./drops.ts"
import type { Frame } from "./frame.ts"
import { makeLink } from "./link.ts"
import { makeMux } from "./mux.ts"
import { eachQueue } from "./queues.ts"
import { copiesIn, reportTables, reportValues } from "./report.ts"
import { makeRow, type RowStage } from "./row.ts"
import { makeStash } from "./stash.ts"
import { makeTile } from "./tile.ts"
import { timersDue } from "./timers.ts"
import { queueSpan, waitsOf } from "./waits.ts"

export function makeTiled(open: Omit<Frame, "wires">): MakeTransferSwitch {
  const low = lowest
  return (wires: TransferWires): TransferSwitch => {
    const frame: Frame = { ...open, wires }
    const { site, k, columns, running } = frame
    const { layout } = site
    const { firstRouter, PS } = layout
    const { rowDirty, tileDirty, muxDirty, storeDirty, linkDirty, rowEnd, tileEnd, muxEnd, storeEnd, retainDue, linkDue } = columns
    const { coreMask: CM, linkMask: LM, stash: STASH, timeout: TIMEOUT } = k
    const DUE = k.linkErrors ? LM : CM
    const { rows: ROWS, columns: C } = k.geometry
    const PW = k.portWords
    const TW = k.toWords
    const routeAgain = (p: number, q: number, v: number, t: number): void => row.route(p, q, v, t)
    const drops = frame.dropping === undefined ? undefined : makeDrops(frame, frame.dropping, routeAgain)
    const stash = makeStash(frame, routeAgain, drops)
    const row: RowStage = makeRow(frame, stash, drops)
    const tile = makeTile(frame)
    const mux = makeMux(frame)
    const out = makeLink(frame, stash, drops)
    const { confirmed, arbitrate: send } = out
    const { arbitrate: multiplex, ended: leftMux } = mux
    const { arbitrate: match, ended: leftTile } = tile
    const { arbitrate: takeBus, ended: leftBus } = row
    // words of the bit sets that belong to the partition
    let part = 0
    let portFrom = 0
    let portTo = 0
    let tileFrom = 0
    let tileTo = 0
    let toFrom = 0
    let toTo = 0

    function enter(p: number): void {
      part = p
      const first = firstRouter[p]!
      let last = firstRouter[p + 1]!
      while (last > first && layout.outerRouter[last - 1]! < 0) last--
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

    // Columns and bases are taken into locals before a loop: inside it the compiler would load their address and length for every word.
    function link(t: number): void {
      if (STASH && TIMEOUT > 0) stash.expire(part, t)
      if (drops !== undefined) drops.look(firstRouter[part]! * PS, firstRouter[part + 1]! * PS, t)
      const kept = (Math.imul(Math.imul(part, LM + 1) + (t & LM), PW) - portFrom) | 0
      const due = (Math.imul(Math.imul(part, DUE + 1) + (t & DUE), PW) - portFrom) | 0
      const confirm = retainDue
      const free = linkDue
      const dirty = linkDirty
      const to = portTo
      for (let w = portFrom; w < to; w++) {
        let m = confirm[kept + w]!
        if (m !== 0) {
          confirm[kept + w] = 0
          for (; m !== 0; m &= m - 1) confirmed(((w << 5) + low(m)) | 0)
        }
        m = free[due + w]! | dirty[w]!
        if (m === 0) continue
        free[due + w] = 0
        dirty[w] = 0
        for (; m !== 0; m &= m - 1) send(((w << 5) + low(m)) | 0, t)
      }
    }

    function core(s: number, t: number): void {
      endings(s, t)
      const to = portTo
      if (STASH) storing(s, t)
      const muxes = muxDirty
      for (let w = portFrom; w < to; w++) {
        let m = muxes[w]!
        if (m === 0) continue
        muxes[w] = 0
        for (; m !== 0; m &= m - 1) multiplex(((w << 5) + low(m)) | 0, s, t)
      }
      const tiles = tileDirty
      const toTile = tileTo
      for (let w = tileFrom; w < toTile; w++) {
        let m = tiles[w]!
        if (m === 0) continue
        tiles[w] = 0
        for (; m !== 0; m &= m - 1) match(((w << 5) + low(m)) | 0, s)
      }
      const buses = rowDirty
      for (let w = portFrom; w < to; w++) {
        let m = buses[w]!
        if (m === 0) continue
        buses[w] = 0
        for (; m !== 0; m &= m - 1) takeBus(((w << 5) + low(m)) | 0, s, t)
      }
    }

    function storing(s: number, t: number): void {
      stash.deliver(part, s, t)
      const dirty = storeDirty
      const to = portTo
      for (let w = portFrom; w < to; w++) {
        let m = dirty[w]!
        if (m === 0) continue
        dirty[w] = 0
        for (; m !== 0; m &= m - 1) stash.arbitrate(((w << 5) + low(m)) | 0, s)
      }
    }

    /** Transfers whose last flit has moved. */
    function endings(s: number, t: number): void {
      const step = Math.imul(part, CM + 1) + (s & CM)
      const slot = (Math.imul(step, PW) - portFrom) | 0
      const buses = rowEnd
      const muxes = muxEnd
      const stores = storeEnd
      const to = portTo
      for (let w = portFrom; w < to; w++) {
        let m = buses[slot + w]!
        if (m !== 0) {
          buses[slot + w] = 0
          for (; m !== 0; m &= m - 1) leftBus(((w << 5) + low(m)) | 0, s, t)
        }
        m = muxes[slot + w]!
        if (m !== 0) {
          muxes[slot + w] = 0
          for (; m !== 0; m &= m - 1) leftMux(((w << 5) + low(m)) | 0)
        }
        if (!STASH) continue
        m = stores[slot + w]!
        if (m === 0) continue
        stores[slot + w] = 0
        for (; m !== 0; m &= m - 1) stash.ended(((w << 5) + low(m)) | 0, s)
      }
      const first = (Math.imul(step, TW) - toFrom) | 0
      const tiles = tileEnd
      const last = toTo
      for (let w = toFrom; w < last; w++) {
        let m = tiles[first + w]!
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
      digest: (d, outer) => digestTiled(frame, d, outer),
      audit: (t, kept) => auditTiled(frame, t, kept),
      copies: () => copiesIn(frame),
      values: (cycles) => reportValues(frame, cycles),
      tables: () => reportTables(frame),
      queues: (visit, first, end) => eachQueue(frame, visit, first, end),
      waits: () => waitsOf(frame),
      span: queueSpan(frame),
      timersDue: () => timersDue(frame),
    }
  }
}
