// A switch for tests of the engine that moves whole packets: a queue for each input VC, links that take the most urgent
// packet that can go, no crossbar. Beside that it does all that a switch may: it drops and answers, makes control
// packets, and talks to its neighbours.
import { i32 } from "../../src/fabric/columns.ts"
import { NOWHERE } from "../../src/fabric/layout.ts"
import { DST, eachInChain, FLAG, FLITS, HOP_MASK, HOPS, KEY, NEXT, SRC, STATE } from "../../src/fabric/packets.ts"
import type { TransferSwitchModel } from "../../src/fabric/switch-model.ts"
import type { SwitchContext, SwitchPorts, TransferSite, TransferSwitch } from "../../src/fabric/transfer.ts"

/** Kinds of the tests' packets. */
export const SPECULATIVE = 2
export const DROPPED = 3
export const MADE = 4
export const NOTE = 5
export const DONE = 6

export interface PlainOptions {
  readonly vcs: number
  readonly buffer: number
  readonly maxPacket: number
  /** one in so many speculative packets is dropped at each switch; 0 = none */
  readonly drops?: number
  /** one in so many packets of data makes its router send a control packet to the packet's source */
  readonly makes?: number
  /** flits of a message to the neighbour that sent a packet, for each packet; 0 = none. `sideband`: it costs nothing */
  readonly notes?: number
  readonly sideband?: boolean
  /** so many of them at once, instead of one */
  readonly burst?: number
  /** so many lanes of `buffer` flits instead of VCs, by destination */
  readonly lanes?: number
}

export function plainSwitch(o: PlainOptions): TransferSwitchModel {
  const buffer = { flits: o.vcs * o.buffer, reserve: o.buffer, reservedVcs: 2 ** o.vcs - 1, cap: 0, part: 0 }
  return {
    moves: "packets",
    vcs: o.vcs,
    layout: {
      // its core does nothing; a speed above 1 makes room for as many credits at once as an input can give back without
      // a crossbar between
      clock: { link: 2, core: 1 },
      hold: new Uint16Array(o.maxPacket + 1).fill(1),
      pass: new Uint16Array(1),
      maxPacket: o.maxPacket,
      innerFlits: o.buffer * o.vcs,
      input: () => buffer,
      output: () => buffer,
    },
    entry: { anyEntry: true },
    extensions: {
      ...((o.notes ?? 0) > 0 ? { messages: {} } : {}),
      ...(o.lanes === undefined ? {} : { lanes: { count: o.lanes, flits: o.buffer, of: (_, dst) => dst % o.lanes! } }),
    },
    build: (site, use) => (wires) => makePlain(o, site, use, wires),
  }
}

function makePlain(o: PlainOptions, site: TransferSite, use: SwitchContext, wires: SwitchPorts): TransferSwitch {
  const { layout: l, columns: shared, rules, queued, constants } = site
  const { LV, PS, down, latency, outerRouter, firstRouter } = l
  const { packets, portFlits } = shared
  const { plan, routing, net, out } = use
  const bytes = new Uint8Array(packets.buffer)
  const ports = l.routers * PS
  const VMASK = (1 << LV) - 1
  const MADE_QUEUES = l.NOV * 2
  // chains of input VCs, then of what a router made itself; messages that wait for a link
  const queue = i32(MADE_QUEUES + 2 * l.routers)
  const notes = i32(2 * ports)
  const columns = {
    queue,
    notes,
    linkUntil: i32(ports),
    turn: i32(ports),
    // messages sent and heard on each link, those that came out of order, flits of messages, packets of each kind
    told: i32(ports),
    heard: i32(ports),
    disorder: i32(l.routers),
    controlFlits: i32(ports),
    arrived: i32(l.routers),
    made: i32(l.routers),
    // [output port, lane] -> flits behind it
    laneHeld: i32(ports * (o.lanes ?? 0)),
  }
  const { laneHeld, linkUntil, turn, told, heard, disorder, controlFlits, arrived, made } = columns
  const CONTROL_VC = plan.classes[plan.data]?.first ?? 0
  let part = 0

  function push(q: Int32Array, i: number, p: number): void {
    packets[p + NEXT] = 0
    if (q[i] === 0) q[i] = p
    else packets[q[i + 1] + NEXT] = p
    q[i + 1] = p
  }

  /** Output port and VC of a packet at port q of its router, on VC v. */
  function route(p: number, r: number, port: number, v: number, t: number): void {
    const at = outerRouter[r]
    net.decide(t)
    if ((packets[p + HOPS] & HOP_MASK) === 0) routing.inject?.(p, at, net)
    out.n = 0
    routing.route(p, at, port, v - plan.firstOf[v], net, out)
    const mask = plan.wholeOf[v] || out.vcMask[0] << plan.firstOf[v]
    bytes[(p + STATE) << 2] = out.port[0]
    bytes[((p + STATE) << 2) + 1] = 31 - Math.clz32(mask & -mask)
    packets[p + HOPS]++
  }

  /** The record becomes, or is, a control packet that starts here. */
  function start(p: number, r: number, t: number): void {
    route(p, r, 0, CONTROL_VC, t)
    push(queue, MADE_QUEUES + 2 * r, p)
  }

  function arrive(iv: number, p: number, t: number): void {
    const port = iv >> LV
    const r = Math.floor(port / PS)
    const control = (bytes[((p + STATE) << 2) + 2] & FLAG.ack) !== 0
    if (!control) {
      const n = arrived[r]++
      if ((o.notes ?? 0) > 0) for (let n = 0; n < (o.burst ?? 1); n++) tellBack(port, t)
      if ((o.makes ?? 0) > 0 && n % o.makes! === 0) {
        const by = wires.make(r, packets[p + SRC], packets[p + SRC], MADE, n, 1)
        if (by !== 0) {
          made[r]++
          start(by, r, t)
        }
      }
      const salt = packets[p + KEY] ^ (packets[p + HOPS] & HOP_MASK)
      if ((o.drops ?? 0) > 0 && packets[p + constants.kind] === SPECULATIVE && (salt >>> 4) % o.drops! === 0) {
        returnCredit(iv, p, t)
        wires.answer(p, DROPPED, t, 1)
        start(p, r, t)
        return
      }
    }
    route(p, r, port % PS, iv & VMASK, t)
    push(queue, 2 * iv, p)
  }

  /** To whom the packet came from: over the link back. */
  function tellBack(port: number, t: number): void {
    const p = wires.note(NOTE, told[port]++, o.notes!)
    if (o.sideband === true) wires.sendToNeighbour(port, p, t + latency[port])
    else push(notes, 2 * port, p)
  }

  function hear(port: number, p: number, _t: number): void {
    if (packets[p + constants.value] !== heard[port]) disorder[Math.floor(port / PS)]++
    heard[port]++
    wires.discard(p)
  }

  /** Of the fronts that want output `port`: the place of the most urgent one that can go, in turn; -1 if none can. */
  function choose(port: number): number {
    const r = Math.floor(port / PS)
    let best = -1
    let rank = 0
    const slots = (PS << LV) + 1
    for (let n = 0; n < slots; n++) {
      const s = (turn[port] + n) % slots
      const i = s === slots - 1 ? MADE_QUEUES + 2 * r : 2 * (((r * PS) << LV) + s)
      const p = queue[i]
      if (p === 0 || r * PS + bytes[(p + STATE) << 2] !== port) continue
      const v = bytes[((p + STATE) << 2) + 1]
      if (down[port] >= 0 && !fits(port, v, p)) continue
      const level = plan.levelOf[v]
      if (best >= 0 && level >= rank) continue
      best = i
      rank = level
    }
    return best
  }

  function fits(port: number, v: number, p: number): boolean {
    if (o.lanes === undefined) return rules.fits((port << LV) + v, packets[p + FLITS])
    return laneHeld[port * o.lanes + (packets[p + DST] % o.lanes)] + packets[p + FLITS] <= o.buffer
  }

  function take(ov: number, p: number): void {
    const f = packets[p + FLITS]
    if (o.lanes === undefined) rules.take(ov, f)
    else laneHeld[(ov >> LV) * o.lanes + (packets[p + DST] % o.lanes)] += f
  }

  function returnCredit(iv: number, p: number, t: number): void {
    const f = packets[p + FLITS]
    if (o.lanes === undefined) wires.returnCredit(iv, f, t)
    else wires.returnVlCredit(iv >> LV, packets[p + DST] % o.lanes, f, t)
  }

  function sendControl(port: number, t: number): void {
    const p = notes[2 * port]
    const f = packets[p + FLITS]
    notes[2 * port] = packets[p + NEXT]
    linkUntil[port] = t + f
    portFlits[port] += f
    controlFlits[port] += f
    wires.sendToNeighbour(port, p, t + latency[port] + f)
  }

  function link(t: number): void {
    for (let r = firstRouter[part]; r < firstRouter[part + 1]; r++) {
      if (outerRouter[r] < 0) continue
      for (let port = r * PS; port < r * PS + l.radix; port++) {
        if (linkUntil[port] > t || down[port] === NOWHERE) continue
        if (notes[2 * port] !== 0) {
          sendControl(port, t)
          continue
        }
        const i = choose(port)
        if (i < 0) continue
        const p = queue[i]
        const f = packets[p + FLITS]
        const ov = (port << LV) + bytes[((p + STATE) << 2) + 1]
        queue[i] = packets[p + NEXT]
        turn[port] = (i >= MADE_QUEUES ? PS << LV : i / 2 - ((r * PS) << LV)) + 1
        if (i < MADE_QUEUES) returnCredit(i / 2, p, t)
        linkUntil[port] = t + f
        portFlits[port] += f
        if (down[port] >= 0) {
          take(ov, p)
          queued[ov] -= f
        }
        wires.transmit(ov, p, t + latency[port] + (down[port] >= 0 ? 1 : f))
      }
    }
  }

  return {
    enter(p) {
      part = p
    },
    arrive,
    credit(ov, flits) {
      rules.give(ov, flits)
      queued[ov] += flits
    },
    ...(o.lanes === undefined
      ? {}
      : {
          laneCredit(port: number, lane: number, flits: number) {
            laneHeld[port * o.lanes! + lane] -= flits
            queued[port << LV] += flits
          },
        }),
    receiveFromNeighbour: hear,
    link,
    core() {},
    // no test makes it stall: what it lacks comes by itself
    waits: () => [],
    span: 1,
    columns,
    digest(d, outer) {
      for (let q = 0; q < ports; q++) {
        if (outerRouter[Math.floor(q / PS)] < 0) continue
        const key = outer(q << LV)
        d.add(key, linkUntil[q], turn[q] * 65536 + told[q] * 256 + heard[q])
        for (let v = 0; v <= VMASK; v++)
          eachInChain(packets, queue[2 * ((q << LV) + v)], (p, n) => d.add(key + v, packets[p + KEY], n))
        eachInChain(packets, notes[2 * q], (p, n) => d.add(key ^ 0x77, packets[p + constants.value], n))
      }
      for (let r = 0; r < l.routers; r++)
        if (outerRouter[r] >= 0)
          eachInChain(packets, queue[MADE_QUEUES + 2 * r], (p, n) =>
            d.add(outerRouter[r] ^ 0x5555, packets[p + KEY], n),
          )
    },
    audit: () => [],
    values: () => ({}),
    queues(visit, first, end) {
      for (let i = 0; i < queue.length; i += 2) {
        const port = i < MADE_QUEUES ? (i / 2) >> LV : ((i - MADE_QUEUES) / 2) * PS
        const r = Math.floor(port / PS)
        if (r >= first && r < end && queue[i] !== 0) visit(port, 1, queue[i], true, -1)
      }
    },
  }
}
