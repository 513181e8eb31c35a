// The central crossbar of an Omni-Path switch, from the buffers of the up-links to all outputs. An output buffer can
// accept a packet from here and one from the crossbar of its MPort at the same time. Three flits per cycle leave the
// buffer of an up-link; a packet that is still arriving can use one of them.
//
// An up-link is visited when a packet has arrived, when one of its reads has ended, and when an output that it requests
// becomes free. The packet's own word is the cycle in which all of it is in the centre.
//
// Columns (in addition to the records of up-links, up-link.ts, and of outputs: up-link, flits per cycle and end of the
// read):
//   `upAwake`      [r]             up-links to visit;
//   `upWaiters`    [o]             up-links that have a packet for output o;
//   `busyWrite`    [(r << 1) + w]  outputs that the centre writes to;
//   `fronts`       [u * R + o]     VLs whose first packet in u goes to output o;
//   `upNext`       [r * UP + n]    1 + the output that up-link n was granted last;
//   `centralNext`  [r * R + o]     round-robin pointer of output o over the up-links;
//   `readEnds`                     timing wheel of outputs, by the step in which their reads end;
//   `comingDue`                    timing wheel of up-links, by the step in which a packet arrives in their buffer.
import { lowest } from "../../core/bitset.ts"
import { APART, i32, scratch, u8 } from "../../fabric/columns.ts"
import { FLITS, STATE } from "../../fabric/packets.ts"
import { wheelMask, wheelWords } from "../parts/ready-sets.ts"
import { OUTPUT } from "../parts/service-level-stages.ts"
import type { VlOutput } from "../parts/vl-outputs.ts"
import type { VlInput } from "../parts/vls.ts"
import { BY_SPACE, type Calls } from "./calls.ts"
import { UPLINK_RATE, UPLINKS } from "./params.ts"
import type { SharedState } from "./shared-state.ts"
import { UP_LINK } from "./up-link.ts"

export type Centre = ReturnType<typeof makeCentre>

function centreColumns({ site, ports, UP }: SharedState, mask: number, upWords: number) {
  const { layout: l, constants } = site
  return {
    upAwake: i32(l.routers),
    upWaiters: i32(ports.count),
    busyWrite: i32(2 * l.routers),
    fronts: i32(l.routers * UP * l.radix),
    upNext: u8(l.routers * UP),
    centralNext: u8(l.routers * l.radix),
    readEnds: wheelWords(l.parts, mask, constants.portWords),
    comingDue: wheelWords(l.parts, mask, upWords),
  }
}

/**
 * Creates the central stage. crossbars.ts passes packets to `up`, and switch.ts calls the other functions in each step.
 */
export function makeCentre(
  sharedState: SharedState,
  { columns: { needsArbitration } }: VlInput,
  { enqueue }: VlOutput,
  { call }: Calls,
) {
  const low = lowest
  const {
    site,
    p: params,
    ports,
    packetQueues,
    central,
    outputs,
    shift: SHIFT,
    upLinks,
    UP,
    firstCentral,
    perUplink,
    firstComing,
  } = sharedState
  const { LV, PS, firstRouter, radix: R } = site.layout
  const { packets, packetHops, flitHops } = site.columns
  const { portWords: WORDS, maxLength: LONGEST, own: OWN } = site.constants
  const bytes = new Uint8Array(packets.buffer)
  const { router, local } = ports
  const { push, pop, first } = packetQueues
  const { take: takeSpace, give } = central.rules
  const { centralRate: RATE, middle: MIDDLE } = params
  const SHARED = params.reads === "shared"
  const MOST = SHARED ? UPLINK_RATE : 1
  const BY_OUTPUT = params.queues === "output"
  const LANES = 1 << LV
  const VMASK = LANES - 1
  const NARROW = R <= 32
  const UP_WORDS = upWordsOf(sharedState)
  const MASK = wheelMask(2 * LONGEST + MIDDLE + 4)
  const { writes: WRITES, reads: READS, load: LOAD, wants: WANTS, turn: TURN, shift: UP_SHIFT } = UP_LINK
  const { from: FROM, rate: READ_RATE, ends: ENDS } = OUTPUT
  const columns = centreColumns(sharedState, MASK, UP_WORDS)
  const { upAwake, upWaiters, busyWrite, fronts, upNext, centralNext, readEnds, comingDue } = columns
  // [output] -> up-links that request it; [up-link of the router] -> VL that would be read
  const requested = scratch(64)
  const vlOf = scratch(UP)
  // Receives the values that prefetches have read, so that the reads are not optimised away.
  const touched = scratch(1)
  let me = 0
  let wheel = 0
  let portBase = 0
  let upBase = 0

  function enter(part: number): void {
    me = part
    wheel = part * (MASK + 1)
    portBase = firstRouter[part] * PS
    upBase = firstRouter[part] * UP
  }

  /** Marks up-links (bits) of router r for a visit. */
  function look(r: number, who: number): void {
    upAwake[r] |= who
    needsArbitration[r >> 5] |= 1 << r
  }

  /** Packet p starts to enter the buffer of up-link u at `rate` flits per cycle; all of it is there in cycle `end`. */
  function up(u: number, v: number, p: number, f: number, rate: number, end: number, t: number): void {
    const at = u << UP_SHIFT
    takeSpace((((u / UPLINKS) | 0) << LV) + v, f)
    upLinks[at + WRITES] += rate
    upLinks[at + LOAD] += f
    packets[p + OWN] = end
    push(firstComing + u, p)
    const rel = u - upBase
    comingDue[(wheel + ((t + MIDDLE) & MASK)) * UP_WORDS + (rel >> 5)] |= 1 << rel
  }

  /** A packet has arrived in the buffer of up-link u. */
  function came(u: number, _s: number, _t: number): void {
    const p = pop(firstComing + u)
    const o = bytes[(p + STATE) << 2]
    const v = bytes[((p + STATE) << 2) + 1]
    const r = (u / UP) | 0
    if (!push(firstCentral + u * perUplink + (BY_OUTPUT ? o * LANES : 0) + v, p)) return
    front(r, u, o, v)
    look(r, 1 << (u - r * UP))
  }

  /** Prefetches the state that `came` reads (../parts/ready-sets.ts, `gather`): the packets, then their queues. */
  function touchComing(list: Int32Array, n: number): void {
    let all = 0
    for (let k = 0; k < n; k++) all |= packets[first(firstComing + list[k]) + STATE]
    for (let k = 0; k < n; k++) {
      const u = list[k]
      const at = (first(firstComing + u) + STATE) << 2
      const o = bytes[at]
      all |= first(firstCentral + u * perUplink + (BY_OUTPUT ? o * LANES : 0) + bytes[at + 1]) | fronts[u * R + o]
    }
    touched[0] = all
  }

  /** VL v of up-link u has a new first packet, for output o. */
  function front(r: number, u: number, o: number, v: number): void {
    fronts[u * R + o] |= 1 << v
    upLinks[(u << UP_SHIFT) + WANTS + (NARROW ? 0 : o >> 5)] |= 1 << o
    upWaiters[r * PS + o] |= 1 << (u - r * UP)
  }

  /** Arbitrates the centre of router r: each up-link requests one output, then each output grants one up-link. */
  function arbitrate(r: number, t: number): void {
    let metLow = 0
    let metHigh = 0
    const awake = upAwake[r]
    upAwake[r] = 0
    for (let m = awake; m !== 0; m &= m - 1) {
      const n = low(m)
      const u = r * UP + n
      const at = u << UP_SHIFT
      // All read bandwidth of the up-link is in use; the end of a read marks it again.
      if (upLinks[at + READS] >= MOST) continue
      const a = upLinks[at + WANTS] & ~busyWrite[r << 1]
      const b = NARROW ? 0 : upLinks[at + WANTS + 1] & ~busyWrite[(r << 1) + 1]
      if ((a | b) === 0) continue
      const o = BY_OUTPUT ? nextOutput(u, n, a, b) : nextVl(u, n, a, b)
      requested[o] |= m & -m
      if (o < 32) metLow |= 1 << o
      else metHigh |= 1 << o
    }
    if (metLow !== 0) grant(r, metLow, 0, t)
    if (metHigh !== 0) grant(r, metHigh, 32, t)
  }

  /** Each output of `met` grants one of its up-links, round-robin, and starts the read. */
  function grant(r: number, met: number, base: number, t: number): void {
    for (let m = met; m !== 0; m &= m - 1) {
      const o = base + low(m)
      const who = requested[o]
      requested[o] = 0
      const after = who & (-1 << centralNext[r * R + o])
      const n = low(after !== 0 ? after : who)
      centralNext[r * R + o] = n + 1 === UP ? 0 : n + 1
      upNext[r * UP + n] = o + 1 === R ? 0 : o + 1
      read(r, r * UP + n, o, t)
      // The losers, and the winner if it has more packets, may go in the next cycle.
      look(r, who)
    }
  }

  /**
   * Returns the output of the first queue of up-link u, round-robin, whose output is free. Its VL is stored in `vlOf`.
   */
  function nextOutput(u: number, n: number, a: number, b: number): number {
    const turn = upLinks[(u << UP_SHIFT) + TURN]
    const o = turn >> LV
    if ((((NARROW || o < 32 ? a : b) >>> o) & 1) !== 0) {
      const vls = fronts[u * R + o] & (-1 << (turn & VMASK))
      if (vls !== 0) {
        vlOf[n] = low(vls)
        return o
      }
    }
    const found = after(a, b, o + 1)
    vlOf[n] = low(fronts[u * R + found])
    return found
  }

  /** Returns the first member of a non-empty set at or after `start`, cyclically. */
  function after(a: number, b: number, start: number): number {
    if (start < 32) {
      const m = a & (-1 << start)
      if (m !== 0) return low(m)
      if (b !== 0) return 32 + low(b)
      return low(a)
    }
    const m = start < 64 ? b & (-1 << start) : 0
    if (m !== 0) return 32 + low(m)
    return a !== 0 ? low(a) : 32 + low(b)
  }

  /** The same if the up-link has one queue for each VL. */
  function nextVl(u: number, n: number, a: number, b: number): number {
    const turn = upLinks[(u << UP_SHIFT) + TURN]
    let best = -1
    let least = LANES
    for (let word = 0; word < (NARROW ? 1 : 2); word++)
      for (let m = word === 0 ? a : b; m !== 0; m &= m - 1) {
        const o = (word << 5) + low(m)
        for (let vls = fronts[u * R + o]; vls !== 0; vls &= vls - 1) {
          const wait = (low(vls) - turn) & VMASK
          if (wait >= least) continue
          least = wait
          best = o
          vlOf[n] = low(vls)
        }
      }
    return best
  }

  /**
   * Starts to read a packet of up-link u for output o. The rate is 1 for a packet that is still arriving, otherwise
   * what is left of the rate of the up-link, up to `centralRate`. Its central buffer space is freed at once.
   */
  function read(r: number, u: number, o: number, t: number): void {
    const at = u << UP_SHIFT
    const v = vlOf[u - r * UP]
    const queue = firstCentral + u * perUplink + (BY_OUTPUT ? o * LANES : 0) + v
    const p = pop(queue)
    const f = packets[p + FLITS]
    const port = r * PS + o
    // With queues by output, the next packet has the same output. With queues by VL, it may have another one.
    const next = first(queue)
    if (next === 0 || !BY_OUTPUT) gone(r, u, o, v)
    if (next !== 0 && !BY_OUTPUT) front(r, u, bytes[(next + STATE) << 2], v)
    const served = (BY_OUTPUT ? o * LANES + v : v) + 1
    upLinks[at + TURN] = served === perUplink ? 0 : served
    const whole = packets[p + OWN]
    const left = SHARED ? UPLINK_RATE - upLinks[at + READS] : UPLINK_RATE
    const rate = whole > t ? 1 : RATE < left ? RATE : left
    // A packet that is still arriving cannot be read before its last flit has arrived.
    let end = t + Math.ceil(f / rate)
    if (whole >= end) end = whole + 1
    const takes = SHARED ? rate : 1
    upLinks[at + READS] += takes
    upLinks[at + LOAD] -= f
    const mport = (u / UPLINKS) | 0
    give((mport << LV) + v, f)
    call(mport, BY_SPACE)
    busyWrite[(r << 1) + (NARROW ? 0 : o >> 5)] |= 1 << o
    const record = port << SHIFT
    outputs[record + FROM] = u
    outputs[record + READ_RATE] = takes
    outputs[record + ENDS] = end
    readEnds[(wheel + (end & MASK)) * WORDS + ((port - portBase) >> 5)] |= 1 << port
    packetHops[me * APART]++
    flitHops[me * APART] += f
    enqueue(port, v, p, t)
  }

  /** VL v of up-link u has no more first packet for output o. */
  function gone(r: number, u: number, o: number, v: number): void {
    const left = fronts[u * R + o] & ~(1 << v)
    fronts[u * R + o] = left
    if (left !== 0) return
    upLinks[(u << UP_SHIFT) + WANTS + (NARROW ? 0 : o >> 5)] &= ~(1 << o)
    upWaiters[r * PS + o] &= ~(1 << (u - r * UP))
  }

  /** The read of output `port` from the centre has ended. */
  function wasRead(port: number, _s: number, _t: number): void {
    const r = router[port]
    const o = local[port]
    const record = port << SHIFT
    const u = outputs[record + FROM]
    upLinks[(u << UP_SHIFT) + READS] -= outputs[record + READ_RATE]
    busyWrite[(r << 1) + (NARROW ? 0 : o >> 5)] &= ~(1 << o)
    look(r, upWaiters[port] | (1 << (u - r * UP)))
  }

  return { columns, wheelMask: MASK, upWords: UP_WORDS, enter, arbitrate, up, came, wasRead, touchComing }
}

/**
 * Returns the words of the up-links of a partition. Partitions start at multiples of 32 routers, that is at whole
 * words.
 */
export function upWordsOf({ site, UP }: SharedState): number {
  const { firstRouter, parts } = site.layout
  let most = 0
  for (let part = 0; part < parts; part++) most = Math.max(most, (firstRouter[part + 1] - firstRouter[part]) * UP)
  return (most + 31) >> 5
}
