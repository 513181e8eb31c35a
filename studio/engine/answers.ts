// Answers to questions about a channel, a router or a packet. The path of a packet is found by re-simulation from
// before its injection, cycle by cycle. Afterwards the run is at the same cycle as before.
import { diagnose } from "../../src/engines/diagnose.ts"
import { endOf } from "../../src/model/graph.ts"
import { chainOf, treesOf } from "../../src/observe/dependency-chain.ts"
import type { Observation, Seen, Whereabouts } from "../../src/observe/observation.ts"
import { PacketTrace } from "../../src/observe/packet-trace.ts"
import type {
  ChannelAnswer,
  Diagnosed,
  EndpointAnswer,
  PacketAnswer,
  PacketName,
  PacketsAt,
  RouterAnswer,
} from "../shared/messages.ts"
import type { Live } from "./live.ts"
import { findPacket, followed } from "./packets.ts"

export function labelOf({ topology }: Observation, chan: number): string {
  const { graph } = topology
  const far = graph.far[chan]
  return (
    `${topology.label(graph.routerOf[chan])} -> ` +
    `${far >= 0 ? topology.label(graph.routerOf[far]) : far <= -2 ? `endpoint ${endOf(far)}` : "nothing"}`
  )
}

export function channelAnswer(live: Live, chan: number): ChannelAnswer {
  const { observation } = live
  const { chans } = observation.topology.graph
  const queued = new Float64Array(chans)
  const stalled = new Float64Array(chans)
  observation.queued(queued, stalled)
  const fronts: ChannelAnswer["fronts"][number][] = []
  observation.fronts((f) => {
    const seen = f.chan === chan ? observation.packet(f.packet) : undefined
    if (seen !== undefined) fronts.push({ ...seen, vc: f.vc, hasCredits: f.hasCredits, queue: f.flits, input: f.input })
  })
  fronts.sort((a, b) => a.createdAt - b.createdAt || a.key - b.key)
  const chain = chainOf(observation, chan)
  return {
    ...{
      chan,
      label: labelOf(observation, chan),
      now: live.now,
      carried: observation.carried()[chan],
      utilisation: live.busy()(chan),
    },
    ...{ queued: queued[chan], stalled: stalled[chan], fronts, chain, says: tell(observation, chain) },
  }
}

export function routerAnswer(live: Live, router: number): RouterAnswer {
  const { observation } = live
  const { graph } = observation.topology
  const queued = new Float64Array(graph.chans)
  const stalled = new Float64Array(graph.chans)
  observation.queued(queued, stalled)
  const busy = live.busy()
  const [first, end] = [graph.firstChan[router], graph.firstChan[router + 1]]
  const ports = Array.from({ length: end - first }, (_, i) => {
    const chan = first + i
    return {
      chan,
      to: labelOf(observation, chan).split(" -> ")[1],
      utilisation: busy(chan),
      queued: queued[chan],
      stalled: stalled[chan],
    }
  })
  const queues: RouterAnswer["queues"][number][] = []
  observation.fronts(({ input, inputVc, flits, chan, hasCredits }) => {
    if (graph.routerOf[chan] === router)
      queues.push({ input: input < 0 ? -1 : input - first, inputVc, flits, chan: chan - first, hasCredits })
  })
  const inside = observation.inside(router)
  const packets = inside.buffers.flatMap((b) => (b.packet < 0 ? [] : (observation.packet(b.packet) ?? [])))
  const inputs = Array.from({ length: end - first }, (_, i) => {
    const over = graph.near[first + i]
    if (over >= 0) return observation.topology.label(graph.routerOf[over])
    return over <= -2 ? `endpoint ${endOf(over)}` : "nothing"
  })
  return { router, label: observation.topology.label(router), now: live.now, inputs, ports, queues, inside, packets }
}

/** Maximum number of packets of an endpoint that are listed. */
const MOST_LISTED = 12

export function endpointAnswer(live: Live, end: number): EndpointAnswer {
  const { observation } = live
  const { graph } = observation.topology
  const home = graph.home[end * graph.rails]
  const router = graph.routerOf[home]
  const outside = new Float64Array(graph.ends)
  observation.outside(outside)
  const seen = new Map<number, Seen>()
  observation.places((id) => {
    const packet = seen.has(id) ? undefined : observation.packet(id)
    if (packet !== undefined && !packet.control && (packet.from === end || packet.to === end)) seen.set(id, packet)
  })
  const all = [...seen.values()].sort((a, b) => a.createdAt - b.createdAt || a.key - b.key)
  const listed = (of: readonly Seen[]): PacketsAt => ({ count: of.length, oldest: of.slice(0, MOST_LISTED) })
  const carried = observation.carried()
  let received = 0
  for (let rail = 0; rail < graph.rails; rail++) received += carried[graph.home[end * graph.rails + rail]]
  return {
    ...{ end, router, label: observation.topology.label(router), now: live.now, home, received },
    ...{ utilisation: live.busy()(home), sent: observation.sent(end), waited: outside[end] },
    from: listed(all.filter((p) => p.from === end)),
    to: listed(all.filter((p) => p.to === end)),
  }
}

/** Returns the channels with the largest values as numbers, an alternative to colours. */
export function topChannels(
  live: Live,
  count: number,
): { chan: number; label: string; utilisation: number; queued: number; stalled: number }[] {
  const { observation } = live
  const { chans } = observation.topology.graph
  const queued = new Float64Array(chans)
  const stalled = new Float64Array(chans)
  observation.queued(queued, stalled)
  const busy = live.busy()
  const most = Array.from({ length: chans }, (_, c) => c).sort(
    (a, b) => queued[b] - queued[a] || busy(b) - busy(a) || a - b,
  )
  return most.slice(0, count).map((chan) => ({
    chan,
    label: labelOf(observation, chan),
    utilisation: busy(chan),
    queued: queued[chan],
    stalled: stalled[chan],
  }))
}

export function diagnosed({ observation }: Live): Diagnosed {
  const found = diagnose(observation.waits())
  const trees = [...treesOf(observation)]
    .map(([root, channels]) => ({ root, label: labelOf(observation, root), channels: [...channels] }))
    .sort((a, b) => b.channels.length - a.channels.length)
  // Between two samples it is unknown how long a head packet has been blocked, so only cycles are reported as in a run.
  if (found.kind !== "deadlock")
    return { kind: found.kind, words: ["There is no deadlock cycle."], cycle: [], stuck: 0, trees }
  const waits = observation.waits()
  const label = (chan: number) => (chan < 0 ? "its endpoint" : labelOf(observation, chan))
  const cycle = found.cycle.map(({ packet, holds, wants }) => ({
    ...{ chan: holds.chan, from: waits.source(packet), to: waits.destination(packet) },
    ...{ holds: label(holds.chan), waitsFor: label(wants.chan) },
  }))
  return { kind: found.kind, words: found.words, cycle, stuck: found.stuck, trees }
}

/** Returns packets that are in the network now, oldest first. */
export function packetsNow(observation: Observation, most: number): Seen[] {
  const all = new Map<number, Seen>()
  observation.fronts((f) => {
    const seen = observation.packet(f.packet)
    if (seen !== undefined && !seen.control) all.set(f.packet, seen)
  })
  return [...all.values()].sort((a, b) => a.createdAt - b.createdAt || a.key - b.key).slice(0, most)
}

export function packetAnswer(live: Live, name: PacketName): PacketAnswer | undefined {
  const { observation } = live
  const now = live.now
  const seen = findPacket(observation, name)
  if (seen === undefined) return undefined
  if (seen.control)
    throw new Error("This is a control packet of a protocol, whose path is not traced. Inspect its channel instead.")
  const journey = new PacketTrace(observation.topology.graph, observation.pipeline, seen)
  live.seek(Math.min(now, Math.floor(seen.entered)))
  const { at, id } = followed(live, name, journey, seen.entered, () => live.now < now)
  const moving = { links: [], root: -1, ends: "in motion" as const }
  const waits = isWaiting(at)
  const chain = isWaiting(at) ? chainOf(observation, at.chan, id) : moving
  return {
    ...{ ...seen, now, age: now - seen.createdAt, parts: journey.parts() },
    stays: journey.settled().map((s) => ({
      ...s,
      label: observation.topology.label(s.router),
      link: s.chan < 0 ? undefined : labelOf(observation, s.chan),
    })),
    ...{ chain, says: [whereIs(observation, at), ...(waits ? tell(observation, chain) : [])] },
  }
}

function isWaiting(at: Whereabouts | undefined): at is Exclude<Whereabouts, { at: "wire" }> {
  return at !== undefined && at.at !== "wire"
}

function whereIs(observation: Observation, at: Whereabouts | undefined): string {
  const { topology } = observation
  if (at === undefined) return "queued behind others"
  if (at.at === "wire") return `on the link to ${topology.label(topology.graph.routerOf[at.input])}`
  const goal = labelOf(observation, at.chan)
  if (at.at === "output") return `in the output queue of ${goal}, behind others`
  return at.hasCredits
    ? `at the head of its queue for ${goal}, waiting for the switch`
    : `at the head of its queue for ${goal}, VC ${at.vc}: the next buffer is full`
}

/** Returns sentences about a chain of waits, from the inspected object to its root. */
function tell(observation: Observation, chain: ReturnType<typeof chainOf>): string[] {
  const { links, root, ends } = chain
  if (links.length === 0) return ["no packet waits for it"]
  const says = links
    .slice(0, -1)
    .map(
      (l) =>
        `${labelOf(observation, l.chan)}: next buffer full, ${waiting(l.flits)}, the first from ${l.from} to ${l.to}`,
    )
  const last = links.at(-1)!
  const why = {
    "nothing waits": "",
    "its turn": "; they can move, because this channel is the root of the tree",
    endpoint: "; they leave the network here, and the endpoint accepts one flit per cycle",
    circle: "; they close a cycle of packets that wait for one another",
    "in motion": " for flits that are on the link or inside the switch",
  }[ends]
  return [...says, `${labelOf(observation, root)}: ${waiting(last.flits)}${why}`]
}

function waiting(flits: number): string {
  return flits === 1 ? "1 flit waits" : `${flits} flits wait`
}
