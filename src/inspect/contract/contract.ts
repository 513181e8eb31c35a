// The contract tests of a plug-in's kind, run on one plug-in (`lacewing contract`). The result lists the contracts that
// hold on which networks, those that are violated and how, and those that could not be tested.
import type { Complaint } from "../../core/complaint.ts"
import { complain } from "../../core/complaint.ts"
import { readIn } from "../../experiment/disk/user-file.ts"
import { isRouting } from "../../experiment/outside/kinds.ts"
import { outsideOf } from "../../experiment/outside/known.ts"
import type { AnyPlugin } from "../../library.ts"
import type { Outside } from "../../model/host.ts"
import type { Topology } from "../../model/topology.ts"
import { buildTopology } from "../topology-build.ts"
import type { Bits, Raw } from "./bits.ts"
import {
  type ContractOptions,
  checkArrivals,
  checkPattern,
  checkProbe,
  checkRouting,
  checkSizes,
  checkTopology,
  type Look,
  type Subject,
} from "./checks.ts"
import { checkCongestion } from "./congestion.ts"
import { drawSets, fits, nearer, titleOf, undrawn } from "./draws.ts"
import { checkEndpoint } from "./endpoint.ts"
import { type Contract, contracts, type Finding, looked } from "./finding.ts"
import { forTraffic, type NetworkName, networksFor, networkTitle } from "./networks.ts"
import { checkScheduler } from "./scheduler.ts"
import { checkSwitch } from "./switch.ts"
import { checkWorkload } from "./workload.ts"

export interface Judged {
  readonly kind: string
  readonly name: string
  readonly file: string
  /** networks of the tests */
  readonly on: readonly string[]
  /** contracts that hold on all of these; empty if any is violated, because later tests were skipped */
  readonly held: readonly Contract[]
  readonly broken: readonly (Finding & { readonly on: string })[]
  /** tests that were impossible, and why */
  readonly left: readonly string[]
  /** parameter sets of the tests; an empty text stands for the defaults */
  readonly sets: readonly string[]
  /** true if parameters or networks were drawn randomly */
  readonly drawn: boolean
  /** parameters that stayed at their defaults, because there are no values to draw */
  readonly undrawn: readonly string[]
}

const exactLooks = ["keeps", "bits", "columns", "threads", "chance"] as const

const families: Readonly<Record<string, { readonly looks: readonly Contract[]; readonly look: Look }>> = {
  routing: {
    looks: named(
      "delivers",
      "hops",
      "ports",
      "vcs",
      "candidates",
      "alike",
      "idle",
      "chance",
      "deadlock",
      "needs",
      "bits",
    ),
    look: checkRouting,
  },
  topology: { looks: named("wired", "size", "distances", "alike", "chance", "bits"), look: checkTopology },
  pattern: { looks: named("range", "permutation", "draws", "alike", "chance", "bits"), look: checkPattern },
  arrivals: { looks: named("forward", "rate", "state", "draws", "chance", "bits"), look: checkArrivals },
  sizes: { looks: named("sizes", "draws", "chance", "bits"), look: checkSizes },
  probe: { looks: named("report", "bits"), look: checkProbe },
  congestion: {
    looks: named("keeps", "bits", "columns", "threads", "chance", "calm", "sink", "fair", "starved"),
    look: checkCongestion,
  },
  qos: {
    looks: named("sendable", "serves", "promised", "starves", "rows", "columns", "reads", "chance", "bits"),
    look: checkScheduler,
  },
  workload: { looks: named("alike", "matched", "open", "damaged", "chance", "bits"), look: checkWorkload },
  switch: {
    looks: named(...exactLooks, "grants", "single", "routers", "reads", "shares", "bounded", "floor", "credits"),
    look: checkSwitch,
  },
  endpoint: { looks: named(...exactLooks), look: checkEndpoint },
}

function named(...keys: readonly (keyof typeof contracts)[]): readonly Contract[] {
  return keys.map((key) => contracts[key])
}

/** One test: parameters of the plug-in, a network, and whether they were drawn randomly. */
interface Trial {
  /** 0 or absent for the defaults, then rising */
  readonly number?: number
  readonly raw: Raw
  readonly network: NetworkName
  readonly drawn: boolean
}

/** Runs all tests of a plug-in. */
export async function contractOf(
  plugin: AnyPlugin,
  given: ContractOptions,
): Promise<{ ok: Judged } | { bad: Complaint[] }> {
  const o = { ...given, raw: { ...plugin.example, ...given.raw } }
  const got = plugin.params.parse(o.raw, plugin.name)
  if ("bad" in got)
    return { bad: got.bad.map((c) => ({ ...c, fix: `${c.fix}; set parameters with --param KEY=VALUE` })) }
  const outside = outsideOf(o.modules)
  const { looks, look } = families[plugin.kind]
  const trials = trialsOf(plugin, o, outside)
  const tried = (trial: Trial) => {
    const params = plugin.params.parse(trial.raw, plugin.name)
    if ("bad" in params) throw new Error(`random parameters are rejected: ${JSON.stringify(params.bad)}`)
    const own = { ...o, raw: trial.raw, trial: trial.number ?? 0 }
    return onNetwork({ plugin, params: params.ok, o: own, outside }, trial.network, look)
  }
  const broken: (Finding & { on: string })[] = []
  const left: string[] = []
  const on: string[] = []
  const untried = new Set<Contract>()
  const sets: string[] = []
  let ran = true
  for (const [i, trial] of trials.entries()) {
    // A violation that occurs without random parameters is enough; random networks would repeat it.
    if (trial.drawn && broken.length > 0) break
    o.progress?.(`${plugin.kind} ${plugin.name}: ${i + 1} of ${trials.length}, ${trialTitle(plugin, trial, o.raw)}`)
    const seen = await tried(trial)
    // A random set that does not fit the network proves nothing.
    if (trial.drawn && seen.left !== undefined && seen.findings.length === 0) continue
    const title = networkTitle(trial.network)
    // A failing random set is reduced, so that the report shows only the parameters that matter.
    const least =
      trial.drawn && seen.findings.length > 0 ? await shrunk(plugin, trial, seen, o, tried) : { trial, seen }
    broken.push(...least.seen.findings.map((f) => ({ ...f, on: trialTitle(plugin, least.trial, o.raw) })))
    if (seen.left !== undefined) left.push(`${title}: ${seen.left}`)
    if (seen.unrun !== undefined) left.push(`${contracts.bits} on ${title}: ${seen.unrun}`)
    for (const { contract, why } of seen.untried ?? []) {
      untried.add(contract)
      left.push(`${contract} on ${title}: ${why}`)
    }
    ran &&= trial.drawn || seen.unrun === undefined
    if (seen.left !== undefined && seen.findings.length === 0) continue
    for (const name of seen.on ?? [title]) if (!on.includes(name)) on.push(name)
    const set = titleOf(trial.raw)
    if (!sets.includes(set)) sets.push(set)
  }
  if (on.length === 0)
    return {
      bad: [
        complain(
          plugin.name,
          left.length > 0
            ? `The plug-in fits none of the test networks (${left.join("; ")})`
            : "The plug-in serves topologies that are unknown here.",
          'name one with --topology "mesh sides=4x4", and its module next to this one if it is not part of the library',
        ),
      ],
    }
  // One finding per contract is reported: the first.
  const first = broken.filter((f, i) => broken.findIndex((g) => g.contract === f.contract) === i)
  const declared = [...looks, contracts.throws].filter(
    (c) =>
      applies(c, plugin) &&
      (plugin.kind !== "switch" || isCustom(plugin, o) || !exactOfCustom.includes(c)) &&
      !untried.has(c) &&
      (ran || (c !== contracts.bits && c !== contracts.report)),
  )
  const held = first.length > 0 ? [] : declared
  const file = o.modules.find((m) => m.plugins.includes(plugin))?.file ?? ""
  const drawn = trials.some((t) => t.drawn)
  return {
    ok: {
      kind: plugin.kind,
      name: plugin.name,
      file,
      on,
      held,
      broken: first,
      left,
      sets,
      drawn,
      undrawn: undrawn(plugin, o.raw),
    },
  }
}

/** Returns the tests: the defaults on all networks, then random networks, then each random set on the next network. */
function trialsOf(plugin: AnyPlugin, o: ContractOptions, outside: Outside | undefined): Trial[] {
  const plain = (network: NetworkName): Trial => ({ raw: o.raw, network, drawn: false })
  // Bounds of the behaviour of a switch hold for its defaults: any buffer is legal, and a small one is slow. A custom
  // switch draws parameters for the exact tests.
  const exactly = plugin.kind !== "switch" || isCustom(plugin, o)
  const sets = o.quick === true || !exactly ? [] : drawSets(plugin, o.raw)
  const { name } = plugin
  if (plugin.kind === "topology")
    return [plain({ name, raw: o.raw }), ...sets.map((raw) => ({ raw, network: { name, raw }, drawn: true }))]
  const networks = o.on ?? usualNetworks(plugin, outside)
  // For custom topologies there are no hand-picked networks that expose mistakes, so they are drawn randomly.
  const more = networks.flatMap((network) => {
    const topology = outside?.plugins.find((p) => p.kind === "topology" && p.name === network.name)
    if (o.quick === true || o.on !== undefined || topology === undefined) return []
    return drawSets(topology, network.raw).map(
      (raw): Trial => ({ raw: o.raw, network: { name: network.name, raw }, drawn: true }),
    )
  })
  if (networks.length === 0) return []
  return [
    ...networks.map(plain),
    ...more,
    ...sets.map((raw, i) => ({ raw, network: networks[i % networks.length], drawn: true, number: 1 + i })),
  ]
}

function trialTitle(plugin: AnyPlugin, { raw, network }: Trial, given: Raw): string {
  const set =
    plugin.kind === "topology"
      ? ""
      : titleOf(Object.fromEntries(Object.entries(raw).filter(([k]) => !Object.hasOwn(given, k))))
  return set === "" ? networkTitle(network) : `${networkTitle(network)} with ${set}`
}

/**
 * Returns the test with the fewest random keys that violates the same contract. Each key is reset to its default, or
 * moved closer to it. A second pass resets keys that only a smaller network allows.
 */
async function shrunk(
  plugin: AnyPlugin,
  trial: Trial,
  seen: Bits,
  o: ContractOptions,
  tried: (trial: Trial) => Promise<Bits>,
): Promise<{ readonly trial: Trial; readonly seen: Bits }> {
  const { contract } = seen.findings[0]
  const topology =
    plugin.kind === "topology" ? plugin : outsideOf(o.modules)?.plugins.find((p) => p.name === trial.network.name)
  let least = { trial, seen }
  const still = async (next: Trial, key: string): Promise<boolean> => {
    o.progress?.(`${plugin.kind} ${plugin.name}: fails; trying another ${key}`)
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

/** The library's own tests check these for its switches. */
const exactOfCustom = named(...exactLooks, "grants", "single", "routers", "reads")

function isCustom(plugin: AnyPlugin, { modules }: ContractOptions): boolean {
  return modules.some((m) => m.plugins.includes(plugin))
}

/** Some contracts concern optional declarations of a plug-in. */
function applies(contract: Contract, plugin: AnyPlugin): boolean {
  if (contract === contracts.hops) return "most" in plugin && plugin.most !== undefined
  if (contract === contracts.idle) return "adaptive" in plugin && plugin.adaptive === false
  if (contract === contracts.rate) return !("paced" in plugin) || plugin.paced !== false
  if (contract === contracts.damaged) return "reader" in plugin
  return contract !== contracts.permutation || ("permutation" in plugin && plugin.permutation === true)
}

function usualNetworks(plugin: AnyPlugin, outside: Outside | undefined): readonly NetworkName[] {
  if (plugin.kind === "endpoint") return [{ name: "crossbar", raw: { n: 8 } }]
  if (plugin.kind === "switch") return [{ name: "crossbar", raw: { n: 8 } }]
  return isRouting(plugin) ? networksFor(plugin.topologies, outside) : forTraffic
}

/** Builds the network and runs a test on it. An exception in the topology is a finding, too. */
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
