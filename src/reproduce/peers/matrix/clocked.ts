// Random configurations of the clocked engines: input-queued routers, tiled, combined, InfiniBand, Omni-Path and
// queue-scheme switches.
import type { Named, NetworkSpec, RunSpec } from "../../../model/experiment.ts"
import { hasGroups, type Network, networkOf } from "./networks.ts"
import type { RandomConfig } from "./random-config.ts"
import { measureOf, probesOf, trafficOf } from "./traffic.ts"

function links(d: RandomConfig, net: Network, of: readonly number[]): Record<string, string> {
  return Object.fromEntries(net.links.map((name) => [name, `${d.pick(of)}cycles`]))
}

export function inputQueued(d: RandomConfig, vcs: number): Named {
  const separable = d.chance(0.4)
  const allocator = () =>
    d.pick(
      separable
        ? ["separable-input-first", "separable-output-first"]
        : ["islip", "islip(3)", "pim(2)", "wavefront", "maximum", "separable-input-first"],
    )
  return {
    name: "input-queued",
    vcs,
    buffer: `${d.pick([1, 2, 4, 8, 16])}flits`,
    ...d.maybe(0.25, () => ({ sharing: "damq" })),
    ...d.maybe(0.5, () => ({ route: d.int(0, 2), vc: d.int(1, 2), switch: d.int(1, 2), traverse: d.int(1, 3) })),
    ...d.maybe(0.2, () => ({ speculative: true, vc: 1 })),
    ...d.maybe(0.3, () => ({ speed: d.pick([1.3, 1.5, 2]) })),
    ...d.maybe(0.2, () => ({ inputSpeedup: 2, outputSpeedup: d.int(1, 2) })),
    ...d.maybe(0.3, () => ({ flow: "cut-through", buffer: "16flits" })),
    ...d.maybe(0.3, () => ({ hold: true })),
    ...d.maybe(0.15, () => ({ tailCredit: true })),
    ...d.maybe(0.15, () => ({ busyWhenFull: true })),
    ...d.maybe(0.2, () => ({ creditDelay: `${d.int(1, 4)}cycles` })),
    ...d.maybe(0.15, () => ({ retention: `${d.int(9, 40)}flits` })),
    ...d.maybe(0.7, () => ({ vcAllocator: allocator(), swAllocator: allocator() })),
    ...(separable
      ? {
          vcAllocator: allocator(),
          swAllocator: allocator(),
          ...d.maybe(0.4, () => ({ arbiter: "matrix" })),
          priority: d.pick(["none", "class", "age"]),
        }
      : {}),
  }
}

/** `urgent`: priority of class 1. */
function finish(
  d: RandomConfig,
  network: NetworkSpec,
  end: number,
  traffic: Parameters<typeof trafficOf>[1],
  reply: boolean,
  urgent = 0,
): RunSpec {
  return {
    network,
    engine: { name: "flit" },
    traffic: trafficOf(d, traffic).map((t) => ({
      ...t,
      ...(reply ? { reply: `${d.int(1, 4)}flits` } : {}),
      ...(t.class === 1 ? { priority: urgent } : {}),
    })),
    measure: measureOf(d, end),
    // a probe of groups belongs to networks that have some
    probes: probesOf(d, [{ name: "occupancy" }, { name: "events", rows: 500 }]).filter(
      (p) => p.name !== "groups" || traffic.groups,
    ),
    seed: d.int(1, 1_000_000),
  }
}

export function inputQueuedSpec(d: RandomConfig): RunSpec {
  const net = networkOf(d, "any")
  const streams = d.pick([1, 1, 2, 3])
  const reply = streams === 1 && d.chance(0.2)
  const classes = reply ? 2 : d.chance(0.3) ? Math.min(2, streams) : 1
  const vcs = Math.min(31, net.vcs * classes + d.int(0, 2))
  const end = d.int(300, 1500)
  const network: NetworkSpec = {
    topology: net.topology,
    routing: net.routing,
    switch: inputQueued(d, vcs),
    endpoint: { name: "simple", ...d.maybe(0.3, () => ({ vc: "random" })) },
    links: links(d, net, [1, 1, 2, 5, 17]),
    cycle: "1ns",
    flit: "8B",
  }
  const load = d.pick([0.05, 0.2, 0.4, 0.6, 0.9])
  const traffic = {
    packets: ["1flits", "3flits", "6flits"],
    drawn: d.chance(0.5),
    messages: d.chance(0.2),
    groups: hasGroups(net),
    load,
    streams,
    end,
  }
  return finish(d, network, end, { ...traffic, classes: reply ? 1 : classes }, reply)
}

function tiled(d: RandomConfig, net: Network, classes: number): Named {
  const stash = d.chance(0.5)
  const ends = d.pick([0.5, 0.875])
  const errs = stash && d.chance(0.4)
  return {
    name: "tiled",
    // acknowledgements have a separate VC in each class
    vcs: Math.min(14, Math.max(2, net.vcs) * classes + d.int(classes > 1 ? 0 : 1, 2)),
    // ports must be rows and columns of equal size
    ...d.pick([
      { rows: 1, columns: 1 },
      { rows: 1, columns: 1 },
      { rows: 1, columns: 1 },
      { rows: 2, columns: 1 },
    ]),
    ...d.maybe(0.5, () => ({ speed: d.pick([1, 1.3, 2]) })),
    ...d.maybe(0.3, () => ({ rowSharing: "vc" })),
    ...d.maybe(0.3, () => ({ eject: "last" })),
    ...d.maybe(0.3, () => ({ fair: false })),
    ...d.maybe(0.3, () => ({ release: "tail" })),
    ...d.maybe(0.3, () => ({ retention: false })),
    ...d.maybe(0.3, () => ({ iterations: 2 })),
    ...d.maybe(0.3, () => ({ pipeline: `${d.int(0, 3)}cycles` })),
    ...(stash
      ? {
          stash: { end: ends },
          capacity: d.pick([0.2, 1]),
          ...d.pick<object>([{ reliability: true }, { absorb: true }]),
          reserveAt: d.pick(["bus", "pool"]),
          ...d.maybe(0.3, () => ({ sidebandSpread: d.int(1, 8) })),
        }
      : {}),
    ...(errs
      ? { reliability: true, absorb: false, errors: { end: 0.01 }, lost: d.pick([0, 0.5]), timeout: "2000cycles" }
      : {}),
    ...d.maybe(0.2, () => ({ linkErrors: { [net.links.at(-1)!]: 0.02 } })),
  }
}

/** Protocols of endpoints that tiled switches know; some keep copies of speculative packets in the first switch. */
function tiledProtocol(d: RandomConfig, vcs: number): Named {
  const known = ["ideal", "srp", "smsrp", "lhrp", "srp", "smsrp", "lhrp", "ecn-delay", "rccc"]
  const name = d.pick(known)
  let made = protocol(d, vcs)
  while (made.name !== name) made = protocol(d, vcs)
  return "vcs" in made ? { ...made, retransmitFrom: d.pick(["stash", "stash", "endpoint"]) } : made
}

/** Packets of three lengths, at loads from calm to full. */
function shortAndLong(d: RandomConfig, net: Network, end: number) {
  return {
    packets: ["1flits", "12flits", "24flits"],
    drawn: d.chance(0.4),
    messages: d.chance(0.3),
    groups: hasGroups(net),
    load: d.pick([0.1, 0.3, 0.6, 0.9]),
    end,
  }
}

function managedTiled(d: RandomConfig): RunSpec {
  let net = networkOf(d, "regular")
  for (let tries = 0; !oneVc(net) && tries < 40; tries++) net = networkOf(d, "regular")
  const end = d.int(1000, 4000)
  const streams = d.pick([1, 1, 2])
  const reply = streams === 1 && d.chance(0.3)
  const classes = reply ? 2 : d.chance(0.5) ? streams : 1
  const congestion = tiledProtocol(d, net.vcs)
  const { reliability: _, absorb: __, errors: ___, lost: ____, timeout: _____, ...switched } = tiled(d, net, classes)
  const network: NetworkSpec = {
    topology: net.topology,
    routing: net.routing,
    switch: {
      ...switched,
      name: "tiled",
      vcs: Math.min(14, Math.max(2, net.vcs) * classes + 2 + net.vcs),
      stash: { end: 0.5 },
    },
    endpoint: { name: "queue-pairs", ack: "0flits", active: 16 },
    congestion,
    links: { ...links(d, net, [1, 5, 40, 100]), end: `${d.int(1, 5)}cycles` },
    cycle: "1ns",
    flit: "8B",
  }
  const traffic = shortAndLong(d, net, end)
  return finish(d, network, end, { ...traffic, streams, classes: reply ? 1 : classes }, reply, d.pick([0, 1]))
}

export function tiledSpec(d: RandomConfig): RunSpec {
  const plain = plainTiled(d)
  return d.chance(0.3) ? managedTiled(d) : plain
}

function plainTiled(d: RandomConfig): RunSpec {
  const net = networkOf(d, "regular")
  const end = d.int(1000, 4000)
  const streams = d.pick([1, 1, 2])
  // a routing of many VCs leaves none for a second class
  const fits = 2 * Math.max(2, net.vcs) <= 14
  const reply = fits && streams === 1 && d.chance(0.3)
  const classes = reply ? 2 : fits && d.chance(0.5) ? streams : 1
  const switched = tiled(d, net, classes)
  const answered = switched["reliability"] === true || switched["absorb"] === true
  const ecn = d.chance(0.25)
  const network: NetworkSpec = {
    topology: net.topology,
    routing: net.routing,
    switch: switched,
    endpoint: {
      name: "queue-pairs",
      ack: answered || ecn || d.chance(0.5) ? "1flit" : "0flits",
      ...d.maybe(0.3, () => ({ active: d.int(1, 4) })),
      ...d.maybe(0.2, () => ({ backlog: d.int(1, 64) })),
      ...(reply ? d.maybe(0.5, () => ({ turnaround: `${d.int(1, 200)}cycles` })) : {}),
    },
    congestion: ecn ? { name: "ecn-window", window: `${d.pick([100, 200, 400])}flits` } : { name: "none" },
    links: { ...links(d, net, [1, 5, 40, 200]), end: d.pick(["5cycles", "40cycles"]) },
    cycle: "1ns",
    flit: "10B",
  }
  const load = d.pick([0.1, 0.3, 0.6, 0.9])
  const traffic = {
    packets: ["4flits", "12flits", "24flits"],
    drawn: d.chance(0.4),
    messages: d.chance(0.3),
    groups: hasGroups(net),
    load,
    end,
  }
  return finish(d, network, end, { ...traffic, streams, classes: reply ? 1 : classes }, reply, d.pick([0, 1]))
}

function combined(d: RandomConfig, vcs: number, islip: boolean, fifo: boolean): Named {
  const speed = d.pick([1, 1.5, 2, 2])
  return {
    name: "combined",
    vcs,
    buffer: `${d.pick([24, 48, 96])}flits`,
    output: `${d.pick([24, 48, 96])}flits`,
    speed,
    ...(speed > 1 && d.chance(0.4) ? { start: d.pick(["dry", "stored", "interleaved"]) } : {}),
    ...d.pick<object>([{}, {}, fifo ? { queues: "fifo" } : {}, { depth: "each" }]),
    ...d.maybe(0.4, () => ({ release: d.pick(["tail", "each"]) })),
    ...d.maybe(0.4, () => ({ route: `${d.int(0, 3)}cycles`, traverse: `${d.int(0, 3)}cycles` })),
    allocator: islip ? "islip" : d.pick(["input-first", "output-first"]),
    ...d.maybe(0.4, () => ({ iterations: d.int(2, 3) })),
    ...d.maybe(0.3, () => ({ vcAllocation: "turns" })),
    ...d.maybe(0.3, () => ({ outputPackets: d.int(1, 4) })),
    ...d.maybe(0.2, () => ({ loads: "all" })),
  }
}

/** A FIFO for each VC of the protocol's low class, where its packets need no output on arrival. */
const lateClass: Readonly<Record<string, string>> = { srp: "speculative", cbcm: "hot", ideal: "hot" }
function ownQueues(d: RandomConfig, made: Named, protocol: string | undefined): Named {
  const low = protocol === undefined ? undefined : lateClass[protocol]
  if (low === undefined || made["queues"] !== undefined || !d.chance(0.4)) return made
  return { ...made, queues: { data: "voq", [low]: "fifo" } }
}

/** Trimming, where a protocol sends trimmed packets again and there are virtual output queues. */
function trims(d: RandomConfig, made: Named, protocol: string | undefined): Named {
  const repeats = protocol !== undefined && ["nscc", "rccc", "hpcc"].includes(protocol)
  if (!repeats || made["queues"] !== undefined || !d.chance(0.4)) return made
  return { ...made, trim: `${d.pick([96, 200])}flits` }
}

/** Protocols of endpoints, with numbers that small networks come to. */
function protocol(d: RandomConfig, vcs: number): Named {
  return d.pick<Named>([
    { name: "ideal", to: [0] },
    {
      name: "srp",
      budget: `${d.pick([20, 100])}cycles`,
      reserveFrom: d.pick(["1flits", "24flits"]),
      chunk: "48flits",
      vcs,
    },
    { name: "smsrp", budget: `${d.pick([20, 100])}cycles`, vcs },
    { name: "lhrp", threshold: `${d.pick([1, 30])}flits`, vcs },
    { name: "ecn-delay", threshold: d.pick([0.2, 0.6]), cctiTimer: "200cycles", base: d.pick(["vc", "port"]) },
    {
      name: "cbcm",
      epoch: `${d.pick([50, 150])}cycles`,
      estimator: d.pick(["random", "weighted"]),
      countInTransit: d.chance(0.5),
      hot: d.pick(["own", "shared"]),
      sourceEpoch: "100cycles",
      detect: d.pick(["destination", "router"]),
      routerEpoch: "40cycles",
    },
    {
      name: "dcqcn",
      kmin: "8flits",
      kmax: `${d.pick([16, 64])}flits`,
      timer: "100cycles",
      alphaTimer: "70cycles",
      interval: "50cycles",
    },
    { name: "hpcc", roundTrip: d.pick(["auto", "20kcycles"]), stages: d.int(0, 3) },
    {
      name: "nscc",
      kmin: "8flits",
      kmax: "64flits",
      target: `${d.pick([10, 60])}cycles`,
      proportionalDecrease: d.pick([0, 0.5]),
      ...d.maybe(0.4, () => ({ rules: "uec" })),
    },
    {
      name: "rccc",
      quantum: `${d.pick([8, 64])}flits`,
      rate: d.pick([0.7, 1]),
      initialCredit: d.pick(["0flits", "32flits"]),
      flows: d.pick([2, 256]),
    },
  ])
}

/**
 * Their packets take the shortest path on one VC, and some go from routers back to sources: a butterfly has no path
 * back.
 */
function oneVc({ vcs, routing, topology }: Network): boolean {
  return (
    (vcs === 1 && topology.name !== "butterfly") ||
    ["hyperx.ugal-l", "hyperx.ugal-g", "hyperx.valiant"].includes(routing.name)
  )
}

export function combinedSpec(d: RandomConfig): RunSpec {
  const managed = d.chance(0.6)
  let net = networkOf(d, "any")
  for (let tries = 0; managed && !oneVc(net) && tries < 40; tries++) net = networkOf(d, "any")
  const congestion = managed ? protocol(d, net.vcs) : undefined
  // what is dropped, and the queues of outputs that are read, want a queue for each output
  const drops = congestion !== undefined && ["srp", "smsrp", "lhrp", "dcqcn", "hpcc", "nscc"].includes(congestion.name)
  const end = d.int(800, 2500)
  const streams = d.pick([1, 1, 2])
  const reply = streams === 1 && d.chance(0.3)
  const islip = !managed && d.chance(0.3)
  const classes = reply ? 2 : d.chance(0.5) && !islip ? streams : 1
  const network: NetworkSpec = {
    topology: net.topology,
    routing: net.routing,
    switch: trims(
      d,
      ownQueues(
        d,
        combined(d, Math.min(31, net.vcs * classes + d.int(0, 2) + (managed ? 2 + net.vcs : 0)), islip, !drops),
        congestion?.name,
      ),
      congestion?.name,
    ),
    endpoint: managed
      ? { name: "queue-pairs", ack: "0flits", active: 16 }
      : d.pick<Named>([
          { name: "simple" },
          { name: "simple", vc: "random" },
          { name: "queue-pairs", ack: d.pick(["0flits", "1flit"]) },
        ]),
    ...(congestion === undefined ? {} : { congestion }),
    links: { ...links(d, net, [1, 5, 40, 100]), end: `${d.int(1, 5)}cycles` },
    cycle: "1ns",
    flit: "8B",
  }
  const traffic = shortAndLong(d, net, end)
  return finish(d, network, end, { ...traffic, streams, classes: reply ? 1 : classes }, reply)
}

function scheduler(d: RandomConfig, classes: number): Named {
  const each = Array.from({ length: classes }, (_, c) => c)
  return d.pick<Named>([
    { name: "dtable", table: [...each, ...each].map((c) => `${c}:${d.int(24, 60)}`).join(",") },
    {
      name: "vl-arbitration",
      high: `0:${d.int(1, 9)}`,
      low: each.map((c) => `${c}:${d.int(1, 40)}`).join(","),
      limit: d.pick([0, 1]),
    },
    { name: d.pick(["wfq", "scfq"]), weights: each.map(() => d.int(1, 9)) },
    { name: "drr", quanta: each.map(() => d.int(24, 60)) },
    { name: d.pick(["round-robin", "strict", "age"]) },
  ])
}

/** Draws what crosses the crossbars. `message`: the keys that only crossbars of whole messages have. */
function byGrain(
  d: RandomConfig,
  message: () => Record<string, unknown>,
  packet: () => Record<string, unknown> = () => ({}),
): Record<string, unknown> {
  if (d.chance(0.5)) return { grain: "message", ...message() }
  return { ...d.maybe(0.5, () => ({ iterations: d.int(1, 4) })), ...packet() }
}

function infiniband(d: RandomConfig, vcs: number): Named {
  const speed = d.pick([1, 1.25, 1.5, 2])
  const least = d.pick([0, 24, 48])
  const buffer = () => `${vcs * least + d.pick([48, 96])}flits`
  return {
    name: "infiniband",
    vcs,
    reservedPerVl: `${least}flits`,
    input: buffer(),
    output: buffer(),
    speed,
    ...byGrain(d, () => ({
      ...(speed > 1 && d.chance(0.4) ? { start: "dry" } : {}),
      ...d.maybe(0.3, () => ({ release: "tail" })),
      ...d.maybe(0.3, () => ({ credits: "crossbar" })),
    })),
    ...d.maybe(0.3, () => ({ maxPerVl: `${least + 24}flits` })),
    ...d.maybe(0.4, () => ({ route: `${d.int(0, 3)}cycles`, traverse: `${d.int(0, 3)}cycles` })),
  }
}

function omniPath(d: RandomConfig, vcs: number): Named {
  const least = d.pick([0, 24, 48])
  const buffer = () => `${vcs * least + d.pick([48, 96])}flits`
  return {
    name: "omni-path",
    vcs,
    reservedPerVl: `${least}flits`,
    input: buffer(),
    output: buffer(),
    central: buffer(),
    // any number of ports is a multiple of one
    mport: d.pick([1, 1, 2]),
    ...byGrain(
      d,
      () => ({
        ...d.maybe(0.3, () => ({ uplink: "one" })),
        ...d.maybe(0.3, () => ({ reads: "one" })),
        ...d.maybe(0.3, () => ({ queues: "uplink" })),
      }),
      () => d.maybe(0.3, () => ({ room: "input" })),
    ),
    ...d.maybe(0.3, () => ({ rate: d.int(2, 3), centralRate: d.int(1, 3) })),
    ...d.maybe(0.3, () => ({ maxPerVl: `${least + 24}flits` })),
    ...d.maybe(0.4, () => ({
      route: `${d.int(0, 3)}cycles`,
      middle: `${d.int(1, 4)}cycles`,
      traverse: `${d.int(0, 3)}cycles`,
    })),
  }
}

export function infinibandSpec(d: RandomConfig): RunSpec {
  return levelsSpec(d, infiniband)
}

export function omniPathSpec(d: RandomConfig): RunSpec {
  return levelsSpec(d, omniPath)
}

function levelsSpec(d: RandomConfig, switchOf: (d: RandomConfig, vcs: number) => Named): RunSpec {
  const net = networkOf(d, "any")
  const end = d.int(800, 2500)
  const streams = d.pick([1, 2, 3])
  const reply = streams === 1 && d.chance(0.3)
  const classes = reply ? 2 : d.chance(0.8) ? streams : 1
  const network: NetworkSpec = {
    topology: net.topology,
    routing: net.routing,
    switch: switchOf(d, Math.min(15, net.vcs * classes)),
    endpoint: d.pick<Named>([
      { name: "simple" },
      { name: "simple", vc: "random" },
      { name: "queue-pairs", ack: d.pick(["0flits", "1flit"]) },
      reply ? { name: "simple" } : { name: "service-levels", queue: d.int(1, 20) },
      reply ? { name: "simple" } : { name: "service-levels" },
    ]),
    ...d.maybe(0.8, () => ({ qos: scheduler(d, classes) })),
    links: { ...links(d, net, [1, 5, 40, 100]), end: `${d.int(1, 5)}cycles` },
    cycle: "1ns",
    flit: "64B",
  }
  const traffic = shortAndLong(d, net, end)
  return finish(d, network, end, { ...traffic, streams, classes: reply ? 1 : classes }, reply)
}

function queueScheme(d: RandomConfig): Named {
  const memory = { memory: `${d.pick([64, 128, 256])}flits` }
  const stop = d.int(1, 4)
  const lined = {
    ...memory,
    ...{ detect: d.int(1, 4), stop, go: d.int(0, stop), lines: d.int(1, 5), timer: `${d.pick([0, 16, 100])}cycles` },
  }
  const isolating = {
    ...lined,
    ...d.maybe(0.3, () => ({ cascade: false })),
    ...d.maybe(0.3, () => ({ stopRule: "line" })),
    ...d.maybe(0.3, () => ({
      split: "static",
      lines: d.int(1, 3),
      memory: "256flits",
      credits: d.pick(["pool", "nfq"]),
    })),
    ...d.maybe(0.3, () => ({ header: `${d.int(0, 9)}flits`, each: `${d.int(0, 3)}flits` })),
  }
  return {
    name: "queue-scheme",
    ...d.pick<object>([
      { scheme: "1q", ...memory },
      { scheme: "dbbm", queues: d.int(2, 8), ...memory },
      { scheme: "voq-switch", ...memory },
      { scheme: "voq-network", queue: `${d.pick([8, 16, 32])}flits` },
      { scheme: "fbicm-1", ...isolating, ...d.maybe(0.3, () => ({ stopList: "field" })) },
      {
        scheme: "fbicm-2",
        ...isolating,
        ...d.maybe(0.5, () => ({ list: d.int(1, 4) })),
        ...d.maybe(0.3, () => ({ allocateAck: false })),
      },
      { scheme: "recn", ...lined, ...d.maybe(0.3, () => ({ detection: "off" })) },
      {
        scheme: "bfc",
        ...memory,
        queues: d.int(1, 32),
        flows: d.pick([1, 7, 64, 256]),
        ...d.maybe(0.5, () => ({ stop: d.int(1, 4), go: d.int(0, 1) })),
      },
    ]),
    ...d.maybe(0.3, () => ({ pipeline: `${d.int(1, 4)}cycles` })),
    ...d.maybe(0.3, () => ({ iterations: d.int(2, 3) })),
    ...d.maybe(0.2, () => ({ slot: "8cycles" })),
  }
}

/** Injection queues are those of the scheme; lines are looked for in them only where there are some. */
function adapter(d: RandomConfig, scheme: unknown): Named {
  if (scheme === "recn" || scheme === "bfc") return { name: "adapter" }
  const lined = scheme === "fbicm-1" || scheme === "fbicm-2"
  return {
    ...{ name: "adapter", injection: "copy" },
    ...d.maybe(0.3, () => ({ rate: "any" })),
    ...d.maybe(0.2, () => ({ admittance: "fifo" })),
    ...(lined ? { ...d.maybe(0.3, () => ({ gate: false })), ...d.maybe(0.4, () => ({ detect: true })) } : {}),
  }
}

export function queueSchemeSpec(d: RandomConfig): RunSpec {
  const huge = d.huge > 0 && d.chance(d.huge)
  const small = d.pick<Pick<NetworkSpec, "topology" | "routing">>([
    { topology: { name: "tree", k: 2, n: 3 }, routing: { name: "tree.destination-digit" } },
    { topology: { name: "tree", k: 3, n: 2 }, routing: { name: "tree.destination-digit" } },
    {
      topology: { name: "tree", k: 4, n: 2 },
      routing: { name: "tree.nearest-ancestor", up: d.pick(["random", "adaptive"]) },
    },
    { topology: { name: "mesh", sides: "3x2", p: 2 }, routing: { name: "mesh.dimension-order" } },
  ])
  const net = huge
    ? { ...small, topology: { name: "tree", k: 4, n: 5 }, routing: { name: "tree.destination-digit" } }
    : small
  const end = d.int(800, 2500)
  const sw = queueScheme(d)
  const network: NetworkSpec = {
    ...net,
    switch: sw,
    endpoint: d.pick<Named>([
      adapter(d, sw["scheme"]),
      { name: "adapter" },
      { name: "adapter", admittance: "fifo" },
      { name: "adapter", backlog: d.int(1, 40) },
      { name: "simple" },
    ]),
    links: { link: `${d.pick([1, 5, 40])}cycles`, end: `${d.int(1, 5)}cycles` },
    cycle: "1ns",
    flit: "1B",
  }
  const traffic = {
    packets: ["1flits", "5flits", "8flits"],
    drawn: d.chance(0.4),
    messages: d.chance(0.3),
    groups: false,
    load: d.pick([0.1, 0.3, 0.6, 0.9]),
    end,
  }
  return finish(d, network, end, { ...traffic, streams: d.pick([1, 1, 2]), classes: 1 }, false)
}
