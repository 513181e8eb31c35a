// From a specification to a packet network: what the clocked engine's compiler does, and what only this engine can complain about.

import { canonical } from "../../core/canonical.ts"
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { quantity, type Scale } from "../../core/units.ts"
import type { RailsModel } from "../../endpoints/rails/plugin.ts"
import { type PacketEngineParams, packetEngine } from "../../experiment/engines.ts"
import type { Found } from "../../experiment/find.ts"
import { tooHeavy } from "../../experiment/loads.ts"
import * as library from "../../library.ts"
import type { RunSpec } from "../../model/experiment.ts"
import type { Host } from "../../model/host.ts"
import type { ProbePlugin } from "../../model/probe.ts"
import type { Stream } from "../../model/stream.ts"
import type { ChunkModel } from "../../switches/chunk/plugin.ts"
import { refusals } from "../asks.ts"
import { classesOf, compileNetwork } from "../compile.ts"
import { guarded } from "../guarded.ts"
import { probesIn } from "../probes.ts"
import { streamsOf } from "../streams.ts"
import type { Routed } from "../subject.ts"
import { unfit } from "./fit.ts"
import { jobsOn } from "./jobs.ts"
import { byteTime, type PacketNetwork } from "./machine.ts"
import { chunkModel, isChunk, isRails, railsModel, standIns } from "./models.ts"

export interface PacketCompiled {
  readonly spec: RunSpec
  readonly network: PacketNetwork
  readonly routed: Routed
  readonly streams: readonly Stream[]
  /** parallel programs; absent: there are none */
  readonly jobs: library.workloads.MpiLayer | undefined
  readonly engine: PacketEngineParams
  /** ps ahead of what is certain that an optimistic worker runs */
  readonly optimism: number
  readonly scale: Scale
  readonly vcsPerClass: number
  readonly probes: readonly Found<ProbePlugin<unknown>>[]
}

export function compilePacket(spec: RunSpec, host: Host): Checked<PacketCompiled> {
  return guarded(() => compiledPacket(spec, host))
}

function compiledPacket(spec: RunSpec, host: Host): Checked<PacketCompiled> {
  const { name: _, ...given } = spec.engine
  const engine = packetEngine.parse(given, "engine")
  if ("bad" in engine) return engine
  const compiled = compileNetwork(spec.network, classesOf(spec), spec.seed, host)
  if ("bad" in compiled) return compiled
  const { topology, routing, routingPlugin, scale, vcsPerClass } = compiled.ok
  const heavy = tooHeavy(spec.traffic, topology.graph.rails)
  if (heavy.length > 0) return { bad: heavy }
  // the sizes of packets do not depend on the rate, but the rate of messages does on the bandwidth: streams are made once more below
  const plain = streamsOf(spec, compiled.ok, host)
  if ("bad" in plain) return plain
  const chunk = chunkOf(spec, compiled.ok.switch, plain.ok, scale)
  if ("bad" in chunk) return chunk
  const rails = railsOf(compiled.ok.endpoint, topology.graph.rails)
  if ("bad" in rails) return rails
  const probes = probesIn(spec, scale)
  const refused = refusals({ ...compiled.ok.asks, ...standIns, engine: "packet" }, spec.traffic, probes)
  if (refused.length > 0) return { bad: refused }
  const flitRate = (scale.flit * byteTime({ chunk: chunk.ok.params, cycle: scale.cycle, flit: scale.flit })) / scale.cycle
  const streams = streamsOf({ ...spec, traffic: spec.traffic.map((t) => ({ ...t, load: t.load / flitRate })) }, compiled.ok, host)
  if ("bad" in streams) return streams
  const network: PacketNetwork = {
    topology,
    routing,
    scratch: routingPlugin.scratch ?? 0,
    candidates: routingPlugin.candidates ?? 1,
    chunk: chunk.ok.params,
    rails: rails.ok.params,
    parts: { chunk: chunk.ok, rails: rails.ok },
    streams: streams.ok,
    seed: spec.seed,
    cycle: scale.cycle,
    flit: scale.flit,
  }
  const jobs = spec.jobs === undefined ? undefined : jobsOn(network, spec.jobs, spec.seed, scale, host)
  if (jobs !== undefined && "bad" in jobs) return jobs
  const bad = unfit(jobs === undefined ? network : jobs.ok, engine.ok)
  if (routingPlugin.oracle === true && engine.ok.sync !== "sequential")
    bad.push(
      complain("engine.sync", `"${routingPlugin.name}" reads queues of other routers, which workers do not share`, "set sync: sequential"),
    )
  const optimism = quantity(engine.ok.optimism, "time")
  return bad.length > 0 || typeof optimism === "string"
    ? { bad }
    : {
        ok: {
          spec,
          network: jobs === undefined ? network : jobs.ok,
          jobs: jobs?.ok.ranks,
          routed: compiled.ok,
          streams: jobs === undefined ? streams.ok : jobs.ok.streams,
          engine: engine.ok,
          optimism: Math.round(optimism),
          scale,
          vcsPerClass,
          probes,
        },
      }
}

/** The chunk switch as it is given, or the one that stands for an input-queued router: cut-through packets, the same pipeline and buffers. */
function chunkOf(spec: RunSpec, model: unknown, streams: readonly Stream[], scale: Scale): Checked<ChunkModel> {
  if (isChunk(model)) return { ok: model }
  const { name, ...p } = spec.network.switch
  if (name !== "input-queued")
    return {
      bad: [
        complain("network.switch.name", `"${name}" is a switch of the flit engine`, "choose chunk or input-queued, or set engine: flit"),
      ],
    }
  const lost = unheard(p)
  if (lost.length > 0) return { bad: lost }
  const number = (key: string, fallback: number) => (p[key] === undefined ? fallback : Number(p[key]))
  const flits = streams.reduce((most, s) => Math.max(most, s.packet.max), 1)
  const buffer = quantity(p["buffer"] ?? "8flits", "flits", scale)
  if (typeof buffer === "number" && buffer < flits)
    return {
      bad: [
        complain(
          "network.switch.buffer",
          `${buffer} flits hold no packet of ${flits}: the packet engine moves whole packets`,
          `set buffer to at least ${flits}flits, or engine: flit`,
        ),
      ],
    }
  // steps of the router's own clock; the last of them is the cycle that a head flit takes on the link
  const steps = number("route", 1) + number("vc", 1) + number("switch", 1) + number("traverse", 1) - (p["speculative"] === true ? 1 : 0)
  const delay = Math.max(0, Math.ceil(steps / number("speed", 1)) - 1)
  return chunkModel(
    {
      vcs: number("vcs", 4),
      chunk: `${flits * scale.flit}B`,
      buffer: `${Number(buffer) * scale.flit}B`,
      switching: "cut-through",
      delay: `${delay * scale.cycle}ps`,
      credit: `${2 * scale.cycle}ps`,
      creditSize: "0B",
      order: "round-robin",
    },
    "network.switch",
  )
}

/** What stands for an input-queued router takes its pipeline, its VCs and the size of its buffers over; other keys it would not hear. */
const heard = ["vcs", "buffer", "route", "vc", "switch", "traverse", "speculative", "speed"]

function unheard(given: Readonly<Record<string, unknown>>): Complaint[] {
  const { fields } = library.switches.find((s) => s.name === "input-queued")!.params
  // whole packets move through the packet engine anyway
  const same = (key: string, value: unknown) =>
    canonical(value) === canonical(fields[key]?.info.fallback) || (key === "flow" && value === "cut-through")
  return Object.entries(given)
    .filter(([key, value]) => !heard.includes(key) && !same(key, value))
    .map(([key]) =>
      complain(
        `network.switch.${key}`,
        "the packet engine's stand-in for an input-queued router does not know it",
        "leave it out, or set engine: flit",
      ),
    )
}

function railsOf(model: unknown, rails: number): Checked<RailsModel> {
  if (!isRails(model)) return railsModel({ nic: "0ns" }, "network.endpoint")
  const { rails: wanted } = model.params
  if (wanted === undefined || wanted === rails) return { ok: model }
  return {
    bad: [
      complain(
        "network.endpoint.rails",
        `${wanted} rails, but the network has ${rails} plane${rails === 1 ? "" : "s"}`,
        `set it to ${rails}, or choose a topology with ${wanted} planes (fitfly: rails)`,
      ),
    ],
  }
}
