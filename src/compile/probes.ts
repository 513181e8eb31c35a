// The probes of a run, and what they ask the engine to write down.
import type { Scale } from "../core/units.ts"
import { type Found, find } from "../experiment/find.ts"
import { outsideOf, probesFor } from "../experiment/outside/known.ts"
import type { RunSpec } from "../model/experiment.ts"
import type { Site } from "../model/plugin.ts"
import type { ProbePlugin, Report, RunCounts, Watch } from "../model/probe.ts"

export type FoundProbe = Found<ProbePlugin<unknown>>

export function probesIn(spec: RunSpec, scale: Scale): FoundProbe[] {
  const known = probesFor({ outside: outsideOf(spec.plugins) })
  return spec.probes.flatMap((named) => {
    const found = find(known, named, "probes", scale)
    return "ok" in found ? [found.ok] : []
  })
}

export function watchOf(probes: readonly FoundProbe[]): Watch {
  const needs = new Set(probes.flatMap(({ plugin, params }) => plugin.needs?.(params) ?? []))
  return { occupancy: needs.has("occupancy") }
}

/** What all of them say of a run. */
export function reported(probes: readonly FoundProbe[], site: Site, counts: RunCounts): Report {
  const reports = probes.map(({ plugin, params }) => plugin.make(params, site).report(counts))
  return { tables: Object.assign({}, ...reports.map((r) => r.tables)), values: Object.assign({}, ...reports.map((r) => r.values)) }
}
