// The measured values that results, `expect`, tables, reports and `explain` speak of: name, unit, meaning, and which machines give them. One list for all
// machines: what a run says under a name that is not here, and a name here that no run gives, fail a test (test/contract/values.test.ts).

/** What runs: routers, and switches that move whole packets, of the clocked engine, the packet engine, the ideal network. */
export const machines = ["input-queued", "tiled", "combined", "infiniband", "omni-path", "queue-scheme", "packet", "ideal"] as const
export type Machine = (typeof machines)[number]

/** Conditions without which a value does not exist. missing.ts decides them and names the reason. */
export type Need = "moving" | "carried" | "packets" | "messages" | "ended"

export interface ValueInfo {
  readonly about: string
  /** inner unit; a threshold on a value in cycles must be written with a unit */
  readonly unit: "cycles" | "fraction" | "ratio" | "hops" | "count" | "flits" | "MiB" | "seconds"
  readonly of: readonly Machine[]
  /** where there are several streams, each has its own as well: NAME.latency.mean */
  readonly each?: true
  /** given only then */
  readonly when?: string
  /** The value exists if all of these hold. The first that fails is the reason why it is missing. */
  readonly needs?: readonly Need[]
  /** smallest possible number (default: 0) */
  readonly least?: number
}

type Rest = Omit<ValueInfo, "about">

/** `of.k` for each k, with its word behind the meaning that all share. */
function family<const Of extends string, const K extends string>(of: Of, about: string, words: Readonly<Record<K, string>>, rest: Rest) {
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

const upper = { p50: "median", p90: "90th percentile", p99: "99th percentile", p999: "99.9th percentile", max: "largest" }
const automatic = "the window was measured automatically"
const endpoints = "with the probe endpoints"
const extremes = {
  min: "of the endpoint with least",
  max: "of the endpoint with most",
  fairness: "Jain's index of fairness over the endpoints",
}
const occupancy = "with the probe occupancy"
const several = "several workers"
const optimistic = "sync: optimistic"
const reliable = "the network can lose packets"
const stash = "the switch has a stash"
const isolates = "the scheme isolates congested flows"

/** The window of a network that stands still describes no steady state: its length decides the number. */
const moving = ["moving"] as const
const ofPackets = ["moving", "packets"] as const
/** Beyond saturation packets wait longer at their source the longer the run is. */
const steady = ["moving", "carried", "packets"] as const
const allRanks = ["ended"] as const

const withJobs = "the run has jobs"
const ranked = machines
const list = {
  "jobs.time": { about: "end of the last rank of all jobs", unit: "cycles", of: ranked, when: withJobs, needs: allRanks },
  "jobs.ended": { about: "ranks that have ended, of all", unit: "fraction", of: ranked, when: withJobs },
  ...family(
    "jobs.communication",
    "time of a rank from its beginning to its end, less its computing",
    { mean: "mean over ranks", max: "of the rank with most" },
    { unit: "cycles", of: ranked, when: withJobs, needs: allRanks },
  ),
  offered: {
    about: "load that the sources create in the window by their specification, fraction of one endpoint channel",
    unit: "fraction",
    of: networks,
    each: true,
  },
  created: {
    about: "load that the sources did create in the window, replies included, fraction of one endpoint channel",
    unit: "fraction",
    of: networks,
    when: "the run has a measured window",
    needs: moving,
  },
  accepted: {
    about: "load that arrived in the window, fraction of one endpoint channel",
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
  ...family("injected", "load that entered the network", extremes, { unit: "fraction", of: clocked, when: endpoints, needs: moving }),
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
  "links.mean": { about: "router-to-router channels crossed: mean", unit: "hops", of: networks, each: true, needs: ofPackets },
  ...family(
    "time",
    "part of the mean latency",
    { source: "before the head left its endpoint" },
    { unit: "cycles", of: networks, needs: steady },
  ),
  ...family(
    "time",
    "part of the mean latency",
    {
      serialisation: "flits behind the head",
      wires: "wires of the fastest way",
      pipelines: "switches of the fastest way, with nothing in the way",
      detour: "wires and switches beyond the fastest way",
      credits: "waiting for room behind a link",
      output: "all other waiting in switches",
    },
    { unit: "cycles", of: networks, needs: ofPackets },
  ),
  "time.stash": {
    about: "part of the mean latency: put aside in the stash of a switch, or lost until sent again",
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
  "standing.max": {
    about: "flits in queues whose front did not leave its router, most at the end of an interval",
    unit: "flits",
    of: clocked,
    when: "with the probe standing",
  },
  "events.from": {
    about: "the table of events has all from this cycle on; 0 = from the first",
    unit: "cycles",
    of: clocked,
    when: "with the probe events",
  },
  saturated: {
    about: "1 if clearly less was accepted than offered (by more than twice the interval, or than the noise of the count), else 0",
    unit: "count",
    of: networks,
  },
  packets: { about: "packets measured", unit: "count", of: networks, each: true },
  messages: { about: "messages of which all packets were measured", unit: "count", of: packet, each: true },
  "message.mean": {
    about: "message latency, from creation to the arrival of the last packet: mean",
    unit: "cycles",
    of: packet,
    each: true,
    needs: ["moving", "carried", "messages"],
  },
  abandoned: {
    about: "packets of the whole run that were given up after all retries and never arrived",
    unit: "count",
    of: tiled,
    when: reliable,
  },
  cycles: { about: "cycles simulated", unit: "cycles", of: machines },
  "flit-hops": { about: "flits times routers visited in the whole run", unit: "count", of: networks },
  "packet-hops": { about: "packets times routers visited in the whole run", unit: "count", of: whole },
  "chunk-hops": { about: "chunks times routers visited in the whole run", unit: "count", of: packet },
  ...family(
    "flows",
    "in the whole run",
    {
      refused: "packets that were damaged, too far ahead or without room to wait for earlier ones",
      duplicates: "packets that had arrived before",
    },
    { unit: "count", of: tiled, when: reliable },
  ),
  ...family(
    "switch",
    "share of the core steps in which it moved a flit",
    { "row.use": "row buses", "column.use": "column channels", "mux.use": "output multiplexers" },
    { unit: "fraction", of: tiled },
  ),
  "switch.crossbar.use": { about: "share of the core steps in which it moved a flit: crossbar outputs", unit: "fraction", of: crossbars },
  "isolation.lines": { about: "CAM lines in use at the end, mean over the input ports", unit: "count", of: schemes, when: isolates },
  "isolation.lines.max": { about: "most CAM lines that an input port ever used", unit: "count", of: schemes, when: isolates },
  "isolation.cam.use": {
    about: "share of the time in which the CAM of an input port had a line in use",
    unit: "fraction",
    of: schemes,
    when: isolates,
  },
  ...family(
    "isolation",
    "in the whole run",
    {
      born: "CAM lines allocated at input ports",
      aside: "packets set aside in the queues of lines",
      messages: "messages between switches about lines",
    },
    { unit: "count", of: schemes, when: isolates },
  ),
  "isolation.flits": { about: "in the whole run: flits of these messages", unit: "flits", of: schemes, when: isolates },
  "ecn.marked": { about: "packets marked by congested inputs, or by contended outputs", unit: "count", of: marking },
  "control.packets": {
    about: "control packets of the congestion protocol in the whole run",
    unit: "count",
    of: controlled,
    when: "the congestion protocol has packets of its own",
  },
  "control.memory": {
    about: "room of the congestion protocol's state at all endpoints",
    unit: "MiB",
    of: controlled,
    when: "the congestion protocol has packets of its own",
  },
  ...family(
    "speculative",
    "packets of the whole run",
    { sent: "that were sent speculatively", dropped: "that were sent so and dropped" },
    { unit: "count", of: combined, when: "network.congestion srp, smsrp or lhrp" },
  ),
  ...family(
    "throttle",
    "in the whole run",
    { sent: "throttles that destinations sent", endpoints: "endpoints that were ever throttled", flows: "throttled flows, mean over time" },
    { unit: "count", of: combined, when: "network.congestion cbcm" },
  ),
  ...family(
    "throttle",
    "share of the time of a flow in which it was throttled",
    { share: "mean over the flows", wrong: "mean over those whose destination is not offered more than it takes" },
    { unit: "fraction", of: combined, when: "network.congestion cbcm" },
  ),
  ...family(
    "errors",
    "packets of the whole run",
    { lost: "lost without a trace", damaged: "that arrived damaged" },
    { unit: "count", of: tiled, when: "errors above 0" },
  ),
  "errors.relaunched": {
    about: "times that a link sent a packet again after an error",
    unit: "count",
    of: tiled,
    when: "linkErrors above 0",
  },
  ...family(
    "stash",
    "share of the core steps in which it moved a flit",
    { "storage.use": "storage paths of ports with a pool", "retrieval.use": "retrieval paths of ports with a pool" },
    { unit: "fraction", of: tiled, when: stash },
  ),
  "stash.column.share": { about: "part of the flits on column channels that went to a stash", unit: "fraction", of: tiled, when: stash },
  "stash.pool.flits": { about: "size of all pools of a router, mean over the routers", unit: "flits", of: tiled, when: stash },
  "stash.pool.use": { about: "part of all pools that was full at the end", unit: "fraction", of: tiled, when: stash },
  "stash.pool.peak": { about: "most that the pools of one router ever held", unit: "flits", of: tiled, when: stash },
  ...family(
    "stash",
    "in the whole run",
    {
      absorbed: "packets put aside because of congestion",
      copied: "copies kept until an answer comes",
      deleted: "copies that an answer made superfluous",
      repeated: "packets sent again from their copy",
      stalled: "packets that waited for room in a pool",
      messages: "messages on the side band",
      unknown: "answers for which there was no copy",
      abandoned: "packets given up after all retries",
      timeouts: "copies whose answer did not come in time",
    },
    { unit: "count", of: tiled, when: stash },
  ),
  "engine.events": { about: "events that count", unit: "count", of: eventful },
  "engine.workers": { about: "workers that took part", unit: "count", of: packet },
  "engine.memory": { about: "memory of the machine", unit: "MiB", of: eventful },
  "engine.gather": { about: "time until all workers were ready", unit: "seconds", of: packet, when: several },
  "engine.idle": { about: "time that workers waited for one another, all together", unit: "seconds", of: packet, when: several },
  "engine.cut": {
    about: "part of the traffic between routers that crosses from worker to worker",
    unit: "fraction",
    of: packet,
    when: several,
  },
  "engine.imbalance": { about: "load of the busiest worker over the mean", unit: "ratio", of: packet, when: several },
  "engine.lookahead": {
    about: "shortest time between a cause in one worker and its effect in another",
    unit: "cycles",
    of: packet,
    when: several,
  },
  "engine.messages": { about: "events sent from worker to worker", unit: "count", of: packet, when: several },
  "engine.null-messages": { about: "promises that nothing comes before a time", unit: "count", of: packet, when: several },
  "engine.rounds": { about: "meetings of the workers", unit: "count", of: packet, when: `${several}, or ${optimistic}` },
  "engine.rolled-back": { about: "events that were undone", unit: "count", of: packet, when: optimistic },
  "engine.rollbacks": { about: "times that a worker went back", unit: "count", of: packet, when: optimistic },
  "engine.anti-messages": { about: "events taken back that had been sent to another worker", unit: "count", of: packet, when: optimistic },
  "engine.efficiency": {
    about: "1 - events undone / events that count",
    unit: "fraction",
    of: packet,
    when: optimistic,
    least: Number.NEGATIVE_INFINITY,
  },
  seconds: { about: "duration of the run on this machine", unit: "seconds", of: machines },
} as const satisfies Readonly<Record<string, ValueInfo>>

export type ValueName = keyof typeof list
/** What a run puts together; a name that is not on the list does not compile. */
export type Values = Partial<Record<ValueName, number>>

export const values: Readonly<Record<ValueName, ValueInfo> & Record<string, ValueInfo>> = list

/** The value itself, or that of one stream (`uniform.latency.mean`), and only what streams have. */
export function valueInfo(name: string, owners: readonly string[] = []): ValueInfo | undefined {
  if (Object.hasOwn(values, name)) return values[name]
  for (const owner of owners) {
    const rest = name.startsWith(`${owner}.`) ? name.slice(owner.length + 1) : ""
    if (Object.hasOwn(values, rest) && values[rest]!.each === true) return values[rest]
  }
  return undefined
}

export function unitText(v: ValueInfo): string {
  return v.unit === "count" ? "" : v.unit
}

/** Which machines give it, and when. */
export function givenBy(v: ValueInfo): string {
  const who = v.of.length === machines.length ? "all" : v.of.length === networks.length ? "all but ideal" : v.of.join(", ")
  return v.when === undefined ? who : `${who}; ${v.when}`
}
