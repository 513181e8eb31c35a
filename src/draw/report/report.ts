// report.html: one file that opens offline and can be mailed. Figures, warnings, tables, specification and provenance
// of a set of results.
import { pointsOf } from "../../results/compare/points.ts"
import type { About } from "../../results/folder/manifest.ts"
import type { RunRecord } from "../../results/record.ts"
import { figuresOf } from "../figure/choose.ts"
import { duration } from "../figure/format.ts"
import { figureHtml } from "./figure.ts"
import { html, type Markup, raw } from "./html.ts"
import { jobsTable, pathTable } from "./jobs.ts"
import { saturationHtml } from "./saturation.ts"
import { script } from "./script.ts"
import { specHtml } from "./spec.ts"
import { style } from "./style.ts"
import {
  attributionTable,
  eventsTable,
  type LinkOf,
  partsText,
  pointsTable,
  runsTable,
  shortTable,
  worstChannels,
} from "./tables.ts"
import { type WarnedPoint, type Warning, warningsOf } from "./warnings.ts"

export type Reported = {
  readonly records: readonly RunRecord[]
  readonly about: About
  readonly said?: readonly { says: string; fix: string }[]
  /** links to a hosted studio */
  readonly link?: LinkOf
}

/** A complete page around a body: everything inline, nothing fetched. */
export function page(title: string, body: Markup): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
<main>
${body}
</main>
<div id="tip" role="status" aria-live="polite"></div>
<script>${raw(script)}${raw("</script>")}
</body>
</html>
`.text
}

/** The sentences below the headings of sections. */
const notes = {
  time: "Cycles of the mean latency of the measured packets, point by point. Saturated points are not shown.",
  worst:
    "At the highest load below saturation of each line. The table has at most ten channels, ordered by utilisation " +
    "times queued flits. Utilisation is in flits per cycle. “Queued” is the mean number of flits that wait for the " +
    "channel. “Flows” are the most frequent pairs of source and destination among the waiting packets, with their " +
    "share.",
  live:
    "To see a point while it runs, write lacewing studio RESULTS --run HASH, with this results folder and the hash in " +
    "the column “live”.",
  linked: "The column “live” opens a run of the point in the studio, and plays it.",
  busiest: "At the highest load below saturation of each line. The load is in flits per cycle.",
  jobs: "Cycles. Communication is the time of a rank from its start to its end, minus its computing time.",
  path:
    "The chain of waits that ends with the last rank of a job, message by message. “On ranks” is computing, " +
    "processor and software time; “in the network” is the time from interface to interface.",
}

export function reportHtml({ records, about, said = [], link }: Reported): string {
  const title = about.title ?? "Results"
  if (records.length === 0) return page(title, html`<h1>${title}</h1><p>No run has finished yet.</p>`)
  const figures = figuresOf(records)
  const wide = (i: number): boolean => i === 0 || figures[i].id.startsWith("channels-")
  const drawn =
    figures.length === 0
      ? ""
      : html`<h2>Figures</h2>\n<div class="figures">\n${figures.map((f, i) => figureHtml(f, i + 1, wide(i), false, "#points"))}</div>`
  const searched = about.search === undefined ? "" : saturationHtml(records, about.search)
  const worst = records.some((r) => r.result.tables["channels-worst"] !== undefined)
  return page(
    title,
    html`<header><h1>${title}</h1>${searched}${summary(records)}</header>
${said.map((s) => box({ level: "bad", title: s.says, text: s.fix, points: [] }))}
${warningsOf(records).map(box)}
${section("Summary", shortTable(records))}
${drawn}
${section("Where the time goes", attributionTable(records), `${notes.time} ${partsText(records)}`)}
${section(worst ? "The worst channels" : "The busiest channels", worstChannels(records), worst ? notes.worst : notes.busiest)}
${section("Jobs", jobsTable(records, "jobs"), notes.jobs)}
${section("Critical path", pathTable(records), notes.path)}
${folded("Calls of ranks", jobsTable(records, "jobs-calls"))}
${folded("Latency of messages by size", jobsTable(records, "jobs-sizes"))}
${folded("Steps of the critical path", jobsTable(records, "jobs-path"))}
${folded("Events over time", eventsTable(records))}
<h2>All points</h2>
<p>Means over the seeds with 95 % confidence intervals. Click a column header to sort.</p>
<p>${link === undefined ? notes.live : notes.linked}</p>
${pointsTable(records, link)}
<details><summary>${records.length === 1 ? "The run" : `All ${records.length} runs`}</summary>
${runsTable(records)}</details>
<h2>Specification</h2>
<p>The specification that all runs share. Values that differ between runs are in colour and in brackets. Keys that are not in the
experiment file have their defaults.</p>
${(about.settled ?? []).map((s) => html`<p>${s}.</p>`)}
<details class="print" open><summary>Complete specification</summary>${specHtml(records)}</details>
<h2>Provenance</h2>
${provenance(records)}
<footer>Made by lacewing ${records[0].provenance.version}. This file is self-contained.</footer>`,
  )
}

function section(title: string, body: Markup | undefined, says = ""): Markup | undefined {
  return body === undefined ? undefined : html`<h2>${title}</h2>${says === "" ? "" : html`<p>${says}</p>`}${body}`
}

/** Long, and seldom read: closed at first. */
function folded(title: string, body: Markup | undefined): Markup | undefined {
  return body === undefined ? undefined : html`<details><summary>${title}</summary>${body}</details>`
}

function summary(records: readonly RunRecord[]): Markup {
  const points = pointsOf(records)
  const seeds = new Set(records.map((r) => r.seed)).size
  const parts = [
    `${records.length} ${records.length === 1 ? "run" : "runs"}`,
    `${points.length} ${points.length === 1 ? "point" : "points"}`,
    `${seeds} ${seeds === 1 ? "seed" : "seeds"}`,
    `${duration(records.reduce((sum, r) => sum + r.provenance.seconds, 0))} of computing time`,
    records
      .map((r) => r.provenance.started)
      .sort()
      .at(-1)!
      .slice(0, 10),
  ]
  return html`<p class="sub">${parts.map((p) => html`<span>${p}</span>`)}</p>`
}

const SOME = 6
const PACKETS = 64

/** Lists the packets of a deadlock cycle, one line each, and the fix. Those of the first point are not folded. */
function lines({ list = [], cure }: WarnedPoint, i: number): Markup {
  const more = list.length > PACKETS ? html`<li>and ${list.length - PACKETS} more</li>` : ""
  const all = html`<ul class="packets">${list.slice(0, PACKETS).map((line) => html`<li>${line}</li>`)}${more}</ul>`
  const folded = i === 0 ? all : html`<details><summary>Its ${list.length} packets</summary>${all}</details>`
  const fix = cure === undefined ? "" : html`<p class="cure"><b>Fix:</b> ${cure}.</p>`
  return html`${list.length === 0 ? "" : folded}${fix}`
}

function box(w: Warning): Markup {
  const more = w.points.length > SOME ? html`<li>and ${w.points.length - SOME} more</li>` : ""
  const list = w.points
    .slice(0, SOME)
    .map((p, i) => html`<li>${p.point === "" ? "" : html`<b>${p.point}</b>: `}${p.says}${lines(p, i)}</li>`)
  const points =
    w.points.length === 0
      ? ""
      : html`<details${w.open === true ? " open" : ""}><summary>Points</summary><ul>${list}${more}</ul></details>`
  return html`<div class="box ${w.level}" role="note"><h2>${w.title}</h2><p>${w.text}</p>${points}</div>
`
}

/** Every part with its revision, once; runs of several revisions show each. */
function revisionsText(records: readonly RunRecord[]): string {
  const parts = new Set(records.flatMap((r) => r.provenance.revisions?.split(", ") ?? ["not recorded"]))
  return [...parts].sort().join(", ")
}

function provenance(records: readonly RunRecord[]): Markup {
  const all = (of: (r: RunRecord) => string): string => [...new Set(records.map(of))].join(", ")
  const started = records.map((r) => r.provenance.started).sort()
  const last = started[0] === started.at(-1) ? "" : `; last run started ${started.at(-1)}`
  const one = records[0].hash.slice(0, 12)
  return html`<dl>
<dt>lacewing</dt><dd>${all((r) => r.provenance.version)}</dd>
<dt>Revisions</dt><dd>${revisionsText(records)}</dd>
<dt>Node</dt><dd>${all((r) => r.provenance.node)}</dd>
<dt>Machine</dt><dd>${all((r) => r.provenance.host)}</dd>
<dt>First run started</dt><dd>${started[0]}${last}</dd>
<dt>Seeds</dt><dd>${all((r) => String(r.seed))}</dd>
<dt>One link cycle</dt><dd>${all((r) => r.spec.network.cycle)}</dd>
<dt>One flit</dt><dd>${all((r) => r.spec.network.flit)}</dd>
</dl>
<p>The hash of a run covers its complete specification, its seed and the versions of the models.
<code>lacewing reproduce ${one}</code> runs one again and compares it to the last bit.</p>`
}
