// Checks that need the built network: VCs that a routing requires, link classes, endpoints of a pattern. Every distinct
// network of a plan is built once before any run. Load and seed do not change the network.

import { canonical } from "../core/canonical.ts"
import type { Checked, Complaint } from "../core/complaint.ts"
import type { RunSpec } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import { bringing } from "./outside/known.ts"
import type { PlannedRun } from "./plan.ts"
import type { Placed } from "./source.ts"

/** Builds the network of a run and reports what is wrong with it. */
export interface Builder {
  prepare(spec: RunSpec, host: Host): Checked<unknown>
}

/** Canonical texts of parts, which many runs share. */
const texts = new WeakMap<object, string>()

function textOf(part: object, make = () => canonical(part)): string {
  const text = texts.get(part) ?? make()
  texts.set(part, text)
  return text
}

function shape(run: PlannedRun): string {
  const { seed: _, traffic, ...rest } = run.spec
  const streams = textOf(traffic, () => canonical(traffic.map(({ load: _load, ...stream }) => stream)))
  return `${streams} ${Object.entries(rest).map(([key, part]) => `${key} ${textOf(part)}`)}`
}

/** Returns one run of each kind: the one with the largest load. */
export function shapes(runs: readonly PlannedRun[]): PlannedRun[] {
  const most = (run: PlannedRun) => Math.max(...run.spec.traffic.map((t) => t.load))
  const found = new Map<string, PlannedRun>()
  for (const run of runs) {
    const key = shape(run)
    const known = found.get(key)
    if (known === undefined || most(run) > most(known)) found.set(key, run)
  }
  return [...found.values()]
}

export function complaintsOf(runs: readonly PlannedRun[], host: Host, builder: Builder): Placed[] {
  return placedOnce(runs, ({ spec }) => {
    const got = builder.prepare(spec, bringing(host, spec.plugins))
    return "ok" in got ? [] : got.bad
  })
}

/**
 * Returns the distinct complaints about one run of each kind, with their places in the file. What has the same place
 * and the same fix in several runs has one cause, so it is reported once, for the first of these runs.
 */
export function placedOnce(runs: readonly PlannedRun[], bad: (run: PlannedRun) => readonly Complaint[]): Placed[] {
  const found: Placed[] = []
  const known = new Set<string>()
  const causeOf = (c: Placed) => `${c.file} ${c.spot?.line} ${c.spot?.column} ${c.path} ${c.fix}`
  for (const run of shapes(runs)) {
    const fresh = bad(run)
      .map((b) => run.place(b))
      .filter((c) => !known.has(causeOf(c)))
    for (const c of fresh) known.add(causeOf(c))
    found.push(...new Map(fresh.map((c) => [`${causeOf(c)} ${c.says}`, c])).values())
  }
  return found
}
