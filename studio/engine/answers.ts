// Answers to a person who points at a channel, a router or a packet. A packet's way is found by running again from before it entered, cycle by cycle: the run
// stands where it stood afterwards.
import { diagnose } from "../../src/engines/diagnose.ts"
import { endOf } from "../../src/model/graph.ts"
import { chainOf, treesOf } from "../../src/run/sight/chain.ts"
import { Journey } from "../../src/run/sight/journey.ts"
import type { Seen, Sight, Whereabouts } from "../../src/run/sight/sight.ts"
import type { ChannelAnswer, Diagnosed, PacketAnswer, PacketName, RouterAnswer } from "../shared/messages.ts"
import type { Live } from "./live.ts"
import { findPacket, followed } from "./packets.ts"

export function labelOf({ topology }: Sight, chan: number): string {
  const { graph } = topology
  const far = graph.far[chan]!
  return `${topology.label(graph.routerOf[chan]!)} -> ${far >= 0 ? topology.label(graph.routerOf[far]!) : far <= -2 ? `endpoint ${endOf(far)}` : "nothing"}`
}

export function channelAnswer(live: Live, chan: number): ChannelAnswer {
  const { sight } = live
  const { chans } = sight.topology.graph
  const queued = new Float64Array(chans)
  const stalled = new Float64Array(chans)
  sight.queued(queued, stalled)
  const fronts: ChannelAnswer["fronts"][number][] = []
  sight.fronts((f) => {
    const seen = f.chan === chan ? sight.packet(f.packet) : undefined
    if (seen !== undefined) fronts.push({ ...seen, vc: f.vc, room: f.room, queue: f.flits, input: f.input })
  })
  fronts.sort((a, b) => a.born - b.born || a.key - b.key)
  const chain = chainOf(sight, chan)
  return {
    ...{ chan, label: labelOf(sight, chan), now: live.now, carried: sight.carried()[chan]!, utilisation: live.busy()(chan) },
    ...{ queued: queued[chan]!, stalled: stalled[chan]!, fronts, chain, says: tell(sight, chain) },
  }
}

export function routerAnswer(live: Live, router: number): RouterAnswer {
  const { sight } = live
  const { graph } = sight.topology
  const queued = new Float64Array(graph.chans)
  const stalled = new Float64Array(graph.chans)
  sight.queued(queued, stalled)
  const busy = live.busy()
  const [first, end] = [graph.firstChan[router]!, graph.firstChan[router + 1]!]
  const ports = Array.from({ length: end - first }, (_, i) => {
    const chan = first + i
    return { chan, to: labelOf(sight, chan).split(" -> ")[1]!, utilisation: busy(chan), queued: queued[chan]!, stalled: stalled[chan]! }
  })
  const queues: RouterAnswer["queues"][number][] = []
  sight.fronts(({ input, inputVc, flits, chan, room }) => {
    if (graph.routerOf[chan] === router) queues.push({ input: input < 0 ? -1 : input - first, inputVc, flits, chan: chan - first, room })
  })
  const inside = sight.inside(router)
  const packets = inside.buffers.flatMap((b) => (b.packet < 0 ? [] : (sight.packet(b.packet) ?? [])))
  return { router, label: sight.topology.label(router), now: live.now, ports, queues, inside, packets }
}

/** The channels with most of something, with numbers: heat for those who do not see colours. */
export function topChannels(
  live: Live,
  count: number,
): { chan: number; label: string; utilisation: number; queued: number; stalled: number }[] {
  const { sight } = live
  const { chans } = sight.topology.graph
  const queued = new Float64Array(chans)
  const stalled = new Float64Array(chans)
  sight.queued(queued, stalled)
  const busy = live.busy()
  const most = Array.from({ length: chans }, (_, c) => c).sort((a, b) => queued[b]! - queued[a]! || busy(b) - busy(a) || a - b)
  return most
    .slice(0, count)
    .map((chan) => ({ chan, label: labelOf(sight, chan), utilisation: busy(chan), queued: queued[chan]!, stalled: stalled[chan]! }))
}

export function diagnosed({ sight }: Live): Diagnosed {
  const found = diagnose(sight.waits())
  const trees = [...treesOf(sight)]
    .map(([root, channels]) => ({ root, label: labelOf(sight, root), channels: [...channels] }))
    .sort((a, b) => b.channels.length - a.channels.length)
  // how long a front has stood is not known between two looks, so only circles are told as a run tells them
  if (found.kind !== "deadlock") return { kind: found.kind, words: ["nobody waits in a circle"], channels: [], trees }
  const circle = found.cycle.map((l) => l.holds.chan).filter((c) => c >= 0)
  return { kind: found.kind, words: found.words, channels: circle, trees }
}

/** Packets that are in the network now and can be pointed at, oldest first. */
export function packetsNow(sight: Sight, most: number): Seen[] {
  const all = new Map<number, Seen>()
  sight.fronts((f) => {
    const seen = sight.packet(f.packet)
    if (seen !== undefined && !seen.control) all.set(f.packet, seen)
  })
  return [...all.values()].sort((a, b) => a.born - b.born || a.key - b.key).slice(0, most)
}

export function packetAnswer(live: Live, name: PacketName): PacketAnswer | undefined {
  const { sight } = live
  const now = live.now
  const seen = findPacket(sight, name)
  if (seen === undefined) return undefined
  if (seen.control)
    throw new Error("an acknowledgement, or another message of a protocol: its way is not followed; the channel tells what it waits for")
  const journey = new Journey(sight.topology.graph, sight.pipeline, seen)
  live.seek(Math.min(now, Math.floor(seen.entered)))
  const { at, id } = followed(live, name, journey, seen.entered, () => live.now < now)
  const moving = { links: [], root: -1, ends: "in motion" as const }
  const waits = isWaiting(at)
  const chain = isWaiting(at) ? chainOf(sight, at.chan, id) : moving
  return {
    ...{ ...seen, now, age: now - seen.born, parts: journey.parts() },
    stays: journey.settled().map((s) => ({ ...s, label: sight.topology.label(s.router) })),
    ...{ chain, says: [whereIs(sight, at), ...(waits ? tell(sight, chain) : [])] },
  }
}

function isWaiting(at: Whereabouts | undefined): at is Exclude<Whereabouts, { at: "wire" }> {
  return at !== undefined && at.at !== "wire"
}

function whereIs(sight: Sight, at: Whereabouts | undefined): string {
  const { topology } = sight
  if (at === undefined) return "in a queue, behind others"
  if (at.at === "wire") return `on the wire to ${topology.label(topology.graph.routerOf[at.input]!)}: it moves by itself`
  const goal = labelOf(sight, at.chan)
  if (at.at === "output") return `in the output queue of ${goal}: others leave first`
  return at.room
    ? `first of its queue for ${goal}, with room behind it: it waits for its turn`
    : `first of its queue for ${goal}, VC ${at.vc}: the buffer behind it is full`
}

/** A chain in words, from what one points at to its root. */
function tell(sight: Sight, chain: ReturnType<typeof chainOf>): string[] {
  const { links, root, ends } = chain
  if (links.length === 0) return ["nothing waits before it"]
  const says = links.slice(0, -1).map((l) => `${labelOf(sight, l.chan)}: no room, ${waiting(l.flits)}, the first from ${l.from} to ${l.to}`)
  const last = links.at(-1)!
  const why = {
    "nothing waits": "",
    "its turn": "has room behind it: this channel is what the others wait for",
    endpoint: "leaves the network here: the endpoint takes one flit a cycle",
    circle: "is met again: these wait for one another",
    "in motion": "what fills the buffer behind it is on the wire or inside the switch",
  }[ends]
  return [...says, `${labelOf(sight, root)}: ${waiting(last.flits)}, ${why}`]
}

function waiting(flits: number): string {
  return flits === 1 ? "1 flit waits" : `${flits} flits wait`
}
