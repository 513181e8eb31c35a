// The arena as one HTML page that opens offline: an overview, and for each scenario a table, a chart of the Pareto
// front, and the victims' latency over time side by side.
import { duration } from "../../core/duration.ts"
import { counted } from "../../core/wording.ts"
import type { LinesFigure } from "../../draw/figure/figure.ts"
import { figureHtml } from "../../draw/report/figure.ts"
import { html, type Markup, raw } from "../../draw/report/html.ts"
import { page } from "../../draw/report/report.ts"
import { short } from "../../terminal/table.ts"
import { scores } from "./scores.ts"
import { isMissingScore, type Scored } from "./standings.ts"
import {
  type Arena,
  type Contest,
  cellOf,
  gapsOf,
  headline,
  labelOf,
  markOf,
  participantsOf,
  scoresOf,
} from "./text.ts"
import { panelsOf, type Timelines } from "./timelines.ts"

const style = `<style>
header+p{margin-top:18px}
.panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(165px,1fr));gap:10px 14px;margin:12px 0 24px}
.panels figure{margin:0;padding:0;border:0;min-width:0}.panels figcaption{font-size:13px;font-weight:600;overflow-wrap:anywhere}
.panels svg{width:100%;height:auto;display:block}
td.best{font-weight:600}td.lost{color:var(--muted)}
</style>`

const front =
  "◆ marks the Pareto front. A participant on the front does not fail. No other participant is better in one criterion " +
  "and at least as good in all others. Differences within the noise of the seeds count as equal."
const overview =
  "The values are p99 slowdowns of the victims, or times of the jobs relative to an ideal network. A missing value is " +
  "shown as –, and its reason is below the table of the scenario."

export function arenaPage(arena: Arena, timelines: ReadonlyMap<string, Timelines>): string {
  const runs = arena.contests.reduce((n, c) => n + c.runs, 0)
  const seconds = arena.contests.reduce((n, c) => n + c.seconds, 0)
  const title = "Arena of congestion controls"
  let number = 0
  const body = arena.contests.map((c) => contestHtml(c, timelines.get(c.name), ++number))
  return page(
    title,
    html`${raw(style)}<header><h1>${title}</h1><p class="sub">${[
      counted(arena.contests.length, "scenario"),
      counted(runs, "run"),
      `${arena.seeds.length === 1 ? "seed" : "seeds"} ${arena.seeds.join(", ")}`,
      `${duration(seconds)} in runs`,
    ].map((p) => html`<span>${p}</span>`)}</p></header>
<p>Every participant runs with the same traffic and the same seeds. ${arena.constants}</p>
<p>${front}</p>
<h2>All scenarios</h2>
<p>${overview}</p>
${overviewHtml(arena)}
<h2>Scores</h2>
<dl>${scores.map((s) => html`<dt>${s.head}</dt><dd>${s.about}; ${s.better} is better</dd>`)}</dl>
${body}
<footer>Made by lacewing ${arena.version}. This file is self-contained.</footer>`,
  )
}

function overviewHtml(arena: Arena): Markup {
  const rows = participantsOf(arena).map((name) => {
    const cells = arena.contests.map(({ standings }) => {
      const found = standings.standings.find((s) => s.participant === name)
      if (found === undefined) return html`<td class="lost">does not take part</td>`
      return valueCell(found.scores[headline(standings).name], found.front === true ? "◆ " : "", true)
    })
    return html`<tr><td class="text">${labelOf(name)}</td>${cells}</tr>`
  })
  const heads = arena.contests.map((c) => `${c.title}: ${headline(c.standings).head}`)
  return tableHtml(["participant"], heads, rows)
}

/** Returns a table whose first columns are text and whose others are numbers. */
function tableHtml(texts: readonly string[], numbers: readonly string[], rows: readonly Markup[]): Markup {
  const head = (name: string, kind: string) =>
    html`<th scope="col"${raw(kind)}><button type="button">${name}</button></th>`
  const heads = [...texts.map((name) => head(name, ' class="text"')), ...numbers.map((name) => head(name, ""))]
  return html`<div class="table"><table class="sortable${numbers.length > 6 ? " dense" : ""}"><thead><tr>${heads}</tr></thead><tbody>
${rows}</tbody></table></div>`
}

/** Returns a cell that sorts by its mean. A missing value has its reason as a title. */
function valueCell(scored: Scored | undefined, mark = "", brief = false): Markup {
  if (scored === undefined) return html`<td>–</td>`
  if (isMissingScore(scored)) return html`<td class="lost" title="${scored.missing}">–</td>`
  const best = raw(mark === "" ? "" : ' class="best"')
  return html`<td${best} data-value="${String(scored.mean)}">${mark}${brief ? short(scored.mean) : cellOf(scored)}</td>`
}

function contestHtml(c: Contest, timelines: Timelines | undefined, number: number): Markup {
  const shown = scoresOf(c.standings)
  const heads = shown.map((s) => `${s.head}${s.unit === "ratio" ? "" : ` (${s.unit})`}`)
  const rows = c.standings.standings.map((s) => {
    const cells = shown.map((score) => valueCell(s.scores[score.name]))
    return html`<tr><td class="text">${markOf(s)}</td><td class="text">${labelOf(s.participant)}</td>${cells}</tr>`
  })
  const points = c.standings.points
  const where = points.length < 2 ? "" : `Means over ${points.length} grid points. `
  const criteria = shown.filter((s) => c.standings.criteria.includes(s.name)).map((s) => s.head)
  const notes = [...gapsOf(c.standings), ...c.left.map(({ name, says }) => `${name} does not take part: ${says}`)]
  const figure = frontFigure(c, number)
  return html`<h2>${c.title}</h2>
<p>${where}${counted(c.runs, "run")}. Criteria of the front: ${criteria.join(", ")}. Intervals are 95 % intervals over the seeds.</p>
${tableHtml(["front", "participant"], heads, rows)}
${notes.length === 0 ? "" : html`<details><summary>Missing values</summary><ul>${notes.map((n) => html`<li>${n}</li>`)}</ul></details>`}
${figure === undefined ? "" : html`<div class="figures">${figureHtml(figure, number, false)}</div>`}
${timelines === undefined ? "" : panelsHtml(timelines)}`
}

function panelsHtml(t: Timelines): Markup {
  const at = Object.entries(t.point).map(([k, v]) => `${k} ${v}`)
  const panels = panelsOf(t)
  return html`<h3>Latency of the victims over time${at.length === 0 ? "" : ` at ${at.join(", ")}`}</h3>
<p>Moving mean of ten intervals in cycles (logarithmic), mean of the seeds. The dashed line marks the start of the hot flows. ${t.band === undefined ? "" : "The shaded part is the noise band of ideal isolation. "}A gap means that no victim packet arrived.</p>
<div class="panels">${t.lines.map((l, i) => html`<figure><figcaption>${l.participant}</figcaption>${raw(panels[i])}</figure>`)}</div>`
}

/** Returns the chart of hot throughput against the p99 slowdown; undefined if the scenario does not have both. */
function frontFigure({ standings: { standings } }: Contest, number: number): LinesFigure | undefined {
  const spots = standings.flatMap((s) => {
    const [tail, hot] = [s.scores["tail"], s.scores["hot"]]
    if (tail === undefined || hot === undefined || isMissingScore(tail) || isMissingScore(hot)) return []
    const facts = [
      ["p99 slowdown", tail.mean],
      ["hot throughput", hot.mean],
    ] as const
    return [{ name: s.participant, front: s.front === true, spot: { x: tail.mean, y: hot.mean, facts } }]
  })
  if (spots.length < 2) return undefined
  const front = spots.filter((s) => s.front)
  return {
    kind: "lines",
    id: `front-${number}`,
    title: "Protection against throughput",
    caption: "Up and to the left is better. Participants without a value are not shown.",
    x: { label: "p99 slowdown of the victims", log: true },
    y: { label: "hot throughput", min: 0 },
    lines: [...front, ...spots.filter((s) => !s.front)].map((s) => ({
      name: s.front ? `◆ ${s.name}` : s.name,
      spots: [s.spot],
    })),
    markers: true,
  }
}
