// Compiles a run specification for the packet engine: the steps of ../compile.ts, plus the replacement of flit-engine
// models and the checks of this engine.

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
import { classesOf, compileNetwork } from "../build-network.ts"
import { guarded } from "../guarded.ts"
import type { Network } from "../network.ts"
import { operationRows, probesIn } from "../probes.ts"
import { refusals } from "../requirements.ts"
import { streamsOf } from "../streams.ts"
import type { Routed } from "../subject.ts"
import { byteTime } from "./byte-time.ts"
import { unfit } from "./fit.ts"
import { jobsOn } from "./jobs.ts"
import type { PacketNetwork } from "./machine.ts"
import { chunkModel, isChunk, isRails, railsModel, standIns } from "./models.ts"

export interface PacketCompiled {
  readonly spec: RunSpec
  readonly network: PacketNetwork
  readonly routed: Routed
  readonly streams: readonly Stream[]
  /** parallel programs; absent if there are none */
  readonly jobs: library.workloads.MpiLayer | undefined
  readonly engine: PacketEngineParams
  /** ps that an optimistic worker executes ahead of the common time */
  readonly optimism: number
  readonly scale: Scale
  readonly vcsPerClass: number
  readonly probes: readonly Found<ProbePlugin<unknown>>[]
}

/** Compiles a run for the packet engine. Exceptions of plug-ins become complaints. */
export function compilePacket(spec: RunSpec, host: Host): Checked<PacketCompiled> {
  return guarded(() => compiledPacket(spec, host))
}

function compiledPacket(spec: RunSpec, host: Host): Checked<PacketCompiled> {
  const { name: _, ...given } = spec.engine
  const engine = packetEngine.parse(given, "engine")
  if ("bad" in engine) return engine
  const compiled = compileNetwork(spec.network, classesOf(spec), spec.seed, host)
  if ("bad" in compiled) return compiled
  const { topology, routing, boundRouting, scale, vcsPerClass } = compiled.ok
  const heavy = tooHeavy(spec.traffic, topology.graph.rails)
  if (heavy.length > 0) return { bad: heavy }
  // Packet sizes do not depend on the rate, but message rates depend on the bandwidth. Streams are therefore created
  // again below.
  const plain = streamsOf(spec, compiled.ok, host)
  if ("bad" in plain) return plain
  const chunk = chunkOf(spec, compiled.ok, plain.ok)
  if ("bad" in chunk) return chunk
  const rails = railsOf(compiled.ok.endpoint, topology.graph.rails)
  if ("bad" in rails) return rails
  const probes = probesIn(spec, scale)
  const refused = refusals({ ...compiled.ok.asks, ...standIns(), engine: "packet" }, spec.traffic, probes)
  if (refused.length > 0) return { bad: refused }
  const flitRate =
    (scale.flit * byteTime({ chunk: chunk.ok.params, cycle: scale.cycle, flit: scale.flit })) / scale.cycle
  const streams = streamsOf(
    { ...spec, traffic: spec.traffic.map((t) => ({ ...t, load: t.load / flitRate })) },
    compiled.ok,
    host,
  )
  if ("bad" in streams) return streams
  const network: PacketNetwork = {
    topology,
    routing,
    scratch: boundRouting.scratch,
    candidates: boundRouting.candidates,
    chunk: chunk.ok.params,
    rails: rails.ok.params,
    parts: { chunk: chunk.ok, rails: rails.ok },
    streams: streams.ok,
    seed: spec.seed,
    cycle: scale.cycle,
    flit: scale.flit,
  }
  const jobs =
    spec.jobs === undefined ? undefined : jobsOn(network, spec.jobs, spec.seed, scale, host, operationRows(probes))
  if (jobs !== undefined && "bad" in jobs) return jobs
  const bad = unfit(jobs === undefined ? network : jobs.ok, engine.ok)
  if (boundRouting.oracle && engine.ok.sync !== "sequential")
    bad.push(
      complain(
        "engine.sync",
        `"${boundRouting.name}" reads queues of other routers, which workers cannot access`,
        "set sync: sequential",
      ),
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

/**
 * Returns the chunk switch as given, or one that replaces an input-queued router: cut-through packets with the same
 * pipeline and buffers.
 */
function chunkOf(spec: RunSpec, network: Network, streams: readonly Stream[]): Checked<ChunkModel> {
  const { switch: model, topology, scale } = network
  if (isChunk(model)) return { ok: model }
  const { name, ...p } = spec.network.switch
  if (name !== "input-queued")
    return {
      bad: [
        complain(
          "network.switch.name",
          `"${name}" is a switch of the flit engine`,
          "choose chunk or input-queued, or set engine: flit",
        ),
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
          `${buffer} flits are too few for a packet of ${flits}, and the packet engine moves whole packets`,
          `set buffer to at least ${flits}flits, or engine: flit`,
        ),
      ],
    }
  // Steps of the router's clock; the last one is the cycle of the head flit on the link.
  const steps =
    number("route", 1) +
    number("vc", 1) +
    number("switch", 1) +
    number("traverse", 1) -
    (p["speculative"] === true ? 1 : 0)
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
    topology,
  )
}

/**
 * Keys of an input-queued router that the replacement uses: its pipeline, VCs and buffer size. Other keys would have no
 * effect.
 */
const heard = ["vcs", "buffer", "route", "vc", "switch", "traverse", "speculative", "speed"]

/** Returns complaints about keys of an input-queued router that would have no effect. */
function unheard(given: Readonly<Record<string, unknown>>): Complaint[] {
  const { fields } = library.switches.find((s) => s.name === "input-queued")!.params
  // Whole packets move through the packet engine in any case.
  const same = (key: string, value: unknown) =>
    canonical(value) === canonical(fields[key]?.info.fallback) || (key === "flow" && value === "cut-through")
  return Object.entries(given)
    .filter(([key, value]) => !heard.includes(key) && !same(key, value))
    .map(([key]) =>
      complain(
        `network.switch.${key}`,
        "the packet engine's model of an input-queued router does not support it",
        "leave it out, or set engine: flit",
      ),
    )
}

/** Returns the endpoint model: as given, or a default without interface delay for flit-engine endpoints. */
function railsOf(model: Network["endpoint"], rails: number): Checked<RailsModel> {
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
