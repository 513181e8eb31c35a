// Compiles a run specification into a network, its traffic and an engine specification. All errors of an experiment are
// reported here, before cycle 0. `compile` is for the clocked engines; build-network.ts is shared with
// packet/compile.ts and ideal.ts. Checks are ordered so that each one may rely on the earlier ones: size, plug-ins,
// abilities, VCs, routing, traffic, jobs. What must hold between parts is in rules/.

import { broken, type Checked, complain } from "../core/complaint.ts"
import { type Found, prefixed } from "../experiment/find.ts"
import { tooHeavyForFlits } from "../experiment/loads.ts"
import { bytesToRun, tooLarge } from "../experiment/topology-size.ts"
import type { NetworkSpec, RunSpec } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import type { ProbePlugin } from "../model/probe.ts"
import type { Stream } from "../model/stream.ts"
import { classesOf, compileNetwork } from "./build-network.ts"
import { usualBytes } from "./build-topology.ts"
import { type ClockedJobs, jobsOn } from "./clocked/jobs.ts"
import { undeclared } from "./declared.ts"
import { guarded } from "./guarded.ts"
import type { ClockedNetwork, Network } from "./network.ts"
import { isChunk, isRails } from "./packet/models.ts"
import { probesIn, wrongProbes } from "./probes.ts"
import { refusals } from "./requirements.ts"
import { idleRoundTrip } from "./round-trip.ts"
import { trafficRules } from "./rules/traffic.ts"
import { streamsOf } from "./streams.ts"

export interface Compiled {
  readonly spec: RunSpec
  readonly network: ClockedNetwork
  readonly streams: readonly Stream[]
  /** ranks of parallel programs; absent if there are none */
  readonly ranks?: ClockedJobs["ranks"]
  readonly probes: readonly Found<ProbePlugin<unknown>>[]
}

/** Compiles a run for the clocked engines. Exceptions of plug-ins become complaints. */
export function compile(spec: RunSpec, host: Host): Checked<Compiled> {
  return guarded(() => compiled(spec, host))
}

/** The steps of `compile`. Each returns early, because later steps assume that earlier ones succeeded. */
function compiled(spec: RunSpec, host: Host): Checked<Compiled> {
  const heavy = tooHeavyForFlits(spec.traffic, spec.measure)
  if (heavy.length > 0) return { bad: heavy }
  const network = compileNetwork(spec.network, classesOf(spec), spec.seed, host)
  if ("bad" in network) return network
  const { graph } = network.ok.topology
  const large = tooLarge(graph, bytesToRun(graph), host.memory ?? usualBytes, "network.topology", "")
  if (large.length > 0) return { bad: large }
  const clocked = clockedNetwork(spec.network, network.ok)
  if ("bad" in clocked) return clocked
  const probes = probesIn(spec, clocked.ok.scale)
  const refused = refusals(clocked.ok.asks, spec.traffic, probes)
  if (refused.length > 0) return { bad: refused }
  const traffic = streamsOf(spec, clocked.ok, host)
  if ("bad" in traffic) return traffic
  const jobs = spec.jobs === undefined ? undefined : jobsOn(spec, clocked.ok, traffic.ok, host)
  if (jobs !== undefined && "bad" in jobs) return jobs
  const streams = { ok: jobs?.ok.streams ?? traffic.ok }
  const given = streams.ok.slice(0, spec.traffic.length)
  const bad = [
    ...broken(trafficRules, { network: clocked.ok, streams: streams.ok, given }),
    ...wrongProbes(probes, clocked.ok.topology),
  ]
  if (bad.length > 0) return { bad }
  const fitted = fitCongestion(clocked.ok, streams.ok)
  if ("bad" in fitted) return fitted
  return {
    ok: {
      spec,
      network: fitted.ok,
      streams: streams.ok,
      probes,
      ...(jobs === undefined ? {} : { ranks: jobs.ok.ranks }),
    },
  }
}

/** Passes the round trip of the idle network to a congestion management that depends on it. */
function fitCongestion(network: ClockedNetwork, streams: readonly Stream[]): Checked<ClockedNetwork> {
  const { congestion, switch: sw, topology, asks, scale } = network
  if (congestion.fit === undefined || sw.moves === "flits") return { ok: network }
  const packet = Math.max(1, ...streams.map((s) => s.packet.max))
  const { cycle, flit } = scale
  const fitted = congestion.fit({ packet, roundTrip: idleRoundTrip(topology, sw.layout, packet), cycle, flit })
  if ("bad" in fitted) return { bad: prefixed("network.congestion", fitted.bad) }
  const bad = undeclared(fitted.ok, asks.asking.congestion)
  if (bad.length > 0) return { bad }
  // The classes have their numbers of VCs already (divideVcs).
  const { classes } = congestion
  return { ok: { ...network, congestion: classes === undefined ? fitted.ok : { ...fitted.ok, classes } } }
}

/** Returns the network of a clocked engine, or complaints about models that only the packet engine can run. */
function clockedNetwork(spec: NetworkSpec, network: Network): Checked<ClockedNetwork> {
  const { switch: sw, endpoint } = network
  const foreign = (path: string, name: string, kind: string, instead: string) =>
    complain(path, `"${name}" is ${kind} of the packet engine only`, `set engine: packet, or choose ${instead}`)
  const bad = [
    ...(isChunk(sw) ? [foreign("network.switch.name", spec.switch.name, "a switch", "input-queued")] : []),
    ...(isRails(endpoint) ? [foreign("network.endpoint.name", spec.endpoint.name, "an endpoint", "simple")] : []),
  ]
  return isChunk(sw) || isRails(endpoint) ? { bad } : { ok: { ...network, switch: sw, endpoint } }
}
