// Reference runs of htsim as experiments. Each property of a scenario is mapped, one by one; nothing depends on the
// single run. `unmapped` names the programs of htsim that have no counterpart here.
import type { Named } from "../../model/experiment.ts"
import { HEADER, packetBytes, type Scenario } from "./scenarios.ts"

/** Flits have the size of a header, so trimmed packets and acknowledgements are one flit. */
const FLIT = HEADER

/** Returns why a scenario has no counterpart, undefined if it has one. */
export function unmapped({ cc, topology }: Scenario): string | undefined {
  if (shapes[topology.shape] === undefined) return `the network ${topology.shape} is not known`
  return Object.hasOwn(protocols, cc) ? undefined : `lacewing has no protocol for ${cc}`
}

/** `file`: the connection matrix of the scenario (connections). */
export function experimentOf(s: Scenario, file: string, seeds: number): Record<string, unknown> {
  return {
    lacewing: 1,
    title: "a scenario of htsim",
    network: {
      ...shapes[s.topology.shape],
      switch: {
        name: "combined",
        vcs: 5,
        buffer: "1024flits",
        output: "128flits",
        start: "stored",
      },
      endpoint: { name: "queue-pairs", ack: "0flits", active: 1024 },
      congestion: protocols[s.cc]!(s),
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

/**
 * The networks: `ls` have two tiers, leaves and spines, `ft` three tiers of equal switches. Packets of a flow are
 * spread over all paths, as htsim sprays them.
 */
const spray = { name: "tree.nearest-ancestor", up: "random" }
const shapes: Readonly<Record<string, { readonly topology: Named; readonly routing: Named }>> = {
  ls16: { topology: { name: "tree", k: 4, n: 2 }, routing: spray },
  ls64: { topology: { name: "tree", k: 8, n: 2 }, routing: spray },
}

const protocols: Readonly<Record<string, (s: Scenario) => Named>> = {
  nscc: () => ({ name: "nscc" }),
  rccc: () => ({ name: "rccc", quantum: `${16384 / FLIT}flits`, rate: 0.99 }),
  hpcc: () => ({ name: "hpcc" }),
  pfc: () => ({ name: "none" }),
}

export const mappedProtocols: readonly string[] = Object.keys(protocols)
export const mappedShapes: readonly string[] = Object.keys(shapes)
