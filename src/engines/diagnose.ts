// Explains why packets do not move: deadlock, starvation or a temporary stall, as text. The functions depend only on
// which packet waits for which. run/ calls `diagnose` when the watchdog finds no progress; the studio calls
// `chainFrom`.
//
// The unit that waits is the head of a buffer. A long packet may occupy several buffers, and each part of it waits
// separately. A head can be served by any (channel, VC) pair that it requests. It can still move if one of them is
// free. It can also move if the head that holds a pair, or the head in the buffer behind it, can move. Removing all
// heads that can move, repeatedly, leaves exactly those that wait only for one another. This is a deadlock, and
// following any of them leads into a cycle. Without a deadlock, a packet that was overtaken too often is starved.
import type { Chan, End, Packet, Vc } from "../model/ids.ts"

export interface Place {
  readonly chan: Chan
  readonly vc: Vc
}

/**
 * A packet, or a part of it, at the head of the buffer at the downstream end of this channel; chan < 0 while it is at
 * its endpoint.
 */
export interface Waiter extends Place {
  /**
   * unique among waiters and independent of the number of partitions, so that the reported cycle does not depend on it
   */
  readonly key: number
  readonly packet: Packet
}

/**
 * It waits for `wants`, or for credits of it, until the head of another buffer moves. That head holds `holds` or is
 * stored behind it.
 */
export interface Blocker {
  readonly wants: Place
  readonly holds: Place
  /** that head, if it waits as well; otherwise the packet that still moves, -1: none */
  readonly by: Waiter | Packet
}

export interface Waits {
  waiters(): Iterable<Waiter>
  /** the pairs it requests; any one would be sufficient */
  blockers(w: Waiter): readonly Blocker[]
  /** cycles since the packet last moved */
  waited(packet: Packet): number
  /** number of packets that were granted its requested resources since it began to wait */
  overtaken(w: Waiter): number
  source(packet: Packet): End
  destination(packet: Packet): End
  /** `group 1, switch 2 (port 5) -> group 4, switch 1` */
  channelLabel(chan: Chan): string
}

/** One packet of a cycle or chain: it holds `holds` and waits for `wants`, which `by` holds. */
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
      /** number of packets that can never move again, and the heads of the buffers that hold them or parts of them */
      readonly stuck: number
      readonly fronts: readonly Waiter[]
      readonly words: readonly string[]
    }
  | { readonly kind: "starvation"; readonly victim: Waiter; readonly words: readonly string[] }
  | { readonly kind: "stall"; readonly chain: readonly Link[]; readonly words: readonly string[] }

/** A packet that was overtaken this often is starved. */
const OFTEN = 16

/** Classifies the waits. A deadlock has priority, because starvation and stalls are common next to one. */
export function diagnose(net: Waits): Diagnosis {
  const waiting = [...net.waiters()].sort((a, b) => a.key - b.key)
  const stuck = hopeless(net, waiting)
  const first = [...stuck].find((w) => w.chan >= 0) ?? [...stuck][0]
  if (first !== undefined) {
    const cycle = cycleFrom(follow(net, first, stuck))
    const packets = new Set([...stuck].map((w) => w.packet)).size
    return { kind: "deadlock", cycle, stuck: packets, fronts: [...stuck], words: tellDeadlock(net, cycle, packets) }
  }
  const victim = waiting.toSorted(
    (a, b) => net.overtaken(b) - net.overtaken(a) || net.waited(b.packet) - net.waited(a.packet),
  )[0]
  if (victim === undefined)
    return { kind: "stall", chain: [], words: ["nothing waits: every packet is on a channel or at its endpoint"] }
  if (net.overtaken(victim) >= OFTEN) return { kind: "starvation", victim, words: tellStarvation(net, victim) }
  const longest = waiting.reduce((a, b) => (net.waited(b.packet) > net.waited(a.packet) ? b : a))
  const chain = follow(net, longest)
  return { kind: "stall", chain: chain.map(linkOf), words: tellStall(net, longest, chain) }
}

/** Returns the chain from this head to the one that would have to move first. */
export function chainFrom(net: Waits, from: Waiter): Link[] {
  return follow(net, from).map(linkOf)
}

/**
 * Returns the heads that wait only for one another: the greatest set in which every blocker of a member is a member.
 */
function hopeless(net: Waits, waiting: readonly Waiter[]): Set<Waiter> {
  const left = new Set(waiting)
  /** [w] -> heads that w blocks */
  const behind = new Map<Waiter, Waiter[]>(waiting.map((w) => [w, []]))
  const moving: Waiter[] = []
  for (const w of waiting) {
    const fronts = net.blockers(w).map(({ by }) => (typeof by === "number" ? undefined : behind.get(by)))
    if (fronts.length === 0 || fronts.includes(undefined)) moving.push(w)
    else for (const list of fronts) list?.push(w)
  }
  for (let w = moving.pop(); w !== undefined; w = moving.pop())
    if (left.delete(w)) for (const b of behind.get(w)!) moving.push(b)
  return left
}

/** A waiter and the resource that it waits for. */
interface Wait extends Blocker {
  readonly waiter: Waiter
}

/**
 * Follows the first blocker from head to head (within a set, if one is given), until a head does not wait or appears a
 * second time.
 */
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
 * Returns the cycle: the chain from the waiter that its last link returns to. A head that has a VC but no credits is
 * left out, because its predecessor also waits for the packets stored there. A packet in several buffers waits for its
 * own parts and counts once: it holds the resource its predecessor requests, and waits for the one its last part
 * requests.
 */
function cycleFrom(chain: readonly Wait[]): Link[] {
  const back = chain.at(-1)!.by
  const all = chain.slice(chain.findIndex((l) => l.waiter === back))
  const parts = all.map(({ waiter, wants }, i) => ({ packet: waiter.packet, holds: all.at(i - 1)!.holds, wants }))
  const noCredits = ({ holds, wants }: (typeof parts)[number]) => holds.chan === wants.chan && holds.vc === wants.vc
  const ring = parts.every(noCredits) ? parts : parts.filter((l) => !noCredits(l))
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
  return links.map((l, i) => ({ ...l, by: links[(i + 1) % links.length].packet }))
}

function place(net: Waits, { chan, vc }: Place): string {
  return chan < 0 ? "its endpoint" : `${net.channelLabel(chan)} VC ${vc}`
}

function whose(net: Waits, p: Packet): string {
  return `from endpoint ${net.source(p)} to endpoint ${net.destination(p)}`
}

/**
 * Packets are numbered in order of the cycle, because the indices of their records depend on the number of partitions.
 */
function tellDeadlock(net: Waits, cycle: readonly Link[], stuck: number): string[] {
  const names = [...new Set(cycle.map((l) => l.packet))]
  const name = (p: Packet) => `packet ${names.indexOf(p) + 1}`
  const circle = names.length === 1 ? "packet waits for itself" : "packets wait for one another in a cycle"
  return [
    `deadlock: ${names.length} ${circle}; in total, ${stuck} ${stuck === 1 ? "packet" : "packets"} can never move again`,
    ...cycle.map(
      (l) =>
        `${name(l.packet)} of ${names.length} ${whose(net, l.packet)} holds ${place(net, l.holds)} and ` +
        `waits for ${place(net, l.wants)}, held by ${name(l.by)}`,
    ),
  ]
}

function tellStarvation(net: Waits, w: Waiter): string[] {
  const wants = net.blockers(w).map((b) => place(net, b.wants))
  return [
    `starvation: a packet ${whose(net, w.packet)} has waited ${net.waited(w.packet)} cycles at ` +
      `${place(net, w)} while ${net.overtaken(w)} packets went past it`,
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
  const behind =
    chain.length > 1 ? ` behind ${chain.length - 1} other ${chain.length === 2 ? "packet" : "packets"}` : ""
  return [
    `a stall, no deadlock: a packet ${whose(net, w.packet)} has waited ` +
      `${net.waited(w.packet)} cycles at ${place(net, w)}${behind}`,
    why,
  ]
}
