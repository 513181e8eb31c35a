// The scenes whose results are recorded: one for every plug-in of the library (test/effects), and some for what no
// plug-in decides.
import { canonical } from "../../src/core/canonical.ts"
import { sha256 } from "../../src/core/sha256.ts"
import { hashOf } from "../../src/experiment/identity/identity.ts"
import { type PlannedRun, plan } from "../../src/experiment/plan.ts"
import { plainSource } from "../../src/experiment/source.ts"
import { library } from "../../src/library.ts"
import { oldPluginName, oldResult } from "../../src/model/renamed.ts"
import { ofTheMachine } from "../../src/results/reproduce.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"
import { host, sceneOf } from "../effects/plugin-scenes.ts"
import { changed, combined, flit, jobs, packet, queueScheme, type Tree } from "../effects/scenes.ts"
import type { Scene } from "./compare.ts"

const automatic = { "measure.warmup": "auto", "measure.window": "auto", "measure.saturation": "early" }

/** Engines, the measurement and jobs; a change that no scene shows gets a scene here. */
const parts: Readonly<Record<string, Tree>> = {
  "measure until steady": changed(flit, {
    ...automatic,
    "traffic.load": 0.3,
    "measure.limit": "20kcycles",
    "measure.precision": 0.05,
  }),
  "measure until saturated": changed(flit, { ...automatic, "traffic.load": 0.95, "measure.limit": "20kcycles" }),
  "measure bursts": changed(flit, {
    ...automatic,
    "traffic.arrivals": "on-off",
    "traffic.load": 0.2,
    "measure.limit": "6kcycles",
  }),
  "measure combined": changed(combined, { ...automatic, "measure.limit": "6kcycles" }),
  "measure packets": changed(packet, { ...automatic, "traffic.load": 0.3, "measure.limit": "20us" }),
  "measure a window that drains": changed(flit, {
    "measure.warmup": "100cycles",
    "measure.drain": "measured",
    "measure.limit": "2kcycles",
  }),
  "measure until the network is empty": changed(flit, { "measure.drain": "all", "measure.limit": "2kcycles" }),
  "measure a series": changed(flit, { "measure.series": "50cycles" }),
  "measure requests that are answered": changed(flit, {
    ...automatic,
    "network.topology": { name: "crossbar", n: 9 },
    "network.routing": "crossbar.direct",
    "network.switch": { name: "input-queued", vcs: 2 },
    "traffic.pattern": { name: "to-set", set: [0] },
    "traffic.load": 0.15,
    "traffic.reply": "4flits",
    "traffic.from": "1-8",
    "measure.limit": "20kcycles",
  }),
  "measure jobs on packets, with a long series": changed(jobs, { "measure.series": "7us" }),
  "measure jobs on the ideal network up to a limit": changed(jobs, {
    ...{ engine: { name: "ideal" }, traffic: undefined },
    "measure.limit": "5us",
  }),
  "injection queues of an adapter": changed(queueScheme, {
    "network.switch.scheme": "fbicm-2",
    "network.endpoint.injection": "copy",
  }),
  "four connections of each endpoint": changed(flit, { "traffic.pattern": { name: "connections", count: 4 } }),
  "engine packet": packet,
  "switch combined, output buffers in packets": changed(combined, {
    ...automatic,
    "network.switch.vcAllocation": "turns",
    "network.switch.outputPackets": 2,
    "network.switch.start": "interleaved",
    "measure.limit": "6kcycles",
  }),
  "engine ideal": changed(jobs, { engine: { name: "ideal" }, traffic: undefined }),
  "engine ideal, rules of LogGOPSim": changed(jobs, {
    engine: { name: "ideal", rules: "loggopsim" },
    jobs: [{ name: "a", workload: { name: "ring", ranks: 4, bytes: "9000B" } }],
    traffic: undefined,
  }),
  "jobs on the flit engine": changed(jobs, {
    ...{
      engine: undefined,
      "network.switch": { name: "combined", vcs: 2 },
      "network.endpoint": "simple",
      traffic: undefined,
    },
    "measure.limit": "50kcycles",
  }),
}

/** By plug-in: keys without which its scene of test/effects does not use it, or is refused. */
const needed: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "topology butterfly": { "network.routing": "butterfly.destination-tag" },
  "routing torus.bubble": { "network.switch.flow": "cut-through" },
  "pattern fixed": { "traffic.pattern.pairs": [[0, 5]] },
  "pattern group-adversarial": { "traffic.pattern.size": 4 },
  "probe groups": {
    "network.topology": { name: "dragonfly", p: 1, a: 2, h: 1 },
    "network.routing": "dragonfly.minimal",
  },
  "endpoint service-levels": { "network.endpoint": "service-levels" },
}
/** Enough traffic that queues decide where packets go. */
const crowded = { "traffic.load": 0.8 }

/** Marks, delays above the target and trimmed packets, which decide the window. */
const ultraEthernet = {
  "network.congestion.rules": "uec",
  "network.switch.trim": "32flits",
}

/** Messages of two reserved pieces, the second below reserveFrom, to more destinations than flows. */
const pieces = {
  "network.congestion.reserveFrom": "8flits",
  "network.congestion.chunk": "16flits",
  "network.congestion.flows": 1,
  "traffic.0.from": [0, 1, 2, 3, 5, 6, 7, 8],
  "traffic.0.pattern": "uniform",
  "traffic.0.load": 0.3,
  "traffic.0.message": "20flits",
  "traffic.0.packet": "4flits",
}

/** By plug-in: a second scene, for rules that the first one does not reach. */
const second: Readonly<Record<string, readonly [what: string, changes: Readonly<Record<string, unknown>>]>> = {
  nscc: ["rules of Ultra Ethernet", ultraEthernet],
  rccc: ["rules of Ultra Ethernet", ultraEthernet],
  srp: ["messages in pieces", pieces],
}

/** By name: the plug-in of which it is the scene, or the part. */
export const scenes: ReadonlyMap<string, Tree> = new Map([
  ...library.map((plugin) => {
    const name = `${plugin.kind} ${oldPluginName(plugin.kind, plugin.name)}`
    const more = { ...(plugin.kind === "routing" ? crowded : {}), ...needed[name] }
    return [name, changed(sceneOf(plugin)[0], more)] as const
  }),
  ...Object.entries(parts),
  ...library.flatMap((plugin) => {
    if (!Object.hasOwn(second, plugin.name)) return []
    const [what, changes] = second[plugin.name]
    return [[`${plugin.kind} ${plugin.name}, ${what}`, changed(sceneOf(plugin)[0], changes)] as const]
  }),
])

export function planned(name: string, tree: Tree): PlannedRun {
  const got = plan({ source: plainSource(name, structuredClone(tree)), host, name })
  if ("bad" in got) throw new Error(`scene ${name}: ${JSON.stringify(got.bad)}`)
  return got.ok.runs[0]
}

const known = new Map<string, Promise<string>>()

export async function played(name: string, tree: Tree): Promise<Scene> {
  const run = planned(name, tree)
  const asks = hashOf({ ...run, revisions: "" }, "").slice(0, 16)
  const print = known.get(asks) ?? printOf(name, run)
  known.set(asks, print)
  return { asks, revisions: run.revisions, print: await print }
}

/** A table that explains a result and was added later is not part of it. */
const ADDED = ["limited-by"]

/** Everything that a run says but its times, and but the wording. */
async function printOf(name: string, { spec }: PlannedRun): Promise<string> {
  const ready = prepare(spec, host)
  if ("bad" in ready) throw new Error(`scene ${name}: ${JSON.stringify(ready.bad)}`)
  const result = await simulate(ready.ok)
  const { fingerprint } = result
  // recorded before the names changed
  const { why, values, tables } = oldResult(result)
  const counted = Object.entries(values).filter(([value]) => !ofTheMachine(value))
  const kept = Object.fromEntries(Object.entries(tables).filter(([name]) => !ADDED.includes(name)))
  const listed = counted.map(([value, v]) => `${value} ${v}`).sort()
  const text = canonical({ why, fingerprint, values: listed, tables: kept })
  return sha256(new TextEncoder().encode(text)).slice(0, 16)
}
