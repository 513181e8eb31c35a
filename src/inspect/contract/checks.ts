// Tests of one plug-in on one network, for each kind of plug-in: first the contracts that can be checked without a run,
// then, if all hold, a small run.
import { Draws } from "../../core/rng.ts"
import { routingOn } from "../../experiment/bind.ts"
import { readIn } from "../../experiment/disk/user-file.ts"
import { isArrivals, isPattern, isRouting, isSizes, isTopology, only } from "../../experiment/outside/kinds.ts"
import type { LoadedModule } from "../../experiment/outside/module.ts"
import type { AnyPlugin } from "../../library.ts"
import type { Outside } from "../../model/host.ts"
import type { ArrivalsSite, Plugin } from "../../model/plugin.ts"
import type { Topology } from "../../model/topology.ts"
import { checkNetwork } from "../check-network.ts"
import { buildTopology } from "../topology-build.ts"
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
  /** networks instead of the default ones */
  readonly on?: readonly NetworkName[]
  /** true: only the defaults, no random parameters */
  readonly quick?: boolean
  /** number of the test; 0: the defaults */
  readonly trial?: number
  /** receives a description of the present test */
  readonly progress?: (text: string) => void
}

/** A plug-in with its parameters, and the environment of its test. */
export interface Subject {
  readonly plugin: AnyPlugin
  readonly params: unknown
  readonly o: ContractOptions
  readonly outside: Outside | undefined
}

/** A test on one network. */
export type Look = (s: Subject, network: NetworkName, topology: Topology) => Promise<Bits>

/** VCs in addition to those that a routing requires. */
const SPARE = 3

/**
 * Tests a routing with its declared VCs and with more. It explores paths, compares repeated decisions, and runs the
 * deadlock proof.
 */
export async function checkRouting(
  { plugin: any, params, o }: Subject,
  network: NetworkName,
  topology: Topology,
): Promise<Bits> {
  const plugin = only(any, isRouting)
  const findings: Finding[] = []
  let vcs = 0
  let refused: string | undefined
  const build = (spare: number) => {
    vcs = plugin.vcs(params, topology)
    if (!(Number.isInteger(vcs) && vcs >= 1 && vcs + SPARE <= 32))
      throw new Error(`vcs() returns ${vcs}, expected 1 to ${32 - SPARE}`)
    const on = { topology, vcs: vcs + spare, rng: new Draws(11), read: readIn(".") }
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
      const check = checkNetwork(routedOf(built, routingOn(plugin, params, topology, "")), {
        brief: true,
        read: readIn("."),
      })
      for (const f of provedBy(check, plugin.needs?.(params) ?? [])) found(f.contract, f.says)
    }
  })
  findings.push(...whole)
  if (refused !== undefined) return { findings, left: refused }
  // A network that deadlocks or loses packets need not be run.
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

/** Tests a topology: its links, its size, its distances, and that it is deterministic. */
export async function checkTopology(
  { plugin: any, params, o, outside }: Subject,
  network: NetworkName,
  topology: Topology,
): Promise<Bits> {
  const plugin = only(any, isTopology)
  const findings = looked((found) => {
    for (const f of topologyContract(plugin.name, topology, plugin.size(params))) found(f.contract, f.says)
    const again = buildTopology(network.name, network.raw, {
      read: readIn("."),
      ...(outside === undefined ? {} : { outside }),
    })
    const same = "ok" in again && again.ok.topology.graph.far.every((f, c) => f === topology.graph.far[c])
    if (!same) found(contracts.alike, "built twice with the same random draws it has different links")
  })
  if (findings.length > 0) return { findings }
  const { name, raw } = network
  return sameBits(
    { network: { topology: { ...raw, name }, routing: "any.up-down", switch: { name: "input-queued", vcs: 2 } } },
    o.modules,
  )
}

/** A mesh for plug-ins that do not depend on the network. */
const meshed = (topology: Raw = { name: "mesh", sides: "4x4" }) => ({
  topology,
  routing: "any.up-down",
  switch: { name: "input-queued", vcs: 2 },
})

/** Tests a pattern, an arrival process or a size distribution, then runs it. */
async function traffic(
  s: Subject,
  plugin: Plugin<unknown, unknown, ArrivalsSite>,
  network: NetworkName,
  topology: Topology,
  key: string,
  look: (on: ArrivalsSite) => Finding[],
): Promise<Bits> {
  const on = { topology, vcs: 2, rng: new Draws(1), common: new Draws(2), rate: 0.3, read: readIn(".") }
  const bad = plugin.check?.(s.params, on) ?? []
  if (bad.length > 0) return { findings: [], left: bad.map((c) => `${c.path}: ${c.says}`).join("; ") }
  const findings: Finding[] = []
  findings.push(...looked(() => findings.push(...look(on))))
  if (findings.length > 0) return { findings }
  const stream = { [key]: { ...s.o.raw, name: s.plugin.name } }
  return sameBits({ network: meshed({ ...network.raw, name: network.name }), traffic: stream }, s.o.modules)
}

export function checkPattern(s: Subject, network: NetworkName, topology: Topology): Promise<Bits> {
  const plugin = only(s.plugin, isPattern)
  return traffic(s, plugin, network, topology, "pattern", (on) =>
    patternContract((at) => plugin.make(s.params, at), on, plugin.permutation),
  )
}

export function checkArrivals(s: Subject, network: NetworkName, topology: Topology): Promise<Bits> {
  const plugin = only(s.plugin, isArrivals)
  return traffic(s, plugin, network, topology, "arrivals", (on) =>
    arrivalsContract((at) => plugin.make(s.params, at), on, plugin.paced !== false),
  )
}

export function checkSizes(s: Subject, network: NetworkName, topology: Topology): Promise<Bits> {
  const plugin = only(s.plugin, isSizes)
  return traffic(s, plugin, network, topology, "packet", (on) => sizesContract(plugin.make(s.params, on)))
}

export function checkProbe({ plugin, o }: Subject, network: NetworkName): Promise<Bits> {
  return sameBits(
    { network: meshed({ ...network.raw, name: network.name }), probes: [{ ...o.raw, name: plugin.name }] },
    o.modules,
  )
}

/** Tests a switch; the scenarios have their own networks. */
