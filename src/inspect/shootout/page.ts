// A shoot-out as one HTML page that opens offline: the table, two charts of the Pareto front, the cables, and the
// throughput of each routing.

import type { LinesFigure } from "../../draw/figure/figure.ts"
import { figureHtml } from "../../draw/report/figure.ts"
import { html, type Markup } from "../../draw/report/html.ts"
import { page } from "../../draw/report/report.ts"
import { LINK_GB } from "./criteria.ts"
import type { Rank } from "./ranking.ts"
import { columnsOf, outOf, percent, type Shootout, termsOf, winnerHeads, winnerRows } from "./text.ts"

/** Returns the chart of load against cost; networks on the Pareto front are joined. */
export function frontFigure(o: Shootout, of: "worst" | "uniform"): LinesFigure {
  const spot = (s: Rank) => ({
    x: s.pricePerEndpoint,
    y: s[of] * LINK_GB,
    facts: [
      ["network", s.network],
      ["routing", s.routing],
      [`price per endpoint (${o.book.currency})`, s.pricePerEndpoint],
      ["GB/s per endpoint", s[of] * LINK_GB],
    ] as const,
  })
  const front = o.standings.filter((s) => s.pareto).sort((a, b) => a.pricePerEndpoint - b.pricePerEndpoint)
  const others = o.standings.filter((s) => !s.pareto)
  return {
    kind: "lines",
    id: `front-${of}`,
    title:
      of === "worst"
        ? "Throughput under the worst pattern against price"
        : "Throughput under uniform traffic against price",
    caption:
      `Prices of the list ${o.book.name}. The line joins the Pareto-optimal ` +
      "networks (price, both loads and latency).",
    x: { label: `price per endpoint (${o.book.currency})`, min: 0 },
    y: { label: "GB/s per endpoint at saturation", min: 0 },
    lines: [
      { name: "Pareto-optimal", spots: front.map(spot) },
      ...others.map((s) => ({ name: s.family, spots: [spot(s)] })),
    ],
    markers: true,
  }
}

export function shootoutPage(o: Shootout): string {
  const rows = [...o.standings].sort((a, b) => b.worst - a.worst || b.uniform - a.uniform)
  const title = `Shoot-out: ${o.terms.endpoints.toLocaleString("en")} endpoints, equal ${o.terms.equal}`
  return page(
    title,
    html`<header><h1>${title}</h1>${termsOf(o).map((line) => html`<p class="sub">${line}</p>`)}</header>
${o.missed.length === 0 ? "" : html`<div class="box" role="note"><h2>Families without a suitable network</h2><ul>${o.missed.map((m) => html`<li><b>${m.family}</b> ${m.says}; ${m.fix}</li>`)}</ul></div>`}
<h2>Networks</h2>
<p>Price list: ${o.book.name}. ◆ marks Pareto-optimal networks: no other network is at least as good in price per endpoint, both loads and latency, and better in one of them.</p>
${tableOf(
  columnsOf(o).map(([head]) => head),
  rows.map((s) => columnsOf(o).map(([, cell]) => cell(s))),
)}
<h2>Best by criterion</h2>
<p>Simulated values that differ by less than the precision are equally good.</p>
${tableOf([...winnerHeads], winnerRows(o))}
<p>Pareto-optimal: ${rows
      .filter((s) => s.pareto)
      .map((s) => s.network)
      .join("; ")}</p>
<h2>Figures</h2>
<div class="figures">
${figureHtml(frontFigure(o, "worst"), 1, true)}${figureHtml(frontFigure(o, "uniform"), 2, true)}</div>
<h2>Cables</h2>
<p>Lengths follow the floor layout of the price list ${o.book.name}.</p>
${tableOf(
  ["network", "links", "medium", "number", "metres each"],
  rows.flatMap((s) =>
    s.cables.map((c) => [s.network, c.item, c.medium, c.count.toLocaleString("en"), (c.metres / c.count).toFixed(1)]),
  ),
)}
<h2>Routings</h2>
<p>Accepted load of each routing at an offered load of 1. The routing with the largest product of both takes part. Uniform traffic was not run where the worst pattern already excludes a routing.</p>
${tableOf(
  ["network", "routing", "uniform", "worst pattern", "pattern", "chosen"],
  rows.flatMap((s) =>
    s.tried.map((t) => [
      s.family,
      t.routing,
      t.uniform?.toFixed(3) ?? "not run",
      t.worst.toFixed(3),
      t.pattern,
      t.routing === s.routing ? "yes" : "",
    ]),
  ),
)}
<h2>Excluded</h2>
<ul>${outOf(o).map((line) => html`<li>${line}</li>`)}</ul>
<footer>Deviations from the target: ${rows.map((s) => `${s.family} ${percent(s.miss)}`).join(", ")}. This file is self-contained.</footer>`,
  )
}

function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): Markup {
  return html`<div class="table"><table class="sortable"><thead><tr>${columns.map((c) => html`<th scope="col"><button type="button">${c === "" ? "front" : c}</button></th>`)}</tr></thead>
<tbody>${rows.map((r) => html`<tr>${r.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`
}
