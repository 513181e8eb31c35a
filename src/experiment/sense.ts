// What only the built network knows: VCs that a routing needs, link classes, endpoints of a pattern. Every kind of network in the plan is
// built once before anything is run; load and seed do not make another kind.

import { canonical } from "../core/canonical.ts"
import type { Checked, Complaint } from "../core/complaint.ts"
import type { RunSpec } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import { bringing } from "./outside/known.ts"
import type { PlannedRun } from "./plan.ts"
import type { Placed } from "./source.ts"

/** Whoever builds the network of a run and says what is wrong with it. */
export interface Builder {
  prepare(spec: RunSpec, host: Host): Checked<unknown>
}

/** Texts of parts, which many runs have in common. */
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

/** One run of each kind, that with the largest load. */
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

/** Complaints about one run of each kind, at their places, each of them once. */
export function placedOnce(runs: readonly PlannedRun[], bad: (run: PlannedRun) => readonly Complaint[]): Placed[] {
  const found = new Map<string, Placed>()
  for (const run of shapes(runs))
    for (const c of bad(run).map((b) => run.place(b))) found.set(`${c.file} ${c.spot?.line} ${c.spot?.column} ${c.path} ${c.says}`, c)
  return [...found.values()]
}
