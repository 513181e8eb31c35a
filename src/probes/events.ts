// The probe `events` reports trace events with their times: packets that leave, arrive, are dropped or marked, and the
// control packets about them. The engines record events only if this probe is requested, because they cost time and
// memory.
import { choice, int, list, schema } from "../core/schema.ts"
import type { Ability } from "../model/abilities.ts"
import type { Events, ProbePlugin, Report } from "../model/probe.ts"
import {
  kindsMask,
  type TraceEventInfo,
  type TraceEventName,
  traceEventNames,
  traceEvents,
} from "../model/trace-events.ts"

const params = schema({
  rows: int({
    about: "Maximum number of rows of the table; if there are more events, the last whole cycles remain",
    min: 1,
    max: 65_536,
    default: 4096,
  }),
  kinds: list(
    choice(traceEventNames, { formerly: { lineBorn: "lineAllocated", lineDied: "lineFreed", lineGoes: "lineGo" } }),
    {
      about: `Kinds of events: ${traceEventNames.join(", ")} (default: all)`,
      default: [],
    },
  ),
})
type EventsParams = { readonly rows: number; readonly kinds: readonly TraceEventName[] }

/** Returns the table of the requested kinds of events. */
function report(e: Events, { kinds }: EventsParams): Report {
  const mask = kindsMask(kinds)
  const wanted = Array.from(e.kind, (_, i) => i).filter((i) => ((mask >>> e.kind[i]) & 1) === 1)
  const of = (column: Int32Array) => wanted.map((i) => column[i])
  const table = {
    cycle: of(e.cycle),
    event: wanted.map((i) => traceEventNames[e.kind[i]]),
    a: of(e.a),
    b: of(e.b),
    c: of(e.c),
  }
  return { tables: { events: table }, values: { "events.from": e.from } }
}

function needsOf(name: TraceEventName): readonly Ability[] {
  const info: TraceEventInfo = traceEvents[name]
  return info.needs ?? []
}

const none = new Int32Array(0)

export default {
  kind: "probe",
  name: "events",
  about:
    "Trace of events by cycle: packets that are sent, received, dropped and marked, and the control " +
    "packets about them.",
  limits: "stores only the last whole cycles that fit into its rows; set `kinds`, or more rows, to store earlier ones",
  params,
  needs: (p: EventsParams) => [...new Set(["events" as const, ...p.kinds.flatMap(needsOf)])],
  values: {
    "events.from": {
      about: "first cycle from which the table of events is complete; 0 = complete",
      unit: "cycles",
      when: "with the probe events",
    },
  },
  events: (p: EventsParams) => p,
  make: (p: EventsParams) => ({
    report: (run) => report(run.events ?? { from: 0, cycle: none, kind: none, a: none, b: none, c: none }, p),
  }),
} satisfies ProbePlugin<EventsParams>
