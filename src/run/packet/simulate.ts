// One run of the packet engine, from its specification to its result: compile, choose the synchronisation, start
// workers, measure, and turn the sums of the collectors into values and tables. run/open.ts calls it. The result is the
// same for every synchronisation protocol and any number of workers; only the values `engine.…` describe the execution.
import { sharing } from "../../compile/offered.ts"
import { byteTime } from "../../compile/packet/byte-time.ts"
import { compilePacket, type PacketCompiled } from "../../compile/packet/compile.ts"
import { aheadOf, chunkTimes } from "../../compile/packet/machine.ts"
import { reported } from "../../compile/probes.ts"
import { type Checked, complain } from "../../core/complaint.ts"
import { hash3 } from "../../core/hash.ts"
import { BINS, Histogram } from "../../core/histogram.ts"
import { Draws } from "../../core/rng.ts"
import { isSaturated } from "../../core/saturation.ts"
import {
  type Attribution,
  attributionOf,
  countsWays,
  endsTime,
  linksOf,
  linkTime,
  minimalPaths,
} from "../../engines/packet/attribution.ts"
import { warmTime } from "../../engines/packet/jit-warmup.ts"
import { limitedBy } from "../../measure/bottleneck/sentence.ts"
import type { Outcome } from "../../measure/course.ts"
import {
  type CollectMemory,
  type Collector,
  type CollectSpec,
  extreme,
  joinMessages,
  makeCollector,
  restoreSums,
  SUM,
  saveSums,
  shareCollector,
  shareWindow,
  total,
} from "../../measure/packet/collect.ts"
import { PacketPort } from "../../measure/packet/port.ts"
import { type MeasurePlan, planOf } from "../../measure/plan.ts"
import { Measurement } from "../../measure/procedure.ts"
import type { Saved } from "../../measure/saved.ts"
import type { RunResult, RunSpec, Table } from "../../model/experiment.ts"
import type { Host } from "../../model/host.ts"
import { settled } from "../../model/missing.ts"
import type { RunCounts } from "../../model/probe.ts"
import type { Values } from "../../model/values.ts"
import { observePacket } from "../../observe/packet.ts"
import { jobResults, waitingIn } from "../jobs.ts"
import type { SimulateOptions, Threads } from "../options.ts"
import type { LiveRun } from "../pausable.ts"
import { quantiles, streamValues } from "../stream-values.ts"
import { type GroupTimes, timesOf } from "../times.ts"
import { evidenceOf } from "./evidence.ts"
import { type Mode, type PacketRun, PacketWorkers, workersPlan } from "./run.ts"
import { readPacket, savePacket } from "./saved.ts"

/** A checked specification with its measurement plan. `folder`: where relative paths of plug-ins and traces start. */
export interface PreparedPacket {
  readonly compiled: PacketCompiled
  readonly plan: MeasurePlan
  readonly folder: string
}

/** Compiles a specification. Returns the findings if it is invalid. */
export function preparePacket(spec: RunSpec, host: Host): Checked<PreparedPacket> {
  const compiled = compilePacket(spec, host)
  if ("bad" in compiled) return compiled
  const plan = planOf(spec.measure, compiled.ok.scale)
  if ("bad" in plan) return plan
  if (plan.ok.drain === "all")
    return {
      bad: [
        complain(
          "measure.drain",
          "The packet engine cannot switch its sources off.",
          "set drain: measured or none, or set a stop time for each stream",
        ),
      ],
    }
  return { ok: { compiled: compiled.ok, plan: plan.ok, folder: host.folder ?? "." } }
}

/** Returns the synchronisation of a run. One conservative worker needs none. 255 is the limit of Uint8Array owners. */
function modeOf(c: PacketCompiled, options: SimulateOptions): Mode {
  const { sync, protocol, interval } = c.engine
  const workers = Math.min(c.engine.workers ?? options.workers ?? 1, c.network.topology.graph.routers, 255)
  if (sync === "sequential" || (sync === "conservative" && workers === 1)) return { sync: "sequential" }
  if (sync === "conservative") return { sync: protocol === "windows" ? "windows" : "nulls", workers }
  return { sync: "optimistic", workers, optimism: { window: c.optimism, interval } }
}

/**
 * Returns the sizes of the collectors. Pairs of routers are counted only in small networks with one rail (countsWays).
 */
function collectSpec({ compiled: c, plan }: PreparedPacket): CollectSpec {
  const { network, streams } = c
  const { graph } = network.topology
  return {
    streams: streams.length,
    ends: graph.ends,
    cycle: network.cycle,
    interval: plan.interval * network.cycle,
    intervals: Math.ceil(plan.limit / plan.interval) + 1,
    times: chunkTimes(network),
    routers: graph.routers,
    ...(countsWays(graph)
      ? {
          entries: graph.entry.map((port) => graph.routerOf[port]),
          homes: graph.home.map((chan) => graph.routerOf[chan]),
        }
      : {}),
  }
}

/**
 * Opens a run at time 0, or at a state that was saved by a run of the same specification, synchronisation and workers.
 */
export async function openPacket(
  p: PreparedPacket,
  options: SimulateOptions = {},
  saved?: Saved,
  threads?: Threads,
): Promise<LiveRun> {
  const { compiled: c, plan } = p
  const started = performance.now()
  const { network, streams } = c
  const { graph } = network.topology
  const mode = modeOf(c, options)
  const workers = mode.sync === "sequential" ? 1 : mode.workers
  const collect = collectSpec(p)
  const window = shareWindow()
  const memories = Array.from({ length: workers }, () => shareCollector(collect))
  const collectors: Collector[] = []
  // Collectors of other threads live there; this list has only those of this thread.
  const drain = (me: number) => {
    const collector = makeCollector(collect, memories[me], window)
    collectors.push(collector)
    return collector.collect
  }
  const was = saved === undefined ? undefined : readPacket(saved, c.spec)
  const run: PacketRun =
    mode.sync !== "sequential" && workers > 1 && threads?.packet !== undefined && options.threads !== false
      ? await threads.packet(
          network,
          workersPlan(network, mode),
          drain(0),
          {
            spec: c.spec,
            folder: p.folder,
            collect,
            memories,
            window,
            warm: warmTime(plan.limit * network.cycle, workers),
          },
          was?.run,
        )
      : new PacketWorkers(network, mode, drain, {
          rollbackCheck: options.rehearse === true,
          ...(was === undefined ? {} : { from: was.run }),
        })
  const gathered = (performance.now() - started) / 1000
  // Bytes per cycle of all endpoints: load is relative to the link rate.
  const offered = c.spec.traffic.reduce(
    (sum, t, i) => sum + (t.load * sharing(c, i) * graph.ends * network.cycle) / byteTime(network),
    0,
  )
  const port = new PacketPort({
    run,
    network,
    memories,
    window,
    streams: streams.length,
    traffic: c.spec.traffic.length,
    intervals: collect.intervals,
    offered,
    waiting: () => waitingIn(c.jobs, run),
  })
  const measurement = new Measurement(port, plan, options)
  /** Restores the sums and the measurement. The simulation has restored its state already. */
  const takeOver = (from: ReturnType<typeof readPacket>) => {
    window.set(from.window)
    for (const [i, m] of memories.entries()) restoreSums(m, from.sums[i])
    for (const [i, k] of collectors.entries()) k.reopen(from.run.open[i])
    measurement.resume(from.measurement)
  }
  try {
    if (was !== undefined) takeOver(was)
  } catch (e) {
    // Without this, the threads would continue to wait for orders.
    await run.close()
    throw e
  }
  const seconds = () => (was?.seconds ?? 0) + (performance.now() - started) / 1000
  return {
    get now() {
      return port.now
    },
    step: (budget) => measurement.step(budget),
    reach: (cycle) => measurement.reach(cycle),
    resume(state) {
      if (!(run instanceof PacketWorkers)) throw new Error("a run on threads is not set back: open it anew")
      const from = readPacket(state, c.spec)
      run.restore(from.run)
      takeOver(from)
    },
    observation: () =>
      run instanceof PacketWorkers ? observePacket(run, network, memories, () => port.now) : undefined,
    save() {
      const { open, ...state } = run.save()
      const parts = { seconds: seconds(), window, sums: memories.map(saveSums), measurement: measurement.save() }
      return savePacket(c.spec, { ...parts, run: { ...state, open: [...collectors.map((k) => k.open()), ...open] } })
    },
    async result() {
      const outcome = { ...measurement.result(), channels: port.loads.channels }
      // The ranks must be read while the threads still serve orders.
      const ranks = c.jobs === undefined ? undefined : run.summaries()
      const times = timesOf(gathered, seconds() - gathered, run.times())
      if (times.workers.length > 0) options.onTimes?.(times)
      // Chunks of one message may arrive at several workers (rails), so incomplete messages of all collectors are
      // merged.
      joinMessages([...collectors.map((k) => k.open()), ...(await run.close())], memories[0].sums)
      return resultOf(c, collect, memories, outcome, run, ranks, port.now, seconds(), times)
    },
    async close() {
      await run.close()
    },
  }
}

/** `channels`: [channel] -> flits that it sent in the window. */
type PacketOutcome = Outcome & { readonly channels: Uint32Array }

/** Returns the values, tables and fingerprint of a finished run. */
function resultOf(
  c: PacketCompiled,
  collect: CollectSpec,
  memories: readonly CollectMemory[],
  o: PacketOutcome,
  run: PacketRun,
  ranks: Int32Array | undefined,
  now: number,
  seconds: number,
  times: GroupTimes,
): RunResult {
  const values = valuesOf(c, memories, o)
  const stats = run.stats()
  const hops = sumOf(memories, SUM.hopsAll, c)
  const whole: Values = {
    cycles: now,
    "flit-hops": hops * (c.network.chunk.chunk / c.network.flit),
    "chunk-hops": hops,
    saturated: isSaturated(o.why, values) ? 1 : 0,
    // Only these values depend on the mode of execution.
    "engine.events": stats.committed,
    "engine.workers": run.partition?.workers ?? 1,
    "engine.memory": run.bytes / 2 ** 20,
  }
  if (run.partition !== undefined && run.partition.workers > 1)
    Object.assign(whole, {
      "engine.gather": times.gather,
      "engine.cut": run.partition.cutShare,
      "engine.imbalance": run.partition.imbalance,
      "engine.lookahead": aheadOf(c.network, run.partition).least / c.network.cycle,
      "engine.rounds": stats.rounds,
      "engine.messages": stats.messages,
      "engine.null-messages": stats.nulls,
      "engine.idle": times.workers.reduce((sum, w) => sum + w.waiting, 0),
    } satisfies Values)
  if (c.engine.sync === "optimistic")
    Object.assign(whole, {
      "engine.rolled-back": stats.rolledBack,
      "engine.rollbacks": stats.rollbacks,
      "engine.anti-messages": stats.cancels,
      "engine.rounds": stats.rounds,
      "engine.efficiency": stats.committed === 0 ? 1 : 1 - stats.rolledBack / stats.committed,
    } satisfies Values)
  Object.assign(values, whole)
  const tables = probed(c, collect, memories, o, values)
  if (values["saturated"] === 1) tables["limited-by"] = limitedBy(evidenceOf(c.network, o), c.network.topology)
  const parts = partsOf(c, collect, memories)
  if (parts !== undefined) {
    tables["attribution"] = { part: Object.keys(parts), cycles: Object.values(parts) }
    for (const [part, cycles] of Object.entries(parts)) values[`time.${part}`] = cycles
  }
  const jobs = c.jobs === undefined || ranks === undefined ? undefined : jobResults(c.jobs, ranks, c.network.cycle)
  if (jobs !== undefined) {
    Object.assign(values, jobs.values)
    Object.assign(tables, jobs.tables)
  }
  values["seconds"] = seconds
  const fingerprint = fingerprintOf(memories, c, o) + (jobs?.fingerprint ?? "")
  return { why: o.why, explains: o.explains, fingerprint, ...settled(values), tables }
}

/** Returns one sum over all workers, for one stream or for all (-1). */
function sumOf(memories: readonly CollectMemory[], which: number, c: PacketCompiled, stream = -1): number {
  return total(memories, which, stream, c.streams.length)
}

/**
 * Returns the mean latency split into its parts (attribution), or undefined if no packet was measured or
 * links differ in speed. The collectors
 * sum the differences from a full chunk only, so the sums stay exact integers.
 */
function partsOf(c: PacketCompiled, collect: CollectSpec, memories: readonly CollectMemory[]): Attribution | undefined {
  // The collectors count links of one speed.
  if (Object.keys(c.network.chunk.rates).length > 0) return undefined
  const sum = (which: number) => sumOf(memories, which, c)
  const { graph } = c.network.topology
  const { cycle } = c.network
  const { times } = collect
  const crossed = sum(SUM.measured) - sum(SUM.own)
  const hops = sum(SUM.hops)
  // linksOf() is linear in hops, with a constant number of additional links for each chunk that crossed the network.
  const links = hops + (linksOf(times, 1) - 1) * crossed
  const way = { hops, links: links * linkTime(times, times.chunk) + sum(SUM.links), wires: sum(SUM.wires) * times.wire }
  const spent = {
    measured: sum(SUM.measured),
    latency: sum(SUM.latency),
    network: sum(SUM.network),
    crossed,
    ends: crossed * endsTime(times, times.chunk) + sum(SUM.ends),
    waited: sum(SUM.waited),
    way,
  }
  const flows = memories.map((m) => m.flows)
  const least = collect.homes === undefined ? way : minimalPaths(graph, times, cycle, flows, sum(SUM.short) > 0)
  return attributionOf(spent, times, cycle, least)
}

/**
 * Returns a hash of every delivery, the sums and the counters of all channels. Hashes are added, so the order does not
 * matter.
 */
function fingerprintOf(memories: readonly CollectMemory[], c: PacketCompiled, o: PacketOutcome): string {
  let a = 0
  let b = o.to
  for (const m of memories) a = (a + m.hash[0]) | 0
  for (const which of [SUM.delivered, SUM.measured, SUM.hopsAll, SUM.messages])
    b = hash3(b, which, sumOf(memories, which, c) | 0)
  o.channels.forEach((n, chan) => {
    b = (b + hash3(0x5eed, chan, n)) | 0
  })
  return (a >>> 0).toString(16).padStart(8, "0") + (b >>> 0).toString(16).padStart(8, "0")
}

/** Adds the histograms of all workers. */
function histogramOf(memories: readonly CollectMemory[], streams: number, stream: number): Histogram {
  const all = new Histogram()
  for (const m of memories)
    for (let s = 0; s < streams; s++)
      if (stream < 0 || s === stream) for (let b = 0; b < BINS; b++) all.counts[b] += m.histogram[s * BINS + b]
  return all
}

/** Returns the values of the run and of each stream. Loads are relative to the link rate; latencies are cycles. */
function valuesOf(c: PacketCompiled, memories: readonly CollectMemory[], o: PacketOutcome): Record<string, number> {
  const n = c.streams.length
  const { graph } = c.network.topology
  const { cycle } = c.network
  const perByte = byteTime(c.network)
  const bytesOf = (stream: number) => {
    let bytes = 0
    for (const m of memories)
      for (let i = 0; i < m.accepted.length; i++) if (stream < 0 || i % n === stream) bytes += m.accepted[i]
    return bytes
  }
  const loadOf = (bytes: number) => (bytes * perByte) / graph.ends / Math.max(1, (o.to - o.from) * cycle)
  const values = streamValues(c, o, (stream) => {
    const count = sumOf(memories, SUM.measured, c, stream)
    const mean = (which: number) => (count === 0 ? Number.NaN : sumOf(memories, which, c, stream) / count)
    const messages = sumOf(memories, SUM.messages, c, stream)
    return {
      accepted: loadOf(bytesOf(stream)),
      packets: count,
      "latency.mean": mean(SUM.latency) / cycle,
      "latency.sd": count < 2 ? Number.NaN : Math.sqrt(Math.max(0, mean(SUM.squared) - mean(SUM.rounded) ** 2)),
      "latency.min": extreme(memories, SUM.min, stream, n, Math.min) / cycle,
      ...quantiles("latency", histogramOf(memories, n, stream)),
      "latency.max": extreme(memories, SUM.max, stream, n, Math.max) / cycle,
      "network.mean": mean(SUM.network) / cycle,
      "hops.mean": mean(SUM.hops),
      // A chunk to its own endpoint visits no router and crosses no channel.
      "links.mean": mean(SUM.hops) - (count - sumOf(memories, SUM.own, c, stream)) / count,
      messages,
      "message.mean": messages === 0 ? Number.NaN : sumOf(memories, SUM.messageLatency, c, stream) / messages / cycle,
    }
  })
  if (o.created !== undefined) values["created"] = loadOf(o.created)
  return values
}

/** Returns the tables of the probes, and adds their values. Bytes become flits here. */
function probed(
  c: PacketCompiled,
  collect: CollectSpec,
  memories: readonly CollectMemory[],
  o: PacketOutcome,
  values: Record<string, number>,
): Record<string, Table> {
  const tables: Record<string, Table> = {}
  if (c.spec.probes.length === 0) return tables
  const n = c.streams.length
  const { graph } = c.network.topology
  const { flit } = c.network
  const accepted = (stream: number) => {
    const all = new Float64Array(graph.ends)
    for (const m of memories) for (let e = 0; e < graph.ends; e++) all[e] += m.accepted[e * n + stream] / flit
    return all
  }
  const series = (stream: number, which: number, scale: number) => {
    const all = new Float64Array(collect.intervals)
    for (const m of memories)
      for (let i = 0; i < collect.intervals; i++)
        all[i] += m.series[(stream * collect.intervals + i) * 3 + which] * scale
    return all
  }
  const counts: RunCounts = {
    window: o.to - o.from,
    interval: collect.interval / c.network.cycle,
    channel: o.channels,
    streams: c.streams.map((s, i) => ({
      name: s.name,
      accepted: accepted(i),
      latency: histogramOf(memories, n, i).counts,
      seriesPackets: series(i, 0, 1),
      seriesFlits: series(i, 1, 1 / flit),
      seriesLatency: series(i, 2, 1),
    })),
  }
  const site = { topology: c.network.topology, vcs: c.vcsPerClass, rng: new Draws(c.spec.seed) }
  const report = reported(c.probes, site, counts)
  Object.assign(values, report.values)
  return Object.assign(tables, report.tables)
}
