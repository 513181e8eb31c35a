// Crossbars as fast as the links: a transfer holds its input, its output and the link behind that from head to tail. In a cycle every crossbar that must look
// collects what its free inputs could send to its free outputs, matches it (iSLIP), and begins a transfer for each pair.
import { lowest } from "../../core/bitset.ts"
import { scratch } from "../../fabric/columns.ts"
import { CREDIT_SHIFT, DST, FLITS, HOPS, STATE } from "../../fabric/packets.ts"
import type { TransferWires } from "../../fabric/transfer.ts"
import type { Frame } from "./frame.ts"
import type { Inputs } from "./inputs.ts"

export interface Crossbar {
  enter(part: number): void
  /** the crossbar of router r, in cycle t */
  arbitrate(r: number, s: number, t: number): void
  /** the transfer that holds output `port` has ended */
  ended(port: number): void
  laneCredit(port: number, lane: number, flits: number): void
}

export function makeCrossbar(frame: Frame, inputs: Inputs, { launch, giveBackLane }: TransferWires): Crossbar {
  const low = lowest
  const { site, use, ports, chains, matching, scheme, table, hold, mask: MASK, words: QW } = frame
  const { LV, PS, firstRouter, radix: R, down, latency, outerRouter } = site.layout
  const { packets, packetHops, flitHops, portFlits } = site.columns
  const { portWords: WORDS } = site.constants
  const { load } = site
  const { held } = site.rooms
  const bytes = new Uint8Array(packets.buffer)
  const { router, local } = ports
  const { queues } = chains
  const { lane: laneOf, lanes: LANES, laneFlits: ROOM, queues: Q } = scheme
  const { leave, lack, renew } = inputs
  const { ask, match, pairs } = matching
  const { waiting, wants, askers, dirty, busyIn, busyOut, turn, lacking, from, until, ends, laneHeld } = frame.columns
  const READ = use.adaptive
  // [input << 5 | output] -> queue that would go, and the lane behind the output << 16
  const found = scratch(1024)
  let me = 0
  let wheel = 0
  let portBase = 0

  function enter(part: number): void {
    me = part
    wheel = part * (MASK + 1)
    portBase = firstRouter[part]! * PS
  }

  function arbitrate(r: number, _s: number, t: number): void {
    let asking = 0
    for (let m = askers[r]! & ~busyIn[r]!; m !== 0; m &= m - 1) {
      const i = low(m)
      const q = r * PS + i
      let can = 0
      for (let w = wants[q]! & ~busyOut[r]!; w !== 0; w &= w - 1) {
        const o = low(w)
        const got = pick(q, o, r * PS + o, t)
        if (got >= 0) {
          can |= 1 << o
          found[(i << 5) | o] = got
        } else lack(q, o)
      }
      if (can === 0) continue
      ask(0, i, can, 0)
      asking++
    }
    if (asking === 0) return
    const n = match(r)
    // who lost may win in the next cycle
    if (n < asking) dirty[r >> 5]! |= 1 << r
    for (let k = 0; k < n; k++) move(r, (pairs[k]! >> 8) & 255, pairs[k]! & 255, t)
  }

  /** The first queue of input q, from its turn on, whose front packet has room behind output o, with its lane there << 16; -1 if there is none. */
  function pick(q: number, o: number, port: number, t: number): number {
    const first = (q * R + o) * QW
    const begin = turn[q]!
    const word = begin >> 5
    for (let n = 0; n <= QW; n++) {
      const w = word + n < QW ? word + n : word + n - QW
      let m = waiting[first + w]!
      if (n === 0) m &= -1 << begin
      else if (n === QW) m &= ~(-1 << begin)
      for (; m !== 0; m &= m - 1) {
        const k = (w << 5) + low(m)
        const lane = room(port, queues[2 * (q * Q + k)]!)
        if (lane >= 0) return (lane << 16) | k
        if (lacking[q * Q + k] === 0) lacksFrom(q * Q + k, t)
      }
    }
    return -1
  }

  /** The lane of packet p behind an output, -1 if it has no room for it. */
  function room(port: number, p: number): number {
    const d = down[port]!
    if (d < 0) return 0
    const lane = laneOf(outerRouter[router[d >> LV]!]!, packets[p + DST]!, table)
    return laneHeld[port * LANES + lane]! + packets[p + FLITS]! <= ROOM ? lane : -1
  }

  /** Rare, so a function of its own: from this cycle on the front packet of a queue waits for room behind the link. */
  function lacksFrom(queue: number, t: number): void {
    lacking[queue] = 1
    packets[queues[2 * queue]! + HOPS]! -= t << CREDIT_SHIFT
  }

  function move(r: number, i: number, o: number, t: number): void {
    const got = found[(i << 5) | o]!
    const k = got & 0xffff
    const q = r * PS + i
    const port = r * PS + o
    busyIn[r]! |= 1 << i
    busyOut[r]! |= 1 << o
    const p = leave(q, o, k)
    const f = packets[p + FLITS]!
    if (lacking[q * Q + k] !== 0) {
      lacking[q * Q + k] = 0
      packets[p + HOPS]! += t << CREDIT_SHIFT
    }
    turn[q] = k + 1 === Q ? 0 : k + 1
    from[port] = q
    until[port] = t + f
    ends[(wheel + ((t + f) & MASK)) * WORDS + ((port - portBase) >> 5)]! |= 1 << port
    packetHops[me]!++
    flitHops[me]! += f
    portFlits[port]! += f
    bytes[((p + STATE) << 2) + 1] = 0
    if (down[port]! >= 0) {
      laneHeld[port * LANES + (got >> 16)]! += f
      if (READ) {
        load[port]! += f
        held[port << LV]! += f
      }
    }
    launch(port << LV, p, t + latency[port]! + (down[port]! < 0 ? f : hold[f]!))
    giveBackLane(q, LANES === 1 ? 0 : k, f, t)
  }

  function ended(port: number): void {
    const r = router[port]!
    busyIn[r]! &= ~(1 << local[from[port]!]!)
    busyOut[r]! &= ~(1 << local[port]!)
    if (askers[r] !== 0) dirty[r >> 5]! |= 1 << r
  }

  function laneCredit(port: number, lane: number, flits: number): void {
    laneHeld[port * LANES + lane]! -= flits
    if (READ) {
      load[port]! -= flits
      held[port << LV]! -= flits
    }
    renew(port)
  }

  return { enter, arbitrate, ended, laneCredit }
}
