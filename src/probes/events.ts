// What happened when: packets that leave and arrive, are dropped and marked, and the control packets about them.
import { choice, int, list, schema } from "../core/schema.ts"
import type { Ability } from "../model/abilities.ts"
import { type FactInfo, type FactName, factNames, facts, kindsMask } from "../model/facts.ts"
import type { Events, ProbePlugin, Report } from "../model/probe.ts"

const params = schema({
  rows: int({ about: "rows that are kept; with more the last whole cycles remain", min: 1, max: 65_536, default: 4096 }),
  kinds: list(choice(factNames, {}), { about: `kinds of events: ${factNames.join(", ")}; none = all that there are`, default: [] }),
})
type EventsParams = { readonly rows: number; readonly kinds: readonly FactName[] }

function report(e: Events, { kinds }: EventsParams): Report {
  const mask = kindsMask(kinds)
  const wanted = Array.from(e.kind, (_, i) => i).filter((i) => ((mask >>> e.kind[i]!) & 1) === 1)
  const of = (column: Int32Array) => wanted.map((i) => column[i]!)
  const table = { cycle: of(e.cycle), event: wanted.map((i) => factNames[e.kind[i]!]!), a: of(e.a), b: of(e.b), c: of(e.c) }
  return { tables: { events: table }, values: { "events.from": e.from } }
}

function needsOf(name: FactName): readonly Ability[] {
  const info: FactInfo = facts[name]
  return info.needs ?? []
}

const none = new Int32Array(0)

export default {
  kind: "probe",
  name: "events",
  about: "What happened when: packets that leave and arrive, are dropped and marked, and the control packets about them, cycle by cycle.",
  limits: "the last whole cycles that fit into its rows: for the others set kinds, or more rows",
  params,
  needs: (p: EventsParams) => [...new Set(["events" as const, ...p.kinds.flatMap(needsOf)])],
  events: (p: EventsParams) => p,
  make: (p: EventsParams) => ({
    report: (run) => report(run.events ?? { from: 0, cycle: none, kind: none, a: none, b: none, c: none }, p),
  }),
} satisfies ProbePlugin<EventsParams>
