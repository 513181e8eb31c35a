// Who waits for whom among switches whose outputs have lanes: the front of an input's FIFO for room in the output buffer, the front of an output's queue for room
// behind the link; where room behind the link is taken before a packet crosses, the former for the latter. What is between crossbars moves by itself.
// Numbers of queues, each router's own: its input VCs; behind those the queues of its made input, then of its outputs.
import { lowest } from "../../core/bitset.ts"
import { FLITS, STATE } from "../../fabric/packets.ts"
import type { StateWaits } from "../../fabric/switch.ts"
import { flitsIn } from "./books.ts"
import type { PartsState } from "./state.ts"
import { type Holder, type Holders, QueueWaits, roomHolders } from "./waits.ts"

export interface LaneState extends PartsState {
  readonly output: PartsState["output"] & { readonly atLink: boolean }
  /** flits that a VL of output `port` must have room for before a packet of f flits from input q may go there */
  roomFor(q: number, port: number, f: number): number
}

/** Numbers of queues that one router takes. */
export function laneSpan({ site }: Pick<PartsState, "site">): number {
  const { radix, LV, RS } = site.layout
  return RS + ((radix + 1) << LV)
}

export function laneWaits(f: LaneState): readonly StateWaits[] {
  const { site, ports, chains, output } = f
  const { layout: l, columns: a, rooms, rules } = site
  const { LV, PS, RS, down, up } = l
  const { OUT } = rooms
  const { packets } = a
  const bytes = new Uint8Array(packets.buffer)
  const span = laneSpan(f)
  const waits = new QueueWaits()
  const ofInput = (q: number, v: number) => ports.router[q]! * span + (q < ports.count ? ports.local[q]! << LV : RS) + v
  const ofOutput = (o: number, v: number) => ports.router[o]! * span + RS + ((1 + ports.local[o]!) << LV) + v
  const vcOf = (slot: number) => slot & ((1 << LV) - 1)

  /** the queue that holds all that its sender knows of the input behind output VC ov */
  function behind(ov: number): Holders {
    const q = down[ov >> LV]! >> LV
    const v = vcOf(ov)
    return flitsIn(f, f.queueOf(q, 0, v)) === rooms.held[ov] ? [{ queue: ofInput(q, v), vc: up[q]! + v }] : undefined
  }
  /** the queue that holds all of a slot of an output buffer */
  function inBuffer(slot: number): Holders {
    const ov = slot - OUT
    return flitsIn(f, output.firstQueue + ov) === rooms.held[slot] ? [{ queue: ofOutput(ov >> LV, vcOf(ov)), vc: ov }] : undefined
  }

  /** any VL that packet p may take would do */
  function toCross(q: number, o: number, p: number): Holders {
    const flits = packets[p + FLITS]!
    const room = down[o]! < 0 ? flits : f.roomFor(q, o, flits)
    const found: Holder[] = []
    for (let m = packets[p + site.constants.own]!; m !== 0; m &= m - 1) {
      const ov = (o << LV) + lowest(m)
      const slot = output.atLink ? OUT + ov : ov
      // what has crossed has its room: a full buffer empties by itself
      if (!output.atLink && (down[o]! < 0 || !rules.fits(OUT + ov, flits))) return undefined
      const holders = roomHolders(rooms, LV, slot, room, output.atLink ? inBuffer : behind)
      if (holders === undefined) return undefined
      found.push(...holders)
    }
    return found
  }

  for (let q = 0; q < ports.inputs; q++) {
    const r = ports.router[q]!
    if (l.outerRouter[r]! < 0) continue
    for (let v = 0; v < l.vcs; v++) {
      const p = chains.first(f.queueOf(q, 0, v))
      if (p === 0) continue
      const port = r * PS + bytes[(p + STATE) << 2]!
      waits.add(ofInput(q, v), p, (port << LV) + lowest(packets[p + site.constants.own]!), toCross(q, port, p))
    }
  }
  for (let o = 0; o < ports.count; o++) {
    if (!output.atLink || ports.wired[o] === 0 || down[o]! < 0) continue
    for (let v = 0; v < l.vcs; v++) {
      const ov = (o << LV) + v
      const p = chains.first(output.firstQueue + ov)
      if (p !== 0) waits.add(ofOutput(o, v), p, ov, roomHolders(rooms, LV, ov, packets[p + FLITS]!, behind))
    }
  }
  return waits.found
}
