// What does not move: flits in queues whose front stays in its router, by VC and kind of link; and what waits for one router, by distance from it.
import { type Complaint, complain } from "../core/complaint.ts"
import { cycles, int, list, maybe, schema } from "../core/schema.ts"
import type { Table } from "../model/experiment.ts"
import type { Site } from "../model/plugin.ts"
import type { ProbePlugin, Report } from "../model/probe.ts"
import { STANDING_ROW, type StandingLog, type StandingWish, WAITS_ROW } from "../model/standing.ts"

type Params = { cycles: number; hot: readonly number[]; router: number | undefined }

export function wishOf(p: Params): StandingWish {
  return { cycles: p.cycles, hot: p.hot, router: p.router ?? -1 }
}

function columns(rows: readonly number[], width: number, names: readonly string[], classes: readonly string[]): Table {
  const of = (i: number) => Array.from({ length: rows.length / width }, (_, r) => rows[r * width + i]!)
  return Object.fromEntries(names.map((name, i) => [name, name === "link" ? of(i).map((c) => classes[c]!) : of(i)]))
}

function report(log: StandingLog, classes: readonly string[]): Report {
  const standing = columns(log.standing, STANDING_ROW, ["time", "link", "vc", "hot", "queues", "flits"], classes)
  const waits = columns(log.waits, WAITS_ROW, ["time", "distance", "link", "vc", "hot", "routers", "queues", "flits"], classes)
  const flits = new Map<number, number>()
  for (let i = 0; i < log.standing.length; i += STANDING_ROW)
    flits.set(log.standing[i]!, (flits.get(log.standing[i]!) ?? 0) + log.standing[i + STANDING_ROW - 1]!)
  const most = [...flits.values()].reduce((a, b) => Math.max(a, b), 0)
  return { tables: log.wish.router < 0 ? { standing } : { standing, waits }, values: { "standing.max": most } }
}

export default {
  kind: "probe",
  name: "standing",
  about:
    "Flits in queues whose front has not left its router for some time, by VC, kind of link and destination; and how far what waits for one router reaches. measure.series sets the interval of looks.",
  limits:
    "one look for each interval; a front that moves between queues of one router stands, all flits of its queue with it; what a front waits for inside its own router is not followed",
  params: schema({
    cycles: cycles({ about: "a front stands that has been in its router for at least so long", min: 1, default: "1000cycles" }),
    hot: list(int({ min: 0 }), { about: "destinations that are told apart from the others", default: [] }),
    router: maybe(int({ about: "router from which waits are followed outwards; left out: none", min: 0 })),
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
  standing: wishOf,
  make: (p: Params, on: Site) => ({
    report: (run) => {
      const wish = JSON.stringify(wishOf(p))
      const log = run.standing?.find((l) => JSON.stringify(l.wish) === wish) ?? { wish: wishOf(p), standing: [], waits: [] }
      return report(log, on.topology.graph.classes)
    },
  }),
} satisfies ProbePlugin<Params>
