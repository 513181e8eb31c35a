// The probes of a run, and what they ask the engine to write down.
import type { Complaint } from "../core/complaint.ts"
import { Draws } from "../core/rng.ts"
import type { Scale } from "../core/units.ts"
import { type Found, find, prefixed } from "../experiment/find.ts"
import { outsideOf, probesFor } from "../experiment/outside/known.ts"
import type { Ability } from "../model/abilities.ts"
import type { RunSpec } from "../model/experiment.ts"
import { type EventsWish, kindsMask } from "../model/facts.ts"
import type { Site } from "../model/plugin.ts"
import type { ProbePlugin, Report, RunCounts, Watch } from "../model/probe.ts"
import type { StandingWish } from "../model/standing.ts"
import type { Topology } from "../model/topology.ts"

export type FoundProbe = Found<ProbePlugin<unknown>>

export function probesIn(spec: RunSpec, scale: Scale): FoundProbe[] {
  const known = probesFor({ outside: outsideOf(spec.plugins) })
  return spec.probes.flatMap((named) => {
    const found = find(known, named, "probes", scale)
    return "ok" in found ? [found.ok] : []
  })
}

/** What of their parameters does not go with the network. */
export function wrongProbes(probes: readonly FoundProbe[], topology: Topology): Complaint[] {
  return probes.flatMap(({ plugin, params }, i) =>
    prefixed(`probes.${i}`, plugin.check?.(params, { topology, vcs: 1, rng: new Draws(0) }) ?? []),
  )
}

/** Of a probe that does not say. */
const USUAL_EVENTS: EventsWish = { rows: 4096, kinds: [] }

export function watchOf(probes: readonly FoundProbe[]): Watch {
  const asking = (ability: Ability) => probes.filter(({ plugin, params }) => plugin.needs?.(params).includes(ability) === true)
  const wishes = asking("events").map(({ plugin, params }) => plugin.events?.(params) ?? USUAL_EVENTS)
  return {
    occupancy: asking("occupancy").length > 0,
    lanes: asking("laneFill").length > 0,
    facts: wishes.reduce((most, w) => Math.max(most, w.rows), 0),
    kinds: wishes.reduce((mask, w) => mask | kindsMask(w.kinds), 0),
  }
}

/** Looks at what does not move that they ask for. */
export function standingWishes(probes: readonly FoundProbe[]): readonly StandingWish[] {
  return probes.flatMap(({ plugin, params }) => (plugin.standing === undefined ? [] : [plugin.standing(params)]))
}

/** What all of them say of a run. */
export function reported(probes: readonly FoundProbe[], site: Site, counts: RunCounts): Report {
  const reports = probes.map(({ plugin, params }) => plugin.make(params, site).report(counts))
  return { tables: Object.assign({}, ...reports.map((r) => r.tables)), values: Object.assign({}, ...reports.map((r) => r.values)) }
}
