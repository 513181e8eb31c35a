// Reference runs of htsim as experiments. Each property of a scenario is mapped, one by one; nothing depends on the
// single run. `unmapped` names the programs of htsim that have no counterpart here.
import type { Named } from "../../../model/experiment.ts"
import { HEADER, packetBytes, product, type Scenario } from "./scenarios.ts"

/** Flits have the size of a header, so trimmed packets and acknowledgements are one flit. */
const FLIT = HEADER

/** Protocols of htsim that have no counterpart here, and why. */
const notModelled: Readonly<Record<string, string>> = {
  dctcp: "htsim shrinks the window by a third of the flits of each mark, and has no average of marks",
  eqds: "lacewing has no protocol for EQDS, whose receivers pull packets from queues of their sources",
  hpcc: "HPCC of htsim has a period of 12 us on any network, and rounds its ratio of times to whole numbers",
  ndp: "lacewing has no protocol for NDP, whose receivers pull each packet after a first window",
  "nscc+rccc": "no protocol of lacewing limits a flow by a window and by credits at the same time",
}

/** Returns why a scenario has no counterpart, undefined if it has one. */
export function unmapped({ cc, topology }: Scenario): string | undefined {
  if (shapes[topology.shape] === undefined) return `the network ${topology.shape} is not known`
  return Object.hasOwn(protocols, cc) ? undefined : (notModelled[cc] ?? `lacewing has no protocol for ${cc}`)
}

/** `file`: the connection matrix of the scenario (connections). */
export function experimentOf(s: Scenario, file: string, seeds: number): Record<string, unknown> {
  return {
    lacewing: 1,
    title: "a scenario of htsim",
    network: {
      topology: { name: "xgft", ...shapes[s.topology.shape] },
      routing: { name: "any.up-down", levels: "ends", spread: onePath.includes(s.cc) ? "hash" : "random" },
      switch: {
        name: "combined",
        vcs: 5,
        start: "stored",
        ...(s.cc === "pfc" ? { output: "128flits", buffer: "1024flits" } : outputQueues(s)),
      },
      endpoint: { name: "queue-pairs", ack: "0flits", active: 1024 },
      congestion: protocols[s.cc]?.(s) ?? { name: "none" },
      links: { link: `${s.hop_ns}ns`, end: `${s.hop_ns}ns` },
      cycle: `${(8 * FLIT) / s.gbps}ns`,
      flit: `${FLIT}B`,
    },
    jobs: [
      {
        name: "flows",
        workload: { name: "trace", file },
        packet: `${packetBytes(s) / FLIT}flits`,
        mpi: { eager: "1GiB", header: `${HEADER}B` },
      },
    ],
    measure: { until: "jobs", limit: "20ms" },
    seeds,
  }
}

/** The networks: `ls` have two tiers, leaves and spines; `ft` have three tiers of equal switches. */
const shapes: Readonly<Record<string, { readonly m: readonly number[]; readonly w: readonly number[] }>> = {
  ls16: { m: [4, 4], w: [1, 4] },
  ls32: { m: [4, 8], w: [1, 4] },
  ls64: { m: [8, 8], w: [1, 8] },
  ft16: { m: [2, 2, 4], w: [1, 2, 2] },
  ft128: { m: [4, 4, 8], w: [1, 4, 4] },
}

/** Programs that send all packets of a flow on one random path; the others spray packets over all paths. */
const onePath = ["pfc"]

/** A queue of an output holds the product of the network in whole packets. */
const queueFlits = (s: Scenario) => (Math.ceil(product(s) / packetBytes(s)) * packetBytes(s)) / FLIT

/** Packets wait in one FIFO for each output, because the crossbar is faster than all links together. */
const outputQueues = (s: Scenario) => ({
  speed: 8,
  buffer: "4096flits",
  output: `${queueFlits(s)}flits`,
  trim: `${queueFlits(s)}flits`,
})

const protocols: Readonly<Record<string, (s: Scenario) => Named>> = {
  nscc: () => ({ name: "nscc", rules: "uec" }),
  rccc: (s) => ({
    name: "rccc",
    rules: "uec",
    initialCredit: `${Math.round((1.5 * product(s)) / FLIT)}flits`,
    quantum: `${16384 / FLIT}flits`,
    rate: 0.99,
  }),
  pfc: () => ({ name: "none" }),
}

export const mappedProtocols: readonly string[] = Object.keys(protocols)
export const mappedShapes: readonly string[] = Object.keys(shapes)
