// Positions of all packets of the flit engine, written into a frame. A packet is where its head is. Heads on links are
// in the timing wheel of flits, so their time of arrival is exact. Heads in buffers are in the queues of the switch.
// Reading changes nothing, and costs nothing unless it is called.
import type { FlitColumns, FlitConstants, PacketFields } from "../../fabric/flit.ts"
import type { Layout } from "../../fabric/layout.ts"
import type { FlitSwitch } from "../../fabric/switch.ts"
import { endOf } from "../../model/graph.ts"
import { fillFrame, MOST_PLACE, PACKET, type PacketFrame } from "../packet-frame.ts"

/** The columns of an engine that are read. */
interface FlitState {
  readonly now: number
  readonly layout: Layout
  readonly constants: FlitConstants
  readonly columns: FlitColumns
  readonly fields: PacketFields
  channel(port: number): number
}

/** Fills the frame. Returns the number of packets in it. */
export function writePackets(engine: FlitState, stored: NonNullable<FlitSwitch["packets"]>, into: PacketFrame): number {
  return fillFrame(into, () => writeEvery(engine, stored, into))
}

/** Writes the packets whose key is a multiple of `into.every`. Returns their number, which may exceed the frame. */
function writeEvery(engine: FlitState, stored: NonNullable<FlitSwitch["packets"]>, into: PacketFrame): number {
  const { flitAt, flitPacket, flitCount } = engine.columns
  const { flitSlots, wheelMask } = engine.constants
  const { pKey, pSrc, pDst, pCreated } = engine.fields
  const { id, key, at, state, place, createdAt, from, to } = into
  const { graph, LV } = engine.layout
  const mask = into.every - 1
  const most = id.length
  let n = 0

  function put(p: number, iv: number, how: number, where: number): void {
    if ((pKey[p] & mask) !== 0) return
    if (n < most) {
      const over = graph.near[engine.channel(iv >> LV)]
      id[n] = p
      key[n] = pKey[p]
      at[n] = over >= 0 ? over : -1 - endOf(over)
      state[n] = how
      place[n] = where < MOST_PLACE ? where : MOST_PLACE
      createdAt[n] = pCreated[p]
      from[n] = pSrc[p]
      to[n] = pDst[p]
    }
    n++
  }

  for (let s = 0; s < flitCount.length; s++) {
    const end = s * flitSlots + flitCount[s]
    const due = (s - engine.now) & wheelMask
    for (let i = s * flitSlots; i < end; i++) {
      const p = flitPacket[i]
      if (p < 0) continue
      const over = graph.near[engine.channel(flitAt[i] >> LV)]
      const latency = over >= 0 ? graph.latency[over] : graph.entryLatency[endOf(over) * graph.rails]
      put(p, flitAt[i], due > latency ? PACKET.leaving : PACKET.wire, due)
    }
  }
  stored((p, iv, before, blocked) => {
    const first = blocked ? PACKET.blocked : PACKET.first
    put(p, iv, before === 0 ? first : blocked ? PACKET.behindBlocked : PACKET.behind, before)
  })
  return n
}
