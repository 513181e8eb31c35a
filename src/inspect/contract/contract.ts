// The contract suite of a plug-in's family, run on one plug-in: which contracts hold on which networks, which are broken and by what, which could not be tried.
import type { Complaint } from "../../core/complaint.ts"
import { complain } from "../../core/complaint.ts"
import { readIn } from "../../experiment/disk/user-file.ts"
import { outsideOf } from "../../experiment/outside/known.ts"
import type { AnyPlugin } from "../../library.ts"
import type { Outside } from "../../model/host.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Topology } from "../../model/topology.ts"
import { buildTopology } from "../topology-build.ts"
import type { Bits, Raw } from "./bits.ts"
import { drawSets, fits, nearer, titleOf, undrawn } from "./draws.ts"
import { type Contract, contracts, type Finding, looked } from "./finding.ts"
import {
  type ContractOptions,
  type Look,
  lookAtArrivals,
  lookAtPattern,
  lookAtProbe,
  lookAtRouting,
  lookAtSizes,
  lookAtSwitch,
  lookAtTopology,
  type Subject,
} from "./looks.ts"
import { forTraffic, type NetworkName, networksFor, networkTitle } from "./networks.ts"

export interface Judged {
  readonly kind: string
  readonly name: string
  readonly file: string
  /** networks that it was looked at on */
  readonly on: readonly string[]
  /** on all of these; empty as long as something is broken: what comes behind it was not looked at */
  readonly held: readonly Contract[]
  readonly broken: readonly (Finding & { readonly on: string })[]
  /** what could not be tried, and why */
  readonly left: readonly string[]
  /** sets of parameters that it was looked at with; an empty text stands for the defaults */
  readonly sets: readonly string[]
  /** were parameters or networks drawn? */
  readonly drawn: boolean
  /** parameters that stayed at their defaults, because there is nothing to draw them from */
  readonly undrawn: readonly string[]
}

const families: Readonly<Record<string, { readonly looks: readonly Contract[]; readonly look: Look }>> = {
  routing: {
    looks: ["delivers", "hops", "ports", "vcs", "candidates", "alike", "idle", "chance", "deadlock", "needs", "bits"].map(named),
    look: lookAtRouting,
  },
  topology: { looks: ["wired", "size", "distances", "alike", "chance", "bits"].map(named), look: lookAtTopology },
  pattern: { looks: ["range", "permutation", "draws", "alike", "chance", "bits"].map(named), look: lookAtPattern },
  arrivals: { looks: ["forward", "state", "draws", "chance", "bits"].map(named), look: lookAtArrivals },
  sizes: { looks: ["sizes", "draws", "chance", "bits"].map(named), look: lookAtSizes },
  probe: { looks: ["report"].map(named), look: lookAtProbe },
  switch: { looks: ["shares", "bounded", "floor", "credits"].map(named), look: lookAtSwitch },
}

function named(key: string): Contract {
  return contracts[key as keyof typeof contracts]
}

/** One look: parameters of the plug-in, a network, and what of both was drawn. */
interface Trial {
  readonly raw: Raw
  readonly network: NetworkName
  readonly drawn: boolean
}

export async function contractOf(plugin: AnyPlugin, o: ContractOptions): Promise<{ ok: Judged } | { bad: Complaint[] }> {
  const got = plugin.params.parse(o.raw, plugin.name)
  if ("bad" in got) return { bad: got.bad.map((c) => ({ ...c, fix: `${c.fix}; parameters are given with --param KEY=VALUE` })) }
  const outside = outsideOf(o.modules)
  const { looks, look } = families[plugin.kind]!
  const trials = trialsOf(plugin, o, outside)
  const tried = (trial: Trial) => {
    const params = plugin.params.parse(trial.raw, plugin.name)
    if ("bad" in params) throw new Error(`drawn parameters are refused: ${JSON.stringify(params.bad)}`)
    return onNetwork({ plugin, params: params.ok as never, o: { ...o, raw: trial.raw }, outside }, trial.network, look)
  }
  const broken: (Finding & { on: string })[] = []
  const left: string[] = []
  const on: string[] = []
  const untried = new Set<Contract>()
  const sets: string[] = []
  let ran = true
  for (const [i, trial] of trials.entries()) {
    // a mistake that shows without any draw is found, and drawn networks would repeat it
    if (trial.drawn && broken.length > 0) break
    o.progress?.(`${plugin.kind} ${plugin.name}: ${i + 1} of ${trials.length}, ${trialTitle(plugin, trial, o.raw)}`)
    const seen = await tried(trial)
    // a drawn set that does not fit the network says nothing
    if (trial.drawn && seen.left !== undefined && seen.findings.length === 0) continue
    const title = networkTitle(trial.network)
    const least = trial.drawn && seen.findings.length > 0 ? await shrunk(plugin, trial, seen, o, tried) : { trial, seen }
    broken.push(...least.seen.findings.map((f) => ({ ...f, on: trialTitle(plugin, least.trial, o.raw) })))
    if (seen.left !== undefined) left.push(`${title}: ${seen.left}`)
    if (seen.unrun !== undefined) left.push(`${contracts.bits} on ${title}: ${seen.unrun}`)
    for (const { contract, why } of seen.untried ?? []) {
      untried.add(contract)
      left.push(`${contract} on ${title}: ${why}`)
    }
    ran &&= trial.drawn || seen.unrun === undefined
    if (seen.left !== undefined && seen.findings.length === 0) continue
    if (!on.includes(title)) on.push(title)
    const set = titleOf(trial.raw)
    if (!sets.includes(set)) sets.push(set)
  }
  if (on.length === 0)
    return {
      bad: [
        complain(
          plugin.name,
          left.length > 0 ? `fits none of the networks that were tried (${left.join("; ")})` : "serves topologies that are not known here",
          'name one with --topology "mesh sides=4x4", and its module beside this one if it is not of the library',
        ),
      ],
    }
  const first = broken.filter((f, i) => broken.findIndex((g) => g.contract === f.contract) === i)
  const declared = [...looks, contracts.throws].filter(
    (c) => applies(c, plugin) && !untried.has(c) && (ran || (c !== contracts.bits && c !== contracts.report)),
  )
  const held = first.length > 0 ? [] : declared
  const file = o.modules.find((m) => m.plugins.includes(plugin))?.file ?? ""
  const drawn = trials.some((t) => t.drawn)
  return {
    ok: { kind: plugin.kind, name: plugin.name, file, on, held, broken: first, left, sets, drawn, undrawn: undrawn(plugin, o.raw) },
  }
}

/** The defaults on all networks, then drawn networks, then each drawn set on the next network. */
function trialsOf(plugin: AnyPlugin, o: ContractOptions, outside: Outside | undefined): Trial[] {
  const plain = (network: NetworkName): Trial => ({ raw: o.raw, network, drawn: false })
  // bounds on the behaviour of a switch are those of its defaults: any buffer is legal, and a small one is slow
  const sets = o.quick === true || plugin.kind === "switch" ? [] : drawSets(plugin, o.raw)
  const { name } = plugin
  if (plugin.kind === "topology") return [plain({ name, raw: o.raw }), ...sets.map((raw) => ({ raw, network: { name, raw }, drawn: true }))]
  const networks = o.on ?? usualNetworks(plugin, outside)
  // of topologies from outside nobody has chosen networks where mistakes show
  const more = networks.flatMap((network) => {
    const topology = outside?.plugins.find((p) => p.kind === "topology" && p.name === network.name)
    if (o.quick === true || o.on !== undefined || topology === undefined) return []
    return drawSets(topology, network.raw).map((raw): Trial => ({ raw: o.raw, network: { name: network.name, raw }, drawn: true }))
  })
  if (networks.length === 0) return []
  return [...networks.map(plain), ...more, ...sets.map((raw, i) => ({ raw, network: networks[i % networks.length]!, drawn: true }))]
}

function trialTitle(plugin: AnyPlugin, { raw, network }: Trial, given: Raw): string {
  const set = plugin.kind === "topology" ? "" : titleOf(Object.fromEntries(Object.entries(raw).filter(([k]) => !Object.hasOwn(given, k))))
  return set === "" ? networkTitle(network) : `${networkTitle(network)} with ${set}`
}

/**
 * The trial with the fewest drawn keys that breaks the same contract: each is put back to its default, or else nearer to
 * it. A second pass puts back what only a smaller network allows.
 */
async function shrunk(
  plugin: AnyPlugin,
  trial: Trial,
  seen: Bits,
  o: ContractOptions,
  tried: (trial: Trial) => Promise<Bits>,
): Promise<{ readonly trial: Trial; readonly seen: Bits }> {
  const { contract } = seen.findings[0]!
  const topology = plugin.kind === "topology" ? plugin : outsideOf(o.modules)?.plugins.find((p) => p.name === trial.network.name)
  let least = { trial, seen }
  const still = async (next: Trial, key: string): Promise<boolean> => {
    o.progress?.(`${plugin.kind} ${plugin.name}: is broken; trying another ${key}`)
    const found = await tried(next)
    const same = found.findings.some((f) => f.contract === contract)
    if (same) least = { trial: next, seen: found }
    return same
  }
  const passes = [1, 2].flatMap(() => [
    ...(topology === undefined ? [] : Object.keys(trial.network.raw).map((key) => ({ key, of: topology, own: false }))),
    ...(plugin.kind === "topology" ? [] : Object.keys(trial.raw).map((key) => ({ key, of: plugin, own: true }))),
  ])
  for (const { key, of, own } of passes) {
    if (of === plugin && Object.hasOwn(o.raw, key)) continue
    const { raw, network } = least.trial
    for (const smaller of nearer(of, own ? raw : network.raw, key).filter((set) => fits(of, set))) {
      const there = own ? network : { ...network, raw: smaller }
      if (await still({ ...least.trial, raw: of === plugin ? smaller : raw, network: there }, key)) break
    }
  }
  return least
}

/** Some contracts are about what a plug-in declares, if it does. */
function applies(contract: Contract, plugin: AnyPlugin): boolean {
  if (contract === contracts.hops) return "most" in plugin && plugin.most !== undefined
  if (contract === contracts.idle) return "adaptive" in plugin && plugin.adaptive === false
  return contract !== contracts.permutation || ("permutation" in plugin && plugin.permutation === true)
}

function usualNetworks(plugin: AnyPlugin, outside: Outside | undefined): readonly NetworkName[] {
  if (plugin.kind === "switch") return [{ name: "crossbar", raw: { n: 8 } }]
  return plugin.kind === "routing" ? networksFor((plugin as RoutingPlugin<never>).topologies, outside) : forTraffic
}

async function onNetwork(s: Subject, network: NetworkName, look: Look): Promise<Bits> {
  let topology: Topology | undefined
  let left: string | undefined
  const findings = looked(() => {
    const built = buildTopology(network.name, network.raw, {
      read: readIn("."),
      ...(s.outside === undefined ? {} : { outside: s.outside }),
    })
    if ("ok" in built) topology = built.ok.topology
    else left = built.bad.map((c) => `${c.path}: ${c.says}`).join("; ")
  })
  if (topology === undefined) return { findings, ...(left === undefined ? {} : { left }) }
  const seen = await look(s, network, topology)
  return { ...seen, findings: [...findings, ...seen.findings] }
}
