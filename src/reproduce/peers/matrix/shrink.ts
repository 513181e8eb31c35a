// A smaller configuration that still shows a difference: what can be left out is, as long as it stays.
import { stringify } from "yaml"
import { plainStream } from "../../../compile/plain-run.ts"
import type { RunSpec } from "../../../model/experiment.ts"

/** Simpler ones, one step away. */
function* simpler(spec: RunSpec): Generator<RunSpec> {
  const { network, engine, traffic, measure } = spec
  if (spec.probes.length > 0) yield { ...spec, probes: [] }
  for (let i = 0; i < traffic.length && traffic.length > 1; i++)
    yield { ...spec, traffic: traffic.filter((_, k) => k !== i) }
  for (const part of ["switch", "endpoint", "routing"] as const)
    for (const key of optional(network[part]))
      yield { ...spec, network: { ...network, [part]: without(network[part], key) } }
  for (const key of Object.keys(network.links))
    yield { ...spec, network: { ...network, links: without(network.links, key) } }
  if (network.qos !== undefined) yield { ...spec, network: { ...network, qos: undefined } }
  if (network.congestion !== undefined) yield { ...spec, network: { ...network, congestion: undefined } }
  for (const key of optional(engine)) yield { ...spec, engine: without(engine, key) }
  const plain = plainStream({})
  for (const [i, t] of traffic.entries())
    for (const key of ["pattern", "arrivals", "message", "from", "start", "stop", "class"] as const)
      if (JSON.stringify(t[key]) !== JSON.stringify(plain[key]))
        yield { ...spec, traffic: traffic.map((other, k) => (k === i ? { ...other, [key]: plain[key] } : other)) }
  if (measure.drain !== "none") yield { ...spec, measure: { ...measure, drain: "none" } }
  if (measure.series !== "0cycles") yield { ...spec, measure: { ...measure, series: "0cycles" } }
}

function optional(of: object): string[] {
  return Object.keys(of).filter((key) => key !== "name")
}

function without<T extends object>(of: T, key: string): T {
  return Object.fromEntries(Object.entries(of).filter(([k]) => k !== key)) as T
}

/** `differs`: whether a configuration still shows the difference; called at most `most` times. */
export async function shrink(spec: RunSpec, differs: (spec: RunSpec) => Promise<boolean>, most = 80): Promise<RunSpec> {
  let least = spec
  let asked = 0
  for (let found = true; found; ) {
    found = false
    for (const next of simpler(least)) {
      if (++asked > most) return least
      if (!(await differs(next))) continue
      least = next
      found = true
      break
    }
  }
  return least
}

/** The specification as an experiment file. */
export function yamlOf({ seed, ...spec }: RunSpec): string {
  return stringify({ lacewing: 1, ...spec, seeds: [seed] })
}
