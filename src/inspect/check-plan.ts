// The proofs of every network that an experiment names, each once: load, seed and traffic do not make another network.

import { classesOf, compileNetwork } from "../compile/compile.ts"
import { canonical } from "../core/canonical.ts"
import type { Plan } from "../experiment/plan.ts"
import type { NetworkSpec, RunSpec } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import { type CheckOptions, checkNetwork, manyWalked, mostWalked, type NetworkCheck } from "./check-network.ts"

export interface CheckedNetwork {
  /** topology and routing, with their parameters */
  readonly network: string
  readonly check: NetworkCheck
}

/** `hostFor`: where the files of a run are, and the plug-ins that it brings; `tell`: a sentence for people before a network that takes a while. */
export function checkPlan(
  plan: Pick<Plan, "runs">,
  hostFor: (spec: RunSpec) => Host,
  options: CheckOptions,
  tell: (says: string) => void = () => {},
): CheckedNetwork[] {
  const checked = new Map<string, CheckedNetwork>()
  const keyOf = ({ spec }: Plan["runs"][number]) => {
    const { topology, routing } = spec.network
    return canonical({ topology, routing, switch: spec.network.switch, classes: classesOf(spec) })
  }
  const offered = new Map<string, number>()
  for (const run of plan.runs) {
    const load = run.spec.traffic.reduce((sum, t) => sum + t.load, 0)
    offered.set(keyOf(run), Math.max(load, offered.get(keyOf(run)) ?? 0))
  }
  for (const run of plan.runs) {
    const { spec } = run
    const { topology, routing } = spec.network
    const classes = classesOf(spec)
    const key = keyOf(run)
    if (checked.has(key)) continue
    const host = hostFor(spec)
    const network = compileNetwork(spec.network, classes, spec.seed, host, true)
    // what is wrong with it has been complained about already
    if ("bad" in network) continue
    const { routers } = network.ok.topology.graph
    if (routers >= manyWalked && routers <= mostWalked)
      tell(`${topology.name} of ${routers.toLocaleString("en")} routers with ${routing.name}: looking at every way takes a while`)
    const check = checkNetwork(network.ok, { ...options, seed: spec.seed, read: host.read, offered: offered.get(key)! })
    checked.set(key, { network: networkName(spec.network, network.ok.vcsPerClass), check })
  }
  return [...checked.values()]
}

export function networkName({ topology, routing }: NetworkSpec, vcs: number): string {
  return `${told(topology)} with ${told(routing)}, ${vcs} ${vcs === 1 ? "VC" : "VCs"}`
}

function told({ name, ...params }: { readonly name: string; readonly [param: string]: unknown }): string {
  return [name, ...Object.entries(params).map(([k, v]) => `${k}=${Array.isArray(v) ? v.join("x") : String(v)}`)].join(" ")
}
