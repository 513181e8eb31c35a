// The probe `occupancy` reports the flits in the queues of every router at the end of each interval, and optionally of
// every virtual lane (VL).
import { flag, maybe, schema } from "../core/schema.ts"
import type { Table } from "../model/experiment.ts"
import { type OverTime, PLACES, type ProbePlugin, type Report } from "../model/probe.ts"
import { family } from "../model/values.ts"

/** Returns a row for each router and interval with flits, in order of time; `time` is the end of the interval. */
export function occupancyTable({ intervals, counts }: OverTime, interval: number): Table {
  const routers = intervals === 0 ? 0 : counts.length / intervals
  const rows: { time: number[]; router: number[]; flits: number[] } = { time: [], router: [], flits: [] }
  for (let i = 0; i < intervals; i++) {
    for (let r = 0; r < routers; r++) {
      const n = counts[r * intervals + i]
      if (n === 0) continue
      rows.time.push((i + 1) * interval)
      rows.router.push(r)
      rows.flits.push(n)
    }
  }
  return rows
}

/** Returns a row for each VL of a router and interval with flits. */
export function lanesTable({ intervals, each, counts }: OverTime, interval: number): Table {
  const lanes = each / PLACES.length
  const routers = intervals === 0 ? 0 : counts.length / each / intervals
  const rows = {
    time: [] as number[],
    router: [] as number[],
    vl: [] as number[],
    input: [] as number[],
    output: [] as number[],
    centre: [] as number[],
  }
  for (let i = 0; i < intervals; i++)
    for (let r = 0; r < routers; r++)
      for (let v = 0; v < lanes; v++) {
        const of = (place: number) => counts[(r * each + v * PLACES.length + place) * intervals + i]
        if (of(0) + of(1) + of(2) === 0) continue
        rows.time.push((i + 1) * interval)
        rows.router.push(r)
        rows.vl.push(v)
        for (const [place, name] of PLACES.entries()) rows[name].push(of(place))
      }
  return rows
}

function report(o: OverTime, interval: number): Report {
  let sum = 0
  let most = 0
  for (const n of o.counts) {
    sum += n
    most = Math.max(most, n)
  }
  return {
    tables: { occupancy: occupancyTable(o, interval) },
    values: { "occupancy.mean": sum / o.counts.length, "occupancy.max": most },
  }
}

const NOTHING: OverTime = { intervals: 0, each: PLACES.length, counts: new Uint32Array(0) }

export default {
  kind: "probe",
  name: "occupancy",
  about:
    "Flits in the queues of every router at the end of each interval, from the first cycle on; measure.series sets " +
    "the interval.",
  limits:
    "One sample for each interval: flits that arrive and leave between two samples are not counted. " +
    "Packets that a switch moves as a whole count with all flits, except while they move " +
    "between two of its queues. Copies in a stash are not counted",
  params: schema({
    perVl: flag({
      aliases: ["lanes"],
      about:
        "Also record each VL separately, for the input, output and central buffers of each router: table " +
        "occupancy.vls.",
      default: false,
    }),
    table: maybe(
      flag({ about: "Record the tables over time; false = only the values (default: true)", needed: false }),
    ),
  }),
  values: family(
    "occupancy",
    "flits in the queues of one router at the end of an interval",
    { mean: "mean of all routers and intervals", max: "largest" },
    { unit: "flits", when: "with the probe occupancy" },
  ),
  needs: (p) => (p.perVl ? ["occupancy", "laneFill"] : ["occupancy"]),
  counters: (p) => (p.perVl ? ["routerFlits", "laneFlits"] : ["routerFlits"]),
  make: (p) => ({
    report: (run) => {
      const { tables, values } = report(run.overTime?.routerFlits ?? NOTHING, run.interval)
      const lanes = run.overTime?.laneFlits ?? NOTHING
      return {
        tables:
          p.table === false
            ? {}
            : { ...tables, ...(p.perVl ? { "occupancy.vls": lanesTable(lanes, run.interval) } : {}) },
        values: values!,
      }
    },
  }),
} satisfies ProbePlugin<{ perVl: boolean; table: boolean | undefined }>
