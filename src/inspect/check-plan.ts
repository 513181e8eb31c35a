// Checks every distinct network of an experiment once. Load, seed and traffic do not change the network, and neither do
// switch settings other than VCs.

import { classesOf, compileNetwork } from "../compile/build-network.ts"
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

/**
 * Checks the networks of a plan. `hostFor`: provides the files and custom plug-ins of a run. The last argument receives
 * a message before a network that takes a while. `progress` receives one before each network.
 */
export function checkPlan(
  plan: Pick<Plan, "runs">,
  hostFor: (spec: RunSpec) => Host,
  options: CheckOptions,
  tell: (says: string) => void = () => {},
  progress: (says: string) => void = () => {},
): CheckedNetwork[] {
  /** [network as written] -> network as the proof sees it */
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
      // Errors of the network have been reported already.
      const key = "bad" in network ? "" : keyProved(spec, network.ok)
      proved.set(written, key)
      if ("ok" in network && !first.has(key)) first.set(key, { spec, offered: 0 })
    }
    const is = first.get(proved.get(written)!)
    if (is !== undefined) is.offered = Math.max(is.offered, load)
  }
  // The networks are built again one by one, because several large ones may not fit into memory together.
  return [...first.values()].flatMap(({ spec, offered }, i) => {
    const { topology, routing } = spec.network
    progress(`network ${i + 1} of ${first.size}: ${topology.name} with ${routing.name}`)
    const made = built(spec)
    if ("bad" in made) return []
    const network = made.ok
    const { routers } = network.topology.graph
    if (routers >= manyWalked && routers <= mostWalked)
      tell(
        `${topology.name} of ${routers.toLocaleString("en")} routers with ` +
          `${routing.name}: exploring all paths takes a while`,
      )
    const check = checkNetwork(network, { ...options, seed: spec.seed, read: hostFor(spec).read, offered })
    return [{ network: networkName(spec.network, network.vcsPerClass), check }]
  })
}

/** Returns the part of a network that the proof depends on. */
function keyProved(spec: RunSpec, network: Routed): string {
  const { topology, routing } = spec.network
  const { vcs, atomic } = subjectOf(network)
  return canonical({ topology, routing, vcs, atomic, plugins: spec.plugins ?? [] })
}

export function networkName({ topology, routing }: NetworkSpec, vcs: number): string {
  return `${told(topology)} with ${told(routing)}, ${vcs} ${vcs === 1 ? "VC" : "VCs"}`
}

/** Returns a name with parameters. Failed links are shown only if there are some. */
function told({ name, ...params }: { readonly name: string; readonly [param: string]: unknown }): string {
  const said = Object.entries(params).filter(([k, v]) =>
    k === "failures" ? v !== 0 : !Array.isArray(v) || v.length > 0,
  )
  return [name, ...said.map(([k, v]) => `${k}=${Array.isArray(v) ? v.join("x") : String(v)}`)].join(" ")
}
