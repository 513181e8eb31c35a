// Checks the rows of a figure file against the plan of its experiments, before anything runs: a misspelt value, a
// variant that no experiment has, and an expression that covers several points are mistakes of the file, not failing
// rows.
import { type Complaint, complain, nearest } from "../../../core/complaint.ts"
import { hostAt } from "../../../experiment/disk/host.ts"
import { machineOf, ownersOf } from "../../../experiment/expect.ts"
import { isMap } from "../../../experiment/fields.ts"
import { type Plan, plan } from "../../../experiment/plan.ts"
import { evaluate, type Scope, wantedBy } from "../../../experiment/rows/evaluate.ts"
import { functions } from "../../../experiment/rows/functions.ts"
import { selected } from "../../../experiment/rows/select.ts"
import type { MeasuredRun } from "../../../experiment/rows/series.ts"
import type { Reference } from "../../../experiment/rows/syntax.ts"
import { plainSource } from "../../../experiment/source.ts"
import { valueInfo, values } from "../../../experiment/values/list.ts"
import type { RunSpec } from "../../../model/experiment.ts"
import { tables } from "../../../model/tables.ts"
import type { PaperPlan } from "../paper.ts"
import { referencesOf } from "./references.ts"
import type { RowSpec } from "./rows.ts"

type Planned = MeasuredRun & { readonly spec: RunSpec }
type PlannedRuns = Readonly<Record<string, readonly Planned[]>>

/** Returns the complaints about the rows of one form. */
export function checkRows(
  specs: readonly RowSpec[],
  asked: PaperPlan | undefined,
  folder: string,
  scope: Omit<Scope, "runs">,
): readonly Complaint[] {
  // a plan with plug-ins of the experiment would have to execute their modules first
  if (Object.values(asked?.experiments ?? {}).some((e) => isMap(e) && e["plugins"] !== undefined)) return []
  const bad: Complaint[] = []
  const runs = plannedOf(asked, folder, bad)
  if (bad.length > 0) return bad
  const whole = { ...scope, runs }
  for (const { row, path, claim } of specs) {
    if (row === undefined) continue
    const references = referencesOf(row.value, scope.let).filter((e) => scope.fact?.(e) === undefined)
    const wrong = references.flatMap((e) => wrongWith(e, `${path}.expect`, whole, runs))
    bad.push(...wrong)
    if (wrong.length > 0) continue
    const series = evaluate(row.value, whole)
    if (typeof series !== "number")
      bad.push(
        complain(
          `${path}.expect`,
          `"${claim}" has ${series.values.length} values, not one`,
          `add a condition on ${Object.keys(series.points[0] ?? {}).join(" and ")}, or use max, min or mean`,
        ),
      )
  }
  return bad
}

/** Returns the planned runs as runs that measured 1 in all they do. */
function plannedOf(asked: PaperPlan | undefined, folder: string, bad: Complaint[]): PlannedRuns {
  const one = new Proxy<Record<string, number>>({}, { get: () => 1 })
  const times = new Proxy<Record<string, number[]>>({}, { get: (_, name) => (name === "time" ? [1, 2, 3] : [1, 1, 1]) })
  const result = { values: one, tables: new Proxy<Record<string, typeof times>>({}, { get: () => times }) }
  return Object.fromEntries(
    Object.entries(asked?.experiments ?? {}).map(([name, experiment]) => {
      const got = plan({ source: plainSource(name, experiment), host: hostAt(folder), name })
      if ("bad" in got) bad.push(...got.bad.map((c) => ({ ...c, path: `experiments.${name}.${c.path}` })))
      const runs: Plan["runs"] = "ok" in got ? got.ok.runs : []
      return [name, runs.map(({ point, spec }) => ({ point, spec, result }))]
    }),
  )
}

function wrongWith(e: Reference, path: string, scope: Scope, runs: PlannedRuns): Complaint[] {
  const conditions = e.name === "saturation" ? e.conditions.filter((c) => !special.includes(c.key)) : e.conditions
  const wanted = wantedBy({ ...e, conditions }, scope)
  const among = wanted.some((w) => w.key === "in") ? runs : { all: Object.values(runs).flat() }
  const found = selected(among, wanted)
  const says = `${e.name}(${wanted.map((w) => `${w.key}=${w.from}${w.to === undefined ? "" : `..${w.to}`}`).join(", ")})`
  if (found.length === 0) return [complain(path, `no run has ${says}`, pointsText(Object.values(runs).flat()))]
  const specs = Object.values(runs)
    .flat()
    .filter((r) => found.includes(r))
    .map((r) => r.spec)
  if (e.name === "saturation") return []
  return e.column === undefined ? wrongValue(e, path, specs, found[0].point) : wrongColumn(e, e.column, path, specs)
}

const special = ["stream", "reference", "delivered", "latency"]

function pointsText(runs: readonly Planned[]): string {
  const keys = new Map<string, Set<string>>()
  for (const { point } of runs)
    for (const [key, value] of Object.entries(point)) keys.set(key, (keys.get(key) ?? new Set()).add(String(value)))
  const all = [...keys].map(([key, those]) => `${key}: ${[...those].slice(0, 8).join(", ")}`)
  return all.length === 0 ? "leave out the conditions" : `the runs have ${all.join("; ")}`
}

function wrongValue(e: Reference, path: string, specs: readonly RunSpec[], point: object): Complaint[] {
  if (Object.hasOwn(point, e.name)) return []
  const owners = [...new Set(specs.flatMap(ownersOf))]
  const info = valueInfo(e.name, owners)
  if (info === undefined) {
    const near = nearest(e.name, [...Object.keys(values), ...Object.keys(functions), "saturation"])
    return [
      complain(
        path,
        `"${e.name}" is not a measured value`,
        near === undefined ? "see lacewing explain values" : `did you mean "${near}"?`,
      ),
    ]
  }
  const without = specs.map(machineOf).filter((m) => !info.of.includes(m))
  return without.length === specs.length
    ? [complain(path, `${without[0]} runs do not give "${e.name}"`, `see lacewing explain ${e.name}`)]
    : []
}

function wrongColumn(e: Reference, column: string, path: string, specs: readonly RunSpec[]): Complaint[] {
  const owner = specs.flatMap(ownersOf).find((o) => e.name.startsWith(`${o}.`))
  const table = owner === undefined ? e.name : e.name.slice(owner.length + 1)
  const known = Object.entries(tables).find(([name]) => name === table)?.[1]
  if (known === undefined)
    return [complain(path, `"${e.name}" is not a table`, `known: ${Object.keys(tables).join(", ")}`)]
  return Object.hasOwn(known.columns, column)
    ? []
    : [
        complain(
          path,
          `the table ${table} has no column "${column}"`,
          `known: ${Object.keys(known.columns).join(", ")}`,
        ),
      ]
}
