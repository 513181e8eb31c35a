// The scenarios in which the contract tests of congestion control run: small networks in which some senders offer the
// full load to one endpoint, the sink, while all other endpoints exchange uniform traffic at a load of 0.3.
import { Draws } from "../../core/rng.ts"
import { jain } from "../../core/stats.ts"
import { hostAt } from "../../experiment/disk/host.ts"
import type { LoadedModule } from "../../experiment/outside/module.ts"
import { plan } from "../../experiment/plan.ts"
import { plainSource } from "../../experiment/source.ts"
import { switches } from "../../library.ts"
import type { Ability } from "../../model/abilities.ts"
import type { RunResult, RunSpec } from "../../model/experiment.ts"
import type { Raw } from "./bits.ts"
import { ranOnce } from "./exact.ts"

/** A network of the scenarios, with a routing and the VCs that it needs for data. */
export interface SceneNetwork {
  readonly topology: Raw
  readonly routing: string
  readonly links: Readonly<Record<string, string>>
  readonly vcs: number
  readonly ends: number
  /** endpoints of a router */
  readonly p: number
}

/** The first one is used for behaviour; random parameters are tested on all of them. */
export const sceneNetworks: readonly SceneNetwork[] = [
  {
    topology: { name: "hyperx", sides: "4", p: 4 },
    routing: "hyperx.minimal",
    links: { link: "20cycles" },
    vcs: 2,
    ends: 16,
    p: 4,
  },
  {
    topology: { name: "dragonfly", p: 2, a: 2, h: 1 },
    routing: "dragonfly.minimal",
    links: { local: "10cycles", global: "50cycles" },
    vcs: 2,
    ends: 12,
    p: 2,
  },
  {
    topology: { name: "torus", sides: "3x3" },
    routing: "torus.dimension-order",
    links: { link: "20cycles" },
    vcs: 2,
    ends: 9,
    p: 1,
  },
  { topology: { name: "crossbar", n: 8 }, routing: "crossbar.direct", links: {}, vcs: 1, ends: 8, p: 8 },
]

const FLITS = 4
/** flits of an input buffer for each VC: more than a round trip of the links */
const BUFFER = 128
/** load of the traffic that has nothing to do with the sink */
const CALM = 0.3

export interface Scene {
  readonly network: SceneNetwork
  readonly switchName: string
  /** parameters of the switch, and the endpoint, if they are not those of the library */
  readonly sw?: Raw
  readonly endpoint?: Raw
  /** VCs of the protocol */
  readonly own: number
  readonly acknowledged: boolean
  readonly congestion: Raw
  readonly modules: readonly LoadedModule[]
  /** number of senders to the sink; 0: only the other traffic */
  readonly senders: number
  readonly seed: number
}

/** Returns the names of the switches that have all abilities and a parameter for the number of VCs. */
export function ableSwitches(needs: readonly Ability[]): string[] {
  const ofSwitch = needs.filter((a) => a !== "windows")
  return switches
    .filter((s) => Object.hasOwn(s.params.fields, "vcs") && ofSwitch.every((a) => s.can?.includes(a) === true))
    .filter((s) => s.behaviour?.engine !== "packet" && s.name !== "input-queued")
    .map((s) => s.name)
}

/** Returns the parameters with which a switch takes part in scenarios with packets of 4 flits. */
function standOf(name: string): Raw {
  return switches.find((s) => s.name === name)?.behaviour?.stand(BUFFER, false) ?? {}
}

/**
 * Draws the sink and its senders. Each sender reaches the router of the sink over another input, where the switch would
 * give all of them the same share: the endpoints next to the sink, and one of each other router.
 */
export function drawn({ network, senders, seed }: Pick<Scene, "network" | "senders" | "seed">): {
  readonly sink: number
  readonly from: readonly number[]
} {
  const chance = new Draws(seed)
  const sink = chance.below(network.ends)
  const routerOf = (e: number) => Math.floor(e / network.p)
  const others = Array.from({ length: network.ends }, (_, e) => e).filter((e) => e !== sink)
  for (let i = others.length - 1; i > 0; i--) {
    const j = chance.below(i + 1)
    ;[others[i], others[j]] = [others[j], others[i]]
  }
  const from = others.filter(
    (e, i) => routerOf(e) === routerOf(sink) || others.findIndex((f) => routerOf(f) === routerOf(e)) === i,
  )
  return { sink, from: from.slice(0, senders) }
}

/** Returns the specification of a scene, or why it is refused. */
export function specOf(scene: Scene): RunSpec | string {
  const { network, switchName, own, acknowledged, congestion, modules, seed } = scene
  const sw = scene.sw ?? standOf(switchName)
  const { sink, from } = drawn(scene)
  const rest = Array.from({ length: network.ends }, (_, e) => e).filter((e) => e !== sink && !from.includes(e))
  const calm = { name: "calm", pattern: { name: "to-set", set: rest }, from: rest, load: CALM }
  const hot = { name: "hot", pattern: { name: "to-set", set: [sink] }, from, load: 1, message: "4packets" }
  const streams = [calm, ...(from.length > 0 ? [hot] : [])]
  const experiment = {
    lacewing: 1,
    plugins: modules.map((m) => m.file),
    network: {
      topology: network.topology,
      routing: network.routing,
      switch: { ...sw, name: switchName, vcs: network.vcs + own },
      endpoint: scene.endpoint ?? { name: "queue-pairs", ack: acknowledged ? "1flit" : "0flits", active: 1024 },
      congestion,
      links: { end: "1cycle", ...network.links },
    },
    traffic: streams.map((s) => ({ packet: `${FLITS}flits`, ...s })),
    measure: { warmup: "4kcycles", window: "12kcycles", limit: "20kcycles", drain: "none", saturation: "never" },
    probes: ["endpoints"],
    seeds: [seed],
  }
  const source = plainSource("contract", experiment)
  const planned = plan({ source, host: hostAt("."), name: "contract" }, { outside: modules })
  return "bad" in planned ? planned.bad.map((c) => `${c.path}: ${c.says}`).join("; ") : planned.ok.runs[0].spec
}

/** Runs a scene in this thread. Returns why it is refused otherwise. */
export async function ran(scene: Scene): Promise<RunResult | string> {
  return ranOnce(specOf(scene), false)
}

/** The throughput of the sink in flits per cycle, Jain's index of its senders, and the least share over the mean. */
export interface Convergence {
  readonly sink: number
  readonly fairness: number
  readonly least: number
}

export function convergenceOf({ tables }: RunResult, scene: Scene): Convergence {
  const { sink, from } = drawn(scene)
  const { injected, accepted } = tables["hot.endpoints"]
  const shares = from.map((e) => Number(injected[e]))
  const sum = shares.reduce((a, b) => a + b, 0)
  const least = sum === 0 ? 0 : (Math.min(...shares) * shares.length) / sum
  return { sink: Number(accepted[sink]), fairness: sum === 0 ? 0 : jain(shares), least }
}
