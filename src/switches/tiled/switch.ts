// All tiled switches of a partition. A core step runs its stages from the output back to the input, so that a packet needs one step for each:
//
//   input DAMQ -> row bus -> row buffer (VOQ, per VC) -> tile crossbar -> column buffer -> R-to-1 multiplexer -> output DAMQ -> link
//                    \-> S row buffer -> tile crossbar -> S column buffer -> S multiplexer -> pool -> row bus (R) -> ...
import { lowest } from "../../core/bitset.ts"
import type { MakeTransferSwitch, TransferSwitch, TransferWires } from "../../fabric/transfer.ts"
import { auditTiled } from "./audit.ts"
import { WORK } from "./columns.ts"
import { digestTiled } from "./digest.ts"
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
    const stash = makeStash(frame, routeAgain)
    const row: RowStage = makeRow(frame, stash)
    const tile = makeTile(frame)
    const mux = makeMux(frame)
    const out = makeLink(frame, stash)
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

    function link(t: number): void {
      if (STASH && TIMEOUT > 0) stash.expire(part, t)
      const kept = (part * (LM + 1) + (t & LM)) * PW - portFrom
      const due = (part * (DUE + 1) + (t & DUE)) * PW - portFrom
      for (let w = portFrom; w < portTo; w++) {
        let m = retainDue[kept + w]!
        if (m !== 0) {
          retainDue[kept + w] = 0
          while (m !== 0) {
            const b = low(m)
            m &= m - 1
            out.confirmed((w << 5) + b)
          }
        }
        m = linkDue[due + w]! | linkDirty[w]!
        if (m === 0) continue
        linkDue[due + w] = 0
        linkDirty[w] = 0
        while (m !== 0) {
          const b = low(m)
          m &= m - 1
          out.arbitrate((w << 5) + b, t)
        }
      }
    }

    function core(s: number, t: number): void {
      endings(s, t)
      if (STASH) {
        stash.deliver(part, s, t)
        for (let w = portFrom; w < portTo; w++) {
          let m = storeDirty[w]!
          storeDirty[w] = 0
          while (m !== 0) {
            const b = low(m)
            m &= m - 1
            stash.arbitrate((w << 5) + b, s)
          }
        }
      }
      for (let w = portFrom; w < portTo; w++) {
        let m = muxDirty[w]!
        muxDirty[w] = 0
        while (m !== 0) {
          const b = low(m)
          m &= m - 1
          mux.arbitrate((w << 5) + b, s, t)
        }
      }
      for (let w = tileFrom; w < tileTo; w++) {
        let m = tileDirty[w]!
        tileDirty[w] = 0
        while (m !== 0) {
          const b = low(m)
          m &= m - 1
          tile.arbitrate((w << 5) + b, s)
        }
      }
      for (let w = portFrom; w < portTo; w++) {
        let m = rowDirty[w]!
        rowDirty[w] = 0
        while (m !== 0) {
          const b = low(m)
          m &= m - 1
          row.arbitrate((w << 5) + b, s, t)
        }
      }
    }

    /** Transfers whose last flit has moved. */
    function endings(s: number, t: number): void {
      const slot = (part * (CM + 1) + (s & CM)) * PW - portFrom
      for (let w = portFrom; w < portTo; w++) {
        let m = rowEnd[slot + w]!
        rowEnd[slot + w] = 0
        while (m !== 0) {
          const b = low(m)
          m &= m - 1
          row.ended((w << 5) + b, s, t)
        }
        m = muxEnd[slot + w]!
        muxEnd[slot + w] = 0
        while (m !== 0) {
          const b = low(m)
          m &= m - 1
          mux.ended((w << 5) + b)
        }
        if (!STASH) continue
        m = storeEnd[slot + w]!
        storeEnd[slot + w] = 0
        while (m !== 0) {
          const b = low(m)
          m &= m - 1
          stash.ended((w << 5) + b, s)
        }
      }
      const tiles = (part * (CM + 1) + (s & CM)) * TW - toFrom
      for (let w = toFrom; w < toTo; w++) {
        let m = tileEnd[tiles + w]!
        tileEnd[tiles + w] = 0
        while (m !== 0) {
          const b = low(m)
          m &= m - 1
          tile.ended((w << 5) + b)
        }
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
      audit: (t) => auditTiled(frame, t),
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
