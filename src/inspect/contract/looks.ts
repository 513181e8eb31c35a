// One look at a plug-in on one network, for each family: the contracts that can be seen without running it, and if all hold a small run.
import { Draws } from "../../core/rng.ts"
import { readIn } from "../../experiment/disk/user-file.ts"
import type { LoadedModule } from "../../experiment/outside/load.ts"
import type { AnyPlugin, AnyTopology } from "../../library.ts"
import type { Outside } from "../../model/host.ts"
import type { ArrivalsPlugin, PatternPlugin, RoutingPlugin, SizesPlugin } from "../../model/plugin.ts"
import type { Topology } from "../../model/topology.ts"
import { checkNetwork } from "../check-network.ts"
import { buildTopology } from "../topology-build.ts"
import { behaviourOf } from "./behaviour.ts"
import { type Bits, type Raw, sameBits } from "./bits.ts"
import { contracts, type Finding, looked } from "./finding.ts"
import type { NetworkName } from "./networks.ts"
import { alike, provedBy, routedOf, walked } from "./routing.ts"
import { topologyContract } from "./topology.ts"
import { arrivalsContract, patternContract, sizesContract } from "./traffic.ts"

export interface ContractOptions {
  readonly modules: readonly LoadedModule[]
  /** parameters of the plug-in */
  readonly raw: Raw
  /** networks in place of the usual ones */
  readonly on?: readonly NetworkName[]
  /** true: the defaults alone, nothing is drawn */
  readonly quick?: boolean
  /** is told what is being looked at */
  readonly progress?: (text: string) => void
}

/** A plug-in with its parameters, and the world that it is looked at in. */
export interface Subject {
  readonly plugin: AnyPlugin
  readonly params: never
  readonly o: ContractOptions
  readonly outside: Outside | undefined
}

/** One look on one network. */
export type Look = (s: Subject, network: NetworkName, topology: Topology) => Promise<Bits>

/** VCs beyond those that a routing asks for. */
const SPARE = 3

export async function lookAtRouting({ plugin: any, params, o }: Subject, network: NetworkName, topology: Topology): Promise<Bits> {
  const plugin = any as RoutingPlugin<never, never>
  const findings: Finding[] = []
  let vcs = 0
  let refused: string | undefined
  const build = (spare: number) => {
    vcs = plugin.vcs(params, topology as never)
    if (!(Number.isInteger(vcs) && vcs >= 1 && vcs + SPARE <= 32)) throw new Error(`vcs() answers ${vcs}, expected 1 to ${32 - SPARE}`)
    const on = { topology, vcs: vcs + spare, rng: new Draws(11), read: readIn(".") } as never
    const bad = plugin.check?.(params, on) ?? []
    if (bad.length > 0) {
      refused = bad.map((c) => `${c.path}: ${c.says}`).join("; ")
      return undefined
    }
    const { scratch = 0, candidates = 1 } = plugin
    return { topology, routing: plugin.make(params, on), vcs: vcs + spare, scratch, candidates }
  }
  const whole = looked((found) => {
    for (const spare of [0, SPARE]) {
      const built = build(spare)
      if (built === undefined) return
      findings.push(...walked(built, { most: plugin.most, deadlocks: true }, spare), ...alike(built, plugin.adaptive))
      if (spare > 0 || findings.length > 0) continue
      const check = checkNetwork(routedOf(built, plugin, params), { brief: true, read: readIn(".") })
      for (const f of provedBy(check, plugin.needs?.(params) ?? [])) found(f.contract, f.says)
    }
  })
  findings.push(...whole)
  if (refused !== undefined) return { findings, left: refused }
  // a network that hangs or loses packets need not be run
  if (findings.length > 0) return { findings }
  return sameBits(
    {
      network: {
        topology: { ...network.raw, name: network.name },
        routing: { ...o.raw, name: plugin.name },
        switch: { name: "input-queued", vcs },
      },
    },
    o.modules,
  )
}

export async function lookAtTopology(
  { plugin: any, params, o, outside }: Subject,
  network: NetworkName,
  topology: Topology,
): Promise<Bits> {
  const plugin = any as AnyTopology
  const findings = looked((found) => {
    for (const f of topologyContract(plugin.name, topology, plugin.size(params))) found(f.contract, f.says)
    const again = buildTopology(network.name, network.raw, { read: readIn("."), ...(outside === undefined ? {} : { outside }) })
    const same = "ok" in again && again.ok.topology.graph.far.every((f, c) => f === topology.graph.far[c])
    if (!same) found(contracts.alike, "built a second time with the same draws it is wired otherwise")
  })
  if (findings.length > 0) return { findings }
  const { name, raw } = network
  return sameBits({ network: { topology: { ...raw, name }, routing: "any.up-down", switch: { name: "input-queued", vcs: 2 } } }, o.modules)
}

/** A mesh for what has nothing to do with the network. */
const meshed = (topology: Raw = { name: "mesh", sides: "4x4" }) => ({
  topology,
  routing: "any.up-down",
  switch: { name: "input-queued", vcs: 2 },
})

async function traffic(s: Subject, network: NetworkName, topology: Topology, key: string, look: (on: never) => Finding[]): Promise<Bits> {
  const on = { topology, vcs: 2, rng: new Draws(1), rate: 0.3, read: readIn(".") } as never
  const bad = s.plugin.check?.(s.params, on) ?? []
  if (bad.length > 0) return { findings: [], left: bad.map((c) => `${c.path}: ${c.says}`).join("; ") }
  const findings: Finding[] = []
  findings.push(...looked(() => findings.push(...look(on))))
  if (findings.length > 0) return { findings }
  const stream = { [key]: { ...s.o.raw, name: s.plugin.name } }
  return sameBits({ network: meshed({ ...network.raw, name: network.name }), traffic: stream }, s.o.modules)
}

export function lookAtPattern(s: Subject, network: NetworkName, topology: Topology): Promise<Bits> {
  const plugin = s.plugin as PatternPlugin<never>
  return traffic(s, network, topology, "pattern", (on) => patternContract((at) => plugin.make(s.params, at), on, plugin.permutation))
}

export function lookAtArrivals(s: Subject, network: NetworkName, topology: Topology): Promise<Bits> {
  const plugin = s.plugin as ArrivalsPlugin<never>
  return traffic(s, network, topology, "arrivals", (on) => arrivalsContract((at) => plugin.make(s.params, at), on))
}

export function lookAtSizes(s: Subject, network: NetworkName, topology: Topology): Promise<Bits> {
  const plugin = s.plugin as SizesPlugin<never>
  return traffic(s, network, topology, "packet", (on) => sizesContract(plugin.make(s.params, on)))
}

export function lookAtProbe({ plugin, o }: Subject, network: NetworkName): Promise<Bits> {
  return sameBits({ network: meshed({ ...network.raw, name: network.name }), probes: [{ ...o.raw, name: plugin.name }] }, o.modules)
}

/** Its scenes bring their own networks. */
export async function lookAtSwitch({ plugin, o }: Subject): Promise<Bits> {
  return behaviourOf({ plugin, modules: o.modules, raw: o.raw })
}
