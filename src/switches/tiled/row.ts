// Input buffers and row buses of tiled switches. The VCs of an input, and the pool of its port on the retrieval VC, use
// the row bus round-robin, one whole packet at a time. The bus writes into the row buffer of the tile that leads to the
// output.
//
// All tiles of the row receive the bus. A packet can therefore go to its output and, as a copy, to storage in one
// transfer. Storage uses the storage VC of the column with the most free storage space.
import { lowest } from "../../core/bitset.ts"
import { scratch, scratchOf } from "../../fabric/columns.ts"
import { FLAG, HOP_MASK, recordViews } from "../../fabric/packets.ts"
import { TRACE } from "../../model/trace-events.ts"
import { WORK } from "./columns.ts"
import type { Drops } from "./drops.ts"
import { NO_QUEUE, type SharedState } from "./shared-state.ts"
import type { StashPath } from "./stash.ts"

export interface RowStage {
  arrive(iv: number, p: number, t: number): void
  /** Computes the output of packet p at this switch. */
  route(p: number, q: number, v: number, t: number): void
  arbitrate(q: number, s: number, t: number): void
  ended(q: number, s: number, t: number): void
}

export function makeRow(sharedState: SharedState, stash: StashPath, drops: Drops | undefined): RowStage {
  const low = lowest
  // Local copies: reading constants of other modules costs a load each time.
  const FLAGS = FLAG
  const COUNT = WORK
  const HOPS_ONLY = HOP_MASK
  const { site, use, k, columns, options, tables, links, running } = sharedState
  const { layout, columns: shared } = site
  const { LV, PS, outerRouter, down } = layout
  const { stashed } = shared
  const { pKey, pFlits, pHops, sPort, sVc, sFlags } = recordViews(shared.packets)
  const { push, pop } = sharedState.packetQueues
  const { input: INPUT, voq: VOQ } = sharedState.queues
  const { routing, routings, net, out, plan } = use
  const { plain: PLAIN, classOf, firstOf, wholeOf, levels } = plan
  const LEVELS = levels.length
  const countOf = scratchOf(Array.from(classOf, (c) => plan.classes[c].count))
  const { levelOf } = sharedState
  const {
    inMask,
    busBusy,
    rowNext,
    rowLength,
    rowHeld,
    heads,
    voqMask,
    wants,
    wanted,
    rowPending,
    tilePending,
    rowEnd,
  } = columns
  const { inHeld, congested, work } = columns
  const { local, router, row, column, input, output, isEnd, linkClass, queue: queueOf, limited: LIMITED } = tables
  const { V, R, coreMask: CM, stash: STASH, voqs: VOQS, rowPerVoq: PER_VOQ, errors: ERRORS } = k
  const { rows: ROWS, columns: C } = k.geometry
  const ROWCAP = options.rowBuffer
  const TAIL = options.releaseAtTail
  const { core: CORE, link: LINK } = options.clock
  const EJECT_ANY = options.ejectAny
  const EJECT_FREE = options.ejectFree
  const WORDS = k.portWords
  const { reliability: COPIES, absorb: ABSORB, speculation: SPECULATION } = options
  const DROPS = drops !== undefined
  const { condemned } = columns
  const { kind: SPECULATIVE, copies } = sharedState.dropping ?? { kind: -1, copies: undefined }
  const ORDER = copies?.order ?? -1
  const pKind = shared.packets.subarray(site.constants.kind)
  const { returnCredit, discard, traceEvent } = links
  const TRACES = traceEvent !== undefined
  const { marked: MARKED } = TRACE
  const MARKING = sharedState.thresholds !== undefined
  const on = sharedState.thresholds?.on ?? scratch(1)
  const off = sharedState.thresholds?.off ?? scratch(1)
  const { chooseColumn, store, copyOf, leavePool } = stash

  function route(p: number, q: number, v: number, t: number): void {
    const at = outerRouter[router[q]]
    const way = PLAIN ? routing : routings[classOf[v]]
    net.decide(t, PLAIN ? 0 : firstOf[v])
    if ((pHops[p] & HOPS_ONLY) === 0) way.inject?.(p, at, net)
    out.n = 0
    way.route(p, at, local[q], PLAIN ? v : v - firstOf[v], net, out)
    let best = 0
    for (let i = 1; i < out.n; i++) if (out.cost[i] < out.cost[best]) best = i
    const port = out.port[best]
    const mask = PLAIN ? out.vcMask[best] : wholeOf[v] !== 0 ? wholeOf[v] : out.vcMask[best] << firstOf[v]
    sPort[p << 2] = port
    sVc[p << 2] = down[router[q] * PS + port] < 0 ? ejectVc(p, v) : low(mask)
    pHops[p]++
    if (LIMITED && queueOf[((router[q] * PS + port) << LV) + sVc[p << 2]] === NO_QUEUE) misled(q, port, sVc[p << 2])
  }

  /**
   * Reports a packet on a VC that its link does not carry. The route check before cycle 0 (compile/carried.ts) is
   * bounded and may miss such a route; without this error the packet would be written past the end of a column.
   */
  function misled(q: number, port: number, vc: number): void {
    const links = layout.graph.classes[linkClass[router[q] * PS + port]]
    throw new Error(
      `a packet was sent on VC ${vc} of ${links} links, which network.switch.carries.${links} leaves out: add it there`,
    )
  }

  /** Returns the VC of a packet on its last link. A packet that came on VC v keeps its class there. */
  function ejectVc(p: number, v: number): number {
    const first = PLAIN ? 0 : firstOf[v]
    const count = PLAIN ? V : countOf[v]
    return first + (EJECT_ANY ? (pKey[p] >>> 8) % count : count - 1)
  }

  /**
   * Packet p arrives on input VC iv. A lost packet is discarded here, because it occupied the link. A recall order for
   * the stash is consumed here.
   */
  function arrive(iv: number, p: number, t: number): void {
    const q = iv >> LV
    const v = iv & ((1 << LV) - 1)
    if (ERRORS && (sFlags[p << 2] & FLAGS.lost) !== 0) {
      returnCredit(iv, pFlits[p], t)
      discard(p)
      return
    }
    if (SPECULATION && pKind[p] === ORDER) {
      returnCredit(iv, pFlits[p], t)
      stash.recall(p, t)
      return
    }
    if (DROPS) drops!.arrives(p, t)
    if (MARKING) {
      inHeld[q] += pFlits[p]
      if (inHeld[q] > on[q]) {
        congested[q] = 1
        if (ABSORB && busBusy[q] === 0) rowPending[q >> 5] |= 1 << q
      }
    }
    if (!push(INPUT + iv, p)) return
    route(p, q, v, t)
    inMask[q] |= 1 << v
    if (DROPS) drops!.front(q, v, p, t, t)
    if (busBusy[q] === 0) rowPending[q >> 5] |= 1 << q
  }

  function arbitrate(q: number, s: number, t: number): void {
    if (busBusy[q] !== 0) return
    const m = inMask[q]
    if (LEVELS === 1) {
      inTurn(q, m, s, t)
      return
    }
    // The pool has the priority of its first packet.
    const pooled = STASH && ((m >> R) & 1) !== 0 ? levelOf(heads[INPUT + (q << LV) + R]) : -1
    for (let level = 0; level < LEVELS; level++)
      if (inTurn(q, (m & levels[level]) | (level === pooled ? 1 << R : 0), s, t)) return
  }

  /** Gives the bus to the first of these VCs in round-robin order that can use it. Returns whether there is one. */
  function inTurn(q: number, m: number, s: number, t: number): boolean {
    let first = (m >> rowNext[q]) << rowNext[q]
    let second = m ^ first
    for (;;) {
      if (first === 0) {
        if (second === 0) return false
        first = second
        second = 0
      }
      const v = low(first)
      first &= first - 1
      if (tryVc(q, v, s, t)) return true
    }
  }

  /**
   * Tries to send the head packet of VC v over the row bus. Returns false if it must wait. The cases:
   *   1. A condemned packet goes to the stash (dropHere).
   *   2. A packet from an endpoint that needs a copy waits for its row buffer and for stash space.
   *   3. A packet of a congested input whose row buffer is full is absorbed by the stash, if it is at its last switch.
   *   4. Any other packet needs space in its row buffer only.
   */
  function tryVc(q: number, v: number, s: number, t: number): boolean {
    const i = INPUT + (q << LV) + v
    const p = heads[i]
    const f = pFlits[p]
    const b = p << 2
    if (SPECULATION && ((condemned[q] >> v) & 1) !== 0) return dropHere(q, v, p, f, s, t)
    // The row buffer of the packet: by virtual output queue, or by column and VC. Packets from a pool use VC R.
    const o = router[q] * PS + sPort[b]
    const c = column[o]
    let iv = STASH && v === R ? R : sVc[b]
    let ri = rowBufferOf(q, o, c, iv)
    let free = rowHeld[ri] + f <= ROWCAP
    if (EJECT_FREE && !free && iv !== R && isEnd[o] !== 0) {
      iv = freeVc(q, o, c, iv, f)
      ri = rowBufferOf(q, o, c, iv)
      free = rowHeld[ri] + f <= ROWCAP
      sVc[b] = iv
    }
    let sc = -1
    if (STASH && v !== R) {
      // The packet needs a copy; without a row buffer or stash space it waits.
      if (isEnd[q] !== 0 && (COPIES ? (sFlags[b] & FLAGS.ack) === 0 : SPECULATION && pKind[p] === SPECULATIVE)) {
        if (!free) return false
        sc = chooseColumn(q, f)
        if (sc < 0) {
          work[running[0] + COUNT.stalled]++
          return false
        }
      } else if (!free) {
        if (!ABSORB || congested[q] === 0 || isEnd[o] === 0 || (sFlags[b] & FLAGS.ack) !== 0) return false
        sc = chooseColumn(q, f)
        if (sc < 0) return false
        depart(q, v, i, p, f, s, t)
        work[running[0] + COUNT.absorbed]++
        work[running[0] + COUNT.absorbedFlits] += f
        stash.enters(p, t)
        store(q, sc, p)
        return true
      }
    } else if (!free) return false
    if (sc >= 0) {
      // The copy and the packet share one bus transfer, because all tiles of the row receive the bus.
      const copy = copyOf(p, v, t)
      if (copy === 0) return false
      store(q, sc, copy)
    }
    depart(q, v, i, p, f, s, t)
    rowHeld[ri] += f
    enqueue(q, o, iv, p)
    return true
  }

  /** Returns the row buffer of a packet from input q to output o in column c on VC v. */
  function rowBufferOf(q: number, o: number, c: number, v: number): number {
    return PER_VOQ ? q * VOQS + queueOf[(o << LV) + v] : ((q * C + c) << LV) + v
  }

  /** Returns the next VC after v of the same class whose row buffer has space for f flits, or v if none has. */
  function freeVc(q: number, o: number, c: number, v: number, f: number): number {
    const first = PLAIN ? 0 : firstOf[v]
    const count = PLAIN ? V : countOf[v]
    for (let i = 1; i < count; i++) {
      const w = first + ((v - first + i) % count)
      if (rowHeld[rowBufferOf(q, o, c, w)] + f <= ROWCAP) return w
    }
    return v
  }

  /**
   * Drops a speculative packet in its first switch. The whole packet goes to the stash, and its record stays as the
   * NACK.
   */
  function dropHere(q: number, v: number, p: number, f: number, s: number, t: number): boolean {
    const c = chooseColumn(q, f)
    if (c < 0) {
      work[running[0] + COUNT.stalled]++
      return false
    }
    const copy = copyOf(p, v, t)
    if (copy === 0) return false
    store(q, c, copy)
    takeBus(q, v, f, s)
    rowLength[q] = v << 16
    drops!.answers(q, v, p, t, s * CORE === t * LINK ? t : t + 1)
    return true
  }

  /** Occupies the row bus of input q for f core steps. */
  function takeBus(q: number, v: number, f: number, s: number): void {
    rowNext[q] = (v + 1) >> LV === 0 ? v + 1 : 0
    busBusy[q] = 1
    rowEnd[wheelAt(s + f) + ((q - running[2]) >> 5)] |= 1 << q
  }

  /**
   * The packet leaves the input buffer (or the pool): takes the bus, returns its credits, and routes the next head
   * packet.
   */
  function depart(q: number, v: number, i: number, p: number, f: number, s: number, t: number): void {
    pop(i)
    const next = heads[i]
    if (next === 0) inMask[q] &= ~(1 << v)
    else if (!STASH || v !== R) {
      route(next, q, v, t)
      if (DROPS) drops!.front(q, v, next, t, s * CORE === t * LINK ? t : t + 1)
    }
    takeBus(q, v, f, s)
    // rowLength < 0 is a transfer from the pool. 4096 is added to mark one that leaves its pool space to its copy
    // (`ended`).
    if (STASH && v === R) {
      rowLength[q] = -f - (leavePool(p) ? 0 : 4096)
      stashed[p >> 4] += t
      work[running[0] + COUNT.rowRetrieval] += f
      return
    }
    rowLength[q] = f + (v << 16)
    if (MARKING && congested[q] !== 0) mark(q, p)
    if (!TAIL) returnCredit((q << LV) + v, f, s * CORE === t * LINK ? t : t + 1)
  }

  function wheelAt(s: number): number {
    return Math.imul(running[3] + (s & CM), WORDS)
  }

  /** Marks a packet that leaves a congested input (explicit congestion notification), except acknowledgements. */
  function mark(q: number, p: number): void {
    const b = p << 2
    if ((sFlags[b] & (FLAGS.ack | FLAGS.marked)) !== 0) return
    sFlags[b] |= FLAGS.marked
    work[running[0] + COUNT.marked]++
    if (TRACES) traceEvent!(MARKED, outerRouter[router[q]], local[q], pKey[p])
  }

  /** Appends packet p to its virtual output queue, and wakes the tile. */
  function enqueue(q: number, o: number, v: number, p: number): void {
    const r = router[q]
    const queue = q * PS + local[o]
    const tile = (r * ROWS + row[q]) * C + column[o]
    if (push(VOQ + q * VOQS + queueOf[(o << LV) + v], p)) {
      if (voqMask[queue] === 0) {
        wants[(r * ROWS + row[q]) * PS + local[o]] |= 1 << input[q]
        wanted[tile] |= 1 << output[o]
      }
      voqMask[queue] |= 1 << v
    }
    tilePending[tile >> 5] |= 1 << tile
  }

  /** The transfer of the row bus ends: frees its space, updates the congestion state, and wakes the input. */
  function ended(q: number, s: number, t: number): void {
    busBusy[q] = 0
    const n = rowLength[q]
    if (n < 0) {
      if (n > -4096) stash.release(q, -n)
    } else {
      const f = n & 0xffff
      if (MARKING) {
        inHeld[q] -= f
        if (inHeld[q] <= off[q]) congested[q] = 0
      }
      if (TAIL && f > 0) returnCredit((q << LV) + (n >> 16), f, s * CORE === t * LINK ? t : t + 1)
    }
    if (inMask[q] !== 0) rowPending[q >> 5] |= 1 << q
  }

  return { arrive, route, arbitrate, ended }
}
