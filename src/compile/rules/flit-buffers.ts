// The rule about packet lengths of switches that move flits. Whole packets must fit into a buffer if cut-through or
// bubble flow control waits for that much space; otherwise they would wait forever.
import { complain, type Rule } from "../../core/complaint.ts"
import type { StreamsLook } from "./looks.ts"

export const flitBuffers: Rule<StreamsLook> = {
  reads: ["network.routing", "network.switch.*", "traffic.*.packet", "traffic.*.reply"],
  test({ network: { switch: sw, routing, boundRouting }, given }) {
    if (sw.moves !== "flits") return []
    const { buffer, timing } = sw
    const bubbles = routing.room !== undefined
    if (bubbles && (!timing.cutThrough || buffer.reserve < buffer.depth))
      return [
        complain(
          "network.routing",
          `"${boundRouting.name}" needs cut-through and a private buffer for each VC`,
          "set network.switch.flow to cut-through and sharing to private",
        ),
      ]
    if (!timing.cutThrough) return []
    const packets = bubbles ? 2 : 1
    const each = Math.floor(buffer.depth / packets)
    const most = timing.retention > 0 ? Math.min(each, Math.floor(timing.retention / packets)) : each
    const of = packets > 1 ? `${packets} packets of ` : ""
    const complaint = (path: string, flits: number) =>
      complain(
        path,
        `${of}${flits} flits do not fit into a buffer of ${most * packets}`,
        `set network.switch.buffer (and retention) to at least ${packets * flits}flits, or send shorter packets`,
      )
    return given.flatMap((s, i) => [
      ...(s.packet.max > most ? [complaint(`traffic.${i}.packet`, s.packet.max)] : []),
      ...(s.reply > most ? [complaint(`traffic.${i}.reply`, s.reply)] : []),
    ])
  },
}
