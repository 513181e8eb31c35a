// Who waits for whom among the combined switches: the front of an input's queue for room behind the link of its output. What has crossed has its room there, so
// an output buffer that is full empties by itself. Numbers of queues, each router's own: those of its inputs, by input, output (virtual output queues) and VC.
import { lowest } from "../../core/bitset.ts"
import { eachInChain, FLITS, STATE } from "../../fabric/packets.ts"
import type { StateWaits } from "../../fabric/switch.ts"
import { type Holder, type Holders, QueueWaits, roomHolders } from "../parts/waits.ts"
import type { CombinedState, Frame } from "./frame.ts"

/** Numbers of queues that one router takes. */
export function queueSpan({ site, input }: Pick<Frame, "site" | "input">): number {
  const { radix, LV } = site.layout
  return ((radix + 1) * (input.voq ? radix : 1)) << LV
}

export function waitsOf(f: CombinedState): readonly StateWaits[] {
  const { site, ports, chains, input, output } = f
  const { layout: l, columns: a, rooms, rules } = site
  const { LV, PS, radix: R, down, up } = l
  const { packets } = a
  const bytes = new Uint8Array(packets.buffer)
  const span = queueSpan(f)
  const { outHeld } = f.columns
  const waits = new QueueWaits()
  const outputs = input.voq ? R : 1

  const numberOf = (q: number, o: number, v: number) => ports.router[q]! * span + ((ports.local[q]! * outputs + o) << LV) + v

  /** the queues that hold all that its sender knows of the input behind output VC ov */
  function behind(ov: number): Holders {
    const q = down[ov >> LV]! >> LV
    const v = ov & ((1 << LV) - 1)
    const found: Holder[] = []
    let flits = 0
    for (let o = 0; o < outputs; o++) {
      const head = chains.first(f.queueOf(q, o, v))
      if (head === 0) continue
      found.push({ queue: numberOf(q, o, v), vc: up[q]! + v })
      eachInChain(packets, head, (p) => {
        flits += packets[p + FLITS]!
      })
    }
    return flits === rooms.held[ov] ? found : undefined
  }

  /** any VC that packet p may take would do */
  function forRoom(q: number, o: number, p: number): Holders {
    const flits = packets[p + FLITS]!
    if (down[o]! < 0 || outHeld![o]! + flits > output.flits) return undefined
    const room = f.roomFor(q, o, flits)
    const found: Holder[] = []
    for (let m = packets[p + site.constants.own]!; m !== 0; m &= m - 1) {
      const ov = (o << LV) + lowest(m)
      const holders = rules.fits(ov, room) ? undefined : roomHolders(rooms, LV, ov, room, behind)
      if (holders === undefined) return undefined
      found.push(...holders)
    }
    return found
  }

  for (let q = 0; q < ports.inputs; q++) {
    const r = ports.router[q]!
    if (l.outerRouter[r]! < 0) continue
    for (let v = 0; v < l.vcs; v++)
      for (let o = 0; o < outputs; o++) {
        const p = chains.first(f.queueOf(q, o, v))
        if (p === 0) continue
        const port = r * PS + bytes[(p + STATE) << 2]!
        const holders = forRoom(q, port, p)
        const first = lowest(packets[p + site.constants.own]!)
        waits.add(numberOf(q, o, v), p, (port << LV) + first, holders)
      }
  }
  return waits.found
}
