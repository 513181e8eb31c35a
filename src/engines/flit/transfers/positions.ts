// Positions of all data packets of the packet-moving engine, written into a frame. Packets in flight wait in order on
// their link, and the wheel of arrivals has the cycle of each. Packets in a switch are the chains of its queues; those
// of output, column and central queues belong to no input, so they are drawn at their output. Control packets and
// copies in a stash are left out. Reading changes nothing, and costs nothing unless it is called.
import type { Layout } from "../../../fabric/layout.ts"
import {
  CREATED,
  DST,
  FLAG,
  FLITS,
  HEARS,
  KEY,
  NEXT,
  SRC,
  STATE,
  type TransferColumns,
  type TransferConstants,
} from "../../../fabric/packets.ts"
import type { TransferSwitch } from "../../../fabric/transfer.ts"
import { endOf } from "../../../model/graph.ts"
import { MOST_PLACE, PACKET, type PacketFrame } from "../../packet-frame.ts"

/** What of the engine is read. */
export interface InMotion {
  readonly columns: TransferColumns
  readonly layout: Layout
  readonly constants: TransferConstants
  readonly sw: TransferSwitch
  readonly boxFirst: Int32Array
  readonly now: number
  channel(port: number): number
}

const LEFT_OUT = (FLAG.ack | FLAG.copy) << 16

/** Writes the packets whose key is a multiple of `into.every`. Returns their number, which may exceed the frame. */
export function writePositions(engine: InMotion, into: PacketFrame): number {
  const { columns: a, layout: l, constants: k, sw } = engine
  const { graph, LV, PS } = l
  const { packets } = a
  const { id, key, at, state, place, createdAt, from, to } = into
  const mask = into.every - 1
  const most = id.length
  // A message of `omni-path` is in two queues while it enters the centre.
  const seen = new Set<number>()
  let n = 0

  /** `over`: the channel, or -1 - endpoint for the link from it. */
  function put(p: number, over: number, how: number, where: number): void {
    if ((packets[p + KEY] & mask) !== 0 || (packets[p + STATE] & LEFT_OUT) !== 0 || seen.has(p)) return
    seen.add(p)
    if (n < most) {
      id[n] = p
      key[n] = packets[p + KEY]
      at[n] = over
      state[n] = how
      place[n] = where < MOST_PLACE ? where : MOST_PLACE
      createdAt[n] = packets[p + CREATED]
      from[n] = packets[p + SRC]
      to[n] = packets[p + DST]
    }
    n++
  }

  /** Returns the link that leads to an input port. */
  function linkTo(port: number): number {
    const near = graph.near[engine.channel(port)]
    return near >= 0 ? near : -1 - endOf(near)
  }

  /** `due`: the cycles until the packet arrives; before it is on the link, they exceed its latency. */
  function fly(p: number, over: number, due: number): void {
    const latency = over >= 0 ? graph.latency[over] : graph.entryLatency[(-1 - over) * graph.rails]
    put(p, over, due > latency ? PACKET.leaving : PACKET.wire, due)
  }

  eachDue(
    a.arriveDue,
    k.nearMask,
    k.portWords,
    engine,
    (i) => l.firstRouter[i] * PS,
    a.flyHead,
    packets,
    (p, port, due) => fly(p, linkTo(port), due),
  )
  eachDue(
    a.endArriveDue,
    k.wheelMask,
    k.endWords,
    engine,
    (i) => l.firstEnd[i],
    a.endFlyHead,
    packets,
    (p, e, due) => fly(p, graph.home[l.outerEnd[e]], due),
  )
  eachPosted(engine, (p, port, due) => fly(p, linkTo(port), due))
  sw.queues(
    (port, flits, head, hasCredits, input) => {
      const over = input >= 0 ? linkTo(input >> LV) : engine.channel(port)
      let left = flits
      let before = 0
      // The last packet of a queue has no valid successor in some queues, so the flits end the chain.
      for (let p = head; left > 0; p = packets[p + NEXT], before++) {
        left -= packets[p + FLITS]
        put(p, over, input < 0 ? PACKET.output : standing(before, hasCredits), before)
      }
    },
    0,
    l.routers,
  )
  return n
}

function standing(before: number, hasCredits: boolean): number {
  if (before === 0) return hasCredits ? PACKET.first : PACKET.blocked
  return hasCredits ? PACKET.behind : PACKET.behindBlocked
}

/** Visits the packets that another partition has not yet accepted from an outbox. They are on a link, too. */
function eachPosted(
  { columns: { outCount, outbox }, boxFirst, now }: InMotion,
  visit: (packet: number, port: number, due: number) => void,
): void {
  for (let box = 0; box < outCount.length; box++)
    for (let n = 0, i = boxFirst[box]; n < outCount[box]; n++, i += 3)
      if (outbox[i + 1] >= 0 && outbox[i + 1] < HEARS) visit(outbox[i + 2], outbox[i + 1], outbox[i] - now)
}

/**
 * Visits the packets in flight to ports or endpoints. A wheel has a bit for each of them in the cycle of an arrival,
 * and their packets arrive in the order of their chain. `base`: the first of a partition.
 */
function eachDue(
  wheel: Int32Array,
  mask: number,
  words: number,
  { now, layout }: InMotion,
  base: (part: number) => number,
  heads: Int32Array,
  packets: Int32Array,
  visit: (packet: number, of: number, due: number) => void,
): void {
  const next = new Map<number, number>()
  for (let part = 0; part < layout.parts; part++)
    for (let due = 0; due <= mask; due++) {
      const first = (part * (mask + 1) + ((now + due) & mask)) * words
      for (let w = 0; w < words; w++)
        for (let m = wheel[first + w]; m !== 0; m &= m - 1) {
          const of = base(part) + (w << 5) + (31 - Math.clz32(m & -m))
          const p = next.get(of) ?? heads[of]
          next.set(of, packets[p + NEXT])
          visit(p, of, due)
        }
    }
}
