// How full every router was, and when: the flits that stood in its queues at the end of each interval.
import { flag, schema } from "../core/schema.ts"
import type { Table } from "../model/experiment.ts"
import { type LaneFill, type Occupancy, PLACES, type ProbePlugin, type Report } from "../model/probe.ts"

/** A row for each router and interval with something in it, the intervals in order; `time` is the end of the interval. */
export function occupancyTable({ intervals, flits }: Occupancy, interval: number): Table {
  const routers = intervals === 0 ? 0 : flits.length / intervals
  const rows: { time: number[]; router: number[]; flits: number[] } = { time: [], router: [], flits: [] }
  for (let i = 0; i < intervals; i++) {
    for (let r = 0; r < routers; r++) {
      const n = flits[r * intervals + i]!
      if (n === 0) continue
      rows.time.push((i + 1) * interval)
      rows.router.push(r)
      rows.flits.push(n)
    }
  }
  return rows
}

/** A row for each VL of a router and interval with something in it. */
export function lanesTable({ intervals, lanes, flits }: LaneFill, interval: number): Table {
  const each = lanes * PLACES.length
  const routers = intervals === 0 ? 0 : flits.length / each / intervals
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
        const of = (place: number) => flits[(r * each + v * PLACES.length + place) * intervals + i]!
        if (of(0) + of(1) + of(2) === 0) continue
        rows.time.push((i + 1) * interval)
        rows.router.push(r)
        rows.vl.push(v)
        for (const [place, name] of PLACES.entries()) rows[name].push(of(place))
      }
  return rows
}

function report(o: Occupancy, interval: number): Report {
  let sum = 0
  let most = 0
  for (const n of o.flits) {
    sum += n
    most = Math.max(most, n)
  }
  return {
    tables: { occupancy: occupancyTable(o, interval) },
    values: { "occupancy.mean": sum / o.flits.length, "occupancy.max": most },
  }
}

export default {
  kind: "probe",
  name: "occupancy",
  about: "Flits in the queues of every router at the end of each interval, from the first cycle on; measure.series sets the interval.",
  limits:
    "one look for each interval: what comes and goes between two of them is not seen; packets that a switch moves in one piece count as a whole, and not while they move between two of its queues; copies in a stash are left out",
  params: schema({
    lanes: flag({
      about: "each VL apart too, in the input, output and central buffers of each router: the table occupancy.lanes",
      default: false,
    }),
  }),
  needs: (p) => (p.lanes ? ["occupancy", "laneFill"] : ["occupancy"]),
  make: (p) => ({
    report: (run) => {
      const { tables, values } = report(run.occupancy ?? { intervals: 0, flits: new Uint32Array(0) }, run.interval)
      const lanes = run.lanes ?? { intervals: 0, lanes: 0, flits: new Uint32Array(0) }
      return { tables: { ...tables, ...(p.lanes ? { "occupancy.lanes": lanesTable(lanes, run.interval) } : {}) }, values: values! }
    },
  }),
} satisfies ProbePlugin<{ lanes: boolean }>
