// The wait-for relation of combined switches, for the deadlock diagnosis. The head packet of an input queue waits for
// credits of its output. A packet that has crossed holds its credits already, so a full output buffer drains by itself.
//
// Queue numbers of one router: its input VCs if each has one queue. Otherwise the queues follow after these numbers, by
// input (the internal one last), output and VC.
import { lowest } from "../../core/bitset.ts"
import { eachInChain, FLITS, STATE } from "../../fabric/packets.ts"
import type { StateWaits } from "../../fabric/switch.ts"
import { queuesOfVc } from "../parts/state.ts"
import { type Holder, type Holders, QueueWaits, spaceHolders } from "../parts/waits.ts"
import type { CombinedState, SharedState } from "./shared-state.ts"

/** Returns the number of queue numbers that one router uses. */
export function queueSpan({ site, input }: Pick<SharedState, "site" | "input">): number {
  const { radix, LV, RS } = site.layout
  return RS + (((radix + 1) * (input.voq ? radix : 1)) << LV)
}

/** Returns the head packets that wait for credits, with the queues that hold them. */
export function waitsOf(f: CombinedState): readonly StateWaits[] {
  const { site, ports, packetQueues, input, output } = f
  const { layout: l, columns: a, sharedBuffers, rules } = site
  const { LV, PS, RS, radix: R, down, up } = l
  const { packets } = a
  const bytes = new Uint8Array(packets.buffer)
  const span = queueSpan(f)
  const { outHeld } = f.columns
  const waits = new QueueWaits()
  const outputs = input.voq ? R : 1

  const numberOf = (q: number, o: number, v: number) => {
    const own = ((ports.local[q] * outputs + o) << LV) + v
    return ports.router[q] * span + (input.voq || q >= ports.count ? RS + own : own)
  }

  /**
   * Returns the downstream queues of output VC ov, if they contain all flits that the sender counts there; otherwise
   * undefined.
   */
  function behind(ov: number): Holders {
    const q = down[ov >> LV] >> LV
    const v = ov & ((1 << LV) - 1)
    const found: Holder[] = []
    let flits = 0
    for (let o = 0; o < queuesOfVc(f, v); o++) {
      const head = packetQueues.first(f.queueOf(q, o, v))
      if (head === 0) continue
      found.push({ queue: numberOf(q, o, v), vc: up[q] + v })
      eachInChain(packets, head, (p) => {
        flits += packets[p + FLITS]
      })
    }
    return flits === sharedBuffers.held[ov] ? found : undefined
  }

  /** Returns the queues that packet p waits for. Any VC that it may take would do. */
  function forSpace(q: number, o: number, p: number): Holders {
    const flits = packets[p + FLITS]
    if (down[o] < 0 || outHeld![o] + flits > output.flits) return undefined
    const needed = f.neededCredits(q, o, flits)
    const found: Holder[] = []
    for (let m = packets[p + site.constants.own]; m !== 0; m &= m - 1) {
      const ov = (o << LV) + lowest(m)
      const holders = rules.fits(ov, needed) ? undefined : spaceHolders(sharedBuffers, LV, ov, needed, behind)
      if (holders === undefined) return undefined
      found.push(...holders)
    }
    return found
  }

  for (let q = 0; q < ports.inputs; q++) {
    const r = ports.router[q]
    if (l.outerRouter[r] < 0) continue
    for (let v = 0; v < l.vcs; v++)
      for (let o = 0; o < queuesOfVc(f, v); o++) {
        const p = packetQueues.first(f.queueOf(q, o, v))
        if (p === 0) continue
        const port = r * PS + bytes[(p + STATE) << 2]
        const holders = forSpace(q, port, p)
        const first = lowest(packets[p + site.constants.own])
        waits.add(numberOf(q, o, v), p, (port << LV) + first, holders)
      }
  }
  return waits.found
}
