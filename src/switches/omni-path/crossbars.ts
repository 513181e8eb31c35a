// The two crossbars of an Omni-Path switch. An MPort's crossbar leads its inputs to its own outputs, or by one of two up-links to the centre; the central one
// from the buffers of the up-links to all outputs. An output buffer takes a packet from each of them at the same time. Up-links carry three flits a cycle:
// a packet that is still arriving takes one of them, any other all that is left. Room in the output buffer is taken before a packet leaves its input, so
// nothing in the centre waits for room: it waits for its turn alone, and no ring of buffers can close through it.
// Columns:
//   turn      [q]        the VL of input q that is looked at first
//   inTarget  [q]        where the transfer of input q goes: output (number in the MPort), or MPORT + up-link of the MPort
//   inRate    [q]        flits a cycle that it takes of its up-link
//   inUntil   [q]        the cycle in which it ends;  inEnds: the wheel of them
//   writes, reads [u]    flits a cycle that enter and leave the buffer of up-link u
//   upLoad    [u]        flits of packets in it
//   busyWrite [(r << 1) + w]  outputs that the centre writes to
//   fronts    [u * R + o]     VLs whose first packet in u goes to output o
//   upWants   [(u << 1) + w]  outputs that u has a packet for;  upAskers [r]: up-links that have one
//   upTurn    [u]        the queue (output * VLs + VL, or VL) that is looked at first
//   readFrom, readRate, readUntil [o]  the up-link that output o is read from, flits a cycle, the cycle in which it ends;  readEnds: their wheel
//   comingDue           the wheel of up-links into which a packet has come
// The packet's own word: the cycle in which all of it is in the centre.
import { lowest } from "../../core/bitset.ts"
import { i32, scratch, u8, u16 } from "../../fabric/columns.ts"
import { FLITS, STATE } from "../../fabric/packets.ts"
import type { TransferWires } from "../../fabric/transfer.ts"
import type { InputStage } from "../parts/input.ts"
import type { LaneOutput } from "../parts/lanes.ts"
import { wheelMask, wheelWords } from "../parts/sweep.ts"
import type { Frame } from "./frame.ts"
import { UPLINK_RATE, UPLINKS } from "./params.ts"

export type Crossbars = ReturnType<typeof makeCrossbars>

function crossbarColumns({ site, ports, UP }: Frame, mask: number, upWords: number) {
  const { layout: l, constants } = site
  const uplinks = l.routers * UP
  const wheel = () => wheelWords(l.parts, mask, constants.portWords)
  return {
    turn: u8(ports.count),
    inTarget: u8(ports.count),
    inRate: u8(ports.count),
    inUntil: i32(ports.count),
    inEnds: wheel(),
    writes: i32(uplinks),
    reads: i32(uplinks),
    upLoad: i32(uplinks),
    busyWrite: i32(2 * l.routers),
    fronts: i32(uplinks * l.radix),
    upWants: i32(2 * uplinks),
    upAskers: i32(l.routers),
    upTurn: u16(uplinks),
    readFrom: i32(ports.count),
    readRate: u8(ports.count),
    readUntil: i32(ports.count),
    readEnds: wheel(),
    comingDue: wheelWords(l.parts, mask, upWords),
  }
}

export function makeCrossbars(frame: Frame, input: InputStage, output: LaneOutput, { giveBack }: TransferWires) {
  const low = lowest
  const { site, p: params, ports, chains, mportMatching, centralMatching, central, MP, UP, firstCentral, perUplink, firstComing } = frame
  const { layout, columns: a, constants } = site
  const { LV, PS, firstRouter, radix: R } = layout
  const { packets, packetHops, flitHops } = a
  const { portWords: WORDS, maxLength: LONGEST, own: OWN } = constants
  const bytes = new Uint8Array(packets.buffer)
  const { router, local } = ports
  const { push, pop, heads } = chains
  const { waiting, wants, askers, dirty, busyIn, busyOut, lastIn, tailAt } = input.columns
  const { queueOf, leave } = input
  const { choose, reserve, enqueue } = output
  const { fits, take: takeRoom, give } = central.rules
  const { mport: MPORT, rate: RATE, centralRate: CENTRAL_RATE, middle: MIDDLE } = params
  const SHARED = params.uplink === "shared"
  const SHARED_READS = params.reads === "shared"
  const BY_OUTPUT = params.queues === "output"
  const LANES = 1 << LV
  const VMASK = LANES - 1
  const NARROW = R <= 32
  const UP_WORDS = upWordsOf(frame)
  const MASK = wheelMask(2 * LONGEST + MIDDLE + 4)
  const columns = crossbarColumns(frame, MASK, UP_WORDS)
  const { turn, inTarget, inRate, inUntil, inEnds, writes, reads, upLoad, busyWrite, fronts, upWants, upAskers, upTurn } = columns
  const { readFrom, readRate, readUntil, readEnds, comingDue } = columns
  // [input of the MPort * 64 + target] -> output << 16 | VL behind it << 8 | VL
  const found = scratch(MPORT << 6)
  // queues of an up-link; [up-link of the router] -> VL that would be read
  const QUEUES = perUplink
  const vlOf = scratch(UP)
  let me = 0
  let wheel = 0
  let portBase = 0
  let upBase = 0
  // of the candidate that was looked at last: its target
  let target = 0

  function enter(part: number): void {
    me = part
    wheel = part * (MASK + 1)
    portBase = firstRouter[part]! * PS
    upBase = firstRouter[part]! * UP
  }

  function look(r: number): void {
    dirty[r >> 5]! |= 1 << r
  }

  /** The centre goes first: what it reads makes room for what follows. */
  function arbitrate(r: number, _s: number, t: number): void {
    if (upAskers[r] !== 0) readCentral(r, t)
    for (let m = 0; m < MP; m++) {
      const first = m * MPORT
      let asking = 0
      for (let i = 0; i < MPORT; i++) {
        const port = first + i
        const word = (r << 1) + (NARROW ? 0 : port >> 5)
        if ((((askers[word]! & ~busyIn[word]!) >>> port) & 1) === 0) continue
        if (asks(r, m, i, t)) asking++
      }
      if (asking === 0) continue
      const n = mportMatching.match(r * MP + m)
      // who lost may win in the next cycle
      if (n < asking) look(r)
      for (let k = 0; k < n; k++) {
        const pair = mportMatching.pairs[k]!
        move(r, m, (pair >> 8) & 255, pair & 255, t)
      }
    }
  }

  /** Input i of MPort m asks for what the first of its VLs, in turn, that could go now wants. */
  function asks(r: number, m: number, i: number, t: number): boolean {
    const q = r * PS + m * MPORT + i
    let least = 256
    let best = 0
    for (let word = 0; word < (NARROW ? 1 : 2); word++)
      for (let outputs = wants[(q << 1) + word]!; outputs !== 0; outputs &= outputs - 1) {
        const o = (word << 5) + low(outputs)
        for (let vls = waiting[q * R + o]!; vls !== 0; vls &= vls - 1) {
          const v = low(vls)
          const wait = (v - turn[q]!) & VMASK
          if (wait >= least) continue
          const got = able(r, m, q, o, v, t)
          if (got < 0) continue
          least = wait
          best = target
          found[(i << 6) | target] = (o << 16) | (got << 8) | v
        }
      }
    if (least === 256) return false
    mportMatching.ask(0, i, 1 << best, 0)
    return true
  }

  /** The VL behind output o for the first packet of VL v of input q, less than 0 if it cannot go now; and its `target`. */
  function able(r: number, m: number, q: number, o: number, v: number, _t: number): number {
    const p = heads[queueOf(q, o, v)]!
    const direct = Math.floor(o / MPORT) === m
    if (direct && ((busyOut[(r << 1) + (NARROW ? 0 : o >> 5)]! >>> o) & 1) !== 0) return -1
    const got = choose(q, r * PS + o, p)
    if (got < 0) return -1
    target = direct ? o - m * MPORT : uplink(r, m, got, packets[p + FLITS]!)
    return target < 0 ? -1 : got
  }

  /** The up-link of MPort m with less in it, if there is room for f flits on this VL and it has a flit a cycle left; as a target. */
  function uplink(r: number, m: number, v: number, f: number): number {
    if (!fits(((r * MP + m) << LV) + v, f)) return -1
    const u = r * UP + m * UPLINKS
    const most = SHARED ? UPLINK_RATE : 1
    let best = -1
    for (let n = 0; n < UPLINKS; n++) if (writes[u + n]! < most && (best < 0 || upLoad[u + n]! < upLoad[u + best]!)) best = n
    return best < 0 ? -1 : MPORT + best
  }

  function move(r: number, m: number, i: number, to: number, t: number): void {
    const got = found[(i << 6) | to]!
    const v = got & 255
    const o = got >> 16
    const q = r * PS + m * MPORT + i
    const port = m * MPORT + i
    const p = leave(q, o, v, t)
    const f = packets[p + FLITS]!
    const tail = lastIn[q] === p ? tailAt[q]! : 0
    busyIn[(r << 1) + (NARROW ? 0 : port >> 5)]! |= 1 << port
    turn[q] = (v + 1) & VMASK
    reserve(r * PS + o, (got >> 8) & 255, p)
    const rate = to < MPORT ? RATE : !SHARED ? UPLINK_RATE : tail > t ? 1 : UPLINK_RATE - writes[r * UP + m * UPLINKS + to - MPORT]!
    let end = t + Math.ceil(f / rate)
    if (tail >= end) end = tail + 1
    inTarget[q] = to
    inRate[q] = rate
    inUntil[q] = end
    inEnds[(wheel + (end & MASK)) * WORDS + ((q - portBase) >> 5)]! |= 1 << q
    if (to < MPORT) {
      busyOut[(r << 1) + (NARROW ? 0 : o >> 5)]! |= 1 << o
      packetHops[me]!++
      flitHops[me]! += f
      enqueue(r * PS + o, (got >> 8) & 255, p, t)
    } else up(r * UP + m * UPLINKS + to - MPORT, r * MP + m, (got >> 8) & 255, p, f, rate, end, t)
    giveBack((q << LV) + v, f, t)
  }

  function up(u: number, m: number, v: number, p: number, f: number, rate: number, end: number, t: number): void {
    takeRoom((m << LV) + v, f)
    writes[u]! += SHARED ? rate : 1
    upLoad[u]! += f
    packets[p + OWN] = end
    push(firstComing + u, p)
    const rel = u - upBase
    comingDue[(wheel + ((t + MIDDLE) & MASK)) * UP_WORDS + (rel >> 5)]! |= 1 << rel
  }

  /** The transfer of input q has ended. */
  function ended(q: number, _s: number, _t: number): void {
    const r = router[q]!
    const port = local[q]!
    const to = inTarget[q]!
    const m = Math.floor(port / MPORT)
    busyIn[(r << 1) + (NARROW ? 0 : port >> 5)]! &= ~(1 << port)
    if (to < MPORT) {
      const o = m * MPORT + to
      busyOut[(r << 1) + (NARROW ? 0 : o >> 5)]! &= ~(1 << o)
    } else writes[r * UP + m * UPLINKS + to - MPORT]! -= SHARED ? inRate[q]! : 1
    look(r)
  }

  /** A packet has come into the buffer of up-link u. */
  function came(u: number): void {
    const p = pop(firstComing + u)
    const o = bytes[(p + STATE) << 2]!
    const v = bytes[((p + STATE) << 2) + 1]!
    if (push(firstCentral + u * perUplink + (BY_OUTPUT ? o * LANES : 0) + v, p)) front(u, o, v)
    look(Math.floor(u / UP))
  }

  function front(u: number, o: number, v: number): void {
    fronts[u * R + o]! |= 1 << v
    upWants[(u << 1) + (NARROW ? 0 : o >> 5)]! |= 1 << o
    upAskers[Math.floor(u / UP)]! |= 1 << (u % UP)
  }

  function readCentral(r: number, t: number): void {
    let asking = 0
    for (let m = upAskers[r]!; m !== 0; m &= m - 1) {
      const n = low(m)
      const u = r * UP + n
      if (reads[u]! >= (SHARED_READS ? UPLINK_RATE : 1)) continue
      const a = upWants[u << 1]! & ~busyWrite[r << 1]!
      const b = NARROW ? 0 : upWants[(u << 1) + 1]! & ~busyWrite[(r << 1) + 1]!
      if ((a | b) === 0) continue
      const o = nextRead(u, a, b)
      centralMatching.ask(0, n, o < 32 ? 1 << o : 0, o < 32 ? 0 : 1 << o)
      asking++
    }
    if (asking === 0) return
    const n = centralMatching.match(r)
    for (let k = 0; k < n; k++) {
      const pair = centralMatching.pairs[k]!
      read(r, r * UP + ((pair >> 8) & 255), pair & 255, t)
    }
    // whoever lost, or has more to read, may go in the next cycle
    look(r)
  }

  /** Of the queues of up-link u whose output is free, the first in turn: its output. Its VL is in `vlOf`. */
  function nextRead(u: number, a: number, b: number): number {
    let best = -1
    let least = QUEUES + 1
    for (let word = 0; word < (NARROW ? 1 : 2); word++)
      for (let m = word === 0 ? a : b; m !== 0; m &= m - 1) {
        const o = (word << 5) + low(m)
        for (let vls = fronts[u * R + o]!; vls !== 0; vls &= vls - 1) {
          const v = low(vls)
          const away = (BY_OUTPUT ? o * LANES + v : v) - upTurn[u]!
          const wait = away < 0 ? away + QUEUES : away
          if (wait >= least) continue
          least = wait
          best = o
          vlOf[u % UP] = v
        }
      }
    return best
  }

  function read(r: number, u: number, o: number, t: number): void {
    const v = vlOf[u % UP]!
    const queue = firstCentral + u * perUplink + (BY_OUTPUT ? o * LANES : 0) + v
    const p = pop(queue)
    const f = packets[p + FLITS]!
    const port = r * PS + o
    const next = heads[queue]!
    if (next === 0 || !BY_OUTPUT) gone(r, u, o, v)
    if (next !== 0 && !BY_OUTPUT) front(u, bytes[(next + STATE) << 2]!, v)
    const served = (BY_OUTPUT ? o * LANES + v : v) + 1
    upTurn[u] = served === QUEUES ? 0 : served
    const whole = packets[p + OWN]!
    const left = SHARED_READS ? UPLINK_RATE - reads[u]! : UPLINK_RATE
    const rate = whole > t ? 1 : CENTRAL_RATE < left ? CENTRAL_RATE : left
    let end = t + Math.ceil(f / rate)
    if (whole >= end) end = whole + 1
    reads[u]! += SHARED_READS ? rate : 1
    upLoad[u]! -= f
    give((Math.floor(u / UPLINKS) << LV) + v, f)
    busyWrite[(r << 1) + (NARROW ? 0 : o >> 5)]! |= 1 << o
    readFrom[port] = u
    readRate[port] = SHARED_READS ? rate : 1
    readUntil[port] = end
    readEnds[(wheel + (end & MASK)) * WORDS + ((port - portBase) >> 5)]! |= 1 << port
    packetHops[me]!++
    flitHops[me]! += f
    enqueue(port, v, p, t)
  }

  function gone(r: number, u: number, o: number, v: number): void {
    const left = fronts[u * R + o]! & ~(1 << v)
    fronts[u * R + o] = left
    if (left !== 0) return
    upWants[(u << 1) + (NARROW ? 0 : o >> 5)]! &= ~(1 << o)
    if ((upWants[u << 1]! | upWants[(u << 1) + 1]!) === 0) upAskers[r]! &= ~(1 << (u % UP))
  }

  /** What output o was read from the centre has all crossed. */
  function wasRead(port: number, _s: number, _t: number): void {
    const r = router[port]!
    const o = local[port]!
    reads[readFrom[port]!]! -= readRate[port]!
    busyWrite[(r << 1) + (NARROW ? 0 : o >> 5)]! &= ~(1 << o)
    look(r)
  }

  return { columns, wheelMask: MASK, upWords: UP_WORDS, enter, arbitrate, ended, came, wasRead, look }
}

/** Words of a partition's up-links: partitions begin at multiples of 32 routers, so at whole words. */
function upWordsOf({ site, UP }: Frame): number {
  const { firstRouter, parts } = site.layout
  let most = 0
  for (let part = 0; part < parts; part++) most = Math.max(most, (firstRouter[part + 1]! - firstRouter[part]!) * UP)
  return (most + 31) >> 5
}
