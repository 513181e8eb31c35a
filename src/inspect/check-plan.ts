// The proofs of every network that an experiment names, each once: load, seed and traffic do not make another network, nor does what a switch has beside VCs.

import { classesOf, compileNetwork } from "../compile/compile.ts"
import { type Routed, subjectOf } from "../compile/subject.ts"
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
  /** [network as it is written] -> as it is proved */
  const proved = new Map<string, string>()
  const keyOf = ({ spec }: Plan["runs"][number]) => {
    const { topology, routing } = spec.network
    return canonical({ topology, routing, switch: spec.network.switch, classes: classesOf(spec) })
  }
  const built = (spec: RunSpec) => compileNetwork(spec.network, classesOf(spec), spec.seed, hostFor(spec), true)
  const first = new Map<string, { readonly spec: RunSpec; offered: number }>()
  for (const run of plan.runs) {
    const { spec } = run
    const load = spec.traffic.reduce((sum, t) => sum + t.load, 0)
    const written = keyOf(run)
    if (!proved.has(written)) {
      const network = built(spec)
      // what is wrong with it has been complained about already
      const key = "bad" in network ? "" : keyProved(spec, network.ok)
      proved.set(written, key)
      if ("ok" in network && !first.has(key)) first.set(key, { spec, offered: 0 })
    }
    const is = first.get(proved.get(written)!)
    if (is !== undefined) is.offered = Math.max(is.offered, load)
  }
  // built again, one by one: some are large
  return [...first.values()].flatMap(({ spec, offered }) => {
    const { topology, routing } = spec.network
    const made = built(spec)
    if ("bad" in made) return []
    const network = made.ok
    const { routers } = network.topology.graph
    if (routers >= manyWalked && routers <= mostWalked)
      tell(`${topology.name} of ${routers.toLocaleString("en")} routers with ${routing.name}: looking at every way takes a while`)
    const check = checkNetwork(network, { ...options, seed: spec.seed, read: hostFor(spec).read, offered })
    return [{ network: networkName(spec.network, network.vcsPerClass), check }]
  })
}

/** What a proof sees of a network. */
function keyProved(spec: RunSpec, network: Routed): string {
  const { topology, routing } = spec.network
  const { vcs, atomic } = subjectOf(network)
  return canonical({ topology, routing, vcs, atomic, plugins: spec.plugins ?? [] })
}

export function networkName({ topology, routing }: NetworkSpec, vcs: number): string {
  return `${told(topology)} with ${told(routing)}, ${vcs} ${vcs === 1 ? "VC" : "VCs"}`
}

/** Links that have failed are said where there are some. */
function told({ name, ...params }: { readonly name: string; readonly [param: string]: unknown }): string {
  const said = Object.entries(params).filter(([k, v]) => (k === "failures" ? v !== 0 : !Array.isArray(v) || v.length > 0))
  return [name, ...said.map(([k, v]) => `${k}=${Array.isArray(v) ? v.join("x") : String(v)}`)].join(" ")
}
