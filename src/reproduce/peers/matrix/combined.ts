// Random configurations of combined switches.
import type { Named, NetworkSpec, RunSpec } from "../../../model/experiment.ts"
import { finish, links, shortAndLong } from "./clocked-run.ts"
import { type Network, networkOf } from "./networks.ts"
import type { RandomConfig } from "./random-config.ts"

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
  return {
    ...made,
    trim: `${d.pick([96, 200])}flits`,
    ...d.maybe(0.4, () => ({ timeout: `${d.pick([20, 300])}cycles` })),
  }
}

/** Protocols of endpoints, with numbers that small networks come to. */
export function protocol(d: RandomConfig, vcs: number): Named {
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
      ...d.maybe(0.5, () => ({ rules: "uec" })),
    },
  ])
}

/**
 * Their packets take the shortest path on one VC, and some go from routers back to sources: a butterfly has no path
 * back.
 */
export function oneVc({ vcs, routing, topology }: Network): boolean {
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
