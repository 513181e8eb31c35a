// papers/index.html: every figure and table that lacewing reproduces, each with its claim, our curve, its rows and where they were made.
import { join } from "node:path"
import { duration, shown } from "../draw/figure/format.ts"
import { figureHtml } from "../draw/report/figure.ts"
import { html, type Markup } from "../draw/report/html.ts"
import { page } from "../draw/report/report.ts"
import { writeAtomic } from "../results/disk.ts"
import { countOf, type Standing, standing } from "./judge.ts"
import { numberOf, type PaperFigure, type Row, type Word, wordOf } from "./paper.ts"
import { type RecordedFile, readRecorded, secondsOf } from "./record.ts"

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
  const stands = new Map(all.map((s) => [s.figure, standing(s.figure, s.recorded)]))
  const rows = [...stands.values()].flatMap((s) => s?.rows ?? [])
  const aged = [...stands.values()].filter((s) => s !== undefined && s.changed.length > 0).length
  const facts = [
    `${papers.size} ${papers.size === 1 ? "paper" : "papers"}`,
    `${all.length} figures and tables`,
    `${countOf(rows, "agrees")} rows agree`,
    `${countOf(rows, "fails")} fail`,
    `${countOf(rows, "unchecked")} unchecked`,
    `${countOf(rows, "misprint")} misprints`,
    `${countOf(rows, "definition")} definitions`,
    ...(aged > 0 ? [`${aged} recorded with older revisions`] : []),
    ...(countOf(rows, "ours") > 0 ? [`${countOf(rows, "ours")} of our own`] : []),
  ]
  let number = 0
  const card = ({ figure }: Shown): Markup => {
    const found = stands.get(figure)
    const recorded = found?.recorded.figures ?? []
    const drawn = (figure.plots?.(recorded) ?? recorded).map((f) => figureHtml(f, ++number, false, true))
    return html`<section id="${figure.id}"><h2>${numberOf(figure)}. ${figure.title} ${badge(found?.word ?? "not recorded")}${(found?.changed.length ?? 0) > 0 ? html` <span class="tag">older</span>` : ""}</h2>
<p>${figure.claim}</p>
${drawn.length === 0 ? "" : html`<div class="figures">${drawn}</div>`}
${found === undefined ? html`<p class="sub">Not recorded yet: <code>lacewing paper ${figure.id} --record</code></p>` : html`${rowsTable(found.rows)}${origin(figure, found)}`}
</section>`
  }
  return page(
    "Papers reproduced",
    html`<header><h1>Papers reproduced</h1><p class="sub">${facts.map((f) => html`<span>${f}</span>`)}</p></header>
<p class="lead">Every number below was written by <code>lacewing paper</code>, never by hand. A row <em>agrees</em> when our value lies within the bounds beside it.
Other words are not counted as agreement: a <em>definition</em> is arithmetic or wording of the paper, and nothing of ours is measured for it; at a <em>misprint</em> the paper prints something else
than follows from its own numbers, and the bounds are what follows; <em>ours</em> is a check that the paper does not make. A record is <em>older</em> if a plug-in, an engine or the measurement
has a newer revision than its runs used. It has not been run again since, so its values may move within their noise.</p>
${[...papers].map(([cites, cards]) => html`<h2 class="paper">${cites}</h2>${cards.map(card)}`)}
<footer>Made by lacewing. This file is complete: it needs no network and no other file.</footer>`,
  )
}

function badge(word: Word | "not recorded"): Markup {
  const tone = word === "agrees" ? " good" : word === "fails" ? " bad" : word === "misprint" ? " warn" : ""
  return html`<span class="tag${tone}">${word}</span>`
}

function rowsTable(rows: readonly Row[]): Markup {
  const body = rows.map((r) => {
    const paper = typeof r.paper === "number" ? shown(r.paper) : r.paper
    const bounds = Number.isNaN(r.low) ? "" : r.low === r.high ? shown(r.low) : `${shown(r.low)} to ${shown(r.high)}`
    return html`<tr><td class="text wrap">${r.claim}${r.note === undefined ? "" : html`<br><span class="note">${r.note}</span>`}</td><td>${paper}</td><td>${shown(r.value)}</td><td>${bounds}</td><td class="text">${badge(wordOf(r))}</td></tr>
`
  })
  return html`<div class="table"><table class="rows"><thead><tr><th class="text">claim</th><th>paper</th><th>lacewing</th><th>bounds</th><th class="text"></th></tr></thead><tbody>
${body}</tbody></table></div>`
}

function origin(figure: PaperFigure, { mode, recorded, changed }: Standing): Markup {
  const { version, node, machine, finished } = recorded.provenance
  const seconds = secondsOf(recorded)
  const scaled = mode === "quick" && figure.quick?.scaled !== undefined ? ` Scaled down: ${figure.quick.scaled}.` : ""
  const took = seconds === undefined ? "time of the runs not recorded" : duration(seconds)
  const runs = recorded.runs.length === 0 ? "no experiment needed" : `${recorded.runs.length} run${recorded.runs.length === 1 ? "" : "s"}`
  return html`<p class="sub small">${mode === "full" ? "At the paper’s own size" : "Quick form"}, ${runs}, ${took}${recorded.runs.length === 0 || seconds === undefined ? "" : " together"}; lacewing ${version}${changed.length > 0 ? `, older: ${changed.join(", ")}` : ""}, node ${node}, ${machine}, ${finished.slice(0, 10)}.${scaled} Again: <code>lacewing paper ${figure.id}${recorded.runs.length === 0 ? "" : ` --${mode}`}</code></p>`
}
