// Contract tests of switches from modules. The arbiter of a composed switch is tested alone, then the switch in small
// networks with every congestion control that it can serve: nothing is lost, copies and partitions are alike. With the
// default parameters, the scenarios of behaviour.ts follow.
import { isSwitch, only } from "../../experiment/outside/kinds.ts"
import { congestions } from "../../library.ts"
import type { Ability } from "../../model/abilities.ts"
import type { Topology } from "../../model/topology.ts"
import { buildTopology } from "../topology-build.ts"
import { arbiterFindings } from "./arbiter.ts"
import { behaviourOf } from "./behaviour.ts"
import type { Bits, Untried } from "./bits.ts"
import type { Subject } from "./checks.ts"
import { type Scene, type SceneNetwork, sceneNetworks, specOf } from "./congestion-scenes.ts"
import { exact, threaded } from "./exact.ts"
import { type Finding, looked } from "./finding.ts"
import type { NetworkName } from "./networks.ts"

/** Ports of the crossbars at which arbiters are tested: one word of requests, and two. */
const WIDE = 36
const OWN: readonly Ability[] = ["windows", "copies"]

export async function checkSwitch(s: Subject, network: NetworkName, topology: Topology): Promise<Bits> {
  const { plugin, params, o } = s
  const behaves = () => behaviourOf({ plugin, modules: o.modules, raw: o.raw })
  if (!o.modules.some((m) => m.plugins.includes(plugin))) return behaves()
  const sw = only(plugin, isSwitch)
  const bad = sw.check?.(params, { topology }) ?? []
  if (bad.length > 0) return { findings: [], left: bad.map((c) => `${c.path}: ${c.says}`).join("; ") }
  const findings = [...arbiters(s, topology)]
  if (findings.length > 0) return { findings }
  const left: string[] = []
  const untried: Untried[] = []
  const on: string[] = [`${network.name} of ${topology.graph.ends}`]
  for (const [i, scene] of scenesOf(s).entries()) {
    let refused: string | undefined
    // Not every congestion control works on every network.
    for (const network of rotated(i + (o.trial ?? 0))) {
      const title = `${String(network.topology["name"])} with ${String(scene.congestion["name"])}`
      o.progress?.(`switch ${plugin.name}: ${title}`)
      const spec = specOf({ ...scene, network, senders: 3, seed: 1 })
      const seen = exact(spec, title)
      if (seen.findings.length > 0) return seen
      refused = seen.left
      if (refused !== undefined) continue
      on.push(title)
      const two: Bits = i > 0 || (o.trial ?? 0) > 0 ? { findings: [] } : await threaded(spec, title)
      if (two.findings.length > 0) return two
      untried.push(...(two.untried ?? []))
      break
    }
    if (refused !== undefined) left.push(`${String(scene.congestion["name"])}: ${refused}`)
  }
  if (on.length === 1) return { findings: [], left: left.join("; ") }
  if ((o.trial ?? 0) > 0) return { findings: [], on, untried }
  const behaviour = await behaves()
  return { ...behaviour, on, untried: [...untried, ...(behaviour.untried ?? [])] }
}

/** Tests the arbiter of a composed switch alone; other switches have none. */
function arbiters({ plugin: any, params }: Subject, topology: Topology): Finding[] {
  const plugin = only(any, isSwitch)
  return looked((found) => {
    const wide = buildTopology("crossbar", { n: WIDE }, {})
    for (const on of ["ok" in wide ? wide.ok.topology : topology, topology]) {
      if ((plugin.check?.(params, { topology: on }) ?? []).length > 0) continue
      const model = plugin.make(params, { topology: on })
      if (!("arbiter" in model) || typeof model.arbiter !== "function") continue
      const make = model.arbiter as Parameters<typeof arbiterFindings>[0]
      for (const levels of plugin.can?.includes("priorities") === true ? [1, 2] : [1])
        arbiterFindings(make, on.graph.ends, levels, found)
    }
  })
}

function rotated(by: number): readonly SceneNetwork[] {
  const at = by % sceneNetworks.length
  return [...sceneNetworks.slice(at), ...sceneNetworks.slice(0, at)]
}

/** Returns scenes with each congestion control that the switch can serve. */
function scenesOf({ plugin, o }: Subject): Omit<Scene, "network" | "senders" | "seed">[] {
  const stand = plugin.behaviour?.stand(128, false) ?? {}
  const served = congestions.flatMap((c) => {
    const got = c.params.parse({ ...c.example }, c.name)
    if ("bad" in got) return []
    const can = (c.needs?.(got.ok) ?? []).every((a) => OWN.includes(a) || plugin.can?.includes(a) === true)
    const model = can ? c.make(got.ok, undefined) : undefined
    return model === undefined ? [] : [{ raw: { ...c.example, name: c.name }, model }]
  })
  return served.map(({ raw, model }) => ({
    switchName: plugin.name,
    sw: { ...stand, ...o.raw },
    own: (model.classes ?? []).reduce((n, c) => n + c.vcs, 0),
    acknowledged: model.acknowledged === true,
    congestion: raw,
    modules: o.modules,
  }))
}
