// When nothing, or somebody, does not move: deadlock, starvation or a mere stall, in words. A pure function of who waits for what.
//
// What waits is the front of a buffer: a long packet may lie in several, and each part of it waits for its own. It may be served by any of the (channel, VC)
// pairs it wants, so it can still move if one of them is free, or if the front that has it, or that stands in the buffer behind it, moves or can still move.
// Taking away all who can, again and again, leaves exactly those that wait only for one another: a deadlock, and following any of them leads into a cycle.
// Without one, a packet that has been overtaken too often is starved.
import type { Chan, End, Packet, Vc } from "../model/ids.ts"

export interface Place {
  readonly chan: Chan
  readonly vc: Vc
}

/** A packet, or a part of one, at the front of the buffer at the far end of this channel; chan < 0 while it is still at its endpoint. */
export interface Waiter extends Place {
  /** unlike any other waiter's, and the same for any number of partitions: the circle that is told does not depend on them */
  readonly key: number
  readonly packet: Packet
}

/** It waits for `wants`, or for room behind it, until the front of another buffer goes on, which has `holds` or stands behind that. */
export interface Blocker {
  readonly wants: Place
  readonly holds: Place
  /** that front, if it waits as well; else the packet that is still moving, -1 = none */
  readonly by: Waiter | Packet
}

export interface Waits {
  waiters(): Iterable<Waiter>
  /** what it needs next; any one would do */
  blockers(w: Waiter): readonly Blocker[]
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
      readonly cycle: readonly Link[]
      /** packets that can never move again, and where they or parts of them stand */
      readonly stuck: number
      readonly fronts: readonly Waiter[]
      readonly words: readonly string[]
    }
  | { readonly kind: "starvation"; readonly victim: Waiter; readonly words: readonly string[] }
  | { readonly kind: "stall"; readonly chain: readonly Link[]; readonly words: readonly string[] }

/** Overtaken so often, a packet counts as starved. */
const OFTEN = 16

export function diagnose(net: Waits): Diagnosis {
  const waiting = [...net.waiters()].sort((a, b) => a.key - b.key)
  const stuck = hopeless(net, waiting)
  const first = [...stuck].find((w) => w.chan >= 0) ?? [...stuck][0]
  if (first !== undefined) {
    const cycle = cycleFrom(follow(net, first, stuck))
    const packets = new Set([...stuck].map((w) => w.packet)).size
    return { kind: "deadlock", cycle, stuck: packets, fronts: [...stuck], words: tellDeadlock(net, cycle, packets) }
  }
  const victim = waiting.toSorted((a, b) => net.overtaken(b) - net.overtaken(a) || net.waited(b.packet) - net.waited(a.packet))[0]
  if (victim === undefined) return { kind: "stall", chain: [], words: ["nothing waits: every packet is on a channel or at its endpoint"] }
  if (net.overtaken(victim) >= OFTEN) return { kind: "starvation", victim, words: tellStarvation(net, victim) }
  const longest = waiting.reduce((a, b) => (net.waited(b.packet) > net.waited(a.packet) ? b : a))
  const chain = follow(net, longest)
  return { kind: "stall", chain: chain.map(linkOf), words: tellStall(net, longest, chain) }
}

/** From this front to the one that would have to move first. */
export function chainFrom(net: Waits, from: Waiter): Link[] {
  return follow(net, from).map(linkOf)
}

/** Those that wait only for one another. */
function hopeless(net: Waits, waiting: readonly Waiter[]): Set<Waiter> {
  const left = new Set(waiting)
  /** those that one lets go on */
  const behind = new Map<Waiter, Waiter[]>(waiting.map((w) => [w, []]))
  const moving: Waiter[] = []
  for (const w of waiting) {
    const fronts = net.blockers(w).map(({ by }) => (typeof by === "number" ? undefined : behind.get(by)))
    if (fronts.length === 0 || fronts.includes(undefined)) moving.push(w)
    else for (const list of fronts) list?.push(w)
  }
  for (let w = moving.pop(); w !== undefined; w = moving.pop()) if (left.delete(w)) for (const b of behind.get(w)!) moving.push(b)
  return left
}

/** A waiter and what it waits for. */
interface Wait extends Blocker {
  readonly waiter: Waiter
}

/** From front to front, each time to the first that blocks it (of the set, if one is given), until somebody does not wait or comes a second time. */
function follow(net: Waits, from: Waiter, within?: ReadonlySet<Waiter>): Wait[] {
  const chain: Wait[] = []
  const seen = new Set<Waiter>()
  for (let w: Waiter | Packet = from; typeof w !== "number" && !seen.has(w); ) {
    seen.add(w)
    const blockers: readonly Blocker[] = net.blockers(w)
    const held = blockers.find(({ by }) => typeof by !== "number" && within?.has(by) === true) ?? blockers[0]
    if (held === undefined) break
    chain.push({ waiter: w, ...held })
    w = held.by
  }
  return chain
}

function linkOf({ waiter, wants, by }: Wait): Link {
  return { packet: waiter.packet, holds: waiter, wants, by: typeof by === "number" ? by : by.packet }
}

/**
 * The chain without its tail: from the waiter that its last link comes back to. Who has a VC and lacks room behind it is left out: the one before it waits for those
 * who stand there as well. A packet that lies in several buffers waits for its own parts there and counts once: it holds what the one before it wants, and waits
 * for what the last of those parts waits for.
 */
function cycleFrom(chain: readonly Wait[]): Link[] {
  const back = chain.at(-1)!.by
  const all = chain.slice(chain.findIndex((l) => l.waiter === back))
  const parts = all.map(({ waiter, wants }, i) => ({ packet: waiter.packet, holds: all.at(i - 1)!.holds, wants }))
  const lackRoom = ({ holds, wants }: (typeof parts)[number]) => holds.chan === wants.chan && holds.vc === wants.vc
  const ring = parts.every(lackRoom) ? parts : parts.filter((l) => !lackRoom(l))
  const start = Math.max(
    0,
    ring.findIndex((l, i) => l.packet !== ring.at(i - 1)!.packet),
  )
  const links: typeof parts = []
  for (const l of [...ring.slice(start), ...ring.slice(0, start)]) {
    const before = links.at(-1)
    if (before?.packet === l.packet) links[links.length - 1] = { ...l, holds: before.holds }
    else links.push(l)
  }
  return links.map((l, i) => ({ ...l, by: links[(i + 1) % links.length]!.packet }))
}

function place(net: Waits, { chan, vc }: Place): string {
  return chan < 0 ? "its endpoint" : `${net.channelLabel(chan)} VC ${vc}`
}

function whose(net: Waits, p: Packet): string {
  return `from endpoint ${net.source(p)} to endpoint ${net.destination(p)}`
}

/** Packets are numbered here: the places of their records depend on the number of partitions. */
function tellDeadlock(net: Waits, cycle: readonly Link[], stuck: number): string[] {
  const names = [...new Set(cycle.map((l) => l.packet))]
  const name = (p: Packet) => `packet ${names.indexOf(p) + 1}`
  const circle = names.length === 1 ? "packet waits for itself" : "packets wait for one another in a circle"
  return [
    `deadlock: ${names.length} ${circle}, ${stuck} ${stuck === 1 ? "packet" : "packets"} can never move again`,
    ...cycle.map(
      (l) =>
        `${name(l.packet)} ${whose(net, l.packet)} holds ${place(net, l.holds)} and waits for ${place(net, l.wants)}, held by ${name(l.by)}`,
    ),
  ]
}

function tellStarvation(net: Waits, w: Waiter): string[] {
  const wants = net.blockers(w).map((b) => place(net, b.wants))
  return [
    `starvation: a packet ${whose(net, w.packet)} has waited ${net.waited(w.packet)} cycles at ${place(net, w)} while ${net.overtaken(w)} packets went past it`,
    `it wants ${wants.join(" or ")}; nothing holds it for ever, but the others are always served first`,
  ]
}

function tellStall(net: Waits, w: Waiter, chain: readonly Wait[]): string[] {
  const last = chain.at(-1)
  const why =
    last === undefined
      ? "it wants nothing yet: its route has not been computed"
      : last.by === -1
        ? `${place(net, last.wants)} is free, so it waits for a credit, a grant or the link`
        : `a packet ${whose(net, linkOf(last).by)}, which holds ${place(net, last.wants)}, is still moving`
  const behind = chain.length > 1 ? ` behind ${chain.length - 1} other ${chain.length === 2 ? "packet" : "packets"}` : ""
  return [
    `a stall, no deadlock: a packet ${whose(net, w.packet)} has waited ${net.waited(w.packet)} cycles at ${place(net, w)}${behind}`,
    why,
  ]
}
