// The measured values of results, `expect`, tables, reports and `explain`: name, unit, meaning, and the engines and
// switches that provide them. There is one list for all of them. A test (test/contract/values.test.ts) fails if a run
// provides a value that is not listed, or if no run provides a listed value.

/**
 * The providers of values: routers and packet-moving switches of the clocked engines, the packet engine, the ideal
 * network.
 */
export const machines = [
  "input-queued",
  "tiled",
  "combined",
  "infiniband",
  "omni-path",
  "queue-scheme",
  "packet",
  "ideal",
] as const
export type Machine = (typeof machines)[number]

/** Conditions without which a value does not exist. missing.ts evaluates them and names the reason. */
export type Need = "moving" | "carried" | "packets" | "messages" | "ended"

export interface ValueInfo {
  readonly about: string
  /** inner unit; a threshold on a value in cycles must be written with a unit */
  readonly unit: "cycles" | "fraction" | "ratio" | "hops" | "count" | "flits" | "MiB" | "seconds"
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

type Rest = Omit<ValueInfo, "about">

/** Returns `of.k` for each k, with its text after the common description. */
function family<const Of extends string, const K extends string>(
  of: Of,
  about: string,
  words: Readonly<Record<K, string>>,
  rest: Rest,
) {
  return Object.fromEntries(
    Object.entries<string>(words).map(([k, word]) => [`${of}.${k}`, { about: `${about}: ${word}`, ...rest }]),
  ) as Record<`${Of}.${K}`, ValueInfo>
}

const clocked = ["input-queued", "tiled", "combined", "infiniband", "omni-path", "queue-scheme"] as const
const whole = ["tiled", "combined", "infiniband", "omni-path", "queue-scheme"] as const
const crossbars = ["combined", "infiniband", "omni-path", "queue-scheme"] as const
const combined = ["combined"] as const
const marking = ["tiled", "combined"] as const
const controlled = ["combined", "queue-scheme"] as const
const schemes = ["queue-scheme"] as const
const tiled = ["tiled"] as const
const packet = ["packet"] as const
const eventful = [...packet, "ideal"] as const
/** all that have a network */
const networks = [...clocked, ...packet] as const

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
const occupancy = "with the probe occupancy"
const several = "several workers"
const optimistic = "sync: optimistic"
const reliable = "the network can lose packets"
const stash = "the switch has a stash"
const isolates = "the scheme isolates congested flows"

/** The window of a network without progress is not a steady state: a value would depend on its length. */
const moving = ["moving"] as const
const ofPackets = ["moving", "packets"] as const
/** Beyond saturation, packets wait longer at their source the longer the run is. */
const steady = ["moving", "carried", "packets"] as const
const allRanks = ["ended"] as const

const withJobs = "the run has jobs"
const ranked = machines
const list = {
  "jobs.time": {
    about: "time at which the last rank of all jobs ended",
    unit: "cycles",
    of: ranked,
    when: withJobs,
    needs: allRanks,
  },
  "jobs.ended": { about: "fraction of the ranks that have ended", unit: "fraction", of: ranked, when: withJobs },
  ...family(
    "jobs.communication",
    "communication time of a rank: from its start to its end, minus computing",
    { mean: "mean over ranks", max: "largest of all ranks" },
    { unit: "cycles", of: ranked, when: withJobs, needs: allRanks },
  ),
  "jobs.communication.share": {
    about: "mean communication time of the ranks, as a fraction of the time at which the last rank ended",
    unit: "fraction",
    of: ranked,
    when: "the experiment has references",
    needs: allRanks,
    derived: true,
  },
  ...family(
    "slowdown",
    "largest communication time of a rank, relative to that of the same jobs",
    { idle: "on the idle network, without other traffic", ideal: "on an ideal network without latency and contention" },
    { unit: "ratio", of: ranked, when: "the experiment has references", needs: allRanks, derived: true },
  ),
  offered: {
    about:
      "offered load: load that the sources create in the window by their specification, as a fraction " +
      "of one endpoint channel",
    unit: "fraction",
    of: networks,
    each: true,
  },
  created: {
    about:
      "load that the sources actually created in the window, replies included, as a fraction of one endpoint channel",
    unit: "fraction",
    of: networks,
    when: "the run has a measured window",
    needs: moving,
  },
  accepted: {
    about: "accepted load: load that arrived in the window, as a fraction of one endpoint channel",
    unit: "fraction",
    of: networks,
    each: true,
    needs: moving,
  },
  "accepted.ci": {
    about: "half width of the 95 % confidence interval of the accepted load",
    unit: "fraction",
    of: networks,
    when: automatic,
    needs: moving,
  },
  ...family("accepted", "accepted load", extremes, { unit: "fraction", of: networks, when: endpoints, needs: moving }),
  ...family("injected", "load that entered the network", extremes, {
    unit: "fraction",
    of: clocked,
    when: endpoints,
    needs: moving,
  }),
  ...family(
    "latency",
    "packet latency, from creation to the arrival of the tail",
    { mean: "mean", sd: "standard deviation", min: "smallest", ...upper },
    { unit: "cycles", of: networks, each: true, needs: steady },
  ),
  "latency.ci": {
    about: "half width of the 95 % confidence interval of the mean latency",
    unit: "cycles",
    of: networks,
    when: automatic,
    needs: steady,
  },
  "network.mean": {
    about: "network latency, from injection of the head to the arrival of the tail: mean",
    unit: "cycles",
    of: networks,
    each: true,
    needs: ofPackets,
  },
  ...family("network", "network latency, from injection of the head to the arrival of the tail", upper, {
    unit: "cycles",
    of: clocked,
    each: true,
    needs: ofPackets,
  }),
  "hops.mean": {
    about: "routers visited, source and destination router included: mean",
    unit: "hops",
    of: networks,
    each: true,
    needs: ofPackets,
  },
  "links.mean": {
    about: "router-to-router channels crossed: mean",
    unit: "hops",
    of: networks,
    each: true,
    needs: ofPackets,
  },
  ...family(
    "time",
    "part of the mean latency",
    { source: "waiting time at the source until the head leaves its endpoint" },
    { unit: "cycles", of: networks, needs: steady },
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
    { unit: "cycles", of: networks, needs: ofPackets },
  ),
  "time.stash": {
    about: "part of the mean latency: time in the stash of a switch, or lost until the retransmission",
    unit: "cycles",
    of: tiled,
    when: stash,
    needs: ofPackets,
  },
  ...family(
    "occupancy",
    "flits in the queues of one router at the end of an interval",
    { mean: "mean of all routers and intervals", max: "largest" },
    { unit: "flits", of: clocked, when: occupancy },
  ),
  "blocked.max": {
    about:
      "largest number of flits in blocked queues at the end of an interval; the head packet of a " +
      "blocked queue has not left its router",
    unit: "flits",
    of: clocked,
    when: "with the probe blocked",
  },
  "events.from": {
    about: "first cycle from which the table of events is complete; 0 = complete",
    unit: "cycles",
    of: clocked,
    when: "with the probe events",
  },
  saturated: {
    about:
      "1 if the accepted load is clearly below the offered load (by more than twice the confidence " +
      "interval, or than the noise of the count), else 0",
    unit: "count",
    of: networks,
  },
  packets: { about: "number of measured packets", unit: "count", of: networks, each: true },
  messages: { about: "number of messages of which all packets were measured", unit: "count", of: packet, each: true },
  "message.mean": {
    about: "message latency, from creation to the arrival of the last packet: mean",
    unit: "cycles",
    of: packet,
    each: true,
    needs: ["moving", "carried", "messages"],
  },
  abandoned: {
    about: "packets of the whole run that were lost after all retries",
    unit: "count",
    of: tiled,
    when: reliable,
  },
  cycles: { about: "number of simulated cycles", unit: "cycles", of: machines },
  "flit-hops": { about: "flits times routers visited in the whole run", unit: "count", of: networks },
  "packet-hops": { about: "packets times routers visited in the whole run", unit: "count", of: whole },
  "chunk-hops": { about: "chunks times routers visited in the whole run", unit: "count", of: packet },
  ...family(
    "flows",
    "in the whole run",
    {
      refused: "rejected packets: damaged, too far ahead, or without buffer space to wait for earlier ones",
      duplicates: "duplicate packets, which had already arrived",
    },
    { unit: "count", of: tiled, when: reliable },
  ),
  ...family(
    "switch",
    "fraction of core steps in which a resource moved a flit",
    {
      "row.utilisation": "row buses",
      "column.utilisation": "column channels",
      "mux.utilisation": "output multiplexers",
    },
    { unit: "fraction", of: tiled },
  ),
  "switch.crossbar.utilisation": {
    about: "fraction of core steps in which a resource moved a flit: crossbar outputs",
    unit: "fraction",
    of: crossbars,
  },
  "isolation.lines": {
    about: "CAM lines in use at the end of the run, mean over the input ports",
    unit: "count",
    of: schemes,
    when: isolates,
  },
  "isolation.lines.max": {
    about: "largest number of CAM lines that an input port ever used",
    unit: "count",
    of: schemes,
    when: isolates,
  },
  "isolation.cam.utilisation": {
    about: "fraction of time in which the CAM of an input port had a line in use",
    unit: "fraction",
    of: schemes,
    when: isolates,
  },
  ...family(
    "isolation",
    "in the whole run",
    {
      born: "CAM lines allocated at input ports",
      aside: "packets moved to the queues of CAM lines",
      messages: "control messages between switches about CAM lines",
    },
    { unit: "count", of: schemes, when: isolates },
  ),
  "isolation.flits": {
    about: "in the whole run: flits of control messages between switches about CAM lines",
    unit: "flits",
    of: schemes,
    when: isolates,
  },
  "ecn.marked": { about: "packets marked by congested inputs or by contended outputs", unit: "count", of: marking },
  "control.packets": {
    about: "control packets of the congestion protocol in the whole run",
    unit: "count",
    of: controlled,
    when: "the congestion protocol has control packets",
  },
  "control.memory": {
    about: "memory for the state of the congestion protocol at all endpoints",
    unit: "MiB",
    of: controlled,
    when: "the congestion protocol has control packets",
  },
  ...family(
    "speculative",
    "packets in the whole run",
    { sent: "sent speculatively", dropped: "sent speculatively and dropped" },
    { unit: "count", of: combined, when: "network.congestion srp, smsrp or lhrp" },
  ),
  ...family(
    "throttle",
    "in the whole run",
    {
      sent: "throttle packets that destinations sent",
      endpoints: "endpoints that were ever throttled",
      flows: "throttled flows, mean over time",
    },
    { unit: "count", of: combined, when: "network.congestion cbcm" },
  ),
  ...family(
    "throttle",
    "fraction of the time of a flow in which it was throttled",
    {
      share: "mean over the flows",
      falsePositive: "mean over the flows to non-congested destinations",
    },
    { unit: "fraction", of: combined, when: "network.congestion cbcm" },
  ),
  ...family(
    "errors",
    "packets in the whole run",
    { lost: "lost", damaged: "arrived damaged" },
    { unit: "count", of: tiled, when: "errors above 0" },
  ),
  "errors.relaunched": {
    about: "number of link-level retransmissions after an error",
    unit: "count",
    of: tiled,
    when: "linkErrors above 0",
  },
  ...family(
    "stash",
    "fraction of core steps in which a resource moved a flit",
    {
      "storage.utilisation": "storage paths of ports with a pool",
      "retrieval.utilisation": "retrieval paths of ports with a pool",
    },
    { unit: "fraction", of: tiled, when: stash },
  ),
  "stash.column.share": {
    about: "fraction of the flits on column channels that went to a stash",
    unit: "fraction",
    of: tiled,
    when: stash,
  },
  "stash.pool.flits": {
    about: "size of all stash pools of a router, mean over the routers",
    unit: "flits",
    of: tiled,
    when: stash,
  },
  "stash.pool.utilisation": {
    about: "fraction of all stash pools that was occupied at the end of the run",
    unit: "fraction",
    of: tiled,
    when: stash,
  },
  "stash.pool.peak": {
    about: "largest number of flits that the stash pools of one router ever contained",
    unit: "flits",
    of: tiled,
    when: stash,
  },
  ...family(
    "stash",
    "in the whole run",
    {
      absorbed: "packets stashed because of congestion",
      copied: "copies of packets stored until their acknowledgement",
      deleted: "copies deleted after an acknowledgement",
      repeated: "packets retransmitted from their copy",
      stalled: "packets that waited for free space in a pool",
      messages: "messages on the side band",
      unknown: "acknowledgements without a copy",
      abandoned: "packets lost after all retries",
      timeouts: "copies without an acknowledgement within the timeout",
    },
    { unit: "count", of: tiled, when: stash },
  ),
  "engine.events": { about: "number of committed events", unit: "count", of: eventful },
  "engine.workers": { about: "number of workers of the run", unit: "count", of: packet },
  "engine.memory": { about: "memory of the machine", unit: "MiB", of: eventful },
  "engine.gather": { about: "time until all workers were ready", unit: "seconds", of: packet, when: several },
  "engine.idle": {
    about: "time that workers waited for each other, summed over the workers",
    unit: "seconds",
    of: packet,
    when: several,
  },
  "engine.cut": {
    about: "fraction of the traffic between routers that crosses from one worker to another",
    unit: "fraction",
    of: packet,
    when: several,
  },
  "engine.imbalance": {
    about: "load imbalance: load of the busiest worker divided by the mean",
    unit: "ratio",
    of: packet,
    when: several,
  },
  "engine.lookahead": {
    about: "lookahead: shortest time between a cause in one worker and its effect in another",
    unit: "cycles",
    of: packet,
    when: several,
  },
  "engine.messages": {
    about: "number of events sent from one worker to another",
    unit: "count",
    of: packet,
    when: several,
  },
  "engine.null-messages": {
    about: "number of null messages, each of which guarantees that no earlier event follows",
    unit: "count",
    of: packet,
    when: several,
  },
  "engine.rounds": {
    about: "number of barriers of the workers",
    unit: "count",
    of: packet,
    when: `${several}, or ${optimistic}`,
  },
  "engine.rolled-back": {
    about: "number of events that were rolled back",
    unit: "count",
    of: packet,
    when: optimistic,
  },
  "engine.rollbacks": { about: "number of rollbacks", unit: "count", of: packet, when: optimistic },
  "engine.anti-messages": {
    about: "number of anti-messages: events already sent to another worker that were cancelled",
    unit: "count",
    of: packet,
    when: optimistic,
  },
  "engine.efficiency": {
    about: "efficiency: 1 - events rolled back / committed events",
    unit: "fraction",
    of: packet,
    when: optimistic,
    least: Number.NEGATIVE_INFINITY,
  },
  seconds: { about: "wall-clock time of the run on this machine", unit: "seconds", of: machines },
} as const satisfies Readonly<Record<string, ValueInfo>>

export type ValueName = keyof typeof list
/** The values that a run assembles; a name that is not listed does not compile. */
export type Values = Partial<Record<ValueName, number>>

export const values: Readonly<Record<ValueName, ValueInfo> & Record<string, ValueInfo>> = list

/** Returns the declaration of a value, or of a stream's value (`uniform.latency.mean`) if streams have it. */
export function valueInfo(name: string, owners: readonly string[] = []): ValueInfo | undefined {
  if (Object.hasOwn(values, name)) return values[name]
  for (const owner of owners) {
    const rest = name.startsWith(`${owner}.`) ? name.slice(owner.length + 1) : ""
    if (Object.hasOwn(values, rest) && values[rest].each === true) return values[rest]
  }
  return undefined
}

export function unitText(v: ValueInfo): string {
  return v.unit === "count" ? "" : v.unit
}

/** Returns which switches and engines provide it, and when. */
export function givenBy(v: ValueInfo): string {
  const who =
    v.of.length === machines.length ? "all" : v.of.length === networks.length ? "all but ideal" : v.of.join(", ")
  return v.when === undefined ? who : `${who}; ${v.when}`
}
