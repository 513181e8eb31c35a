// A shoot-out as one page that opens offline: the table, two charts of the front, the cables, what each routing accepted.

import type { LinesFigure } from "../../draw/figure/figure.ts"
import { figureHtml } from "../../draw/report/figure.ts"
import { html, type Markup } from "../../draw/report/html.ts"
import { page } from "../../draw/report/report.ts"
import type { Standing } from "./standing.ts"
import { heads, outOf, percent, type Shootout, termsOf } from "./text.ts"

/** What a network carries against what it costs; those that nobody beats are joined. */
export function frontFigure(o: Shootout, of: "worst" | "uniform"): LinesFigure {
  const spot = (s: Standing) => ({
    x: s.pricePerEndpoint,
    y: s[of],
    facts: [
      ["network", s.network],
      ["routing", s.routing],
      [`price for each endpoint, ${o.book.currency}`, s.pricePerEndpoint],
      ["saturation", s[of]],
    ] as const,
  })
  const front = o.standings.filter((s) => s.pareto).sort((a, b) => a.pricePerEndpoint - b.pricePerEndpoint)
  const others = o.standings.filter((s) => !s.pareto)
  return {
    kind: "lines",
    id: `front-${of}`,
    title: of === "worst" ? "What the hardest pattern leaves, against the price" : "What uniform traffic gets, against the price",
    caption: `Prices of the book ${o.book.name}. Joined: networks that no other beats in price, both loads and latency at once.`,
    x: { label: `price for each endpoint, ${o.book.currency}`, min: 0 },
    y: { label: "saturation (load)", min: 0 },
    lines: [{ name: "nobody beats it", spots: front.map(spot) }, ...others.map((s) => ({ name: s.family, spots: [spot(s)] }))],
    markers: true,
  }
}

export function shootoutPage(o: Shootout): string {
  const rows = [...o.standings].sort((a, b) => b.worst - a.worst || b.uniform - a.uniform)
  const title = `Shoot-out: ${o.terms.endpoints.toLocaleString("en")} endpoints, equal ${o.terms.equal}`
  return page(
    title,
    html`<header><h1>${title}</h1>${termsOf(o).map((line) => html`<p class="sub">${line}</p>`)}</header>
${o.missed.length === 0 ? "" : html`<div class="box" role="note"><h2>Families without a member</h2><ul>${o.missed.map((m) => html`<li><b>${m.family}</b> ${m.says}; ${m.fix}</li>`)}</ul></div>`}
<h2>The table</h2>
<p>Price book: ${o.book.name}. ◆: no other network is at least as good in price for each endpoint, both loads and latency, and better in one.</p>
${tableOf(
  ["", ...heads.slice(1).map(([head]) => head)],
  rows.map((s) => heads.map(([, cell]) => cell(s, o))),
)}
<h2>Figures</h2>
<div class="figures">
${figureHtml(frontFigure(o, "worst"), 1, true)}${figureHtml(frontFigure(o, "uniform"), 2, true)}</div>
<h2>Cables</h2>
<p>Lengths by the layout of the price book ${o.book.name}.</p>
${tableOf(
  ["network", "links", "medium", "number", "metres each"],
  rows.flatMap((s) => s.cables.map((c) => [s.network, c.item, c.medium, c.count.toLocaleString("en"), (c.metres / c.count).toFixed(1)])),
)}
<h2>Routings</h2>
<p>What each accepted under a load of 1. The one with the largest product of the two takes part; where uniform traffic was not run, the hardest pattern alone rules it out.</p>
${tableOf(
  ["network", "routing", "uniform", "hardest pattern", "under", "chosen"],
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
<h2>Left out</h2>
<ul>${outOf(o).map((line) => html`<li>${line}</li>`)}</ul>
<footer>Misses: ${rows.map((s) => `${s.family} ${percent(s.miss)}`).join(", ")}. This file is complete: it needs no network and no other file.</footer>`,
  )
}

function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): Markup {
  return html`<div class="table"><table class="sortable"><thead><tr>${columns.map((c) => html`<th scope="col"><button type="button">${c === "" ? "front" : c}</button></th>`)}</tr></thead>
<tbody>${rows.map((r) => html`<tr>${r.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`
}
