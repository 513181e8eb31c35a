// The probes of a run: finds their plug-ins, collects the data that they need from the engine, and calls them after the
// run.
import type { Complaint } from "../core/complaint.ts"
import { Draws } from "../core/rng.ts"
import type { Scale } from "../core/units.ts"
import { type Found, find, prefixed } from "../experiment/find.ts"
import { outsideOf, probesFor } from "../experiment/outside/known.ts"
import type { Ability } from "../model/abilities.ts"
import type { BlockedQueueOptions } from "../model/blocked-queues.ts"
import type { RunSpec, Table } from "../model/experiment.ts"
import type { Site } from "../model/plugin.ts"
import {
  COUNTERS,
  type ProbeFigure,
  type ProbePlugin,
  type Report,
  type RunCounts,
  type Watch,
} from "../model/probe.ts"
import type { Topology } from "../model/topology.ts"
import { type EventsRequest, kindsMask } from "../model/trace-events.ts"

export type FoundProbe = Found<ProbePlugin<unknown>>

export function probesIn(spec: RunSpec, scale: Scale): FoundProbe[] {
  const known = probesFor({ outside: outsideOf(spec.plugins) })
  return spec.probes.flatMap((named) => {
    const found = find(known, named, "probes", scale)
    return "ok" in found ? [found.ok] : []
  })
}

/** Returns complaints about parameters that do not match the network. */
export function wrongProbes(probes: readonly FoundProbe[], topology: Topology): Complaint[] {
  return probes.flatMap(({ plugin, params }, i) =>
    prefixed(`probes.${i}`, plugin.check?.(params, { topology, vcs: 1, rng: new Draws(0) }) ?? []),
  )
}

/** Default of a probe that does not specify its events. */
const USUAL_EVENTS: EventsRequest = { rows: 4096, kinds: [] }

/** Returns the data that the engine must record: the union of what all probes need. */
export function watchOf(probes: readonly FoundProbe[]): Watch {
  const asking = (ability: Ability) =>
    probes.filter(({ plugin, params }) => plugin.needs?.(params).includes(ability) === true)
  const wishes = asking("events").map(({ plugin, params }) => plugin.events?.(params) ?? USUAL_EVENTS)
  return {
    counters: COUNTERS.filter((c) => probes.some(({ plugin, params }) => plugin.counters?.(params).includes(c))),
    traceRows: wishes.reduce((most, w) => Math.max(most, w.rows), 0),
    kinds: wishes.reduce((mask, w) => mask | kindsMask(w.kinds), 0),
  }
}

/** Returns the requests of probes for samples of blocked queues. */
export function standingWishes(probes: readonly FoundProbe[]): readonly BlockedQueueOptions[] {
  return probes.flatMap(({ plugin, params }) => (plugin.standing === undefined ? [] : [plugin.standing(params)]))
}

/** Returns the number of operations that each rank of a job stores. */
export function operationRows(probes: readonly FoundProbe[]): number {
  return probes.reduce((most, { plugin, params }) => Math.max(most, plugin.operations?.(params) ?? 0), 0)
}

/** Returns the tables and values of all probes, and the table `figures`, from which the report draws them. */
export function reported(probes: readonly FoundProbe[], site: Site, counts: RunCounts): Report {
  const reports = probes.map(({ plugin, params }) => plugin.make(params, site).report(counts))
  const tables: Record<string, Table> = Object.assign({}, ...reports.map((r) => r.tables))
  const figures = probes.flatMap(({ plugin }) => plugin.figures ?? []).filter((f) => tables[f.table] !== undefined)
  return {
    tables: { ...tables, ...(figures.length === 0 ? {} : { figures: figuresTable(figures) }) },
    values: Object.assign({}, ...reports.map((r) => r.values)),
  }
}

/** Returns one row for each figure: results contain no code, so the report needs the declarations as data. */
function figuresTable(figures: readonly ProbeFigure[]): Table {
  return {
    table: figures.map((f) => f.table),
    kind: figures.map((f) => f.kind),
    title: figures.map((f) => f.title),
    caption: figures.map((f) => f.caption ?? ""),
    x: figures.map((f) => f.x.column),
    xLabel: figures.map((f) => f.x.label),
    y: figures.map((f) => f.y.column),
    yLabel: figures.map((f) => f.y.label),
    value: figures.map((f) => f.value?.column ?? ""),
    unit: figures.map((f) => f.value?.label ?? ""),
    by: figures.map((f) => f.by ?? ""),
  }
}
