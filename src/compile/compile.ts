// From a specification to a network, its traffic and the engine's orders: everything that can be wrong is said here, before cycle 0.

import { canonical } from "../core/canonical.ts"
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { Draws } from "../core/rng.ts"
import { quantity, type Scale } from "../core/units.ts"
import { type Found, find, prefixed } from "../experiment/find.ts"
import { tooHeavyForFlits } from "../experiment/loads.ts"
import { routingsFor, topologiesFor } from "../experiment/outside/known.ts"
import { bytesFor, bytesToRun, tooLarge } from "../experiment/topology-size.ts"
import type { TransferSwitchModel } from "../fabric/transfer.ts"
import * as library from "../library.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { EndpointModel } from "../model/endpoint.ts"
import type { NetworkSpec, RunSpec } from "../model/experiment.ts"
import { setLatencies } from "../model/graph.ts"
import type { Host } from "../model/host.ts"
import type { RoutingPlugin } from "../model/plugin.ts"
import type { ProbePlugin } from "../model/probe.ts"
import type { RoutingFunction } from "../model/routing.ts"
import type { Stream } from "../model/stream.ts"
import type { Topology } from "../model/topology.ts"
import { dataVcs } from "../model/vc-plan.ts"
import { shortEpochs, withoutAnswers } from "./answers.ts"
import { type Asks, needsOf, refusals } from "./asks.ts"
import { uncarried, withoutBubble } from "./carried.ts"
import { crowded, mixedPriorities, unfitClasses, unknownPriorities, wayward } from "./classes.ts"
import { type ClockedJobs, jobsOn } from "./clocked/jobs.ts"
import { undeclared } from "./declared.ts"
import { applyLayout } from "./floor/cables.ts"
import { guarded } from "./guarded.ts"
import type { Network } from "./network.ts"
import { isChunk, isRails } from "./packet/models.ts"
import { probesIn, wrongProbes } from "./probes.ts"
import { idleRoundTrip } from "./round-trip.ts"
import { unserved } from "./served.ts"
import { streamsOf } from "./streams.ts"
import { noTable } from "./table.ts"

export interface Compiled {
  readonly spec: RunSpec
  readonly network: Network
  readonly streams: readonly Stream[]
  /** ranks of parallel programs; absent: there are none */
  readonly ranks?: ClockedJobs["ranks"]
  readonly probes: readonly Found<ProbePlugin<unknown>>[]
}

/** Bytes that a network may take where the host does not say how many there are. */
const usualBytes = 8 * 2 ** 30

export function compile(spec: RunSpec, host: Host): Checked<Compiled> {
  return guarded(() => compiled(spec, host))
}

function compiled(spec: RunSpec, host: Host): Checked<Compiled> {
  const heavy = tooHeavyForFlits(spec.traffic, spec.measure)
  if (heavy.length > 0) return { bad: heavy }
  const network = compileNetwork(spec.network, classesOf(spec), spec.seed, host)
  if ("bad" in network) return network
  const { graph } = network.ok.topology
  const large = tooLarge(graph, bytesToRun(graph), host.memory ?? usualBytes, "network.topology", "")
  if (large.length > 0) return { bad: large }
  const foreign = ofPacketEngine(spec.network, network.ok)
  if (foreign.length > 0) return { bad: foreign }
  const probes = probesIn(spec, network.ok.scale)
  const refused = refusals(network.ok.asks, spec.traffic, probes)
  if (refused.length > 0) return { bad: refused }
  const traffic = streamsOf(spec, network.ok, host)
  if ("bad" in traffic) return traffic
  const jobs = spec.jobs === undefined ? undefined : jobsOn(spec, network.ok, traffic.ok, host)
  if (jobs !== undefined && "bad" in jobs) return jobs
  const streams = { ok: jobs?.ok.streams ?? traffic.ok }
  const bad = [
    ...tooLong(streams.ok.slice(0, spec.traffic.length), network.ok),
    ...idleReplies(streams.ok, network.ok),
    ...oneTurn(streams.ok, network.ok),
    ...unknownCaps(streams.ok, network.ok),
    ...mixedPriorities(streams.ok, network.ok),
    ...unknownPriorities(streams.ok, network.ok),
    ...unserved(streams.ok, network.ok),
    ...unfitClasses(streams.ok, network.ok),
    ...wrongProbes(probes, network.ok.topology),
  ]
  if (bad.length > 0) return { bad }
  const fitted = fitCongestion(network.ok, streams.ok)
  if ("bad" in fitted) return fitted
  return { ok: { spec, network: fitted.ok, streams: streams.ok, probes, ...(jobs === undefined ? {} : { ranks: jobs.ok.ranks }) } }
}

/** Congestion management that depends on the round trip of the idle network is told it. */
function fitCongestion(network: Network, streams: readonly Stream[]): Checked<Network> {
  const { congestion, switch: sw, topology, asks } = network
  if (congestion.fit === undefined || sw.moves === "flits") return { ok: network }
  const packet = Math.max(1, ...streams.map((s) => s.packet.max))
  const fitted = congestion.fit({ packet, roundTrip: idleRoundTrip(topology, sw, packet) })
  if ("bad" in fitted) return { bad: prefixed("network.congestion", fitted.bad) }
  const bad = undeclared(fitted.ok, needsOf(asks.asking.congestion), asks.asking.congestion.plugin.name)
  return bad.length > 0 ? { bad } : { ok: { ...network, congestion: fitted.ok } }
}

function ofPacketEngine(spec: NetworkSpec, { switch: sw, endpoint }: Network): Complaint[] {
  const foreign = (path: string, name: string, kind: string, instead: string) =>
    complain(path, `"${name}" is ${kind} of the packet engine`, `set engine: packet, or choose ${instead}`)
  return [
    ...(isChunk(sw) ? [foreign("network.switch.name", spec.switch.name, "a switch", "input-queued")] : []),
    ...(isRails(endpoint) ? [foreign("network.endpoint.name", spec.endpoint.name, "an endpoint", "simple")] : []),
  ]
}

/** Caps are those of streams that there are. */
function unknownCaps(streams: readonly Stream[], { endpoint }: Network): Complaint[] {
  const names = streams.map((s) => s.name)
  const wrong = endpoint.cap?.streams.filter((name) => !names.includes(name)) ?? []
  return wrong.map((name) => complain("network.endpoint.capped", `no stream is called "${name}"`, `choose of ${names.join(", ")}`))
}

/** A turnaround and a class of replies have no effect without replies. */
function idleReplies(streams: readonly Stream[], { endpoint }: Network): Complaint[] {
  if (streams.some((s) => s.reply > 0)) return []
  const idle = [...(endpoint.turnaround > 0 ? ["turnaround"] : []), ...(endpoint.replyClass === "same" ? ["replyClass"] : [])]
  return idle.map((key) => complain(`network.endpoint.${key}`, "no stream is answered", `set reply of a stream, or leave ${key} out`))
}

/** One stream alone has one turn over the VCs, as all streams together have. */
function oneTurn(streams: readonly Stream[], { endpoint }: Network): Complaint[] {
  if (endpoint.injectByStream !== true || streams.length > 1) return []
  const fix = "set it to round-robin, or add a stream or replies"
  return [complain("network.endpoint.vc", "there is one stream without replies, hence one turn over the VCs", fix)]
}

/** Whole packets must fit where cut-through or bubbles wait for that much room: else they would wait for ever. */
function tooLong(streams: readonly Stream[], { switch: sw, routing, routingPlugin, congestion }: Network): Complaint[] {
  if (sw.moves !== "flits")
    return [
      ...tooLongToMove(streams, sw),
      ...forPackets(streams, sw),
      ...shortEpochs(streams, congestion),
      ...noBubble(streams, sw, routing, routingPlugin.name),
    ]
  const bubbles = routing.room !== undefined
  if (bubbles && (!sw.timing.cutThrough || sw.buffer.reserve < sw.buffer.depth))
    return [
      complain(
        "network.routing",
        `"${routingPlugin.name}" needs cut-through and a buffer for each VC alone`,
        "set network.switch.flow to cut-through and sharing to private",
      ),
    ]
  if (!sw.timing.cutThrough) return []
  const packets = bubbles ? 2 : 1
  const buffer = Math.floor(sw.buffer.depth / packets)
  const most = sw.timing.retention > 0 ? Math.min(buffer, Math.floor(sw.timing.retention / packets)) : buffer
  const each = packets > 1 ? `${packets} packets of ` : ""
  const complaint = (path: string, flits: number) =>
    complain(
      path,
      `${each}${flits} flits never fit into a buffer of ${most * packets}`,
      `set network.switch.buffer (and retention) to at least ${packets * flits}flits, or send shorter packets`,
    )
  return streams.flatMap((s, i) => [
    ...(s.packet.max > most ? [complaint(`traffic.${i}.packet`, s.packet.max)] : []),
    ...(s.reply > most ? [complaint(`traffic.${i}.reply`, s.reply)] : []),
  ])
}

/** Switches that move whole packets know how long these can be. */
function tooLongToMove(
  streams: readonly Stream[],
  { maxPacket: most, packetKeys = ["packet"], packetParts = 1 }: TransferSwitchModel,
): Complaint[] {
  const keys = packetKeys.map((key) => `network.switch.${key}`).join(" and ")
  const complaint = (path: string, flits: number) =>
    complain(
      path,
      `${flits} flits, the longest packet of the switch has ${most}`,
      `set ${keys} to at least ${flits * packetParts}flits, or send shorter packets`,
    )
  return streams.flatMap((s, i) => [
    ...(s.packet.max > most ? [complaint(`traffic.${i}.packet`, s.packet.max)] : []),
    ...(s.reply > most ? [complaint(`traffic.${i}.reply`, s.reply)] : []),
  ])
}

/** What the switch says of its parameters where packets are so short. */
function forPackets(streams: readonly Stream[], sw: TransferSwitchModel): Complaint[] {
  const shortest = Math.min(...streams.map((s) => s.packet.fixed ?? 1))
  return prefixed("network.switch", sw.checkPackets?.(shortest) ?? [])
}

/** Where packets wait for room for two of the largest, that much must be there: of the VC behind the link, unless the switch keeps bubbles in a buffer
 *  of its own (withoutBubble). */
function noBubble(streams: readonly Stream[], sw: TransferSwitchModel, routing: RoutingFunction, name: string): Complaint[] {
  if (routing.room === undefined || sw.bubble !== undefined) return []
  if (sw.changesVc !== undefined)
    return [
      complain(
        `network.switch.${sw.changesVc}`,
        `"${name}" keeps rings moving that a packet stays in on one VL`,
        "leave it out, or choose a routing without bubbles",
      ),
    ]
  const most = Math.max(...streams.map((s) => Math.max(s.packet.max, s.reply)))
  const { reserve } = sw.buffers.input(1)
  return reserve >= 2 * most
    ? []
    : [
        complain(
          `network.switch.${sw.reserveKey ?? "buffer"}`,
          `"${name}" waits for room for 2 packets of ${most} flits, a VC has ${reserve}`,
          `set it to at least ${2 * most}flits`,
        ),
      ]
}

/** Classes of traffic, each with VCs of its own. */
export function classesOf(spec: RunSpec): number {
  const apart = spec.network.endpoint["replyClass"] !== "same"
  return spec.traffic.reduce((most, t) => Math.max(most, t.class + (apart && repliesOf(t.reply) ? 2 : 1)), 1)
}

function repliesOf(raw: string): boolean {
  const q = quantity(raw, "flits")
  return typeof q === "number" && q > 0
}

/** `anyVcs`: even with fewer VCs than the routing declares, for the proof that shows what they lead to. */
export function compileNetwork(spec: NetworkSpec, classes: number, seed: number, host: Host, anyVcs = false): Checked<Network> {
  return guarded(() => network(spec, classes, seed, host, anyVcs))
}

function network(spec: NetworkSpec, asked: number, seed: number, host: Host, anyVcs: boolean): Checked<Network> {
  const bad: Complaint[] = []
  const scale = scaleOf(spec, bad)
  const keep = <T>(c: Checked<T>): T | undefined => {
    if ("ok" in c) return c.ok
    bad.push(...c.bad)
    return undefined
  }
  const topo = keep(find(topologiesFor(host), spec.topology, "network.topology", scale))
  const rout = keep(find(routingsFor(host), spec.routing, "network.routing", scale))
  const swit = keep(find(library.switches, spec.switch, "network.switch", scale))
  const endp = keep(find(library.endpoints, spec.endpoint, "network.endpoint", scale))
  const cong = keep(find(library.congestions, spec.congestion ?? { name: "none" }, "network.congestion", scale))
  const plain = library.schedulers[0]!
  const qos = keep(find(library.schedulers, spec.qos ?? { name: plain.name }, "network.qos", scale))
  const topology = topo === undefined ? undefined : keep(buildTopology(topo, seed, host, spec, scale))
  let sw: Network["switch"] | undefined
  if (swit !== undefined && topology !== undefined) {
    const site = { topology, asked: cong === undefined ? [] : needsOf(cong) }
    bad.push(...prefixed("network.switch", swit.plugin.check?.(swit.params as never, site as never) ?? []))
    if (bad.length === 0) sw = swit.plugin.make(swit.params as never, site as never) as Network["switch"]
  }
  if (cong !== undefined) bad.push(...prefixed("network.congestion", cong.plugin.check?.(cong.params as never, undefined as never) ?? []))
  if (qos !== undefined) bad.push(...prefixed("network.qos", qos.plugin.check?.(qos.params as never, undefined) ?? []))
  if (bad.length > 0 || !topology || !rout || !sw || !endp || !cong || !qos) return { bad }
  bad.push(...prefixed("network.endpoint", endp.plugin.check?.(endp.params as never, undefined as never) ?? []))
  if (bad.length > 0) return { bad }
  const endpoint = endp.plugin.make(endp.params as never, undefined as never) as EndpointModel
  // the packet engine has none, and says so later
  const foreign = isChunk(sw) || isRails(endpoint)
  const congestion = foreign ? {} : (cong.plugin.make(cong.params as never, undefined as never) as CongestionModel)
  const asks: Asks = {
    switch: swit!.plugin,
    endpoint: endp.plugin,
    asking: { routing: rout, endpoint: endp, congestion: cong, qos: spec.qos === undefined ? undefined : qos },
  }
  if (!foreign) bad.push(...undeclared(congestion, needsOf(cong), cong.plugin.name), ...refusals(asks, []))
  if (bad.length === 0) bad.push(...checkTogether(sw, endpoint, congestion, cong.plugin.name))
  if (bad.length > 0) return { bad }
  const plugin = rout.plugin as RoutingPlugin<never, never>
  if (plugin.topologies !== undefined && !plugin.topologies.includes(topology.name)) {
    const serves = routingsFor(host)
      .filter((r) => r.topologies === undefined || r.topologies.includes(topology.name))
      .map((r) => r.name)
    return {
      bad: [
        complain(
          "network.routing.name",
          `"${plugin.name}" serves ${plugin.topologies.join(" and ")}, the topology is ${topology.name}`,
          `choose one of ${serves.join(", ")}`,
        ),
      ],
    }
  }
  // classes that the switch does not know are refused as such, not for want of VCs
  const known = swit!.plugin.can?.some((a) => a === "classes" || a === "replies") === true
  const classes = known || sw.moves !== "packets" ? asked : 1
  const vcsPerClass = Math.floor(dataVcs(sw.vcs, congestion.classes) / classes)
  const needs = plugin.vcs(rout.params as never, topology as never)
  bad.push(...crowded(sw, congestion, cong.plugin.name, needs * classes, needs))
  bad.push(...withoutAnswers(topology.graph, topology.name, congestion, cong.plugin.name))
  if (bad.length > 0) return { bad }
  if (vcsPerClass < needs && !(anyVcs && vcsPerClass > 0)) {
    const each = classes > 1 ? ` for each of the ${classes} classes of traffic` : ""
    return {
      bad: [
        complain(
          "network.routing",
          `"${plugin.name}" needs ${needs} VCs${each}, the switch has ${sw.vcs}`,
          `set network.switch.vcs to at least ${needs * classes}, or choose another routing`,
        ),
      ],
    }
  }
  const site = { topology, vcs: vcsPerClass, rng: new Draws(seed ^ 0x7075), read: host.read }
  bad.push(...prefixed("network.routing", plugin.check?.(rout.params as never, site as never) ?? []))
  if (bad.length > 0) return { bad }
  const routing = plugin.make(rout.params as never, site as never)
  const routed = { topology, routing, routingPlugin: plugin, routingParams: rout.params, vcsPerClass }
  bad.push(...wayward({ ...routed, congestion }, cong.plugin.name))
  bad.push(...noTable(sw, routed))
  if (bad.length > 0) return { bad }
  const { topology: wiring, routing: ways, links, layout } = spec
  bad.push(
    ...uncarried(
      sw,
      { ...routed, classes },
      canonical({ wiring, ways, vcsPerClass, seed, links, layout, plugins: host.outside?.hashes ?? [] }),
    ),
  )
  bad.push(...withoutBubble(sw, routing))
  if (bad.length > 0) return { bad }
  return {
    ok: {
      ...routed,
      switch: sw,
      endpoint,
      congestion,
      qos: qos.plugin.make(qos.params as never, undefined),
      scale,
      asks,
      classes,
    },
  }
}

/** Injection queues copy those of the switch, if these are such that it makes a difference. */
function withoutQueues(sw: TransferSwitchModel, { injection }: EndpointModel): Complaint[] {
  if (injection === undefined) return []
  if (sw.injection === undefined)
    return [
      complain(
        "network.endpoint.injection",
        "this scheme has no injection queues: what it stops waits in the queues of messages",
        "set it to none, or network.switch.scheme to another one than recn and bfc",
      ),
    ]
  if (sw.injection.lines) return []
  return (["gate", "detect"] as const)
    .filter((key) => injection[key] !== undefined)
    .map((key) => complain(`network.endpoint.${key}`, "this scheme has no lines", "leave it out, or set scheme to fbicm-1 or fbicm-2"))
}

/** What switch, endpoint and congestion management ask of each other. */
function checkTogether(sw: Network["switch"], endpoint: EndpointModel, congestion: CongestionModel, name: string): Complaint[] {
  const bad: Complaint[] = []
  if (sw.moves === "flits") return bad
  const least = congestion.least
  if (least !== undefined && least < sw.maxPacket)
    bad.push(
      complain(
        "network.congestion.least",
        `a window of ${least} flits never lets a packet of ${sw.maxPacket} pass`,
        `set it to at least ${sw.maxPacket}flits`,
      ),
    )
  if (endpoint.ack === 0 && congestion.acknowledged === true)
    bad.push(complain("network.endpoint.ack", `"${name}" learns from acknowledgements, none are sent`, "set it to 1flit"))
  // copies of speculative packets wait for confirmations of the protocol
  const copies = congestion.dropping?.copies === undefined ? sw.copies : 0
  if (endpoint.ack === 0 && copies > 0)
    bad.push(
      complain("network.endpoint.ack", "copies wait for acknowledgements, none are sent", "set it to 1flit, or switch.reliability: false"),
    )
  bad.push(...withoutQueues(sw, endpoint))
  if (endpoint.reorder > 0 && copies === 0)
    bad.push(
      complain(
        "network.endpoint.reorder",
        "what does not fit is refused and must be sent again, but no copies are kept",
        "set network.switch.reliability: true, or reorder: 0",
      ),
    )
  if (endpoint.ack > sw.maxPacket)
    bad.push(
      complain(
        "network.endpoint.ack",
        `${endpoint.ack} flits are more than the longest packet of the switch`,
        `set it to at most ${sw.maxPacket}flits`,
      ),
    )
  return bad
}

function scaleOf(spec: NetworkSpec, bad: Complaint[]): Scale {
  const cycle = quantity(spec.cycle, "time")
  const flit = quantity(spec.flit, "bytes")
  if (typeof cycle === "string" || cycle <= 0)
    bad.push(complain("network.cycle", typeof cycle === "string" ? cycle : "must be above 0", "write a duration such as 1ns"))
  if (typeof flit === "string" || flit <= 0)
    bad.push(complain("network.flit", typeof flit === "string" ? flit : "must be above 0", "write a size such as 8B"))
  return { cycle: typeof cycle === "number" && cycle > 0 ? cycle : 1000, flit: typeof flit === "number" && flit > 0 ? flit : 8 }
}

function buildTopology(found: Found<library.AnyTopology>, seed: number, host: Host, spec: NetworkSpec, scale: Scale): Checked<Topology> {
  const { plugin, params } = found
  const site = { rng: new Draws(seed ^ 0x746f), read: host.read }
  // the size first: even a look at what is far too large may take all memory
  const size = plugin.size(params as never)
  const large = tooLarge(size, bytesFor(size), host.memory ?? usualBytes, "network.topology", "")
  if (large.length > 0) return { bad: large }
  const bad = prefixed("network.topology", plugin.check?.(params as never, site as never) ?? [])
  if (bad.length > 0) return { bad }
  const topology = plugin.make(params as never, site as never) as Topology
  const linked = applyLinks(topology, spec.links, scale)
  if ("bad" in linked || spec.layout === undefined) return linked
  return applyLayout(topology, spec.layout, scale, new Set(Object.keys(spec.links)))
}

/** Latencies by link class, as the file gives them. */
function applyLinks(topology: Topology, links: Readonly<Record<string, string>>, scale: Scale): Checked<Topology> {
  const given = Object.entries(links)
  if (given.length === 0) return { ok: topology }
  const bad: Complaint[] = []
  const byClass = new Map<string, number>()
  for (const [name, raw] of given) {
    const v = quantity(raw, "cycles", scale)
    if (!topology.graph.classes.includes(name))
      bad.push(
        complain(
          `network.links.${name}`,
          `${topology.name} has no links of class "${name}"`,
          `its classes: ${topology.graph.classes.join(", ")}`,
        ),
      )
    else if (typeof v === "string") bad.push(complain(`network.links.${name}`, v, "write a duration such as 10cycles"))
    else if (v < 0 || v > 60000) bad.push(complain(`network.links.${name}`, `${v} cycles`, "choose 0 to 60000 cycles"))
    else byClass.set(name, Math.round(v))
  }
  if (bad.length > 0) return { bad }
  setLatencies(topology.graph, byClass)
  return { ok: topology }
}
