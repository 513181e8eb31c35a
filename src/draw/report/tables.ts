// Tables of the report: one row for each point with its interval over the seeds, one for each run, the worst channels.
import { loadStates } from "../../core/saturation.ts"
import { valueInfo } from "../../experiment/values/list.ts"
import type { Table } from "../../model/experiment.ts"
import { namesOf, reasonMissing } from "../../model/missing.ts"
import { commonValues, unitText, type ValueName } from "../../model/values.ts"
import {
  estimate,
  hasFailed,
  isCarried,
  isSaturated,
  type Point,
  pointsOf,
  reasonsOf,
  standsStill,
} from "../../results/compare/points.ts"
import { isShowable } from "../../results/experiment-of-run.ts"
import { pointKeys } from "../../results/order.ts"
import type { RunRecord } from "../../results/record.ts"
import { endsText, endText } from "../../results/summary.ts"
import { attributed, partName } from "../figure/attribution.ts"
import { channelsOf } from "../figure/channels.ts"
import { duration, shortKey, shown, withInterval } from "../figure/format.ts"
import { arrange, type Series, telling } from "../figure/series.ts"
import { html, type Markup } from "./html.ts"

/** The values that readers need first, in this order; all others are in the files. */
const first: readonly ValueName[] = [
  "offered",
  "accepted",
  "latency.mean",
  "latency.p50",
  "latency.p99",
  "latency.max",
  "network.mean",
  "hops.mean",
  "jobs.time",
  "jobs.communication.mean",
  "jobs.communication.max",
  "jobs.communication.share",
  "jobs.exposed",
  "jobs.straggler",
  "jobs.tail",
  "slowdown.idle",
  "slowdown.ideal",
]
/** More rows than this make the page slow: the files have all of them. */
export const MOST_ROWS = 3000

/** More columns than this stand closer together. */
const MOST_HEADS = 7

type Cell = {
  readonly text: string | Markup
  readonly value?: number
  readonly kind?: "text"
  readonly missing?: string
}
type Head = { readonly name: string; readonly about?: string; readonly text?: boolean }

export function table(heads: readonly Head[], rows: readonly (readonly Cell[])[], id: string): Markup {
  const head = heads.map((h) => {
    const kind = h.text === true ? html` class="text"` : ""
    const about = h.about === undefined ? "" : html` title="${h.about}"`
    return html`<th scope="col"${kind}${about}><button type="button">${h.name}</button></th>`
  })
  const body = rows.slice(0, MOST_ROWS).map(
    (row) => html`<tr>${row.map(cellHtml)}</tr>
`,
  )
  const rest =
    rows.length > MOST_ROWS
      ? html`<p class="sub">The first ${MOST_ROWS} of ${rows.length} rows. The CSV and JSON files contain all rows.</p>`
      : ""
  const dense = heads.length > MOST_HEADS ? " dense" : ""
  return html`<div class="table"><table class="sortable${dense}" id="${id}"><thead><tr>${head}</tr></thead><tbody>
${body}</tbody></table></div>${rest}`
}

function cellHtml(c: Cell): Markup {
  const exact = c.value === undefined ? "" : html` data-value="${c.value}"`
  const look =
    c.kind === "text"
      ? html` class="text"`
      : c.missing !== undefined
        ? html` class="dim" title="missing: ${c.missing}"`
        : ""
  return html`<td${look}${exact}>${c.text}</td>`
}

/** A mark with the level of one run, and the text `says`. */
function tag(run: RunRecord, says = endText(run)): Markup {
  const { why } = run.result
  const bad = hasFailed(run) || why === "memory" || why === "crashed"
  const level = bad ? "bad" : isSaturated(run) || why === "limit" || why === "time" ? "warn" : "good"
  return html`<span class="tag ${level}" title="${run.result.explains}">${says}</span>`
}

function pointCells(point: RunRecord["point"], keys: readonly string[]): Cell[] {
  return keys.map((k) => {
    const v = point[k]
    return typeof v === "number" ? { text: shown(v), value: v } : { text: v ?? "", kind: "text" }
  })
}

function pointHeads(records: readonly RunRecord[], keys: readonly string[]): Head[] {
  return keys.map((k) => ({ name: shortKey(k), about: k, text: records.some((r) => typeof r.point[k] === "string") }))
}

/** Pointed at, it says what the value means, and in which unit. */
function valueHead(name: ValueName): Head {
  const unit = unitText(commonValues[name])
  return { name, about: unit === "" ? commonValues[name].about : `${commonValues[name].about} (${unit})` }
}

function given(records: readonly RunRecord[]): ValueName[] {
  const names = new Set(records.flatMap((r) => namesOf(r.result)))
  return first.filter((n) => names.has(n))
}

/** Opens a run in a hosted studio; undefined if there is none, or it cannot show this run. */
export type LinkOf = (record: RunRecord) => string | undefined

/** `link`: of the run that the last column names. */
export function pointsTable(records: readonly RunRecord[], link: LinkOf = () => undefined): Markup {
  const keys = pointKeys(records)
  const names = given(records)
  const heads: Head[] = [
    ...pointHeads(records, keys),
    { name: "ended", text: true },
    { name: "live", about: "a run of this point, for lacewing studio RESULTS --run HASH", text: true },
    ...names.map(valueHead),
    { name: "seeds" },
  ]
  const row = (p: Point): Cell[] => [
    ...pointCells(p.point, keys),
    { text: tag(tellingRun(p), endsText(p.runs)), kind: "text" },
    { text: liveText(tellingRun(p), link), kind: "text" },
    ...names.map((n): Cell => {
      const e = estimate(p.runs, n)
      if (e === undefined) return { text: "–", missing: reasonsOf(p.runs, n).join(", ") }
      return { text: n === "offered" ? shown(e.mean) : withInterval(e.mean, e.half), value: e.mean }
    }),
    { text: String(p.runs.length), value: p.runs.length },
  ]
  return table(heads, pointsOf(records).map(row), "points")
}

/** Returns the run of a point that explains how it ended. */
function tellingRun({ runs }: Point): RunRecord {
  return runs.find(hasFailed) ?? runs.find(isSaturated) ?? runs.find((r) => r.result.why !== "steady") ?? runs[0]
}

function liveText(run: RunRecord, link: LinkOf): Markup | string {
  if (!isShowable(run.spec)) return "–"
  const [address, hash] = [link(run), html`<code>${run.hash.slice(0, 8)}</code>`]
  return address === undefined ? hash : html`<a href="${address}" target="_blank" rel="noreferrer">${hash}</a>`
}

export function runsTable(records: readonly RunRecord[]): Markup {
  const keys = pointKeys(records)
  const names = given(records).slice(0, 5)
  const heads: Head[] = [
    { name: "hash", about: "hash of the run, for lacewing reproduce HASH", text: true },
    ...pointHeads(records, keys),
    { name: "seed" },
    ...names.map(valueHead),
    { name: "ended", text: true },
    { name: "fingerprint", about: "hash of the final state: equal on every machine", text: true },
    { name: "took" },
  ]
  const rows = records.map((r): Cell[] => [
    { text: html`<code title="${r.hash}">${r.hash.slice(0, 12)}</code>`, kind: "text" },
    ...pointCells(r.point, keys),
    { text: String(r.seed), value: r.seed },
    ...names.map((n): Cell => {
      const reason = reasonMissing(r.result, n)
      return reason === undefined
        ? { text: shown(r.result.values[n]), value: r.result.values[n] }
        : { text: "–", missing: reason }
    }),
    { text: tag(r), kind: "text" },
    { text: html`<code title="${r.result.fingerprint}">${r.result.fingerprint.slice(0, 12)}</code>`, kind: "text" },
    { text: duration(r.provenance.seconds), value: r.provenance.seconds },
  ])
  return table(heads, rows, "runs")
}

/**
 * The ten worst channels at the representative point of each line with the flows through them, as the run itself found
 * them (table `channels-worst`), or the ten busiest of the channels probe; undefined without either.
 */
export function worstChannels(records: readonly RunRecord[]): Markup | undefined {
  const { series } = arrange(records)
  const found = tablesOf(records, "channels-worst")
  return found.length > 0 ? anyTable(found, "worst") : busiest(series)
}

/**
 * The events of the runs at the representative point of each line (table `events`); undefined if the experiment did not
 * request them.
 */
export function eventsTable(records: readonly RunRecord[]): Markup | undefined {
  const found = tablesOf(records, "events")
  return found.length === 0 ? undefined : anyTable(found, "events")
}

/** A table of the run at the representative point of each line that has it. */
export function tablesOf(records: readonly RunRecord[], table: string): { name: string; columns: Table }[] {
  return arrange(records).series.flatMap((s) => {
    const run = telling(s).runs.find((r) => r.result.tables[table] !== undefined)
    return run === undefined ? [] : [{ name: s.name, columns: run.result.tables[table] }]
  })
}

/** Joins tables of several runs, column by column; a column `line` distinguishes them where there are several. */
export function anyTable(found: readonly { name: string; columns: Table }[], id: string): Markup {
  const several = found.length > 1
  const names = [...new Set(found.flatMap((f) => Object.keys(f.columns)))]
  const isText = (n: string): boolean => found.some((f) => typeof f.columns[n]?.[0] === "string")
  const rows = found.flatMap(({ name, columns }) =>
    Array.from({ length: Math.max(0, ...Object.values(columns).map((c) => c.length)) }, (_, i): Cell[] => [
      ...(several ? [{ text: name, kind: "text" as const }] : []),
      ...names.map((n): Cell => {
        const v = columns[n]?.[i]
        if (typeof v !== "number") return { text: v ?? "", ...(isText(n) ? { kind: "text" } : {}) }
        return { text: shown(v), ...(Number.isNaN(v) ? {} : { value: v }) }
      }),
    ]),
  )
  return table(
    [...(several ? [{ name: "line", text: true }] : []), ...names.map((name) => ({ name, text: isText(name) }))],
    rows,
    id,
  )
}

/** Returns the meaning of a part of the mean latency. */
function partText(part: string): string {
  const value = valueInfo(`time.${part}`)
  return value === undefined ? "" : value.about.slice(value.about.indexOf(": ") + 2)
}

/** Explains the parts of the mean latency that the runs have, in one sentence. */
export function partsText(records: readonly RunRecord[]): string {
  const parts = new Set(attributed(arrange(records)).flatMap((p) => [...p.cycles.keys()]))
  const told = [...parts].filter((part) => partText(part) !== "").map((part) => `${partName(part)}: ${partText(part)}`)
  return told.length === 0 ? "" : `The parts are: ${told.join("; ")}.`
}

/** Where the time of every point goes, in cycles; undefined where no run says so. */
export function attributionTable(records: readonly RunRecord[]): Markup | undefined {
  const a = arrange(records)
  const points = attributed(a)
  if (points.length === 0) return undefined
  const parts = [...new Set(points.flatMap((p) => [...p.cycles.keys()]))]
  const keys = pointKeys(records)
  const heads: Head[] = [
    ...pointHeads(records, keys),
    ...parts.map((part) => ({ name: partName(part), about: partText(part) })),
    { name: "total" },
  ]
  const rows = points.map((p): Cell[] => {
    const total = [...p.cycles.values()].reduce((sum, c) => sum + c, 0)
    // two digits after the point for all: they are to be compared with each other
    const cell = (cycles: number): Cell => ({ text: cycles.toFixed(2), value: cycles })
    return [...pointCells(p.point.point, keys), ...parts.map((part) => cell(p.cycles.get(part) ?? 0)), cell(total)]
  })
  return table(heads, rows, "attribution")
}

function busiest(series: readonly Series[]): Markup | undefined {
  const rows = series.flatMap((s) => {
    const run = telling(s).runs.find((r) => r.result.tables["channels"] !== undefined)
    if (run === undefined) return []
    const worst = channelsOf(run.result.tables["channels"]).sort((a, b) => b.load - a.load)
    return worst.slice(0, 10).map((c): Cell[] => [
      { text: s.name, kind: "text" },
      { text: String(c.chan), value: c.chan },
      { text: c.at === "" ? String(c.from) : c.at, ...(c.at === "" ? { value: c.from } : { kind: "text" as const }) },
      { text: c.to, kind: "text" as const, ...(Number.isFinite(Number(c.to)) ? { value: Number(c.to) } : {}) },
      { text: c.kind, kind: "text" },
      { text: shown(c.load), value: c.load },
    ])
  })
  const heads: Head[] = [
    { name: "line", text: true },
    { name: "channel" },
    { name: "from", about: "router at the start of the channel", text: true },
    { name: "to", text: true },
    { name: "class", text: true },
    { name: "load" },
  ]
  return rows.length === 0 ? undefined : table(heads, rows, "worst")
}

const named: Readonly<Record<string, string>> = { abandoned: "packets lost" }

/** A load at which the network fails: not to be taken for one of saturation. */
function tagged(load: number): Markup {
  return html`<span class="tag bad">${shown(load)}</span>`
}

/** One row for each line: latency where little is offered, the highest load that it carries, the most it accepts. */
export function shortTable(records: readonly RunRecord[]): Markup | undefined {
  const a = arrange(records)
  if (!a.isLoad) return undefined
  const broken = loadStates.filter(
    (state) => state !== "carried" && a.series.some((s) => s.points.some((p) => p.state === state)),
  )
  // saturation is the most wanted value, whether it was reached or not
  const states = broken.includes("saturated") ? broken : [...broken, "saturated" as const]
  const load = (p: Point | undefined): number =>
    p === undefined ? Number.NaN : (estimate(p.runs, "offered")?.mean ?? Number.NaN)
  const rows = a.series.map((s): Cell[] => {
    const low = s.points[0]
    const carried = s.points.filter(isCarried).at(-1)
    const mean = (p: Point | undefined, value: ValueName): number | undefined => p && estimate(p.runs, value)?.mean
    const accepted = s.points.filter((p) => !standsStill(p)).flatMap((p) => mean(p, "accepted") ?? [])
    const cell = (value: number | undefined): Cell =>
      value === undefined ? { text: "–" } : { text: shown(value), value }
    return [
      { text: s.name, kind: "text" },
      cell(mean(low, "latency.mean")),
      cell(mean(carried, "offered")),
      ...[...states].reverse().map((state): Cell => {
        const first = s.points.find((p) => p.state === state)
        if (first !== undefined)
          return { text: state === "saturated" ? shown(load(first)) : tagged(load(first)), value: load(first) }
        const failed = s.points.some((p) => !isCarried(p))
        return { text: state === "saturated" && !failed ? "not reached" : "–", value: 2 }
      }),
      cell(accepted.length > 0 ? Math.max(...accepted) : undefined),
    ]
  })
  const heads: Head[] = [
    { name: "line", text: true },
    { name: "latency at lowest load (cycles)", about: "mean latency at the lowest load of the sweep" },
    {
      name: "highest load below saturation",
      about: "highest offered load without saturation, deadlock or lost packets",
    },
    ...[...states].reverse().map((state) => ({
      name: `${named[state] ?? state} at`,
      about: `lowest offered load with this state: ${state}`,
    })),
    { name: "maximum accepted load", about: "highest accepted load of the sweep" },
  ]
  return table(heads, rows, "short")
}
