// Contract tests of endpoints from modules, on every switch of the library that has the required abilities: nothing is
// lost, a copy of the machine and any partition end in the same state, on two threads too. A member of the model
// without its declared need is refused before.
import type { Complaint } from "../../core/complaint.ts"
import { isEndpoint, only } from "../../experiment/outside/kinds.ts"
import type { Bits, Untried } from "./bits.ts"
import type { Subject } from "./checks.ts"
import { ableSwitches, type Scene, sceneNetworks, specOf } from "./congestion-scenes.ts"
import { exact, threaded } from "./exact.ts"
import { looked } from "./finding.ts"

export async function checkEndpoint({ plugin, params, o }: Subject): Promise<Bits> {
  const endpoint = only(plugin, isEndpoint)
  let bad: readonly Complaint[] = []
  const findings = looked(() => {
    bad = endpoint.check?.(params, undefined) ?? []
    if (bad.length === 0) endpoint.make(params, undefined)
  })
  if (findings.length > 0) return { findings }
  if (bad.length > 0) return { findings: [], left: bad.map((c) => `${c.path}: ${c.says}`).join("; ") }
  const needs = plugin.needs?.(params) ?? []
  const able = ableSwitches(needs)
  if (able.length === 0) return { findings: [], left: `no switch has all of ${needs.join(", ")}` }
  const left: string[] = []
  const on: string[] = []
  const untried: Untried[] = []
  for (const [i, switchName] of able.entries()) {
    const network = sceneNetworks[((o.trial ?? 0) + i) % sceneNetworks.length]
    const title = `${switchName} on ${String(network.topology["name"])}`
    o.progress?.(`endpoint ${plugin.name}: ${title}`)
    const scene: Scene = {
      ...{ network, switchName, own: 0, acknowledged: false, senders: 3, seed: 1, modules: o.modules },
      congestion: { name: "none" },
      endpoint: { ...o.raw, name: plugin.name },
    }
    const spec = specOf(scene)
    const seen = exact(spec, title)
    if (seen.findings.length > 0) return seen
    if (seen.left !== undefined) {
      left.push(`${title}: ${seen.left}`)
      continue
    }
    on.push(title)
    if (on.length > 1 || (o.trial ?? 0) > 0) continue
    const two = await threaded(spec, title)
    if (two.findings.length > 0) return two
    untried.push(...(two.untried ?? []))
  }
  return on.length > 0 ? { findings: [], on, untried } : { findings: [], left: left.join("; ") }
}
