// The wait-for relation of switches whose outputs have virtual lanes, for the deadlock diagnosis. The head packet of an
// input FIFO waits for space in the output buffer, and that of an output queue for credits. If credits are taken before
// a packet crosses, the head packet of the input waits for credits too. A packet between two crossbars always moves on,
// so it does not wait.
//
// Queue numbers of one router: its input VCs, then the queues of its internal input, then those of its outputs.
import { lowest } from "../../core/bitset.ts"
import { FLITS, STATE } from "../../fabric/packets.ts"
import type { StateWaits } from "../../fabric/switch.ts"
import { flitsIn } from "./conservation.ts"
import type { PartsState } from "./state.ts"
import { type Holder, type Holders, QueueWaits, spaceHolders } from "./waits.ts"

export interface VlState extends PartsState {
  readonly output: PartsState["output"] & { readonly atLink: boolean }
  /** Returns the credits that a VL of output `port` must have before a packet of f flits from input q may take it. */
  neededCredits(q: number, port: number, f: number): number
}

/** Returns the number of queue numbers that one router uses. */
export function vlSpan({ site }: Pick<PartsState, "site">): number {
  const { radix, LV, RS } = site.layout
  return RS + ((radix + 1) << LV)
}

export function vlWaits(f: VlState): readonly StateWaits[] {
  const { site, ports, packetQueues, output } = f
  const { layout: l, columns: a, sharedBuffers, rules } = site
  const { LV, PS, RS, down, up } = l
  const { OUT } = sharedBuffers
  const { packets } = a
  const bytes = new Uint8Array(packets.buffer)
  const span = vlSpan(f)
  const waits = new QueueWaits()
  const ofInput = (q: number, v: number) => ports.router[q] * span + (q < ports.count ? ports.local[q] << LV : RS) + v
  const ofOutput = (o: number, v: number) => ports.router[o] * span + RS + ((1 + ports.local[o]) << LV) + v
  const vcOf = (slot: number) => slot & ((1 << LV) - 1)

  /**
   * Returns the downstream queue of output VC ov, if it contains all flits that the sender counts there. Otherwise
   * flits or credits are in flight, and the state will change by itself.
   */
  function behind(ov: number): Holders {
    const q = down[ov >> LV] >> LV
    const v = vcOf(ov)
    return flitsIn(f, f.queueOf(q, 0, v)) === sharedBuffers.held[ov]
      ? [{ queue: ofInput(q, v), vc: up[q] + v }]
      : undefined
  }
  /** Returns the queue that contains all flits of a slot of an output buffer. */
  function inBuffer(slot: number): Holders {
    const ov = slot - OUT
    return flitsIn(f, output.firstQueue + ov) === sharedBuffers.held[slot]
      ? [{ queue: ofOutput(ov >> LV, vcOf(ov)), vc: ov }]
      : undefined
  }

  /** Returns the queues that packet p waits for in order to cross. Any VL that it may take would do. */
  function toCross(q: number, o: number, p: number): Holders {
    const flits = packets[p + FLITS]
    const needed = down[o] < 0 ? flits : f.neededCredits(q, o, flits)
    const found: Holder[] = []
    for (let m = packets[p + site.constants.own]; m !== 0; m &= m - 1) {
      const ov = (o << LV) + lowest(m)
      const slot = output.atLink ? OUT + ov : ov
      // Packets that have crossed hold their credits already, so a full output buffer drains by itself.
      if (!output.atLink && (down[o] < 0 || !rules.fits(OUT + ov, flits))) return undefined
      const holders = spaceHolders(sharedBuffers, LV, slot, needed, output.atLink ? inBuffer : behind)
      if (holders === undefined) return undefined
      found.push(...holders)
    }
    return found
  }

  for (let q = 0; q < ports.inputs; q++) {
    const r = ports.router[q]
    if (l.outerRouter[r] < 0) continue
    for (let v = 0; v < l.vcs; v++) {
      const p = packetQueues.first(f.queueOf(q, 0, v))
      if (p === 0) continue
      const port = r * PS + bytes[(p + STATE) << 2]
      waits.add(ofInput(q, v), p, (port << LV) + lowest(packets[p + site.constants.own]), toCross(q, port, p))
    }
  }
  for (let o = 0; o < ports.count; o++) {
    if (!output.atLink || ports.wired[o] === 0 || down[o] < 0) continue
    for (let v = 0; v < l.vcs; v++) {
      const ov = (o << LV) + v
      const p = packetQueues.first(output.firstQueue + ov)
      if (p !== 0) waits.add(ofOutput(o, v), p, ov, spaceHolders(sharedBuffers, LV, ov, packets[p + FLITS], behind))
    }
  }
  return waits.found
}
