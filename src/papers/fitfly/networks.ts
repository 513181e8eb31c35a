// The four networks of the Fit Fly paper's Tables 2 and 4 ("Fit Fly: a case study on interconnect innovation through parallel simulation",
// N. McGlohon et al., 2019), built by our own generators.

import { buildTopology } from "../../inspect/topology-build.ts"
import type { Topology } from "../../model/topology.ts"
import { type Row, within } from "../paper.ts"

export const cites =
  "Fit Fly: A Case Study on Interconnect Innovation through Parallel Simulation, N. McGlohon, N. Wolfe, M. Mubarak, C. D. Carothers, 2019"

export type Network = "Slim Fly" | "Fit Fly" | "Dragonfly" | "Megafly"

const parameters: Readonly<Record<Network, { name: string; params: Record<string, unknown> }>> = {
  "Slim Fly": { name: "slimfly", params: { q: 13, p: 9 } },
  "Fit Fly": { name: "fitfly", params: { q: 13, p: 9, rails: 2 } },
  Dragonfly: { name: "dragonfly", params: { p: 9, a: 18, h: 9, g: 19, arrangement: "codes" } },
  Megafly: { name: "megafly", params: { groups: 10, leaves: 18, spines: 18, p: 18 } },
}

export function network(of: Network): Topology {
  const { name, params } = parameters[of]
  const built = buildTopology(name, params)
  if ("bad" in built) throw new Error(`${of}: ${built.bad.map((c) => c.says).join("; ")}`)
  return built.ok.topology
}

/** The paper prints something else than follows from its own numbers; `right` does. */
export function misprint(claim: string, paper: number, right: number, because: string, value: number): Row {
  const note = `the paper's ${paper.toLocaleString("en")} is a misprint: ${because}`
  return { ...within({ claim, paper, value, low: right, high: right, note }), kind: "misprint" }
}
