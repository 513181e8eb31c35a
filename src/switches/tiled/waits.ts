// The wait-for relation inside tiled switches, for the deadlock diagnosis. The head packet of an input waits for its
// row buffer, that of a row buffer for its column buffer, that of a column buffer for the output buffer, and that of an
// output buffer for the downstream input. Waits for stash space are left out, because an acknowledgement frees it, not
// a queue.
//
// Queue numbers of one router: its input VCs, its output VCs, the column queues of each row, the virtual output queues
// of each input.
import { lowest } from "../../core/bitset.ts"
import { FLAG, FLITS, NEXT, STATE } from "../../fabric/packets.ts"
import type { StateWaits } from "../../fabric/switch.ts"
import { type Holder, type Holders, QueueWaits, spaceHolders, standing } from "../parts/waits.ts"
import { STALL_SINCE } from "./columns.ts"
import { colHead, voqHead } from "./heads.ts"
import type { SharedState } from "./shared-state.ts"

/** Returns the number of queue numbers that one router uses. */
export function queueSpan({ site, k }: Pick<SharedState, "site" | "k">): number {
  const { RS, PS } = site.layout
  return (2 + k.geometry.rows + PS) * RS
}

/** Returns the head packets that cannot move now, with the queues of which one must make progress. */
export function waitsOf(sharedState: SharedState): readonly StateWaits[] {
  const { site, k, columns: c, tables, options, bytes } = sharedState
  const { layout: l, columns: a, sharedBuffers, rules } = site
  const { LV, PS, RS } = l
  const { rows } = k.geometry
  const { packets } = a
  const { local, router, row, column } = tables
  const span = queueSpan(sharedState)
  const waits = new QueueWaits()
  const flits = (p: number) => packets[p + FLITS]
  const each = (mask: number, see: (bit: number) => void) => {
    for (let m = mask; m !== 0; m &= m - 1) see(lowest(m))
  }
  const outputOf = (p: number, r: number) => r * PS + bytes[(p + STATE) << 2]
  /** Returns the output VC that a packet in router r requests. */
  const goal = (p: number, r: number) => (outputOf(p, r) << LV) + bytes[((p + STATE) << 2) + 1]

  // A queue with the VC that its flits occupy. For an input, this is the VC of the upstream link.
  const input = (iv: number): Holder => ({
    queue: Math.floor(iv / RS) * span + (iv % RS),
    vc: l.up[iv >> LV] + (iv & ((1 << LV) - 1)),
  })
  const output = (ov: number): Holder => ({ queue: Math.floor(ov / RS) * span + RS + (ov % RS), vc: ov })
  const inside = (o: number, place: number, v: number, head: number): Holder => ({
    queue: router[o] * span + (2 + place) * RS + (local[o] << LV) + v,
    vc: goal(head, router[o]),
  })
  const inColumn = (r: number, o: number, v: number) => inside(o, r, v, colHead(sharedState, router[o], r, o, v))
  const inRow = (q: number, o: number, v: number) => inside(o, rows + local[q], v, voqHead(sharedState, q, o, v))

  /**
   * `behind` returns the downstream queue of output VC ov, `buffered` that of a slot of an output buffer. Both return
   * undefined if some of the counted flits are in flight.
   */
  const behind = (ov: number): Holder | undefined => {
    const iv = l.down[ov >> LV] + (ov & ((1 << LV) - 1))
    return standing(packets, sharedState.packetQueues.first(sharedState.queues.input + iv), sharedBuffers.held[ov])
      ? input(iv)
      : undefined
  }
  const buffered = (slot: number): Holder | undefined => {
    const ov = slot - sharedBuffers.OUT
    return standing(packets, sharedState.packetQueues.first(sharedState.queues.output + ov), sharedBuffers.held[slot])
      ? output(ov)
      : undefined
  }
  const only = (holder: Holder | undefined): Holders => (holder === undefined ? undefined : [holder])
  const and = (holders: Holders, holder: Holder | undefined): Holders =>
    holders === undefined || holder === undefined ? undefined : [...holders, holder]

  /** Returns the network VCs of the same priority. Only these compete with a VC for a fair share of a buffer. */
  const { levels, levelOf } = sharedState.use.plan
  const peers = (v: number): number => (levels.length === 1 ? (1 << k.V) - 1 : levels[levelOf[v]])

  /** Returns the queues that the head packet p of input q waits for: those of its row buffer. */
  function forRow(q: number, v: number, p: number): Holders {
    const o = outputOf(p, router[q])
    const iv = k.stash && v === k.R ? v : bytes[((p + STATE) << 2) + 1]
    const absorbs =
      options.absorb && v !== k.R && tables.isEnd[o] !== 0 && (bytes[((p + STATE) << 2) + 2] & FLAG.ack) === 0
    if (absorbs) return undefined
    if (k.rowPerVoq) {
      const held = c.rowHeld[q * k.voqs + tables.queue[(o << LV) + iv]]
      if (held + flits(p) <= options.rowBuffer || !standing(packets, voqHead(sharedState, q, o, iv), held))
        return undefined
      return [inRow(q, o, iv)]
    }
    const held = c.rowHeld[((q * k.geometry.columns + column[o]) << LV) + iv]
    if (held + flits(p) <= options.rowBuffer) return undefined
    const found: Holder[] = []
    let stands = 0
    for (let port = column[o] * k.geometry.outputs; port < (column[o] + 1) * k.geometry.outputs; port++) {
      const other = router[q] * PS + port
      let head = voqHead(sharedState, q, other, iv)
      if (head === 0) continue
      found.push(inRow(q, other, iv))
      for (; head !== 0; head = packets[head + NEXT]) stands += flits(head)
    }
    return stands === held ? found : undefined
  }

  /** Returns the queues that packet p in a row buffer waits for: that of its column buffer. */
  function forColumn(q: number, o: number, v: number, p: number): Holders {
    const r = row[q]
    const held = c.colHeld[(((router[o] * rows + r) * PS + local[o]) << LV) + v]
    const need = sharedState.bubbles?.enters[q * PS + local[o]] === 1 ? 2 * site.constants.maxLength : flits(p)
    if (held + need <= options.columnBuffer || !standing(packets, colHead(sharedState, router[o], r, o, v), held))
      return undefined
    return [inColumn(r, o, v)]
  }

  /** Returns the queues that packet p in a column buffer waits for: output buffer, ring buffers, or its competitors. */
  function forOutput(o: number, from: number, v: number, p: number): Holders {
    const ov = goal(p, router[o])
    const slot = sharedBuffers.OUT + ov
    if (sharedBuffers.held[slot] - (options.retention ? c.recent[ov] : 0) >= tables.still[o])
      return only(buffered(slot))
    if (!rules.fits(slot, flits(p))) return spaceHolders(sharedBuffers, LV, slot, flits(p), (x) => only(buffered(x)))
    if (l.down[o] < 0) return undefined
    const ring = sharedState.bubbles?.rows[o] ?? 0
    if (ring !== 0 && (v >= k.V || ((ring >> from) & 1) === 0)) {
      // A packet must not bypass a column buffer of the ring that has no bubble left.
      const full: Holder[] = []
      each(ring, (r) => {
        const held = c.colHeld[(((router[o] * rows + r) * PS + local[o]) << LV) + (ov & ((1 << LV) - 1))]
        if (held > options.columnBuffer - site.constants.maxLength) full.push(inColumn(r, o, ov & ((1 << LV) - 1)))
      })
      if (full.length > 0) return full
    }
    // There is space, but VCs below their fair share go first.
    const at: Holder[] = []
    let waiting = 0
    const to = (r: number) => (router[o] * rows + r) * PS + local[o]
    each(c.colRows[o], (r) => {
      waiting |= c.colMask[to(r)]
    })
    waiting &= peers(ov & ((1 << LV) - 1))
    const first = rules.modest((sharedBuffers.OUT >> LV) + o, waiting)
    if ((waiting & (waiting - 1)) === 0 || ((first >> (ov & ((1 << LV) - 1))) & 1) !== 0) return undefined
    each(c.colRows[o], (r) => each(c.colMask[to(r)] & first, (v) => at.push(inColumn(r, o, v))))
    return and(at, buffered(slot))
  }

  /** Returns the queues that packet p in an output buffer waits for: the downstream input, or its competitors. */
  function forLink(o: number, v: number, p: number): Holders {
    if (l.down[o] < 0 || (k.linkErrors && c.again[o] !== 0)) return undefined
    const ov = (o << LV) + v
    if (sharedBuffers.held[ov] - c.recent[ov] >= tables.still[o]) return only(behind(ov))
    if (!rules.fits(ov, flits(p))) return spaceHolders(sharedBuffers, LV, ov, flits(p), (x) => only(behind(x)))
    const waiting = c.outMask[o] & ~STALL_SINCE & peers(v)
    const first = rules.modest(o, waiting)
    if ((waiting & (waiting - 1)) === 0 || ((first >> v) & 1) !== 0) return undefined
    const at: Holder[] = []
    each(first, (x) => at.push(output((o << LV) + x)))
    return and(at, behind(ov))
  }

  for (let q = 0; q < l.routers * PS; q++) {
    const r = router[q]
    if (l.outerRouter[r] < 0) continue
    each(c.inMask[q], (v) => {
      const iv = (q << LV) + v
      const p = sharedState.packetQueues.first(sharedState.queues.input + iv)
      waits.add(input(iv).queue, p, goal(p, r), forRow(q, v, p))
    })
    each(c.outMask[q] & ~STALL_SINCE, (v) => {
      const ov = (q << LV) + v
      const p = sharedState.packetQueues.first(sharedState.queues.output + ov)
      waits.add(output(ov).queue, p, ov, forLink(q, v, p))
    })
    for (let from = 0; from < rows; from++) {
      const to = (r * rows + from) * PS + local[q]
      each(c.colMask[to], (v) => {
        const p = colHead(sharedState, r, from, q, v)
        waits.add(inColumn(from, q, v).queue, p, goal(p, r), forOutput(q, from, v, p))
      })
      each(c.wants[to], (i) => {
        const at = r * PS + from * k.geometry.inputs + i
        each(c.voqMask[at * PS + local[q]], (v) => {
          const p = voqHead(sharedState, at, q, v)
          waits.add(inRow(at, q, v).queue, p, goal(p, r), forColumn(at, q, v, p))
        })
      })
    }
  }
  return waits.found
}
