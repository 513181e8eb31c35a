// When nothing, or somebody, does not move: deadlock, starvation or a mere stall, in words. A pure function of who waits for what.
//
// A packet that waits may be served by any of the (channel, VC) pairs it wants, so it can still move if one of them is free, or is held by a
// packet that moves or can still move. Taking away all who can, again and again, leaves exactly the packets that wait only for one another:
// a deadlock, and following any of them leads into a cycle. Without one, a packet that has been overtaken too often is starved.
import type { Chan, End, Packet, Vc } from "../../model/ids.ts"

export interface Place {
  readonly chan: Chan
  readonly vc: Vc
}

/** A packet whose head waits in the buffer at the far end of this channel; chan < 0 while it is still at its endpoint. */
export interface Waiter extends Place {
  readonly packet: Packet
}

export interface Waits {
  waiters(): Iterable<Waiter>
  /** what it needs next; any one would do */
  waitsFor(w: Waiter): readonly Place[]
  /** the packet that has this VC of this channel or whose head blocks its buffer, -1 = it is free */
  holder(chan: Chan, vc: Vc): Packet
  /** cycles since the packet last moved */
  waited(packet: Packet): number
  /** packets that have taken what this one wants since it began to wait */
  overtaken(w: Waiter): number
  source(packet: Packet): End
  destination(packet: Packet): End
  /** `group 1, switch 2 -> group 4, switch 1` */
  channelLabel(chan: Chan): string
}

/** One packet of a cycle or chain: it holds `holds` and waits for `wants`, which `by` has. */
export interface Link {
  readonly packet: Packet
  readonly holds: Place
  readonly wants: Place
  readonly by: Packet
}

export type Diagnosis =
  | {
      readonly kind: "deadlock"
      readonly cycle: readonly Link[] /** packets that can never move again */
      readonly stuck: number
      readonly words: readonly string[]
    }
  | { readonly kind: "starvation"; readonly victim: Waiter; readonly words: readonly string[] }
  | { readonly kind: "stall"; readonly chain: readonly Link[]; readonly words: readonly string[] }

/** Overtaken so often, a packet counts as starved. */
const OFTEN = 16

export function diagnose(net: Waits): Diagnosis {
  const waiting = new Map<Packet, Waiter>()
  for (const w of net.waiters()) waiting.set(w.packet, w)
  const stuck = hopeless(net, waiting)
  const first = [...stuck].map((p) => waiting.get(p)!).find((w) => w.chan >= 0) ?? waiting.get([...stuck][0] ?? -1)
  if (first !== undefined) {
    const cycle = cycleFrom(follow(net, waiting, first, stuck))
    return { kind: "deadlock", cycle, stuck: stuck.size, words: tellDeadlock(net, cycle, stuck.size) }
  }
  const victim = [...waiting.values()].sort((a, b) => net.overtaken(b) - net.overtaken(a) || net.waited(b.packet) - net.waited(a.packet))[0]
  if (victim === undefined) return { kind: "stall", chain: [], words: ["nothing waits: every packet is on a channel or at its endpoint"] }
  if (net.overtaken(victim) >= OFTEN) return { kind: "starvation", victim, words: tellStarvation(net, victim) }
  const longest = [...waiting.values()].reduce((a, b) => (net.waited(b.packet) > net.waited(a.packet) ? b : a))
  const chain = follow(net, waiting, longest)
  return { kind: "stall", chain, words: tellStall(net, longest, chain) }
}

/** Packets that wait only for what packets of the same set hold. */
function hopeless(net: Waits, waiting: ReadonlyMap<Packet, Waiter>): Set<Packet> {
  const left = new Set(waiting.keys())
  for (let again = true; again; ) {
    again = false
    for (const p of left) {
      const w = waiting.get(p)!
      const wants = net.waitsFor(w)
      // its own flits further on do not help a packet: what it holds itself is held
      const moves = wants.length === 0 || wants.some(({ chan, vc }) => !left.has(net.holder(chan, vc)))
      if (!moves) continue
      left.delete(p)
      again = true
    }
  }
  return left
}

/** From packet to packet, each time to the first holder (of the set, if one is given), until somebody does not wait or comes a second time. */
function follow(net: Waits, waiting: ReadonlyMap<Packet, Waiter>, from: Waiter, within?: ReadonlySet<Packet>): Link[] {
  const chain: Link[] = []
  const seen = new Set<Packet>()
  for (let w: Waiter | undefined = from; w !== undefined && !seen.has(w.packet); ) {
    seen.add(w.packet)
    const here: Waiter = w
    const wants = net.waitsFor(here)
    const held = wants.find(({ chan, vc }) => within === undefined || within.has(net.holder(chan, vc))) ?? wants[0]
    if (held === undefined) break
    const by = net.holder(held.chan, held.vc)
    chain.push({ packet: here.packet, holds: { chan: here.chan, vc: here.vc }, wants: held, by })
    w = waiting.get(by)
  }
  return chain
}

/** The chain without its tail: from the packet that its last link comes back to. */
function cycleFrom(chain: readonly Link[]): Link[] {
  const back = chain.at(-1)!.by
  return chain.slice(chain.findIndex((l) => l.packet === back))
}

function place(net: Waits, { chan, vc }: Place): string {
  return chan < 0 ? "its endpoint" : `${net.channelLabel(chan)} VC ${vc}`
}

function whose(net: Waits, p: Packet): string {
  return `packet ${p} from endpoint ${net.source(p)} to endpoint ${net.destination(p)}`
}

function tellDeadlock(net: Waits, cycle: readonly Link[], stuck: number): string[] {
  return [
    `deadlock: ${cycle.length} ${cycle.length === 1 ? "packet waits for itself" : "packets wait for one another in a circle"}, ${stuck} ${stuck === 1 ? "packet" : "packets"} can never move again`,
    ...cycle.map(
      (l) => `${whose(net, l.packet)} holds ${place(net, l.holds)} and waits for ${place(net, l.wants)}, held by packet ${l.by}`,
    ),
  ]
}

function tellStarvation(net: Waits, w: Waiter): string[] {
  const wants = net.waitsFor(w).map((p) => place(net, p))
  return [
    `starvation: ${whose(net, w.packet)} has waited ${net.waited(w.packet)} cycles at ${place(net, w)} while ${net.overtaken(w)} packets went past it`,
    `it wants ${wants.join(" or ")}; nothing holds it for ever, but the others are always served first`,
  ]
}

function tellStall(net: Waits, w: Waiter, chain: readonly Link[]): string[] {
  const last = chain.at(-1)
  const why =
    last === undefined
      ? "it wants nothing yet: its route has not been computed"
      : last.by < 0
        ? `${place(net, last.wants)} is free, so it waits for a credit, a grant or the link`
        : `packet ${last.by}, which holds ${place(net, last.wants)}, is still moving`
  const behind = chain.length > 1 ? ` behind ${chain.length - 1} other ${chain.length === 2 ? "packet" : "packets"}` : ""
  return [`a stall, no deadlock: ${whose(net, w.packet)} has waited ${net.waited(w.packet)} cycles at ${place(net, w)}${behind}`, why]
}
