// The ranking of congestion control protocols: for each variant of an experiment, the effect on the stream `victims`
// when the stream `hot` begins, and the cost.
import { type Checked, complain } from "../../core/complaint.ts"
import { jain } from "../../core/stats.ts"
import { transientOf } from "../../core/transient.ts"
import { quantity } from "../../core/units.ts"
import type { RunRecord } from "../record.ts"

/** What it reads of a run. */
export type Judged = Pick<RunRecord, "point"> & {
  readonly spec: { readonly traffic: readonly { readonly name: string; readonly start: string }[] }
  readonly result: Pick<RunRecord["result"], "values" | "tables">
}

export type LeagueRow = {
  readonly protocol: string
  /** mean latency of the victims in cycles, and over that of `ideal` (of the least where there is none) */
  readonly latency: number
  readonly slowdown: number
  /** highest latency of an interval, and cycles from the onset until it is back; Infinity if it is not */
  readonly peak: number
  readonly settling: number
  /** flits for each cycle that the hot endpoints got; Jain's index over their senders */
  readonly hot: number
  readonly fairness: number
  /** control packets for each packet that was delivered; of the speculative ones the share that was dropped; share of
   *  the time of a flow in which it was throttled without blame */
  readonly control: number
  readonly dropped: number
  readonly wrong: number
  /** MiB of the endpoints' state, including reserved memory */
  readonly memory: number
}

/** Means over the seeds, the least slowdown first. */
export function league(records: readonly Judged[]): Checked<readonly LeagueRow[]> {
  const names = [...new Set(records.map((r) => r.point["variant"]).filter((v) => v !== undefined))].map(String)
  const streams = records[0]?.spec.traffic.map((t) => t.name) ?? []
  const missing = ["victims", "hot"].filter((name) => !streams.includes(name))
  if (missing.length > 0)
    return {
      bad: [
        complain(
          "traffic",
          `The experiment has no stream "${missing[0]}".`,
          "name the background stream victims and the incast stream hot",
        ),
      ],
    }
  if (names.length === 0)
    return { bad: [complain("variants", "The experiment has no variants.", "add one variant per protocol")] }
  if (
    records.some(
      (r) => r.result.tables["victims.series"] === undefined || r.result.tables["hot.endpoints"] === undefined,
    )
  )
    return {
      bad: [
        complain("probes", "The ranking needs the probes series and endpoints.", "set probes: [series, endpoints]"),
      ],
    }
  const rows = names.map((name) =>
    rowOf(
      name,
      records.filter((r) => String(r.point["variant"]) === name),
    ),
  )
  const best =
    rows.find((r) => r.protocol === "ideal")?.latency ??
    Math.min(...rows.map((r) => r.latency).filter((l) => !Number.isNaN(l)))
  // a protocol under which no packet of the victims was measured comes last
  const place = (r: LeagueRow) => (Number.isNaN(r.slowdown) ? Number.MAX_VALUE : r.slowdown)
  return { ok: rows.map((r) => ({ ...r, slowdown: r.latency / best })).sort((a, b) => place(a) - place(b)) }
}

function rowOf(protocol: string, all: readonly Judged[]): LeagueRow {
  const mean = (of: (r: Judged) => number): number => all.reduce((sum, r) => sum + of(r), 0) / all.length
  const value = (r: Judged, name: string): number => r.result.values[name] ?? 0
  const ends = (r: Judged): number => column(r, "hot.endpoints", "end").length
  const over = onset(all)
  return {
    protocol,
    latency: mean((r) => r.result.values["victims.latency.mean"] ?? Number.NaN),
    slowdown: 1,
    ...over,
    hot: mean((r) => value(r, "hot.accepted") * ends(r)),
    fairness: mean((r) => jain(column(r, "hot.endpoints", "injected").filter((flits) => flits > 0))),
    control: mean((r) => value(r, "control.packets") / Math.max(1, value(r, "packets"))),
    dropped: mean((r) => value(r, "speculative.dropped") / Math.max(1, value(r, "speculative.sent"))),
    wrong: mean((r) => value(r, "throttle.falsePositive")),
    memory: mean((r) => value(r, "control.memory")),
  }
}

function column(r: Judged, table: string, name: string): number[] {
  return (r.result.tables[table]?.[name] ?? []).map(Number)
}

/** Of the mean of all seeds. */
function onset(all: readonly Judged[]): { peak: number; settling: number } {
  const time = column(all[0], "victims.series", "time")
  const interval = (time[1] ?? 2) - (time[0] ?? 1)
  const start = quantity(all[0].spec.traffic.find((t) => t.name === "hot")!.start, "cycles")
  const event = Math.floor((typeof start === "number" ? start : 0) / interval)
  const series = all.map((r) => column(r, "victims.series", "latency"))
  const mean = time.map((_, i) => {
    const there = series.map((s) => s[i] ?? Number.NaN).filter((v) => !Number.isNaN(v))
    return there.reduce((a, b) => a + b, 0) / there.length
  })
  const { peak, settled } = transientOf(mean, event, Math.floor(event / 5))
  return { peak, settling: settled * interval }
}
