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

export async function contractOf(plugin: AnyPlugin, o: ContractOptions): Promise<{ ok: Judged } | { bad: Complaint[] }> {
  const got = plugin.params.parse(o.raw, plugin.name)
  if ("bad" in got) return { bad: got.bad.map((c) => ({ ...c, fix: `${c.fix}; parameters are given with --param KEY=VALUE` })) }
  const outside = outsideOf(o.modules)
  const subject: Subject = { plugin, params: got.ok as never, o, outside }
  const { looks, look } = families[plugin.kind]!
  const networks = o.on ?? usualNetworks(plugin, o.raw, outside)
  const broken: (Finding & { on: string })[] = []
  const left: string[] = []
  const on: string[] = []
  const untried = new Set<Contract>()
  let ran = true
  for (const network of networks) {
    const title = networkTitle(network)
    const { findings, left: not, unrun, untried: open = [] } = await onNetwork(subject, network, look)
    broken.push(...findings.map((f) => ({ ...f, on: title })))
    if (not !== undefined) left.push(`${title}: ${not}`)
    if (unrun !== undefined) left.push(`${contracts.bits} on ${title}: ${unrun}`)
    for (const { contract, why } of open) {
      untried.add(contract)
      left.push(`${contract} on ${title}: ${why}`)
    }
    ran &&= unrun === undefined
    if (not === undefined || findings.length > 0) on.push(title)
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
  return { ok: { kind: plugin.kind, name: plugin.name, file, on, held, broken: first, left } }
}

/** Some contracts are about what a plug-in declares, if it does. */
function applies(contract: Contract, plugin: AnyPlugin): boolean {
  if (contract === contracts.hops) return "most" in plugin && plugin.most !== undefined
  if (contract === contracts.idle) return "adaptive" in plugin && plugin.adaptive === false
  return contract !== contracts.permutation || ("permutation" in plugin && plugin.permutation === true)
}

function usualNetworks(plugin: AnyPlugin, raw: Raw, outside: Outside | undefined): readonly NetworkName[] {
  if (plugin.kind === "topology") return [{ name: plugin.name, raw }]
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
