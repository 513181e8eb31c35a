// papers/index.html: every figure and table that lacewing reproduces, each with its claim, our curve, its rows and where they were made.
import { join } from "node:path"
import { duration, shown } from "./figure-format.ts"
import type { PaperFigure, Pass, Row } from "./paper.ts"
import { type RecordedFile, readRecorded, standing } from "./paper-record.ts"
import { page } from "./report.ts"
import { figureHtml } from "./report-figure.ts"
import { html, type Markup } from "./report-html.ts"
import { writeAtomic } from "./store-disk.ts"

/** `from`: the folder in which a figure is recorded. */
export function writeGallery(papers: string, all: readonly PaperFigure[], from = (_id: string) => papers): string {
  const path = join(papers, "index.html")
  writeAtomic(path, galleryHtml(all.map((figure) => ({ figure, recorded: readRecorded(from(figure.id), figure.id) }))))
  return path
}

type Shown = { readonly figure: PaperFigure; readonly recorded: RecordedFile }

export function galleryHtml(all: readonly Shown[]): string {
  const papers = new Map<string, Shown[]>()
  for (const s of all) papers.set(s.figure.cites, [...(papers.get(s.figure.cites) ?? []), s])
  const rows = all.flatMap((s) => standing(s.recorded)?.recorded.rows ?? [])
  const count = (pass: Pass): number => rows.filter((r) => r.pass === pass).length
  const facts = [
    `${papers.size} ${papers.size === 1 ? "paper" : "papers"}`,
    `${all.length} figures and tables`,
    `${count(true)} rows agree`,
    `${count(false)} fail`,
    `${count("unchecked")} unchecked`,
  ]
  let number = 0
  const card = ({ figure, recorded }: Shown): Markup => {
    const found = standing(recorded)
    const drawn = (found?.recorded.figures ?? []).map((f) => figureHtml(f, ++number, false))
    return html`<section id="${figure.id}"><h2>${figure.title} ${badge(found?.recorded.pass)}</h2>
<p>${figure.claim}</p>
${drawn.length === 0 ? "" : html`<div class="figures">${drawn}</div>`}
${found === undefined ? html`<p class="sub">Not recorded yet: <code>lacewing paper ${figure.id} --record</code></p>` : html`${rowsTable(found.recorded.rows)}${origin(figure, found)}`}
</section>`
  }
  return page(
    "Papers reproduced",
    html`<header><h1>Papers reproduced</h1><p class="sub">${facts.map((f) => html`<span>${f}</span>`)}</p></header>
<p class="lead">Every number below was written by <code>lacewing paper</code>, never by hand. A row agrees when our value lies within the bounds beside it.</p>
${[...papers].map(([cites, cards]) => html`<h2 class="paper">${cites}</h2>${cards.map(card)}`)}
<footer>Made by lacewing. This file is complete: it needs no network and no other file.</footer>`,
  )
}

function badge(pass: Pass | undefined): Markup {
  if (pass === undefined) return html`<span class="tag">not recorded</span>`
  if (pass === "unchecked") return html`<span class="tag">unchecked</span>`
  return pass ? html`<span class="tag good">agrees</span>` : html`<span class="tag bad">fails</span>`
}

function rowsTable(rows: readonly Row[]): Markup {
  const body = rows.map((r) => {
    const paper = typeof r.paper === "number" ? shown(r.paper) : r.paper
    const bounds = Number.isNaN(r.low) ? "" : r.low === r.high ? shown(r.low) : `${shown(r.low)} to ${shown(r.high)}`
    return html`<tr><td class="text wrap">${r.claim}${r.note === undefined ? "" : html`<br><span class="note">${r.note}</span>`}</td><td>${paper}</td><td>${shown(r.value)}</td><td>${bounds}</td><td class="text">${badge(r.pass)}</td></tr>
`
  })
  return html`<div class="table"><table><thead><tr><th class="text">claim</th><th>paper</th><th>lacewing</th><th>bounds</th><th class="text"></th></tr></thead><tbody>
${body}</tbody></table></div>`
}

function origin(figure: PaperFigure, { mode, recorded }: NonNullable<ReturnType<typeof standing>>): Markup {
  const { version, node, machine, finished, seconds } = recorded.provenance
  const scaled = mode === "quick" && figure.quick?.scaled !== undefined ? ` Scaled down: ${figure.quick.scaled}.` : ""
  const runs = recorded.runs.length === 0 ? "no simulation needed" : `${recorded.runs.length} runs`
  return html`<p class="sub small">${mode === "full" ? "At the paper’s own size" : "Quick form"}, ${runs}, ${duration(seconds)}; lacewing ${version}, node ${node}, ${machine}, ${finished.slice(0, 10)}.${scaled} Again: <code>lacewing paper ${figure.id}${recorded.runs.length === 0 ? "" : ` --${mode}`}</code></p>`
}
