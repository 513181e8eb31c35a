// The probe `blocked` (old name: standing) reports the flits in queues whose head packet stays in its router, by VC and
// link class. It also reports the packets that wait for one router, by distance from it, which shows how far a
// congestion tree reaches.
import { type Complaint, complain } from "../core/complaint.ts"
import { cycles, int, list, maybe, schema } from "../core/schema.ts"
import { BLOCKED_ROW, type BlockedQueueLog, type BlockedQueueOptions, WAITS_ROW } from "../model/blocked-queues.ts"
import type { Table } from "../model/experiment.ts"
import type { Site } from "../model/plugin.ts"
import type { ProbePlugin, Report } from "../model/probe.ts"

type Params = { cycles: number; hot: readonly number[]; router: number | undefined }

export function wishOf(p: Params): BlockedQueueOptions {
  return { cycles: p.cycles, hot: p.hot, router: p.router ?? -1 }
}

/** Converts rows of `width` numbers into named columns; link classes become names. */
function columns(rows: readonly number[], width: number, names: readonly string[], classes: readonly string[]): Table {
  const of = (i: number) => Array.from({ length: rows.length / width }, (_, r) => rows[r * width + i])
  return Object.fromEntries(names.map((name, i) => [name, name === "link" ? of(i).map((c) => classes[c]) : of(i)]))
}

function report(log: BlockedQueueLog, classes: readonly string[]): Report {
  const blocked = columns(log.standing, BLOCKED_ROW, ["time", "link", "vc", "hot", "queues", "flits"], classes)
  const waits = columns(
    log.waits,
    WAITS_ROW,
    ["time", "distance", "link", "vc", "hot", "routers", "queues", "flits"],
    classes,
  )
  const flits = new Map<number, number>()
  for (let i = 0; i < log.standing.length; i += BLOCKED_ROW)
    flits.set(log.standing[i], (flits.get(log.standing[i]) ?? 0) + log.standing[i + BLOCKED_ROW - 1])
  const most = [...flits.values()].reduce((a, b) => Math.max(a, b), 0)
  return { tables: log.wish.router < 0 ? { blocked } : { blocked, waits }, values: { "blocked.max": most } }
}

export default {
  kind: "probe",
  name: "blocked",
  formerly: ["standing"],
  about:
    "Flits in queues whose head packet has not left its router for some time, by VC, link class and destination; and " +
    "the packets that wait for one router, by distance. measure.series sets the sampling interval.",
  limits:
    "One sample for each interval. A head packet that moves between queues of one router counts as blocked, " +
    "with all flits of its queue. Waits inside one router are not followed",
  params: schema({
    cycles: cycles({
      about: "Time in its router after which a head packet counts as blocked",
      min: 1,
      default: "1000cycles",
    }),
    hot: list(int({ min: 0 }), { about: "Destinations that are counted separately", default: [] }),
    router: maybe(int({ about: "Router from which waits are followed outwards (default: none)", min: 0 })),
  }),
  check(p: Params, on: Site): Complaint[] {
    const { routers, ends } = on.topology.graph
    const bad = p.hot.flatMap((e, i) =>
      e < ends ? [] : [complain(`hot.${i}`, `this network has no endpoint ${e}`, `choose from 0 to ${ends - 1}`)],
    )
    if (p.router !== undefined && p.router >= routers)
      bad.push(complain("router", `this network has no router ${p.router}`, `choose from 0 to ${routers - 1}`))
    return bad
  },
  needs: () => ["occupancy"],
  values: {
    "blocked.max": {
      about:
        "largest number of flits in blocked queues at the end of an interval; the head packet of a " +
        "blocked queue has not left its router",
      unit: "flits",
      when: "with the probe blocked",
    },
  },
  standing: wishOf,
  make: (p: Params, on: Site) => ({
    report: (run) => {
      const wish = JSON.stringify(wishOf(p))
      const log = run.standing?.find((l) => JSON.stringify(l.wish) === wish) ?? {
        wish: wishOf(p),
        standing: [],
        waits: [],
      }
      return report(log, on.topology.graph.classes)
    },
  }),
} satisfies ProbePlugin<Params>
