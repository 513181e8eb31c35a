// The measured values of results, `expect`, tables, reports and `explain`: name, unit, meaning, and the engines and
// switches that provide them. This file lists those that engines make. A plug-in declares the values that it makes
// (`values` of its record), and experiment/values/list.ts combines both lists. A test (test/contract/values.test.ts)
// fails if a run provides a value that is not listed, or if no run provides a listed value.
import type { Ability } from "./abilities.ts"

/** A provider of values: the name of a switch of the flit engine, "packet" or "ideal" for the other engines. */
export type Machine = string

/**
 * Several providers: all switches of the flit engine, those of them that move whole packets, those with an ability, or
 * another engine.
 */
export type Provider = "flit" | "whole packets" | "packet" | "ideal" | Ability

/** Conditions without which a value does not exist. missing.ts evaluates them and names the reason. */
export type Need = "moving" | "carried" | "packets" | "messages" | "ended"

export interface ValueInfo {
  readonly about: string
  /** inner unit; a threshold on a value in cycles must be written with a unit */
  readonly unit: "cycles" | "fraction" | "ratio" | "hops" | "count" | "flits" | "MiB" | "seconds" | "GB/s"
  readonly of: readonly Machine[]
  /** with several streams, each has its own value as well: NAME.latency.mean */
  readonly each?: true
  /** condition under which it is provided */
  readonly when?: string
  /** The value exists if all of these hold. The first that fails is the reason why it is missing. */
  readonly needs?: readonly Need[]
  /** computed from several runs when results are shown, so no single run stores it */
  readonly derived?: true
  /** smallest possible number (default: 0) */
  readonly least?: number
}

/** A value of an engine: its providers are known when all switches are. */
type CommonValue = Omit<ValueInfo, "of"> & { readonly by: readonly Provider[] }

/**
 * A value that a plug-in makes. Its providers are the switch that declares it, or all switches with the abilities that
 * the plug-in needs.
 */
export type PluginValue = Pick<ValueInfo, "about" | "unit" | "when" | "least">
export type PluginValues = Readonly<Record<string, PluginValue>>

type Unit = Pick<ValueInfo, "unit">

/** Returns `of.k` for each k, with its text after the common description. */
export function family<const Of extends string, const K extends string, const Rest extends Unit>(
  of: Of,
  about: string,
  words: Readonly<Record<K, string>>,
  rest: Rest,
) {
  return Object.fromEntries(
    Object.entries<string>(words).map(([k, word]) => [`${of}.${k}`, { about: `${about}: ${word}`, ...rest }]),
  ) as Record<`${Of}.${K}`, { readonly about: string } & Rest>
}

const clocked = ["flit"] as const
const packet = ["packet"] as const
const eventful = ["packet", "ideal"] as const
/** all that have a network */
const networks = ["flit", "packet"] as const
const everyone = ["flit", "packet", "ideal"] as const

const upper = {
  p50: "median",
  p90: "90th percentile",
  p99: "99th percentile",
  p999: "99.9th percentile",
  max: "largest",
}
const automatic = "the window was measured automatically"
const endpoints = "with the probe endpoints"
const extremes = {
  min: "smallest of all endpoints",
  max: "largest of all endpoints",
  fairness: "Jain's fairness index over the endpoints",
}
const several = "several workers"
const optimistic = "sync: optimistic"

/** The window of a network without progress is not a steady state: a value would depend on its length. */
const moving = ["moving"] as const
const ofPackets = ["moving", "packets"] as const
/** Beyond saturation, packets wait longer at their source the longer the run is. */
const steady = ["moving", "carried", "packets"] as const
const allRanks = ["ended"] as const

const withJobs = "the run has jobs"
/** Values of protocols at endpoints, whichever plug-in brings the protocol. */
export const controlValues = {
  "control.packets": {
    about: "control packets of the congestion protocol in the whole run",
    unit: "count",
    when: "the congestion protocol has control packets",
  },
  "control.memory": {
    about: "memory for the state of the congestion protocol at all endpoints",
    unit: "MiB",
    when: "the congestion protocol has control packets",
  },
} satisfies PluginValues

const list = {
  "jobs.time": {
    about: "time at which the last rank of all jobs ended",
    unit: "cycles",
    by: everyone,
    when: withJobs,
    needs: allRanks,
  },
  "jobs.ended": { about: "fraction of the ranks that have ended", unit: "fraction", by: everyone, when: withJobs },
  ...family(
    "jobs.communication",
    "communication time of a rank: from its start to its end, minus computing",
    { mean: "mean over ranks", max: "largest of all ranks" },
    { unit: "cycles", by: everyone, when: withJobs, needs: allRanks },
  ),
  "jobs.exposed": {
    about: "exposed communication: fraction of the time of all ranks in which they did not compute",
    unit: "fraction",
    by: everyone,
    when: withJobs,
    needs: allRanks,
  },
  "jobs.straggler": {
    about: "longest computing time of a rank, relative to the mean of the ranks of its job: largest of all jobs",
    unit: "ratio",
    by: everyone,
    when: "the ranks of a job compute",
    needs: allRanks,
  },
  "timeline.lost": {
    about: "operations of all ranks that did not fit into the rows of the probe timeline",
    unit: "count",
    by: everyone,
    when: "the run has jobs and the probe timeline",
  },
  "jobs.tail": {
    about: "longest time of a rank from start to end, relative to the median of its job: largest of all jobs",
    unit: "ratio",
    by: everyone,
    when: withJobs,
    needs: allRanks,
  },
  ...family(
    "jobs.bandwidth",
    "bandwidth of the first job that only repeats one collective, as nccl-tests define it",
    { algorithm: "bytes of the collective / time", bus: "the same, relative to the links that the collective needs" },
    { unit: "GB/s", by: everyone, when: "a job has the workload collective, which takes time", needs: allRanks },
  ),
  "jobs.communication.share": {
    about: "mean communication time of the ranks, as a fraction of the time at which the last rank ended",
    unit: "fraction",
    by: everyone,
    when: "the experiment has references",
    needs: allRanks,
    derived: true,
  },
  ...family(
    "slowdown",
    "largest communication time of a rank, relative to that of the same jobs",
    { idle: "on the idle network, without other traffic", ideal: "on an ideal network without latency and contention" },
    { unit: "ratio", by: everyone, when: "the experiment has references", needs: allRanks, derived: true },
  ),
  offered: {
    about:
      "offered load: load that the sources create in the window by their specification, as a fraction " +
      "of one endpoint channel",
    unit: "fraction",
    by: networks,
    each: true,
  },
  created: {
    about:
      "load that the sources actually created in the window, replies included, as a fraction of one endpoint channel",
    unit: "fraction",
    by: networks,
    when: "the run has a measured window",
    needs: moving,
  },
  accepted: {
    about: "accepted load: load that arrived in the window, as a fraction of one endpoint channel",
    unit: "fraction",
    by: networks,
    each: true,
    needs: moving,
  },
  "accepted.ci": {
    about: "half width of the 95 % confidence interval of the accepted load",
    unit: "fraction",
    by: networks,
    when: automatic,
    needs: moving,
  },
  ...family("accepted", "accepted load", extremes, { unit: "fraction", by: networks, when: endpoints, needs: moving }),
  ...family("injected", "load that entered the network", extremes, {
    unit: "fraction",
    by: clocked,
    when: endpoints,
    needs: moving,
  }),
  ...family(
    "latency",
    "packet latency, from creation to the arrival of the tail",
    { mean: "mean", sd: "standard deviation", min: "smallest", ...upper },
    { unit: "cycles", by: networks, each: true, needs: steady },
  ),
  "latency.ci": {
    about: "half width of the 95 % confidence interval of the mean latency",
    unit: "cycles",
    by: networks,
    when: automatic,
    needs: steady,
  },
  "network.mean": {
    about: "network latency, from injection of the head to the arrival of the tail: mean",
    unit: "cycles",
    by: networks,
    each: true,
    needs: ofPackets,
  },
  ...family("network", "network latency, from injection of the head to the arrival of the tail", upper, {
    unit: "cycles",
    by: clocked,
    each: true,
    needs: ofPackets,
  }),
  "hops.mean": {
    about: "routers visited, source and destination router included: mean",
    unit: "hops",
    by: networks,
    each: true,
    needs: ofPackets,
  },
  "links.mean": {
    about: "router-to-router channels crossed: mean",
    unit: "hops",
    by: networks,
    each: true,
    needs: ofPackets,
  },
  ...family(
    "time",
    "part of the mean latency",
    { source: "waiting time at the source until the head leaves its endpoint" },
    { unit: "cycles", by: networks, needs: steady },
  ),
  ...family(
    "time",
    "part of the mean latency",
    {
      serialisation: "serialisation of the flits behind the head",
      propagation: "links of the fastest path",
      pipelines: "switches of the fastest path without contention",
      detour: "additional links and switches compared with the fastest path",
      credits: "waiting for credits",
      contention: "all other waiting in switches",
    },
    { unit: "cycles", by: networks, needs: ofPackets },
  ),
  "time.stash": {
    about: "part of the mean latency: time in the stash of a switch, or lost until the retransmission",
    unit: "cycles",
    by: ["copies"],
    when: "the switch has a stash",
    needs: ofPackets,
  },
  saturated: {
    about:
      "1 if the accepted load is clearly below the offered load (by more than twice the confidence " +
      "interval, or than the noise of the count), else 0",
    unit: "count",
    by: networks,
  },
  packets: { about: "number of measured packets", unit: "count", by: networks, each: true },
  messages: { about: "number of messages of which all packets were measured", unit: "count", by: packet, each: true },
  "message.mean": {
    about: "message latency, from creation to the arrival of the last packet: mean",
    unit: "cycles",
    by: packet,
    each: true,
    needs: ["moving", "carried", "messages"],
  },
  cycles: { about: "number of simulated cycles", unit: "cycles", by: everyone },
  "flit-hops": { about: "flits times routers visited in the whole run", unit: "count", by: networks },
  "packet-hops": { about: "packets times routers visited in the whole run", unit: "count", by: ["whole packets"] },
  "chunk-hops": { about: "chunks times routers visited in the whole run", unit: "count", by: packet },
  "control.packets": { ...controlValues["control.packets"], by: ["protocols"] },
  "control.memory": { ...controlValues["control.memory"], by: ["protocols"] },
  "engine.events": { about: "number of committed events", unit: "count", by: eventful },
  "engine.workers": { about: "number of workers of the run", unit: "count", by: packet },
  "engine.memory": { about: "memory of the machine", unit: "MiB", by: eventful },
  "engine.gather": { about: "time until all workers were ready", unit: "seconds", by: packet, when: several },
  "engine.idle": {
    about: "time that workers waited for each other, summed over the workers",
    unit: "seconds",
    by: packet,
    when: several,
  },
  "engine.cut": {
    about: "fraction of the traffic between routers that crosses from one worker to another",
    unit: "fraction",
    by: packet,
    when: several,
  },
  "engine.imbalance": {
    about: "load imbalance: load of the busiest worker divided by the mean",
    unit: "ratio",
    by: packet,
    when: several,
  },
  "engine.lookahead": {
    about: "lookahead: shortest time between a cause in one worker and its effect in another",
    unit: "cycles",
    by: packet,
    when: several,
  },
  "engine.messages": {
    about: "number of events sent from one worker to another",
    unit: "count",
    by: packet,
    when: several,
  },
  "engine.null-messages": {
    about: "number of null messages, each of which guarantees that no earlier event follows",
    unit: "count",
    by: packet,
    when: several,
  },
  "engine.rounds": {
    about: "number of barriers of the workers",
    unit: "count",
    by: packet,
    when: `${several}, or ${optimistic}`,
  },
  "engine.rolled-back": {
    about: "number of events that were rolled back",
    unit: "count",
    by: packet,
    when: optimistic,
  },
  "engine.rollbacks": { about: "number of rollbacks", unit: "count", by: packet, when: optimistic },
  "engine.anti-messages": {
    about: "number of anti-messages: events already sent to another worker that were cancelled",
    unit: "count",
    by: packet,
    when: optimistic,
  },
  "engine.efficiency": {
    about: "efficiency: 1 - events rolled back / committed events",
    unit: "fraction",
    by: packet,
    when: optimistic,
    least: Number.NEGATIVE_INFINITY,
  },
  seconds: { about: "wall-clock time of the run on this machine", unit: "seconds", by: everyone },
} as const satisfies Readonly<Record<string, CommonValue>>

export type ValueName = keyof typeof list
/** The values that a run assembles; a name that is not listed does not compile. */
export type Values = Partial<Record<ValueName, number>>

/** The values that engines make. */
export const commonValues: Readonly<Record<ValueName, CommonValue> & Record<string, CommonValue>> = list

/** Returns the declaration of a value, or of a stream's value (`uniform.latency.mean`) if streams have it. */
export function declarationIn<V extends { readonly each?: true }>(
  known: Readonly<Record<string, V>>,
  name: string,
  owners: readonly string[],
): V | undefined {
  if (Object.hasOwn(known, name)) return known[name]
  for (const owner of owners) {
    const rest = name.startsWith(`${owner}.`) ? name.slice(owner.length + 1) : ""
    if (Object.hasOwn(known, rest) && known[rest].each === true) return known[rest]
  }
  return undefined
}

export function unitText(v: Pick<ValueInfo, "unit">): string {
  return v.unit === "count" ? "" : v.unit
}
